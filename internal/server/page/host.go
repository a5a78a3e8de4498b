package page

import (
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

type systemData struct {
	Findings []api.Finding
	Pools    []api.WarmPool
	Workers  []api.Worker
	Secrets  []string
}

func (p *Page) system(r *http.Request) (content, error) {
	ctx := r.Context()
	var data systemData
	var err error
	if data.Findings, err = p.Service.Doctor(ctx, false); err != nil {
		return content{}, err
	}
	if data.Pools, err = p.Service.WarmPools(ctx); err != nil {
		return content{}, err
	}
	if data.Workers, err = p.Service.Workers(ctx); err != nil {
		return content{}, err
	}
	if data.Secrets, err = p.Service.Secrets(ctx); err != nil {
		return content{}, err
	}
	return content{Template: "system", Title: "System", Nav: "system", Data: data}, nil
}
