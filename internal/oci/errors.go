package oci

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

func layerError(d Digest, err error) error { return located("layer "+string(d), err) }

func entryError(name string, err error) error {
	return located(fmt.Sprintf("entry %.200q", name), err)
}

// located says where an error comes from and keeps its code. Errors without a
// code are those of the disk, or else of bytes that are not what they should be.
func located(where string, err error) error {
	if err == nil {
		return nil
	}
	if apiErr := (*api.Error)(nil); errors.As(err, &apiErr) {
		moved := *apiErr
		moved.Message = where + ": " + apiErr.Message
		return &moved
	}
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) || errors.Is(err, syscall.ENOSPC) {
		return diskError(where, err)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return contextError(err)
	}
	return api.Errorf(api.ImageInvalid, "%s: %w", where, err)
}
