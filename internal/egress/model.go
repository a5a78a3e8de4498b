package egress

import (
	"bytes"
	"math"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// longestMethod is more than the methods of HTTP have, with the space after them.
const longestMethod = 10 // bytes

// forModel reports whether a request comes whose program takes the proxy for a
// server: after the method it names a path, and no address. Where no model may be
// asked, it is refused like any other that is not for a proxy.
func (s *session) forModel() bool {
	if s.proxy.options.Model == nil {
		return false
	}
	s.head.left = maxHead
	if _, err := s.in.Peek(1); err != nil {
		return false
	}
	defer s.timer(headTimeout).Stop()
	for n := 2; n <= longestMethod; n++ {
		begin, err := s.in.Peek(n)
		if err != nil {
			return false
		}
		if i := bytes.IndexByte(begin, ' '); i >= 0 && i+1 < n {
			return begin[i+1] == '/'
		}
	}
	return false
}

// toModel carries the whole connection to the model.
func (s *session) toModel() {
	start, t := time.Now(), target{host: api.ModelHost, port: 80}
	select {
	case s.proxy.modelSlots <- struct{}{}:
		defer func() { <-s.proxy.modelSlots }()
	default:
		s.refuse(start, t, exhausted("more than %d connections to the model at once, close some first", maxModel))
		return
	}
	if s.proxy.modelQuota.spent() {
		s.refuse(start, t, s.proxy.modelQuota.refusal())
		return
	}
	s.head.left = math.MaxInt // the server behind it bounds its heads itself
	s.proxy.record(start, t, nil, s.carry(s.proxy.options.Model, &s.proxy.modelQuota))
}
