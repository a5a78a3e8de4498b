// Package servicetest judges an api.Service by what its documentation promises,
// whatever carries it out: the engine in process, or a server behind a client.
// It starts no cells; its tasks are orchestrators and functions.
package servicetest

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// Host is where the functions of a service run.
type Host interface {
	// Function makes fn the code of a task of kind function, until the test
	// ends. The task is complete.
	Function(task api.Task, fn Func)
}

// Func is the code of a function. Files among its inputs can be read.
type Func func(ctx context.Context, inputs map[string]any) (map[string]any, error)

// Run judges the services that open returns. Each test opens one of its own,
// with nothing in it, and closes it.
func Run(t *testing.T, open func(t *testing.T) (api.Service, Host)) {
	for name, test := range map[string]func(*suite){
		"values":              values,
		"defaults":            defaults,
		"bad inputs":          badInputs,
		"bad tasks":           badTasks,
		"errors of functions": functionErrors,
		"errors of code":      codeErrors,
		"errors of calls":     callErrors,
		"nothing there":       nothingThere,

		"events":              events,
		"live events":         liveEvents,
		"events of a resume":  eventsOfResume,
		"logs":                logs,
		"live logs":           liveLogs,
		"streams":             streams,
		"list":                list,
		"pages":               pages,
		"bad queries":         badQueries,
		"waiting can be left": leaving,

		"group":               group,
		"idempotency":         idempotency,
		"idempotency at once": idempotencyAtOnce,
		"cancel":              cancel,
		"cancel below":        cancelBelow,
		"child of a run":      child,
		"resume":              resume,
		"resume refused":      resumeRefused,
		"resolve":             resolve,
		"rerun":               rerun,
		"rerun of inputs":     rerunInputs,
		"fresh rerun":         rerunFresh,
		"retries":             retries,
		"parallel calls":      parallel,
		"nested":              nested,
		"check":               check,
		"prompt":              prompt,

		"evaluation":             evaluation,
		"evaluation by name":     evaluationByName,
		"evaluation that fails":  evaluationFails,
		"evaluation refused":     evaluationRefused,
		"evaluation is given up": evaluationGivenUp,

		"files":                files,
		"files are contents":   filesAreContents,
		"files between tools":  filesBetweenTools,
		"trees":                trees,
		"files that are none":  noFiles,
		"blobs":                blobs,
		"catalog":              catalog,
		"catalog at a start":   startByName,
		"catalog refuses":      catalogRefuses,
		"schedules":            schedules,
		"schedules refused":    schedulesRefused,
		"approvals":            approvals,
		"signals":              sentSignals,
		"hooks":                hooks,
		"hooks refused":        hooksRefused,
		"owners":               owners,
		"owners refused":       ownersRefused,
		"notifications":        notifications,
		"labels":               labels,
		"cache":                cacheModes,
		"cache by content":     cacheByContent,
		"cache once for many":  cacheFlight,
		"cache does not begin": cacheOfFailures,
		"secrets":              secrets,
		"close":                closing,
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel() // most of the time goes by in waiting for the disk
			s, h := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("closing the service: %v", err)
				}
			})
			test(&suite{T: t, service: s, host: h})
		})
	}
}

// suite is one test on a service of its own.
type suite struct {
	*testing.T
	service api.Service
	host    Host
}

// must ends the test unless err is nil.
func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// wantCode ends the test unless err has this code.
func (s *suite) wantCode(err error, code api.Code) *api.Error {
	s.Helper()
	var e *api.Error
	if !errors.As(err, &e) || e.Code != code {
		s.Fatalf("got %v, want an error of code %s", err, code)
	}
	return e
}

// submit starts a run.
func (s *suite) submit(task *api.Task, inputs map[string]any) *api.Run {
	s.Helper()
	run, err := s.service.Submit(s.Context(), api.Submission{Task: task, Inputs: inputs})
	s.must(err)
	return run
}

// run starts a run and waits for it.
func (s *suite) run(task *api.Task, inputs map[string]any) (*api.Result, error) {
	s.Helper()
	return s.service.Wait(s.Context(), s.submit(task, inputs).ID)
}

// value is the one output of a run that must succeed.
func (s *suite) value(task *api.Task, inputs map[string]any) any {
	s.Helper()
	result, err := s.run(task, inputs)
	s.must(err)
	return s.only(result)
}

// only is the one output of a result.
func (s *suite) only(result *api.Result) any {
	s.Helper()
	if len(result.Outputs) != 1 {
		s.Fatalf("%d outputs, want 1", len(result.Outputs))
	}
	return result.Outputs[0].Value
}

// get returns a run as it is now.
func (s *suite) get(id string) *api.Run {
	s.Helper()
	run, err := s.service.Run(s.Context(), id)
	s.must(err)
	return run
}

// collect returns all that seq yields, which must be without an error.
func collect[T any](s *suite, seq iter.Seq2[T, error]) []T {
	s.Helper()
	var all []T
	for v, err := range seq {
		s.must(err)
		all = append(all, v)
	}
	return all
}

// lastError returns the error that seq ends with.
func lastError[T any](seq iter.Seq2[T, error]) (last error) {
	for _, err := range seq {
		last = err
	}
	return last
}
