package model

import (
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// key returns the key that a secret holds, or none without a name.
func (r *Runner) key(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	stored, err := r.config.Secret(name)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(stored))
	if key == "" || strings.ContainsFunc(key, notInKey) {
		return "", api.Errorf(api.SecretUnreadable, "secret %q is no key of a model: a key is one word", name).
			WithHint("store the key alone: glovebox secret set %s", name)
	}
	return key, nil
}

// notInKey reports what no header can carry.
func notInKey(c rune) bool { return c > unicode.MaxASCII || !unicode.IsGraphic(c) || c == ' ' }

// redactError takes the key out of what a provider said.
func redactError(r *secret.Redactor, err error) error {
	e := *api.AsError(err)
	e.Message, e.Hint = r.String(e.Message), r.String(e.Hint)
	return &e
}

// redactAnswer takes the key out of an answer, which is kept.
func redactAnswer(r *secret.Redactor, a api.ModelAnswer) api.ModelAnswer {
	a.Text = r.String(a.Text)
	for i, c := range a.Calls {
		a.Calls[i] = api.ModelCall{ID: r.String(c.ID), Name: r.String(c.Name), Arguments: r.String(c.Arguments)}
	}
	if a.Raw != nil {
		raw := *a.Raw
		raw.Body = r.String(raw.Body)
		a.Raw = &raw
	}
	return a
}
