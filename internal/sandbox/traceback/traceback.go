// Package traceback finds in what a Python script wrote to standard error the
// exception that ended it, and leaves out the frames that are not the user's.
// The text is hostile: it is whatever the script wrote.
package traceback

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
)

// Header begins a traceback.
const Header = "Traceback (most recent call last):"

// The lines of a traceback as CPython 3.8 to 3.14 prints it.
var (
	frameLine     = lazyregexp.New(`^  File "(.+)", line (\d{1,9})(?:, in (.+))?$`)
	exceptionLine = lazyregexp.New(`^([A-Za-z_][A-Za-z0-9_.]*)(?:: ?(.*))?$`)
	caretLine     = lazyregexp.New(`^ {4,}[~^ ]*[~^]+[~^ ]*$`)
)

// Bounds of what is kept of an exception. Of more frames the innermost are kept.
const (
	MaxFrames    = 100
	MessageBytes = 2 << 10 // of a message, or a name, in a message of ours
)

// Parse finds the last traceback in what a script wrote to stderr.
// File is the name of the script, below /work. last reports whether nothing
// follows the line with the exception.
func Parse(stderr, file, code string) (x *api.Exception, last bool) {
	lines := strings.Split(strings.TrimRight(stderr, "\r\n"), "\n")
	start := lastTraceback(lines)
	if start < 0 {
		return nil, false
	}
	p := &parser{file: file, code: strings.Split(code, "\n")}
	if lines[start] == groupHeader {
		return p.parseGroup(lines[start:])
	}
	end := start
	for ; end < len(lines) && (lines[end] == Header || strings.HasPrefix(lines[end], "  ")); end++ {
		p.line(lines[end])
	}
	if end == len(lines) {
		return nil, false
	}
	match := exceptionLine().FindStringSubmatch(lines[end])
	if match == nil {
		return nil, false
	}
	message := strings.Join(append([]string{match[2]}, lines[end+1:]...), "\n")
	return p.exception(match[1], message), end == len(lines)-1
}

// lastTraceback returns where the last traceback begins, or -1. That of a
// syntax error in the script itself has no header.
func lastTraceback(lines []string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i] == Header || lines[i] == groupHeader {
			return i
		}
		bare := frameLine().FindStringSubmatch(lines[i])
		if bare != nil && bare[3] == "" && (i == 0 || !strings.HasPrefix(lines[i-1], "  ") && lines[i-1] != Header) {
			return i
		}
	}
	return -1
}

type parser struct {
	file   string
	code   []string
	frames []api.Frame
	kept   []string // the lines of the frames that are the user's
	skip   bool     // the frame under way is not the user's
}

func (p *parser) line(text string) {
	if text == Header {
		return
	}
	if match := frameLine().FindStringSubmatch(text); match != nil {
		p.frame(match[1], match[2], match[3])
		return
	}
	if p.skip || len(p.frames) == 0 {
		return
	}
	p.kept = append(p.kept, streams.Clean(text, MessageBytes))
	at := &p.frames[len(p.frames)-1]
	if caretLine().MatchString(text) {
		at.Column = p.column(at, strings.IndexAny(text, "~^"))
		return
	}
	if at.Source == "" {
		at.Source = streams.Clean(strings.TrimSpace(text), MessageBytes)
	}
}

func (p *parser) frame(path, number, function string) {
	p.skip = !userFile(path)
	if p.skip {
		return
	}
	line, err := strconv.Atoi(number)
	if err != nil {
		p.skip = true
		return
	}
	name := streams.Clean(strings.TrimPrefix(path, layout.Work+"/"), MessageBytes)
	p.frames = append(p.frames, api.Frame{File: name, Line: line, Function: streams.Clean(function, MessageBytes)})
	text := `  File "` + name + `", line ` + number
	if function != "" {
		text += ", in " + streams.Clean(function, MessageBytes)
	}
	p.kept = append(p.kept, text)
}

// userFile reports whether a frame is in code that the user wrote, and not in
// Python's own or in a package.
func userFile(path string) bool {
	for _, foreign := range []string{"<frozen ", layout.Runner + "/", "/lib/python", "/lib64/python", "/site-packages/", "/dist-packages/"} {
		if strings.Contains(path, foreign) {
			return false
		}
	}
	return true
}

// column translates the place of a caret, under a line that Python prints
// without its indentation behind four spaces, to a column of the file.
func (p *parser) column(at *api.Frame, caret int) int {
	column := caret - 4 + 1
	if at.File != p.file || at.Line < 1 || at.Line > len(p.code) {
		return column
	}
	source := p.code[at.Line-1]
	return column + len(source) - len(strings.TrimLeft(source, " \t\f"))
}

func (p *parser) exception(kind, message string) *api.Exception {
	frames := p.frames[max(0, len(p.frames)-MaxFrames):]
	kind, message = streams.Clean(kind, MessageBytes), streams.Clean(message, streams.ExcerptBytes)
	text := strings.Join(p.kept, "\n")
	if text != "" {
		text = Header + "\n" + text + "\n"
	}
	text += kind
	if message != "" {
		text += ": " + message
	}
	return &api.Exception{Type: kind, Message: message, Frames: frames, Traceback: text + "\n"}
}
