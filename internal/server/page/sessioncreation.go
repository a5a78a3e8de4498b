package page

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// atOnce is how long the answer to the form of a new session waits for one whose image
// is there. Until then a page in between would only flicker.
const atOnce = time.Second

// newSession makes a session. Its page shows the build where that takes a while.
func (p *Page) newSession(r *http.Request) (string, content, error) {
	f := readSessionForm(r)
	spec, err := f.spec()
	if err != nil {
		return p.sessionRefused(r, f, err)
	}
	c, err := p.create(f, spec)
	if err != nil {
		return p.sessionRefused(r, f, err)
	}
	select {
	case <-c.done:
	case <-r.Context().Done():
	case <-time.After(atOnce):
	}
	if l := c.look(); l.Session != "" {
		return "sessions/" + l.Session, content{}, nil
	}
	return "new-sessions/" + c.Name, content{}, nil
}

// sessionRefused shows the form again with what is wrong in it.
func (p *Page) sessionRefused(r *http.Request, f sessionForm, err error) (string, content, error) {
	if f.Error = api.AsError(err); f.Error.Code == api.Internal {
		return "", content{}, err
	}
	c, err := p.sessions(r)
	if err != nil {
		return "", content{}, err
	}
	c.Data.(*sessionsData).New = f
	return "", c, nil
}

type creationData struct {
	*creation
	creationLook
	UnderWay bool
	Title    string
	Packages string
}

// creation shows how far a new session is, and leads to the session once it is made.
func (p *Page) creation(w http.ResponseWriter, r *http.Request) error {
	c, err := p.creations.get(r.PathValue("name"))
	if err != nil {
		return err
	}
	l := c.look()
	if l.Session != "" {
		redirect("../sessions/"+l.Session)(w, r)
		return nil
	}
	data := creationData{creation: c, creationLook: l, UnderWay: l.Error == nil, Title: c.Form.title(), Packages: strings.Join(given(strings.Split(c.Form.Packages, "\n")), ", ")}
	page := content{Template: "creation", Title: "New session", Nav: "sessions", Styles: []string{"session.css"}, Data: data}
	if data.UnderWay {
		page.Follow, page.Reload = "page/follow/new-sessions/"+c.Name, 2
	}
	return p.render(w, r, http.StatusOK, page)
}

func (p *Page) cancelCreation(r *http.Request) (string, content, error) {
	c, err := p.creations.get(r.PathValue("name"))
	if err != nil {
		return "", content{}, err
	}
	c.cancel(canceled("canceled by a person on the page"))
	select {
	case <-c.done:
	case <-r.Context().Done():
	}
	return "../" + c.Name, content{}, nil
}

// followCreation tells of each change of a new session, and at last leads to it.
func (p *Page) followCreation(w http.ResponseWriter, r *http.Request) error {
	c, err := p.creations.get(r.PathValue("name"))
	if err != nil {
		return err
	}
	return p.stream(w, r, func(ctx context.Context, send func(string) error) {
		for {
			l := c.look()
			for _, e := range l.events() {
				if send(e) != nil {
					return
				}
			}
			if l.Session != "" || l.Error != nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-l.changed:
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(settle):
			}
		}
	})
}

// events are what a page gets that shows something older.
func (l *creationLook) events() []string {
	if l.Session != "" {
		return []string{textEvent("go", "../sessions/"+l.Session)}
	}
	if l.Error != nil {
		return []string{textEvent("change", ""), textEvent("end", "")}
	}
	return []string{textEvent("change", "")}
}

func textEvent(name, text string) string {
	e, _ := event(name, text) // a string always can be encoded
	return e
}
