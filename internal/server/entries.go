package server

import (
	"context"
	"iter"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/internal/budget"
)

// streamWords say what all streams of sessions have in common.
const streamWords = "JSON lines, or server-sent events if the request accepts text/event-stream. What ends it early is its last entry, named problem: an object with the one member problem. " +
	"Without that and without the entry that is to come last, the server stops or the connection broke."

// problemEntry ends a stream whose answer has begun.
type problemEntry struct {
	Problem *failure `json:"problem"`
}

// sendEntries answers with what open yields. A stream that ends with an error says
// which: not every one can be asked for again.
func sendEntries[T any](s *Server, draining <-chan struct{}, open func(context.Context) iter.Seq2[T, error], name func(T) (seq int64, kind string)) *huma.StreamResponse {
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		budget.ShareOf(r.Context()).Release()
		var out entryStream = newLineStream(w)
		if strings.Contains(r.Header.Get("Accept"), mediaEvents) {
			out = newEventStream(w)
		}
		err := follow(r.Context(), draining, s.Limits.Heartbeat, open, func(v T) error {
			seq, kind := name(v)
			return out.send(seq, kind, v)
		}, out.beat)
		switch err.(type) {
		case nil, clientGone, stopping:
		default:
			if out.begun() {
				s.logInternal(r.Context(), err)
				_ = out.send(0, "problem", problemEntry{failureOf(err)}) // the client may be gone
				return
			}
		}
		s.endStream(w, r, out, err)
	})
}

// entries describes the answer of a route that uses sendEntries.
func (s *Server) entries(op huma.Operation, description string, item *huma.Schema, example string) {
	name := "output"
	if op.OperationID == "followSession" {
		name = "running"
	}
	s.answers(op, "200", description, map[string]*huma.MediaType{
		mediaLines:  streamOf(mediaLines, item, example+"\n"),
		mediaEvents: streamOf(mediaEvents, item, "event: "+name+"\ndata: "+example+"\n\n"),
	})
}
