"""Makes the words of random command lines: values of options, topologies, junk."""

JUNK = [
    "", " ", "-", "--", "-1", "-0", "+5", " 5", "5 ", "5.5", "1e3", "1e400", "-1e400", "nan", "NaN", "inf",
    "-inf", "0x10", "010", "1,000", "1_000", "١٢", "１２", "½", "∞", "ß", "日本", "\u200b7", "7\u00a0", "a\tb",
    "a\nb", "\x1b[31mred", "%s%n", "${HOME}", "'", '"', "\\", "/", ".", "..", "/dev/null", "/dev/null/file",
    "true", "false", "yes", "auto", "none", "null", "NULL", "0.0000001", "1e-400", "99999999999999999999999",
    "x" * 300, "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775808",
    "-9223372036854775809", "1:2", "1-", "-5-3", "3-1", "1--2", "1,2,,3", "4x4", "4x", "x4", "0x0",
]

WRONG_TOPOLOGIES = [
    "", ":", "torus", "torus:", "torus:x", "torus:4x", "torus:x4", "torus:0", "torus:0x4", "torus:-4x4",
    "torus:4x4x4x4x4x4x4x4x4", "torus:99999x99999", "torus:4294967296x1", "mesh:", "mesh:4 x4", "mesh:1.5x2",
    "hypercube:", "hypercube:-1", "hypercube:31", "hypercube:64", "hypercube:1e1", "hypercube:nan", "tree:0",
    "tree:-1", "tree:40", "tree:", "crossbar:0", "crossbar:-3", "crossbar:2147483648", "crossbar:１６",
    "crossbar:99999999999999999999", "Torus:4x4", "TORUS:4x4", " torus:4x4", "torus:4x4 ", "torus:4X4", "torus:4*4",
    "shuffle-exchange:0", "shuffle-exchange:-2", "shuffle-exchange:40", "butterfly:0", "butterfly:-1", "butterfly:40",
    "cube-connected-cycles:0", "cube-connected-cycles:-1", "cube-connected-cycles:40", "graph:nothing", "fat-tree:4",
    "ring:4", "torus:4x4:4", "hypercube:4:4", "crossbar:8x8", "日本:4", "torus:" + "4x" * 200 + "4",
]

PORTS = ["one", "all", "per-pass"]


def grid(random, largest_side=8):
    dimensions = random.choice([1, 2, 2, 2, 2, 3, 3, 4])
    while True:
        sides = [random.choice([1, 2, 3, 4, 4, 5, 6, 8, 8, 12][: largest_side + 2]) for _ in range(dimensions)]
        size = 1
        for side in sides:
            size *= side
        if size <= 144:
            return "x".join(map(str, sides))


def network_of_kind(random, kind):
    if kind in ("torus", "mesh"):
        return f"{kind}:{grid(random)}"
    if kind == "crossbar":
        return f"crossbar:{random.choice([1, 2, 3, 4, 4, 5, 7, 8, 8, 9, 12, 16, 16, 27, 32, 64])}"
    if kind == "tree":
        return f"tree:{random.randint(1, 6)}"
    if kind == "hypercube":
        return f"hypercube:{random.randint(0, 6)}"
    if kind == "shuffle-exchange":
        return f"shuffle-exchange:{random.randint(1, 6)}"
    if kind == "butterfly":
        return f"butterfly:{random.randint(1, 4)}"
    return f"cube-connected-cycles:{random.randint(1, 4)}"


KINDS = ["torus", "mesh", "crossbar", "tree", "hypercube", "shuffle-exchange", "butterfly", "cube-connected-cycles"]


def kinds_for(algorithm):
    """The kinds of networks on which it says it runs."""
    return [kind for kind in KINDS if kind in algorithm["topologies"]] or KINDS


def network_for(random, algorithm):
    """A network on which the algorithm may well run; now and then another."""
    choice = random.random()
    if choice < 0.03:
        return network_of_kind(random, random.choice(KINDS))
    text = algorithm["topologies"]
    if "cubes" in text:
        return f"crossbar:{random.choice([1, 8, 8, 27, 64])}"
    if "square" in text:
        side = random.choice([1, 2, 2, 3, 4, 4, 5, 6])
        return f"torus:{side}x{side}"
    kind = random.choice(kinds_for(algorithm))
    if "powers of two" in text and kind in ("mesh", "torus"):
        return f"{kind}:" + random.choice(["2x2", "4x4", "2x4", "8x8", "4x8", "2x2x2", "4x4x4", "16", "1x1", "8x2"])
    if choice < 0.3:
        return algorithm["teaching"]["on"]
    return network_of_kind(random, kind)


def whole_number(random, parameter):
    """One of a parameter's range: small, so that a run takes milliseconds."""
    least = parameter.get("least", 0)
    most = parameter.get("most", 1000)
    some = [least, least + 1, parameter["default"], 2, 3, 5, 8, 16, 64, 100, 256, random.randint(0, 400)]
    within = [one for one in some if least <= one <= min(most, 5000)]
    return str(random.choice(within or [least]))


def real_number(random):
    return random.choice(["0", "0.5", "1", "1.5", "2", "3", "4", "10", "1e-3", "0.1", "7.25", "100"])


def valid_value(random, parameter):
    """A value that the parameter takes; None for a flag that has none."""
    default = parameter["default"]
    if isinstance(default, bool):
        return None
    if "names" in parameter:
        return random.choice(parameter["names"])
    if isinstance(default, float) or parameter["name"] == "c":
        return real_number(random)
    if isinstance(default, int):
        return whole_number(random, parameter)
    return random.choice(["1", "2", "3", "auto", "4x4", "8x8,4x4"])


def at_the_edge(random, parameter):
    """A value just inside or outside the parameter's range, or far from it."""
    edges = [0, -1, 1 << 31, 1 << 32, 1 << 63, 1 << 64]
    for name in ("least", "most"):
        if name in parameter:
            edges += [parameter[name] - 1, parameter[name], parameter[name] + 1]
    return str(random.choice(edges))


def options_of(random, algorithm, share=0.5, without=()):
    """Options of the algorithm with values that they take: a list of lists of words."""
    options = []
    for parameter in algorithm["parameters"]:
        if parameter["name"] in without or random.random() > share:
            continue
        if parameter["name"] in ("column", "array", "indices", "second"):
            continue
        value = valid_value(random, parameter)
        name = "--" + parameter["name"]
        if value is None:
            options.append([name])
        elif random.random() < 0.1:
            options.append([f"{name}={value}"])
        else:
            options.append([name, value])
    return options


def machine_options(random):
    options = [["--seed", str(random.randint(0, 99))]] if random.random() < 0.5 else []
    if random.random() < 0.12:
        options.append(["--ports", random.choice(PORTS)])
    if random.random() < 0.08:
        options.append(["--strict"])
    return options


def flat(options):
    return [word for option in options for word in option]
