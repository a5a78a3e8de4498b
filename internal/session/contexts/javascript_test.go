package contexts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func openJavaScript(t testing.TB, o Options) *Context {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node")
	}
	return launch(t, &local{}, api.ContextSpec{Language: api.LanguageJavaScript}, o)
}

func TestJavaScript(t *testing.T) {
	c := openJavaScript(t, Options{})
	for _, step := range []struct{ code, want string }{
		{"1 + 1", "r:2"},
		{"const x = 1; let y = 2; var z = 3", ""},
		{"const x = 4; x + y + z", "r:9"},
		{"console.log('Hello, World!')", "o:Hello, World!\n"},
		{"console.error('no'); 'text'", "e:no\n|r:'text'"},
		{"await Promise.resolve('Hello World!')", "r:'Hello World!'"},
		{"\n    import { readFileSync } from 'fs'\n    console.log(typeof readFileSync)\n", "o:function\n"},
		{"import os, { EOL as end } from 'os'; import * as path from 'path'", ""},
		{"import 'fs'; (await import('os')).EOL", "r:'\\n'"},
		{"[typeof os.cpus, end, path.sep]", "r:[ 'function', '\\n', '/' ]"},
		{"require('path').sep", "r:'/'"},
		{"undefined", ""},
		{"null", "r:null"},
		{"10n", "r:10n"},
		{"({a: 1})", "r:{ a: 1 }"},
		{"display({b: 2}); 3", "r:{ b: 2 }|r:3"},
		{"process.env.FOO || 'default'", "r:'default'"},
		{"nothing", "!:ReferenceError: nothing is not defined"},
		{"throw 5", "!:Error: 5"},
		{"await Promise.reject(new TypeError('bad'))", "!:TypeError: bad"},
		{"let = 1 +", "!:SyntaxError: Unexpected end of input"},
		{"setTimeout(() => { throw new Error('later') }, 1); await new Promise(r => setTimeout(r, 50)); 1", ""},
		{"require('child_process').execSync('echo child', {stdio: 'inherit'}); 1", "r:1"},
	} {
		got := run(t, c, step.code)
		if strings.Contains(step.code, "later") {
			if len(got.stderr) != 1 || !strings.HasPrefix(got.stderr[0], "Error: later") || got.failure != nil {
				t.Errorf("%q: %q", step.code, got.said())
			}
			continue
		}
		if got.said() != step.want {
			t.Errorf("%q: got %q, want %q", step.code, got.said(), step.want)
		}
	}
	got := execute(t, c, api.CodeRequest{Code: "process.env.FOO", Env: map[string]string{"FOO": "bar"}})
	if got.said() != "r:'bar'" {
		t.Errorf("a variable of one execution: %q", got.said())
	}
	if got := run(t, c, "process.env.FOO || 'default'"); got.said() != "r:'default'" {
		t.Errorf("later: %q", got.said())
	}
}

// openTypeScript has the modules that .ci/contexts installs.
func openTypeScript(t testing.TB) *Context {
	t.Helper()
	modules, err := filepath.Abs("../../../.build/contexts/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "typescript")); err != nil {
		t.Skip("needs what .ci/contexts installs")
	}
	return launch(t, &local{}, api.ContextSpec{Language: api.LanguageTypeScript, Env: map[string]string{"NODE_PATH": modules}}, Options{})
}

func TestTypeScript(t *testing.T) {
	c := openTypeScript(t)
	for _, step := range []struct{ code, want string }{
		{"const message: string = 'Hello, World!'; console.log(message)", "o:Hello, World!\n"},
		{"interface P { n: number }\nfunction f<T extends P>(p: T): number { return p.n + 1 }", ""},
		{"f({ n: 2 } as P)", "r:3"},
		{"enum E { A = 4, B }\nE.B", "r:5"},
		{"import { sep } from 'path'\nimport type { Stats } from 'fs'", ""},
		{"sep satisfies string", "r:'/'"},
		{"await Promise.resolve<number>(7)", "r:7"},
		{"let x: number = 'not checked' as any; x", "r:'not checked'"},
		{"throw new RangeError('far')", "!:RangeError: far"},
		{"const y: = 1", "!:SyntaxError: Type expected."},
		{"sep", "r:'/'"},
	} {
		if got := run(t, c, step.code); got.said() != step.want {
			t.Errorf("%q: got %q, want %q", step.code, got.said(), step.want)
		}
	}
}

func TestJavaScriptInterrupt(t *testing.T) {
	c := openJavaScript(t, Options{})
	run(t, c, "const x = 1")
	for _, code := range []string{"while (true) {}", "await new Promise(() => {})", "while (true) console.log('x')"} {
		got := execute(t, c, api.CodeRequest{Code: code, Timeout: 200 * time.Millisecond})
		if got.failure == nil || got.failure.Name != "KeyboardInterrupt" || got.failure.Value != "its time of 200ms is over" {
			t.Errorf("%q: %v", code, got.failure)
		}
	}
	if got := run(t, c, "x"); got.said() != "r:1" {
		t.Errorf("the state is lost: %q", got.said())
	}
}

// Node sees no signal while it has microtasks, so such code loses its interpreter.
func TestJavaScriptMicrotasks(t *testing.T) {
	c := openJavaScript(t, Options{Patience: 100 * time.Millisecond})
	got := execute(t, c, api.CodeRequest{Code: "for (;;) await null", Timeout: 100 * time.Millisecond})
	if got.failure == nil || got.failure.Name != restarting {
		t.Errorf("got %q", got.said())
	}
	if got := run(t, c, "1"); got.said() != "r:1" {
		t.Errorf("later: %q", got.said())
	}
}
