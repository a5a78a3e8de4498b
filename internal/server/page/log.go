package page

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// A window of a log has logLines entries. To find text in it, at most maxSearched
// are read.
const (
	logLines    = 500
	maxSearched = 2_000_000
	maxLogText  = 8 << 10 // bytes that are shown of one entry
)

type logQuery struct {
	After  int64  // entries with greater numbers
	Stream string // only this one; empty for all
	Text   string // only entries with this text
	Limit  int
	Tail   bool // the last ones instead of the first
}

type logData struct {
	ID      string
	Query   logQuery
	Entries []logEntry
	Next    string // the query of the window after; empty at the end
	First   string // the query of the first window; empty in it
	Last    int64  // the number of the last entry that was read
	Whole   bool   // nothing is left out
	Live    bool   // more may come
}

type logEntry struct {
	Seq    int64
	Time   time.Time
	Stream string
	Text   string
}

func (p *Page) log(r *http.Request) (content, error) {
	q := r.URL.Query()
	after, err := strconv.ParseInt(q.Get("after"), 10, 64)
	if q.Get("after") != "" && (err != nil || after < 0) {
		return content{}, api.Errorf(api.RequestInvalid, "after is %q, expected the number of an entry", q.Get("after")).WithDetails(api.Details{Field: "after", Got: q.Get("after")})
	}
	query := logQuery{After: after, Stream: q.Get("stream"), Text: q.Get("text"), Limit: logLines, Tail: q.Get("tail") != ""}
	if query.Stream != "" && !slices.Contains(logStreams, query.Stream) {
		return content{}, api.Errorf(api.RequestInvalid, "stream is %q, expected stdout, stderr or system", query.Stream).WithDetails(api.Details{Field: "stream", Got: query.Stream})
	}
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	data, err := p.readLog(r.Context(), run.ID, query)
	if err != nil {
		return content{}, err
	}
	data.Live = !run.Status.Ended() && data.Next == ""
	return content{Template: "log", Title: "Log of " + visible(run.Task), Nav: "runs", Data: struct {
		*logData
		Run     api.Run
		Streams []string
	}{data, *run, logStreams}}, nil
}

var logStreams = []string{"stdout", "stderr", "system"}

// readLog reads one window of what a run printed so far.
func (p *Page) readLog(ctx context.Context, id string, q logQuery) (*logData, error) {
	data := &logData{ID: id, Query: q, Whole: true, Last: q.After}
	searched := 0
	for e, err := range p.Service.Logs(ctx, id, q.After, false) {
		if err != nil {
			return nil, err
		}
		if searched++; searched > maxSearched {
			data.Next = q.query(data.Last)
			break
		}
		if q.Stream != "" && e.Stream != q.Stream || q.Text != "" && !strings.Contains(strings.ToLower(string(e.Bytes())), strings.ToLower(q.Text)) {
			data.Last = e.Seq
			continue
		}
		if len(data.Entries) == q.Limit {
			data.Whole = false
			if !q.Tail {
				data.Next = q.query(data.Last)
				break
			}
			data.Entries = data.Entries[1:]
		}
		data.Last = e.Seq
		data.Entries = append(data.Entries, entryOf(e))
	}
	if q.After > 0 {
		data.First = q.query(0)
	}
	return data, nil
}

func entryOf(e api.LogEntry) logEntry {
	text := string(e.Bytes())
	if len(text) > maxLogText {
		text = text[:maxLogText] + "..."
	}
	text = strings.ToValidUTF8(strings.TrimSuffix(text, "\n"), "�")
	if e.Cut {
		text += "\n(the log ends here, although the run printed more)"
	}
	return logEntry{Seq: e.Seq, Time: e.Time, Stream: e.Stream, Text: visible(withoutEscapes(text))}
}

// query writes the window after an entry as the query of an address.
func (q logQuery) query(after int64) string {
	v := url.Values{"after": {strconv.FormatInt(after, 10)}}
	if q.Stream != "" {
		v.Set("stream", q.Stream)
	}
	if q.Text != "" {
		v.Set("text", q.Text)
	}
	return "?" + v.Encode()
}

// withoutEscapes drops the sequences by which programs colour a terminal, and what
// comes before a carriage return in a line, as a terminal shows it.
func withoutEscapes(text string) string {
	if !strings.ContainsAny(text, "\x1b\r") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			b.WriteByte(text[i])
			continue
		}
		i = endOfEscape(text, i)
	}
	lines := strings.Split(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = l[strings.LastIndexByte(strings.TrimSuffix(l, "\r"), '\r')+1:]
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\r", "")
}

// endOfEscape returns the last byte of the sequence that begins at i, by ECMA-48.
func endOfEscape(text string, i int) int {
	if i+1 >= len(text) {
		return i
	}
	switch text[i+1] {
	case '[': // up to a byte from @ to ~
		for j := i + 2; j < len(text); j++ {
			if text[j] >= 0x40 && text[j] <= 0x7e {
				return j
			}
		}
		return len(text) - 1
	case ']', 'P', '^', '_', 'X': // up to BEL or ESC \
		for j := i + 2; j < len(text); j++ {
			if text[j] == 7 {
				return j
			}
			if text[j] == 0x1b && j+1 < len(text) && text[j+1] == '\\' {
				return j + 1
			}
		}
		return len(text) - 1
	}
	return i + 1
}

type eventsData struct {
	Run    api.Run
	Events []api.Event
	More   bool
}

const maxShownEvents = 1000

func (p *Page) events(r *http.Request) (content, error) {
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	data := &eventsData{Run: *run}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if !run.Status.Ended() { // nothing says that these are all for now, so they are given a moment
		time.AfterFunc(150*time.Millisecond, cancel)
	}
	for e, err := range p.Service.Events(ctx, run.ID, 0) {
		if err != nil {
			if ctx.Err() != nil && r.Context().Err() == nil {
				break
			}
			return content{}, err
		}
		if e.Seq == 0 {
			continue
		}
		if len(data.Events) == maxShownEvents {
			data.More = true
			break
		}
		data.Events = append(data.Events, e)
	}
	return content{Template: "events", Title: "Events of " + visible(run.Task), Nav: "runs", Data: data}, nil
}
