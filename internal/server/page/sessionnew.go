package page

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// sessionForm is the form of a new session, with what somebody wrote.
type sessionForm struct {
	Image, Packages, Network, CPU, Memory, Idle, Timeout string
	Error                                                *api.Error
}

// readSessionForm takes what somebody wrote.
func readSessionForm(r *http.Request) (f sessionForm) {
	for name, to := range map[string]*string{
		"image": &f.Image, "packages": &f.Packages, "network": &f.Network, "cpu": &f.CPU, "memory": &f.Memory, "idle": &f.Idle, "timeout": &f.Timeout,
	} {
		*to = strings.TrimSpace(r.PostForm.Get(name))
	}
	return f
}

// title names the image that a form asks for.
func (f *sessionForm) title() string { return cmp.Or(f.Image, "the default image") }

// spec reads the form. The reference of an image is held to what any client may name.
func (f *sessionForm) spec() (api.SessionSpec, error) {
	spec := api.SessionSpec{Image: api.ImageSpec{Ref: f.Image}, Network: networkOf(f.Network)}
	if file, isPath := api.ImagePath(f.Image); isPath {
		return spec, wrongField("image", file, "a reference into a registry, no path")
	}
	for line := range strings.Lines(f.Packages) {
		if line = strings.TrimSpace(line); line != "" {
			spec.Image.Packages = append(spec.Image.Packages, line)
		}
	}
	memory, err := number("memory", f.Memory, 1<<20)
	if err != nil {
		return spec, err
	}
	cpu, err := number("cpu", f.CPU, 1)
	if err != nil {
		return spec, err
	}
	idle, err := number("idle", f.Idle, float64(time.Minute))
	if err != nil {
		return spec, err
	}
	timeout, err := number("timeout", f.Timeout, float64(time.Minute))
	spec.Resources = api.Resources{CPU: cpu, Memory: int64(memory)}
	spec.Idle, spec.Timeout = time.Duration(idle), time.Duration(timeout)
	return spec, err
}

func networkOf(text string) api.Network {
	if text == "public" {
		return api.Network{Public: true}
	}
	return api.Network{}
}

// number reads a field that may be empty.
func number(field, text string, unit float64) (float64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n <= 0 || n > 1e6 || n != n {
		return 0, wrongField(field, text, "a number above 0")
	}
	return n * unit, nil
}

func wrongField(field, got, expected string) error {
	return api.Errorf(api.RequestInvalid, "%s is %s, expected %s", field, visible(value.Shorten(got, 100)), expected).
		WithDetails(api.Details{Field: field, Got: got, Expected: expected})
}

// openPort is an open port of a session with its address for browsers.
type openPort struct {
	api.Port
	Link string
}

func (p *Page) portsOf(ctx context.Context, s *api.Session) []openPort {
	var ports []openPort
	for _, one := range s.Ports {
		open := openPort{Port: one}
		if p.PortLink != nil {
			open.Link = p.PortLink(ctx, s.ID, one)
		}
		ports = append(ports, open)
	}
	return ports
}

func portOf(r *http.Request) (int, error) {
	port, err := strconv.Atoi(strings.TrimSpace(r.PostForm.Get("port")))
	if err != nil || port < 1 || port > 65535 {
		return 0, wrongField("port", r.PostForm.Get("port"), "a number from 1 to 65535")
	}
	return port, nil
}

func (p *Page) openPort(r *http.Request) (string, content, error) {
	port, err := portOf(r)
	if err == nil {
		_, err = p.Service.OpenPort(r.Context(), r.PathValue("id"), port, api.PortOptions{Public: r.PostForm.Get("public") != ""})
	}
	return "../" + r.PathValue("id"), content{}, err
}

func (p *Page) closePort(r *http.Request) (string, content, error) {
	port, err := portOf(r)
	if err == nil {
		err = p.Service.ClosePort(r.Context(), r.PathValue("id"), port)
	}
	return "../../" + r.PathValue("id"), content{}, err
}
