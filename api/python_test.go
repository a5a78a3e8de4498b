package api_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

var update = flag.Bool("update", false, "write the generated files again instead of comparing them")

// TestFreshPythonErrors compares the classes of errors that the Python client
// has with the table of codes.
func TestFreshPythonErrors(t *testing.T) {
	const path = "../clients/python/src/glovebox/errors.py"
	want := pythonErrors()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(data), "\n")); diff != "" {
		t.Errorf("%s is out of date; run make generate (-want +got):\n%s", path, diff)
	}
}

// pythonNames are the classes whose names do not follow from their codes: those
// that others give to the same thing, and those that are names of Python's own.
var pythonNames = map[api.Code]string{
	api.OutOfMemory: "OOMError",
	api.Timeout:     "TaskTimeoutError",
	api.Interrupted: "TaskInterruptedError",
	api.SyntaxError: "CodeSyntaxError",
}

// pythonBases are what classes are beside, so that what users write for errors
// of their own process catches them too.
var pythonBases = map[api.Code]string{
	api.InvalidTask: "GloveboxError, ValueError", api.InvalidInput: "GloveboxError, ValueError", api.InvalidType: "GloveboxError, TypeError",
	api.NotFound: "GloveboxError, LookupError", api.SecretNotFound: "GloveboxError, LookupError", api.ImageNotFound: "GloveboxError, LookupError",
	api.Timeout: "GloveboxError, TimeoutError", api.ServerUnavailable: "GloveboxError, ConnectionError",
	api.InvalidPackage: "PackageError", api.SyntaxError: "SourceError",
}

// pythonAliases are names that users of others know, of the same meaning.
var pythonAliases = [][2]string{
	{"BaseRuntimeError", "GloveboxError"}, {"ImageBuildError", "BuildFailedError"}, {"ActionAbortedError", "CanceledError"},
}

func pythonName(code api.Code) string {
	if name, ok := pythonNames[code]; ok {
		return name
	}
	var b strings.Builder
	for word := range strings.SplitSeq(string(code), "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String() + "Error"
}

// pythonErrors is a Python module with a class for each code.
func pythonErrors() string {
	var b strings.Builder
	b.WriteString(`"""Errors: one class for each code, all below GloveboxError. Written by make generate.

>>> try:
...     glovebox.sandbox.create(name="box", packages=["no-such-package-7"], code="x = 1", outputs={"x": int}).run()
... except glovebox.errors.InvalidPackageError as error:
...     print(error.package_name, error.original_error)
"""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ._error import GloveboxError as GloveboxError
from ._error import Outcome as Outcome
from ._error import PackageError, SourceError, error_of
`)
	for _, row := range api.Codes {
		writePythonClass(&b, row)
	}
	b.WriteString("\n\n# Other names of the same.\n")
	for _, alias := range pythonAliases {
		fmt.Fprintf(&b, "%s = %s\n", alias[0], alias[1])
	}
	b.WriteString("\nBY_CODE: Final[Mapping[str, type[GloveboxError]]] = {\n")
	for _, row := range api.Codes {
		fmt.Fprintf(&b, "    %q: %s,\n", row.Code, pythonName(row.Code))
	}
	b.WriteString(`}


def from_problem(document: Mapping[str, Any]) -> GloveboxError:
    """Makes an error of what the engine says of it: the error of a run, or an application/problem+json.

    A code that this version does not know becomes a GloveboxError.
    """
    return error_of(BY_CODE, document)
`)
	return b.String()
}

func writePythonClass(b *strings.Builder, row api.CodeInfo) {
	base := "GloveboxError"
	if other, ok := pythonBases[row.Code]; ok {
		base = other
	}
	retryable := "False"
	if row.Retryable {
		retryable = "True"
	}
	fmt.Fprintf(b, "\n\nclass %s(%s):\n    \"\"\"%s.\"\"\"\n\n", pythonName(row.Code), base, strings.ToUpper(row.Meaning[:1])+row.Meaning[1:])
	fmt.Fprintf(b, "    code = %q\n    hint = %q\n    retryable = %s\n    outcome = %q\n", row.Code, row.Hint, retryable, row.Outcome)
}

// Every class has one code, and no name is another's.
func TestPythonNames(t *testing.T) {
	seen := map[string]api.Code{}
	for _, row := range api.Codes {
		name := pythonName(row.Code)
		if other, ok := seen[name]; ok {
			t.Errorf("%s is the class of %s and %s", name, row.Code, other)
		}
		seen[name] = row.Code
	}
	for _, alias := range pythonAliases {
		if _, ok := seen[alias[0]]; ok {
			t.Errorf("the alias %s is a class, too", alias[0])
		}
	}
}
