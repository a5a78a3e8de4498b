package sandbox

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// FuzzResult feeds any report to its decoder and to the mapping of errors.
func FuzzResult(f *testing.F) {
	f.Add([]byte(`{"ok":true,"outputs":{"n":1,"s":"x","l":[1.0]},"file_outputs":[]}`))
	f.Add([]byte(`{"ok":false,"error":{"kind":"python_exception","type":"E","message":"m","frames":[{"file":"a.py","line":1}],"traceback":"t"}}`))
	f.Add([]byte(`{"ok":false,"error":{"kind":"bad_output","name":"n","expected":"int","got":"\u001b[31m"}}`))
	f.Add([]byte(`{"ok":false,"error":{"kind":"syntax_error","frames":[{"line":-1}]}}`))
	sig := api.Signature{Outputs: []api.Param{
		{Name: "n", Type: api.Type{Kind: api.KindInt}}, {Name: "s", Type: api.Type{Kind: api.KindStr}},
		{Name: "l", Type: api.ListOf(api.Type{Kind: api.KindFloat})}, {Name: "a", Type: api.Type{Kind: api.KindAny}},
	}}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parseVerdict(data)
		if err != nil {
			checkError(t, err)
			return
		}
		if !v.OK {
			checkError(t, v.failure(sig, api.Details{}))
			return
		}
		for _, p := range sig.Outputs {
			text, ok := v.Outputs[p.Name]
			if !ok {
				continue
			}
			if _, err := api.DecodeJSON(p.Type, text); err != nil {
				checkError(t, api.BadValue(api.BadOutput, "output", p.Name, err))
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
		if len(x.Frames) > maxFrames {
			t.Errorf("%d frames", len(x.Frames))
		}
	}
	for _, text := range texts {
		if strings.ContainsRune(text, 0x1b) || !utf8.ValidString(text) || len(text) > 3*excerptBytes {
			t.Errorf("text is not clean: %.100q", text)
		}
	}
}

func TestHugeException(t *testing.T) {
	e := verdictError{Kind: api.PythonException, Type: "E", Message: strings.Repeat("m", 50<<20), Traceback: strings.Repeat("\x1b", 1<<20)}
	for range 1000 {
		e.Frames = append(e.Frames, api.Frame{File: "a.py", Line: 1})
	}
	v := verdict{Error: &e}
	err := v.failure(api.Signature{}, api.Details{})
	checkError(t, err)
	if n := len(err.Error()); n > 2*messageBytes {
		t.Errorf("the message has %d bytes", n)
	}
}
