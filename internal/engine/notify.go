package engine

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// eventsTold are the events that a run of a status tells of.
var eventsTold = map[api.Status]api.NotifyEvent{
	api.StatusSucceeded: api.NotifySucceeded, api.StatusFailed: api.NotifyFailed, api.StatusCanceled: api.NotifyCanceled,
}

// addReceivers notes whom a run tells of its end. One that another run started tells
// nobody: that run does.
func (s *submission) addReceivers(ofRun []api.Notify) error {
	if err := api.CheckNotify(ofRun); err != nil {
		return err
	}
	if s.rec.Parent != "" && len(ofRun) > 0 {
		return api.WrongField("notify", "of a run with a parent", "only a run without a parent to tell of its end").
			WithHint("declare it for the run at the top, which ends after those below it")
	}
	if s.rec.Parent == "" {
		s.rec.Notify = api.JoinNotify(s.task.Notify, ofRun)
	}
	return nil
}

// deliveriesOf are the deliveries of what a run tells of its newest event. The id has the
// number of that event, so that a run that is resumed and ends again tells that too.
func deliveriesOf(rec *journal.Record) (list []journal.DeliveryRecord) {
	event := eventsTold[rec.Status]
	for i, n := range rec.Notify {
		if !n.Wants(event) {
			continue
		}
		id := "msg-" + strings.TrimPrefix(rec.ID, "run-") + "-" + strconv.FormatInt(rec.Seq, 10) + "-" + strconv.Itoa(i)
		list = append(list, journal.DeliveryRecord{
			Delivery: api.Delivery{
				ID: id, Run: rec.ID, Task: rec.Task, Event: event, URL: n.URL, Secret: n.Secret,
				State: api.DeliveryWaiting, Created: rec.Ended, Next: rec.Ended,
			},
			Notice: rec.Notice(), GivenUp: journal.DeliveryTries, Changed: rec.Ended, Host: hostOf(n.URL), Seq: 1,
		})
	}
	return list
}

// hostOf is HOST:PORT of a URL that was checked.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
