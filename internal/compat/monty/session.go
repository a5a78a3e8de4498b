package monty

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/py/graph"
)

// session is what a Configure began.
type session struct {
	raw    []byte // the Configure
	config config
	wire   version
	py     *py.Session
	out    *output
	feeds  int           // pieces of code that came
	source string        // of the last one
	cwd    string        // the directory of paths that are not absolute
	file   string        // the script, in the directory of the first piece of code
	total  time.Duration // of execution, of the pieces before the last one
	passed time.Duration // in the session, by sleeping
	asleep sleeping
	sleeps uint64 // that the client was asked for
	stored string // its name, if it is to be stored
}

// The limits of a session whose client sets none.
const (
	defaultMemory = 1 << 30
	unlimited     = math.MaxInt64 / 4
	mostDepth     = 100_000
)

func (w *worker) configure(_ context.Context, body []byte) (event, error) {
	if w.session != nil {
		return event{}, fatalf("the session is configured already")
	}
	s := &session{raw: slices.Clone(body)}
	err := s.configure(w.conn)
	if err != nil {
		return event{}, err
	}
	if s.py, err = py.NewSession(s.runOptions(w.options)); err != nil {
		return event{}, err
	}
	w.name(s)
	w.session = s
	return event{kind: eventOK, begun: true}, nil
}

// configure reads what the client configured.
func (s *session) configure(c Conn) (err error) {
	if s.config, err = readConfig(s.raw); err != nil {
		return err
	}
	s.wire, err = versionOf(s.config.version)
	s.out = &output{conn: c, wait: s.config.flush}
	return err
}

// runOptions are the limits of the client, within those of the worker.
func (s *session) runOptions(o Options) py.RunOptions {
	l := s.config.limits
	memory := int64(defaultMemory)
	if l.memory > 0 {
		memory = int64(min(l.memory, 1<<40))
	}
	if o.Memory > 0 {
		memory = min(memory, o.Memory)
	}
	depth := 1000
	if l.depth > 0 {
		depth = int(min(l.depth, mostDepth))
	}
	host := s.config.policy.host(s.out, s.directory)
	host.AskModules, host.AskScans = s.wire.modules, s.wire.scans
	host.ProcessTime = s.processTime
	host.ChangeDirectory = func(path string) { s.cwd = path }
	return py.RunOptions{
		Limits: py.Limits{Memory: max(memory, leastMemory), Depth: depth, Time: unlimited, Calls: math.MaxInt32},
		Host:   host,
	}
}

// leastMemory is what a session needs to do anything.
const leastMemory = 64 << 10

// name is that of the last piece of code.
func (s *session) name() string { return fmt.Sprintf("<python-input-%d>", max(s.feeds-1, 0)) }

// spent is how long the last piece of code has run.
func (s *session) spent() time.Duration { return s.py.Usage().Time }

func (s *session) feed(ctx context.Context, body []byte) (event, error) {
	f, err := readFeed(body)
	if err != nil {
		return event{}, err
	}
	if s.py.Status() == py.Waiting {
		return event{}, fatalf("code came while other code waits")
	}
	inputs, err := s.inputs(f)
	var no refused
	if errors.As(err, &no) {
		return failed(no.class, no.message), nil
	}
	if err != nil {
		return event{}, err
	}
	if f.cwd != "" {
		s.cwd = f.cwd
	}
	if s.file == "" {
		s.file = path.Join(s.directory(), s.config.script)
	}
	if s.config.check && !f.skipCheck {
		if findings := s.findings(f); findings != "" {
			return event{kind: eventTypingError, body: text(1, findings)}, nil
		}
	}
	s.total += s.spent()
	s.feeds++
	s.source = f.code
	s.allow(0)
	if err := s.py.Feed(ctx, s.name(), f.code, inputs); err != nil {
		return s.failure(err), nil
	}
	return s.turn(ctx)
}

func (s *session) inputs(f feedRequest) ([]py.NamedValue, error) {
	g, err := s.wire.readArena(f.values)
	if err != nil {
		return nil, err
	}
	var inputs []py.NamedValue
	for _, in := range f.inputs {
		r, err := ref(g, in.node)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, py.NamedValue{Name: in.name, Value: r})
	}
	return inputs, nil
}

