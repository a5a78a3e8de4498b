package owner

import (
	"context"
	"iter"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/denied"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

func newKeeper(t *testing.T, now *time.Time) *Keeper {
	db, err := sqlite.Open(t.Context(), t.TempDir()+"/db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	k := &Keeper{Store: db.Owners(), Now: func() time.Time { return *now }, Logger: slog.New(slog.DiscardHandler)}
	if _, err := k.SetOwner(t.Context(), api.Owner{Name: "ann"}); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestAuthenticate: a token counts as it was given, until it expires or is revoked, and the
// store has no text of it.
func TestAuthenticate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	k := newKeeper(t, &now)
	made, err := k.NewToken(t.Context(), api.Token{Name: "ci", Owner: "ann", Scopes: []api.Scope{api.ScopeRead}, Expires: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	who, err := k.Authenticate(t.Context(), made.Text)
	if err != nil || who.Owner != "ann" || who.Token != "ci" || !who.May(api.ScopeRead) || who.May(api.ScopeRun) {
		t.Fatalf("got %+v, %v", who, err)
	}
	record, err := k.Store.Token(t.Context(), made.Text[len(tokenPrefix):][:idLength])
	if err != nil || record.Hash != hashOf(made.Text) || !record.Used.Equal(now) {
		t.Errorf("the store has %+v, %v", record, err)
	}
	for _, wrong := range []string{"", tokenPrefix, made.Text[1:], made.Text[:len(made.Text)-1], made.Text + "a", made.Text[:len(made.Text)-1] + "!"} {
		if who, err := k.Authenticate(t.Context(), wrong); api.AsError(err).Code != api.Unauthorized {
			t.Errorf("%q: got %+v, %v", wrong, who, err)
		}
	}
	now = now.Add(time.Hour)
	if _, err := k.Authenticate(t.Context(), made.Text); api.AsError(err).Code != api.Unauthorized {
		t.Errorf("after its end: got %v", err)
	}
	now = now.Add(-time.Minute)
	if err := k.RemoveToken(t.Context(), "ann", "ci"); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Authenticate(t.Context(), made.Text); api.AsError(err).Code != api.Unauthorized {
		t.Errorf("after it was revoked: got %v", err)
	}
}

// TestNote: what is done with a token of an owner is kept, and nothing else.
func TestNote(t *testing.T) {
	now := time.Now()
	k := newKeeper(t, &now)
	k.Note(api.WithIdentity(t.Context(), api.Home()), "cancel", "run-1")
	k.Note(api.WithIdentity(t.Context(), api.Identity{Owner: "ann", Token: "ci"}), "cancel", "run-2")
	page, err := k.Deeds(t.Context(), api.DeedQuery{})
	if err != nil || len(page.Deeds) != 1 || page.Deeds[0].Object != "run-2" || page.Deeds[0].Token != "ci" {
		t.Errorf("got %+v, %v", page, err)
	}
}

// TestWithoutIdentity calls every method of a guard without an identity, and then with one
// that has no scope of it. None reaches the service.
func TestWithoutIdentity(t *testing.T) {
	reached := ""
	behind := denied.Service{Refuse: func(what string) *api.Error {
		reached = what
		return api.AsError(api.Errorf(api.Internal, "reached"))
	}}
	g := New(Config{Service: behind, RunOwner: func(context.Context, string) (string, error) { return "ann", nil },
		HasBlob: func(context.Context, string, string) (bool, error) { return true, nil }})
	service := reflect.TypeFor[api.Service]()
	for i := range service.NumMethod() {
		m := service.Method(i)
		if m.Name == "Close" {
			continue
		}
		for _, who := range []api.Identity{{}, {Owner: "ann", Token: "t", Scopes: []api.Scope{"none"}}} {
			err := errorOf(t, reflect.ValueOf(g).MethodByName(m.Name), api.WithIdentity(t.Context(), who))
			want := api.Unauthorized
			if len(who.Scopes) > 0 {
				want = api.Forbidden
			}
			if code := api.AsError(err).Code; err == nil || code != want || reached != "" {
				t.Errorf("%s for %+v: got %v, and reached %q", m.Name, who, err, reached)
			}
		}
	}
}

// errorOf calls a method with a context and zero values, and returns its error.
func errorOf(t *testing.T, method reflect.Value, ctx context.Context) error {
	t.Helper()
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < method.Type().NumIn(); i++ {
		args = append(args, reflect.Zero(method.Type().In(i)))
	}
	out := method.Call(args)
	last := out[len(out)-1]
	if err, ok := last.Interface().(error); ok {
		return err
	}
	if last.Kind() != reflect.Func {
		return nil
	}
	next, stop := iter.Pull2(func(yield func(any, error) bool) {
		last.Call([]reflect.Value{reflect.MakeFunc(last.Type().In(0), func(in []reflect.Value) []reflect.Value {
			err, _ := in[1].Interface().(error)
			return []reflect.Value{reflect.ValueOf(yield(in[0].Interface(), err))}
		})})
	})
	defer stop()
	_, err, _ := next()
	return err
}
