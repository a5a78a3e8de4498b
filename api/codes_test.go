package api_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

var update = flag.Bool("update", false, "write the generated files again instead of comparing them")

// fresh compares a generated file with what the table of codes makes.
func fresh(t *testing.T, path, want string) {
	t.Helper()
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

// TestFreshGoErrors compares the errors of the Go SDK with the table of codes.
func TestFreshGoErrors(t *testing.T) { fresh(t, "../codes.go", goErrors()) }

// TestFreshErrorPage compares the page of the documentation with the table.
func TestFreshErrorPage(t *testing.T) { fresh(t, "../docs/reference/errors.md", errorPage()) }

// TestCodesAreComplete holds every row to what the server, the command line and
// the clients need of it.
func TestCodesAreComplete(t *testing.T) {
	seen := map[api.Code]bool{}
	for _, row := range api.Codes() {
		if row.Status < 400 || row.Status > 599 {
			t.Errorf("%s has the HTTP status %d", row.Code, row.Status)
		}
		if row.Meaning == "" || row.Hint == "" || row.Exit == 0 || row.Outcome == "" || seen[row.Code] {
			t.Errorf("the row of %s is not complete, or not the only one: %+v", row.Code, row)
		}
		seen[row.Code] = true
	}
}

// A code stands for its errors in errors.Is, and is an error by itself.
func TestCodesAreErrors(t *testing.T) {
	err := fmt.Errorf("outer: %w", api.Errorf(api.Timeout, "too long"))
	if !errors.Is(err, api.Timeout) || errors.Is(err, api.Canceled) {
		t.Errorf("errors.Is does not compare %v with its code", err)
	}
	got := api.AsError(fmt.Errorf("outer: %w", api.HomeBusy))
	if got.Code != api.HomeBusy || got.Message != api.HomeBusy.Info().Meaning || !got.Retryable {
		t.Errorf("the error of a bare code is %+v", got)
	}
}

// TestCodesIsACopy: a caller of Codes cannot change the table.
func TestCodesIsACopy(t *testing.T) {
	api.Codes()[0].Exit = 77
	if api.Codes()[0].Exit == 77 {
		t.Error("the table was changed")
	}
}

// camel writes a code as Go and Python write names.
func camel(code api.Code) string {
	var b strings.Builder
	for word := range strings.SplitSeq(string(code), "_") {
		if word == "mcp" {
			word = "MCP"
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// goErrors is the file of the Go SDK with an error for each code.
func goErrors() string {
	var b strings.Builder
	b.WriteString(`// Written by make generate from the table in api/codes.go. DO NOT EDIT.

package glovebox

import "github.com/glovebox-dev/glovebox/api"

// One error for each code, for errors.Is:
//
//	if errors.Is(err, glovebox.ErrTimeout) { ... }
const (
`)
	for i, row := range api.Codes() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "\t// Err%s says: %s.\n\tErr%s = api.%s\n", camel(row.Code), row.Meaning, camel(row.Code), camel(row.Code))
	}
	b.WriteString(")\n")
	return b.String()
}

// errorPage is the page of the documentation about codes.
func errorPage() string {
	var b strings.Builder
	b.WriteString(`# Errors

Written by ` + "`make generate` from the table in `api/codes.go`" + `.

Every error has a code, a message, a hint that says what to do next, ` + "`retryable`" + ` (whether the same can succeed later) and an
outcome: ` + "`not_started`, `failed`, or `unknown`" + ` (it may have had its effects). Programs branch on the code.

The exit status of the command line is that of the program, 128 + n if signal n ended it, or that of the code. In Go, compare with
` + "`errors.Is(err, glovebox.ErrTimeout)`" + `; the name is that of the code. In Python, catch the class, all of which are below
` + "`glovebox.errors.GloveboxError`" + `.

| code | exit | HTTP | retryable | outcome | Python class | meaning | what to do |
|---|---|---|---|---|---|---|---|
`)
	for _, row := range api.Codes() {
		exit := fmt.Sprint(row.Exit)
		if row.Exit < 0 {
			exit = "the program's"
		}
		retryable := "no"
		if row.Retryable {
			retryable = "yes"
		}
		class := "`" + pythonName(row) + "`"
		if row.Python.Base != "" {
			class += ", a `" + row.Python.Base + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d | %s | %s | %s | %s | %s |\n",
			row.Code, exit, row.Status, retryable, row.Outcome, class, row.Meaning, strings.ReplaceAll(row.Hint, "|", "\\|"))
	}
	return b.String()
}
