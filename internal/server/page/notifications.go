package page

import (
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

type notificationsData struct {
	Page   api.DeliveryPage
	State  api.DeliveryState
	States []api.DeliveryState
}

func (p *Page) notifications(r *http.Request) (content, error) {
	q := r.URL.Query()
	data := notificationsData{State: api.DeliveryState(q.Get("state")), States: []api.DeliveryState{api.DeliveryWaiting, api.DeliveryDelivered, api.DeliveryFailed}}
	var err error
	if data.Page, err = p.Service.Deliveries(r.Context(), api.DeliveryQuery{State: data.State, Cursor: q.Get("cursor")}); err != nil {
		return content{}, err
	}
	return content{Template: "notifications", Title: "Notifications", Nav: "schedules", Data: data}, nil
}

func (p *Page) redeliver(r *http.Request) (next string, again content, err error) {
	d, err := p.Service.Redeliver(r.Context(), r.PathValue("id"))
	if err != nil {
		return "", content{}, err
	}
	return "../../runs/" + d.Run, content{}, nil
}
