package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/box"
)

// settle shows what an agent changed, and makes what is accepted.
func (c *cli) settle(ctx context.Context, changes *box.Changes, answers *answers, all bool) error {
	c.printLeftOut("left in the cell", changes.LeftOut)
	if len(changes.List) == 0 {
		fmt.Fprintln(c.Err, "glovebox: the agent changed no file")
		return nil
	}
	if err := c.showChanges(changes); err != nil {
		return err
	}
	accepted, conflicts := c.choose(ctx, changes, answers, all)
	late, err := changes.Apply(accepted)
	if err != nil {
		return err
	}
	for _, change := range late {
		printError(c.Err, change.Path+" is left as it is: "+change.Conflict, "", "")
	}
	fmt.Fprintf(c.Err, "glovebox: %d of %d changes are made\n", len(accepted)-len(late), len(changes.List))
	if conflicts += len(late); conflicts > 0 {
		return api.Errorf(api.Conflict, "%d files of the project are no longer what the agent got, and are left as they are", conflicts).
			WithHint("take its version from the diff, or from the session")
	}
	return nil
}

// showChanges prints the differences, and then which files they are in.
func (c *cli) showChanges(changes *box.Changes) error {
	var to io.Writer = c.Out
	if terminal(c.Out) != nil {
		to = reviewed{c.Out}
	}
	for i := range changes.List {
		if err := changes.Diff(to, &changes.List[i]); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.Err, "glovebox: the agent changed %d files\n", len(changes.List))
	for i := range changes.List {
		line, err := summary(changes, &changes.List[i])
		if err != nil {
			return err
		}
		fmt.Fprintln(c.Err, "  "+line)
	}
	return nil
}

// summary is a change in one line.
func summary(changes *box.Changes, change *box.Change) (string, error) {
	added, removed, err := changes.Lines(change)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%-8s %s", change.Verb(), visible(change.Path))
	if added+removed > 0 {
		text += fmt.Sprintf(" +%d -%d", added, removed)
	}
	for _, note := range change.Notes() {
		text += ", " + note
	}
	if change.Conflict != "" {
		text += ", in conflict: " + change.Conflict
	}
	return text, nil
}

// choose returns the changes that are accepted, and how many of those that are
// wanted are in conflict.
func (c *cli) choose(ctx context.Context, changes *box.Changes, answers *answers, all bool) (accepted []box.Change, conflicts int) {
	var free []box.Change
	for _, change := range changes.List {
		if change.Conflict == "" {
			free = append(free, change)
		}
	}
	conflicts = len(changes.List) - len(free)
	if all {
		return free, conflicts
	}
	if inputTerminal(c.In) < 0 {
		fmt.Fprintln(c.Err, "glovebox: nothing is changed here without an answer; --yes accepts all, and git apply takes the diff")
		return nil, 0
	}
	switch c.ask(ctx, answers, "accept all [y], none [n], or choose by file [c]?", "ync") {
	case 'y':
		return free, conflicts
	case 'c':
		return c.chooseByFile(ctx, answers, free), conflicts
	}
	return nil, 0
}

func (c *cli) chooseByFile(ctx context.Context, answers *answers, free []box.Change) (accepted []box.Change) {
	for i := range free {
		question := fmt.Sprintf("%s %s: accept [y], not [n], or none of the rest [q]?", free[i].Verb(), visible(free[i].Path))
		switch c.ask(ctx, answers, question, "ynq") {
		case 'y':
			accepted = append(accepted, free[i])
		case 'q':
			return accepted
		}
	}
	return accepted
}

// ask asks until an answer is one of the letters. Without an answer it is n.
func (c *cli) ask(ctx context.Context, answers *answers, question, letters string) byte {
	for {
		fmt.Fprint(c.Err, question+" ")
		line, ok := answers.line(ctx)
		if !ok {
			fmt.Fprintln(c.Err)
			return 'n'
		}
		if len(line) > 0 && strings.Contains(letters, line[:1]) {
			return line[0]
		}
	}
}

// reviewed shows text that somebody judges on a terminal: nothing in it is obeyed
// or hidden there, colours included.
type reviewed struct{ io.Writer }

func (r reviewed) Write(p []byte) (int, error) {
	safe := strings.Map(func(char rune) rune {
		switch {
		case char == '\n' || char == '\t':
			return char
		case tricks(char) || unicode.Is(unicode.Cf, char):
			return '\ufffd'
		}
		return char
	}, string(p))
	if _, err := io.WriteString(r.Writer, safe); err != nil {
		return 0, err
	}
	return len(p), nil
}
