"""What the pages say is so."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
import types
from pathlib import Path

import intermission
import pytest

REPOSITORY = Path(__file__).parents[3]
ROOM = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOM / "python")}


def examples(page: str) -> list[str]:
    text = (REPOSITORY / page).read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "crates/python/README.md", "docs/python.md"])
def test_examples_do_what_their_comments_say_and_are_of_the_right_types(page: str, tmp_path: Path) -> None:
    codes = examples(page)
    assert codes
    for place, code in enumerate(codes):
        file = tmp_path / f"example_{place}.py"
        file.write_text(code, "utf-8")
        ran = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, env=ENVIRONMENT)
        assert ran.returncode == 0, ran.stderr
        # `print(…)  # what it prints`
        expected = re.findall(r"print\(.*\)  # (.*)$", code, re.MULTILINE)
        assert ran.stdout.splitlines() == expected
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", "--check-untyped-defs", str(file)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "MYPYPATH": str(ROOM / "python")},
        )
        assert checked.returncode == 0, checked.stdout


def test_the_examples_of_docstrings_run() -> None:
    tried = 0
    for module in pkgutil.walk_packages(intermission.__path__, "intermission."):
        if module.name != "intermission._native":
            tried += doctest.testmod(importlib.import_module(module.name), raise_on_error=True).attempted
    tried += doctest.testmod(intermission, raise_on_error=True).attempted
    assert tried > 10


def test_the_package_is_of_the_right_types() -> None:
    checked = subprocess.run([sys.executable, "-m", "mypy"], capture_output=True, text=True, cwd=ROOM)
    assert checked.returncode == 0, checked.stdout


def test_everything_public_is_exported_and_documented() -> None:
    for name in intermission.__all__:
        value = getattr(intermission, name)
        assert not isinstance(value, types.ModuleType), name
        if isinstance(value, (type, types.FunctionType)):
            assert value.__doc__, name
    assert sorted(intermission.__all__) == intermission.__all__


def test_the_stubs_name_what_the_native_layer_has() -> None:
    from intermission import _native

    stubs = (ROOM / "python/intermission/_native.pyi").read_text("utf-8")
    for kind in ("Continuation", "HostCall", "Report", "Wakes", "Engine", "Task", "Runner"):
        body = re.search(rf"^class {kind}:\n(.*?)(?=^@final|^#|^_|^class|\Z)", stubs, re.MULTILINE | re.DOTALL)
        assert body is not None
        said = set(re.findall(r"^    def ([a-z]\w*)\(", body.group(1), re.MULTILINE))
        has = {name for name in vars(getattr(_native, kind)) if not name.startswith("_")}
        assert said == has, kind


def test_the_example_over_http_asks_and_goes_on_with_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from fastapi.testclient import TestClient

    monkeypatch.setenv("INTERMISSION_KEY", "Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U")
    monkeypatch.syspath_prepend(str(REPOSITORY / "examples/python"))
    approvals = importlib.import_module("approvals")
    ann = {"user": "ann"}
    source = "const [first] = await bills.list(); return await bills.pay(first)"
    with TestClient(approvals.app) as client:
        asks = client.post("/runs", json={"source": source}, headers=ann).json()
        [asked] = asks["asks"]
        assert (asks["status"], asked["function"], asked["arguments"]) == ("interrupted", "bills.pay", [{"id": "may", "amount": 120}])
        answer = {"token": asks["token"], "id": asked["id"], "approved": True}
        refused = client.post("/answers", json=answer, headers={"user": "bob"})
        assert (refused.status_code, refused.json()["detail"]["code"]) == (409, "TOKEN_REFUSED")
        done = client.post("/answers", json=answer, headers=ann).json()
        assert done == {"status": "completed", "value": "paid 120 for may"}
        denied = client.post("/answers", json={**answer, "approved": False, "reason": "no"}, headers=ann).json()
        assert (denied["status"], denied["code"]) == ("failed", "SCRIPT_ERROR")
        assert "bills" in client.get("/types").json()


def test_the_notebook_runs() -> None:
    import nbclient
    import nbformat

    notebook = nbformat.read(REPOSITORY / "examples/python/notebook.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3", env=ENVIRONMENT).execute(env=ENVIRONMENT)
    outputs = json.dumps(notebook.cells[-1].outputs)
    assert "published: tea 1, tea 2" in outputs and "found 2" in outputs
