package runlog

import (
	"bytes"

	"github.com/glovebox-dev/glovebox/api"
)

// counting numbers the lines of a log as they begin, over all streams. It says in each
// entry where it is, so that a line is found without what is before it.
type counting struct {
	next int64           // the number of the next line that begins; 0 counts nothing
	open map[string]bool // the streams whose last line is not complete
}

// mark notes in an entry where it begins.
func (c *counting) mark(e *api.LogEntry) {
	if c.next > 0 {
		e.Line, e.Continues = c.next, c.open[e.Stream]
	}
}

// pass counts what an entry has.
func (c *counting) pass(e *api.LogEntry, text []byte) {
	if len(text) == 0 {
		return
	}
	if c.open == nil {
		c.open = map[string]bool{}
	}
	lines := int64(bytes.Count(text, []byte{'\n'}))
	c.open[e.Stream] = text[len(text)-1] != '\n'
	if c.open[e.Stream] {
		lines++
	}
	if e.Continues {
		lines--
	}
	c.next = e.Line + lines
}

// continued counts on behind the last entries of a log, of which at least the last is
// needed. A log that an older Glovebox began is not counted.
func continued(last []api.LogEntry) (c counting) {
	for i := range last {
		if last[i].Line == 0 {
			c = counting{}
			continue
		}
		c.pass(&last[i], last[i].Bytes())
	}
	return c
}
