package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestFreshPythonErrors compares the classes of errors that the Python client
// has with the table of codes.
func TestFreshPythonErrors(t *testing.T) {
	fresh(t, "../clients/python/src/glovebox/errors.py", pythonErrors())
}

// pythonAliases are names that users of others know, of the same meaning.
var pythonAliases = [][2]string{
	{"BaseRuntimeError", "GloveboxError"}, {"ImageBuildError", "BuildFailedError"}, {"ActionAbortedError", "CanceledError"},
}

func pythonName(row api.CodeInfo) string {
	if row.Python.Name != "" {
		return row.Python.Name
	}
	return camel(row.Code) + "Error"
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
from ._unsupported import UnsupportedType as UnsupportedType
`)
	for _, row := range api.Codes() {
		writePythonClass(&b, row)
	}
	b.WriteString("\n\n# Other names of the same.\n")
	for _, alias := range pythonAliases {
		fmt.Fprintf(&b, "%s = %s\n", alias[0], alias[1])
	}
	b.WriteString("\nBY_CODE: Final[Mapping[str, type[GloveboxError]]] = {\n")
	for _, row := range api.Codes() {
		fmt.Fprintf(&b, "    %q: %s,\n", row.Code, pythonName(row))
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
	base := row.Python.Base
	switch {
	case base == "":
		base = "GloveboxError"
	case base != "PackageError" && base != "SourceError": // those of the client are below GloveboxError
		base = "GloveboxError, " + base
	}
	retryable := "False"
	if row.Retryable {
		retryable = "True"
	}
	fmt.Fprintf(b, "\n\nclass %s(%s):\n    \"\"\"%s.\"\"\"\n\n", pythonName(row), base, strings.ToUpper(row.Meaning[:1])+row.Meaning[1:])
	fmt.Fprintf(b, "    code = %q\n    hint = %q\n    retryable = %s\n    outcome = %q\n", row.Code, row.Hint, retryable, row.Outcome)
}

// Every class has one code, and no name is another's.
func TestPythonNames(t *testing.T) {
	seen := map[string]api.Code{}
	for _, row := range api.Codes() {
		name := pythonName(row)
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
