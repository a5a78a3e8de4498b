package contexts

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func openJava(t testing.TB, o Options) *Context {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles Java for seconds: run without -short")
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("needs javac")
	}
	return launch(t, &local{}, api.ContextSpec{Language: api.LanguageJava}, o)
}

func TestJava(t *testing.T) {
	c := openJava(t, Options{})
	for _, step := range []struct{ code, want string }{
		{"1 + 1", "r:2"},
		{"int x = 4; int f(int n) {\n  return n * x;\n}", ""},
		{"f(2)", "r:8"},
		{"x = 5", ""},
		{"x", "r:5"},
		{"record P(int a) {}\nList.of(new P(x))", "r:[P[a=5]]"},
		{"\"text\"", `r:"text"`},
		{"System.out.println(\"é😀\")", "o:é😀\n"},
		{"System.out.print('a'); System.err.print(\"no\"); Math.max(1, 2)", "o:a|e:no|r:2"},
		{"// nothing", ""},
		{"", ""},
		{"System.in.read()", "r:-1"},
		{"System.getenv().getOrDefault(\"FOO\", System.getProperty(\"FOO\", \"default\"))", `r:"default"`},
		{"throw new IllegalStateException(\"my words\");", "!:java.lang.IllegalStateException: my words"},
		{"int y = 1; y / 0; System.out.println(\"no\")", "!:java.lang.ArithmeticException: / by zero"},
		{"new ProcessBuilder(\"echo\", \"child\").start().inputReader().readLine()", `r:"child"`},
	} {
		if got := run(t, c, step.code); joined(got) != step.want {
			t.Errorf("%q: got %q, want %q", step.code, joined(got), step.want)
		}
	}
	code := "List.of(System.getenv(\"FOO\"), System.getProperty(\"FOO\"), new ProcessBuilder().environment().get(\"FOO\"))"
	got := execute(t, c, api.CodeRequest{Code: code, Env: map[string]string{"FOO": "it's"}})
	if got.said() != "r:[it's, it's, it's]" {
		t.Errorf("variables: %q", got.said())
	}
	for code, want := range map[string]string{"int z = \"a\";": "incompatible types", "nothing": "cannot find symbol", "if (": "ends too early", "}": "illegal start"} {
		if got := run(t, c, code); got.failure == nil || got.failure.Name != "CompilationException" || !strings.Contains(got.failure.Value, want) {
			t.Errorf("%q: got %q, want %q", code, got.said(), want)
		}
	}
}

func TestJavaFailure(t *testing.T) {
	c := openJava(t, Options{})
	got := run(t, c, "int inner() { throw new RuntimeException(\"broken\"); }\nint outer() { return inner(); }\nouter();")
	want := "java.lang.RuntimeException: broken\n\tat .inner(#"
	if got.failure == nil || !strings.HasPrefix(got.failure.Traceback, want) || strings.Count(got.failure.Traceback, "\n") > 4 {
		t.Errorf("got %+v, want %q", got.failure, want)
	}
}

func TestJavaInterrupt(t *testing.T) {
	c := openJava(t, Options{})
	run(t, c, "int x = 1;")
	for _, code := range []string{"Thread.sleep(100000);", "while (true) {}", "for (int i = 0; ; i++) { x = 1; }", "new ProcessBuilder(\"sleep\", \"100\").start().waitFor(); Thread.sleep(100000);"} {
		got := execute(t, c, api.CodeRequest{Code: code, Timeout: 500 * time.Millisecond})
		if got.failure == nil || got.failure.Name != "KeyboardInterrupt" || got.failure.Value != "its time of 500ms is over" {
			t.Errorf("%q: got %.300q %+v", code, got.said(), got.failure)
		}
	}
	if got := run(t, c, "x"); got.said() != "r:1" {
		t.Errorf("the state is lost: %q", got.said())
	}
	if got := run(t, c, "System.exit(3)"); got.failure == nil || !strings.Contains(got.failure.Value, "exit status 3") {
		t.Errorf("its end: %q", got.said())
	}
	if got := run(t, c, "x"); got.failure == nil || !strings.Contains(got.failure.Value, "cannot find symbol") {
		t.Errorf("after its end: %q", got.said())
	}
}
