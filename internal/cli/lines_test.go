package cli

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

func TestLinesAreNotTorn(t *testing.T) {
	var b strings.Builder
	out, err := shareLines(&b)
	io.WriteString(out, "print")
	io.WriteString(err, "to stderr\nand ")
	io.WriteString(out, "ed\n")
	io.WriteString(err, "more")
	out.flush()
	err.flush()
	if want := "to stderr\nprinted\nand more"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestLinesWithoutEndAreBounded(t *testing.T) {
	var b strings.Builder
	out, _ := shareLines(&b)
	for range 3 {
		io.WriteString(out, strings.Repeat("x", longestLine/2+1))
	}
	if b.Len() < longestLine || len(out.rest) > longestLine {
		t.Errorf("printed %d, kept %d", b.Len(), len(out.rest))
	}
}

func TestWatchedTellsThatItsReaderHasGone(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	gone := 0
	out := watched{w, func() { gone++ }}
	if _, err := out.Write([]byte("x")); err != nil || gone != 0 {
		t.Errorf("a pipe with a reader: %v, gone %d times", err, gone)
	}
	r.Close()
	if _, err := out.Write([]byte("x")); err == nil || gone != 1 {
		t.Errorf("a pipe without a reader: %v, gone %d times", err, gone)
	}
	if _, err := (watched{failing{}, func() { gone++ }}).Write(nil); err == nil || gone != 1 {
		t.Errorf("another failure: %v, gone %d times", err, gone)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
