package agent

import (
	"slices"
	"strings"
)

// block is a block of code in a text.
type block struct {
	code string
	open bool // the text ended before the block did
}

// fenced finds the first block of Python in a text: the lines between two fences
// of Markdown, with python, py or nothing after the first.
func fenced(text string) (b block, ok bool) {
	lines := slices.Collect(strings.Lines(text))
	for i := 0; i < len(lines); i++ {
		fence, word := fenceOf(lines[i])
		if fence == "" {
			continue
		}
		end := i + 1 + slices.IndexFunc(lines[i+1:], func(line string) bool {
			mark, word := fenceOf(line)
			return word == "" && strings.HasPrefix(mark, fence)
		})
		open := end == i
		if open {
			end = len(lines)
		}
		if code := strings.Join(lines[i+1:end], ""); isPython(word) && strings.TrimSpace(code) != "" {
			return block{code, open}, true
		}
		i = end
	}
	return block{}, false
}

// fenceOf returns the marks of a line that is a fence, and what follows them.
func fenceOf(line string) (marks, word string) {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "`")
	if len(line)-len(rest) < 3 {
		return "", ""
	}
	return line[:len(line)-len(rest)], strings.TrimSpace(rest)
}

func isPython(word string) bool {
	return slices.Contains([]string{"", "py", "python", "python3"}, strings.ToLower(word))
}
