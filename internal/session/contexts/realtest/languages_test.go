package realtest

import (
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
)

// TestLanguagesInCell: R, Java and TypeScript as Debian has them print, have values,
// fail, are interrupted and keep their state.
func TestLanguagesInCell(t *testing.T) {
	for _, l := range []struct {
		language, print, set, get, fail, failed, loop string
	}{
		{api.LanguageR, "print('Hello')", "x <- 6", "x * 7", "stop('bad')", "!:simpleError: bad", "repeat NULL"},
		{api.LanguageJava, `System.out.println("Hello")`, "int x = 6;", "x * 7", `throw new Exception("bad");`, "!:java.lang.Exception: bad", "while (true) {}"},
		{api.LanguageTypeScript, "console.log('Hello' as string)", "const x: number = 6", "x * 7", "throw new RangeError('bad')", "!:RangeError: bad", "while (true) {}"},
	} {
		t.Run(l.language, func(t *testing.T) {
			c := startIn(t, celltest.LanguagesRootFS, l.language)
			if got := run(t, c, api.CodeRequest{Code: l.print}); !strings.Contains(got, "Hello") || !strings.HasPrefix(got, "o:") {
				t.Errorf("it prints %q", got)
			}
			if got := run(t, c, api.CodeRequest{Code: l.set}); got != "" {
				t.Errorf("%s gives %q", l.set, got)
			}
			if got := run(t, c, api.CodeRequest{Code: l.fail}); got != l.failed {
				t.Errorf("%s gives %q, want %q", l.fail, got, l.failed)
			}
			before := time.Now()
			if got := run(t, c, api.CodeRequest{Code: l.loop, Timeout: 300 * time.Millisecond}); got != "!:KeyboardInterrupt: its time of 300ms is over" {
				t.Errorf("%s gives %q", l.loop, got)
			}
			t.Logf("%q took %v to end", l.loop, time.Since(before)-300*time.Millisecond)
			if got := run(t, c, api.CodeRequest{Code: l.get}); !strings.HasPrefix(got, "r:") || !strings.Contains(got, "42") {
				t.Errorf("%s gives %q", l.get, got)
			}
		})
	}
}

// TestPlotInCell: R draws without a display.
func TestPlotInCell(t *testing.T) {
	c := startIn(t, celltest.LanguagesRootFS, api.LanguageR)
	for e, err := range c.Run(t.Context(), api.CodeRequest{Code: "hist(c(1, 2, 2, 3), main = 'é')"}) {
		if err != nil || e.Error != nil {
			t.Fatalf("%v %+v", err, e.Error)
		}
		if e.Type == api.CodeResult && strings.HasPrefix(string(e.Data["image/png"]), `"iVBORw0KGgo`) {
			return
		}
	}
	t.Error("no picture came")
}

// TestLanguageIsMissing: an image without an interpreter says which one it lacks.
func TestLanguageIsMissing(t *testing.T) {
	for language, want := range map[string]string{api.LanguageR: "R (", api.LanguageJava: "Java compiler", api.LanguageTypeScript: "Node.js"} {
		if _, err := tryStart(t, celltest.RootFS, language); err == nil || !strings.Contains(err.Error(), "the image has no "+want) {
			t.Errorf("%s: %v", language, err)
		}
	}
}
