package glovebox

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

type orderIn struct {
	Item  string
	Count *int
}

type orderOut struct {
	Text string
	Left int
}

func order(_ context.Context, in orderIn) (orderOut, error) {
	if in.Count == nil {
		return orderOut{}, errors.New("how many?")
	}
	return orderOut{strings.Repeat(in.Item, *in.Count), 10 - *in.Count}, nil
}

func TestNewFunctionReadsGoTypes(t *testing.T) {
	for want, fn := range map[string]Function{
		"(x: int, y: int) -> (result: int)":                           MustFunction("f", func(x, y int) int { return x + y }, WithParams("x", "y")),
		"(item: str, count: Optional[int]) -> (text: str, left: int)": MustFunction("f", order),
		"() -> ()": MustFunction("f", func() {}),
		"(d: datetime, t: tuple[Any, ...]) -> (result: dict[str, Any])":  MustFunction("f", func(_ context.Context, _ DateTime, _ Tuple) (*Dict, error) { return nil, nil }, WithParams("d", "t")),
		"(x: int, y: int = 7) -> (result: list[File])":                   MustFunction("f", func(x, y int8) []File { return nil }, WithParams("x", "y"), WithDefaults(Values{"y": 7})),
		"(when: datetime, wait: timedelta) -> (result: Optional[float])": MustFunction("f", func(time.Time, time.Duration) (*float64, error) { return nil, nil }, WithParams("when", "wait")),
	} {
		task, _, err := define(fn)
		if err != nil {
			t.Fatal(err)
		}
		got := "(" + value.DescribeParams(task.Signature.Inputs) + ") -> (" + value.DescribeParams(task.Signature.Outputs) + ")"
		if got != want || task.Kind != api.KindFunction {
			t.Errorf("%s of kind %s, want %s", got, task.Kind, want)
		}
	}
}

func TestFunctionOptions(t *testing.T) {
	notify, approval := Notify{URL: "https://example.com/hook", Secret: "signing"}, Approval{Deadline: time.Hour}
	task, _, err := define(MustFunction("f", func() {}, WithDoc("Does it."), WithVersion("2"), WithIdempotent(), WithTimeout(time.Minute), WithRetries(3),
		WithTaskNotify(notify), WithTaskLabels(map[string]string{"team": "a"}), WithCaching(api.CacheAuto), WithApproval(approval)))
	if err != nil {
		t.Fatal(err)
	}
	got := *task
	got.Function, got.Signature = nil, api.Signature{}
	want := api.Task{
		Name: "f", Kind: api.KindFunction, Doc: "Does it.", Idempotent: true, Timeout: time.Minute, Retries: 3, Notify: []Notify{notify},
		Labels: map[string]string{"team": "a"}, Cache: api.CacheAuto, Approval: &approval,
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("task (-got +want):\n%s", diff)
	}
}

