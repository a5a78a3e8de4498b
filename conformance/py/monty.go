package main

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/value"
)

// readMonty reads Monty's data tests. One file is one program. It ends well, or
// as its last lines say: "# Raise=Class('message')", "# Return=repr", or a
// literal that begins with TRACEBACK, of which only the last line, the
// exception, is held to: the lines above show how Monty draws a traceback.
func readMonty(dir string) (suite, error) {
	s := suite{name: "Monty's data tests", left: map[string]int{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil || len(files) == 0 {
		return s, fmt.Errorf("no tests in %s: %w", dir, os.ErrNotExist)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return s, err
		}
		source := string(data)
		if reason := notApplicable(source); reason != "" {
			s.left[reason]++
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		group, _, _ := strings.Cut(name, "__")
		s.cases = append(s.cases, montyCase(name, group, source))
	}
	return s, nil
}

var hostValues = regexp.MustCompile(`\b(make_point|make_mutable_point|make_frozen_point|make_user|make_empty|import tools)\b`)

// notApplicable says why a file asks for what is no part of the language.
func notApplicable(source string) string {
	head, _, _ := strings.Cut(source, "\n# ///\n")
	switch {
	case strings.Contains(head, "mount-fs = true"):
		return "files of the host are mounted"
	case strings.Contains(head, "xfail = ['monty']"):
		return "Monty does not pass it either"
	case hostValues.MatchString(source):
		return "the host gives objects with methods"
	}
	return ""
}

var (
	raiseLine  = regexp.MustCompile(`(?m)^# Raise=(\w+)\((.*)\)\s*\z`)
	returnLine = regexp.MustCompile(`(?m)^# Return=(.*)\z`)
	traceback  = regexp.MustCompile(`(?s)"""\s*TRACEBACK:\n(.*)"""\s*\z`)
)

func montyCase(name, group, source string) testCase {
	c := testCase{name: name, group: "all", source: source, ends: endsWell}
	text := strings.TrimSpace(source)
	switch {
	case raiseLine.MatchString(text):
		c.ends = raises(raiseLine.FindStringSubmatch(text)[1], "", false)
	case traceback.MatchString(source):
		lines := strings.Split(strings.TrimSpace(traceback.FindStringSubmatch(source)[1]), "\n")
		class, message, _ := strings.Cut(lines[len(lines)-1], ": ")
		c.ends = raises(class, message, true)
	case returnLine.MatchString(text):
		want := returnLine.FindStringSubmatch(text)[1]
		c.source = printLast(source)
		c.ends = func(e end) string {
			if e.class != "" || !strings.HasSuffix(e.output, want+"\n") {
				return e.describe()
			}
			return ""
		}
	}
	return c
}

func endsWell(e end) string {
	if e.class == "" {
		return ""
	}
	return e.describe()
}

func raises(class, message string, exact bool) func(end) string {
	return func(e end) string {
		line, _, _ := strings.Cut(e.message, "\n")
		if e.class == class[strings.LastIndexByte(class, '.')+1:] && (!exact || line == message) {
			return ""
		}
		return e.describe()
	}
}

// printLast makes a program print the repr of its last expression.
func printLast(source string) string {
	file, err := syntax.Parse("main.py", source)
	if err != nil || len(file.Body) == 0 {
		return source
	}
	last, ok := file.Body[len(file.Body)-1].(*syntax.ExprStmt)
	if !ok {
		return source
	}
	return source[:last.Pos()] + "print(repr((" + source[last.Pos():] + "\n)))"
}

// montyTools are the external functions that the tests call.
func montyTools() []py.Tool {
	value, text := value.Type{Kind: value.KindAny}, value.Type{Kind: value.KindStr}
	return []py.Tool{
		{Name: "add_ints", Params: params(value, "a", "b"), Result: value},
		{Name: "concat_strings", Params: params(text, "a", "b"), Result: value},
		{Name: "return_value", Params: params(value, "value"), Result: value},
		{Name: "get_list", Result: value},
		{Name: "raise_error", Params: params(text, "kind", "message"), Result: value},
		{Name: "async_call", Params: params(value, "value"), Result: value, Async: true},
		{Name: "async_fail", Params: params(text, "kind", "message"), Result: value, Async: true},
	}
}

func params(t value.Type, names ...string) []py.Param {
	list := make([]py.Param, len(names))
	for i, name := range names {
		list[i] = py.Param{Name: name, Type: t}
	}
	return list
}

func montyAnswer(c py.Call) py.Result {
	switch c.Tool {
	case "add_ints":
		return py.Return(c.ID, sum(c.Args[0], c.Args[1]))
	case "concat_strings":
		return py.Return(c.ID, c.Args[0].(string)+c.Args[1].(string))
	case "get_list":
		return py.Return(c.ID, []any{int64(1), int64(2), int64(3)})
	case "raise_error", "async_fail":
		return py.Raise(c.ID, c.Args[0].(string), c.Args[1].(string))
	}
	return py.Return(c.ID, c.Args[0])
}

func sum(a, b any) any {
	return new(big.Int).Add(integer(a), integer(b))
}

func integer(v any) *big.Int {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v)
	case *big.Int:
		return v
	case bool:
		if v {
			return big.NewInt(1)
		}
	}
	return new(big.Int)
}
