package e2b

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Templates is a directory with files of templates, one of each node, as whoever prunes
// blobs sees it.
type Templates string

// References calls f for the digest of every blob that a template needs to be built
// again, or is being built of. An upload for what was given up is not among them.
func (t Templates) References(ctx context.Context, f func(digest string) error) error {
	files, err := os.ReadDir(string(t))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for i := 0; i < len(files) && err == nil; i++ {
		if filepath.Ext(files[i].Name()) == ".json" {
			err = TemplateFile(filepath.Join(string(t), files[i].Name())).References(ctx, f)
		}
	}
	return err
}

// TemplateFile is one of these files, which may not be there.
type TemplateFile string

// References does for one file what Templates do for all.
func (t TemplateFile) References(_ context.Context, f func(digest string) error) error {
	kept, err := readTemplates(string(t))
	if err != nil {
		return err
	}
	for _, template := range kept.Templates {
		for _, b := range template.Builds {
			if !template.needs(b) {
				continue
			}
			for _, digest := range kept.blobs(&b.Recipe) {
				if err := f(digest); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// needs reports whether a build may still be asked for: it is under way, or a tag
// means it.
func (t *template) needs(b *build) bool {
	return b.Status == buildBuilding || slices.Contains(slices.Collect(maps.Values(t.Tags)), b.ID)
}

// blobs are the context of a recipe, and the uploads that it is made of: templates
// that begin with this one join them with their own.
func (k *keptTemplates) blobs(r *recipe) []string {
	digests := []string{r.Context}
	for _, hash := range r.Files {
		digests = append(digests, k.Files[hash])
	}
	return slices.DeleteFunc(digests, func(digest string) bool { return digest == "" })
}
