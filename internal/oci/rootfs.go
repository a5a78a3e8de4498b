package oci

import (
	"io"
	"io/fs"
	"os"

	"github.com/erofs/go-erofs"

	"github.com/glovebox-dev/glovebox/api"
)

// OpenRootFS reads a file that Flatten made. Symbolic links in it are not
// followed out of it. The caller closes it.
func OpenRootFS(path string) (fs.FS, io.Closer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, diskError("open the root file system", err)
	}
	root, err := erofs.Open(f)
	if err != nil {
		f.Close()
		return nil, nil, api.Errorf(api.ImageInvalid, "the root file system %s cannot be read: %w", path, err)
	}
	return root, f, nil
}
