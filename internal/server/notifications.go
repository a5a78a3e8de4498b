package server

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// registerNotifications adds the routes of what runs tell.
func (s *Server) registerNotifications() {
	route(s, traits{}, operation(http.MethodGet, "/v1/notifications", "notifications", "listNotifications", "What runs tell their receivers, the newest first"), s.listNotifications)
	again := operation(http.MethodPost, "/v1/notifications/{id}/redeliver", "notifications", "redeliverNotification", "Have a notification delivered again, now; the receiver gets the same id")
	again.DefaultStatus = http.StatusAccepted
	route(s, traits{}, again, func(ctx context.Context, in *NotificationPath) (*answer[*api.Delivery], error) {
		return answerWith(s.Service.Redeliver(ctx, in.ID))
	})
}

type notificationsInput struct {
	Run    string `query:"run" minLength:"1" maxLength:"128" doc:"Those of this run"`
	State  string `query:"state" doc:"Where they stand" enum:"waiting,delivered,failed"`
	Limit  int    `query:"limit" minimum:"0" maximum:"1000" doc:"0 means 50"`
	Cursor string `query:"cursor" maxLength:"1024" pattern:"^[A-Za-z0-9_-]+$" doc:"The member next of the page before; it is opaque, and valid only with the same parameters"`
}

// NotificationPath is the parameter of the routes of one notification.
type NotificationPath struct {
	ID string `path:"id" maxLength:"128" pattern:"^[!-$&-~]+$" doc:"The id of a notification" example:"msg-06gvtjalcd0nvvihdhfgp2b1-5-0"`
}

func (s *Server) listNotifications(ctx context.Context, in *notificationsInput) (*answer[api.DeliveryPage], error) {
	page, err := s.Service.Deliveries(ctx, api.DeliveryQuery{Run: in.Run, State: api.DeliveryState(in.State), Limit: in.Limit, Cursor: in.Cursor})
	page.Deliveries = orEmpty(page.Deliveries)
	return answerWith(page, err)
}
