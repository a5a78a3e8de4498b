package api

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/internal/loopback"
	"github.com/glovebox-dev/glovebox/value"
)

// Notify says where a run tells what became of it: a signed POST to a URL. Runs
// below others tell nothing.
type Notify struct {
	URL string `json:"url" required:"true"` // https, or http to a loopback address
	// Events are those that it gets; empty means ended.
	Events []NotifyEvent `json:"events,omitempty" enum:"ended,succeeded,failed,canceled"`
	// Secret is the name of the stored secret that signs, as Standard Webhooks says.
	Secret string `json:"secret" required:"true" pattern:"^[A-Za-z0-9_.-]{1,128}$"`
}

// NotifyEvent is what a message is about, or a name for several of them.
type NotifyEvent string

// The events. A message is about one of the others, never about ended.
const (
	NotifyEnded     NotifyEvent = "ended" // succeeded, failed or canceled
	NotifySucceeded NotifyEvent = "succeeded"
	NotifyFailed    NotifyEvent = "failed"
	NotifyCanceled  NotifyEvent = "canceled"
)

// notifyEvents says which events each name that can be asked for stands for.
var notifyEvents = []struct {
	name   NotifyEvent
	events []NotifyEvent
}{
	{NotifyEnded, []NotifyEvent{NotifySucceeded, NotifyFailed, NotifyCanceled}},
	{NotifySucceeded, []NotifyEvent{NotifySucceeded}},
	{NotifyFailed, []NotifyEvent{NotifyFailed}},
	{NotifyCanceled, []NotifyEvent{NotifyCanceled}},
}

// NotifyEvents returns the names that can be asked for.
func NotifyEvents() []string {
	names := make([]string, len(notifyEvents))
	for i, e := range notifyEvents {
		names[i] = string(e.name)
	}
	return names
}

// Wants reports whether the receiver gets an event.
func (n *Notify) Wants(event NotifyEvent) bool {
	asked := n.Events
	if len(asked) == 0 {
		asked = []NotifyEvent{NotifyEnded}
	}
	for _, e := range notifyEvents {
		if slices.Contains(asked, e.name) && slices.Contains(e.events, event) {
			return true
		}
	}
	return false
}

func (n *Notify) equal(other *Notify) bool {
	return n.URL == other.URL && n.Secret == other.Secret && slices.Equal(n.Events, other.Events)
}

// JoinNotify returns the receivers of a task and those of its run, each once.
func JoinNotify(ofTask, ofRun []Notify) []Notify {
	all := slices.Clip(ofTask)
	for i := range ofRun {
		if !slices.ContainsFunc(ofTask, func(n Notify) bool { return n.equal(&ofRun[i]) }) {
			all = append(all, ofRun[i])
		}
	}
	return all
}

// The bounds of what a task, or a run, declares.
const (
	MaxNotify    = 8
	MaxNotifyURL = 2048 // bytes
)

// CheckNotify reports what is wrong with what a task or a run declares.
func CheckNotify(list []Notify) error {
	if len(list) > MaxNotify {
		return WrongField("notify", strconv.Itoa(len(list))+" receivers", "at most "+strconv.Itoa(MaxNotify))
	}
	for i := range list {
		field := "notify[" + strconv.Itoa(i) + "]"
		if err := list[i].check(field); err != nil {
			return err
		}
		if slices.ContainsFunc(list[:i], func(n Notify) bool { return n.equal(&list[i]) }) {
			return WrongField(field, "the same as another one", "each receiver once")
		}
	}
	return nil
}

func (n *Notify) check(field string) error {
	if err := checkNotifyURL(field+".url", n.URL); err != nil {
		return err
	}
	for i, e := range n.Events {
		if !slices.Contains(NotifyEvents(), string(e)) {
			return WrongField(field+".events", value.Quote(value.Shorten(string(e), 100)), "some of "+strings.Join(NotifyEvents(), ", "))
		}
		if slices.Contains(n.Events[:i], e) {
			return WrongField(field+".events", string(e)+" twice", "each event once")
		}
	}
	if !ValidSecretName(n.Secret) {
		return WrongField(field+".secret", value.Quote(value.Shorten(n.Secret, 100)), "the name of a stored secret, which signs").
			WithHint("store one with: glovebox secret set NAME")
	}
	return nil
}

