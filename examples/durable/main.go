// Command durable shows that a run outlives its process. Its code makes four
// payments. Started for the first time, the process kills itself in the third
// one; started again, the run resumes, and no payment is made twice:
//
//	go run ./examples/durable DIRECTORY   # dies
//	go run ./examples/durable DIRECTORY   # prints what was paid
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// payAll pays one after the other. It knows nothing of crashes.
const payAll = `receipts = []
for name in names:
    receipts.append(pay(name))
receipts
`

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: durable DIRECTORY")
		os.Exit(2)
	}
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "durable:", err)
		os.Exit(1)
	}
}

// run keeps everything below dir: the home of Glovebox, and the ledger of the
// payments, which is the world outside.
func run(ctx context.Context, dir string) error {
	gb, err := embed.Open(embed.Options{Home: filepath.Join(dir, "home")})
	if err != nil {
		return err
	}
	defer gb.Close()
	ledger := filepath.Join(dir, "ledger")
	// Paying again would do harm in general, but not here: a payment that is in
	// the ledger already is not made again. So the task may say that it is
	// idempotent, and the call that the crash hit is repeated.
	pay := glovebox.MustFunction("pay", func(name string) (string, error) { return payOnce(ledger, name) },
		glovebox.WithParams("name"), glovebox.WithIdempotent())
	task := glovebox.Orchestrator{
		Name: "pay-all", Source: payAll, Inputs: []string{"names: list[str]"}, Output: "list[str]", Tools: []glovebox.Task{pay},
	}
	names := []string{"ann", "ben", "cem", "dot"}
	receipts, err := glovebox.Call[[]string](ctx, gb, task, glovebox.Values{"names": names}, glovebox.WithIdempotencyKey("payments of May"))
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(receipts, "\n"))
	return nil
}

// payOnce writes a line to the ledger. When it comes to the third one for the
// first time, the process dies.
func payOnce(ledger, name string) (string, error) {
	text, err := os.ReadFile(ledger)
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	if err := crashOnce(ledger+".crashed", strings.Count(string(text), "\n") == 2); err != nil {
		return "", err
	}
	f, err := os.OpenFile(ledger, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, "paid", name)
	return "receipt of " + name, err
}

func crashOnce(marker string, now bool) error {
	if !now {
		return nil
	}
	f, err := os.OpenFile(marker, os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	f.Close()
	return syscall.Kill(os.Getpid(), syscall.SIGKILL)
}
