package tuning

import (
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	t.Cleanup(func() { off.Store(nil) })
	if !On(Pipes) || Text() != "" {
		t.Error("something is off from the start")
	}
	if err := Set(" -pipes, -gc,"); err != nil {
		t.Fatal(err)
	}
	if On(Pipes) || On(GC) || !On(Breath) || Text() != "-pipes,-gc" {
		t.Errorf("off: %q", Text())
	}
	for _, text := range []string{"pipes", "+pipes", "-pipe", "-breath,-", "-breath -gc"} {
		if err := Set(text); err == nil || !strings.Contains(err.Error(), "-compiled") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if Text() != "-pipes,-gc" {
		t.Errorf("a bad text changed what is off: %q", Text())
	}
	if err := Set(""); err != nil || !On(Pipes) || Text() != "" {
		t.Errorf("%v, off: %q", err, Text())
	}
}

func TestAllHaveTheirName(t *testing.T) {
	seen := map[Mechanism]bool{}
	for _, m := range all {
		if m == "" || seen[m] {
			t.Errorf("%q twice", m)
		}
		seen[m] = true
	}
}
