"""Words of Python for what the library's texts call by its names in C++."""

import re

#: A pattern, and what Python has for it.
_WORDS = [
    (r"receive<T>\(from\)", "receive(source)"),
    (r"exchange<T>", "exchange"),
    (r"\{\.(\w+) = true\}", r"\1=True"),
    (r"\{\.(\w+) = false\}", r"\1=False"),
    (r"\bmachine_options::(\w+)", r"\1"),
    (r"\bwords::(\w+)", r'count="\1"'),
    (r"\bprocessor::pass\b", "me.choose_pass"),
    (r"\bprocessor::(\w+)", r"me.\1"),
    (r"\brun_record::(\w+)", r"run.\1"),
]
_CHOICES = re.compile(r"\b(ports|switching|stacks|engine)::(\w+)")


def in_python(text):
    """Write a text of the library in Python's words: options, calls and choices."""
    if "::" not in text and "<T>" not in text and "{." not in text:
        return text
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    text = re.sub(r"\b(\w+) is \1::(\w+)", r'\1 is "\2"', text)  # "stacks is stacks::copied"
    return _CHOICES.sub(lambda found: f'{found[1]}="{found[2].replace("_", "-")}"', text)
