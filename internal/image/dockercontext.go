package image

import (
	"context"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// contextTree opens the build context, which is read once from its tar into one
// file. No name in it ever becomes one of the host.
func (d *dockerBuild) contextTree(ctx context.Context) (copier.Tree, error) {
	if d.context != nil {
		return d.context, nil
	}
	digest := d.order.spec.Context
	if digest == "" {
		return nil, api.Errorf(api.InvalidTask, "it needs a build context, and none was given").
			WithHint("name the Dockerfile by its path, so that its directory goes with it").
			WithDetails(api.Details{Field: "image.context"})
	}
	r, err := d.s.config.Blob(ctx, digest)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	path := filepath.Join(d.scratch.dir, "context.erofs")
	if err := oci.Pack(ctx, r, path, oci.Limits{}); err != nil {
		return nil, inContext(err)
	}
	d.context, err = d.openTree(path)
	return d.context, err
}

func inContext(err error) error {
	e := *api.AsError(err)
	e.Message, e.Details.Field = "the build context: "+e.Message, "image.context"
	return &e
}
