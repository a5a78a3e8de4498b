//go:build linux

package glovebox_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/embed"
)

// greeter makes a function as a request does: its code is that of all others,
// what it holds is not.
func greeter(user string) glovebox.Function {
	return glovebox.MustFunction("fetch", func(doc string) string { return user + ":" + doc }, glovebox.WithParams("doc"))
}

func TestEachRequestHasItsOwnFunction(t *testing.T) { everywhere(t, eachRequestHasItsOwnFunction) }

func eachRequestHasItsOwnFunction(t *testing.T, gb *glovebox.Glovebox) {
	for _, user := range []string{"ann", "bob"} {
		if got, err := gb.Evaluate(t.Context(), "fetch('a')", nil, greeter(user)); got != user+":a" || err != nil {
			t.Errorf("%s got %v, %v", user, got, err)
		}
	}
	if err := gb.Register(greeter("all")); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for i := range 20 {
		user := fmt.Sprint("user", i)
		work.Go(func() {
			got, err := gb.Evaluate(t.Context(), "fetch('a') + '|' + fetch('b')", nil, greeter(user))
			if want := user + ":a|" + user + ":b"; got != want || err != nil {
				t.Errorf("%s got %v, %v", user, got, err)
			}
		})
	}
	work.Wait()
}

func TestOneRunCallsTwoFunctionsOfOneCode(t *testing.T) {
	everywhere(t, oneRunCallsTwoFunctionsOfOneCode)
}

func oneRunCallsTwoFunctionsOfOneCode(t *testing.T, gb *glovebox.Glovebox) {
	inner := glovebox.Orchestrator{Name: "inner", Source: "fetch('in')", Output: "str", Tools: []glovebox.Task{greeter("bob")}}
	got, err := gb.Evaluate(t.Context(), "fetch('out') + '|' + inner()", nil, greeter("ann"), inner)
	if got != "ann:out|bob:in" || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// A run that outlives the request calls the function of that request all the
// same, whatever others did meanwhile.
func TestFunctionsStayUntilTheirRunEnds(t *testing.T) { everywhere(t, functionsStayUntilTheirRunEnds) }

func functionsStayUntilTheirRunEnds(t *testing.T, gb *glovebox.Glovebox) {
	began, release := make(chan struct{}), make(chan struct{})
	hold := glovebox.MustFunction("hold", func() { close(began); <-release })
	request, end := context.WithCancel(t.Context())
	o := glovebox.Orchestrator{Name: "o", Source: "hold()\nfetch('late')", Output: "str", Tools: []glovebox.Task{hold, greeter("ann")}}
	run, err := gb.Start(request, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	<-began
	end()
	if got, err := gb.Evaluate(t.Context(), "fetch('a')", nil, greeter("bob")); got != "bob:a" || err != nil {
		t.Errorf("bob got %v, %v", got, err)
	}
	close(release)
	result, err := run.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := glovebox.Get[string](result, "result"); got != "ann:late" || err != nil {
		t.Errorf("ann got %q, %v", got, err)
	}
}

// A function starts runs with functions of its own.
func TestFunctionsOfAFunction(t *testing.T) { everywhere(t, functionsOfAFunction) }

func functionsOfAFunction(t *testing.T, gb *glovebox.Glovebox) {
	outer := glovebox.MustFunction("outer", func(ctx context.Context) (string, error) {
		var all []string
		for _, user := range []string{"ann", "bob"} {
			got, err := gb.Evaluate(ctx, "fetch('a')", nil, greeter(user))
			if err != nil {
				return "", err
			}
			all = append(all, got.(string))
		}
		return strings.Join(all, "|"), nil
	})
	if got, err := glovebox.Call[string](t.Context(), gb, outer, nil); got != "ann:a|bob:a" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestFunctionsOfOneRunInALaterProcess: an interrupted run continues under its
// key in another process with the functions of that process, and so does a run
// that is resumed with them.
func TestFunctionsOfOneRunInALaterProcess(t *testing.T) {
	for name, goOn := range map[string]func(*glovebox.Glovebox, glovebox.Orchestrator, string) (*glovebox.Run, error){
		"key": func(gb *glovebox.Glovebox, o glovebox.Orchestrator, _ string) (*glovebox.Run, error) {
			return gb.Start(t.Context(), o, nil, glovebox.WithIdempotencyKey("k"))
		},
		"given": func(gb *glovebox.Glovebox, o glovebox.Orchestrator, id string) (*glovebox.Run, error) {
			return gb.Resume(t.Context(), id, glovebox.ResumeOptions{}, o.Tools[0].(glovebox.Function))
		},
		"registered": func(gb *glovebox.Glovebox, o glovebox.Orchestrator, id string) (*glovebox.Run, error) {
			if err := gb.Register(o.Tools[0].(glovebox.Function)); err != nil {
				return nil, err
			}
			return gb.Resume(t.Context(), id, glovebox.ResumeOptions{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			task := func(pay func(context.Context) (string, error)) glovebox.Orchestrator {
				f := glovebox.MustFunction("pay", pay, glovebox.WithIdempotent())
				return glovebox.Orchestrator{Name: "o", Source: "pay()", Output: "str", Tools: []glovebox.Task{f}}
			}
			first, err := embed.Open(embed.Options{Home: home})
			if err != nil {
				t.Fatal(err)
			}
			var options []glovebox.RunOption
			if name == "key" {
				options = append(options, glovebox.WithIdempotencyKey("k"))
			}
			began := make(chan struct{})
			run, err := first.Start(t.Context(), task(func(ctx context.Context) (string, error) {
				close(began)
				<-ctx.Done()
				return "", ctx.Err()
			}), nil, options...)
			if err != nil {
				t.Fatal(err)
			}
			<-began
			if err := first.Close(); err != nil {
				t.Fatal(err)
			}
			second, err := embed.Open(embed.Options{Home: home})
			if err != nil {
				t.Fatal(err)
			}
			closeAfter(t, second)
			stranger := glovebox.MustFunction("charge", func() {})
			if _, err := second.Resume(t.Context(), run.ID(), glovebox.ResumeOptions{}, stranger); !errors.Is(err, glovebox.ErrRequestInvalid) {
				t.Errorf("resumed with a function that it does not call: %v", err)
			}
			again, err := goOn(second, task(func(context.Context) (string, error) { return "paid", nil }), run.ID())
			if err != nil || again.ID() != run.ID() {
				t.Fatal(again, err)
			}
			result, err := again.Wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := glovebox.Get[string](result, "result"); got != "paid" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// Functions of a version are one for all runs, so two of them are a conflict
// while a run has one of them.
func TestFunctionsOfAVersion(t *testing.T) { everywhere(t, functionsOfAVersion) }

func functionsOfAVersion(t *testing.T, gb *glovebox.Glovebox) {
	versioned := func(f func()) glovebox.Function {
		return glovebox.MustFunction("f", f, glovebox.WithVersion("1"))
	}
	began, release := make(chan struct{}), make(chan struct{})
	run, err := gb.Start(t.Context(), versioned(func() { close(began); <-release }), nil)
	if err != nil {
		t.Fatal(err)
	}
	<-began
	other := versioned(func() {})
	if _, err := gb.Run(t.Context(), other, nil); !errors.Is(err, glovebox.ErrConflict) {
		t.Errorf("another function of the version: %v", err)
	}
	close(release)
	if _, err := run.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := gb.Run(t.Context(), other, nil); err != nil {
		t.Errorf("after the run: %v", err)
	}
	if info, err := run.Info(t.Context()); err != nil || info.Status != api.StatusSucceeded {
		t.Errorf("%+v, %v", info, err)
	}
}
