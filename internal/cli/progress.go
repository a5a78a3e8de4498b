package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// progress shows where a run is, and for how long it has been under way. On a
// terminal it is a few live lines, which go away when other text is printed.
// Elsewhere it is a plain line for each stage of an image, and one now and
// then.
type progress struct {
	w     io.Writer
	width func() int // columns of the terminal; nil: no terminal
	dim   bool
	now   func() time.Time

	mu      sync.Mutex
	began   time.Time
	step    api.Progress // the newest
	calls   *calls       // of an orchestrator; nil: none yet
	rows    int          // that are shown
	drawn   time.Time    // when
	begun   bool         // a line of the program's output has begun and not ended
	printed time.Time    // when a plain line was printed
	stage   string       // of that line
}

func newProgress(w io.Writer, getenv func(string) string) *progress {
	p := &progress{w: w, dim: getenv("NO_COLOR") == "", now: time.Now}
	p.began = p.now()
	p.printed = p.began
	f := terminal(w)
	if f == nil || getenv("TERM") == "dumb" {
		return p
	}
	p.width = func() int { return screenWidth(f) }
	return p
}

// How often live lines are drawn anew, and plain lines are printed at least.
const (
	redrawing = time.Second
	telling   = 20 * time.Second
	flicker   = 50 * time.Millisecond // shortest time between two changes of the display
)

// start shows how time goes by, until the function that it returns is called,
// which also takes the lines away.
func (p *progress) start() (stop func()) {
	ended := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		ticker := time.NewTicker(redrawing)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				p.tick()
			}
		}
	})
	return sync.OnceFunc(func() {
		close(ended)
		ticking.Wait()
		p.clear()
	})
}

// tick shows that time has gone by.
func (p *progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.width != nil {
		p.draw()
		return
	}
	if p.now().Sub(p.printed) >= telling {
		p.tell(strings.Join(p.lines(), "; "))
	}
}

// baseChoice begins the message that explains the choice of a base. It is no
// progress but a fact that people want to find in a log, too.
const baseChoice = "base: "

// show says that a step has begun.
func (p *progress) show(step api.Progress) { p.showOf("", step) }

// showOf does so for the run of a tool; the run itself has no name.
func (p *progress) showOf(tool string, step api.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tool == "" {
		p.step = step
	}
	if strings.HasPrefix(step.Message, baseChoice) {
		p.tell(step.Message)
		return
	}
	if p.width != nil {
		p.draw()
		return
	}
	if buildsImage(step.Stage) && step.Stage != p.stage {
		p.tell(strings.TrimSpace(tool + " " + describe(step)))
		p.stage = step.Stage
	}
}

// buildsImage says whether a stage is one that can take minutes.
func buildsImage(stage string) bool { return stage == "resolve" || stage == "base" || stage == "build" }

// tell prints a line that stays. p.mu is held.
func (p *progress) tell(line string) {
	p.newLine()
	fmt.Fprintln(p.w, visible(line))
	p.printed = p.now()
}

// note prints a line that stays, for people who look at a terminal.
func (p *progress) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.newLine()
	fmt.Fprintln(p.w, p.faint(visible(line)))
}

// faint returns text as it stands back behind what the program prints.
func (p *progress) faint(text string) string {
	if p.width == nil || !p.dim {
		return text
	}
	return "\x1b[2m" + text + "\x1b[0m"
}

// waiting is shown before anything has happened.
const waiting = "waiting for its turn"

// lines are those that are live, as they are now.
func (p *progress) lines() []string {
	text := describe(p.step)
	switch {
	case p.calls != nil && !buildsImage(p.step.Stage) && p.step.Stage != "retry":
		text = p.calls.summary()
	case text == "":
		text = waiting
	}
	now := p.now()
	lines := []string{elapsed(now.Sub(p.began)) + "  " + text}
	if p.calls != nil && p.width != nil {
		lines = append(lines, p.calls.lines(now)...)
	}
	return lines
}

// elapsed writes a duration in whole seconds.
func elapsed(d time.Duration) string { return max(0, d).Truncate(time.Second).String() }

// draw shows the live lines, unless the cursor is behind what the program has
// printed. p.mu is held.
func (p *progress) draw() {
	if p.begun {
		return
	}
	p.erase()
	lines := p.lines()
	var b strings.Builder
	for i, line := range lines {
		line = p.faint(cut(visible(line), p.width()-1))
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("\r\x1b[K" + line)
	}
	p.rows, p.drawn = len(lines), p.now()
	io.WriteString(p.w, b.String())
}

// clear takes the lines away.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *progress) erase() {
	for ; p.rows > 0; p.rows-- {
		io.WriteString(p.w, "\r\x1b[K")
		if p.rows > 1 {
			io.WriteString(p.w, "\x1b[A")
		}
	}
}

// fresh makes what is printed next the beginning of a line.
func (p *progress) fresh() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.newLine()
}

func (p *progress) newLine() {
	p.erase()
	if p.begun {
		fmt.Fprintln(p.w)
		p.begun = false
	}
}

// before returns w, which is shown in the same place, with the lines taken away
// before each write.
func (p *progress) before(w io.Writer) io.Writer { return clearing{p, w} }

type clearing struct {
	*progress
	io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	end := bytes.LastIndexByte(b, '\n') + 1
	c.begun = c.begun && end == 0 || len(withoutColours(b[end:])) > 0
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
	if width < 1 || columns(s) <= width {
		return s
	}
	room := width - 1
	for i, r := range s {
		if room -= columnsOf(r); room < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

func columns(s string) (n int) {
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

// columnsOf is 2 for characters that are wide in East Asian text, and for emoji.
func columnsOf(r rune) int {
	switch {
	case r < 0x1100, r > 0x115f && r < 0x2e80, r > 0xa4cf && r < 0xac00, r > 0xd7a3 && r < 0xf900,
		r > 0xfaff && r < 0xfe30, r > 0xfe6f && r < 0xff01, r > 0xff60 && r < 0x1f300:
		return 1
	}
	return 2
}
