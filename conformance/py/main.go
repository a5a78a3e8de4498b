// Command py runs other people's suites of Python programs on the interpreter:
// CPython's own tests, one method at a time, and the data tests of the
// interpreter Monty. It compares nothing of ours: the suites are the judges.
//
//	python3.11 conformance/py/libtest.py >FILE
//	go run ./conformance/py -libtest FILE -monty DIR
//
// Neither suite is part of this repository. make conformance-py fetches Monty's
// from the crates registry; CPython's stands beside every Python that was built
// with its tests.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	libtest := flag.String("libtest", "", "the file that libtest.py has written; empty leaves CPython's tests out")
	monty := flag.String("monty", "", "the folder test_cases of Monty's crate; empty leaves them out")
	only := flag.String("only", "", "run only programs whose name begins so, and print why each of them fails")
	into := flag.String("w", "", "the file to write the lists of what passes and fails to, beside the summary on standard output")
	flag.Parse()
	if err := run(*libtest, *monty, *only, *into); err != nil {
		fmt.Fprintln(os.Stderr, "conformance/py:", err)
		os.Exit(1)
	}
}

func run(libtest, monty, only, into string) error {
	var suites []suite
	if libtest != "" {
		s, err := readLibtest(libtest)
		if err != nil {
			return err
		}
		suites = append(suites, s)
	}
	if monty != "" {
		s, err := readMonty(monty)
		if err != nil {
			return err
		}
		suites = append(suites, s)
	}
	for i := range suites {
		suites[i].runAll(only)
		suites[i].summary(os.Stdout)
		if only != "" {
			suites[i].failures(os.Stdout)
		}
	}
	if into == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil {
		return err
	}
	file, err := os.Create(into)
	if err != nil {
		return err
	}
	all, good := 0, 0
	for i := range suites {
		all += len(suites[i].cases)
		good += suites[i].count(passed, "")
	}
	fmt.Fprintf(file, "%d of %d\n", good, all)
	for i := range suites {
		suites[i].summary(file)
		suites[i].failures(file)
	}
	return file.Close()
}
