package monty

import (
	"bytes"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/graph"
)

var (
	classID    = strings.Repeat("c", 16)
	instanceID = strings.Repeat("i", 16)
)

// point is an instance of a class of the client, of which x is sent.
func point() *graph.Graph {
	g := &graph.Graph{}
	side := g.Add(graph.Node{Kind: graph.Str, Text: "SIDES"})
	four := g.Add(graph.Node{Kind: graph.Int, Int: 4})
	class := g.Add(graph.Node{Kind: graph.Class, Text: "Point", Host: classID, Items: []uint32{side, four}})
	x := g.Add(graph.Node{Kind: graph.Str, Text: "x"})
	g.Add(graph.Node{Kind: graph.Instance, Host: instanceID, Items: []uint32{class, x, four}})
	return g
}

// withPoint are the inputs p and Point of a piece of code.
func withPoint() []byte {
	return join(bytesOf(2, join(text(1, "p"), number(2, 4))), bytesOf(2, join(text(1, "Point"), number(2, 2))),
		bytesOf(3, version6.arena(point())))
}

func TestInstancesOfTheClient(t *testing.T) {
	c := configured(t)
	for code, want := range map[string]int64{
		"p.x + Point.SIDES":                                  8,
		"p.x = 5\np.x + p.SIDES":                             9,
		"int(isinstance(p, Point))":                          1,
		"int(repr(p) == 'Point(x=4)')":                       1,
		"int(type(p) is Point)":                              1,
		"try:\n    hash(p)\nexcept TypeError:\n    n = 3\nn": 3,
	} {
		if got := c.number(c.feed(code, withPoint())); got != want {
			t.Errorf("%q: %d, want %d", code, got, want)
		}
	}
	g, n := c.value(c.feed("p", withPoint()))
	if n.Kind != graph.Instance || n.Host != instanceID || g.Nodes[n.Items[0]].Host != classID {
		t.Errorf("it leaves as %+v", n)
	}
	if _, n := c.value(c.feed("Point")); n.Kind != graph.Class || n.Host != classID || n.Text != "Point" {
		t.Errorf("its class leaves as %+v", n)
	}
}

func TestMethodsOfTheClient(t *testing.T) {
	for code, want := range map[string]struct{ name, id string }{
		"p.move(3, by=1) + 1":     {"move", instanceID},
		"Point.make(3, by=1) + 1": {"make", classID},
		"Point(3, by=1) + 1":      {"__call__", classID},
	} {
		c := configured(t)
		ev := c.feed(code, withPoint())
		if ev.kind != eventFunctionCall || string(part(t, ev.body, 1)) != want.name ||
			!bytes.Equal(part(t, ev.body, 5), bytesOf(1, []byte(want.id))) {
			t.Fatalf("%q: event %d: %q", code, ev.kind, ev.body)
		}
		g, err := version6.readArena(part(t, ev.body, 7))
		if err != nil {
			t.Fatal(err)
		}
		if args := part(t, ev.body, 2); len(args) != 1 || g.Nodes[args[0]].Int != 3 {
			t.Errorf("%q: the arguments are %q of %+v", code, args, g.Nodes)
		}
		state := dumped(t, c)
		if got := c.number(c.send(requestResumeCall, returns(word(t, ev.body, 4), 41))); got != 42 {
			t.Errorf("%q: %d", code, got)
		}
		d := connect(t)
		ev = d.send(requestLoad, bytesOf(1, state))
		if ev.kind != eventFunctionCall || string(part(t, ev.body, 1)) != want.name {
			t.Fatalf("%q: loaded: event %d: %q", code, ev.kind, ev.body)
		}
		if got := d.number(d.send(requestResumeCall, returns(word(t, ev.body, 4), 41))); got != 42 {
			t.Errorf("%q: loaded: %d", code, got)
		}
	}
}

