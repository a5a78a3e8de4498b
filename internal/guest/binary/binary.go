// Package binary holds the guest program, built before it is embedded, for the
// architecture of the host.
package binary

import (
	"embed"
	"errors"
	"io/fs"
	"runtime"
)

//go:embed all:files
var files embed.FS

// ErrMissing says that the program was built without "make build".
var ErrMissing = errors.New("this program was built without its guest; build it with: make build")

// Bytes returns the guest program for this architecture.
func Bytes() ([]byte, error) {
	data, err := fs.ReadFile(files, "files/glovebox-guest-linux-"+runtime.GOARCH)
	if err != nil {
		return nil, ErrMissing
	}
	return data, nil
}
