package model

import (
	"fmt"
	"math"
	"net/url"
	"reflect"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of a task.
const (
	maxName = 256 // bytes
	maxURL  = 2048
)

// Validate reports what is wrong with a task as far as that can be known before
// anything starts. It returns invalid_task.
func (r *Runner) Validate(task *api.Task) error {
	if task.Model == nil {
		return api.WrongField("model", "missing", "the model and how it is reached")
	}
	for _, check := range []func(*api.Task) error{checkForeign, (*api.Task).CheckPolicy, checkSignature} {
		if err := check(task); err != nil {
			return err
		}
	}
	return checkModel(task.Model)
}

// checkForeign refuses what a model cannot have.
func checkForeign(t *api.Task) error {
	if l := t.Limits; l.Outputs < 0 || l.OutputFiles < 0 || l.Logs < 0 {
		return api.WrongField("limits", "negative", "positive numbers, or 0 for the defaults")
	}
	return t.CheckForeign("the engine asks a model itself, without a program", "model")
}

func checkSignature(t *api.Task) error {
	want := api.ModelSignature()
	if reflect.DeepEqual(t.Signature.Inputs, want.Inputs) && reflect.DeepEqual(t.Signature.Outputs, want.Outputs) {
		return nil
	}
	return api.WrongField("signature", "another one", fmt.Sprintf("that of every model: the input %s and the output %s",
		value.DescribeParams(want.Inputs), value.DescribeParams(want.Outputs)))
}

func checkModel(m *api.Model) error {
	switch {
	case m.Protocol != api.ProtocolOpenAI && m.Protocol != api.ProtocolAnthropic:
		return api.WrongField("model.protocol", value.Quote(m.Protocol), "openai or anthropic")
	case m.Name == "" || len(m.Name) > maxName || strings.ContainsFunc(m.Name, unicode.IsControl):
		return api.WrongField("model.name", value.Quote(m.Name), "the name of a model, as its provider spells it")
	case m.Key != "" && !api.ValidSecretName(m.Key):
		return api.WrongField("model.key", "no name of a secret", "the name of a stored secret, not the key itself")
	}
	if err := checkURL(m.BaseURL); err != nil {
		return err
	}
	return checkPrice(m.Price)
}

// checkURL does not show a URL with a password.
func checkURL(base string) error {
	if base == "" {
		return nil
	}
	const expected = "an address such as https://host/v1"
	u, err := url.Parse(base)
	switch {
	case err != nil || len(base) > maxURL:
		return api.WrongField("model.base_url", "no URL", expected)
	case u.User != nil:
		return api.WrongField("model.base_url", "a URL with a user or a password", "one without: name a stored secret as model.key")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "":
		return api.WrongField("model.base_url", value.Quote(base), expected)
	}
	return nil
}

func checkPrice(p api.ModelPrice) error {
	for _, f := range []struct {
		field string
		price float64
	}{{"input", p.Input}, {"cached_input", p.CachedInput}, {"output", p.Output}} {
		if !(f.price >= 0) || math.IsInf(f.price, 0) {
			return api.WrongField("model.price."+f.field, fmt.Sprint(f.price), "US dollars for a million tokens, or 0 if that is not known")
		}
	}
	return nil
}
