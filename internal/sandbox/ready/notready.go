package ready

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
	"github.com/glovebox-dev/glovebox/internal/sandbox/traceback"
	"github.com/glovebox-dev/glovebox/value"
)

// preloadMark begins the line by which the runner reports a module that it
// could not import.
const preloadMark = "glovebox preload "

// notReady explains why an interpreter has ended before it could take a job.
func notReady(err error) error {
	var ended *cell.NotReadyError
	if !errors.As(err, &ended) {
		return err
	}
	before, report, found := cutLast(ended.Stderr, preloadMark)
	details := api.Details{ExitCode: ended.Exit.Status(), Signal: ended.Exit.Signal, Stderr: streams.Clean(before, streams.LastLineBytes)}
	var failed struct{ Module, Type, Message string }
	if found && json.Unmarshal([]byte(report), &failed) == nil {
		return preloadFailed(failed.Module, failed.Type+": "+failed.Message, details)
	}
	e := api.Errorf(api.NonzeroExit, "the interpreter of the image ended before it could run anything (status %d)", details.ExitCode)
	if ended.Exit.Signal != "" {
		e = api.Errorf(api.Signaled, "the interpreter of the image was ended by %s before it could run anything", ended.Exit.Signal)
	}
	return e.WithHint("look at what the image, its variables and the modules in preload do to python3").WithDetails(details)
}

func preloadFailed(module, reason string, details api.Details) error {
	module, reason = streams.Clean(module, traceback.MessageBytes), streams.Clean(reason, traceback.MessageBytes)
	details.Field, details.Got, details.Expected = "preload", value.Quote(module), "modules that can be imported in the image"
	e := api.Errorf(api.InvalidTask, "preload %s: %s", value.Quote(module), streams.FirstLine(reason)).
		WithHint("leave the module out of preload, or add the package that has it to packages").WithDetails(details)
	e.Outcome = api.NotStarted
	return e
}

// cutLast cuts text around the last line that begins with mark.
func cutLast(text, mark string) (before, rest string, found bool) {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range slices.Backward(lines) {
		if rest, found := strings.CutPrefix(line, mark); found {
			return strings.Join(lines[:i], ""), strings.TrimSuffix(rest, "\n"), true
		}
	}
	return text, "", false
}
