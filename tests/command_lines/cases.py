"""Kinds of random cases: the words of a command line, its files, and what has to come of it."""

import copy
import re
import shlex
from dataclasses import dataclass, field

import files
import references
import words
from judging import Fault, json_of, judge
from running import Limits

# Of words that are all small: whatever takes longer hangs.
SMALL = Limits(address_space=4 << 30)
# Of words that ask for more than any computer does in a minute, or may.
HEAVY = Limits(seconds=3.0, address_space=4 << 30, interrupts=True)
# How the same run may be made besides: its counts and results are the same.
OTHER_WAYS = [
    ["--engine", "threads"], ["--workers", "1"], ["--workers", "3"], ["--stacks", "copied"],
    ["--engine", "fibers"], ["--stacks", "own"],
]


@dataclass
class Case:
    kind: str
    command: list  # "run", "radix-sort"
    options: list  # lists of words
    check: object  # of (case, runner): a Fault or None
    files: dict = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    expected: object = None  # what a reference says of the output, where it is known
    needed: list = field(default_factory=list)  # options without which the reference would be another's
    other_way: list = field(default_factory=list)

    @property
    def words(self):
        return [*self.command, *words.flat(self.options)]

    def without(self, number):
        fewer = copy.copy(self)
        fewer.options = self.options[:number] + self.options[number + 1 :]
        return fewer


def is_heavy(case_words):
    """Whether a number among the words makes a run last that small ones would not."""
    return any(re.search(r"\d{5}|\de\d", word) for word in case_words)


def one_run(case, runner):
    return judge(runner.run(case.words, case.limits))


def one_run_of_any_size(case, runner):
    return judge(runner.run(case.words, HEAVY if is_heavy(case.words) else SMALL))


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key != "seconds"}
    if isinstance(value, list):
        return [without_times(one) for one in value]
    return value


