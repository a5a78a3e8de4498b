package client_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

func echoTask() api.Task {
	param := []value.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}}
	return api.Task{Kind: api.KindFunction, Function: &api.Function{ID: "echo"}, Signature: api.Signature{Inputs: param, Outputs: param}}
}

func echoed(_ context.Context, call client.Invocation) (map[string]any, error) {
	return call.Inputs, nil
}

func TestServeWorkerRefuses(t *testing.T) {
	dial := func(context.Context) (net.Conn, error) {
		return nil, api.Errorf(api.Unauthorized, "the token is not right")
	}
	good := client.Function{Task: echoTask(), Call: echoed}
	bad := client.Function{Task: api.Task{Name: "no function"}, Call: echoed}
	for name, test := range map[string]struct {
		options   client.WorkerOptions
		functions []client.Function
		code      api.Code
	}{
		"no way":            {client.WorkerOptions{}, []client.Function{good}, api.RequestInvalid},
		"no code":           {client.WorkerOptions{Dial: dial}, []client.Function{{Task: echoTask()}}, api.InvalidTask},
		"no function":       {client.WorkerOptions{Dial: dial}, []client.Function{bad}, api.InvalidTask},
		"the same twice":    {client.WorkerOptions{Dial: dial}, []client.Function{good, good}, api.RequestInvalid},
		"too much capacity": {client.WorkerOptions{Dial: dial, Capacity: 1 << 30}, []client.Function{good}, api.RequestInvalid},
		"a bad token":       {client.WorkerOptions{Dial: dial}, []client.Function{good}, api.Unauthorized},
	} {
		if err := client.ServeWorker(t.Context(), test.options, test.functions); !errors.Is(err, &api.Error{Code: test.code}) {
			t.Errorf("%s: %v, want %s", name, err, test.code)
		}
	}
}

// answering is a server that answers every connection's hello with one line.
func answering(line string) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			_, _ = bufio.NewReader(there).ReadString('\n')
			_, _ = io.WriteString(there, line+"\n")
		}()
		return here, nil
	}
}

func TestRefusedForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for line, code := range map[string]api.Code{
			`{"type":"bye","error":{"code":"request_invalid","message":"protocol"}}`: api.RequestInvalid,
			`{"type":"welcome"}`: api.RequestInvalid,
		} {
			err := client.ServeWorker(t.Context(), client.WorkerOptions{Dial: answering(line)}, []client.Function{{Task: echoTask(), Call: echoed}})
			if !errors.Is(err, &api.Error{Code: code}) {
				t.Errorf("%s: %v, want %s", line, err, code)
			}
		}
	})
}

func TestRefusedForNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		tries := 0
		dial := answering(`{"type":"bye","error":{"code":"overloaded","message":"later","retryable":true}}`)
		o := client.WorkerOptions{Dial: dial, Broken: func(err error) {
			if tries++; !strings.Contains(err.Error(), "later") {
				t.Errorf("told %v", err)
			}
		}}
		if err := client.ServeWorker(ctx, o, []client.Function{{Task: echoTask(), Call: echoed}}); err != nil || tries < 4 || tries > 100 {
			t.Errorf("ended with %v after %d tries in a minute", err, tries)
		}
	})
}

// TestDrainIsBounded holds that a function that does not end does not keep its
// process from ending.
func TestDrainIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		served := make(chan error, 1)
		dial := func(ctx context.Context) (net.Conn, error) {
			here, there := net.Pipe()
			go func() { served <- r.Serve(context.WithoutCancel(ctx), there, worker.Peer{}) }()
			return here, nil
		}
		stubborn := func(context.Context, client.Invocation) (map[string]any, error) {
			time.Sleep(time.Hour)
			return nil, nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- client.ServeWorker(ctx, client.WorkerOptions{Dial: dial, Drain: 10 * time.Second}, []client.Function{{Task: echoTask(), Call: stubborn}})
		}()
		task, run := echoTask(), make(chan error, 1)
		inputs, err := value.Check(task.Signature.Inputs, map[string]any{"x": 1})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := r.Run(t.Context(), "run", &api.Request{Task: &task, Inputs: inputs})
			run <- err
		}()
		synctest.Wait()
		began := time.Now()
		cancel()
		if err := <-ended; err != nil || time.Since(began) > 20*time.Second {
			t.Errorf("ended with %v after %s", err, time.Since(began))
		}
		if err := <-run; !errors.Is(err, &api.Error{Code: api.WorkerLost}) || api.AsError(err).Outcome != api.Unknown {
			t.Errorf("the run ended with %v, want worker_lost", err)
		}
		if err := <-served; err != nil {
			t.Errorf("served with %v, want a bye", err)
		}
		time.Sleep(time.Hour)
	})
}
