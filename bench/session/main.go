// Command session measures what sessions cost: how long each operation takes beside
// what it does, and what many sessions hold.
//
//	go run -C bench ./session -home DIR [-only REGEXP] [-cycles N] [-live N] [-paused N] [-docker DIR]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/bench/report"
	"github.com/glovebox-dev/glovebox/internal/app"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

func main() {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	b := &bench{}
	home := flag.String("home", "", "the home whose default image is used; sessions are made in it")
	only := flag.String("only", "", "a regular expression: what is measured")
	flag.IntVar(&b.cycles, "cycles", 50, "pauses and resumptions of one session with a tree that grows")
	flag.IntVar(&b.live, "live", 20, "sessions that live at once")
	flag.IntVar(&b.paused, "paused", 20, "sessions that are paused at once")
	docker := flag.String("docker", "", "a directory for a docker daemon, which takes turns; without it there is none")
	flag.Parse()
	if err := b.run(context.Background(), *home, *only, *docker); err != nil {
		fmt.Fprintln(os.Stderr, "bench/session:", err)
		os.Exit(1)
	}
}

// bench is one measurement.
type bench struct {
	cycles, live, paused int

	ctx     context.Context
	service api.Service
	docker  *containers // nil is none
}

func (b *bench) run(ctx context.Context, home, only, docker string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	a, err := app.Open(ctx, host.Options{Home: home, WarmCells: 4, WarmMemory: 1 << 30, MaxSessions: max(500, b.live+b.paused)})
	if err != nil {
		return err
	}
	defer a.Close()
	b.ctx, b.service = ctx, a.Service()
	if docker != "" {
		if b.docker, err = startContainers(ctx, docker); err != nil {
			return err
		}
		defer b.docker.close()
	}
	fmt.Println("| what | median | p95 | n | goal |\n|---|---|---|---|---|")
	for _, m := range measurements {
		if !wanted.MatchString(m.name) {
			continue
		}
		if err := m.take(b, &table{}); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// table shows rows as they are measured.
type table struct{}

func (*table) times(what string, goal string, samples []float64) {
	fmt.Printf("| %s | %.2f ms | %.2f ms | %d | %s |\n", what, report.Quantile(samples, 0.5), report.Quantile(samples, 0.95), len(samples), goal)
}

// beside shows what a peer takes for the same, if there is one.
func (t *table) beside(what string, samples []float64) {
	if len(samples) > 0 {
		t.times(what, "", samples)
	}
}

func (*table) fact(what, goal, format string, args ...any) {
	fmt.Printf("| %s | %s | | | %s |\n", what, fmt.Sprintf(format, args...), goal)
}

// milliseconds is how long f takes.
func milliseconds(f func() error) (float64, error) {
	began := time.Now()
	err := f()
	return float64(time.Since(began)) / 1e6, err
}

// repeat takes f so often.
func repeat(n int, f func() error) (samples []float64, err error) {
	for range n {
		took, err := milliseconds(f)
		if err != nil {
			return samples, err
		}
		samples = append(samples, took)
	}
	return samples, nil
}
