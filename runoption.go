package glovebox

import (
	"io"

	"github.com/glovebox-dev/glovebox/api"
)

// submission is what a RunOption adjusts.
type submission struct {
	api.Submission
	image      string // replaces that of the task
	durability Durability
}

// A RunOption adjusts one run.
type RunOption func(*submission)

func submissionOf(inputs Values, opts []RunOption) submission {
	s := submission{Submission: api.Submission{Inputs: inputs}}
	for _, opt := range opts {
		opt(&s)
	}
	return s
}

// WithStdout copies what the task prints to w while it runs, secrets redacted.
// The end of it is in the result in any case.
func WithStdout(w io.Writer) RunOption { return func(s *submission) { s.Stdout = w } }

// WithStderr does for standard error what WithStdout does for standard output.
func WithStderr(w io.Writer) RunOption { return func(s *submission) { s.Stderr = w } }

// WithProgress calls f at each stage of the run, such as a step of an image
// build. It must return quickly and be safe for calls from other goroutines.
func WithProgress(f func(Progress)) RunOption { return func(s *submission) { s.Progress = f } }

// WithImage runs a sandbox in a prebuilt image instead of the one that it
// declares: a registry reference, or the path of an OCI layout or archive.
func WithImage(ref string) RunOption { return func(s *submission) { s.image = ref } }

// WithIdempotencyKey names the request. However often it is made under the same
// key, also by later processes, it is one run; an interrupted one is resumed.
func WithIdempotencyKey(key string) RunOption {
	return func(s *submission) { s.IdempotencyKey = key }
}

// WithCache overrules the cache mode of the task.
func WithCache(mode CacheMode) RunOption { return func(s *submission) { s.Cache = mode } }

// WithClock overrules the clock of an orchestrator: RealClock, VirtualClock or
// FixedClock(t).
func WithClock(c Clock) RunOption { return func(s *submission) { s.Clock = c } }

// WithRandom overrules the randomness of an orchestrator: RealRandom or
// SeededRandom(n).
func WithRandom(r Random) RunOption { return func(s *submission) { s.Random = r } }

// WithParent makes the run one that belongs to another and ends with it. Inside
// of a function this is the run of the function unless another is named.
func WithParent(id string) RunOption { return func(s *submission) { s.Parent = id } }

// WithNotify has receivers hear of the end of the run, beside those of its task. A
// server delivers, and runs with a parent notify nobody.
func WithNotify(receivers ...Notify) RunOption {
	return func(s *submission) { s.Notify = append(s.Notify, receivers...) }
}

// WithNodeSelector has a node carry the run out that has these labels, laid over those
// of its task; see glovebox serve --label.
func WithNodeSelector(labels map[string]string) RunOption {
	return func(s *submission) { s.NodeSelector = api.JoinLabels(s.NodeSelector, labels) }
}

// WithPriority gives the run a priority from -10 to 10 in place of that of its task. Of runs
// that wait, the higher is first; each step is worth 30 seconds of waiting.
func WithPriority(priority int) RunOption {
	return func(s *submission) { s.Priority = &priority }
}

// WithLabels gives the run labels, laid over those of its task. Lists are asked for
// runs that have them.
func WithLabels(labels map[string]string) RunOption {
	return func(s *submission) { s.Labels = api.JoinLabels(s.Labels, labels) }
}
