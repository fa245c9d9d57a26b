"""Inputs of algorithms, and what other programs make of them: plain Python, from the definitions."""

import cmath
import fractions
import math
from dataclasses import dataclass

import files


@dataclass
class Made:
    """Input files with the options that name them, and what has to come out."""

    files: dict
    options: list
    is_expected: object  # of the output file's bytes: a complaint, or None
    network: str = ""


@dataclass
class MadeKeys:
    name: str
    data: bytes
    options: list
    is_expected: object


def compared(found, expected):
    if found == expected:
        return None
    for number, (one, other) in enumerate(zip(found, expected)):
        if one != other:
            return f"item {number} is {one!r}, and has to be {other!r}"
    return f"{len(found)} items, and {len(expected)} are expected"


# --- sorts

RANGES = {
    "int32": (-(1 << 31), (1 << 31) - 1), "uint32": (0, (1 << 32) - 1),
    "int64": (-(1 << 63), (1 << 63) - 1), "uint64": (0, (1 << 64) - 1),
}


def whole_key(random, kind, largest):
    least, most = RANGES[kind]
    if largest is not None:
        return random.randrange(largest)
    return random.choice([random.randint(least, most), random.randint(max(least, -9), 9), least, most, 0])


def real_key(random):
    special = [0.0, -0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, -1e308, 1.0, -1.0]
    return random.choice(special) if random.random() < 0.3 else random.uniform(-100, 100)


def number_of_keys(random, which):
    if which["name"] == "nassimi-sahni-sort":
        return random.choice([1, 4, 8, 16, 32])
    return random.choice([0, 1, 2, 3, 16, 64, random.randint(0, 300), random.randint(0, 300), 1024])


def in_two_lists(numbers, key=None):
    """The same, in two sorted lists of even sizes, one after the other."""
    half = (len(numbers) + 1) // 2
    return sorted(numbers[:half], key=key) + sorted(numbers[half:], key=key)


def keys_to_sort(random, which):
    """Keys in a text, in binary, or in a column of a table; in sorted lists for those that merge."""
    in_lists = in_two_lists if which["name"] in ("merge", "multiway-merge") else lambda numbers, key=None: numbers
    options = []
    largest = None
    if which["name"] == "counting-sort":
        largest = random.choice([1, 2, 10, 256])
        options.append(["--range", str(largest)])
    kinds = next(p for p in which["parameters"] if p["name"] == "format")["names"]
    count = number_of_keys(random, which)
    form = random.choice(["text", "binary", "rows"])
    if form == "binary":
        return binary_keys(random, random.choice(kinds[1:]), count, largest, options, in_lists)
    if form == "rows":
        return rows_by_key(random, count, largest, options, in_lists)
    reals = "float64" in kinds and random.random() < 0.3
    return text_keys(random, count, largest, reals, options, in_lists)


def binary_keys(random, kind, count, largest, options, in_lists):
    real = kind.startswith("float")
    numbers = [real_key(random) if real else whole_key(random, kind, largest) for _ in range(count)]
    if kind == "float32":
        numbers = files.keys_in(kind, files.keys(kind, [math.copysign(min(abs(n), 3e38), n) for n in numbers]))
    numbers = in_lists(numbers)
    expected = sorted(numbers)
    return MadeKeys("keys.bin", files.keys(kind, numbers), [*options, ["--format", kind]],
                    lambda output: compared(files.keys_in(kind, output), expected))


def text_keys(random, count, largest, reals, options, in_lists):
    kind = random.choice(list(RANGES))
    finite = (real_key(random) for _ in iter(int, 1))
    numbers = [next(n for n in finite if math.isfinite(n)) if reals else whole_key(random, kind, largest)
               for _ in range(count)]
    numbers = in_lists(numbers)
    data = "".join(f"{number!r}\n" for number in numbers).encode()
    expected = sorted(numbers)
    read = float if reals else int

    def is_expected(output):
        return compared([read(line) for line in output.split()], expected)

    return MadeKeys("keys.txt", data, options, is_expected)


def rows_by_key(random, count, largest, options, in_lists):
    """Rows of a table, which keep their order where their keys are equal."""
    names = random.choice(["key", "name,key", "key,name", '"a, b",key', "key,key2"])
    place = next(n for n, name in enumerate(["key"] if names == "key" else split(names)) if name == "key")
    rows = []
    for number in range(count):
        row = [random.choice([f"r{number}", '"x, y"', '""', "", '"say ""no"""'])] * len(split(names))
        row[place] = str(random.randrange(largest) if largest else random.randint(-20, 20))
        rows.append(row)
    rows = in_lists(rows, lambda row: int(row[place]))
    text = [",".join(row) + "\n" for row in rows]
    order = sorted(range(count), key=lambda number: int(rows[number][place]))
    expected = (names + "\n" + "".join(text[number] for number in order)).encode()
    data = (names + "\n" + "".join(text)).encode()
    return MadeKeys("rows.csv", data, [*options, ["--column", "key"]],
                    lambda output: compared(output.split(b"\n"), expected.split(b"\n")))


