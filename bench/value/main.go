// Command value measures what a large value costs the host: a million floats
// through glovebox run, through POST /v1/runs, through a call of a tool, and as a
// result. It takes several programs in turns, so that a change can be held against what
// was before, and counts the process itself, without the cells below it. What the
// same way costs with one float is measured too: the rest is that of the floats.
//
//	go run -C bench ./value -images DIR [-rounds N] [-only WAY] [-write FILE] NAME=PROGRAM...
//
// The first program is what the others are compared with. One from before
// glovebox run took the value of an input from a file has to be taught that first.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each program is measured")
	images := flag.String("images", "", "the images of a home that has the default one built")
	floats := flag.Int("floats", 1_000_000, "how many floats a value has")
	only := flag.String("only", "", "a part of the names of the ways that are measured")
	write := flag.String("write", "", "the file for the page, such as value/RESULTS.md; by default it is printed")
	flag.Parse()
	text, err := run(flag.Args(), *images, *only, *rounds, *floats)
	if err == nil {
		err = show(*write, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/value:", err)
		os.Exit(1)
	}
}

// cost is what one measurement took.
type cost struct {
	cpu    float64 // seconds of the process
	peak   float64 // MiB that it ever held
	own    float64 // MiB of that at most, as far as it was seen, without the file of the program
	answer float64 // bytes
	result float64 // bytes
}

// subject is what is measured: one program, one way, and whether with all floats or
// with one.
type subject struct {
	way, program string
	all          bool
}

// program is one of those that are compared.
type program struct{ name, path, version string }

func show(file, text string) error {
	if file == "" {
		_, err := fmt.Print(text)
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func run(args []string, images, only string, rounds, floats int) (string, error) {
	programs, err := programsOf(args)
	if err != nil {
		return "", err
	}
	load, err := loadNow()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "bench-value-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ways := slices.DeleteFunc(slices.Clone(ways), func(w way) bool { return !strings.Contains(w.name, only) })
	taken := map[subject]figures{}
	for range rounds {
		for _, p := range programs {
			for _, way := range ways {
				for _, all := range []bool{false, true} {
					c, err := way.once(&site{program: p.path, dir: dir, images: images, floats: way.count(floats, all)})
					if err != nil {
						return "", fmt.Errorf("%s: %s: %w", p.name, way.name, err)
					}
					s := subject{way.name, p.name, all}
					taken[s] = append(taken[s], c)
				}
			}
		}
	}
	return page(ways, programs, taken, rounds, load), nil
}

// programsOf reads NAME=PROGRAM.
func programsOf(args []string) (programs []program, err error) {
	for _, arg := range args {
		name, path, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no program, expected NAME=PROGRAM", arg)
		}
		version, err := exec.Command(path, "version").Output()
		if err != nil {
			return nil, fmt.Errorf("%s version: %w", path, err)
		}
		first, _, _ := strings.Cut(string(version), "\n")
		programs = append(programs, program{name, path, first})
	}
	return programs, nil
}

// loadNow is how many processes want a processor.
func loadNow() (string, error) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "", err
	}
	return strings.Fields(string(text))[0], nil
}
