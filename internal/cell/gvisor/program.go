package gvisor

import (
	"debug/elf"
	"fmt"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// checkProgram refuses a program that needs a dynamic loader: it was built with
// cgo, and then a sandbox could not drop the capabilities of all its threads.
func checkProgram(path string) error {
	program, err := elf.Open(path)
	if err != nil {
		return api.Errorf(api.IsolationUnavailable, "reading the sandbox program %s: %w", path, err)
	}
	defer program.Close()
	for _, segment := range program.Progs {
		if segment.Type == elf.PT_INTERP {
			return api.Errorf(api.IsolationUnavailable, "the program %s is linked dynamically, so it cannot be a sandbox", path).
				WithHint("build it with CGO_ENABLED=0")
		}
	}
	return nil
}

// openProgram opens the program of the sandbox once for all cells.
func openProgram(path string) (*os.File, error) {
	if err := checkProgram(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

func programFinding(path string) cell.Finding {
	if err := checkProgram(path); err != nil {
		return cell.Finding{Subject: "sandbox program", Fatal: true, Detail: api.AsError(err).Message, Remedy: api.AsError(err).Hint}
	}
	return cell.Finding{Subject: "sandbox program", OK: true, Detail: fmt.Sprintf("%s, linked statically", path)}
}
