package difftest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/value"
)

// wide limits: the programs compare what is computed, not what is refused.
var wide = py.RunOptions{Limits: py.Limits{Memory: 256 << 20, Time: 20 * time.Second, Depth: 1000, Output: 16 << 20}}

var (
	anything = value.Type{Kind: value.KindAny}
	integer  = value.Type{Kind: value.KindInt}

	// tools are those of oracle.py.
	tools = []py.Tool{
		{Name: "tool_add", Params: []py.Param{{Name: "x", Type: integer}, {Name: "y", Type: integer, HasDefault: true, Default: int64(1)}}, Result: integer},
		{Name: "tool_echo", Params: []py.Param{{Name: "value", Type: anything}}, Result: anything},
		{Name: "tool_fail", Params: []py.Param{{Name: "message", Type: value.Type{Kind: value.KindStr}}}, Result: anything},
		{Name: "tool_later", Params: []py.Param{{Name: "value", Type: anything}}, Result: anything, Async: true},
	}
)

// run runs a program the way the oracle does.
func run(source string, dialect py.Dialect) Outcome {
	program, err := compileShown(source, dialect)
	if err != nil {
		return refused(err)
	}
	state, err := program.Start(context.Background(), nil, wide)
	if err != nil {
		return Outcome{Error: err.Error()}
	}
	for state.Status() == py.Waiting {
		if err := answer(state); err != nil {
			return Outcome{Error: err.Error()}
		}
	}
	return outcome(state)
}

// answer gives all pending calls their results, the last one first.
func answer(s *py.State) error {
	var results []py.Result
	for _, c := range slices.Backward(s.Calls()) {
		results = append(results, result(c))
	}
	return s.Resume(context.Background(), results...)
}

// result does what the tools of oracle.py do.
func result(c py.Call) py.Result {
	switch c.Tool {
	case "tool_add":
		sum, err := add(c.Args[0], c.Args[1])
		if err != nil {
			return py.Raise(c.ID, "TypeError", err.Error())
		}
		return py.Return(c.ID, sum)
	case "tool_fail":
		return py.Raise(c.ID, "ValueError", c.Args[0].(string))
	}
	return py.Return(c.ID, c.Args[0])
}

// compileShown compiles a program that prints the repr of its last expression.
func compileShown(source string, dialect py.Dialect) (*py.Program, error) {
	o := py.Options{Name: "main.py", Dialect: dialect, Tools: tools}
	if _, err := py.Compile(source, o); err != nil {
		return nil, err
	}
	file, err := syntax.Parse("main.py", source)
	if err != nil {
		return nil, err
	}
	return py.Compile(showLast(file), o)
}

// mark stands between what a program prints and the repr of its value.
const mark = "\x01value "

func showLast(file *syntax.File) string {
	if len(file.Body) == 0 {
		return file.Source
	}
	last, ok := file.Body[len(file.Body)-1].(*syntax.ExprStmt)
	if !ok {
		return file.Source
	}
	at := last.Pos()
	return file.Source[:at] + `print(end="\x01value " + repr((` + file.Source[at:] + "\n)))"
}

func outcome(s *py.State) Outcome {
	o := Outcome{Output: plain(s.Output())}
	_, err := s.Result()
	if s.Status() == py.Failed {
		o.failed(err)
		return o
	}
	if printed, value, ok := strings.Cut(o.Output, mark); ok {
		o.Output, o.Value = printed, &value
	}
	return o
}

func (o *Outcome) failed(err error) {
	var e *py.Exception
	if !errors.As(err, &e) {
		o.Error = err.Error()
		return
	}
	o.Error, o.Message = e.Class[strings.LastIndexByte(e.Class, '.')+1:], plain(e.Message)
	if len(e.Lines) > 0 {
		o.Line = e.Lines[len(e.Lines)-1].Line
	}
}

func refused(err error) Outcome {
	var e *py.SourceError
	if !errors.As(err, &e) {
		return Outcome{Error: err.Error()}
	}
	p := e.Problems[0]
	return Outcome{Error: p.Construct, Message: p.Message, Line: p.Line}
}

// plain writes lone surrogates as the oracle does.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 0xed && i+2 < len(s) && s[i+1] >= 0xa0 {
			fmt.Fprintf(&b, `\u%04x`, 0xd000|int(s[i+1]&0x3f)<<6|int(s[i+2]&0x3f))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
