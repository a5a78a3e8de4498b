package image

import (
	"context"
	"path"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// debianInRegistry begins the references to Debian's official images.
const debianInRegistry = "docker.io/library/debian:"

// base gives an image that a Dockerfile names: of a registry, or an OCI layout
// in its context. A path is one of the context, never one of the host.
func (d *dockerBuild) base(ctx context.Context, ref string) (*baseRecord, error) {
	if file, ok := api.ImagePath(ref); ok {
		return d.contextLayout(ctx, ref, file)
	}
	ref = inRegistry(ref)
	su, replaceable := debianNamed(ref)
	if replaceable && d.s.registryDown() != "" {
		return d.mirror(ctx, su)
	}
	rec, err := d.s.base(ctx, Spec{Base: ref, Platform: d.order.spec.Platform}, d.order.authFor(ref), d.progress)
	if err == nil || !replaceable || !fallsBack(err) {
		return rec, err
	}
	d.s.rememberRegistryDown(withoutReference(err))
	return d.mirror(ctx, su)
}

// mirror takes a Debian in place of the official image of it.
func (d *dockerBuild) mirror(ctx context.Context, su suite) (*baseRecord, error) {
	why := "no registry can be reached (" + d.s.registryDown() + "), so " + su.name + " comes from the Debian mirror"
	d.progress(api.Progress{Stage: "base", Message: why})
	return d.s.base(ctx, Spec{Base: "debian:" + su.name, Platform: d.order.spec.Platform}, oci.Options{}, d.progress)
}

// inRegistry writes a reference as Docker reads it: with its registry, and the
// tag latest if it has none. In a Dockerfile debian is an image of Docker Hub;
// as a base of a spec it is a Debian of the mirror.
func inRegistry(ref string) string {
	host, _, has := strings.Cut(ref, "/")
	switch {
	case !has:
		ref = "docker.io/library/" + ref
	case !strings.ContainsAny(host, ".:") && host != "localhost":
		ref = "docker.io/" + ref
	}
	if !strings.ContainsAny(path.Base(ref), ":@") {
		ref += ":latest"
	}
	return ref
}

// debianNamed finds the release that stands in for an official image of Debian
// while no registry can be reached.
func debianNamed(ref string) (suite, bool) {
	tag, ok := strings.CutPrefix(ref, debianInRegistry)
	if !ok {
		return suite{}, false
	}
	for _, su := range suites() {
		if tag == su.name || tag == su.name+"-slim" {
			return su, true
		}
	}
	return suite{}, false
}

// authFor gives the credentials of a spec to its own registry alone: the images
// that a Dockerfile names may be of any other.
func (o order) authFor(ref string) oci.Options {
	if o.registry == "" || sourceOf("registry", ref) != sourceOf("registry", o.registry+"/") {
		return oci.Options{}
	}
	return o.auth
}

// contextLayout takes a base from an OCI layout in the context.
func (d *dockerBuild) contextLayout(ctx context.Context, ref, dir string) (*baseRecord, error) {
	if strings.HasPrefix(ref, "archive:") {
		return nil, api.Errorf(api.InvalidTask, "an archive of an image cannot be the base of a Dockerfile").
			WithHint("put an OCI layout into the build context, and name its directory: FROM oci:./layout")
	}
	from, err := d.contextTree(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := oci.OpenLayout(ctx, from, dir, oci.Options{Platform: d.order.spec.Platform})
	if err != nil {
		return nil, err
	}
	d.progress(api.Progress{Stage: "base", Message: "base: " + ref + " from the context"})
	layers, err := d.s.fetchLayers(ctx, opened, d.progress)
	if err != nil {
		return nil, err
	}
	return &baseRecord{Base: Base{Kind: "context", Ref: ref, Digest: opened.Digest}, Config: opened.Config, Layers: layers}, nil
}