def split(names):
    return names.replace('"a, b"', "ab").split(",")


# --- prefixes

COMBINE = {
    "add": lambda a, b: a + b, "min": min, "max": max, "first": lambda a, b: a, "last": lambda a, b: b,
}
IDENTITY = {"add": 0, "min": (1 << 63) - 1, "max": -(1 << 63)}


def prefixes_of(values, kind, operator):
    combine = COMBINE[operator]
    backward = kind.startswith("backward")
    values = values[::-1] if backward else values
    prefixes = []
    for value in values:
        if not prefixes:
            prefixes.append(value)
        else:
            prefixes.append(combine(value, prefixes[-1]) if backward else combine(prefixes[-1], value))
    if kind.endswith("exclusive") and values:
        prefixes = [IDENTITY[operator], *prefixes[:-1]]
    return prefixes[::-1] if backward else prefixes


def spelled(random):
    """A number as people write it."""
    return random.choice(["0.10", "1e2", "-0", "0.5", "7", "9007199254740993", "1.50", "-2.0", "3", "100", "0.1"])


def spelled_prefix(random):
    """Numbers that are copied as they stand; whole ones and others in one column."""
    values = [spelled(random) for _ in range(random.choice([1, 2, 5, 20]))]
    exact = prefixes_of([fractions.Fraction(value) for value in values], "inclusive", "add")
    whole = all(value.lstrip("-").isdigit() for value in values)
    bound = 0 if whole else sum(abs(fractions.Fraction(value)) for value in values) * fractions.Fraction(1, 1 << 45)

    def is_expected(output):
        rows = [line.split(",") for line in output.decode().split("\n")[1:-1]]
        if found := compared([row[0] for row in rows], values):
            return found
        wrong = [row for row, sum_ in zip(rows, exact) if abs(fractions.Fraction(row[1]) - sum_) > bound]
        return f"{wrong[0]} has to be {exact}" if wrong else None

    data = ("n\n" + "".join(value + "\n" for value in values)).encode()
    return Made({"in.csv": data}, [["--input", "in.csv"], ["--column", "n"], ["--output", "out.csv"]], is_expected)


def large_number(random):
    return random.choice([(1 << 63) - 1, -(1 << 63), 1 << 62, 1 << 53, 0, 1, -1, random.randint(-9, 9)])


def prefix(random, extremes):
    if extremes and random.random() < 0.4:
        return spelled_prefix(random)
    number = large_number if extremes else lambda random: random.randint(-1000, 1000)
    values = [number(random) for _ in range(random.choice([0, 1, 2, 7, 8, 30, 100]))]
    kind = random.choice(["inclusive", "exclusive", "backward", "backward-exclusive"])
    operator = random.choice(["add", "min", "max"] if "exclusive" in kind else list(COMBINE))
    rows = [[random.randint(0, 9), value] for value in values]
    sums = prefixes_of(values, kind, operator)
    expected = files.csv(["n", "prefix"], zip(values, sums))
    return Made({"in.csv": files.csv(["m", "n"], rows)},
                [["--input", "in.csv"], ["--column", "n"], ["--output", "out.csv"], ["--kind", kind],
                 ["--operator", operator]],
                lambda output: compared(output.split(b"\n"), expected.split(b"\n")))


def prefixes_of_intervals(random, extremes, is_copy):
    """Rows of intervals: a prefix of each, or copies of its first value."""
    number = large_number if extremes else lambda random: random.randint(-1000, 1000)
    rows = [[random.choice([0, 0, 1]), number(random)] for _ in range(random.choice([0, 1, 2, 7, 8, 30, 100]))]
    operator = "first" if is_copy else random.choice(list(COMBINE))
    intervals = []
    for begins, value in rows:
        if begins or not intervals:
            intervals.append([])
        intervals[-1].append(value)
    prefixes = [each for values in intervals for each in prefixes_of(values, "inclusive", operator)]
    expected = files.csv(["n", "prefix"], zip([value for _, value in rows], prefixes))
    options = [["--input", "in.csv"], ["--column", "n"], ["--begins", "a"], ["--output", "out.csv"]]
    if not is_copy:
        options.append(["--operator", operator])
    return Made({"in.csv": files.csv(["a", "n"], rows)}, options,
                lambda output: compared(output.split(b"\n"), expected.split(b"\n")))


# --- loads


