package server

import (
	"context"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// registerImages adds the routes of images.
func (s *Server) registerImages() {
	route(s, traits{}, operation(http.MethodGet, "/v1/images", "images", "listImages", "All images"),
		func(ctx context.Context, _ *nothing) (*answer[imagesAnswer], error) {
			images, err := s.Service.Images(ctx)
			return answerWith(imagesAnswer{orEmpty(images)}, err)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/images/{image}", "images", "getImage", "An image, with its lock"),
		func(ctx context.Context, in *ImagePath) (*answer[*api.ImageInfo], error) {
			return answerWith(s.Service.Image(ctx, in.Image))
		})
	route(s, traits{}, operation(http.MethodDelete, "/v1/images/{image}", "images", "removeImage", "Remove an image"),
		func(ctx context.Context, in *ImagePath) (*nothing, error) {
			return &nothing{}, s.Service.RemoveImage(ctx, in.Image)
		})
	build := operation(http.MethodPost, "/v1/images", "images", "buildImage", "Build or pull an image")
	route(s, traits{stream: true}, build, s.buildImage)
	s.answers(build, "200", "Progress, at last the image or the error", map[string]*huma.MediaType{mediaLines: streamOf(mediaLines, schema[imageLine](s), buildExample)})
	push := operation(http.MethodPost, "/v1/images/{image}/push", "images", "pushImage", "Push an image to a registry")
	route(s, traits{stream: true}, push, s.pushImage)
	s.answers(push, "200", "Progress, at last the reference in the registry by digest, or the error", map[string]*huma.MediaType{mediaLines: streamOf(mediaLines, schema[imageLine](s), pushExample)})
}

type imagesAnswer struct {
	Images []api.ImageInfo `json:"images"`
}

// ImagePath is the parameter of the routes of one image.
type ImagePath struct {
	Image string `path:"image" maxLength:"512" pattern:"^[!-$&-~]+$" doc:"The id of an image, a unique beginning of it, or a name" example:"tools"`
}

type buildBody struct {
	Spec *api.ImageSpec `json:"spec" doc:"What the image is made of" required:"true"`
}

type buildInput struct{ Body jsonBody[buildBody] }

func (s *Server) buildImage(ctx context.Context, in *buildInput) (*huma.StreamResponse, error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if given.Spec == nil {
		return nil, missing("spec", "an image spec")
	}
	for _, ref := range []string{given.Spec.Ref, given.Spec.Base} {
		if err := checkImageRef(ref, isLocal(ctx)); err != nil {
			return nil, err
		}
	}
	budget.ShareOf(ctx).Release() // it may take long
	return s.workLines(func(ctx context.Context, progress func(api.Progress)) (imageLine, error) {
		image, err := s.Service.BuildImage(ctx, *given.Spec, progress)
		return imageLine{Image: image}, err
	}), nil
}

type pushBody struct {
	Ref    string `json:"ref" doc:"Where to, in a registry" required:"true" minLength:"1"`
	Secret string `json:"secret,omitempty" doc:"A stored secret user:password"`
}

type pushInput struct {
	ImagePath
	Body jsonBody[pushBody]
}

func (s *Server) pushImage(ctx context.Context, in *pushInput) (*huma.StreamResponse, error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if given.Ref == "" {
		return nil, missing("ref", "a reference into a registry")
	}
	if err := checkImageRef(given.Ref, isLocal(ctx)); err != nil {
		return nil, err
	}
	budget.ShareOf(ctx).Release() // it may take long
	return s.workLines(func(ctx context.Context, progress func(api.Progress)) (imageLine, error) {
		reference, err := s.Service.PushImage(ctx, in.Image, given.Ref, given.Secret, progress)
		return imageLine{Reference: reference}, err
	}), nil
}

// imageLine is one line of the answer to a build or a push.
type imageLine struct {
	Progress  *api.Progress  `json:"progress,omitempty"`
	Image     *api.ImageInfo `json:"image,omitempty"`
	Reference string         `json:"reference,omitempty"` // of the image in the registry, NAME@sha256:...
	Error     *api.Error     `json:"error,omitempty"`
}

// workLines answers with the progress of work and then its outcome. An error
// that comes before all progress is an answer of its own. The work ends with the
// request.
func (s *Server) workLines(work func(context.Context, func(api.Progress)) (imageLine, error)) *huma.StreamResponse {
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		out := newLineStream(w)
		var mu sync.Mutex // progress may come from several goroutines
		ended := false
		last, err := work(r.Context(), func(p api.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if !ended {
				_ = out.send(0, "", imageLine{Progress: &p}) // the client may be gone; then the context ends
			}
		})
		mu.Lock()
		defer mu.Unlock()
		ended = true
		if err != nil {
			s.logInternal(r.Context(), err)
		}
		if err != nil && !out.begun() {
			failureOf(err).write(w, r)
			return
		}
		if err != nil {
			last = imageLine{Error: failureOf(err).asError()}
		}
		_ = out.send(0, "", last) // the client may be gone
	})
}