// allow sets the time for the turn that begins, after the code has run for so
// long.
func (s *session) allow(spent time.Duration) {
	l := s.config.limits
	most := time.Duration(unlimited)
	if l.feed > 0 {
		most = l.feed
	}
	if l.turn > 0 {
		most = min(most, spent+l.turn)
	}
	s.py.SetTime(most)
}

// timeLimit is the message for the limit of time that ended the code.
func (s *session) timeLimit() string {
	l := s.config.limits
	if l.feed > 0 && (l.turn == 0 || s.spent() >= l.feed) {
		return fmt.Sprintf("feed time limit exceeded: %v > %v", s.spent().Round(time.Microsecond), l.feed)
	}
	return fmt.Sprintf("turn time limit exceeded: more than %v", l.turn)
}

// turn ends a turn: it sends what was printed, and says what the code wants or
// became.
func (s *session) turn(ctx context.Context) (event, error) {
	if err := s.tellFile(ctx); err != nil {
		return event{}, err
	}
	if err := s.awake(ctx); err != nil {
		return event{}, err
	}
	if err := s.out.flush(); err != nil {
		return event{}, err
	}
	if s.py.Status() == py.Waiting {
		return s.suspended()
	}
	result, err := s.py.Result()
	if err != nil {
		return s.failure(err), nil
	}
	body := join(numberSet(1, uint64(result.Root)), bytesOf(2, s.wire.arena(result.Graph)))
	return event{kind: eventComplete, body: body}, nil
}

// suspended is the event of what the code waits for.
func (s *session) suspended() (event, error) {
	var pending []uint32
	for _, a := range s.py.Asks() {
		if !a.Pending {
			return s.asked(a), nil
		}
		pending = append(pending, uint32(a.ID-1))
	}
	if ev, ok := s.slumber(len(pending) > 0); ok {
		return ev, nil
	}
	if s.asleep.call != 0 {
		pending = append(pending, uint32(s.asleep.call))
	}
	return event{kind: eventResolveFutures, body: join(packed(1, pending), position(2, s.py.AwaitPlace()))}, nil
}

func (s *session) asked(a py.Ask) event {
	if a.Kind == py.AskSystem {
		return s.systemCall(a)
	}
	if a.Kind == py.AskName {
		return event{kind: eventNameLookup, body: join(text(1, a.Name), position(3, a.Place))}
	}
	if a.Kind == py.AskAttribute {
		return event{kind: eventNameLookup, body: join(text(1, a.Name), owner(2, a), position(3, a.Place))}
	}
	args, receiver := a.Args, []byte(nil)
	if a.Kind == py.AskMethod {
		args, receiver = a.Args[1:], owner(5, a)
	}
	// A name is a value of its own, as the key of an argument.
	g := &graph.Graph{Nodes: a.Graph.Nodes}
	var named []uint32
	for _, p := range a.Named {
		named = append(named, g.Add(graph.Node{Kind: graph.Str, Text: p.Name}), p.Value)
	}
	body := join(text(1, a.Name), packed(2, args), pairs(3, named), numberSet(4, a.ID-1), receiver,
		flag(6, a.Awaited), bytesOf(7, s.wire.arena(g)), position(8, a.Place))
	return event{kind: eventFunctionCall, body: body}
}

// owner is the identity of the object of the client that the code asks.
func owner(n protowire.Number, a py.Ask) []byte { return uuid(n, a.Graph.Nodes[a.Args[0]].Text) }

func (s *session) resumeCall(ctx context.Context, body []byte) (event, error) {
	results, values, err := readResults(body, true)
	if err != nil {
		return event{}, err
	}
	return s.resume(ctx, results, values)
}

func (s *session) resumeFutures(ctx context.Context, body []byte) (event, error) {
	results, values, err := readResults(body, false)
	if err != nil {
		return event{}, err
	}
	if err := s.awaited(ctx, results); err != nil {
		return event{}, err
	}
	return s.resume(ctx, results, values)
}

