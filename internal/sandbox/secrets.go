package sandbox

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/check"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// maxSecrets bounds the secrets of one run together, in bytes: the host holds
// some 40 times as much to find them.
const maxSecrets = 1 << 20

// secrets are the secrets of one run, in clear; of those that are withheld, env and
// files have placeholders.
type secrets struct {
	env      []string          // NAME=value
	files    map[string][]byte // by name below layout.Secrets
	withheld *withheld.Set     // nil if the program has all that it is given
	redactor *secret.Redactor
}

// readSecrets also finds out early that the key of a model is missing, which the cell
// does not get.
// The authority for withheld ones is that of a lineage, or one of its own, and good until
// a time.
func (r *Runner) readSecrets(task *api.Task, lineage string, until time.Time) (s secrets, err error) {
	var held []withheld.Value
	values := make([][]byte, 0, len(task.Secrets))
	defer func() { s.redactor = r.redactors.Of(values...) }()
	s.files = map[string][]byte{}
	if task.Asks != nil {
		if _, err := r.config.Secrets(task.Asks.Model.Key); err != nil {
			return s, err
		}
	}
	size := 0
	for _, ref := range task.Secrets {
		value, err := r.config.Secrets(ref.Name)
		if err != nil {
			return s, err
		}
		if size += len(value); size > maxSecrets {
			return s, secretsTooLarge(ref)
		}
		values = append(append(values, value), withheld.Parts(ref, value)...)
		if ref.Withheld() {
			v, err := r.withhold(ref, value)
			if err != nil {
				return s, err
			}
			held, value = append(held, v), []byte(v.Placeholder)
			for _, name := range check.KeyVariables(task, ref) {
				s.env = append(s.env, name+"="+v.Placeholder)
			}
		}
		if ref.Env == "" {
			s.files[check.SecretFile(ref)] = value
			continue
		}
		if !utf8.Valid(value) || strings.ContainsRune(string(value), 0) {
			return s, notVariable(ref)
		}
		s.env = append(s.env, ref.Env+"="+string(value))
	}
	if held != nil {
		s.withheld, err = r.withheldSet(held, lineage, until, r.redactors.Of(values...))
	}
	return s, err
}

func secretsTooLarge(ref api.SecretRef) error {
	return api.Errorf(api.InvalidTask, "the secrets of the task are too large: with %q they pass 1 MiB together", ref.Name).
		WithHint("give the task fewer secrets, or keep what is not secret in a file input").
		WithDetails(api.Details{Field: "secrets", Expected: "at most 1 MiB of secrets"})
}

func notVariable(ref api.SecretRef) error {
	return api.Errorf(api.InvalidTask, "secret %q has bytes that a variable cannot hold", ref.Name).
		WithHint("give it to the run as a file: leave out the variable %s", ref.Env).
		WithDetails(api.Details{Field: "secrets", Expected: "UTF-8 without NUL"})
}

// redactError takes the secrets out of everything in e that may have come from
// the program.
func redactError(r *secret.Redactor, e *api.Error) {
	if r == nil {
		return
	}
	d := &e.Details
	for _, s := range []*string{&e.Message, &e.Hint, &d.Field, &d.Expected, &d.Got, &d.Suggestion, &d.Log, &d.Stderr} {
		*s = r.String(*s)
	}
	if d.Exception == nil {
		return
	}
	x := *d.Exception
	x.Type, x.Message, x.Traceback = r.String(x.Type), r.String(x.Message), r.String(x.Traceback)
	x.Frames = make([]api.Frame, len(d.Exception.Frames))
	for i, f := range d.Exception.Frames {
		f.File, f.Function, f.Source = r.String(f.File), r.String(f.Function), r.String(f.Source)
		x.Frames[i] = f
	}
	d.Exception = &x
}
