package page

import (
	"encoding/json"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

type imagesData struct {
	Images []api.ImageInfo
	Size   int64
}

func (p *Page) images(r *http.Request) (content, error) {
	images, err := p.Service.Images(r.Context())
	if err != nil {
		return content{}, err
	}
	data := imagesData{Images: images}
	for _, i := range images {
		data.Size += i.Size
	}
	return content{Template: "images", Title: "Images", Nav: "images", Data: data}, nil
}

type imageData struct {
	Image  *api.ImageInfo
	Record string
}

func (p *Page) image(r *http.Request) (content, error) {
	image, err := p.Service.Image(r.Context(), r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	var record any
	data := imageData{Image: image}
	if json.Unmarshal(image.Record, &record) == nil && record != nil {
		text, err := json.MarshalIndent(record, "", "  ")
		if err != nil {
			return content{}, err
		}
		data.Record = visible(string(text))
	}
	return content{Template: "image", Title: "Image", Nav: "images", Data: data}, nil
}

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