def difference(one, other, path=""):
    """Where two JSON values first differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *other]:
            if one.get(key) != other.get(key):
                return difference(one.get(key), other.get(key), f"{path}/{key}")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other)):
            if left != right:
                return difference(left, right, f"{path}/{number}")
    return f"{path}: {one!r} and {other!r}"[:300]


def written(case, runner):
    """What the run wrote, by file."""
    named = [after for before, after in zip(case.words, case.words[1:]) if before in ("--output", "--trace")]
    return {name: (runner.folder / name).read_bytes() for name in named if (runner.folder / name).is_file()}


def same_both_ways(case, runner):
    """Runs it on two engines, and compares all but the times."""
    first = runner.run(case.words, case.limits)
    if found := judge(first):
        return found
    files_of_first = written(case, runner)
    second = runner.run([*case.words, *case.other_way], case.limits)
    if found := judge(second):
        return found
    if first.interrupted or second.interrupted:
        return None
    if first.status != second.status:
        return Fault("engines differ", f"status {first.status}, and {second.status} with {case.other_way}", second)
    one, other = without_times(json_of(first)), without_times(json_of(second))
    if one != other:
        return Fault("engines differ", f"{difference(one, other)} with {case.other_way}", second)
    if files_of_first != written(case, runner):
        return Fault("engines differ", f"its files differ with {case.other_way}", second)
    return None


def as_expected(case, runner):
    """Runs it, and compares its output file with what another program says."""
    if found := same_both_ways(case, runner):
        return found
    finished = runner.run(case.words, case.limits)
    if found := judge(finished):
        return found
    if finished.status != 0 or "--output" not in case.words:
        return None
    name = case.words[case.words.index("--output") + 1]
    output = (runner.folder / name).read_bytes()
    if problem := case.expected(output):
        return Fault("other program", problem, finished)
    return None


# --- kinds


def algorithm(random, tool, with_files=None):
    return random.choice([one for one in tool.algorithms if with_files is None or one["takes_files"] == with_files])


def valid(random, tool):
    """Options that an algorithm takes, on a network on which it may well run."""
    which = algorithm(random, tool)
    options = [["--on", words.network_for(random, which)], ["--json"]]
    options += words.options_of(random, which) + words.machine_options(random)
    if random.random() < 0.15:
        options.append(["--trace", random.choice(["messages.csv", "pictures.dot", "messages.goal"])])
    random.shuffle(options)
    return Case("valid", ["run", which["name"]], options, same_both_ways, other_way=random.choice(OTHER_WAYS))


def spoilt(random, tool, options, which):
    """Spoils one of the options, or adds something."""
    parameters = which["parameters"] or [{"name": "words", "default": 1}]
    one = random.choice(parameters)
    what = random.randrange(8)
    if what == 0:
        return options + [["--" + one["name"], random.choice(words.JUNK)]]
    if what == 1:
        return options + [["--" + one["name"], words.at_the_edge(random, one)]]
    if what == 2:
        name = random.choice(["--seed", "--workers", "--engine", "--stacks", "--ports", "--model", "--input"])
        return options + [[name, random.choice(words.JUNK)]]
    if what == 3:
        return options + [random.choice(options)] if options else [["--on"]]
    if what == 4:
        return options + [[random.choice(["--" + one["name"], "--on", "--seed", "--model", "--output"])]]
    if what == 5:
        return options + [[random.choice(words.JUNK + ["--word", "--ON", "-x", "--no-strict", "--json=1", "extra"])]]
    if what == 6:
        return [option for option in options if option[0] != "--on"] + [["--on", random.choice(words.WRONG_TOPOLOGIES)]]
    return options + [[random.choice(["--trace", "--output"]), random.choice(["/", ".", "", "/dev/null/x.csv", "x.bmp"])]]


def junk(random, tool):
    """Something wrong among the words; or something that only looks wrong."""
    which = algorithm(random, tool)
    options = [["--on", words.network_for(random, which)]] + words.options_of(random, which, 0.2)
    if random.random() < 0.5:
        options.append(["--json"])
    for _ in range(random.choice([1, 1, 1, 2])):
        options = spoilt(random, tool, options, which)
    random.shuffle(options)
    command = [random.choice(["run", "run", "run", "explain", "view"]), which["name"]]
    if random.random() < 0.05:
        command[random.randrange(2)] = random.choice(words.JUNK)
    return Case("junk", command, options, one_run_of_any_size)


def sort(random, tool):
    """A file of keys, sorted by another program too."""
    which = random.choice([one for one in tool.algorithms if any(p["name"] == "format" for p in one["parameters"])])
    made = references.keys_to_sort(random, which)
    options = [["--on", words.network_for(random, which)], ["--json"], ["--input", made.name], ["--output", "sorted"]]
    options += made.options
    needed = list(options)
    options += words.options_of(random, which, 0.15, ("format", "keys", "column", "n", "range", "k", "l"))
    return Case("sort", ["run", which["name"]], options, as_expected, files={made.name: made.data},
                expected=made.is_expected, needed=needed, other_way=random.choice(OTHER_WAYS))


def with_files(random, tool):
    """Input files of other algorithms, whose results another program computes."""
    name = random.choice(list(references.MAKERS))
    which = tool.algorithm(name)
    made = references.MAKERS[name](random, tool.extremes)
    options = [["--on", made.network or words.network_for(random, which)], ["--json"]] + made.options
    return Case("files", ["run", name], options, as_expected, files=made.files, expected=made.is_expected, needed=options,
                other_way=random.choice(OTHER_WAYS))


def broken_files(random, tool):
    """Input files with something wrong in them."""
    case = (sort if random.random() < 0.5 else with_files)(random, tool)
    name = random.choice(list(case.files))
    case.files[name] = files.broken(random, case.files[name])
    case.kind, case.check = "broken files", same_both_ways
    return case


def shown(random, tool):
    """`explain`, `view`, traces, prices and tables."""
    which = algorithm(random, tool)
    options = [["--on", words.network_for(random, which)]] + words.options_of(random, which, 0.3)
    command = random.choice(["run", "explain", "explain", "view"])
    extra = [["--table"], ["--json"], ["--model", random.choice(tool.models)], *words.machine_options(random)]
    if command != "view":
        suffix = random.choice(["json", "csv", "goal", "dot", "html"])
        extra.append(["--trace", f"trace.{suffix}"])
    else:
        extra.append(["--output", "page.html"])
        if random.random() < 0.2:
            extra.append(["--beside", f"{which['name']} --on {which['teaching']['on']}"])
    if command == "explain":
        extra += [["--steps", random.choice(["1-4", "2-2", "1-2000", "3-1", "5", "0-1", "90000-90001"])],
                  ["--processors", random.choice(["0", "0,1", "0-3", "1,0", "0,0", "63", "999", "0-200"])],
                  ["--show", random.choice(["senders", "words", "values", "values:keys", "values:nothing", "x"])]]
    options += random.sample(extra, random.randint(0, min(4, len(extra))))
    random.shuffle(options)
    return Case("shown", [command, which["name"]], options, one_run, limits=Limits(seconds=60))


def others(random, tool):
    """What runs no algorithm, or the papers' own."""
    number = random.choice(["0", "1", "2", "4", "8", "15", "16", "-1", "x", "1e9", ""])
    paper = random.choice(tool.papers + ["suh", ""])
    figure = random.choice(tool.figures + ["suh-shin", ""])
    choices = [
        (["list"], random.choice([[], [["--json"]], [["--yaml"]], [["x"]]])),
        (["paper", paper], random.choice([[["--processors", number]], [["--processors", number], ["--json"]], [["--x"]]])),
        (["figure", figure], [["--up-to", number], ["--output", random.choice([".", "nowhere", "", "/dev/null"])]]),
        (["complete"], [[random.choice(words.JUNK + ["run", "--on", "r", "--"])] for _ in range(random.randint(0, 4))]),
        ([random.choice(["--help", "--version", "help", "", "-h", "manual"])], []),
        ([random.choice(["run", "explain", "view", "paper", "figure", "list"])], [[random.choice(["--help", "-h"])]]),
        (["view"], [["--gallery", random.choice(["", "/dev/null", "/dev/null/x"])], random.choice([["--json"], ["x"], []])]),
    ]
    command, options = random.choice(choices)
    return Case("others", command, options, one_run_of_any_size)


KINDS = {valid: 38, junk: 20, sort: 14, with_files: 12, broken_files: 6, shown: 6, others: 4}
BY_NAME = {kind.__name__.replace("_", "-"): kind for kind in KINDS}


def random_case(random, tool, kind=None):
    make = BY_NAME[kind] if kind else random.choices(list(KINDS), list(KINDS.values()))[0]
    return make(random, tool)


def as_shell(case):
    return "lockstep " + " ".join(map(shlex.quote, case.words))
