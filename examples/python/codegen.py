"""Code generation: a sentence and a sample become a script whose tests pass, which then runs on data that no model saw.

The model is a script here, so that the program runs without a key. Yours is "anthropic/..." or "openai/...".
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from glovebox.codegen import AutoCoderAgent, Budget

SCRIPT = """
import argparse
import csv
import pathlib


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sales", required=True)
    parser.add_argument("--least", type=float, required=True)
    given = parser.parse_args()
    with open(given.sales, newline="") as file:
        totals = [int(row["quantity"]) * float(row["price"]) for row in csv.DictReader(file)]
    kept = [total for total in totals if total > given.least]
    pathlib.Path("/var/outputs/total").write_text(str(sum(kept)))
    pathlib.Path("/var/outputs/rows").write_text(str(len(kept)))


if __name__ == "__main__":
    main()
"""

TESTS = """
import pathlib
import subprocess
import sys


def run(directory, rows, least):
    sales = directory / "sales.csv"
    sales.write_text("quantity,price\\n" + rows)
    subprocess.run([sys.executable, "solution.py", "--sales", str(sales), "--least", str(least)], check=True)
    outputs = pathlib.Path("/var/outputs")
    return float((outputs / "total").read_text()), int((outputs / "rows").read_text())


def test_total(tmp_path):
    assert run(tmp_path, "2,3.5\\n1,1.0\\n", 0) == (8.0, 2)


def test_the_least_is_kept(tmp_path):
    assert run(tmp_path, "2,3.5\\n1,1.0\\n", 1) == (8.0, 2)
"""

FAILURE = {
    "test_name": "test_the_least_is_kept",
    "error_message": "assert (7.0, 1) == (8.0, 2)",
    "expected_behavior": "a row of just the least is kept",
    "actual_behavior": "it is left out",
    "root_cause": "`total > given.least` leaves it out",
    "suggested_fix": "Replace `total > given.least` with `total >= given.least`",
    "error_type": "logic",
}

# The answers of the model, by words of its questions.
ANSWERS: dict[str, dict[str, Any]] = {
    "Plan the script": {"description": "Sums the rows from a least total on.", "approach": "Read the CSV, and add up."},
    "Write the script": {"language": "python", "code": SCRIPT, "system_packages": []},
    "Write tests": {"test_code": TESTS},
    "Say of each test": {"failures": [FAILURE], "needs_system_packages": [], "needs_language_packages": []},
    "Correct the script": {"language": "python", "code": SCRIPT.replace("> given", ">= given"), "system_packages": []},
}


def ask(name: str, system: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None) -> str:
    """Stands for a model. The rows of the sample are not in what it hears."""
    assert "19.99" not in system, system
    return json.dumps(next(answer for words, answer in ANSWERS.items() if words in messages[-1]["content"]))


agent = AutoCoderAgent(
    model="scripted",
    name="summarize",
    call_llm=ask,  # without this line: model="anthropic/claude-opus-5-5", and glovebox secret set ANTHROPIC_API_KEY
    sample_mode="masked",
    budget=Budget(calls=20),
)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        sample, real = Path(directory) / "sample.csv", Path(directory) / "real.csv"
        sample.write_text("day,quantity,price\n2026-01-01,2,19.99\n")
        real.write_text("day,quantity,price\n" + "2026-01-02,3,2.0\n" * 1000)
        result = agent.generate(
            "Sum quantity times price over the rows from a least total on, and count them.",
            samples={"sales": sample},
            inputs={"least": float},
            outputs={"total": float, "rows": int},
        )
        print("success:", result.success, "runs of the tests:", result.attempts)
        print("on real data:", result.run(sales=real, least=6.0))
        print("a diff:", "+    kept = [total for total in totals if total >= given.least]" in result.report)
