package denied

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

func (s Service) Deliveries(context.Context, api.DeliveryQuery) (api.DeliveryPage, error) {
	return api.DeliveryPage{}, s.Refuse("see what runs tell")
}

func (s Service) Redeliver(context.Context, string) (*api.Delivery, error) {
	return nil, s.Refuse("have a notification delivered again")
}
