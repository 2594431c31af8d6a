"""What type checkers see: mypy and stubtest are run by `scripts/packages/python`, basedpyright is run here."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

import locator_uri

TESTS = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(locator_uri.__file__).parent
# The others use packages without types: pyarrow, pandas, duckdb, pyspark.
MODULES = (
    "__init__.py", "_columns.py", "_errors.py", "_native.pyi", "_polars.py", "_pydantic.py", "_records.py",
    "arrow.py", "polars.py", "stdlib.py", "whatwg.py",
)  # fmt: skip

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("basedpyright") is None, reason="basedpyright is not installed"
)


def check(*arguments: str, folder: pathlib.Path) -> str:
    command = [sys.executable, "-m", "basedpyright", *arguments]
    # --verifytypes looks for packages by the first Python of the path.
    path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    environment = os.environ | {"PATH": path}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    ).stdout


@pytest.mark.parametrize(
    ("files", "others"),
    [
        ([TESTS / "typed.py"], {}),
        # The extension module is private to users, not to the package.
        ([PACKAGE / name for name in MODULES], {"reportPrivateUsage": False}),
    ],
    ids=["user", "package"],
)
def test_strict(files: list[pathlib.Path], others: dict[str, bool], tmp_path: pathlib.Path) -> None:
    config = {"typeCheckingMode": "strict", "include": [str(file) for file in files], **others}
    config["extraPaths"] = [str(PACKAGE.parent)]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    output = check("--pythonpath", sys.executable, folder=tmp_path)
    assert "0 errors, 0 warnings" in output, output


def test_every_public_type_is_known(tmp_path: pathlib.Path) -> None:
    arguments = ("--verifytypes", "locator_uri", "--ignoreexternal", "--pythonpath", sys.executable)
    output = check(*arguments, folder=tmp_path)
    assert "Type completeness score: 100%" in output, output


def test_program_runs() -> None:
    subprocess.run([sys.executable, str(TESTS / "typed.py")], check=True, capture_output=True)
