package page

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

type hookData struct {
	Hook  *api.Hook
	Facts []fact
}

func (p *Page) hook(r *http.Request) (content, error) {
	h, err := p.Service.Hook(r.Context(), r.PathValue("name"))
	if err != nil {
		return content{}, err
	}
	facts := []fact{
		{"Task", h.Task, "page/tasks/" + h.Task}, {Name: "Called at", Text: "POST /v1/hooks/" + h.Name},
		{Name: "Signed by", Text: fmt.Sprintf("%s, with the secret %s", cmp.Or(h.Signature, api.HookStandard), h.Secret)},
	}
	facts = append(facts, known(fact{Name: "Body is input", Text: h.Body}, fact{Name: "Inputs", Text: string(h.Inputs)}, fact{Name: "Environment", Text: h.Environment})...)
	return content{Template: "hook", Title: h.Name, Nav: "schedules", Data: hookData{h, facts}}, nil
}

func (p *Page) changeHook(r *http.Request) (next string, again content, err error) {
	ctx, name := r.Context(), r.PathValue("name")
	switch action := r.PathValue("action"); action {
	case "pause":
		_, err = p.Service.PauseHook(ctx, name)
	case "resume":
		_, err = p.Service.ResumeHook(ctx, name)
	default:
		err = api.Errorf(api.NotFound, "a hook cannot be asked to %s", action)
	}
	return "../" + name, content{}, err
}
