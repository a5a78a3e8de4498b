package realtest

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// code runs code that has to end, and returns what came of it.
func (s sessions) code(id string, r api.CodeRequest) []api.CodeEvent {
	s.t.Helper()
	var events []api.CodeEvent
	for e, err := range s.RunCode(s.t.Context(), id, r) {
		if err != nil {
			s.t.Fatalf("%s: %v", r.Code, err)
		}
		events = append(events, e)
	}
	return events
}

func printed(events []api.CodeEvent) string {
	var b strings.Builder
	for _, e := range events {
		switch {
		case e.Text != "":
			b.WriteString(e.Text)
		case e.Error != nil:
			b.WriteString(e.Error.Name)
		case e.Data["text/plain"] != nil:
			b.Write(e.Data["text/plain"])
		}
	}
	return strings.TrimSpace(b.String())
}

// TestContexts: they keep their state, apart from each other.
func TestContexts(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{Env: map[string]string{"GREETING": "hello"}})
	other, err := s.NewContext(t.Context(), x.ID, api.ContextSpec{Plain: true, Dir: "/tmp"})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		request api.CodeRequest
		want    string
	}{
		{api.CodeRequest{Code: "a = 1"}, ""},
		{api.CodeRequest{Code: "a + 1"}, `"2"`},
		{api.CodeRequest{Code: "a", Context: other.ID}, "NameError"},
		{api.CodeRequest{Code: "import os; print(os.environ['GREETING'], os.getcwd())"}, "hello /work"},
		{api.CodeRequest{Code: "import os; print(os.getcwd())", Context: other.ID}, "/tmp"},
		{api.CodeRequest{Code: "b=3; cd /var"}, "NameError"},
		{api.CodeRequest{Code: "b=3; cd /var", Language: "bash"}, ""},
		{api.CodeRequest{Code: "echo $b $PWD", Language: "bash"}, "3 /var"},
	} {
		if got := printed(s.code(x.ID, step.request)); got != step.want {
			t.Errorf("%+v gives %q, want %q", step.request, got, step.want)
		}
	}
	all, err := s.Contexts(t.Context(), x.ID)
	if err != nil || len(all) != 3 || all[0].ID != other.ID || all[1].Executions != 4 {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.RestartContext(t.Context(), x.ID, all[1].ID); err != nil {
		t.Fatal(err)
	}
	if got := printed(s.code(x.ID, api.CodeRequest{Code: "a"})); got != "NameError" {
		t.Errorf("after a restart: %q", got)
	}
	if err := s.RemoveContext(t.Context(), x.ID, other.ID); err != nil {
		t.Fatal(err)
	}
	for _, err := range s.RunCode(t.Context(), x.ID, api.CodeRequest{Code: "1", Context: other.ID}) {
		if !errors.Is(err, api.NotFound) {
			t.Errorf("a context that was removed: %v", err)
		}
	}
}

// TestInterrupt: code that does not end is interrupted, and its state stays.
func TestInterrupt(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	s.code(x.ID, api.CodeRequest{Code: "import time; a = 1"})
	all, err := s.Contexts(t.Context(), x.ID)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	for e, err := range s.RunCode(t.Context(), x.ID, api.CodeRequest{Code: "print('on', flush=True)\ntime.sleep(60)"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == api.CodeStdout {
			if err := s.InterruptContext(t.Context(), x.ID, all[0].ID); err != nil {
				t.Fatal(err)
			}
		}
		if e.Type == api.CodeError && e.Error.Name != "KeyboardInterrupt" {
			t.Errorf("%+v", e.Error)
		}
	}
	if got := printed(s.code(x.ID, api.CodeRequest{Code: "a"})); got != `"1"` {
		t.Errorf("after it was interrupted: %q", got)
	}
}

// TestContextsSurvive: the state of interpreters survives a pause with memory, and
// forks begin with it.
func TestContextsSurvive(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{})
	s.code(x.ID, api.CodeRequest{Code: "import random; random.seed(1); a = 1"})
	s.code(x.ID, api.CodeRequest{Code: "b=2; f() { echo f$b; }", Language: api.LanguageBash})
	forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: 2})
	if err != nil || forks[0].Error != nil || forks[1].Error != nil {
		t.Fatalf("%+v, %v", forks, err)
	}
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = h.open()
	for _, step := range []struct{ language, code, want string }{
		{api.LanguagePython, "a += 1; print(a)", "2"}, {api.LanguageBash, "f", "f2"},
	} {
		if got := printed(s.code(x.ID, api.CodeRequest{Code: step.code, Language: step.language})); got != step.want {
			t.Errorf("after a pause %s gives %q, want %q", step.code, got, step.want)
		}
	}
	all, err := s.Contexts(t.Context(), x.ID)
	if err != nil || len(all) != 2 || all[0].Executions != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestForksOfContexts: forks begin with the state of interpreters, and with random
// numbers of their own.
func TestForksOfContexts(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	s.code(x.ID, api.CodeRequest{Code: "import random; random.seed(1); a = 1"})
	forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: 2})
	if err != nil || forks[0].Error != nil || forks[1].Error != nil {
		t.Fatalf("%+v, %v", forks, err)
	}
	seen := map[string]bool{}
	for _, id := range []string{x.ID, forks[0].Session.ID, forks[1].Session.ID} {
		got := printed(s.code(id, api.CodeRequest{Code: "a += 1; print(a, random.random())"}))
		if !strings.HasPrefix(got, "2 ") || seen[got] {
			t.Errorf("%s: %q", id, got)
		}
		seen[got] = true
	}
}
