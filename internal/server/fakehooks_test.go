package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeHooks has one hook, by the name push.
type fakeHooks struct{}

func (fakeHooks) Hooks(context.Context) ([]api.Hook, error) {
	return []api.Hook{{HookSpec: api.HookSpec{Name: "push", Task: "deployed", Secret: "s", Body: "x"}}}, nil
}

func (f fakeHooks) Hook(ctx context.Context, name string) (*api.Hook, error) {
	if name != "push" {
		return nil, api.Errorf(api.NotFound, "there is no hook %s", name)
	}
	list, err := f.Hooks(ctx)
	return &list[0], err
}

func (f fakeHooks) RemoveHook(ctx context.Context, name string) error {
	_, err := f.Hook(ctx, name)
	return err
}

func (f fakeHooks) PauseHook(ctx context.Context, name string) (*api.Hook, error) {
	h, err := f.Hook(ctx, name)
	if err == nil {
		h.Paused = true
	}
	return h, err
}

func (f fakeHooks) ResumeHook(ctx context.Context, name string) (*api.Hook, error) {
	return f.Hook(ctx, name)
}

// fakeNotifications has one delivery, by the id msg-1.
type fakeNotifications struct{}

func (fakeNotifications) Deliveries(_ context.Context, q api.DeliveryQuery) (api.DeliveryPage, error) {
	if q.Run != "run-1" || q.State != api.DeliveryFailed || q.Limit != 5 {
		return api.DeliveryPage{}, nil
	}
	return api.DeliveryPage{Deliveries: []api.Delivery{{ID: "msg-1", Run: q.Run, State: q.State}}}, nil
}

func (fakeNotifications) Redeliver(_ context.Context, id string) (*api.Delivery, error) {
	if id != "msg-1" {
		return nil, api.Errorf(api.NotFound, "there is no delivery %s", id)
	}
	return &api.Delivery{ID: id, State: api.DeliveryWaiting}, nil
}

// receive takes messages whose signature is their body.
func (fakeHooks) receive(_ context.Context, name string, header http.Header, body []byte) (*api.Run, error) {
	if name != "push" || header.Get("Webhook-Signature") != string(body) || len(body) == 0 {
		return nil, api.Errorf(api.Unauthorized, "not signed")
	}
	return &api.Run{ID: "run-of-" + name}, nil
}

// TestHookCalls: a signature takes the place of the token, there and nowhere else.
func TestHookCalls(t *testing.T) {
	h := start(t)
	if res := h.askTCP("POST", "/v1/hooks/push", "body", "Webhook-Signature: body"); res.StatusCode != http.StatusAccepted || text(t, res) != `{"run":"run-of-push"}` {
		t.Errorf("signed: %d", res.StatusCode)
	}
	for _, test := range []struct {
		method, path, body, signature string
		status                        int
		code                          api.Code
	}{
		{"POST", "/v1/hooks/push", "body", "other", 401, api.Unauthorized},
		{"POST", "/v1/hooks/none", "body", "body", 401, api.Unauthorized},
		{"GET", "/v1/hooks/push", "", "body", 401, api.Unauthorized},
		{"GET", "/v1/hooks", "", "body", 401, api.Unauthorized},
		{"DELETE", "/v1/hooks/push", "", "body", 401, api.Unauthorized},
	} {
		expect(t, h.askTCP(test.method, test.path, test.body, "Webhook-Signature: "+test.signature), test.status, test.code)
	}
	large := strings.Repeat("x", 1<<20+1) // which the server does not read: it would close on a client that writes
	expect(t, h.askTCP("POST", "/v1/hooks/push", large, "Webhook-Signature: body", "Expect: 100-continue"), http.StatusRequestEntityTooLarge, api.RequestTooLarge)
	for range maxHookCalls {
		h.hookCalls <- struct{}{}
	}
	expect(t, h.askTCP("POST", "/v1/hooks/push", "body", "Webhook-Signature: body"), http.StatusTooManyRequests, api.Overloaded)
	if res := h.askTCP("GET", "/v1/version", "", "Authorization: bearer "+token); res.StatusCode != http.StatusOK {
		t.Errorf("beside a flood of calls: %d", res.StatusCode)
	}
}