func TestAttributesOfTheClient(t *testing.T) {
	for _, code := range []string{"p.y + 1", "getattr(p, 'y') + 1", "f = p.y\nf + 1"} {
		c := configured(t)
		ev := c.feed(code, withPoint())
		if ev.kind != eventNameLookup || string(part(t, ev.body, 1)) != "y" || !bytes.Equal(part(t, ev.body, 2), bytesOf(1, []byte(instanceID))) {
			t.Fatalf("%q: event %d: %q", code, ev.kind, ev.body)
		}
		if got := c.number(c.send(requestResumeName, join(bytesOf(1, ints(41)), number(2, 0)))); got != 42 {
			t.Errorf("%q: %d", code, got)
		}
	}
	c := configured(t)
	c.feed("p.y", withPoint())
	r := c.raisedBy(c.send(requestResumeName, bytesOf(3, nil)))
	if r.class != "AttributeError" || r.message != "'Point' object has no attribute 'y'" {
		t.Errorf("got %+v", r)
	}
	if r := c.raisedBy(c.feed("p._y")); r.class != "AttributeError" {
		t.Errorf("a private name is asked for: %+v", r)
	}
	ev := c.feed("hasattr(p, 'y')")
	if ev.kind != eventNameLookup {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if _, n := c.value(c.send(requestResumeName, bytesOf(3, nil))); n.Kind != graph.Bool || n.Int != 0 {
		t.Errorf("hasattr of nothing is %+v", n)
	}
}

// TestForgedIdentities has code that makes up identities: what leaves is well
// formed all the same.
func TestForgedIdentities(t *testing.T) {
	c := configured(t)
	c.feed("from fractions import Fraction\nclass A: pass", withPoint())
	for _, code := range []string{
		"setattr(p, '\\0host', b'short')\np",
		"a = A()\nsetattr(a, '\\0host', b'x' * 16)\na",
		"type(type(p))('N', (), {})",
	} {
		ev := c.feed(code)
		if ev.kind != eventComplete || bytes.Contains(ev.body, uuid(2, "short")) {
			t.Errorf("%q: event %d: %q", code, ev.kind, ev.body)
		}
	}
	if r := c.raisedBy(c.feed("type(type(p))('N', (), {})()")); r.class != "TypeError" {
		t.Errorf("got %+v", r)
	}
	if r := c.raisedBy(c.feed("setattr(p, '\\0host', b'short')\np.y")); r.class != "TypeError" {
		t.Errorf("got %+v", r)
	}
}

func TestHostileInstances(t *testing.T) {
	class := bytesOf(2, bytesOf(nodeType, join(text(1, "C"), uuid(2, classID), number(3, typeHost))))
	instance := func(parts ...[]byte) []byte { return bytesOf(2, bytesOf(nodeInstance, join(parts...))) }
	for name, test := range map[string]struct {
		arena []byte
		want  eventKind
	}{
		"no class":            {instance(uuid(2, instanceID)), eventFatal},
		"a class that is int": {join(bytesOf(2, number(nodeInt, 2)), instance(uuid(2, instanceID))), eventError},
		"no identity":         {join(class, instance()), eventFatal},
		"a short identity":    {join(class, instance(uuid(2, "short"))), eventFatal},
		"an attribute ahead":  {join(class, instance(uuid(2, instanceID), bytesOf(3, pairs(1, []uint32{7, 8})))), eventFatal},
		"a name that is none": {join(class, instance(uuid(2, instanceID), bytesOf(3, pairs(1, []uint32{0, 0})))), eventError},
		"a class of nobody":   {bytesOf(2, bytesOf(nodeType, join(text(1, "C"), number(3, typeHost)))), eventError},
	} {
		c := configured(t)
		last := uint64(bytes.Count(test.arena, []byte(instanceID)))
		if ev := c.feed("x", bytesOf(2, join(text(1, "x"), number(2, last))), bytesOf(3, test.arena)); ev.kind != test.want {
			t.Errorf("%s: event %d: %q", name, ev.kind, ev.body)
		}
	}
}

// TestPrivateCallsOfPaths uses what paths themselves use, with arguments that
// do not fit.
func TestPrivateCallsOfPaths(t *testing.T) {
	for _, what := range []string{"getenv", "environ", "nothing", "mkdir", "now", "urandom"} {
		c := configured(t)
		ev := c.feed("from pathlib import Path\nPath('/a')._ask('" + what + "')")
		osCall(t, ev)
		if r := c.raisedBy(c.send(requestResumeCall, bytesOf(2, bytesOf(5, nil)))); r.class == "" {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

func TestExceptionsThatClientsNameOtherwise(t *testing.T) {
	c := configured(t)
	c.feed("import dataclasses\ntry:\n    host()\nexcept dataclasses.FrozenInstanceError as e:\n    n = len(str(e))\nn")
	answer := bytesOf(2, bytesOf(2, join(text(1, "FrozenInstanceError"), text(2, "four"))))
	if got := c.number(c.send(requestResumeCall, answer)); got != 4 {
		t.Errorf("got %d", got)
	}
}

// tools is a module of the client with a function, a number and a module.
func tools() *graph.Graph {
	g := &graph.Graph{}
	text := func(s string) uint32 { return g.Add(graph.Node{Kind: graph.Str, Text: s}) }
	add, fn := text("add"), g.Add(graph.Node{Kind: graph.Function, Text: "tools.add"})
	limit, nine := text("LIMIT"), g.Add(graph.Node{Kind: graph.Int, Int: 9})
	inner := g.Add(graph.Node{Kind: graph.Module, Text: "tools.sub", Host: classID, Items: []uint32{limit, nine}})
	g.Add(graph.Node{Kind: graph.Module, Text: "tools", Host: instanceID,
		Items: []uint32{add, fn, limit, nine, text("sub"), inner}})
	return g
}

func (c *client) imported(ev event) event {
	c.t.Helper()
	g := tools()
	return c.send(requestResumeCall, join(numberSet(1, word(c.t, ev.body, 1)), bytesOf(2, number(1, uint64(len(g.Nodes)-1))),
		bytesOf(3, version6.arena(g))))
}

func TestModulesOfTheClient(t *testing.T) {
	for code, want := range map[string]int64{
		"import tools\ntools.LIMIT":                                                      9,
		"import tools as t\nt.sub.LIMIT":                                                 9,
		"from tools import LIMIT as n, sub\nn + sub.LIMIT":                               18,
		"from tools.sub import LIMIT\nLIMIT":                                             9,
		"try:\n    from tools import nothing\nexcept ImportError as e:\n    n = 3\nn":    3,
		"try:\n    import tools.nothing\nexcept ModuleNotFoundError as e:\n    n = 4\nn": 4,
	} {
		c := configured(t)
		ev := c.feed(code)
		call, body := osCall(t, ev)
		if call != 31 || string(part(t, body, 1)) != "tools" {
			t.Fatalf("%q: call %d with %q", code, call, body)
		}
		ev = c.imported(ev)
		if ev.kind == eventNameLookup { // what was not sent
			ev = c.send(requestResumeName, bytesOf(3, nil))
		}
		if got := c.number(ev); got != want {
			t.Errorf("%q: %d, want %d", code, got, want)
		}
	}
	c := configured(t)
	ev := c.imported(c.feed("import tools\ntools.add(1) + 1"))
	if ev.kind != eventFunctionCall || string(part(t, ev.body, 1)) != "tools.add" {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	c.send(requestResumeCall, returns(word(t, ev.body, 4), 1))
	if _, n := c.value(c.feed("tools")); n.Kind != graph.Module || n.Host != instanceID || n.Text != "tools" {
		t.Errorf("it leaves as %+v", n)
	}
}

func TestModulesThatThereAreNot(t *testing.T) {
	c := configured(t)
	osCall(t, c.feed("import nothing"))
	r := c.raisedBy(c.send(requestResumeCall, bytesOf(2, bytesOf(5, nil))))
	if r.class != "ModuleNotFoundError" || r.message != "No module named 'nothing'" {
		t.Errorf("got %+v", r)
	}
	answered := c.answered(c.feed("import nothing"), graph.Node{Kind: graph.Int, Int: 1})
	if r := c.raisedBy(answered); r.class != "TypeError" {
		t.Errorf("an int is a module: %+v", r)
	}
	for _, code := range []string{"import _calls", "import _system", "from _hosted import Type", "import json.nothing"} {
		if r := c.raisedBy(c.feed(code)); r.class != "SyntaxError" && r.class != "ModuleNotFoundError" {
			t.Errorf("%q: %+v", code, r)
		}
	}
	old := connect(t)
	old.send(requestConfigure, number(9, 5))
	if r := old.raisedBy(old.feed("import nothing")); r.class != "SyntaxError" {
		t.Errorf("version 5 is asked for a module: %+v", r)
	}
}

func TestSessionWithModulesIsDumped(t *testing.T) {
	c := configured(t)
	c.imported(c.imported(c.feed("import tools\nfrom tools import sub")))
	d := connect(t)
	d.send(requestLoad, bytesOf(1, dumped(t, c)))
	if got := d.number(d.feed("tools.LIMIT + sub.LIMIT")); got != 18 {
		t.Errorf("got %d, want 18", got)
	}
}

// An object that left comes back as itself, whatever the client has made of its
// attributes, and also after a dump.
func TestInstancesComeBack(t *testing.T) {
	c := configured(t)
	g, n := c.value(c.feed("class Foo:\n    def __init__(self):\n        self.x = 1\nfoo = Foo()\nfoo"))
	if n.Kind != graph.Instance || n.Host == "" && n.ID == 0 {
		t.Fatalf("it leaves as %+v", n)
	}
	arena := part(t, c.feed("foo").body, 2)
	root := number(2, uint64(len(g.Nodes)-1))
	back := join(bytesOf(2, join(text(1, "back"), root)), bytesOf(3, arena))
	state := dumped(t, c)
	d := connect(t)
	d.send(requestLoad, bytesOf(1, state))
	for _, s := range []*client{c, d} {
		if got := s.number(s.feed("int(back is foo) + int(isinstance(back, Foo)) + back.x", back)); got != 3 {
			t.Errorf("got %d", got)
		}
		ev := s.feed("ask(foo) is foo")
		if ev.kind == eventNameLookup {
			ev = s.send(requestResumeName, join(bytesOf(1, version6.arena(&graph.Graph{Nodes: []graph.Node{{Kind: graph.Function, Text: "ask"}}})), number(2, 0)))
		}
		ev = s.send(requestResumeCall, join(numberSet(1, word(t, ev.body, 4)), bytesOf(2, number(1, uint64(len(g.Nodes)-1))), bytesOf(3, arena)))
		if _, n := s.value(ev); n.Kind != graph.Bool || n.Int != 1 {
			t.Errorf("the answer of a call: %+v", n)
		}
	}
}

func TestInstancesThatAreGone(t *testing.T) {
	c := configured(t)
	g, _ := c.value(c.feed("class Foo:\n    pass\nFoo()"))
	arena := version6.arena(g)
	c.feed("None")
	r := c.raisedBy(c.feed("x", join(bytesOf(2, join(text(1, "x"), number(2, uint64(len(g.Nodes)-1)))), bytesOf(3, arena))))
	if r.class != "RuntimeError" || !strings.HasPrefix(r.message, "invalid input type: sandbox instance of 'Foo' (id 676c6f76-6562-") {
		t.Errorf("got %+v", r)
	}
}

// An identity reaches instances of classes of the code alone: the session has
// others, of its modules, that it does not let out.
func TestIdentitiesReachNothingElse(t *testing.T) {
	c := configured(t)
	g, n := c.value(c.feed("import collections\nclass Foo:\n    pass\nhidden = collections.Counter()\nkept = [id(hidden), Foo()]\nkept[1]"))
	for id := range n.ID + 64 {
		for i := range g.Nodes {
			if g.Nodes[i].Kind == graph.Instance {
				g.Nodes[i].ID = id
			}
		}
		ev := c.feed("type(x).__name__", join(bytesOf(2, join(text(1, "x"), number(2, uint64(len(g.Nodes)-1)))), bytesOf(3, version6.arena(g))))
		if ev.kind != eventComplete {
			continue
		}
		if _, n := c.value(ev); n.Text != "Foo" {
			t.Errorf("identity %d is a %s", id, n.Text)
		}
	}
}
