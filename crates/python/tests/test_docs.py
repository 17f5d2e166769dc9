"""Every public name says what it is, and every example in a docstring is right."""
# pyright: basic

import doctest
import importlib
import inspect

import keisei
import pytest

MODULES = ["keisei", "keisei.errors", "keisei.envs.aec", "keisei.envs.single", "keisei.envs.vector"]


def documented():
    """All public things with their docstrings."""
    for name in MODULES:
        module = importlib.import_module(name)
        yield name, module.__doc__
        for attribute, value in vars(module).items():
            home = getattr(value, "__module__", "")
            if attribute.startswith("_") or not home.startswith("keisei"):
                continue
            if not (inspect.isclass(value) or callable(value)):
                continue
            yield f"{name}.{attribute}", value.__doc__
            if inspect.isclass(value):
                for member, what in vars(value).items():
                    public = not member.startswith("_")
                    if public and (callable(what) or inspect.isdatadescriptor(what)):
                        yield f"{name}.{attribute}.{member}", what.__doc__


@pytest.mark.parametrize(("name", "text"), dict(documented()).items())
def test_examples_of(name, text):
    examples = doctest.DocTestParser().get_doctest(text or "", {}, name, None, 0)
    results = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=results.append)
    assert not results, "".join(results)


def test_everything_public_is_documented():
    plain = {"Rules", "Declaration", "Evaluation"}
    bare = [
        name
        for name, text in documented()
        if not text and not any(f".{kind}." in name for kind in plain)
    ]
    assert not bare


def test_all_names_are_there():
    assert all(hasattr(keisei, name) for name in keisei.__all__)
