package sandbox

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// secretsDir is where secrets appear as files. It is in a tmpfs of the cell.
const secretsDir = "run/secrets"

// secrets are the secrets of one run, in clear.
type secrets struct {
	env      []string          // NAME=value
	files    map[string][]byte // by name below secretsDir
	redactor *secret.Redactor
}

func readSecrets(refs []api.SecretRef, get func(string) ([]byte, error)) (secrets, error) {
	s := secrets{files: map[string][]byte{}}
	values := make([][]byte, 0, len(refs))
	for _, ref := range refs {
		value, err := get(ref.Name)
		if err != nil {
			return secrets{redactor: secret.NewRedactor(values...)}, err
		}
		values = append(values, value, bytes.ToLower(value)) // as it is in the name of a host
		if ref.Env == "" {
			s.files[fileOf(ref)] = value
			continue
		}
		if !utf8.Valid(value) || strings.ContainsRune(string(value), 0) {
			return secrets{redactor: secret.NewRedactor(values...)}, notVariable(ref)
		}
		s.env = append(s.env, ref.Env+"="+string(value))
	}
	s.redactor = secret.NewRedactor(values...)
	return s, nil
}

func notVariable(ref api.SecretRef) error {
	return api.Errorf(api.InvalidTask, "secret %q has bytes that a variable cannot hold", ref.Name).
		WithHint("give it to the run as a file: leave out the variable %s", ref.Env).
		WithDetails(api.Details{Field: "secrets", Expected: "UTF-8 without NUL"})
}

func fileOf(ref api.SecretRef) string {
	if ref.File != "" {
		return ref.File
	}
	return ref.Name
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
