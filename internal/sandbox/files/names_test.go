package files

import (
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("é", 127) + "x"
	var n Names
	seen := map[string]bool{}
	for _, wanted := range []string{"a", "a", "1-a", "2-a", "a", "5", "", "-x", "a\nb", "\xff", long, long, long + "yy", "..", "a/b"} {
		name := n.Pick(wanted)
		if seen[name] || api.CheckName(name, false) != nil {
			t.Errorf("%q became %q, which is taken or not safe", wanted, name)
		}
		seen[name] = true
	}
	for _, want := range []string{"a", "1-a", "2-1-a", "6", "7"} {
		if !seen[want] {
			t.Errorf("no %q in %v", want, seen)
		}
	}
}

// Names that a cell chose to be taken again and again cost no more than others.
func TestHostileNames(t *testing.T) {
	const half = 50_000
	var n Names
	for i := range half {
		n.Pick(strconv.Itoa(half+i) + "-a")
	}
	for range half {
		n.Pick("a")
	}
	if len(n.taken) != 2*half || n.next["a"] > 3*half {
		t.Errorf("%d names, up to index %d", len(n.taken), n.next["a"])
	}
}
