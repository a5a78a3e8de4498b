package page

import (
	"context"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

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
