"""Makes what a Spark cluster needs, in target/cluster: Java, pyspark, and our package as an archive.

The driver has an environment with pyspark and our package. The executors have another, with pyarrow
only: they get our package from the archive, as on a cluster whose nodes have no copy of it. Needs,
once, the network; on Debian, Java is installed if it is missing.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BASE = ROOT / "target/cluster"
DRIVER = BASE / "driver/bin/python"
EXECUTORS = BASE / "executors/bin/python"
ARCHIVE = BASE / "locator_uri.tar.gz"
PYARROW = "pyarrow==26.0.1"
PYSPARK = "pyspark==4.3.0"
# For sessions of Spark Connect, and for tests.
MORE = ["pyspark[connect]==4.3.0", "pandas==3.1.1", "pytest>=8"]


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def venv(python, packages):
    """Makes an environment, unless it has these packages already."""
    listed = python.parent.parent / "packages"
    there = set(listed.read_text().splitlines()) if listed.exists() else set()
    if there.issuperset(packages):
        return
    run(sys.executable, "-m", "venv", python.parent.parent)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    listed.write_text("\n".join(there.union(packages)))


def wheel():
    """Builds the package as pip does, in the directory of scripts/packages/python."""
    folder = BASE / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    # With little optimisation: what a release has takes minutes and changes no result.
    options = {
        "CARGO_TARGET_DIR": str(ROOT / "target/python/build"),
        "CARGO_PROFILE_RELEASE_LTO": "off",
        "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
        "CARGO_PROFILE_RELEASE_OPT_LEVEL": "1",
    }
    pip = [DRIVER, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT / "python", env=os.environ | options)
    (built,) = folder.glob("*.whl")
    run(*pip, "install", "--no-deps", "--force-reinstall", built)
    return built


def archive(built):
    """Packs what is in a wheel; Python finds it in there by PYTHONPATH."""
    folder = BASE / "archive"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(built) as file:
        file.extractall(folder)
    with tarfile.open(ARCHIVE, "w:gz", compresslevel=1) as file:
        for path in sorted(folder.iterdir()):
            file.add(path, path.name)


def spark_home():
    """Returns the directory of Spark, which is in the package pyspark."""
    (home,) = (BASE / "driver/lib").glob("python*/site-packages/pyspark")
    return home


def make(packages=()):
    """Makes everything; `packages` are further ones of the driver."""
    run(ROOT / "scripts/modules/install", "openjdk-17-jre-headless=java")
    BASE.mkdir(parents=True, exist_ok=True)
    venv(DRIVER, [PYSPARK, PYARROW, *packages])
    venv(EXECUTORS, [PYARROW])
    archive(wheel())
    has_package = subprocess.run([EXECUTORS, "-c", "import locator_uri"], capture_output=True)
    if has_package.returncode == 0:
        raise SystemExit(f"{EXECUTORS} has locator_uri, so nothing is shown by an archive with it")


if __name__ == "__main__":
    make(MORE if "--tests" in sys.argv else ())
