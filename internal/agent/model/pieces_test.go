package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
	"github.com/glovebox-dev/glovebox/value"
)

// piece asks for a piece as the run of a parent.
func (w *world) piece(ctx context.Context, parent string, request any) (answer api.ModelAnswer, printed string, err error) {
	text, err := json.Marshal(map[string]any{"request": request})
	if err != nil {
		return answer, "", err
	}
	inputs, err := value.Decode("input", w.task.Signature.Inputs, text)
	if err != nil {
		return answer, "", err
	}
	var stdout bytes.Buffer
	result, err := w.Run(ctx, "run", &api.Request{Task: w.task, Inputs: inputs, Parent: parent, Stdout: &stdout})
	if err != nil {
		return answer, stdout.String(), err
	}
	if text, err = value.EncodeJSON(result.Outputs[0].Type, result.Outputs[0].Value); err != nil {
		return answer, stdout.String(), err
	}
	return answer, stdout.String(), json.Unmarshal(text, &answer)
}

func inPieces(name string) api.ModelRequest {
	r := says("go")
	r.Pieces = name
	return r
}

func restOf(name string, after int) map[string]any {
	return map[string]any{"messages": nil, "rest": api.ModelRest{Pieces: name, After: after}}
}

// TestPieces: an answer comes in pieces that make the whole one, with its usage in
// the last, without the key, and by one question.
func TestPieces(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			text := "one\nétwo " + secretKey + " three\nfour\nfive"
			w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{{Text: text, Pause: 5 * time.Millisecond, Usage: &modeltest.Usage{Input: 7, Output: 3}}}})
			w.task.Model.Price = api.ModelPrice{Input: 1e6, Output: 1e6}
			answer, printed, err := w.piece(t.Context(), "parent", inPieces("a"))
			if err != nil || answer.Stop != api.StopMore || answer.Usage != (api.ModelUsage{}) || answer.Text == "" {
				t.Fatalf("%+v, %v", answer, err)
			}
			got, pieces := answer.Text, 1
			for answer.Stop == api.StopMore {
				var more string
				answer, more, err = w.piece(t.Context(), "parent", restOf("a", len(got)))
				if err != nil {
					t.Fatal(err)
				}
				got, printed, pieces = got+answer.Text, printed+more, pieces+1
			}
			want := strings.Replace(text, secretKey, "[redacted]", 1)
			if got != want || printed != want || answer.Stop != api.StopEnd || pieces < 3 {
				t.Errorf("%d pieces: %q, printed %q, %+v", pieces, got, printed, answer)
			}
			if answer.Usage != (api.ModelUsage{Input: 7, Output: 3, Cost: 10}) || len(w.server.Questions()) != 1 || len(w.streams.live) != 0 {
				t.Errorf("%+v after %d questions, %d streams are left", answer.Usage, len(w.server.Questions()), len(w.streams.live))
			}
		})
	}
}

