// Package modeltest is a model server that answers from a script, for tests and
// for examples that need no provider. It speaks the chat completions and the
// responses of OpenAI and the messages of Anthropic, streaming and not, lists one
// model, and keeps every question.
package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ModelName is the model that the server lists. It answers for any.
const ModelName = "scripted"

// Server answers questions. It is an http.Handler, safe for concurrent use.
type Server struct {
	script Script

	mu        sync.Mutex
	used      []bool // by turn
	questions []Question
}

// New returns a server that answers from a script.
func New(s Script) *Server { return &Server{script: s, used: make([]bool, len(s.Turns))} }

// Question is one that the server was asked.
type Question struct {
	Path   string
	Header http.Header
	Body   []byte
	Last   string // the text of its last message
}

// Questions returns what the server was asked, those included that it refused.
func (s *Server) Questions() []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.questions)
}

// maxQuestion bounds the body of a question.
const maxQuestion = 64 << 20

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	if r.Method == http.MethodGet && path == "/models" {
		s.list(w)
		return
	}
	if path == "/messages/count_tokens" && r.Method == http.MethodPost {
		s.count(w, r)
		return
	}
	form, known := forms[path]
	if !known || r.Method != http.MethodPost {
		fail(w, http.StatusNotFound, "there is nothing at "+r.Method+" "+r.URL.Path)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxQuestion))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	s.answer(w, r, form, body)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, form form, body []byte) {
	var q question
	err := json.Unmarshal(body, &q)
	last := q.last()
	s.note(Question{Path: r.URL.Path, Header: r.Header.Clone(), Body: body, Last: last})
	switch {
	case err != nil:
		fail(w, http.StatusBadRequest, "the question is no JSON: "+err.Error())
		return
	case s.script.Key != "" && keyOf(r) != s.script.Key:
		fail(w, http.StatusUnauthorized, "the key "+strconv.Quote(keyOf(r))+" is wrong") // a provider that is not discreet
		return
	}
	t, ok := s.next(last)
	if !ok {
		fail(w, http.StatusBadRequest, "the script has no turn left for "+strconv.Quote(last))
		return
	}
	if !wait(r, t.Delay) || failed(w, t) {
		return
	}
	if t.Usage == nil {
		t.Usage = &Usage{Input: len(strings.Fields(string(body))), Output: len(strings.Fields(t.Text)) + len(t.Calls)}
	}
	if !q.Stream {
		reply(w, form.whole(t))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range form.events(t) {
		if _, err := fmt.Fprint(w, e); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush() // the next write says what is wrong
		if !wait(r, t.Pause) {
			return
		}
	}
}

// count counts the words of a question, which takes no turn.
func (s *Server) count(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxQuestion))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	if s.script.Key != "" && keyOf(r) != s.script.Key {
		fail(w, http.StatusUnauthorized, "the key "+strconv.Quote(keyOf(r))+" is wrong")
		return
	}
	reply(w, object{"input_tokens": len(strings.Fields(string(body)))})
}

func (s *Server) note(q Question) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.questions = append(s.questions, q)
}

// next takes the turn for a question.
func (s *Server) next(last string) (Turn, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, t := range s.script.Turns {
		if !s.used[i] && strings.Contains(last, t.Match) {
			s.used[i], t.Number = !t.Always, len(s.questions)
			for n := range t.Calls {
				if t.Calls[n].ID == "" {
					t.Calls = slices.Clone(t.Calls)
					t.Calls[n].ID = fmt.Sprintf("call_%d_%d", i+1, n+1)
				}
			}
			return t, true
		}
	}
	return Turn{}, false
}

// failed answers a turn that is a failure, or other than an answer.
func failed(w http.ResponseWriter, t Turn) bool {
	for name, value := range t.Header {
		w.Header().Set(name, value)
	}
	if t.RetryAfter > 0 {
		w.Header().Set("Retry-After-Ms", strconv.FormatInt(t.RetryAfter.Milliseconds(), 10))
		w.Header().Set("Retry-After", strconv.FormatInt(int64(t.RetryAfter.Seconds()), 10))
	}
	switch {
	case t.Body != "":
		if t.Status != 0 {
			w.WriteHeader(t.Status)
		}
		_, _ = io.WriteString(w, t.Body)
	case t.Status != 0 && t.Status != http.StatusOK:
		fail(w, t.Status, t.Error)
	default:
		return false
	}
	return true
}

func wait(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
		return false
	}
}

func (s *Server) list(w http.ResponseWriter) {
	model := object{"id": ModelName, "object": "model", "type": "model", "display_name": ModelName, "created": 0, "owned_by": "modeltest"}
	reply(w, object{"object": "list", "data": []any{model}, "has_more": false, "first_id": ModelName, "last_id": ModelName})
}

func keyOf(r *http.Request) string {
	if key := r.Header.Get("X-Api-Key"); key != "" {
		return key
	}
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

type object = map[string]any

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // the client is gone
}

// fail answers with a failure, in the form that all protocols share.
func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(failure(message)) // the client is gone
}

func failure(message string) object {
	return object{"type": "error", "error": object{"type": "scripted_error", "message": message, "code": nil, "param": nil}}
}