def balance(random, extremes):
    """Loads of processors, which come to even shares."""
    processors = random.choice([1, 2, 3, 8, 20])
    most = 2000 if extremes else 100
    loads = [random.choice([0, 0, 1, most, random.randint(0, most)]) for _ in range(processors)]
    shares = [sum(loads) // processors + (rank < sum(loads) % processors) for rank in range(processors)]
    expected = files.csv(["load", "share"], zip(loads, shares))
    return Made({"in.csv": files.csv(["rank", "load"], enumerate(loads))},
                [["--input", "in.csv"], ["--column", "load"], ["--output", "out.csv"]],
                lambda output: compared(output.split(b"\n"), expected.split(b"\n")), f"crossbar:{processors}")


# --- random access


def random_access_write(random, extremes):
    size = random.choice([1, 4, 16, 60])
    number = large_number if extremes else lambda random: random.randint(-50, 50)
    pairs = [[random.randrange(size), number(random)] for _ in range(random.choice([1, 3, 16, 100]))]
    operator = random.choice(["add", "first", "min", "max", "last"])
    array = [random.randint(0, 9) for _ in range(size)] if random.random() < 0.4 else None
    written = dict(enumerate(array or []))  # what stands there comes first
    for index, value in pairs:
        written[index] = COMBINE[operator](written[index], value) if index in written else value
    result = [written.get(i, 0) for i in range(max(written) + 1)]
    made = {"pairs.csv": files.csv(["index", "value"], pairs)}
    options = [["--input", "pairs.csv"], ["--operator", operator], ["--output", "out.csv"]]
    if array:
        made["array.csv"] = files.csv(["value"], [[value] for value in array])
        options.append(["--array", "array.csv"])
    if random.random() < 0.5:
        options.append(["--variant", random.choice(["arbitrary", "hybrid", "limited", "auto"])])
    if random.random() < 0.2:
        options.append(["--stage-1", random.choice(["transportation", "direct"])])
    expected = files.csv(["index", "value"], enumerate(result))
    return Made(made, options, lambda output: compared(output.split(b"\n"), expected.split(b"\n")))


def random_access_read(random, extremes):
    cell = spelled if extremes else lambda random: random.randint(-99, 99)
    rows = [[cell(random) for _ in range(3)] for _ in range(random.choice([1, 2, 16, 50]))]
    indices = [random.randrange(len(rows)) for _ in range(random.choice([1, 4, 40]))]
    columns = random.choice([1, 2, 3])
    names = ["a", "b", "c"][:columns]
    rows = [row[:columns] for row in rows]
    expected = files.csv(names, [rows[i] for i in indices])
    options = [["--input", "table.csv"], ["--indices", "indices.csv"], ["--output", "out.csv"]]
    if random.random() < 0.5:
        options.append(["--variant", random.choice(["1", "2", "weighted", "hybrid", "auto"])])
    return Made({"table.csv": files.csv(names, rows), "indices.csv": files.csv(["index"], [[i] for i in indices])},
                options, lambda output: compared(output.split(b"\n"), expected.split(b"\n")))


# --- matrices and signals


def matrix(random, rows, columns, largest):
    return [[random.randint(-largest, largest) for _ in range(columns)] for _ in range(rows)]


def extreme_entry(random, kind):
    """A number whose products may not fit into its type."""
    if kind.startswith("int"):
        bits = int(kind[3:])
        return random.choice([(1 << bits - 1) - 1, -(1 << bits - 1), 1 << bits - 2, 1 << bits // 2, 1, 0, -1, 2])
    largest = 1e200 if kind == "float64" else 1e30
    return random.choice([largest, -largest, 1 / largest, 1.0, 0.0, -0.0, largest**0.5])


def is_near(kind, found, sums, magnitudes):
    """A complaint where a product is not what its exact sums are, but for rounding."""
    unit = fractions.Fraction(1, 1 << (40 if kind == "float64" else 12))
    smallest = fractions.Fraction(5e-324 if kind == "float64" else 1e-44)
    for number, sum_, magnitude in zip(found, sums, magnitudes):
        if not math.isfinite(number) or abs(fractions.Fraction(number) - sum_) > magnitude * unit + 64 * smallest:
            return f"{number!r} has to be {float(sum_) if abs(sum_) < 1e308 else sum_!r}"
    return None


def extreme_product(random, network):
    """Factors whose products may not fit: what comes out is right, or refused."""
    size = random.choice([1, 2, 4])
    kind = random.choice(["int32", "int64", "float32", "float64"])
    made = [[[extreme_entry(random, kind) for _ in range(size)] for _ in range(size)] for _ in range(2)]
    data = [files.npy(kind, (size, size), sum(one, [])) for one in made]
    left, right = ([files.numbers_of_npy(one)[1][i * size : (i + 1) * size] for i in range(size)] for one in data)
    terms = [[fractions.Fraction(a) * fractions.Fraction(b) for a, b in zip(row, column)]
             for row in left for column in zip(*right)]

    def is_expected(output):
        found = files.numbers_of_npy(output)[1]
        sums = [sum(each) for each in terms]
        if kind.startswith("int"):
            return compared(found, sums)
        return is_near(kind, found, sums, [sum(map(abs, each)) for each in terms])

    return Made({"left.npy": data[0], "right.npy": data[1]},
                [["--input", "left.npy"], ["--second", "right.npy"], ["--output", "product.npy"]], is_expected, network)


def product(random, extremes, network):
    if extremes and random.random() < 0.5:
        return extreme_product(random, network)
    rows, inner, columns = (random.choice([1, 2, 3, 4, 8, 9]) for _ in range(3))
    if random.random() < 0.5:
        inner = columns = rows
    kind = random.choice(["int32", "int64", "float32", "float64"])
    left, right = matrix(random, rows, inner, 100), matrix(random, inner, columns, 100)
    expected = [sum(a * b for a, b in zip(row, column)) for row in left for column in zip(*right)]

    def is_expected(output):
        shape, numbers = files.numbers_of_npy(output)
        return compared([tuple(shape), *numbers], [(rows, columns), *expected])

    made = {
        "left.npy": files.npy(kind, (rows, inner), sum(left, [])),
        "right.npy": files.npy(kind, (inner, columns), sum(right, [])),
    }
    options = [["--input", "left.npy"], ["--second", "right.npy"], ["--output", "product.npy"]]
    return Made(made, options, is_expected, network)


def transposed(random, extremes):
    network = random.choice(["torus:2x2", "torus:4x4", "mesh:2x3", "mesh:4x4", "torus:3"])
    processors = math.prod(map(int, network.split(":")[1].split("x")))
    size = processors * random.choice([1, 1, 2])
    numbers = matrix(random, size, size, 1 << 20)
    expected = [list(column) for column in zip(*numbers)]
    if random.random() < 0.5:
        data = "".join(" ".join(map(str, row)) + "\n" for row in numbers).encode()
        return Made({"in.txt": data}, [["--input", "in.txt"], ["--output", "out.txt"]],
                    lambda output: compared([[int(n) for n in line.split()] for line in output.decode().splitlines()],
                                            expected), network)
    data = files.npy("int64", (size, size), sum(numbers, []))
    return Made({"in.npy": data}, [["--input", "in.npy"], ["--output", "out.npy"]],
                lambda output: compared(files.numbers_of_npy(output)[1], sum(expected, [])), network)


def fft(random, extremes):
    processors = random.choice([1, 2, 3, 4, 8])
    size = processors * random.choice([0, 1, 2, 3, 4, 8, 16])
    signal = [complex(random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(size)]
    backward = random.random() < 0.3
    sign = 1 if backward else -1
    expected = [sum(x * cmath.exp(sign * 2j * cmath.pi * (j * k % size) / size) for j, x in enumerate(signal))
                / (size if backward else 1) for k in range(size)]

    def is_expected(output):
        parts = files.numbers_of_npy(output)[1]
        found = [complex(*parts[i : i + 2]) for i in range(0, len(parts), 2)]
        if len(found) != size:
            return f"{len(found)} numbers of {size}"
        apart = max([abs(a - b) for a, b in zip(found, expected)], default=0)
        return f"off by {apart}" if apart > 1e-12 * max(size, 1) else None

    data = files.npy("complex128", (size,), [part for x in signal for part in (x.real, x.imag)])
    options = [["--input", "signal.npy"], ["--output", "spectrum.npy"]]
    if backward:
        options.append(["--backward"])
    if random.random() < 0.3:
        options.append(["--layout", random.choice(["cyclic", "block"])])
    return Made({"signal.npy": data}, options, is_expected, f"crossbar:{processors}")


def square_torus(random):
    side = random.choice([1, 2, 3, 4])
    return f"torus:{side}x{side}"


MAKERS = {
    "prefix": prefix,
    "segmented-prefix": lambda random, extremes: prefixes_of_intervals(random, extremes, False),
    "data-distribution": lambda random, extremes: prefixes_of_intervals(random, extremes, True),
    "random-access-write": random_access_write,
    "random-access-read": random_access_read,
    "cannon": lambda random, extremes: product(random, extremes, square_torus(random)),
    "summa": lambda random, extremes: product(random, extremes, square_torus(random)),
    "matrix-product": lambda random, extremes: product(random, extremes, f"crossbar:{random.choice([1, 8, 27])}"),
    "all-to-all": transposed,
    "fft": fft,
    "balance": balance,
}
