package sandbox

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

const tracebackHeader = "Traceback (most recent call last):"

// The lines of a traceback as CPython 3.8 to 3.14 prints it.
var (
	frameLine     = regexp.MustCompile(`^  File "(.+)", line (\d{1,9})(?:, in (.+))?$`)
	exceptionLine = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.]*)(?:: ?(.*))?$`)
	caretLine     = regexp.MustCompile(`^ {4,}[~^ ]*[~^]+[~^ ]*$`)
)

// maxFrames bounds the frames in an error; the innermost are kept.
const maxFrames = 100

// parseTraceback finds the last traceback in what a script wrote to stderr.
// File is the name of the script, below /work. last reports whether nothing
// follows the line with the exception.
func parseTraceback(stderr, file, code string) (x *api.Exception, last bool) {
	lines := strings.Split(strings.TrimRight(stderr, "\r\n"), "\n")
	start := lastTraceback(lines)
	if start < 0 {
		return nil, false
	}
	p := &tracebackParser{file: file, code: strings.Split(code, "\n")}
	if lines[start] == groupHeader {
		return p.parseGroup(lines[start:])
	}
	end := start
	for ; end < len(lines) && (lines[end] == tracebackHeader || strings.HasPrefix(lines[end], "  ")); end++ {
		p.line(lines[end])
	}
	if end == len(lines) {
		return nil, false
	}
	match := exceptionLine.FindStringSubmatch(lines[end])
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
		if lines[i] == tracebackHeader || lines[i] == groupHeader {
			return i
		}
		bare := frameLine.FindStringSubmatch(lines[i])
		if bare != nil && bare[3] == "" && (i == 0 || !strings.HasPrefix(lines[i-1], "  ") && lines[i-1] != tracebackHeader) {
			return i
		}
	}
	return -1
}

type tracebackParser struct {
	file   string
	code   []string
	frames []api.Frame
	kept   []string // the lines of the frames that are the user's
	skip   bool     // the frame under way is not the user's
}

func (p *tracebackParser) line(text string) {
	if text == tracebackHeader {
		return
	}
	if match := frameLine.FindStringSubmatch(text); match != nil {
		p.frame(match[1], match[2], match[3])
		return
	}
	if p.skip || len(p.frames) == 0 {
		return
	}
	p.kept = append(p.kept, clean(text, messageBytes))
	at := &p.frames[len(p.frames)-1]
	if caretLine.MatchString(text) {
		at.Column = p.column(at, strings.IndexAny(text, "~^"))
		return
	}
	if at.Source == "" {
		at.Source = clean(strings.TrimSpace(text), messageBytes)
	}
}

func (p *tracebackParser) frame(path, number, function string) {
	p.skip = !userFile(path)
	if p.skip {
		return
	}
	line, err := strconv.Atoi(number)
	if err != nil {
		p.skip = true
		return
	}
	name := clean(strings.TrimPrefix(path, workDir+"/"), messageBytes)
	p.frames = append(p.frames, api.Frame{File: name, Line: line, Function: clean(function, messageBytes)})
	text := `  File "` + name + `", line ` + number
	if function != "" {
		text += ", in " + clean(function, messageBytes)
	}
	p.kept = append(p.kept, text)
}

// userFile reports whether a frame is in code that the user wrote, and not in
// Python's own or in a package.
func userFile(path string) bool {
	for _, foreign := range []string{"<frozen ", runnerDir + "/", "/lib/python", "/lib64/python", "/site-packages/", "/dist-packages/"} {
		if strings.Contains(path, foreign) {
			return false
		}
	}
	return true
}

// column translates the place of a caret, under a line that Python prints
// without its indentation behind four spaces, to a column of the file.
func (p *tracebackParser) column(at *api.Frame, caret int) int {
	column := caret - 4 + 1
	if at.File != p.file || at.Line < 1 || at.Line > len(p.code) {
		return column
	}
	source := p.code[at.Line-1]
	return column + len(source) - len(strings.TrimLeft(source, " \t\f"))
}

func (p *tracebackParser) exception(kind, message string) *api.Exception {
	frames := p.frames[max(0, len(p.frames)-maxFrames):]
	kind, message = clean(kind, messageBytes), clean(message, excerptBytes)
	text := strings.Join(p.kept, "\n")
	if text != "" {
		text = tracebackHeader + "\n" + text + "\n"
	}
	text += kind
	if message != "" {
		text += ": " + message
	}
	return &api.Exception{Type: kind, Message: message, Frames: frames, Traceback: text + "\n"}
}
