//go:build !windows

package box

import (
	"errors"
	"syscall"
)

// notBelowFile reports whether a name leads through something that is no directory.
func notBelowFile(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
