package oci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestErrorsKeepTheirCodes(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/x", Err: syscall.ENOSPC}
	for name, tt := range map[string]struct {
		err  error
		want api.Code
	}{
		"disk full":       {full, api.StorageFull},
		"quota":           {&fs.PathError{Op: "write", Path: "/x", Err: syscall.EDQUOT}, api.StorageFull},
		"disk full, told": {fmt.Errorf("copy: %w", diskError("write", full)), api.StorageFull},
		"disk broken":     {&fs.PathError{Op: "write", Path: "/x", Err: syscall.EIO}, api.Internal},
		"no permission":   {&fs.PathError{Op: "open", Path: "/x", Err: syscall.EACCES}, api.IsolationUnavailable},
		"cancelled":       {fmt.Errorf("read: %w", context.Canceled), api.Canceled},
		"out of time":     {context.DeadlineExceeded, api.RegistryUnavailable},
		"broken bytes":    {io.ErrUnexpectedEOF, api.ImageInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			wantCode(t, located("somewhere", tt.err), tt.want)
		})
	}
	if located("somewhere", nil) != nil {
		t.Error("no error became one")
	}
	if err := located("somewhere", full); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("the cause of %v is lost", err)
	}
}

// An image that cannot get its name leaves nothing behind.
func TestNoPlaceForImage(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing", "image")
	err := Flatten(context.Background(), nil, missing, Limits{})
	wantCode(t, err, api.Internal, "create a file")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = OpenBlobs(filepath.Join(dir, "file"))
	wantCode(t, err, api.Internal, "create "+dir)
	layer := makeLayer(t, ent{name: strings.Repeat("n", 100), content: "x"})
	if err := os.Mkdir(filepath.Join(dir, "image"), 0o700); err != nil {
		t.Fatal(err)
	}
	err = Flatten(context.Background(), []Layer{layer}, filepath.Join(dir, "image"), Limits{})
	wantCode(t, err, api.Internal, "write "+dir)
	if left, err := filepath.Glob(filepath.Join(dir, tempPrefix+"*")); len(left) != 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
