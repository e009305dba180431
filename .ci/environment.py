"""The Python packages that checks need, each set in a virtual environment of its own below .build, made once."""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent


def prepare(name, lines):
    """The interpreter of the environment of that name, with every package that the lines name.

    Packages that cannot be had fail the run: what nobody checked is not fine.
    """
    folder = ROOT / ".build" / name
    stamp = hashlib.sha256("\n".join([sys.version, *lines]).encode()).hexdigest()
    python, kept = folder / "bin" / "python", folder / "stamp"
    if kept.is_file() and kept.read_text() == stamp:
        return python
    print(f"{name}: installing {' '.join(lines)}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *lines]
    if subprocess.run(command).returncode != 0:
        print(f"{name}: they cannot be installed: is there a network, and a package index?", file=sys.stderr)
        print(f"{name}: nothing was checked with them, so this fails", file=sys.stderr)
        sys.exit(1)
    kept.write_text(stamp)
    return python