// TestPiecesAreOfOneParent: no other run gets them, and what is not there is lost.
func TestPiecesAreOfOneParent(t *testing.T) {
	w := newWorld(t, api.ProtocolOpenAI, modeltest.Script{Turns: []modeltest.Turn{{Text: "one\ntwo three", Pause: 5 * time.Millisecond}}})
	first, _, err := w.piece(t.Context(), "parent", inPieces("a"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		parent, name string
		after        int
	}{{"other", "a", len(first.Text)}, {"parent", "b", 0}, {"", "a", 0}, {"parent", "a", 1000}} {
		if answer, _, err := w.piece(t.Context(), c.parent, restOf(c.name, c.after)); err != nil || answer.Stop != api.StopLost || answer.Text != "" {
			t.Errorf("%+v: %+v, %v", c, answer, err)
		}
	}
	for _, bad := range []any{
		map[string]any{"messages": nil, "rest": map[string]any{"pieces": "", "after": 1}},
		map[string]any{"messages": nil, "rest": map[string]any{"pieces": "a", "after": -1}},
		map[string]any{"messages": []any{map[string]any{"role": "user", "text": "x"}}, "rest": map[string]any{"pieces": "a", "after": 1}},
	} {
		if _, _, err := w.piece(t.Context(), "parent", bad); err == nil || api.AsError(err).Code != api.InvalidInput {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// TestBrokenPieces: an answer that fails before its first piece is a failure, and
// after that it is lost.
func TestBrokenPieces(t *testing.T) {
	w := newWorld(t, api.ProtocolOpenAI, modeltest.Script{Turns: []modeltest.Turn{
		{Match: "go", Status: http.StatusBadRequest, Error: "no"}, {Match: "go", Text: "one\ntwo ", Error: "broken", Pause: 20 * time.Millisecond},
	}})
	if _, _, err := w.piece(t.Context(), "parent", inPieces("a")); err == nil {
		t.Error("it had an answer")
	}
	answer, _, err := w.piece(t.Context(), "parent", inPieces("b"))
	if err != nil || answer.Stop != api.StopMore {
		t.Fatalf("%+v, %v", answer, err)
	}
	for given := len(answer.Text); answer.Stop == api.StopMore; given += len(answer.Text) {
		if answer, _, err = w.piece(t.Context(), "parent", restOf("b", given)); err != nil {
			t.Fatal(err)
		}
	}
	if answer.Stop != api.StopLost || len(w.streams.live) != 0 {
		t.Errorf("%+v, %d streams are left", answer, len(w.streams.live))
	}
}

// endless writes lines until whoever asked has gone, which it tells.
func endless(gone chan<- struct{}) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		defer close(gone)
		rw.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(rw, `data: {"choices":[{"index":0,"delta":{"content":"x\n"}}]}`+"\n\n"); err != nil {
				return
			}
			rw.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}
}

// TestPiecesEnd: the provider is left when who waits for a piece is cancelled, and
// when the runner is closed.
func TestPiecesEnd(t *testing.T) {
	for name, end := range map[string]func(w *world, given int) error{
		"cancelled": func(w *world, given int) error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, _, err := w.piece(ctx, "parent", map[string]any{"messages": nil, "rest": api.ModelRest{Pieces: "a", After: given, Whole: true}})
			if api.AsError(err).Code != api.Canceled || len(w.streams.live) != 0 {
				return fmt.Errorf("%w, %d streams are left", err, len(w.streams.live))
			}
			return nil
		},
		"closed": func(w *world, _ int) error { w.Close(); return nil },
		"asked again": func(w *world, _ int) error {
			w.task.Model.BaseURL = "http://127.0.0.1:1/v1"
			_, _, err := w.piece(t.Context(), "parent", inPieces("a"))
			if err == nil {
				return errors.New("it had an answer")
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			gone := make(chan struct{})
			w := &world{newRunner(t), nil, taskAt(api.ProtocolOpenAI, serve(t, endless(gone))+"/v1")}
			w.retries = 0
			answer, _, err := w.piece(t.Context(), "parent", inPieces("a"))
			if err != nil || answer.Stop != api.StopMore {
				t.Fatalf("%+v, %v", answer, err)
			}
			if err := end(w, len(answer.Text)); err != nil {
				t.Error(err)
			}
			select {
			case <-gone:
			case <-time.After(10 * time.Second):
				t.Error("the provider still writes")
			}
		})
	}
}

// TestManyPieces: above their number answers are given whole.
func TestManyPieces(t *testing.T) {
	w := newWorld(t, api.ProtocolOpenAI, modeltest.Script{Turns: []modeltest.Turn{{Text: "one\ntwo", Always: true, Pause: time.Millisecond}}})
	for i := range maxStreams {
		w.streams.add(fmt.Sprint(i), &stream{cancel: func() {}, news: make(chan struct{})})
	}
	if answer, _, err := w.piece(t.Context(), "parent", inPieces("a")); err != nil || answer.Stop != api.StopEnd || answer.Text != "one\ntwo" {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestWholeRunes(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "é": 2, "a\xc3": 1, "a\xe2\x82": 1, "a\xf0\x9f\x98": 1, "a😀": 5} {
		if got := wholeRunes(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
