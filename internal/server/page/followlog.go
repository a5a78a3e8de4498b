package page

import (
	"context"
	"net/http"
)

// lineEvent is a line of a log as the script of the page gets it.
type lineEvent struct {
	Number int64  `json:"number"`
	Time   string `json:"time"`
	Stream string `json:"stream"`
	Text   string `json:"text"`
}

// followLog sends the lines of a log as they come. One that is not complete is sent
// too, and again, with its number, when more of it comes.
func (p *Page) followLog(w http.ResponseWriter, r *http.Request) error {
	query, err := readLogQuery(r.URL.Query())
	if err != nil {
		return err
	}
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	in := newLines(query)
	var lines []lineEvent
	shown := func(l logLine) {
		lines = append(lines, lineEvent{l.Number, stamp(l.Time), l.Stream, l.Text()})
	}
	return p.stream(w, r, func(ctx context.Context, send func(string) error) {
		for e, err := range p.Service.Logs(ctx, run.ID, in.after(), true) {
			if err != nil {
				return // the browser asks again
			}
			in.read = 0 // that bounds searches
			in.take(e, shown, func() bool { return false })
			in.flush(shown)
			if len(lines) == 0 {
				continue
			}
			text, err := event("lines", lines)
			if err != nil || send(text) != nil {
				return
			}
			lines = lines[:0]
		}
		_ = send("event: end\ndata: null\n\n") // the browser may be gone
	})
}
