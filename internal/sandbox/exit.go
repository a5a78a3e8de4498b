package sandbox

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/traceback"
)

// Exit statuses of a shell, or of the guest in its place.
const (
	statusNotExecutable = 126
	statusNotFound      = 127
)

// exitCodeName is the output that makes the exit status data.
const exitCodeName = "exit_code"

// failure turns a bad end of the program into an error, and a good one into
// nil.
func (a *attempt) failure(exit cell.Exit) error {
	details := api.Details{ExitCode: exit.Status(), Signal: exit.Signal, Stderr: a.logs.Stderr.LastLines()}
	switch {
	case exit.Signal != "":
		return api.Errorf(api.Signaled, "the program was ended by %s", exit.Signal).WithDetails(details)
	case exit.Code == 0:
		return nil
	case a.mode == api.Verbatim && exit.Code == 1:
		return a.scriptFailure(details)
	case !a.mode.Python() && exit.Code == statusNotFound:
		return api.Errorf(api.CommandNotFound, "the command ended with status 127: a program in it was not found").WithDetails(details)
	case !a.mode.Python() && exit.Code == statusNotExecutable:
		return api.Errorf(api.CommandNotFound, "the command ended with status 126: a program in it cannot be executed").WithDetails(details)
	}
	return nonzero(details)
}

func nonzero(details api.Details) *api.Error {
	return api.Errorf(api.NonzeroExit, "the program ended with status %d", details.ExitCode).WithDetails(details)
}

// scriptFailure looks for the exception that ended a script as written. Text
// behind the traceback may be more of its message, or the script's own
// output after it had caught it: then the status is what is certain.
func (a *attempt) scriptFailure(details api.Details) error {
	found, last := traceback.Parse(string(a.logs.Stderr.Excerpt()), a.task.SourceName(), a.task.Code)
	if found == nil {
		return nonzero(details)
	}
	details.Exception = found
	if !last {
		return nonzero(details)
	}
	return traceback.Error(found).WithDetails(details)
}
