package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/webhook"
)

// patience is how long a receiver has for everything, from the look-up of its name
// to the head of its answer.
const patience = 10 * time.Second

// maxHead bounds the head of an answer, in bytes. The body is not read.
const maxHead = 32 << 10

// sender sends messages.
type sender struct {
	how    Sending
	secret func(name string) ([]byte, error)
	client *http.Client
}

func newSender(how Sending, secret func(string) ([]byte, error)) *sender {
	return &sender{how, secret, &http.Client{
		// Each message has a connection of its own, to an address that was checked for
		// it. Dial goes by the proxy of the host where that is needed.
		Transport:     &http.Transport{DialContext: how.Dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHead, TLSHandshakeTimeout: patience},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// message is the body of a request, in the form of Standard Webhooks.
type message struct {
	Type      string        `json:"type"`      // run. and the event
	Timestamp time.Time     `json:"timestamp"` // of the event
	Data      api.RunNotice `json:"data"`
}

// send makes one attempt.
func (s *sender) send(ctx context.Context, d *journal.DeliveryRecord, now time.Time) outcome {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := s.request(ctx, d, now)
	if err != nil {
		return outcome{reason: err.Error()}
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return s.failure(ctx, err)
	}
	resp.Body.Close()
	return judge(resp, now)
}

func (s *sender) request(ctx context.Context, d *journal.DeliveryRecord, now time.Time) (*http.Request, error) {
	secret, err := s.secret(d.Secret)
	if err != nil {
		return nil, errors.New("the secret " + d.Secret + " cannot be read; store it with: glovebox secret set " + d.Secret)
	}
	m := message{Type: "run." + string(d.Event), Timestamp: d.Created, Data: d.Notice}
	if s.how.Page != "" {
		m.Data.URL = strings.TrimSuffix(s.how.Page, "/") + "/page/runs/" + d.Run
	}
	body, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	header, err := webhook.Sign(secret, d.ID, now, body)
	if err != nil {
		return nil, errors.New("the secret " + d.Secret + " cannot sign: " + err.Error())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is not one")
	}
	header.Set("Content-Type", "application/json")
	header.Set("User-Agent", "glovebox/"+s.how.Version)
	req.Header = header
	return req, nil
}

// failure says why there was no answer.
func (s *sender) failure(ctx context.Context, err error) outcome {
	if s.how.Refused(err) {
		return outcome{final: true, reason: "the receiver may not be reached: " + cause(err) + "; the operator can allow it: glovebox serve --notify-allow"}
	}
	if ctx.Err() != nil {
		return outcome{reason: "the receiver did not answer within " + patience.String()}
	}
	return outcome{reason: cause(err)}
}

// cause is an error without the URL, which may hold what only the receiver is to
// know.
func cause(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}
