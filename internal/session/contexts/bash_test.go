package contexts

import (
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func openBash(t testing.TB, o Options) *Context {
	t.Helper()
	return launch(t, &local{}, api.ContextSpec{Language: api.LanguageBash}, o)
}

func TestBash(t *testing.T) {
	c := openBash(t, Options{})
	for _, step := range []struct{ code, want string }{
		{"echo hi", "o:hi\n"},
		{"x=1; f() { echo \"f $x\"; }; mkdir sub; cd sub", ""},
		{"f; basename \"$PWD\"", "o:f 1\nsub\n"},
		{"echo 'it'\\''s' é", "o:it's é\n"},
		{"echo err >&2", "e:err\n"},
		{"false", "!:ExitStatus: 1"},
		{"(exit 7)", "!:ExitStatus: 7"},
		{"exit 4; echo no", "!:ExitStatus: 4"},
		{"g() { exit 5; }; g; echo no", "!:ExitStatus: 5"},
		{"exit", ""},
		{"set -e; false; echo no", "!:ExitStatus: 1"},
		{"h() { false; echo no; }; h; echo no", "!:ExitStatus: 1"},
		{"if false; then :; fi; false || echo ok", "o:ok\n"},
		{"set +e -u; echo \"$nothing\"; echo no", "e:bash: nothing: unbound variable\n|!:ExitStatus: 1"},
		{"set +u; echo $x", "o:1\n"},
		{"if", "e:bash: syntax error: unexpected end of file\n|!:ExitStatus: 2"},
		{"nothing-like-it", "e:bash: nothing-like-it: command not found\n|!:ExitStatus: 127"},
		{"read line; echo \"[$line]\"; cat", "o:[]\n"},
		{"echo ${FOO:-default}", "o:default\n"},
		{"cat <<END\na\nb\nEND", "o:a\nb\n"},
		{"printf 'no newline'", "o:no newline"},
		{"printf '\\036A'; printf '\\xc3'; sleep .05; printf '\\xa9'", "o:\x1eAé"},
		{"echo \"!!\" # no history", "o:!!\n"},
		{"exec >log; echo to the log", ""},
		{"exec >/dev/stderr; cat log", "e:to the log\n"},
	} {
		if got := run(t, c, step.code); joined(got) != step.want {
			t.Errorf("%q: got %q, want %q", step.code, joined(got), step.want)
		}
	}
}

func TestBashVariablesOfOneExecution(t *testing.T) {
	c := openBash(t, Options{})
	got := execute(t, c, api.CodeRequest{Code: "echo $FOO; bash -c 'echo $FOO'", Env: map[string]string{"FOO": "it's $x"}})
	if joined(got) != "o:it's $x\nit's $x\n" {
		t.Errorf("got %q", joined(got))
	}
	if got := run(t, c, "echo ${FOO:-default}"); got.said() != "o:default\n" {
		t.Errorf("later: %q", got.said())
	}
	for _, r := range []api.CodeRequest{{Code: "echo", Env: map[string]string{"a b": ""}}, {Code: "echo \x00"}} {
		for _, err := range c.Run(t.Context(), r) {
			if err == nil {
				t.Errorf("%q is taken", r)
			}
		}
	}
	if got := run(t, c, "echo there"); got.said() != "o:there\n" || got.events[0].Count != 3 {
		t.Errorf("after refusals: %q, execution %d", got.said(), got.events[0].Count)
	}
}

func TestBashInterrupt(t *testing.T) {
	c := openBash(t, Options{})
	run(t, c, "x=1")
	for _, code := range []string{"sleep 100; echo no", "while :; do :; done", "f() { while :; do sleep 1; done; }; f; echo no", "sleep 100 | cat; echo no"} {
		got := execute(t, c, api.CodeRequest{Code: code, Timeout: 200 * time.Millisecond})
		if want := "!:ExitStatus: its time of 200ms is over"; got.said() != want {
			t.Errorf("%q: got %q, want %q", code, got.said(), want)
		}
	}
	if got := run(t, c, "echo $x"); got.said() != "o:1\n" {
		t.Errorf("the state is lost: %q", got.said())
	}
}

// joined is said with texts of one stream that follow each other as one, because
// a shell writes them as it likes.
func joined(o outcome) string {
	var one outcome
	for _, e := range o.events {
		if n := len(one.events); n > 0 && e.Text != "" && one.events[n-1].Type == e.Type {
			one.events[n-1].Text += e.Text
			continue
		}
		one.events = append(one.events, e)
	}
	return one.said()
}
