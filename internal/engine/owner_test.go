package engine

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// TestOwner: a run belongs to whoever asks for it, and those below it to the same, even
// if another one submits them. So does what is made of it again. Functions see whom they
// work for, and a key of one owner is none of another.
func TestOwner(t *testing.T) {
	h := newHost(t)
	var seen []string
	h.functions.code["who"] = func(ctx context.Context, _ map[string]any) (any, error) {
		seen = append(seen, api.IdentityOf(ctx).Owner)
		return int64(1), nil
	}
	e := h.engine("a", nil)
	defer e.Close()
	ann := api.WithIdentity(t.Context(), api.Identity{Owner: "ann"})
	code := orchestrate("who()", integer, function("who"))
	top, err := e.Submit(ann, api.Submission{Task: code, IdempotencyKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Wait(t.Context(), top.ID); err != nil {
		t.Fatal(err)
	}
	other, err := e.Submit(t.Context(), api.Submission{Task: code, IdempotencyKey: "k"})
	if err != nil || other.ID == top.ID || other.Owner != "" {
		t.Errorf("the home submits with a key of ann: got %+v, %v", other, err)
	}
	if _, err := e.Wait(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	again, err := e.Rerun(t.Context(), top.ID, api.RerunOptions{Fresh: true})
	if err != nil || again.Owner != "ann" {
		t.Errorf("the home reruns a run of ann: got %+v, %v", again, err)
	}
	if _, err := e.Wait(t.Context(), again.ID); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ann", "", "ann"}, seen); diff != "" {
		t.Errorf("functions worked for others (-want +got):\n%s", diff)
	}
	calls, err := h.journal.Calls(t.Context(), top.ID)
	if err != nil || len(calls) != 1 || calls[0].Owner != "ann" {
		t.Errorf("the call of ann's run: got %+v, %v", calls, err)
	}
}
