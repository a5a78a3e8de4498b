package page

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

func (p *Page) cancel(r *http.Request) (string, content, error) {
	err := p.Service.Cancel(r.Context(), r.PathValue("id"), "by a person on the page")
	return "../" + r.PathValue("id"), content{}, err
}

func (p *Page) resume(r *http.Request) (string, content, error) {
	run, err := p.Service.Resume(r.Context(), r.PathValue("id"), api.ResumeOptions{RetryUnknown: r.PostForm.Get("retry-unknown") != ""})
	if err != nil {
		return "", content{}, err
	}
	return "../" + run.ID, content{}, nil
}

// resolve records what a person found out about a call in doubt.
func (p *Page) resolve(r *http.Request) (string, content, error) {
	o := api.Resolution{Call: strings.TrimSpace(r.PostForm.Get("call"))}
	text := strings.TrimSpace(r.PostForm.Get("value"))
	switch r.PostForm.Get("outcome") {
	case "done":
		if !json.Valid([]byte(text)) {
			return "", content{}, api.Errorf(api.RequestInvalid, "the value is no JSON").
				WithDetails(api.Details{Field: "value", Got: text, Expected: "JSON of the output, such as 42, \"text\" or null"})
		}
		o.Value = json.RawMessage(text)
	case "not-done":
		if o.Failed = text; o.Failed == "" {
			o.Failed = "a person said that it was not done"
		}
	default:
		return "", content{}, api.Errorf(api.RequestInvalid, "the form does not say what became of the call").WithDetails(api.Details{Field: "outcome", Expected: "done or not-done"})
	}
	if _, err := p.Service.Resolve(r.Context(), r.PathValue("id"), o); err != nil {
		return "", content{}, err
	}
	return "../" + r.PathValue("id"), content{}, nil
}
