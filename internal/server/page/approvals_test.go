package page

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func (f *fake) asks() *api.PendingApproval {
	signature := &api.Signature{Inputs: []value.Param{{Name: "amount", Type: value.Type{Kind: value.KindInt}}, {Name: "to", Type: value.Type{Kind: value.KindStr}}}}
	text, _ := json.Marshal(hostile)
	return &api.PendingApproval{
		Run: "run-1", State: api.ApprovalWaiting, Task: hostile, Doc: hostile, Root: "run-2", Parent: "run-2", Asks: hostile, Signature: signature,
		Asked: api.Asked{Since: begin, Line: 3, Deadline: begin}, Arguments: json.RawMessage(`{"amount": 4, "to": ` + string(text) + `}`),
	}
}

func (f *fake) Approvals(_ context.Context, q api.ApprovalQuery) (api.ApprovalPage, error) {
	a := *f.asks()
	if q.State == api.ApprovalDecided {
		a.State, a.Decision = q.State, &api.Decision{By: hostile, Reason: hostile, From: api.FromCLI, Time: begin}
	}
	return api.ApprovalPage{Approvals: []api.PendingApproval{a}, Waiting: 7}, nil
}

func (f *fake) Approval(context.Context, string) (*api.PendingApproval, error) {
	a := f.asks()
	if f.unsigned {
		a.Signature = nil
	}
	return a, nil
}

func (f *fake) Decide(_ context.Context, run string, d api.Decision) (*api.PendingApproval, error) {
	f.mu.Lock()
	f.decided = d
	f.mu.Unlock()
	return f.asks(), f.note("decide", run)
}

// TestAttackV10_Decide has the form of a decision change arguments by their types
// alone, and be sent by nobody else: not by another page, not without its token.
func TestAttackV10_Decide(t *testing.T) {
	f := hostileService()
	b := newBrowser(t, f)
	page := b.get("/page/approvals/run-1")
	if !strings.Contains(page, `id="in-amount" name="in-amount" type="number" value="4"`) || !strings.Contains(b.get("/page/runs"), `<span class="count">7`) {
		t.Error("the form has no typed field, or the navigation no mark")
	}
	for name, form := range map[string][]string{
		"a value of another type": {"verdict", "approve", "in-amount", "much", "in-to", "Ada"},
		"no verdict":              {"in-amount", "4"},
	} {
		if w := b.post("/page/approvals/run-1", form...); w.Code != 422 || len(f.asked) > 0 {
			t.Errorf("%s: %d, %q", name, w.Code, f.asked)
		}
	}
	for _, f.unsigned = range []bool{true, false} { // Enter in a field presses the first button, which shows the form again
		if w := b.post("/page/approvals/run-1", "do", "show", "in-amount", "4", "in-to", "Ada"); w.Code != 422 || len(f.asked) > 0 {
			t.Errorf("a button that changes the form: %d, %q", w.Code, f.asked)
		}
	}
	form := []string{"verdict", "approve", "in-amount", "1", "in-to", "Ada", "by", "Grace", "reason", "less", "key", "k"}
	if w := b.do(b.request("POST", "/page/approvals/run-1", url.Values{"verdict": {"approve"}})); w.Code < 400 || len(f.asked) > 0 {
		t.Errorf("without the token of the form: %d", w.Code)
	}
	if w := b.post("/page/approvals/run-1", form...); w.Code != 303 || w.Header().Get("Location") != "run-1" {
		t.Errorf("approved: %d to %s", w.Code, w.Header().Get("Location"))
	}
	want := api.Decision{Approved: true, By: "Grace", Reason: "less", From: api.FromPage, Identity: "token", Key: "k", Arguments: json.RawMessage(`{"amount":1,"to":"Ada"}`)}
	if got := f.decided; got.By != want.By || got.From != want.From || got.Identity != want.Identity || got.Key != want.Key || string(got.Arguments) != string(want.Arguments) || !got.Approved {
		t.Errorf("decided %+v, %s", got, got.Arguments)
	}
	b.post("/page/approvals/run-1", "verdict", "refuse", "in-amount", "1")
	if f.decided.Approved || len(f.decided.Arguments) > 0 {
		t.Errorf("refused as %+v", f.decided)
	}
}
