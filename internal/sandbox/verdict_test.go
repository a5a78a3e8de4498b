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
	f.Add([]byte(`{"ok":true,"outputs":{"a":{"$file":{"path":"/etc/passwd"}}}}`))
	f.Add([]byte(`{"ok":false,"error":{"kind":"syntax_error","frames":[{"line":-1}]}}`))
	sig := api.Signature{Outputs: []api.Param{
		{Name: "n", Type: api.Type{Kind: api.KindInt}}, {Name: "s", Type: api.Type{Kind: api.KindStr}},
		{Name: "l", Type: api.ListOf(api.Type{Kind: api.KindFloat})}, {Name: "a", Type: api.Type{Kind: api.KindAny}},
	}}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parseVerdict(data, sig.Outputs)
		if err != nil {
			checkError(t, err)
			return
		}
		if v.err != nil {
			checkError(t, v.failure(sig, api.Details{}))
			return
		}
		for _, p := range sig.Outputs {
			text, ok := v.outputs[p.Name]
			if !ok {
				continue
			}
			value, err := decodeOutput(p, text, api.DecodeJSON)
			if err != nil {
				checkError(t, err)
			}
			if holdsFile(value) {
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
	v := verdict{err: &e}
	err := v.failure(api.Signature{}, api.Details{})
	checkError(t, err)
	if n := len(err.Error()); n > 2*messageBytes {
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
			_, err := parseVerdict([]byte(text), []api.Param{{Name: "n", Type: api.Type{Kind: api.KindInt}}})
			wantError(t, err, api.BadOutput, "damaged")
		})
	}
}

func TestLargeValues(t *testing.T) {
	list := api.Param{Name: "l", Type: api.ListOf(api.Type{Kind: api.KindAny})}
	text := []byte("[" + strings.Repeat(" ", maxCollection) + "]")
	_, err := decodeOutput(list, text, api.DecodeJSON)
	wantError(t, err, api.OutputTooLarge, `"l"`)
	if _, err := decodeOutput(list, text[:maxCollection], api.DecodeJSON); errors.Is(err, &api.Error{Code: api.OutputTooLarge}) {
		t.Errorf("a list that just fits: %v", err)
	}
}

// Code in a cell must not name files of the host.
func TestValuesCountAsOutputs(t *testing.T) {
	declared := []api.Param{{Name: "a", Type: api.Type{Kind: api.KindStr}}, {Name: "b", Type: api.Type{Kind: api.KindStr}}}
	v, err := parseVerdict([]byte(`{"ok":true,"outputs":{"a":"12345678","b":"12345678"}}`), declared)
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

func TestFilesInValues(t *testing.T) {
	for _, text := range []string{
		`{"$file":{"path":"/etc/passwd"}}`, `[{"$dir":{"path":"/"}}]`, `{"k":{"$dataframe":{"path":"/x"}}}`, `{"$tuple":[{"$file":{"path":"/x"}}]}`,
	} {
		for name, decode := range map[string]func(api.Type, []byte) (any, error){"JSON": api.DecodeJSON, "text": api.DecodeText} {
			_, err := decodeOutput(api.Param{Name: "a", Type: api.Type{Kind: api.KindAny}}, []byte(text), decode)
			if wantError(t, err, api.BadOutput); !strings.Contains(err.Error(), "file of the host") {
				t.Errorf("%s %s: %v", name, text, err)
			}
		}
	}
	_, err := openInputs(api.Signature{Inputs: []api.Param{{Name: "a", Type: api.Type{Kind: api.KindAny}}}}, map[string]any{"a": []any{api.File{Path: "/etc/passwd"}}})
	wantError(t, err, api.InvalidInput, "input a", "file in it")
}
