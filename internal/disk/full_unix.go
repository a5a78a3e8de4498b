//go:build unix

package disk

import (
	"errors"
	"syscall"
)

// Full reports whether an error of a file says that the disk is full.
func Full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
