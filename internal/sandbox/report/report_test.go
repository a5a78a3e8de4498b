package report

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
	"github.com/glovebox-dev/glovebox/internal/sandbox/traceback"
	"github.com/glovebox-dev/glovebox/value"
)

// FuzzResult feeds any report to its decoder and to the mapping of errors.
func FuzzResult(f *testing.F) {
	f.Add([]byte(`{"ok":true,"outputs":{"n":1,"s":"x","l":[1.0]},"file_outputs":[]}`))
	f.Add([]byte(`{"ok":false,"error":{"kind":"python_exception","type":"E","message":"m","frames":[{"file":"a.py","line":1}],"traceback":"t"}}`))
	f.Add([]byte(`{"ok":false,"error":{"kind":"bad_output","name":"n","expected":"int","got":"\u001b[31m"}}`))
	f.Add([]byte(`{"ok":true,"outputs":{"a":{"$file":{"path":"/etc/passwd"}}}}`))
	f.Add([]byte(`{"ok":false,"error":{"kind":"syntax_error","frames":[{"line":-1}]}}`))
	sig := api.Signature{Outputs: []value.Param{
		{Name: "n", Type: value.Type{Kind: value.KindInt}}, {Name: "s", Type: value.Type{Kind: value.KindStr}},
		{Name: "l", Type: value.ListOf(value.Type{Kind: value.KindFloat})}, {Name: "a", Type: value.Type{Kind: value.KindAny}},
	}}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parse(data, sig.Outputs)
		if err != nil {
			checkError(t, err)
			return
		}
		if v.err != nil {
			checkError(t, v.Failure(sig, api.Details{}))
			return
		}
		for _, p := range sig.Outputs {
			text, ok := v.outputs[p.Name]
			if !ok {
				continue
			}
			value, err := outputs.Decode(p, text, value.DecodeJSON)
			if err != nil {
				checkError(t, err)
			}
			if files.Holds(value) {
				t.Errorf("the cell named a file of the host: %+v", value)
			}
		}
	})
}

// checkError checks that an error is one of ours and fit for a terminal.
func checkError(t *testing.T, err error) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T is no *api.Error", err)
	}
	texts := []string{e.Details.Stderr}
	if x := e.Details.Exception; x != nil {
		texts = append(texts, x.Type, x.Message, x.Traceback)
		if len(x.Frames) > traceback.MaxFrames {
			t.Errorf("%d frames", len(x.Frames))
		}
	}
	for _, text := range texts {
		if strings.ContainsRune(text, 0x1b) || !utf8.ValidString(text) || len(text) > 3*streams.ExcerptBytes {
			t.Errorf("text is not clean: %.100q", text)
		}
	}
}

func TestHugeException(t *testing.T) {
	e := failure{Kind: api.PythonException, Type: "E", Message: strings.Repeat("m", 50<<20), Traceback: strings.Repeat("\x1b", 1<<20)}
	for range 1000 {
		e.Frames = append(e.Frames, api.Frame{File: "a.py", Line: 1})
	}
	v := Report{err: &e}
	err := v.Failure(api.Signature{}, api.Details{})
	checkError(t, err)
	if n := len(err.Error()); n > 2*traceback.MessageBytes {
		t.Errorf("the message has %d bytes", n)
	}
}

// A report of many parts must not cost many times its size.
func TestReportBombs(t *testing.T) {
	many := strings.Repeat(`{},`, 2<<20) + "{}"
	for name, text := range map[string]string{
		"frames":       `{"ok":false,"error":{"kind":"python_exception","frames":[` + many + `]}}`,
		"names":        `{"ok":true,"outputs":{` + strings.Repeat(`"x":0,`, 1<<20) + `"n":1}}`,
		"deep":         `{"ok":true,"outputs":` + strings.Repeat(`{"n":`, 1<<20) + `}}`,
		"no object":    `{"ok":true,"outputs":[` + many + `]}`,
		"cut off":      `{"ok":true,"outputs":{"n":`,
		"null outputs": `{"ok":true,"outputs":null}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse([]byte(text), []value.Param{{Name: "n", Type: value.Type{Kind: value.KindInt}}})
			sandboxtest.WantError(t, err, api.BadOutput, "damaged")
		})
	}
}

func TestValuesCountAsOutputs(t *testing.T) {
	declared := []value.Param{{Name: "a", Type: value.Type{Kind: value.KindStr}}, {Name: "b", Type: value.Type{Kind: value.KindStr}}}
	v, err := parse([]byte(`{"ok":true,"outputs":{"a":"12345678","b":"12345678"}}`), declared)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.charge(declared, 20); err != nil {
		t.Errorf("20 bytes of text under a limit of 20: %v", err)
	}
	if err := v.charge(declared, 19); !errors.Is(err, &api.Error{Code: api.OutputTooLarge}) || api.AsError(err).Details.Field != "b" {
		t.Errorf("20 bytes of text over a limit of 19: %v", err)
	}
}
