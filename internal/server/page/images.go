package page

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
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

// maxShownPackages bounds the packages of one sort that the page of an image shows.
const maxShownPackages = 500

type imageData struct {
	Image    *api.ImageInfo
	Base     string
	Packages []imagePackage
	System   []imagePackage
	Layers   []imageLayer
	Left     int // packages that are not shown
	Record   string
}

type imagePackage struct{ Name, Version, From string }

type imageLayer struct {
	Digest string `json:"digest"`
	Size   int64  `json:"size"`
}

// imageRecord is what a page reads of the record of an image, whose lock says what is
// in it.
type imageRecord struct {
	Layers []imageLayer `json:"layers"`
	Lock   struct {
		Base     struct{ Ref string } `json:"base"`
		Packages []struct {
			Name, Version, URL, Index string
		} `json:"packages"`
		System []struct{ Name, Version string } `json:"system_packages"`
	} `json:"lock"`
}

func (p *Page) image(r *http.Request) (content, error) {
	image, err := p.Service.Image(r.Context(), r.PathValue("id"))
	if err != nil {
		return content{}, err
	}
	data := &imageData{Image: image}
	if err := data.read(image.Record); err != nil {
		return content{}, err
	}
	return content{Template: "image", Title: "Image", Nav: "images", Data: data}, nil
}

// read takes what a record says. One of another form is shown as it is.
func (d *imageData) read(raw json.RawMessage) error {
	var whole any
	if json.Unmarshal(raw, &whole) != nil || whole == nil {
		return nil
	}
	text, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return err
	}
	d.Record = visible(value.Shorten(string(text), maxShownRecord))
	var record imageRecord
	if json.Unmarshal(raw, &record) != nil {
		return nil
	}
	d.Base, d.Layers = record.Lock.Base.Ref, record.Layers
	for _, one := range record.Lock.Packages {
		from := strings.TrimSuffix(one.URL+" "+one.Index, " ")
		d.Packages = append(d.Packages, imagePackage{one.Name, one.Version, strings.TrimSpace(from)})
	}
	for _, one := range record.Lock.System {
		d.System = append(d.System, imagePackage{Name: one.Name, Version: one.Version})
	}
	d.Packages, d.System = d.few(d.Packages), d.few(d.System)
	return nil
}

// maxShownRecord bounds the text of the record that is shown, in bytes.
const maxShownRecord = 30 << 10

// few leaves out packages that are too many to be shown.
func (d *imageData) few(all []imagePackage) []imagePackage {
	if len(all) > maxShownPackages {
		d.Left += len(all) - maxShownPackages
		return all[:maxShownPackages]
	}
	return all
}
