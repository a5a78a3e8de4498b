// Command bench compares cold runs: the same work in the same root file system,
// by Glovebox and by its peers, in turns, so that whatever else the machine
// does hits all of them. It writes RESULTS.md and results.json beside itself.
// It needs root, docker.io and mmdebstrap; peers that are not there are left
// out, by name.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
)

func main() {
	glovebox.Init()
	rounds := flag.Int("rounds", 30, "how often each contender runs")
	program := flag.String("program", "bin/glovebox", "the program to measure")
	dir := flag.String("dir", ".build/bench", "where root file systems are kept between runs")
	flag.Parse()
	if err := run(*rounds, *program, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rounds int, program, dir string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	b := &bench{dir: dir, program: program}
	defer b.close()
	if err := b.prepare(); err != nil {
		return err
	}
	results, err := b.measure(rounds)
	if err != nil {
		return err
	}
	return b.write(rounds, results)
}

// contender is one way to do the work. Run does it once and returns what was
// printed.
type contender struct {
	Name string
	What string
	run  func() (string, error)
}

type bench struct {
	dir, program string
	contenders   []contender
	absent       []string // peers that are not here, with the reason
	stages       api.Timings
	ending       []func()
}

// later keeps what has to be undone, the last first.
func (b *bench) later(f func()) { b.ending = append(b.ending, f) }

func (b *bench) close() {
	for i := len(b.ending) - 1; i >= 0; i-- {
		b.ending[i]()
	}
}

func (b *bench) add(name, what string, run func() (string, error)) {
	b.contenders = append(b.contenders, contender{name, what, run})
}

// prepare makes the root file system and every contender. Docker is first,
// because its archive is the image of the others.
func (b *bench) prepare() error {
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	base, err := b.base()
	if err != nil {
		return err
	}
	archive, err := b.addDocker(base)
	if err != nil {
		return err
	}
	if err := b.addGlovebox(archive); err != nil {
		return err
	}
	return b.addFloor(base)
}

// base is a Debian root file system with Python.
func (b *bench) base() (string, error) {
	base := filepath.Join(b.dir, "base.tar")
	if _, err := os.Stat(base); err == nil {
		return base, nil
	}
	fmt.Println("making the root file system with mmdebstrap")
	part := base + ".part.tar"
	_, err := output(exec.Command("mmdebstrap", "--variant=minbase", "--include=python3", `--aptopt=Acquire::Languages "none"`, "bookworm", part))
	if err != nil {
		return "", err
	}
	return base, os.Rename(part, base)
}

// measure runs every contender once for the caches and then in turns.
func (b *bench) measure(rounds int) (map[string][]time.Duration, error) {
	took := map[string][]time.Duration{}
	for round := range rounds + 1 {
		for _, c := range b.contenders {
			begin := time.Now()
			printed, err := c.run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			if !strings.Contains(printed, "42") {
				return nil, fmt.Errorf("%s printed %q, want 42", c.Name, printed)
			}
			if round > 0 {
				took[c.Name] = append(took[c.Name], time.Since(begin))
			}
		}
	}
	return took, nil
}

// output runs a command and returns what it printed.
func output(cmd *exec.Cmd) (string, error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return string(out), nil
}