func checkNotifyURL(field, text string) error {
	const expected = "an address such as https://example.com/runs"
	if len(text) > MaxNotifyURL {
		return WrongField(field, strconv.Itoa(len(text))+" bytes", "at most "+strconv.Itoa(MaxNotifyURL))
	}
	shown := value.Quote(value.Shorten(text, 200))
	if !visibleASCII(text) {
		return WrongField(field, shown, expected+", in printable ASCII")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return WrongField(field, shown, expected)
	case u.User != nil: // and it may be a password
		return WrongField(field, "one with a user", expected).WithHint("the signature shows who sends; leave the user out")
	case u.Fragment != "":
		return WrongField(field, shown, "an address without a fragment")
	case !validPort(u):
		return WrongField(field, "port "+value.Quote(u.Port()), "a port from 1 to 65535")
	case u.Scheme == "https", u.Scheme == "http" && loopback.IsHost(u.Hostname()):
		return nil
	case u.Scheme == "http":
		return WrongField(field, shown, expected).WithHint("http is for loopback addresses alone: others on the way could read and change the message")
	}
	return WrongField(field, "the scheme "+value.Quote(value.Shorten(u.Scheme, 20)), expected)
}

func validPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && port > 0
}

// RunNotice is what a receiver gets of a run. Inputs and outputs are not in it.
type RunNotice struct {
	Run      string       `json:"run"`               // its id
	Task     string       `json:"task"`              // the name of its task
	Version  string       `json:"version,omitempty"` // NAME@VERSION, if it was started from the catalog
	Status   Status       `json:"status"`
	Error    *NoticeError `json:"error,omitempty"`
	Attempts int          `json:"attempts"`
	Created  time.Time    `json:"created"`
	Started  time.Time    `json:"started,omitzero"`
	Ended    time.Time    `json:"ended,omitzero"`
	URL      string       `json:"url,omitempty"` // of its page, if the server knows where people find it
}

// NoticeError is what a receiver gets of a failure.
type NoticeError struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// maxNoticeMessage bounds the message of an error that a receiver gets, in bytes.
const maxNoticeMessage = 1 << 10

// Notice returns what receivers get of a run.
func (r *Run) Notice() RunNotice {
	n := RunNotice{
		Run: r.ID, Task: r.Task, Version: r.Version, Status: r.Status, Attempts: r.Attempts, Created: r.Created, Started: r.Started, Ended: r.Ended,
	}
	if r.Error != nil {
		n.Error = &NoticeError{r.Error.Code, value.Shorten(r.Error.Message, maxNoticeMessage)}
	}
	return n
}

// Notifications are what runs tell, by signed messages over HTTP, when they have ended.
// A server delivers them, with retries over hours.
type Notifications interface {
	// Deliveries lists deliveries, the newest first.
	Deliveries(ctx context.Context, q DeliveryQuery) (DeliveryPage, error)
	// Redeliver has a delivery tried again now, whatever became of it, with as many
	// retries as a new one. The receiver gets the same id again.
	Redeliver(ctx context.Context, id string) (*Delivery, error)
}

// DeliveryState is where a delivery stands.
type DeliveryState string

// The states of a delivery.
const (
	DeliveryWaiting   DeliveryState = "waiting"   // for its first or next attempt
	DeliveryDelivered DeliveryState = "delivered" // the receiver answered with 2xx
	DeliveryFailed    DeliveryState = "failed"    // it is not tried any more
)

// Delivery is one message to one receiver.
type Delivery struct {
	ID       string        `json:"id"`     // the receiver gets it as webhook-id: the same at each attempt
	Run      string        `json:"run"`    // that it tells of
	Task     string        `json:"task"`   // the name of the task of the run
	Event    NotifyEvent   `json:"event"`  // what the message is about
	URL      string        `json:"url"`    // where it goes to
	Secret   string        `json:"secret"` // the name of the stored secret that signs
	State    DeliveryState `json:"state" enum:"waiting,delivered,failed"`
	Attempts int           `json:"attempts"`         // that were made
	Created  time.Time     `json:"created"`          // when the event happened
	Tried    time.Time     `json:"tried,omitzero"`   // the last attempt
	Next     time.Time     `json:"next,omitzero"`    // the next attempt, while it waits
	Answer   int           `json:"answer,omitempty"` // the status of the last answer; 0 without one
	Reason   string        `json:"reason,omitempty"` // why the last attempt failed
}

// DeliveryQuery selects deliveries. Zero fields select all.
type DeliveryQuery struct {
	Run    string
	State  DeliveryState
	Limit  int    // 0 means 50, at most 1000
	Cursor string // DeliveryPage.Next of the page before
}

// DeliveryPage is one page of a list.
type DeliveryPage struct {
	Deliveries []Delivery `json:"deliveries"`
	Next       string     `json:"next,omitempty"` // cursor of the next page; empty at the end
}
