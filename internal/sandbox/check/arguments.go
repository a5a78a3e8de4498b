package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of Linux on arguments and variables, in bytes.
const (
	MaxArgument = 128<<10 - 1 // one of them
	// MaxArguments bounds the values that are offered as arguments, all together,
	// and what a task may set as arguments and variables, all together: Linux takes
	// no more than 2 MiB of both.
	MaxArguments = 512 << 10
)

func checkArgv(t *api.Task) error {
	for field, list := range map[string][]string{"command": t.Command, "arguments": t.Arguments} {
		for i, arg := range list {
			if err := checkArgument(fmt.Sprintf("%s[%d]", field, i), arg); err != nil {
				return err
			}
		}
	}
	if len(t.Command) > 0 && t.Command[0] == "" {
		return api.WrongField("command[0]", `""`, "the program to run")
	}
	return checkTotal("command", slices.Concat(t.Command, t.Arguments))
}

// checkTotal bounds arguments that the kernel counts together.
func checkTotal(field string, words []string) error {
	total := 0
	for _, word := range words {
		total += len(word) + 1
	}
	if total > MaxArguments {
		return api.WrongField(field, fmt.Sprintf("%d bytes long", total), fmt.Sprintf("at most %d bytes", MaxArguments)).
			WithHint("pass large data as an input")
	}
	return nil
}

// checkArgument accepts what the kernel takes as one argument or variable.
func checkArgument(field, word string) error {
	switch {
	case strings.ContainsRune(word, 0):
		return api.WrongField(field, value.Quote(word), "text without NUL")
	case !utf8.ValidString(word):
		return api.WrongField(field, value.Quote(word), "valid UTF-8")
	case len(word) > MaxArgument:
		return api.WrongField(field, fmt.Sprintf("%d bytes long", len(word)), "less than 128 KiB").
			WithHint("pass it as an input, which may be of any size")
	}
	return nil
}

func checkEnv(t *api.Task) error {
	var words []string
	for name, value := range t.Env {
		if err := checkVariable("env", name); err != nil {
			return err
		}
		if err := checkArgument("env."+name, name+"="+value); err != nil {
			return err
		}
		words = append(words, name, value)
	}
	return checkTotal("env", words)
}

// checkReserved keeps the variables that lead to the engine what they are.
func checkReserved(t *api.Task) error {
	if !t.StartsRuns {
		return nil
	}
	for _, name := range []string{api.EngineVariable, api.ProxyVariable, api.RunVariable} {
		if _, set := t.Env[name]; set {
			return reserved("env."+name, name)
		}
		for i, ref := range t.Secrets {
			if ref.Env == name {
				return reserved(fmt.Sprintf("secrets[%d].env", i), name)
			}
		}
	}
	return nil
}

func reserved(field, name string) error {
	return api.WrongField(field, "set by the task", "nothing: the cell of a task that starts runs finds the engine by "+name).
		WithHint("take another name for the variable, or leave out starts_runs")
}

// checkAsks also keeps the variables that lead to the model what they are.
func checkAsks(t *api.Task) error {
	if t.Asks == nil {
		return nil
	}
	if err := t.Asks.Check(); err != nil {
		return err
	}
	v := t.Asks.Variables()
	for _, name := range []string{v.URL, v.Key} {
		_, set := t.Env[name]
		if set || slices.ContainsFunc(t.Secrets, func(ref api.SecretRef) bool { return ref.Env == name }) {
			return api.WrongField("asks", "beside a variable "+name+" of the task", "one of them: a cell that asks a model finds it by that variable")
		}
	}
	return nil
}

func checkVariable(field, name string) error {
	ok := name != "" && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return r == '=' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
	if !ok {
		return api.WrongField(field, value.Quote(name), "the name of a variable, without '=', spaces and control characters")
	}
	return nil
}
