package py_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py"
)

// TestPromptOfAFreshProcess asks for the prompt in a process that has compiled
// nothing yet, as the author of a program does: it has to be complete there.
func TestPromptOfAFreshProcess(t *testing.T) {
	const variable = "GLOVEBOX_TEST_FRESH"
	o := py.Options{Dialect: py.Extended, Tools: []py.Tool{price, {Name: "fetch", Result: price.Result, Async: true}}}
	if os.Getenv(variable) != "" {
		os.Stdout.WriteString(py.Prompt(o))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestPromptOfAFreshProcess$")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	fresh, _, _ := strings.Cut(string(out), "PASS")
	if _, err := py.Compile("1", py.Options{}); err != nil {
		t.Fatal(err)
	}
	if later := py.Prompt(o); fresh != later {
		t.Errorf("first:\n%s\nlater:\n%s", fresh, later)
	}
	for _, word := range []string{" json,", " math,", " re,", " base64,", "def price(", "async def fetch(", "no clock: datetime.now()", "no randomness: random until"} {
		if !strings.Contains(fresh, word) {
			t.Errorf("the prompt lacks %q:\n%s", word, fresh)
		}
	}
}
