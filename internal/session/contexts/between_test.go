package contexts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBetween: text that is printed between two executions comes with the next one.
func TestBetween(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		late(t, open(Options{}), "import threading, os, time\ndef f():\n  while not os.path.exists('go'): time.sleep(.01)\n  print('thread'); os.write(1, b'raw\\n'); os.system('echo child; touch done')\nthreading.Thread(target=f).start()", "print('now')", "o:thread\nraw\nchild\nnow\n")
	})
	t.Run("bash", func(t *testing.T) {
		late(t, openBash(t, Options{}), "(while [ ! -e go ]; do sleep .01; done; echo one; touch done) &", "echo now", "o:one\nnow\n")
	})
	t.Run("javascript", func(t *testing.T) {
		late(t, openJavaScript(t, Options{}), "const t = setInterval(() => { if (!require('fs').existsSync('go')) return; clearInterval(t); console.log('one'); console.error('two'); require('fs').writeFileSync('done', '') }, 10); undefined", "console.log('now')", "o:one\n|e:two\n|o:now\n")
	})
	t.Run("r", func(t *testing.T) {
		late(t, openR(t, Options{}), "system('(while [ ! -e go ]; do sleep .01; done; echo one; touch done) &')", "cat('now\\n')", "o:one\nnow\n")
	})
	t.Run("java", func(t *testing.T) {
		code := "new Thread(() -> { try { while (!Files.exists(Path.of(\"go\"))) Thread.sleep(10); System.out.print(\"one\"); Files.createFile(Path.of(\"done\")); } catch (Exception e) { e.printStackTrace(); } }).start();"
		late(t, openJava(t, Options{}), code, "System.out.print(\"now\")", "o:onenow")
	})
}

// goOn makes the file that code waits for which was left behind, until it has made one
// too.
func goOn(t *testing.T, c *Context) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.spec.Dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		_, err := os.Stat(filepath.Join(c.spec.Dir, "done"))
		return err == nil
	})
}

// late runs code that leaves some behind which prints, and then more code.
func late(t *testing.T, c *Context, code, more, want string) {
	t.Helper()
	got := run(t, c, code)
	if strings.Contains(joined(got), "o:") || got.failure != nil {
		t.Fatalf("at first: %q", got.said())
	}
	goOn(t, c)
	if got := run(t, c, more); joined(got) != want {
		t.Errorf("got %q, want %q", joined(got), want)
	}
	if got := run(t, c, more); strings.Contains(joined(got), "one") || strings.Contains(joined(got), "thread") {
		t.Errorf("it came twice: %q", got.said())
	}
}

func TestBetweenIsBounded(t *testing.T) {
	bounded := func(t *testing.T, c *Context, code, more string) {
		t.Helper()
		if got := run(t, c, code); len(got.stdout) > 0 {
			t.Fatalf("at first: %.100q", got.said())
		}
		goOn(t, c)
		got := run(t, c, more)
		out := strings.Join(got.stdout, "")
		if len(out) != maxBetween+len("now\n") || len(got.stderr) != 1 || !strings.Contains(got.stderr[0], "bytes dropped") {
			t.Errorf("got %d bytes and %q", len(out), got.stderr)
		}
	}
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		code := "import threading, os, time\ndef f():\n  while not os.path.exists('go'): time.sleep(.01)\n  for i in range(300): print('x' * 9999)\n  open('done', 'w').close()\nthreading.Thread(target=f).start()"
		bounded(t, open(Options{}), code, "print('now')")
	})
	t.Run("bash", func(t *testing.T) {
		bounded(t, openBash(t, Options{}), "(while [ ! -e go ]; do sleep .01; done; head -c 3000000 /dev/zero | tr '\\0' x; touch done) &", "echo now")
	})
	t.Run("javascript", func(t *testing.T) {
		code := "const t = setInterval(() => { if (!require('fs').existsSync('go')) return; clearInterval(t); for (let i = 0; i < 300; i++) console.log('x'.repeat(9999)); require('fs').writeFileSync('done', '') }, 10); undefined"
		bounded(t, openJavaScript(t, Options{}), code, "console.log('now')")
	})
	t.Run("java", func(t *testing.T) {
		code := "new Thread(() -> { try { while (!Files.exists(Path.of(\"go\"))) Thread.sleep(10); for (int i = 0; i < 300; i++) System.out.print(\"x\".repeat(9999)); Files.createFile(Path.of(\"done\")); } catch (Exception e) { e.printStackTrace(); } }).start();"
		bounded(t, openJava(t, Options{}), code, "System.out.print(\"now\\n\")")
	})
}
