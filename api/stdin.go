package api

import "github.com/glovebox-dev/glovebox/value"

// CheckStdin returns invalid_task for a standard input that is no input of the
// task, has no bytes of its own, or is of a program that reads none.
func (t *Task) CheckStdin() error {
	if t.Stdin == "" {
		return nil
	}
	if t.KindOf() != KindSandbox || t.Mode() == AutoIO {
		return WrongField("stdin", value.Quote(t.Stdin), "nothing: only a command and verbatim code have a standard input").
			WithHint("declare an input: code gets it as a variable; or set verbatim")
	}
	for _, p := range t.Signature.Inputs {
		switch {
		case p.Name != t.Stdin:
		case p.Type.Kind == value.KindFile || p.Type.Kind == value.KindStr || p.Type.Kind == value.KindBytes:
			return nil
		default:
			return WrongField("stdin", value.Quote(t.Stdin)+", which is "+p.Type.String(), "an input of type File, str or bytes")
		}
	}
	return WrongField("stdin", value.Quote(t.Stdin), "the name of an input of the task").
		WithHint("declare it as well: %s: File", t.Stdin)
}
