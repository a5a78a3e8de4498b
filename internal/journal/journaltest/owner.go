package journaltest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// RunOwners judges a store of owners, which is empty.
func RunOwners(t *testing.T, j journal.Journal, s journal.Owners) {
	t.Run("Tokens", func(t *testing.T) { tokens(t, s) })
	t.Run("Removed", func(t *testing.T) { removedOwners(t, s) })
	t.Run("Blobs", func(t *testing.T) { ownedBlobs(t, j, s) })
	t.Run("Deeds", func(t *testing.T) { deeds(t, s) })
}

func tokenOf(id, owner, name string) journal.TokenRecord {
	return journal.TokenRecord{ID: id, Hash: "hash of " + id, Token: api.Token{
		Name: name, Owner: owner, Scopes: []api.Scope{api.ScopeRead, api.ScopeRun}, Created: epoch(), Expires: epoch().Add(time.Hour),
	}}
}

func isError(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func tokens(t *testing.T, s journal.Owners) {
	ctx := t.Context()
	isError(t, "a token of nobody", s.AddToken(ctx, tokenOf("t1", "ann", "ci")), journal.ErrNotFound)
	for _, name := range []string{"bob", "ann"} {
		noError(t, s.PutOwner(ctx, api.Owner{Name: name, Created: epoch()}))
	}
	noError(t, s.AddToken(ctx, tokenOf("t1", "ann", "ci")))
	noError(t, s.AddToken(ctx, tokenOf("t2", "bob", "ci")))
	noError(t, s.AddToken(ctx, tokenOf("t3", "ann", "a")))
	isError(t, "a name twice", s.AddToken(ctx, tokenOf("t4", "ann", "ci")), journal.ErrExists)
	isError(t, "an id twice", s.AddToken(ctx, tokenOf("t1", "ann", "other")), journal.ErrExists)
	got, err := s.Token(ctx, "t1")
	noError(t, err)
	want := tokenOf("t1", "ann", "ci")
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("a token (-want +got):\n%s", diff)
	}
	noError(t, s.Used(ctx, "t1", epoch().Add(time.Minute)))
	noError(t, s.Used(ctx, "none", epoch()))
	list, err := s.Tokens(ctx, "ann")
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[1].Name != "ci" || !list[0].Used.IsZero() || !list[1].Used.Equal(epoch().Add(time.Minute)) {
		t.Errorf("tokens of ann: got %+v, %v", list, err)
	}
	noError(t, s.RemoveToken(ctx, "ann", "ci"))
	isError(t, "a token removed twice", s.RemoveToken(ctx, "ann", "ci"), journal.ErrNotFound)
	_, err = s.Token(ctx, "t1")
	isError(t, "a token that was removed", err, journal.ErrNotFound)
	noError(t, s.AddToken(ctx, tokenOf("t5", "ann", "ci"))) // the name is free again
}

// removedOwners: no token stays of an owner that is gone, whichever comes first.
func removedOwners(t *testing.T, s journal.Owners) {
	ctx := t.Context()
	owners, err := s.Owners(ctx)
	if err != nil || len(owners) != 2 || owners[0].Name != "ann" || owners[1].Name != "bob" || !owners[0].Created.Equal(epoch()) {
		t.Errorf("owners: got %+v, %v", owners, err)
	}
	noError(t, s.RemoveOwner(ctx, "ann"))
	isError(t, "an owner removed twice", s.RemoveOwner(ctx, "ann"), journal.ErrNotFound)
	_, err = s.Owner(ctx, "ann")
	isError(t, "an owner that was removed", err, journal.ErrNotFound)
	for id, want := range map[string]error{"t2": nil, "t3": journal.ErrNotFound, "t5": journal.ErrNotFound} {
		_, err := s.Token(ctx, id)
		isError(t, "token "+id, err, want)
	}
	for i := range 10 {
		noError(t, s.PutOwner(ctx, api.Owner{Name: "eve"}))
		var both sync.WaitGroup
		both.Go(func() { _ = s.AddToken(ctx, tokenOf("race", "eve", "ci")) })
		both.Go(func() { _ = s.RemoveOwner(ctx, "eve") })
		both.Wait()
		if _, err := s.Token(ctx, "race"); !errors.Is(err, journal.ErrNotFound) {
			t.Fatalf("try %d: the token of a removed owner: got %v", i, err)
		}
	}
}

func ownedRun(id, owner string) journal.Change {
	c := NewRun(id, 0, nil)
	c.Record.Owner = owner
	return c
}

// ownedBlobs: bytes belong to whoever sent them, and to the owners of runs with them.
func ownedBlobs(t *testing.T, j journal.Journal, s journal.Owners) {
	c := NewRun("run-a", 0, nil)
	c.Record.Owner, c.Blobs = "ann", []string{"of-run"}
	submit(t, j, c)
	of := NewRun("run-home", 0, nil)
	of.Blobs = []string{"of-home"}
	submit(t, j, of)
	noError(t, s.AddBlob(t.Context(), "bob", "sent"))
	noError(t, s.AddBlob(t.Context(), "bob", "sent"))
	submit(t, j, Ended(submit(t, j, ownedRun("run-b", "ann")), api.StatusFailed, 1))
	submit(t, j, ownedRun("run-c", "ann"))
	for most, want := range map[int]int{1: 1, 2: 2, 9: 2} {
		if n, err := s.CountRuns(t.Context(), "ann", most); err != nil || n != want {
			t.Errorf("runs of ann, up to %d: got %d, %v", most, n, err)
		}
	}
	for _, test := range []struct {
		owner, digest string
		want          bool
	}{
		{"ann", "of-run", true}, {"bob", "of-run", false}, {"bob", "sent", true}, {"ann", "sent", false}, {"ann", "of-home", false}, {"ann", "none", false},
	} {
		if got, err := s.HasBlob(t.Context(), test.owner, test.digest); err != nil || got != test.want {
			t.Errorf("%s has %s: got %t, %v", test.owner, test.digest, got, err)
		}
	}
}

func deeds(t *testing.T, s journal.Owners) {
	ctx := t.Context()
	for _, d := range []api.Deed{
		{Owner: "ann", Token: "ci", Action: "submit", Object: "run-1", Time: epoch()},
		{Owner: "bob", Token: "ci", Action: "approve", Object: "run-1"},
		{Owner: "ann", Token: "a", Action: "cancel", Object: "run-2"},
	} {
		noError(t, s.AddDeed(ctx, d))
	}
	all, err := s.Deeds(ctx, api.DeedQuery{})
	if err != nil || len(all) != 3 || all[0].Object != "run-2" || all[2].Token != "ci" || !all[2].Time.Equal(epoch()) || all[0].Num <= all[1].Num {
		t.Fatalf("deeds: got %+v, %v", all, err)
	}
	for _, test := range []struct {
		query api.DeedQuery
		want  []api.Deed
	}{
		{api.DeedQuery{Owner: "ann"}, []api.Deed{all[0], all[2]}},
		{api.DeedQuery{Object: "run-1"}, []api.Deed{all[1], all[2]}},
		{api.DeedQuery{Owner: "ann", Object: "run-1"}, []api.Deed{all[2]}},
		{api.DeedQuery{Limit: 1}, []api.Deed{all[0]}},
		{api.DeedQuery{Limit: 1, Before: all[0].Num}, []api.Deed{all[1]}},
		{api.DeedQuery{Owner: "eve"}, nil},
	} {
		got, err := s.Deeds(ctx, test.query)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("deeds %+v: %v (-want +got):\n%s", test.query, err, diff)
		}
	}
}
