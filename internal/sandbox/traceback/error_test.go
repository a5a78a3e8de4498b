package traceback

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
)

func FuzzTraceback(f *testing.F) {
	f.Add("Traceback (most recent call last):\n  File \"/work/a.py\", line 1, in <module>\n    x\n    ^\nE: m\n")
	f.Add("  File \"/work/a.py\", line 999999999\n    \x1b[0m\n  ^\nSyntaxError: invalid\n")
	f.Add("  + Exception Group Traceback (most recent call last):\n  |   File \"/work/a.py\", line 1, in f\n  | E: m\n  +-+---\n    |   File \"/lib/python3\", line 1\n    +------------------------------------\n")
	f.Fuzz(func(t *testing.T, stderr string) {
		x, _ := Parse(stderr, "a.py", "x\n")
		if x != nil {
			checkError(t, Error(x).WithDetails(api.Details{Exception: x}))
		}
	})
}

// checkError checks that an error is one of ours and fit for a terminal.
func checkError(t *testing.T, err error) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T is no *api.Error", err)
	}
	texts := []string{e.Details.Stderr}
	if x := e.Details.Exception; x != nil {
		texts = append(texts, x.Type, x.Message, x.Traceback)
		if len(x.Frames) > MaxFrames {
			t.Errorf("%d frames", len(x.Frames))
		}
	}
	for _, text := range texts {
		if strings.ContainsRune(text, 0x1b) || !utf8.ValidString(text) || len(text) > 3*streams.ExcerptBytes {
			t.Errorf("text is not clean: %.100q", text)
		}
	}
}
