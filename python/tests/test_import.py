"""What an import costs, and the documentation of every public name."""

from __future__ import annotations

import doctest
import importlib.util
import pathlib
import subprocess
import sys
import sysconfig
from collections.abc import Iterator

import pytest

import locator_uri
import locator_uri.arrow
import locator_uri.stdlib
import locator_uri.whatwg

OPTIONAL = (
    "typing", "numpy", "pandas", "polars", "pyarrow", "duckdb", "datafusion", "pydantic", "pydantic_core",
)  # fmt: skip
ENGINES = ("polars", "pandas", "duckdb", "datafusion")


@pytest.mark.parametrize(
    ("module", "packages"), [("locator_uri", OPTIONAL), ("locator_uri.arrow", OPTIONAL[1:])]
)
def test_imports_no_optional_package(module: str, packages: tuple[str, ...]) -> None:
    code = (
        f"import sys; before = set(sys.modules); import {module};"
        f"print(sorted(set({packages}) & (set(sys.modules) - before)))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert output.stdout == "[]\n"


@pytest.mark.skipif(sysconfig.get_config_var("Py_GIL_DISABLED") != 1, reason="this Python has the GIL")
def test_free_threading_stays_on() -> None:
    code = "import sys, locator_uri, locator_uri.arrow; assert not sys._is_gil_enabled()"
    subprocess.run([sys.executable, "-c", code], check=True)


def is_installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def documented() -> Iterator[tuple[str, str]]:
    yield "locator_uri", locator_uri.__doc__ or ""
    yield "locator_uri.stdlib", locator_uri.stdlib.__doc__ or ""
    yield "locator_uri.arrow", locator_uri.arrow.__doc__ or ""
    yield "locator_uri.whatwg", locator_uri.whatwg.__doc__ or ""
    engines = [importlib.import_module(f"locator_uri.{name}") for name in ENGINES if is_installed(name)]
    for engine in engines:
        yield engine.__name__, engine.__doc__ or ""
    for module in (locator_uri, locator_uri.arrow, locator_uri.stdlib, locator_uri.whatwg, *engines):
        for name in module.__all__:
            public = getattr(module, name)
            is_own = getattr(public, "__module__", "").startswith("locator_uri")
            if isinstance(public, (str, tuple)) or not is_own:
                continue  # Those of urllib.parse are documented there.
            yield name, getattr(public, "__doc__", None) or ""
            if isinstance(public, type):
                for method, value in vars(public).items():
                    if not method.startswith("_"):
                        yield f"{name}.{method}", getattr(value, "__doc__", None) or ""


@pytest.mark.parametrize(("name", "text"), list(documented()))
def test_documentation(name: str, text: str) -> None:
    assert text, name
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_readme() -> None:
    pytest.importorskip("polars")
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    assert doctest.testfile(str(readme), module_relative=False).failed == 0
    assert ">>> " in readme.read_text(encoding="utf-8")
