package check

import (
	"strings"
	"testing"
)

// someModules are those of a test.
type someModules []string

func (m someModules) Names() []string               { return m }
func (someModules) Members(string) ([]string, bool) { return nil, true }

func TestPromptSaysWhatIsNotGranted(t *testing.T) {
	all := someModules{"datetime", "json", "random", "time", "uuid"}
	for _, c := range []struct {
		modules       someModules
		grants        Grants
		clock, random bool
	}{
		{all, Grants{}, true, true}, {all, Grants{Clock: true}, false, true}, {all, Grants{Random: true}, true, false},
		{all, Grants{Clock: true, Random: true}, false, false}, {someModules{"json"}, Grants{}, false, false},
	} {
		text := Prompt(Options{Dialect: Extended, Modules: c.modules, Grants: c.grants})
		if strings.Contains(text, "no clock") != c.clock || strings.Contains(text, "no randomness") != c.random {
			t.Errorf("%+v:\n%s", c, text)
		}
	}
}
