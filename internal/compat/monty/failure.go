package monty

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py"
)

// known is the name that a client has for a class, by the names of the class and
// of those above it.
func known(classes []string) string {
	for _, name := range classes {
		if to, ok := renamed[name]; ok {
			return to
		}
		if slices.Contains(plainClasses, name) {
			return name
		}
	}
	return "Exception"
}

var plainClasses = []string{
	"Exception", "BaseException", "SystemExit", "KeyboardInterrupt", "ArithmeticError", "OverflowError", "ZeroDivisionError",
	"LookupError", "IndexError", "KeyError", "RuntimeError", "NotImplementedError", "RecursionError", "AttributeError",
	"NameError", "UnboundLocalError", "ValueError", "UnicodeDecodeError", "UnicodeEncodeError", "ImportError",
	"ModuleNotFoundError", "OSError", "FileNotFoundError", "FileExistsError", "IsADirectoryError", "NotADirectoryError",
	"PermissionError", "TimeoutError", "AssertionError", "MemoryError", "StopIteration", "SyntaxError", "TypeError",
	"decimal.DecimalException", "decimal.Clamped", "decimal.InvalidOperation", "decimal.ConversionSyntax",
	"decimal.DivisionByZero", "decimal.DivisionImpossible", "decimal.DivisionUndefined", "decimal.Inexact",
	"decimal.InvalidContext", "decimal.Rounded", "decimal.Subnormal", "decimal.Overflow", "decimal.Underflow",
	"decimal.FloatOperation", "io.UnsupportedOperation", "tomllib.TOMLDecodeError", "binascii.Error",
	"binascii.Incomplete", "_csv.Error", "re.PatternError", "json.JSONDecodeError",
}

// renamed are classes that clients know by another name.
var renamed = map[string]string{
	"json.decoder.JSONDecodeError": "json.JSONDecodeError", "csv.Error": "_csv.Error", "re.error": "re.PatternError",
	"dataclasses.FrozenInstanceError": "FrozenInstanceError",
}

// failed is the event of code that ended by an exception without a place.
func failed(class, message string) event {
	return event{kind: eventError, body: bytesOf(1, join(text(1, class), text(2, message)))}
}

// failure is the event of code that failed.
func (s *session) failure(err error) event {
	var exc *py.Exception
	var limit *py.LimitError
	var source *py.SourceError
	switch {
	case errors.As(err, &exc):
		return event{kind: eventError, body: bytesOf(1, s.raised(exc))}
	case errors.As(err, &limit):
		return failed(s.limit(limit))
	case errors.As(err, &source):
		return s.noSource(source)
	}
	return failed("RuntimeError", err.Error())
}

// raised is a RaisedException.
func (s *session) raised(e *py.Exception) []byte {
	body := text(1, known(append(slices.Clone(e.Classes), e.Class)))
	if message := cmp.Or(e.Key, e.Message); message != "" {
		body = append(body, text(2, message)...)
	}
	for _, l := range e.Lines {
		body = append(body, bytesOf(3, frameOf(l))...)
	}
	return body
}

// frameOf is a StackFrame. Where the expression is not known, it has the whole
// line, without marks below it.
func frameOf(l py.Line) []byte {
	if s := l.Span; s != nil {
		return join(text(1, l.File), bytesOf(2, place(s.Start.Line, s.Start.Column)), bytesOf(3, place(s.End.Line, s.End.Column)),
			text(4, l.Function), text(5, s.Source), flag(6, s.Raised))
	}
	b := join(text(1, l.File), bytesOf(2, place(l.Line, 1)), bytesOf(3, place(l.Line, 1+len([]rune(l.Text)))))
	b = append(b, text(4, l.Function)...)
	return append(b, join(text(5, l.Text), number(6, 1))...)
}

func place(line, column int) []byte {
	return join(numberSet(1, uint64(line)), numberSet(2, uint64(column)))
}

// noSource is the event of a source that is no program.
func (s *session) noSource(e *py.SourceError) event {
	p := e.Problems[0]
	message := p.Message
	if p.Hint != "" {
		message += "; " + p.Hint
	}
	line := ""
	if lines := strings.Split(s.source, "\n"); p.Line >= 1 && p.Line <= len(lines) {
		line = strings.TrimSpace(lines[p.Line-1])
	}
	frame := join(text(1, s.name()), bytesOf(2, place(p.Line, p.Column)), bytesOf(3, place(p.Line, p.Column+1)),
		text(5, line), number(7, 1))
	return event{kind: eventError, body: bytesOf(1, join(text(1, "SyntaxError"), text(2, message), bytesOf(3, frame)))}
}

// limit is the exception that a client expects of a limit.
func (s *session) limit(e *py.LimitError) (class, message string) {
	switch e.Limit {
	case py.MemoryLimit:
		return "MemoryError", fmt.Sprintf("memory limit exceeded: more than %d bytes", e.Max)
	case py.TimeLimit:
		return "TimeoutError", s.timeLimit()
	case py.DepthLimit:
		return "RecursionError", "maximum recursion depth exceeded"
	}
	return "RuntimeError", e.Error()
}
