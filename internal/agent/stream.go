package agent

import (
	"context"
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// Bounds of what is run while the model writes, for each piece is a call, and code
// that is not complete is read again with it. What follows is run at the end.
const (
	maxLive   = 1 << 20 // bytes of an answer
	maxPieces = 1000
)

// live is a block whose statements are run while the model writes it.
type live struct {
	seen            int    // bytes of its code that were cut into statements
	rest            string // of them: what is no whole statement yet
	ran             bool
	printed, result string
	failed          string // why the rest of the block is not run
}

func (l *live) began() bool { return l.ran || l.failed != "" }

// PieceReady reports whether a text that a model is still writing has a further
// line of code, of which so many bytes were given, that shows that a statement
// before it is complete.
func PieceReady(text string, given int) bool {
	if !strings.Contains(text, "```") {
		return false
	}
	from := max(0, given-1) // a line that ended with what was given begins here
	for _, line := range strings.SplitAfter(text[from:], "\n")[1:] {
		if line != "" && !strings.ContainsRune(" \t\r\n#)]}", rune(line[0])) {
			return true
		}
	}
	return false
}

// hear takes the pieces of an answer, and runs the statements that they complete.
// The pieces are calls, so an attempt that is made again cuts the code alike.
func (m *codeMode) hear(ctx context.Context, name string, a api.ModelAnswer) (api.ModelAnswer, error) {
	m.live = &live{}
	m.made = nil
	for pieces := 1; a.Stop == api.StopMore; pieces++ {
		if err := m.runReady(ctx, a.Text); err != nil {
			return a, err
		}
		over := m.live.failed != "" || m.final != nil || len(a.Text) > maxLive || pieces >= maxPieces
		rest := api.ModelRest{Pieces: name, After: len(a.Text), Whole: over}
		next, err := m.calls.ask(ctx, m.calls.agent.RestName(), api.ModelRequest{Rest: &rest})
		if err != nil {
			return a, err
		}
		a.Text += next.Text
		a.Calls, a.Stop, a.Usage = next.Calls, next.Stop, next.Usage
	}
	return a, nil
}

// runReady runs what is complete of the block that a text has so far.
func (m *codeMode) runReady(ctx context.Context, text string) error {
	b, ok := fenced(text)
	if !ok {
		return nil
	}
	return m.runPieces(ctx, m.live, b.code, !b.open)
}

func (m *codeMode) runPieces(ctx context.Context, l *live, code string, complete bool) error {
	var ready []string
	ready, l.rest = py.Pieces(l.rest+code[l.seen:], complete)
	l.seen = len(code)
	for _, piece := range ready {
		if l.failed != "" || m.final != nil {
			return nil
		}
		if err := m.statement(ctx, l, piece); err != nil {
			return err
		}
	}
	return nil
}

// statement runs one, unless the checker refuses it.
func (m *codeMode) statement(ctx context.Context, l *live, code string) error {
	problems := errorsOf(m.console.Check(code))
	if len(problems) == 0 {
		if !l.ran {
			m.blocks++
		}
		err := m.console.Feed(ctx, m.blockName(), code)
		var bad *py.SourceError
		if err != nil && !errors.As(err, &bad) {
			return err
		}
		if bad != nil {
			problems = bad.Problems
		}
	}
	if len(problems) > 0 {
		l.failed = notRun(problems)
		return nil
	}
	l.ran = true
	err := m.drive(ctx)
	if err == nil {
		l.printed += m.count()
		l.result, l.failed, err = m.settle(ctx)
	}
	return err
}

// finish runs the rest of a block whose answer has ended, and is what the model
// hears of all of it.
func (m *codeMode) finish(ctx context.Context, l *live, b block, stop api.ModelStop) ([]api.ModelMessage, error) {
	cut := b.open && (stop == api.StopLength || stop == api.StopLost)
	if err := m.runPieces(ctx, l, b.code, !cut); err != nil {
		return nil, err
	}
	m.giveUp()
	heard := m.told(l.printed, l.result, l.failed)
	if cut && l.failed == "" {
		heard[0].Text += "\n" + goOn
	}
	return heard, nil
}
