package server

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName is the length of a task's name as that of a tool. Models take names of
// 64 characters, of which clients use some for the name of the server.
const maxName = 40

// toolName is the name of a deployed task as a tool, which is the same in the code
// of code_mode: task_ before it, and two underscores for a point. A name that could
// then be that of another task, or is too long, gets digits of its digest.
func toolName(task string) string {
	name := strings.ReplaceAll(task, ".", "__")
	if len(name) <= maxName && unambiguous(task) {
		return "task_" + name
	}
	plain := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' {
			return '_'
		}
		return r
	}, task)
	sum := sha256.Sum256([]byte(task))
	return "task_" + plain[:min(len(plain), maxName-9)] + "_" + hex.EncodeToString(sum[:4])
}

// unambiguous reports whether the points of a name differ from its underscores,
// and the whole from task_run.
func unambiguous(task string) bool {
	return task != "run" && !strings.Contains(task, "__") && !strings.Contains(task, "_.") && !strings.Contains(task, "._") &&
		!strings.Contains(task, "-") && !strings.Contains(task, "..") && !strings.HasPrefix(task, "_") && !strings.HasPrefix(task, ".") &&
		!looksDigested(task)
}

// looksDigested reports whether a name ends like one with digits of a digest.
func looksDigested(task string) bool {
	at := strings.LastIndexByte(task, '_')
	if at < 0 || len(task)-at != 9 {
		return false
	}
	_, err := hex.DecodeString(task[at+1:])
	return err == nil
}
