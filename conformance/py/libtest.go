package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
)

// readLibtest reads what libtest.py has written: CPython's own test methods as
// programs.
func readLibtest(path string) (suite, error) {
	s := suite{name: "CPython's Lib/test, methods that run alone", left: map[string]int{}}
	file, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer file.Close()
	lines := json.NewDecoder(file)
	for {
		var line struct {
			Name, Group, Source string
			Left                int
		}
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return s, nil
		} else if err != nil {
			return s, err
		}
		if line.Name == "" {
			s.left["CPython does not pass them alone, over a small unittest"] = line.Left
			continue
		}
		s.cases = append(s.cases, testCase{name: line.Name, group: line.Group, source: line.Source, ends: endsPassed})
	}
}

func endsPassed(e end) string {
	if e.class == "" && strings.HasSuffix(e.output, "passed\n") {
		return ""
	}
	return e.describe()
}
