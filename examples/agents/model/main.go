// Command model is a provider of models that answers from a script, so that
// examples of models and agents run without a provider, a key and a network:
//
//	go run ./examples/agents/model -script examples/agents/model/script.yaml -listen 127.0.0.1:8099
//
// It prints the base_url for tasks, and speaks the protocols of OpenAI and of
// Anthropic. The package modeltest says what a script has.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
)

func main() {
	script := flag.String("script", "", "the `file` with the answers")
	listen := flag.String("listen", "127.0.0.1:0", "the `address` to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *script, *listen); err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path, address string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	script, err := modeltest.Read(path, file)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: modeltest.New(script), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	fmt.Printf("http://%s/v1\n", listener.Addr())
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
