package box

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/regular"
)

// maxShown bounds a file whose lines are compared, in bytes.
const maxShown = 2 << 20

// Diff writes a change as git does, so that git apply can read it. What is in it
// comes from a cell: it is not fit for a terminal as it is.
func (c *Changes) Diff(w io.Writer, change *Change) error {
	from, to := quoted("a/"+change.Path), quoted("b/"+change.Path)
	if _, err := fmt.Fprintf(w, "diff --git %s %s\n", from, to); err != nil {
		return err
	}
	before, after := change.old, change.new
	if before.kind != absent && after.kind != absent && before.kind != after.kind { // for git these are two changes
		if err := c.one(w, &Change{Path: change.Path, old: before}, from, to); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "diff --git %s %s\n", from, to); err != nil {
			return err
		}
		return c.one(w, &Change{Path: change.Path, new: after, content: change.content}, from, to)
	}
	return c.one(w, change, from, to)
}

func (c *Changes) one(w io.Writer, change *Change, from, to string) error {
	var head string
	switch before, after := gitMode(change.old), gitMode(change.new); {
	case change.old.kind == absent:
		head, from = "new file mode "+after+"\n", "/dev/null"
	case change.new.kind == absent:
		head, to = "deleted file mode "+before+"\n", "/dev/null"
	case before != after:
		head = "old mode " + before + "\nnew mode " + after + "\n"
	}
	if change.Verb() == "mode" {
		_, err := io.WriteString(w, head)
		return err
	}
	body, err := c.body(change, from, to)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, head+body)
	return err
}

// body is what of the diff shows lines.
func (c *Changes) body(change *Change, from, to string) (string, error) {
	if large := max(change.old.size, change.new.size); large > maxShown {
		return fmt.Sprintf("Files %s and %s differ, and are too large to compare: %d and %d bytes\n", from, to, change.old.size, change.new.size), nil
	}
	before, err := c.before(change)
	if err != nil {
		return "", err
	}
	after, err := change.after()
	if err != nil {
		return "", err
	}
	if isBinary(before) || isBinary(after) {
		return fmt.Sprintf("Binary files %s and %s differ\n", from, to), nil
	}
	text := diff.Diff("a", before, "b", after)
	_, lines, found := bytes.Cut(text, []byte("+++ b\n"))
	if !found { // one of them is new or deleted, and empty
		return "", nil
	}
	return "--- " + from + "\n+++ " + to + "\n" + string(lines), nil
}

// before is the content that the project has here.
func (c *Changes) before(change *Change) ([]byte, error) {
	if change.old.kind == link {
		return []byte(change.old.target), nil
	}
	if change.old.kind == absent {
		return nil, nil
	}
	f, err := regular.Open(c.project.root, change.Path)
	if err != nil {
		return nil, nil // it is gone here, which is a conflict that is reported
	}
	defer f.Close()
	return readShown(f, change.Path)
}

// after is the content that comes from the cell.
func (c *Change) after() ([]byte, error) {
	if c.new.kind == link {
		return []byte(c.new.target), nil
	}
	if c.content == "" {
		return nil, nil
	}
	f, err := os.Open(c.content)
	if err != nil {
		return nil, stagingError(err)
	}
	defer f.Close()
	return readShown(f, c.Path)
}

func readShown(f io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, maxShown))
	if err != nil {
		return nil, api.Errorf(api.StorageFull, "reading %s: %w", name, err)
	}
	return text, nil
}

func isBinary(text []byte) bool { return bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) }

func gitMode(e entry) string {
	switch {
	case e.kind == link:
		return "120000"
	case e.exec:
		return "100755"
	}
	return "100644"
}

// quoted is a name as git writes it: in quotes, if a character in it means
// something else or is none.
func quoted(name string) string {
	plain := utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' })
	if plain {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Lines counts the lines that a change adds and removes.
func (c *Changes) Lines(change *Change) (added, removed int, err error) {
	var text strings.Builder
	if err := c.Diff(&text, change); err != nil {
		return 0, 0, err
	}
	inside := false
	for line := range strings.Lines(text.String()) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inside = true
		case strings.HasPrefix(line, "diff --git "):
			inside = false
		case inside && line[0] == '+':
			added++
		case inside && line[0] == '-':
			removed++
		}
	}
	return added, removed, nil
}
