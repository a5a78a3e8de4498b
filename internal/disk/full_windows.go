package disk

import (
	"errors"
	"slices"

	"golang.org/x/sys/windows"
)

// Full reports whether an error of a file says that the disk is full.
func Full(err error) bool {
	full := []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}
	return slices.ContainsFunc(full, func(code error) bool { return errors.Is(err, code) })
}
