package budget

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func share(t *testing.T, m *Memory) (context.Context, *Share) {
	ctx, s := m.Share(t.Context())
	t.Cleanup(s.Release)
	return ctx, s
}

func TestSharesWaitInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(100)
		first, held := share(t, m)
		if err := Take(first, 80); err != nil {
			t.Fatal(err)
		}
		var order []int64
		for _, bytes := range []int64{95, 10} { // the small one would fit, and is not first
			ctx, s := share(t, m)
			go func() {
				if err := Take(ctx, bytes); err != nil {
					t.Error(err)
				}
				order = append(order, bytes)
				s.Release()
			}()
			synctest.Wait()
		}
		if len(order) != 0 {
			t.Fatalf("%v went ahead", order)
		}
		held.Release()
		synctest.Wait()
		if len(order) != 2 || order[0] != 95 {
			t.Errorf("served %v, want 95 and then 10", order)
		}
	})
}

// Two that hold a part and wait for more would wait for each other.
func TestWhoHoldsAPartDoesNotWait(t *testing.T) {
	m := New(100)
	a, heldA := share(t, m)
	b, _ := share(t, m)
	for _, ctx := range []context.Context{a, b} {
		if err := Take(ctx, 40); err != nil {
			t.Fatal(err)
		}
	}
	if err := Take(a, 40); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	if heldA.Held() != 40 {
		t.Errorf("it holds %d", heldA.Held())
	}
	if err := Take(a, 20); err != nil {
		t.Errorf("what is free: %v", err)
	}
	if err := Take(Paid(b), 90); err != nil {
		t.Errorf("what is paid already: %v", err)
	}
}

func TestTooLargeForTheWholeBudget(t *testing.T) {
	ctx, s := share(t, New(100))
	var large *TooLargeError
	if err := Take(ctx, 101); !errors.As(err, &large) || large.Need != 101 || large.Budget != 100 {
		t.Errorf("got %v", err)
	}
	if err := Take(ctx, 60); err != nil {
		t.Fatal(err)
	}
	if err := Take(ctx, 60); !errors.As(err, &large) || large.Need != 120 {
		t.Errorf("together too large: %v", err)
	}
	s.Release()
	if err := Take(ctx, 100); err != nil {
		t.Errorf("after a release: %v", err)
	}
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(100)
		first, _ := share(t, m)
		_ = Take(first, 100)
		ctx, _ := share(t, m)
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if err := Take(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestNothingIsCountedWithoutAShare(t *testing.T) {
	ctx, s := (*Memory)(nil).Share(t.Context())
	for _, ctx := range []context.Context{t.Context(), ctx} {
		if err := Take(ctx, 1<<60); err != nil {
			t.Error(err)
		}
	}
	s.Release()
	(*Share)(nil).Release()
}

func TestText(t *testing.T) {
	for name, pieces := range map[string][]string{
		"empty": {}, "short": {"ab", "c"}, "long": {strings.Repeat("x", shortText), "y", "z"}, "long at once": {strings.Repeat("x", shortText+1)},
	} {
		t.Run(name, func(t *testing.T) {
			text := Text{Dir: t.TempDir() + "/made"}
			defer text.Close()
			for range 2 {
				for _, p := range pieces {
					if n, err := text.Write([]byte(p)); n != len(p) || err != nil {
						t.Fatal(n, err)
					}
				}
				want := strings.Join(pieces, "")
				whole, err := text.Bytes()
				read, _ := io.ReadAll(text.Reader())
				if err != nil || string(whole) != want || string(read) != want || text.Size() != int64(len(want)) || text.Cost() != Cost([]byte(want)) {
					t.Errorf("%d bytes, %d read, size %d, %v", len(whole), len(read), text.Size(), err)
				}
				if left, _ := os.ReadDir(text.Dir); len(left) != 0 {
					t.Errorf("the file has a name: %v", left)
				}
				if err := text.Reset(); err != nil || text.Size() != 0 {
					t.Errorf("reset: %v", err)
				}
			}
		})
	}
}
