package monty

import (
	"math"
	"time"
)

// requestKind is the number of a request's field in ParentRequest.
type requestKind int32

const (
	requestConfigure     requestKind = 1
	requestInstall       requestKind = 2
	requestFeed          requestKind = 3
	requestResumeCall    requestKind = 4
	requestResumeName    requestKind = 5
	requestResumeFutures requestKind = 6
	requestDump          requestKind = 7
	requestLoad          requestKind = 8
	requestReset         requestKind = 9
	requestShutdown      requestKind = 10
	requestAbort         requestKind = 11
	lastRequest                      = requestAbort
)

type request struct {
	kind requestKind
	body []byte
}

// readRequest reads a frame of a client. What stands beside the request, such
// as the span of a trace, is nothing that an answer depends on.
func readRequest(frame []byte) (request, error) {
	var r request
	err := fields(frame, func(x field) error {
		if x.number < 1 || requestKind(x.number) > lastRequest {
			return nil
		}
		body, err := x.message()
		r = request{requestKind(x.number), body}
		return err
	})
	if err == nil && r.kind == 0 {
		return r, fatalf("a frame without a request")
	}
	return r, err
}

// limits are what a client allows its session. Zero is no limit.
type limits struct {
	memory, depth, suspensions uint64
	counted                    bool // suspensions is set
	feed, turn, sleep          time.Duration
	sleeps                     bool // sleep is set
}

// config is what a client configures.
type config struct {
	script  string
	limits  limits
	check   bool
	stubs   string
	format  uint64
	version uint64
	flush   time.Duration // of what is printed; negative is each line
	policy  policy

	persistence uint64
}

// defaultFlush is how long printed text is held, unless the client says.
const defaultFlush = 5 * time.Millisecond

func readConfig(body []byte) (config, error) {
	c := config{flush: defaultFlush, policy: policy{maxSleep: defaultMaxSleep}}
	err := fields(body, func(x field) error {
		var err error
		switch x.number {
		case 1:
			c.script, err = x.text()
		case 2:
			c.limits, err = readLimits(x)
		case 3:
			c.check = x.word != 0
		case 4:
			c.stubs, err = x.text()
		case 7:
			c.format = x.word
		case 9:
			c.version = x.word
		case 10:
			c.flush = time.Duration(min(x.word, math.MaxInt32)) * time.Millisecond
			if x.word == 0 {
				c.flush = -1
			}
		case 11:
			c.policy, err = readPolicy(x)
		case 12:
			c.persistence = x.word
		}
		return err
	})
	return c, err
}

func readLimits(x field) (limits, error) {
	var l limits
	body, err := x.message()
	if err != nil {
		return l, err
	}
	err = fields(body, func(x field) error {
		switch x.number {
		case 2:
			l.memory = max(x.word, 1)
		case 4:
			l.depth = x.word
		case 5:
			l.suspensions, l.counted = x.word, true
		case 6:
			l.feed = micros(x.word)
		case 7:
			l.turn = micros(x.word)
		case 8:
			l.sleep, l.sleeps = micros(x.word), true
		}
		return nil
	})
	return l, err
}

// micros is a limit of time, which is at least a microsecond: zero is none.
func micros(n uint64) time.Duration {
	return time.Duration(min(max(n, 1), math.MaxInt64/2000)) * time.Microsecond
}

// named is a value by its name.
type named struct {
	name string
	node uint32
}

// feed is a piece of code with its inputs.
type feedRequest struct {
	code      string
	inputs    []named
	values    []byte
	skipCheck bool
	cwd       string
}

func readFeed(body []byte) (feedRequest, error) {
	var f feedRequest
	err := fields(body, func(x field) error {
		var err error
		switch x.number {
		case 1:
			f.code, err = x.text()
		case 2:
			var n named
			n, err = readNamed(x)
			f.inputs = append(f.inputs, n)
		case 3:
			f.values, err = x.message()
		case 4:
			f.skipCheck = x.word != 0
		case 5:
			f.cwd, err = x.text()
		}
		return err
	})
	return f, err
}

func readNamed(x field) (named, error) {
	var n named
	body, err := x.message()
	if err != nil {
		return n, err
	}
	err = fields(body, func(x field) error {
		var err error
		switch x.number {
		case 1:
			n.name, err = x.text()
		case 2:
			n.node = x.index()
		}
		return err
	})
	return n, err
}

// resultKind is the number of a result's field in ExtFunctionResult.
type resultKind int32

const (
	resultValue      resultKind = 1
	resultRaised     resultKind = 2
	resultFuture     resultKind = 3
	resultNotFound   resultKind = 4
	resultNotHandled resultKind = 5
)

// callResult is what became of a call.
type callResult struct {
	call   uint64
	kind   resultKind
	node   uint32
	raised raised
	name   string
}

// readResult reads an ExtFunctionResult.
func (r *callResult) readResult(x field) error {
	body, err := x.message()
	if err != nil {
		return err
	}
	return fields(body, func(x field) error {
		var err error
		switch r.kind = resultKind(x.number); r.kind {
		case resultValue:
			r.node = x.index()
		case resultRaised:
			r.raised, err = readRaised(x)
		case resultNotFound:
			r.name, err = x.text()
		}
		return err
	})
}

// readResults reads a ResumeCall or a ResumeFutures.
func readResults(body []byte, one bool) (results []callResult, values []byte, err error) {
	if one {
		results = make([]callResult, 1)
	}
	err = fields(body, func(x field) error {
		var err error
		switch {
		case one && x.is(1):
			results[0].call = x.word
		case one && x.is(2):
			err = results[0].readResult(x)
		case !one && x.is(1):
			var r callResult
			err = r.readFuture(x)
			results = append(results, r)
		case x.is(2) || x.is(3):
			values, err = x.message()
		}
		return err
	})
	return results, values, err
}

func (r *callResult) readFuture(x field) error {
	body, err := x.message()
	if err != nil {
		return err
	}
	return fields(body, func(x field) error {
		switch x.number {
		case 1:
			r.call = x.word
		case 2:
			return r.readResult(x)
		}
		return nil
	})
}

// nameResult is the answer for a name: a value, or an exception, or nothing.
type nameResult struct {
	found  bool
	node   uint32
	raised *raised
	values []byte
}

func readName(body []byte) (nameResult, error) {
	var r nameResult
	err := fields(body, func(x field) error {
		var err error
		switch x.number {
		case 1:
			r.values, err = x.message()
		case 2:
			r.found, r.node = true, x.index()
		case 3:
			r.found = false
		case 4:
			var e raised
			e, err = readRaised(x)
			r.raised = &e
		}
		return err
	})
	return r, err
}

// raised is an exception that a client raises.
type raised struct {
	class, message string
}

func readRaised(x field) (raised, error) {
	var r raised
	body, err := x.message()
	if err != nil {
		return r, err
	}
	err = fields(body, func(x field) error {
		var err error
		switch x.number {
		case 1:
			r.class, err = x.text()
		case 2:
			r.message, err = x.text()
		}
		return err
	})
	return r, err
}
