"""The stub of the package has all that the package has, and all of that has a docstring."""

import ast
import pathlib

import pytest

import lockstep

STUB = ast.parse(pathlib.Path(lockstep.__file__).with_suffix(".pyi").read_text())
PUBLIC = [node for node in STUB.body if hasattr(node, "name") and not node.name.startswith("_")]
CLASSES = [node for node in PUBLIC if isinstance(node, ast.ClassDef)]

#: A method of the package's own, and those of list and tuple, which need none.
OWN = {"of", *dir(list), *dir(tuple)}


def names_in(node):
    functions = {one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    return functions | {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}


@pytest.mark.parametrize("node", PUBLIC, ids=lambda node: node.name)
def test_what_the_stub_names_is_there_with_a_docstring(node):
    assert getattr(lockstep, node.name).__doc__


@pytest.mark.parametrize("node", CLASSES, ids=lambda node: node.name)
def test_classes_have_what_the_stub_says(node):
    described = getattr(lockstep, node.name)
    there = {name for name in dir(described) if not name.startswith("_")} - OWN
    assert there <= names_in(node)
    assert [name for name in there if not getattr(described, name).__doc__] == []