func TestNewFunctionRefuses(t *testing.T) {
	for name, err := range map[string]error{
		"nil":             errorOf("f", nil),
		"no function":     errorOf("f", 5),
		"nil function":    errorOf("f", (func())(nil)),
		"no names":        errorOf("f", func(x int) {}),
		"too many names":  errorOf("f", func(x int) {}, WithParams("x", "y")),
		"variadic":        errorOf("f", func(x ...int) {}, WithParams("x")),
		"several results": errorOf("f", func() (int, int) { return 0, 0 }),
		"a channel":       errorOf("f", func(c chan int) {}, WithParams("c")),
		"a pair of names": errorOf("f", func(x, y int) {}, WithParams("x", "x")),
		"a bad name":      errorOf("f", func(x int) {}, WithParams("../x")),
		"context last":    errorOf("f", func(x int, c context.Context) {}, WithParams("x", "c")),
		"a bad default":   errorOf("f", func(x int) {}, WithParams("x"), WithDefaults(Values{"x": "a"})),
		"a lost default":  errorOf("f", func(x int) {}, WithParams("x"), WithDefaults(Values{"y": 1})),
	} {
		if !errors.Is(err, ErrInvalidType) && !errors.Is(err, ErrInvalidTask) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func errorOf(name string, fn any, opts ...FunctionOption) error {
	_, err := NewFunction(name, fn, opts...)
	return err
}

func TestFunctionIDFollowsTheSignature(t *testing.T) {
	one := MustFunction("f", func(x int) {}, WithParams("x"))
	same := MustFunction("f", func(y int) { println() }, WithParams("x"))
	other := MustFunction("f", func(x string) {}, WithParams("x"))
	named := MustFunction("f", func(x int) {}, WithParams("x"), WithVersion("3"))
	if one.ID() != same.ID() || one.ID() == other.ID() || named.ID() != "f@3" {
		t.Errorf("ids %s, %s, %s, %s", one.ID(), same.ID(), other.ID(), named.ID())
	}
}

func TestFunctionsRun(t *testing.T) {
	gb, _ := newFake()
	add := MustFunction("add", func(x, y int) int { return x + y }, WithParams("x", "y"), WithDefaults(Values{"y": 1}))
	if n, err := Call[int](t.Context(), gb, add, Values{"x": 2}); n != 3 || err != nil {
		t.Errorf("add = %d, %v", n, err)
	}
	buy := MustFunction("buy", order)
	got, err := Func[orderIn, orderOut](gb, buy)(t.Context(), orderIn{"ab", new(2)})
	if diff := cmp.Diff(got, orderOut{"abab", 8}); diff != "" || err != nil {
		t.Errorf("buy: %v (-got +want):\n%s", err, diff)
	}
	if _, err := gb.Run(t.Context(), buy, Values{"item": "a", "count": nil}); err == nil || err.Error() != "how many?" {
		t.Errorf("the error of a function: %v", err)
	}
	narrow := MustFunction("narrow", func(x int8) int8 { return x }, WithParams("x"))
	if _, err := gb.Run(t.Context(), narrow, Values{"x": 300}); !errors.Is(err, ErrInvalidInput) {
		t.Errorf("300 as int8: %v", err)
	}
	if _, err := gb.Run(t.Context(), Function{}, nil); !errors.Is(err, ErrInvalidTask) {
		t.Errorf("no function: %v", err)
	}
	if err := gb.Register(Function{}); !errors.Is(err, ErrInvalidTask) {
		t.Errorf("register no function: %v", err)
	}
}

func TestRunsOfAFunctionBelongToIt(t *testing.T) {
	gb, service := newFake()
	stranger, _ := newFake()
	inner := MustFunction("inner", func(ctx context.Context) (string, error) {
		i, ok := InvocationOf(ctx)
		if !ok {
			return "", io.EOF
		}
		return i.RunID, nil
	})
	outer := MustFunction("outer", func(ctx context.Context) (string, error) {
		if _, err := stranger.Start(ctx, Sandbox{}, nil); err != nil {
			return "", err
		}
		return Call[string](ctx, gb, inner, nil)
	})
	got, err := Call[string](t.Context(), gb, outer, nil)
	if got != "run-2" || err != nil || service.last().Parent != "run-1" {
		t.Errorf("inner ran as %s below %s, %v", got, service.last().Parent, err)
	}
	if parent := stranger.service.(*fake).last().Parent; parent != "" {
		t.Errorf("a run elsewhere belongs to %s", parent)
	}
	if _, ok := InvocationOf(t.Context()); ok {
		t.Error("there is an invocation outside of functions")
	}
}

func TestRegister(t *testing.T) {
	gb, service := newFake()
	one := MustFunction("f", func() {})
	two := MustFunction("g", func() {})
	for range 2 {
		if err := gb.Register(one, two, one); err != nil {
			t.Fatal(err)
		}
	}
	if err := gb.Register(MustFunction("f", func() {})); !errors.Is(err, ErrConflict) {
		t.Errorf("other code of the same id: %v", err)
	}
	if err := gb.Register(MustFunction("h", func() {}), MustFunction("h", func() {})); !errors.Is(err, ErrConflict) {
		t.Errorf("other code of the same id at once: %v", err)
	}
	if diff := cmp.Diff(service.ids(), []string{one.ID(), two.ID()}); diff != "" {
		t.Errorf("registered (-got +want):\n%s", diff)
	}
	for range 2 {
		if err := gb.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := gb.Register(one); !errors.Is(err, ErrServerUnavailable) || len(service.ids()) != 0 {
		t.Errorf("after Close: %v, %v", err, service.ids())
	}
}
