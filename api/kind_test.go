package api

import "testing"

func TestCutInstance(t *testing.T) {
	for id, want := range map[string][2]string{
		"fetch@1":       {"fetch@1", ""},
		"fetch@1#A.2":   {"fetch@1", "A.2"},
		"a#b@1":         {"a#b@1", ""},
		"a#b@1#c":       {"a#b@1", "c"},
		"fetch":         {"fetch", ""},
		"fetch#nothing": {"fetch#nothing", ""},
	} {
		if code, instance := CutInstance(id); code != want[0] || instance != want[1] {
			t.Errorf("%s is %q and %q, want %q", id, code, instance, want)
		}
	}
}
