package client

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// BuildImage builds or pulls an image on the server.
func (c *Client) BuildImage(ctx context.Context, spec api.ImageSpec, progress func(api.Progress)) (*api.ImageInfo, error) {
	in := struct {
		Spec api.ImageSpec `json:"spec"`
	}{spec}
	last, err := c.work(ctx, "/v1/images", in, progress)
	if err == nil && last.Image == nil {
		err = c.unavailable("answered", errors.New("without the image"))
	}
	return last.Image, err
}

// Images lists the images of the server.
func (c *Client) Images(ctx context.Context) ([]api.ImageInfo, error) {
	var out struct {
		Images []api.ImageInfo `json:"images"`
	}
	err := c.get(ctx, "/v1/images", &out)
	return out.Images, err
}

// Image finds an image.
func (c *Client) Image(ctx context.Context, image string) (*api.ImageInfo, error) {
	s, err := segment("image", image)
	if err != nil {
		return nil, err
	}
	var info api.ImageInfo
	if err := c.get(ctx, "/v1/images"+s, &info); err != nil {
		return nil, err
	}
	return &info, nil
}

// RemoveImage deletes an image.
func (c *Client) RemoveImage(ctx context.Context, image string) error {
	s, err := segment("image", image)
	if err != nil {
		return err
	}
	return c.ask(ctx, request{method: http.MethodDelete, path: "/v1/images" + s}, nil)
}

// PushImage pushes an image to a registry and returns its reference there, by
// digest.
func (c *Client) PushImage(ctx context.Context, image, ref, secret string, progress func(api.Progress)) (string, error) {
	s, err := segment("image", image)
	if err != nil {
		return "", err
	}
	in := struct {
		Ref    string `json:"ref"`
		Secret string `json:"secret,omitempty"`
	}{ref, secret}
	last, err := c.work(ctx, "/v1/images"+s+"/push", in, progress)
	if err == nil && last.Reference == "" {
		err = c.unavailable("answered", errors.New("without the reference"))
	}
	return last.Reference, err
}

// workLine is a line of the answer to a request that takes long: stages, and
// at last what came of it.
type workLine struct {
	Progress  *api.Progress  `json:"progress"`
	Image     *api.ImageInfo `json:"image"`
	Reference string         `json:"reference"`
	Error     *api.Error     `json:"error"`
}

// work makes a request that takes long, and returns the last line of its answer.
func (c *Client) work(ctx context.Context, path string, in any, progress func(api.Progress)) (workLine, error) {
	r, err := withJSON(request{method: http.MethodPost, path: path, patient: true}, in)
	if err != nil {
		return workLine{}, err
	}
	resp, err := c.send(ctx, r)
	if err != nil {
		return workLine{}, err
	}
	defer resp.Body.Close()
	for lines := newMessages(resp.Body); ; {
		line, err := c.workLine(lines)
		switch {
		case err != nil:
			return workLine{}, err
		case line.Error != nil:
			return workLine{}, line.Error
		case line.Progress == nil:
			return line, nil
		case progress != nil:
			progress(*line.Progress)
		}
	}
}

func (c *Client) workLine(lines *messages) (workLine, error) {
	text, err := lines.line(maxMessage)
	if err == io.EOF {
		err = c.unavailable("broke off its answer", io.ErrUnexpectedEOF)
	}
	if err != nil {
		return workLine{}, api.AsError(err)
	}
	var line workLine
	return line, c.decode(text, &line)
}
