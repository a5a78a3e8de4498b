package image

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/oci"
)

// extended is the kind of the step that a session is in the lock of an image.
const extended = "session"

// Extend makes an image of one that is here and of what a cell has changed of it,
// an archive that cell.Cell.Layer has written, as one more layer. What a cell has
// for itself is left out, but not /work, where a session works. An empty name is
// one made of the content.
func (s *Service) Extend(ctx context.Context, id, name string, changed io.Reader) (*Record, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	base, err := s.Inspect(id)
	if err != nil {
		return nil, err
	}
	done, err := s.store.use(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	layer, err := s.store.blobs.AddLayer(ctx, changed, oci.LayerOptions{
		Exclude: slices.DeleteFunc(oci.CellPaths(), func(path string) bool { return path == "work" }),
	})
	if err != nil {
		return nil, err
	}
	layers := make([]oci.Layer, 0, len(base.Layers)+1)
	for _, l := range base.Layers {
		layers = append(layers, s.store.blobs.Layer(l))
	}
	lock := *base.Lock
	key := string(layer.Digest)
	lock.Steps = append(slices.Clone(base.Lock.Steps), LockedStep{Kind: extended, Text: base.ID, Key: key})
	if name == "" {
		name = "session-" + strings.TrimPrefix(key, "sha256:")[:12]
	}
	rec, err := s.recordLayers(ctx, &lock, name, base.Config, append(layers, layer))
	if err != nil {
		return nil, err
	}
	// It has no lock of its own: the spec is that of the image below.
	if err := s.store.write("images", hexOf(rec.ID)+".json", rec); err != nil {
		return nil, err
	}
	return rec, s.store.name(name, rec.ID)
}
