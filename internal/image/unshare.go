package image

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// unshareTemp makes the directory in which mmdebstrap works. Its root there is
// a subordinate id, which has to pass every directory above, so the directory
// cannot be in the private home. What killed processes left of earlier ones is
// removed first.
func unshareTemp(ctx context.Context, parent string, ids idRange) (tmp string, remove func(), err error) {
	prefix := fmt.Sprintf("glovebox-base-%d-", os.Getuid())
	stale, err := filepath.Glob(filepath.Join(parent, prefix+"*"))
	if err != nil {
		return "", nil, storageError("look for directories of earlier builds", err)
	}
	for _, old := range stale {
		removeStale(ctx, old)
	}
	dir, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return "", nil, storageError("make a directory for mmdebstrap", err)
	}
	release, _, err := tryAcquire(filepath.Join(dir, scratchLock), exclusive)
	if err != nil {
		return "", nil, err
	}
	remove = func() {
		removeUnshared(context.WithoutCancel(ctx), dir)
		release()
	}
	if tmp, err = ids.tempIn(dir); err != nil {
		remove()
		return "", nil, storageError("open the directory for mmdebstrap", err)
	}
	return tmp, remove, nil
}

// removeStale removes a directory of this user whose owner has ended.
func removeStale(ctx context.Context, dir string) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Getuid()) {
		return
	}
	release, free, err := tryAcquire(filepath.Join(dir, scratchLock), exclusive)
	if err != nil || !free {
		return
	}
	defer release()
	removeUnshared(ctx, dir)
}

// removeUnshared removes what the subordinate ids own, which only they can,
// and then the rest. A failure leaves it to the next build.
func removeUnshared(ctx context.Context, dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	helper := exec.CommandContext(ctx, "mmdebstrap", "--unshare-helper", "find", dir, "-mindepth", "1", "-maxdepth", "1", "-type", "d", "-exec", "rm", "-rf", "{}", "+")
	_ = helper.Run() // judged by what is left
	_ = os.RemoveAll(dir)
}
