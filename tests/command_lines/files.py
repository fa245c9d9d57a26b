"""Writes and reads files as NumPy, spreadsheets and programs have them, without any of these."""

import ast
import struct

CODES = {"int32": "<i4", "int64": "<i8", "float32": "<f4", "float64": "<f8", "complex128": "<c16", "complex64": "<c8"}
FORMATS = {"<i4": "i", "<i8": "q", "<f4": "f", "<f8": "d", "<c16": "dd", "<c8": "ff"}
KEY_FORMATS = {"int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "float32": "f", "float64": "d"}


def npy(kind, shape, numbers):
    """An .npy file with these numbers, row by row; complex ones as two numbers each."""
    header = f"{{'descr': '{CODES[kind]}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    code = FORMATS[CODES[kind]][0]
    return (
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        + struct.pack(f"<{len(numbers)}{code}", *numbers)
    )


def numbers_of_npy(data):
    """Its shape, and its numbers; complex ones as two each."""
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10 : 10 + length].decode())
    code = FORMATS[header["descr"]][0]
    rest = data[10 + length :]
    return header["shape"], list(struct.unpack(f"<{len(rest) // struct.calcsize(code)}{code}", rest))


def keys(kind, numbers):
    return struct.pack(f"<{len(numbers)}{KEY_FORMATS[kind]}", *numbers)


def keys_in(kind, data):
    code = KEY_FORMATS[kind]
    return list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


def csv(names, rows):
    return "".join(",".join(map(str, row)) + "\n" for row in [names, *rows]).encode()


def broken(random, data):
    """The same with something wrong in it."""
    data = bytearray(data)
    what = random.randrange(7)
    if what == 0:
        return bytes(data[: random.randint(0, len(data))])
    if what == 1 and data:
        for _ in range(random.randint(1, 8)):
            data[random.randrange(len(data))] = random.randrange(256)
        return bytes(data)
    if what == 2:
        place = random.randint(0, len(data))
        return bytes(data[:place] + bytes(random.randrange(256) for _ in range(random.randint(1, 40))) + data[place:])
    if what == 3:
        return bytes(data).replace(b"\n", b"\r\n")
    if what == 4:
        return b"\xef\xbb\xbf" + bytes(data)
    if what == 5:
        return bytes(data) + random.choice([b"\n\n\n", b",", b"\0", b'"', b"nan\n", b"inf\n", b"1e999\n", b"- 1\n"])
    return random.choice([b"", b"\n", b"\0" * 100, b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff", b"n\n", b",\n,\n", b'"\n'])
