package withheld

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxHeaders bounds the headers of a request once values are in: a placeholder is
// short, and could be in there often.
const maxHeaders = 64 << 10 // bytes

func tooLarge(what string, limit int64) *Refusal {
	return &Refusal{fmt.Sprintf("the %s is larger than the %d bytes that the task allows", what, limit), "send or ask for less at a time"}
}

// put changes a request on its way to the place.
func (x *Exchange) put(req *http.Request) *Refusal {
	h := req.Header
	if !x.onlySigns() {
		askPlainly(h)
	}
	if x.ruled {
		for _, name := range overrides {
			h.Del(name)
		}
	}
	for _, s := range x.secrets {
		if s.inject.signs || !s.put(req) {
			continue
		}
		x.uses(s)
		if sizeOf(h) > maxHeaders {
			return &Refusal{"the headers are too large once the secrets are in", "send fewer or shorter ones"}
		}
	}
	for _, s := range x.secrets { // last, since a signature covers the others
		if !s.inject.signs {
			continue
		}
		if refusal := x.sign(req, s); refusal != nil {
			return refusal
		}
	}
	return nil
}

// uses notes that a secret was put in.
func (x *Exchange) uses(h *held) {
	if !slices.Contains(x.used, h.Ref.Name) {
		x.used = append(x.used, h.Ref.Name)
	}
}

// onlySigns reports whether no value goes to the host, so that none can come back.
func (x *Exchange) onlySigns() bool {
	return !slices.ContainsFunc(x.secrets, func(h *held) bool { return !h.inject.signs })
}

// askPlainly asks for an answer in which a value would be found.
func askPlainly(h http.Header) {
	// Pieces of a value would not be found in an answer, nor a value in a compressed one.
	for _, name := range []string{"Range", "If-Range", "Sec-Websocket-Extensions"} {
		h.Del(name)
	}
	h.Set("Accept-Encoding", "identity")
	if h.Get("Grpc-Accept-Encoding") != "" {
		h.Set("Grpc-Accept-Encoding", "identity")
	}
}

func sizeOf(h http.Header) (n int) {
	for name, values := range h {
		for _, v := range values {
			n += len(name) + len(v)
		}
	}
	return n
}

// put puts the value into a request, and reports whether it did.
func (h *held) put(req *http.Request) bool {
	switch text := h.inject.before + h.Value.Value + h.inject.after; {
	case h.inject.header != "":
		req.Header.Set(h.inject.header, text)
	case h.inject.query != "":
		putQuery(req.URL, h.inject.query, text)
	default:
		return h.replace(req.Header)
	}
	return true
}

// putQuery sets a member, and leaves the others as they are written.
func putQuery(u *url.URL, name, text string) {
	members := strings.FieldsFunc(u.RawQuery, func(c rune) bool { return c == '&' })
	members = slices.DeleteFunc(members, func(m string) bool {
		key, _, _ := strings.Cut(m, "=")
		plain, err := url.QueryUnescape(key)
		return err != nil || plain == name
	})
	u.RawQuery = strings.Join(append(members, url.QueryEscape(name)+"="+url.QueryEscape(text)), "&")
}

// replace puts the value wherever the placeholder stands in a header. It stops where the
// headers become too large, which the caller finds.
func (h *held) replace(headers http.Header) (found bool) {
	room := maxHeaders
	for name, values := range headers {
		if ofConnection(name) {
			continue
		}
		for i, v := range values {
			changed, ok := h.in(v, room)
			if ok {
				values[i], found = changed, true
			}
			if room -= len(values[i]); room < 0 {
				return found
			}
		}
	}
	return found
}

const basic = "basic "

// in returns the text of a header with the value in it. Basic authentication hides the
// placeholder in base64.
func (h *held) in(text string, room int) (string, bool) {
	if strings.Contains(text, h.Placeholder) {
		times := 1 + room/len(h.Value.Value) // one more than fits
		return strings.Replace(text, h.Placeholder, h.Value.Value, times), true
	}
	if len(text) < len(basic) || !strings.EqualFold(text[:len(basic)], basic) {
		return "", false
	}
	pair, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text[len(basic):]))
	if err != nil {
		return "", false
	}
	changed, ok := h.in(string(pair), room)
	return text[:len(basic)] + base64.StdEncoding.EncodeToString([]byte(changed)), ok
}
