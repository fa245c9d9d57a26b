"""The stub of the package has all that the package has, and all of that has a docstring."""

import ast
import inspect
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


MPI_STUB = ast.parse(pathlib.Path(lockstep.mpi.__file__).with_suffix(".pyi").read_text())
MPI_CLASSES = [node for node in MPI_STUB.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


@pytest.mark.parametrize("node", PUBLIC, ids=lambda node: node.name)
def test_what_the_stub_names_is_there_with_a_docstring(node):
    assert getattr(lockstep, node.name).__doc__


@pytest.mark.parametrize("node", CLASSES, ids=lambda node: node.name)
def test_classes_have_what_the_stub_says(node):
    described = getattr(lockstep, node.name)
    there = {name for name in dir(described) if not name.startswith("_")} - OWN
    assert there <= names_in(node)
    assert [name for name in there if not getattr(described, name).__doc__] == []


@pytest.mark.parametrize("node", MPI_CLASSES, ids=lambda node: node.name)
def test_classes_of_mpi_have_what_their_stub_says(node):
    described = getattr(lockstep.mpi, node.name)
    named = {name for name in names_in(node) if not name.startswith("_")}
    of_the_object = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
    there = {name for name in dir(described) if name[0].isupper() or name.islower() and name[0] != "_"}
    inherited = {name for base in described.__mro__[1:] for name in dir(base)}
    assert named - of_the_object <= there
    calls = {name for name in there - inherited if callable(getattr(described, name))}
    assert {name for name in calls if name[0].isupper()} <= named


def test_the_stub_of_mpi_names_what_is_there():
    assigned = {node.target.id for node in MPI_STUB.body if isinstance(node, ast.AnnAssign)}
    functions = {node.name for node in MPI_STUB.body if isinstance(node, ast.FunctionDef)}
    assert [name for name in assigned | functions if not hasattr(lockstep.mpi, name)] == []


def told(node):
    """List what a function of the stub takes, as (name, default as it is written there)."""
    given = [*node.args.posonlyargs, *node.args.args]
    defaults = [None] * (len(given) - len(node.args.defaults)) + node.args.defaults
    both = [*zip(given, defaults), *zip(node.args.kwonlyargs, node.args.kw_defaults)]
    return [(one.arg, default and ast.unparse(default)) for one, default in both]


def taken(function):
    """List the same of the function itself."""
    parameters = inspect.signature(function).parameters.values()
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    empty = inspect.Parameter.empty
    return [(one.name, None if one.default is empty else repr(one.default)) for one in parameters if one.kind not in several]


METHODS = [
    (node.name, one)
    for node in CLASSES
    for one in node.body
    if isinstance(one, ast.FunctionDef) and not one.name.startswith("_") and not one.decorator_list
]


@pytest.mark.parametrize(("owner", "node"), METHODS, ids=lambda value: getattr(value, "name", value))
def test_methods_take_what_the_stub_says(owner, node):
    if (owner, node.name) == ("machine", "run"):  # whose program has no name
        return
    assert taken(getattr(getattr(lockstep, owner), node.name))[1:] == told(node)[1:]


FUNCTIONS = [node for node in PUBLIC if isinstance(node, ast.FunctionDef) and not node.decorator_list]


@pytest.mark.parametrize("node", FUNCTIONS, ids=lambda node: node.name)
def test_functions_take_what_the_stub_says(node):
    function = getattr(lockstep, node.name)
    takes_more = node.name == "run"  # options, of which the stub names some
    assert taken(function) == told(node)[: len(taken(function)) if takes_more else None]
