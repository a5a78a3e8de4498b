package check

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// TestFreshPythonPrompt compares the prompt that the Python client has, for
// orchestrators whose tools are not known yet, with what the checker enforces.
func TestFreshPythonPrompt(t *testing.T) {
	const path = "../../clients/python/src/glovebox/sandbox/_prompt.py"
	want := pythonModule(Options{Dialect: Strict})
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

// pythonModule is a Python module with the prompt as a constant.
func pythonModule(o Options) string {
	return `"""The prompt that teaches a model to write orchestrators. Written by make generate."""

from __future__ import annotations

from typing import Final

# ruff: noqa: E501
ORCHESTRATOR_SYNTAX_PROMPT: Final = """\
` + strings.NewReplacer(`\`, `\\`, `"""`, `\"""`).Replace(syntaxPrompt(o)) + `"""
`
}

// syntaxPrompt is Prompt without inputs and tools, which another text names.
func syntaxPrompt(o Options) string {
	var b strings.Builder
	b.WriteString("The program runs in a sandbox without files, network or operating system.\n")
	promptResult(&b, o)
	promptDialect(&b, o)
	b.WriteString("\nValues that cross into and out of the sandbox are of these types: " + crossingTypes() + ". Other classes cannot cross.\n")
	b.WriteString("The tools are defined already; do not define or import them.\n")
	promptCalls(&b, "tool")
	promptHandles(&b)
	return b.String()
}

// crossingTypes lists the types of inputs, outputs and arguments.
func crossingTypes() string {
	var names []string
	for _, text := range []string{
		"int", "float", "str", "bool", "bytes", "None", "datetime", "timedelta", "list[int]", "dict[str, float]", "tuple[int, str]",
		"Optional[int]", "Union[int, str]", "Any", "File", "Dir", "DataFrame",
	} {
		typ, err := value.ParseType(text)
		if err != nil {
			panic(fmt.Sprintf("%s is no type: %v", text, err))
		}
		names = append(names, typ.String())
	}
	return strings.Join(names, ", ")
}

// Every function that the prompt promises is one that programs have.
func TestSyntaxPromptIsTrue(t *testing.T) {
	text := syntaxPrompt(Options{Dialect: Strict})
	for _, name := range []string{"gather(", "glovebox_map("} {
		if !strings.Contains(text, name) {
			t.Errorf("the prompt does not speak of %s", name)
		}
	}
	o := Options{Dialect: Strict, Tools: []tool.Tool{{Name: "tool", Params: []tool.Param{{Name: "x", Type: typ("int")}}, Result: typ("int")}}}
	o.Inputs = []value.Param{{Name: "items", Type: typ("list[int]")}}
	for line := range strings.Lines(text) {
		_, code, ok := strings.Cut(strings.TrimSpace(line), "results = ")
		if !ok {
			continue
		}
		code = strings.ReplaceAll(code, "...", "1")
		if found := problems(Check(parse(t, code), o)); len(found) > 0 {
			t.Errorf("%s: %v", code, found)
		}
	}
}
