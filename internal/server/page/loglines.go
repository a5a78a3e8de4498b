package page

import (
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

const (
	maxSearched = 2_000_000 // lines that are read to find text in a log
	maxLogText  = 8 << 10   // bytes that are shown of one line
)

// logLine is one line of a log.
type logLine struct {
	Number int64 // from 1
	Time   time.Time
	Stream string
	raw    string
	start  place
}

// lines makes lines of the entries of a log. An entry has what a program wrote at once,
// which can be many lines, and ends in the middle of one.
type lines struct {
	query   logQuery
	text    string              // that is looked for, in lower case
	open    map[string]*logLine // the line that is not complete, by stream
	at      place               // behind the last line that has begun
	number  int64               // of the next line
	begin   place
	first   bool  // no entry has come yet
	counted bool  // entries say their numbers
	before  int64 // the number of the last line that began before reading did
	read    int
}

func newLines(q logQuery) *lines {
	return &lines{query: q, text: strings.ToLower(q.Text), open: map[string]*logLine{}, at: q.At, begin: q.At, number: max(q.At.Number, 1), first: true}
}

// after is the entry after which reading begins.
func (l *lines) after() int64 { return l.begin.After }

// take reads an entry and gives what it completes to shown, until full. It reports
// whether more may come; then all lines of the entry were read.
func (l *lines) take(e api.LogEntry, shown func(logLine), full func() bool) bool {
	skip := int64(0)
	if l.first {
		skip = l.begin.Skip
	}
	if e.Line > 0 && skip == 0 {
		l.number, l.at.Number, l.counted = e.Line, e.Line, true
	}
	if l.first {
		l.first, l.before = false, l.number-1
	}
	text := textOf(e)
	if l.cannotMatch(e, text) {
		l.pass(e, text, skip)
		return !l.searches() || l.read <= maxSearched
	}
	l.resume(e, skip)
	for part := range strings.Lines(text) {
		if skip > 0 {
			skip--
			continue
		}
		if !l.add(e, part, shown, full) {
			return false
		}
	}
	l.at = place{After: e.Seq, Number: l.number}
	return true
}

func textOf(e api.LogEntry) string {
	if e.Data != nil {
		return string(e.Data)
	}
	return e.Text
}

// resume opens the line that an entry continues, if reading began behind its beginning.
func (l *lines) resume(e api.LogEntry, skip int64) {
	if e.Continues && skip == 0 && l.open[e.Stream] == nil {
		l.open[e.Stream] = &logLine{Number: l.before, Time: e.Time, Stream: e.Stream, start: l.at}
	}
}

// searches reports whether lines are looked for, of which there may be few.
func (l *lines) searches() bool { return l.text != "" || l.query.Stream != "" }

// add reads a part of an entry: a line, or the end or the beginning of one.
func (l *lines) add(e api.LogEntry, part string, shown func(logLine), full func() bool) bool {
	row := l.open[e.Stream]
	if row == nil {
		if l.read++; full() || l.read > maxSearched {
			return false
		}
		row = &logLine{Number: l.number, Time: e.Time, Stream: e.Stream, start: place{l.at.After, l.at.Skip, l.number}}
		l.number++
	}
	l.at = place{l.at.After, l.at.Skip + 1, l.number}
	row.raw += part[:min(len(part), max(0, maxLogText+1-len(row.raw)))]
	if !strings.HasSuffix(part, "\n") {
		l.open[e.Stream] = row
		return true
	}
	delete(l.open, e.Stream)
	l.show(row, shown)
	return true
}

// cannotMatch reports whether no line that begins in an entry is asked for, so that
// counting them is enough.
func (l *lines) cannotMatch(e api.LogEntry, text string) bool {
	if l.open[e.Stream] != nil || e.Continues || !strings.HasSuffix(text, "\n") {
		return false
	}
	return l.query.Stream != "" && l.query.Stream != e.Stream || l.number+int64(strings.Count(text, "\n")) <= l.query.Line ||
		l.text != "" && !strings.Contains(strings.ToLower(text), l.text)
}

func (l *lines) pass(e api.LogEntry, text string, skip int64) {
	n := int64(strings.Count(text, "\n")) - skip
	l.number += n
	l.read += int(n)
	l.at = place{After: e.Seq, Number: l.number}
}

// flush shows what is not complete.
func (l *lines) flush(shown func(logLine)) {
	for _, stream := range logStreams {
		if row := l.open[stream]; row != nil {
			l.show(row, shown)
		}
	}
}

// end is where to go on later: before the first line that is not complete.
func (l *lines) end() place {
	end := l.at
	for _, row := range l.open {
		if row.Number < end.Number {
			end = row.start
		}
	}
	return end
}

// opened counts the lines that are not complete, and may be asked for.
func (l *lines) opened() (n int) {
	for _, row := range l.open {
		if l.asksFor(row) {
			n++
		}
	}
	return n
}

// asksFor reports whether a line is asked for, but for its text.
func (l *lines) asksFor(row *logLine) bool {
	return row.Number >= l.query.Line && (l.query.Stream == "" || l.query.Stream == row.Stream)
}

// show gives a line to shown if it is asked for.
func (l *lines) show(row *logLine, shown func(logLine)) {
	if !l.asksFor(row) {
		return
	}
	if l.text != "" && !strings.Contains(strings.ToLower(row.raw), l.text) {
		return
	}
	shown(*row)
}

// Text is the line as a page may show it.
func (l logLine) Text() string {
	text := strings.TrimRight(l.raw, "\n")
	cut := len(text) > maxLogText
	if cut {
		text = text[:maxLogText]
	}
	text = visible(withoutEscapes(strings.ToValidUTF8(text, "�")))
	if cut {
		text += "…"
	}
	return text
}
