package glovebox

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// offered waits until only these functions are.
func offered(t *testing.T, service *fake, want ...string) {
	t.Helper()
	diff := ""
	for range 1000 {
		if diff = cmp.Diff(service.ids(), want); diff == "" || len(want) == 0 && len(service.ids()) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond) // runs are followed by goroutines of their own
	}
	t.Errorf("offered (-got +want):\n%s", diff)
}

func TestFunctionsOfRunsAreTakenBack(t *testing.T) {
	gb, service := newFake()
	for i := range 3000 {
		var opts []FunctionOption
		if i%2 == 0 {
			opts = append(opts, WithVersion("1"))
		}
		f := MustFunction("f", func() int { return i }, opts...)
		if n, err := Call[int](t.Context(), gb, f, nil); n != i || err != nil {
			t.Fatalf("function %d gave %d, %v", i, n, err)
		}
	}
	offered(t, service)
	gb.holds.work.Wait()
	if n := len(gb.offers.byID) + len(gb.holds.byRun); n != 0 {
		t.Errorf("%d functions are remembered", n)
	}
}

func TestFunctionsOfAFailedStartAreTakenBack(t *testing.T) {
	gb, service := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gb.Start(ctx, MustFunction("f", func() {}), nil); !errors.Is(err, ErrCanceled) {
		t.Fatal(err)
	}
	offered(t, service)
}

func TestUnregister(t *testing.T) {
	gb, service := newFake()
	one, two, three := MustFunction("one", func() {}), MustFunction("two", func() {}), MustFunction("three", func() {})
	if err := errors.Join(gb.Register(one, two, three), gb.Unregister(two, MustFunction("one", func() {}))); err != nil {
		t.Fatal(err)
	}
	offered(t, service, one.ID(), three.ID())
	if err := errors.Join(gb.Unregister(one, two), gb.Register(MustFunction("one", func() {}))); err != nil {
		t.Error(err)
	}
	offered(t, service, one.ID(), three.ID())
	if _, err := gb.Deploy(t.Context(), "", two); err != nil {
		t.Fatal(err)
	}
	offered(t, service, one.ID(), three.ID(), two.ID())
	if err := gb.Unregister(Function{}); !errors.Is(err, ErrInvalidTask) {
		t.Errorf("no function: %v", err)
	}
}

// A registered function that a run was started with stays until the run ends.
func TestUnregisterLeavesItToRuns(t *testing.T) {
	gb, service := newFake()
	service.block = make(chan struct{})
	f := MustFunction("f", func() {})
	if err := gb.Register(f); err != nil {
		t.Fatal(err)
	}
	if _, err := gb.Start(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	if id := service.last().Task.Function.ID; id != f.ID() {
		t.Errorf("the run calls %s; want %s, which is registered", id, f.ID())
	}
	if err := gb.Unregister(f); err != nil {
		t.Fatal(err)
	}
	offered(t, service, f.ID())
	close(service.block)
	offered(t, service)
}

// A repeated invocation calls its functions by the same ids, so that the runs
// that it started are known as the same.
func TestIDsInsideOfAnInvocation(t *testing.T) {
	gb, _ := newFake()
	ids := func() (list []string) {
		n := gb.names(instanceOf("run 1"))
		once := MustFunction("f", func() {})
		for _, f := range []Function{once, MustFunction("f", func() {}), once} {
			id, err := n.of(f.function)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, id)
		}
		return list
	}
	first := ids()
	if diff := cmp.Diff(ids(), first); diff != "" || first[0] != first[2] || first[0] == first[1] {
		t.Errorf("ids %v, again (-got +want):\n%s", first, diff)
	}
}
