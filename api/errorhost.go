package api

import (
	"errors"
	"io/fs"
	"syscall"
)

// ofHost returns the code and the advice for an error that says what the host
// lacks. For any other error it returns otherwise.
func ofHost(err error, otherwise CodeInfo) CodeInfo {
	info := IsolationUnavailable.Info()
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return StorageFull.Info()
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		info.Hint = "too many files are open: raise the limit, such as with: ulimit -n 4096"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		info.Hint = "make the path writable for this user, or set GLOVEBOX_HOME to a directory that is"
	default:
		return otherwise
	}
	return info
}
