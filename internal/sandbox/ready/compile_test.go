package ready

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

func TestCompilerCompilesOnceWhenUsedOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := map[string]int{}
		c := newCompiler(func(_ context.Context, image *Image) ([]byte, error) {
			tries[image.ID]++
			if image.ID == "broken" {
				return []byte("part of it"), errors.New("no")
			}
			return []byte("code of " + image.ID), nil
		}, slog.New(slog.DiscardHandler))
		defer c.close()
		for _, step := range []struct {
			image, want string
			tries       int // afterwards
		}{
			{"a", "", 0}, {"b", "", 0}, {"a", "", 1}, {"a", "code of a", 1}, {"a", "code of a", 1},
			{"broken", "", 0}, {"broken", "", 1}, {"broken", "", 1},
			{"b", "", 1}, {"b", "code of b", 1},
		} {
			got := c.code(&Image{ID: step.image})
			synctest.Wait()
			if string(got) != step.want || tries[step.image] != step.tries {
				t.Errorf("image %s: code %q after %d tries, want %q after %d", step.image, got, tries[step.image], step.want, step.tries)
			}
		}
	})
}

// One image at a time is compiled, however many are used, and the others later.
func TestCompilerIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		going, done := 0, make(chan struct{})
		c := newCompiler(func(ctx context.Context, image *Image) ([]byte, error) {
			going++
			select {
			case <-done:
				return []byte(image.ID), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}, slog.New(slog.DiscardHandler))
		use := func(i int) []byte {
			defer synctest.Wait()
			return c.code(&Image{ID: fmt.Sprint(i)})
		}
		for i := range 3 * maxImages {
			use(i)
			use(i)
		}
		if going != 1 || len(c.images) > maxImages {
			t.Errorf("%d are being compiled and %d remembered", going, len(c.images))
		}
		finish := func() {
			done <- struct{}{}
			synctest.Wait()
		}
		finish()
		last := 3*maxImages - 1
		use(last)
		finish()
		if got := use(last); string(got) != fmt.Sprint(last) {
			t.Errorf("code %q", got)
		}
		use(-1)
		use(-1)
		c.close() // ends the compilations under way
		use(-2)
		use(-2)
		if going != 3 {
			t.Errorf("%d were compiled, want 3", going)
		}
	})
}

func TestCompileIn(t *testing.T) {
	for name, c := range map[string]struct {
		exit  cell.Exit
		err   error
		wrote string
		want  bool
	}{
		"it works":        {wrote: "code", want: true},
		"it fails":        {wrote: "code", exit: cell.Exit{Code: 1}},
		"a signal":        {wrote: "code", exit: cell.Exit{Code: -1, Signal: "SIGKILL"}},
		"the cell fails":  {wrote: "code", err: errors.New("lost")},
		"more than takes": {wrote: string(make([]byte, maxCompiled+1))},
	} {
		t.Run(name, func(t *testing.T) {
			box := newFakeBox()
			box.program = func(stdout io.Writer) (cell.Exit, error) {
				_, err := io.WriteString(stdout, c.wrote)
				return c.exit, errors.Join(c.err, err)
			}
			code, err := newTestMaker(t, box).compileIn(t.Context(), testImage())
			if (err == nil) != c.want || c.want && string(code) != c.wrote {
				t.Errorf("%q, %v", code, err)
			}
			if box.closed != 1 || box.command.Argv[0] != "/opt/venv/bin/python3" || box.files[compileFile] == "" {
				t.Errorf("closed %d times, %q", box.closed, box.command.Argv)
			}
		})
	}
}

// TestCompiledIsPut: cells get the compiled code of their image as soon as it
// is there.
func TestCompiledIsPut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := newFakeBox()
		m := newTestMaker(t, box)
		m.compiler.compile = func(context.Context, *Image) ([]byte, error) { return []byte("code"), nil }
		for i, want := range []string{"", "", "code"} {
			c, err := m.StartOwn(t.Context(), "run-1", testTemplate(&api.Task{Code: "pass", Verbatim: true}), "verbatim")
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Await(t.Context()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := box.files[compiledFile]; got != want {
				t.Errorf("run %d: %q, want %q", i, got, want)
			}
		}
	})
}
