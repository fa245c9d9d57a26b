"""The rules that every run of the command line keeps, whatever its words."""

import json
import re
from dataclasses import dataclass


@dataclass
class Fault:
    kind: str  # in a word or two: what shrinking keeps
    text: str
    run: object = None

    def __str__(self):
        return f"{self.kind}: {self.text}"


# What only libraries and run-time systems print: a tool says it in its own words.
RAW_TEXT = re.compile(
    r"terminate called|what\(\)|std::|__cxx|vector::_M|basic_string|bad_alloc|bad_variant|bad_optional"
    r"|\bsto[dilfu]|pthread|\[json\.exception|CLI::|RequiredError|ExtrasError|ArgumentMismatch"
    r"|Could not convert|were not expected|was not expected|filesystem error|Resource temporarily"
    r"|AddressSanitizer|runtime error:|Assertion|core dumped|invalid_argument|out_of_range"
)

# Errors of machines that a strict machine, or one with other ports, may give to a program.
OF_OTHER_MACHINES = {"port_conflict", "link_contention", "step_limit"}
# What asks for a run that need not come out sorted: short columns, and fewer shears than are enough.
MAY_BE_WRONG = {"--below-bound", "--shears"}
NAMES_FILES = {"--output", "--trace"}


def raw_text(run):
    found = RAW_TEXT.search(run.error_text)
    if found is None and run.status != 0:
        found = RAW_TEXT.search(run.text[:4000])
    return found.group(0) if found else None


def ending(run):
    """How it ended."""
    if run.timed_out:
        return Fault("hang", f"had not ended after {run.seconds:.0f} s")
    if run.interrupted:
        return None
    if run.status < 0:
        return Fault("signal", f"ended by signal {-run.status}")
    if run.status not in (0, 1, 2):
        return Fault("status", f"ended with status {run.status}")
    return None


def messages(run):
    """What it says to the terminal."""
    if found := raw_text(run):
        return Fault("raw text", f"{found!r} in {run.error_text[:300]!r}")
    lines = run.error_text.split("\n")
    if run.err and not run.error_text.startswith("lockstep: "):
        return Fault("message", f"does not begin with the tool's name: {run.error_text[:300]!r}")
    if run.status == 2:
        if len(lines) != 2 or lines[1] != "":
            return Fault("message", f"a refusal of {len(lines) - 1} lines: {run.error_text[:300]!r}")
        if run.out:
            return Fault("message", f"prints something and refuses: {run.text[:300]!r}")
    if run.status == 1 and not run.err and not run.out:
        return Fault("message", "status 1 without a word")
    return None


def named_files(words):
    """The files that these words let it write."""
    named = {"index.html"}
    for before, word in zip(words, words[1:]):
        if before in NAMES_FILES:
            named.add(word)
    for word in words:
        for option in NAMES_FILES:
            if word.startswith(option + "="):
                named.add(word[len(option) + 1 :])
        named.add(f"{word}.html")
        named |= {f"{word}.csv", f"{word}.svg", f"{word}-cross-overs.csv"}
    return named


def leftovers(run):
    """What it has written."""
    named = named_files(run.words)
    for name in run.new_files:
        if ".lockstep-" in name:
            return Fault("left over", f"an incomplete file: {name}")
        if run.status == 2:
            return Fault("left over", f"refused, and wrote {name}")
        if name not in named and not any(name.startswith(folder + "/") for folder in named):
            return Fault("left over", f"wrote {name}, which nobody named")
    return None


def json_of(run):
    """What it printed as JSON; None where it printed nothing, or no JSON was asked for."""
    if "--json" not in run.words or run.interrupted or not run.out:
        return None
    before = run.words[run.words.index("--json") - 1]
    if before.startswith("-") and not run.text.startswith("{"):
        return None  # the value of that option
    return json.loads(run.text)


def says_wrong(run):
    """A run that found itself wrong, or whose machine stopped where none should."""
    try:
        found = json_of(run)
    except ValueError as problem:
        return Fault("json", f"{problem}: {run.text[:200]!r}")
    if run.status != 1:
        if isinstance(found, dict) and found.get("correct") is False:
            return Fault("wrong", "a wrong result, and status 0")
        return None
    if isinstance(found, dict) and "error" in found:
        kind = found["error"].get("kind")
        other_machine = any(word.startswith(("--strict", "--ports")) for word in run.words)
        if kind in OF_OTHER_MACHINES and other_machine:
            return None
        return Fault("machine error", f"{kind}: {found['error'].get('message')}")
    if MAY_BE_WRONG & {word.split("=")[0] for word in run.words}:
        return None
    if isinstance(found, dict) and "correct" in found and not run.err:
        failing = [one for one in found.get("claims", []) if not one.get("holds", True)]
        return Fault("wrong", f"correct: {found['correct']}; claims that do not hold: {failing}")
    if re.search(r"^correct +NO", run.text, re.MULTILINE):
        return Fault("wrong", "a wrong result")
    return None


def judge(run):
    """The first rule that a run breaks, or None."""
    for rule in (ending, messages, leftovers, says_wrong):
        if found := rule(run):
            found.run = run
            return found
    return None
