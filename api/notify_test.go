package api

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckNotify(t *testing.T) {
	good := Notify{URL: "https://example.com/runs?a=b", Secret: "s"}
	with := func(change func(*Notify)) []Notify {
		n := good
		change(&n)
		return []Notify{n}
	}
	url := func(text string) []Notify { return with(func(n *Notify) { n.URL = text }) }
	for what, list := range map[string][]Notify{
		"none": nil, "https": {good}, "a port": url("https://example.com:8443"), "loopback": url("http://127.0.0.1:9/x"), "localhost": url("http://localhost/"), "loopback 6": url("http://[::1]:1/"),
		"events": with(func(n *Notify) { n.Events = []NotifyEvent{NotifyFailed, NotifyCanceled} }), "two": {good, {URL: good.URL, Secret: "t"}},
	} {
		if err := CheckNotify(list); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, test := range map[string]struct {
		list  []Notify
		field string
	}{
		"too many":        {make([]Notify, MaxNotify+1), "notify"},
		"twice":           {[]Notify{good, good}, "notify[1]"},
		"no URL":          {url(""), "notify[0].url"},
		"http":            {url("http://example.com/"), "notify[0].url"},
		"http, private":   {url("http://10.0.0.1/"), "notify[0].url"},
		"another scheme":  {url("file:///etc/passwd"), "notify[0].url"},
		"javascript":      {url("javascript:alert(1)"), "notify[0].url"},
		"no host":         {url("https:///x"), "notify[0].url"},
		"a user":          {url("https://user:secret@example.com/"), "notify[0].url"},
		"a fragment":      {url("https://example.com/#x"), "notify[0].url"},
		"port 0":          {url("https://example.com:0/"), "notify[0].url"},
		"no port":         {url("https://example.com:/"), "notify[0].url"},
		"a line":          {url("https://example.com/\r\nX: y"), "notify[0].url"},
		"not ASCII":       {url("https://exämple.com/"), "notify[0].url"},
		"long":            {url("https://example.com/" + strings.Repeat("x", MaxNotifyURL)), "notify[0].url"},
		"no secret":       {with(func(n *Notify) { n.Secret = "" }), "notify[0].secret"},
		"a wrong secret":  {with(func(n *Notify) { n.Secret = "a/b" }), "notify[0].secret"},
		"no such event":   {with(func(n *Notify) { n.Events = []NotifyEvent{"started"} }), "notify[0].events"},
		"the event twice": {with(func(n *Notify) { n.Events = []NotifyEvent{NotifyFailed, NotifyFailed} }), "notify[0].events"},
	} {
		err := CheckNotify(test.list)
		var e *Error
		if !errors.As(err, &e) || e.Code != InvalidTask || e.Details.Field != test.field {
			t.Errorf("%s: got %v, want %s", what, err, test.field)
		}
		if err != nil && strings.Contains(err.Error(), "user:secret") {
			t.Errorf("%s: the error tells the password: %v", what, err)
		}
	}
}

func TestNotifyWants(t *testing.T) {
	for _, test := range []struct {
		asked []NotifyEvent
		want  string
	}{
		{nil, "succeeded failed canceled"}, {[]NotifyEvent{NotifyEnded}, "succeeded failed canceled"}, {[]NotifyEvent{NotifyFailed}, "failed"},
		{[]NotifyEvent{NotifyCanceled, NotifySucceeded}, "succeeded canceled"},
	} {
		var got []string
		for _, event := range []NotifyEvent{NotifySucceeded, NotifyFailed, NotifyCanceled} {
			if (&Notify{Events: test.asked}).Wants(event) {
				got = append(got, string(event))
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v: got %v, want %s", test.asked, got, test.want)
		}
	}
}