// awaited makes a future of the call at which the code stands, if the client has
// awaited it instead of saying that it takes longer.
func (s *session) awaited(ctx context.Context, results []callResult) error {
	for _, a := range s.py.Asks() {
		if a.Pending || len(results) != 1 || results[0].call+1 != a.ID {
			continue
		}
		if err := s.pass(ctx, s.passed, []py.Result{py.Pending(a.ID)}); err != nil {
			return fatalf("an answer that fits nothing: %v", err)
		}
	}
	return nil
}

func (s *session) resume(ctx context.Context, results []callResult, values []byte) (event, error) {
	g, err := s.wire.readArena(values)
	if err != nil {
		return s.unreadable(ctx, results, err)
	}
	return s.resumeSlept(ctx, results, func(results []callResult) (answers []py.Result, err error) {
		answers = make([]py.Result, len(results))
		for i, r := range results {
			if answers[i], err = s.answer(r, g); err != nil {
				return nil, err
			}
		}
		return answers, nil
	})
}

// unreadable raises what keeps values from entering where the code waits for
// them.
func (s *session) unreadable(ctx context.Context, results []callResult, err error) (event, error) {
	var no refused
	if !errors.As(err, &no) {
		return event{}, err
	}
	return s.resumeSlept(ctx, results, func(results []callResult) ([]py.Result, error) {
		answers := make([]py.Result, len(results))
		for i, r := range results {
			answers[i] = py.Raise(r.call+1, no.class, no.message)
		}
		return answers, nil
	})
}

// answer is the answer for the session, whose calls count from 1.
func (s *session) answer(r callResult, g *graph.Graph) (py.Result, error) {
	id := r.call + 1
	switch r.kind {
	case resultValue:
		v, err := ref(g, r.node)
		return py.Return(id, v), err
	case resultRaised:
		return py.Raise(id, orException(r.raised.class), r.raised.message), nil
	case resultFuture:
		return py.Pending(id), nil
	case resultNotHandled:
		class, message := s.unhandled(id)
		return py.Raise(id, class, message), nil
	case resultNotFound:
		for _, a := range s.py.Asks() {
			if a.ID == id && a.Kind == py.AskSystem {
				class, message := s.unhandled(id)
				return py.Raise(id, class, message), nil
			}
		}
		return py.Raise(id, "NameError", fmt.Sprintf("name '%s' is not defined", r.name)), nil
	}
	return py.Result{}, fatalf("the result of a call is of the unknown kind %d", r.kind)
}

// orException is the class that a client means.
func orException(class string) string {
	for ours, theirs := range renamed {
		if theirs == class {
			return ours
		}
	}
	return cmp.Or(class, "Exception")
}

func (s *session) resumeName(ctx context.Context, body []byte) (event, error) {
	r, err := readName(body)
	if err != nil {
		return event{}, err
	}
	var wanted py.Ask
	for _, a := range s.py.Asks() {
		if a.Kind == py.AskName || a.Kind == py.AskAttribute {
			wanted = a
		}
	}
	if wanted.ID == 0 {
		return event{}, fatalf("the value of a name that the code does not wait for")
	}
	answer := callResult{call: wanted.ID - 1, kind: resultNotFound, name: wanted.Name}
	if wanted.Kind == py.AskAttribute {
		answer.kind = resultRaised
		answer.raised = raised{class: "AttributeError", message: wanted.Graph.Nodes[wanted.Args[1]].Text}
	}
	switch {
	case r.raised != nil:
		answer.kind, answer.raised = resultRaised, *r.raised
	case r.found:
		answer.kind, answer.node = resultValue, r.node
	}
	return s.resume(ctx, []callResult{answer}, r.values)
}

// abort ends the code that waits.
func (s *session) abort(ctx context.Context, body []byte) (event, error) {
	var r raised
	err := fields(body, func(x field) (err error) {
		if x.is(1) {
			r, err = readRaised(x)
		}
		return err
	})
	if err != nil {
		return event{}, err
	}
	if err := s.py.Abort(orException(r.class), r.message); err != nil {
		return event{}, fatalf("there is no code to abort")
	}
	s.asleep = sleeping{}
	return s.turn(ctx)
}
