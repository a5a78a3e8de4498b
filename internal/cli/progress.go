package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/glovebox-dev/glovebox/api"
)

// progress shows the stage of a run on one line of a terminal, which goes away
// when something else is printed. On anything but a terminal it shows only
// which base an image is built on.
type progress struct {
	w     io.Writer
	width func() int // columns of the terminal; nil: no terminal
	dim   bool

	mu    sync.Mutex
	shown bool
}

func newProgress(w io.Writer, getenv func(string) string) *progress {
	p := &progress{w: w, dim: getenv("NO_COLOR") == ""}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || getenv("TERM") == "dumb" {
		return p
	}
	p.width = func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 80
		}
		return width
	}
	return p
}

// baseChoice begins the message that explains the choice of a base. It is no
// progress but a fact that people want to find in a log, too.
const baseChoice = "base: "

// show replaces the line.
func (p *progress) show(step api.Progress) {
	if strings.HasPrefix(step.Message, baseChoice) {
		p.clear()
		fmt.Fprintln(p.w, visible(step.Message))
		return
	}
	if p.width == nil {
		return
	}
	line := cut(visible(describe(step)), p.width()-1)
	if p.dim {
		line = "\x1b[2m" + line + "\x1b[0m"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = true
	fmt.Fprint(p.w, "\r\x1b[K"+line)
}

// clear takes the line away.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// before returns w with the line taken away before each write.
func (p *progress) before(w io.Writer) io.Writer { return clearing{p, w} }

type clearing struct {
	*progress
	io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	c.clear()
	return c.Writer.Write(b)
}

// describe is one line for people.
func describe(step api.Progress) string {
	text := step.Message
	if text == "" {
		text = step.Stage
	}
	if step.Total > 0 {
		text += fmt.Sprintf(" %d%%", min(100, 100*step.Done/step.Total))
	}
	return strings.TrimSpace(text)
}

// cut shortens s to width columns.
func cut(s string, width int) string {
	runes := []rune(s)
	if width < 1 || len(runes) <= width {
		return s
	}
	return string(runes[:width-1]) + "…"
}
