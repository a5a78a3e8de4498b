package contexts

import (
	"encoding/base64"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func openR(t testing.TB, o Options) *Context {
	t.Helper()
	if _, err := exec.LookPath("R"); err != nil {
		t.Skip("needs R")
	}
	return launch(t, &local{}, api.ContextSpec{Language: api.LanguageR}, o)
}

func TestR(t *testing.T) {
	c := openR(t, Options{})
	for _, step := range []struct{ code, want string }{
		{"1 + 1", "r:[1] 2"},
		{"x <- 4; f <- function(n) n * x", ""},
		{"f(2)\nf(3)", "r:[1] 8|r:[1] 12"},
		{"print('Hello, World!')", "o:[1] \"Hello, World!\"\n"},
		{"cat('é\\n'); 'text'", "o:é\n|r:[1] \"text\""},
		{"message('no')", "e:no\n"},
		{"invisible(5)", ""},
		{"NULL", "r:NULL"},
		{"", ""},
		{"cat('no newline')", "o:no newline"},
		{"system('echo child'); cat('after\\n')", "o:child\nafter\n"},
		{"system('cat')", ""},
		{"nothing", "!:simpleError: object 'nothing' not found"},
		{"stop('my words')", "!:simpleError: my words"},
		{"try(stop('caught'), silent = TRUE); tryCatch(stop('x'), error = function(e) 'y')", "r:[1] \"y\""},
		{"warning('careful'); 1", "e:Warning: careful\n|r:[1] 1"},
		{"sink('log'); print('to the log')", ""},
		{"sink(); readLines('log')", "r:[1] \"[1] \\\"to the log\\\"\""},
		{"Sys.getenv('FOO', unset = 'default')", "r:[1] \"default\""},
		{"setClass('P', representation(n = 'numeric')); new('P', n = 1)", "r:An object of class \"P\"\nSlot \"n\":\n[1] 1\n"},
		{"g <- function(n) { n # once\n }\ng", "r:function(n) { n # once\n }"},
		{"as.integer('a')", "e:Warning: NAs introduced by coercion\n|r:[1] NA"},
		{"options(warn = 2); as.integer('a')", "!:simpleError: (converted from warning) NAs introduced by coercion"},
	} {
		if got := run(t, c, step.code); joined(got) != step.want {
			t.Errorf("%q: got %q, want %q", step.code, joined(got), step.want)
		}
	}
	got := execute(t, c, api.CodeRequest{Code: "Sys.getenv('FOO'); system('echo $FOO')", Env: map[string]string{"FOO": "it's"}})
	if joined(got) != "r:[1] \"it's\"|o:it's\n" {
		t.Errorf("variables: %q", joined(got))
	}
	if got := run(t, c, "if ("); got.failure == nil || !strings.Contains(got.failure.Value, "unexpected end of input") {
		t.Errorf("code that does not parse: %q", got.said())
	}
}

func TestRFailure(t *testing.T) {
	c := openR(t, Options{})
	got := run(t, c, "inner <- function(v) stop('broken')\nouter <- function() inner(1)\nouter()")
	want := "Error in inner(1) : broken\nTraceback:\n1. outer()\n2. inner(1)\n3. stop(\"broken\")\n"
	if got.failure == nil || got.failure.Traceback != want {
		t.Errorf("got %+v, want %q", got.failure, want)
	}
}

func TestRForms(t *testing.T) {
	c := openR(t, Options{})
	code := `data.frame(n = c(1.5, NA), i = 1:2, s = c("a\n\"b", NA), d = as.Date("2026-01-02"), f = factor(c("x", "y")), l = c(TRUE, NA))`
	got := run(t, c, code)
	want := `{"n":[1.5,null],"i":[1,2],"s":["a\u000a\"b",null],"d":["2026-01-02","2026-01-02"],"f":["x","y"],"l":[true,null]}`
	if len(got.results) != 1 || string(got.results[0].Data[api.MIMETable]) != want {
		t.Errorf("got %+v, want %s", got.events, want)
	}
	got = run(t, c, "plot(1:10); plot(2:5); 'last'")
	if len(got.results) != 3 || !got.results[0].Main {
		t.Fatalf("got %.300q", got.said())
	}
	for _, r := range got.results[1:] {
		picture, err := base64.StdEncoding.DecodeString(form(r, "image/png"))
		if err != nil || !strings.HasPrefix(string(picture), "\x89PNG") {
			t.Errorf("a plot is %.40q (%v)", picture, err)
		}
	}
	if got := run(t, c, "1"); got.said() != "r:[1] 1" {
		t.Errorf("later: %.300q", got.said())
	}
}

func TestRInterrupt(t *testing.T) {
	c := openR(t, Options{})
	run(t, c, "x <- 1")
	for _, code := range []string{"Sys.sleep(100)", "repeat NULL", "while (TRUE) x <- 1", "system('sleep 100'); Sys.sleep(100)"} {
		got := execute(t, c, api.CodeRequest{Code: code, Timeout: 300 * time.Millisecond})
		if got.failure == nil || got.failure.Value != "its time of 300ms is over" {
			t.Errorf("%q: got %.300q", code, got.said())
		}
	}
	if got := run(t, c, "x"); got.said() != "r:[1] 1" {
		t.Errorf("the state is lost: %q", got.said())
	}
	if got := run(t, c, "cat(strrep('x', 3e6))"); len(strings.Join(got.stdout, "")) != 3e6 {
		t.Errorf("got %d bytes", len(strings.Join(got.stdout, "")))
	}
	if got := run(t, c, "quit(status = 3)"); got.failure == nil || !strings.Contains(got.failure.Value, "exit status 3") {
		t.Errorf("its end: %q", got.said())
	}
	if got := run(t, c, "exists('x')"); got.said() != "r:[1] FALSE" {
		t.Errorf("after its end: %q", got.said())
	}
}
