package oci

import (
	"os"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci/erofs"
)

// CheckRootFS says whether a file begins as Flatten has it, and is as long as
// its beginning says: image_invalid if not. It reads one block, of a regular file
// alone, so that no FIFO in its place makes it wait.
func CheckRootFS(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return diskError("open the root file system", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return diskError("open the root file system", err)
	}
	if !info.Mode().IsRegular() {
		return api.Errorf(api.ImageInvalid, "the root file system %s is no regular file", path)
	}
	size, err := erofs.SizeOf(f)
	if err != nil {
		return api.Errorf(api.ImageInvalid, "the root file system %s is damaged: %w", path, err)
	}
	if size != info.Size() {
		return api.Errorf(api.ImageInvalid, "the root file system %s is damaged: it has %d bytes instead of %d", path, info.Size(), size)
	}
	return nil
}
