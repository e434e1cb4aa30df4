"""Answers files.list, files.read and files.write: a call as JSON on standard input, the answer as JSON on standard output.

A complaint on standard error and another exit status than 0 reject the call: the script sees the complaint as the error's message.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
READABLE = HERE / "data"
WRITABLE = HERE / "out"


def inside(folder: Path, path: str) -> Path:
    """The path, if it lies in the folder once every link and `..` is followed."""
    resolved = (HERE / path).resolve()
    if not resolved.is_relative_to(folder):
        sys.exit(f"{path} lies outside of {folder.name}")
    return resolved


def list_files(folder: str, ending: str = "") -> list[str]:
    found = inside(READABLE, folder)
    if not found.is_dir():
        sys.exit(f"there is no folder {folder}")
    names = sorted(entry.name for entry in found.iterdir() if entry.is_file() and entry.name.endswith(ending))
    return [f"{folder}/{name}" for name in names]


def read(path: str) -> str:
    try:
        return inside(READABLE, path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"cannot read {path}: {error}")


def write(path: str, text: str) -> dict[str, int]:
    target = inside(WRITABLE, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    return {"bytes": target.write_bytes(text.encode("utf-8"))}


if __name__ == "__main__":
    answer = {"list": list_files, "read": read, "write": write}[sys.argv[1]]
    json.dump(answer(**json.load(sys.stdin)), sys.stdout)
