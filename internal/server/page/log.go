package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// A window of a log has logLines lines. The end that the page of a run shows has
// tailLines. An entry has a line or many, so that the last entries have as many.
const (
	logLines  = 500
	tailLines = 100
)

// logQuery asks for a window of a log.
type logQuery struct {
	At     place  // where reading begins
	Line   int64  // the first line that is shown, counted from 1
	Stream string // only this one; empty for all
	Text   string // only lines with this text
	Tail   bool   // the last lines instead of the first
}

// place is between two lines of a log: behind Skip lines of the entry after After. It
// remembers the number of the next line, so that none before it has to be read.
type place struct {
	After, Skip, Number int64
}

func (p place) String() string { return fmt.Sprintf("%d.%d.%d", p.After, p.Skip, p.Number) }

func parsePlace(text string) (p place, err error) {
	if text == "" {
		return place{}, nil
	}
	if n, err := fmt.Sscanf(text, "%d.%d.%d", &p.After, &p.Skip, &p.Number); n != 3 || err != nil || p.String() != text || p.After < 0 || p.Skip < 0 || p.Number < 0 {
		return p, api.Errorf(api.RequestInvalid, "at is %q, which is no place in a log", value.Shorten(text, 60)).
			WithDetails(api.Details{Field: "at", Got: value.Shorten(text, 60), Expected: "what a link of the page has"})
	}
	return p, nil
}

// logData is a window of a log.
type logData struct {
	ID       string
	Query    logQuery
	Lines    []logLine
	Next     string // the query of the window after; empty at the end
	Before   string // the query of the window before; empty at the beginning
	First    string // the query of the first window; empty in it
	End      place  // behind the last line that was read
	Whole    bool   // nothing is left out
	Live     bool   // more may come
	Numbered bool   // the numbers of lines are those of the whole log
}

var logStreams = []string{"stdout", "stderr", "system"}

// readLogQuery reads the query of an address.
func readLogQuery(q url.Values) (l logQuery, err error) {
	if l.At, err = parsePlace(q.Get("at")); err != nil {
		return l, err
	}
	if text := q.Get("line"); text != "" {
		if l.Line, err = strconv.ParseInt(text, 10, 64); err != nil || l.Line < 1 {
			return l, api.Errorf(api.RequestInvalid, "line is %q, expected a number from 1", value.Shorten(text, 60)).WithDetails(api.Details{Field: "line", Got: value.Shorten(text, 60)})
		}
	}
	l.Stream, l.Text, l.Tail = q.Get("stream"), q.Get("text"), q.Get("tail") != ""
	if l.Stream != "" && !slices.Contains(logStreams, l.Stream) {
		return l, api.Errorf(api.RequestInvalid, "stream is %q, expected stdout, stderr or system", value.Shorten(l.Stream, 60)).WithDetails(api.Details{Field: "stream", Got: value.Shorten(l.Stream, 60)})
	}
	return l, nil
}

// query writes a window as the query of an address: from a place, or from a line.
func (q logQuery) query(at place, line int64) string {
	v := url.Values{}
	for name, text := range map[string]string{"stream": q.Stream, "text": q.Text} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if at != (place{}) {
		v.Set("at", at.String())
	}
	if line > 0 {
		v.Set("line", strconv.FormatInt(line, 10))
	}
	return "?" + v.Encode()
}

func (p *Page) log(r *http.Request) (content, error) {
	query, err := readLogQuery(r.URL.Query())
	if err != nil {
		return content{}, err
	}
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	data, err := p.readLog(r.Context(), run.ID, query, logLines)
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

// readLog reads one window of what a run printed so far. Of the end, it reads a few
// entries at first, which can have many lines.
func (p *Page) readLog(ctx context.Context, id string, q logQuery, limit int) (*logData, error) {
	if !q.Tail {
		return p.readWindow(ctx, id, q, limit)
	}
	for entries := 8; ; entries = min(8*entries, limit) {
		q.At = place{After: -int64(entries)}
		data, err := p.readWindow(ctx, id, q, limit)
		if err != nil || data.Whole || len(data.Lines) == limit || entries == limit {
			return data, err
		}
	}
}

func (p *Page) readWindow(ctx context.Context, id string, q logQuery, limit int) (*logData, error) {
	data := &logData{ID: id, Query: q, Whole: true}
	from := q
	if !q.Tail {
		var err error
		if from.At, err = p.near(ctx, id, q); err != nil {
			return nil, err
		}
	}
	in := newLines(from)
	shown := func(l logLine) {
		if len(data.Lines) == limit { // the first goes, of the last ones
			data.Lines, data.Whole = data.Lines[1:], false
		}
		data.Lines = append(data.Lines, l)
	}
	for e, err := range p.Service.Logs(ctx, id, in.after(), false) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		if e.Seq > 1 && q.Tail && len(data.Lines) == 0 && in.first {
			data.Whole = false
		}
		full := func() bool { return !q.Tail && len(data.Lines)+in.opened() >= limit }
		if !in.take(e, shown, full) {
			data.Next, data.Whole = q.query(in.at, 0), false
			break
		}
	}
	in.flush(shown)
	data.End = in.end()
	data.Numbered = !q.Tail || in.counted
	slices.SortStableFunc(data.Lines, func(a, b logLine) int { return int(a.Number - b.Number) })
	if first := data.firstNumber(); !q.Tail && first > 1 {
		data.First = q.query(place{}, 0)
		if q.Text == "" && q.Stream == "" {
			data.Before = q.query(place{}, max(1, first-int64(limit)))
		}
	}
	return data, nil
}

func (d *logData) firstNumber() int64 {
	if len(d.Lines) > 0 && d.Query.Text == "" {
		return d.Lines[0].Number
	}
	return max(d.Query.Line, d.Query.At.Number)
}
