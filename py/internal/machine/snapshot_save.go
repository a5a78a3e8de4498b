package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// saver writes one snapshot, in one pass: an object gets the next number when
// it is first met, and its content follows when its turn comes.
//
// An object that was met has first plus its number as its mark. Marks of traces
// and of snapshots before are lower, those of later ones higher.
type saver struct {
	m      *Machine
	b      []byte
	first  uint32
	next   uint32    // first plus the number of objects that were met
	todo   []*Object // whose contents follow
	shared map[*Object]uint32
	names  map[*Object]uint32 // of built-in objects
	err    error
}

func (s *saver) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("snapshot: "+format, args...)
	}
}

func (s *saver) uint(n uint64) { s.b = binary.AppendUvarint(s.b, n) }
func (s *saver) count(n int)   { s.b = binary.AppendUvarint(s.b, uint64(n)) }
func (s *saver) int(n int64)   { s.b = binary.AppendVarint(s.b, n) }
func (s *saver) byte(c byte)   { s.b = append(s.b, c) }
func (s *saver) text(t string) { s.count(len(t)); s.b = append(s.b, t...) }

func (s *saver) bool(yes bool) {
	if yes {
		s.byte(1)
	} else {
		s.byte(0)
	}
}

func (s *saver) values(vs []Value) {
	s.count(len(vs))
	for i := range vs {
		s.value(vs[i])
	}
}

func (s *saver) value(v Value) {
	switch v.o {
	case nil:
		s.byte(tagUnbound)
		return
	case &noneTag:
		s.byte(tagNone)
		return
	case &boolTag:
		s.byte(tagFalse + byte(v.n))
		return
	case &intTag:
		s.number(v.Int())
		return
	case &floatTag:
		s.byte(tagFloat)
		s.b = binary.LittleEndian.AppendUint64(s.b, v.n)
		return
	}
	if v.o.flags&shared != 0 {
		s.sharedValue(v)
		return
	}
	if mark := v.o.mark; mark >= s.first && mark < s.next {
		s.byte(tagSeen)
		s.uint(uint64(mark - s.first))
		return
	}
	v.o.mark = s.next
	s.next++
	s.fresh(v)
}

func (s *saver) number(n int64) {
	if n >= smallMin && n < smallMin+int64(smallCount) {
		s.byte(byte(tagSmall + int(n-smallMin)))
		return
	}
	s.byte(tagInt)
	s.int(n)
}

// fresh writes an object that is met for the first time.
func (s *saver) fresh(v Value) {
	switch o := v.o.self.(type) {
	case *Str:
		s.byte(tagStr)
		s.text(o.s)
	case *Bytes:
		s.byte(tagBytes)
		s.text(o.b)
	case *bigInt:
		s.byte(tagBig)
		s.bool(o.v.Sign() < 0)
		s.text(string(o.v.Bytes()))
	default:
		s.byte(tagObject + byte(v.o.kind))
		s.todo = append(s.todo, v.o)
	}
}

// sharedValue writes an object of the program or of the machine itself.
func (s *saver) sharedValue(v Value) {
	switch {
	case v.Is(ellipsis):
		s.byte(tagEllipsis)
		return
	case v.Is(notImplemented):
		s.byte(tagNotImpl)
		return
	case v.Is(emptyTuple):
		s.byte(tagEmptyTuple)
		return
	case v.o == &known.prelude.Object:
		s.byte(tagPrelude)
		return
	}
	if t := v.tool(); t != nil {
		s.tool(v)
		return
	}
	if id, ok := known.ids[v.o]; ok {
		s.builtin(v.o, id)
		return
	}
	s.constant(v)
}

func (s *saver) tool(v Value) {
	i := slices.IndexFunc(s.m.program.values, v.Is)
	if i < 0 {
		s.fail("a tool of another program")
	}
	s.byte(tagTool)
	s.count(i)
}

func (s *saver) builtin(o *Object, id string) {
	if n, ok := s.names[o]; ok {
		s.byte(tagKnown)
		s.uint(uint64(n))
		return
	}
	if s.names == nil {
		s.names = map[*Object]uint32{}
	}
	s.names[o] = uint32(len(s.names))
	s.byte(tagBuiltin)
	s.text(id)
}

// constant writes a constant by its content.
func (s *saver) constant(v Value) {
	if n, ok := s.shared[v.o]; ok {
		s.byte(tagSeen)
		s.uint(uint64(n))
		return
	}
	if s.shared == nil {
		s.shared = map[*Object]uint32{}
	}
	s.shared[v.o] = s.next - s.first
	s.next++
	switch o := v.o.self.(type) {
	case *Str:
		s.byte(tagConst)
		s.text(o.s)
	case *Bytes, *bigInt:
		s.fresh(v)
	case *Tuple:
		s.fresh(v)
	default:
		s.fail("a built-in object without a name: %s", TypeName(v))
	}
}

// machine writes what an instance is apart from its objects.
func (s *saver) machine() {
	m := s.m
	state := m.savedState()
	s.byte(byte(state))
	for _, n := range m.used() {
		s.uint(uint64(n))
	}
	s.text(string(m.out.buf))
	s.value(m.main.ref())
	s.value(m.loopState)
	s.modules()
	switch state {
	case savedStopped:
		s.frames()
	case savedWaiting:
		s.frames()
		s.waiting()
	case savedDone:
		s.value(m.result)
	case savedFailed:
		s.failure()
	}
}

func (m *Machine) savedState() savedState {
	switch {
	case m.status == Waiting:
		return savedWaiting
	case m.status == Done:
		return savedDone
	case m.stopped() && m.status == Running:
		return savedStopped
	case m.status == Failed:
		return savedFailed
	}
	return savedReady
}

func (s *saver) modules() {
	names := make([]string, 0, len(s.m.modules))
	for name := range s.m.modules {
		names = append(names, name)
	}
	slices.Sort(names)
	s.count(len(names))
	for _, name := range names {
		s.text(name)
		s.value(s.m.modules[name].ref())
	}
}

func (s *saver) frames() {
	m := s.m
	s.count(len(m.frames))
	for i := range m.frames {
		f := &m.frames[i]
		switch {
		case f.gen != nil:
			s.byte(frameGenerator)
			s.value(Value{o: &f.gen.Object})
		case f.fn != nil:
			s.byte(frameFunction)
			s.value(Value{o: &f.fn.Object})
		default:
			s.byte(frameModule)
			s.value(f.mod.ref())
		}
		s.byte(byte(f.cont))
		s.byte(f.dst)
		s.value(f.extra)
		s.count(int(f.pc))
		s.values(m.stack[f.base : int(f.base)+f.needs()])
	}
}

// needs is the number of registers that a frame may still read: those that are
// live, and the operands of the instruction before, which may be executed again
// or appear in a message.
func (f *frame) needs() int {
	if f.pc == 0 {
		return int(f.top())
	}
	return int(max(f.top(), f.unit.code.Tops[f.pc-1]))
}

func (s *saver) waiting() {
	w := &s.m.wait
	s.uint(w.block)
	s.byte(byte(w.cont))
	s.byte(w.dst)
	s.value(w.extra)
	s.values(w.done)
	s.count(len(w.calls))
	for _, c := range w.calls {
		s.uint(c.ID)
		s.value(c.future())
		if c.Ask != nil {
			s.ask(c.Ask)
			continue
		}
		i := slices.Index(s.m.program.Tools, c.Tool)
		if i < 0 {
			s.fail("a call of a tool of another program")
		}
		s.count(i)
		for _, arg := range c.Args {
			s.apiValue(arg, 0)
		}
	}
}

// future is the future of a call, or unbound.
func (c *Call) future() Value {
	if c.to == nil {
		return Value{}
	}
	return Value{o: &c.to.Object}
}

func (s *saver) failure() {
	var limit *LimitError
	var t *thrown
	var r *raise.Error
	switch err := s.m.failure; {
	case errors.As(err, &limit):
		s.byte(failedLimit)
		s.text(string(limit.Limit))
		s.int(limit.Max)
		cause := ""
		if limit.Cause != nil {
			cause = limit.Cause.Error()
		}
		s.text(cause)
	case errors.As(err, &t):
		s.byte(failedException)
		s.value(t.exception)
	case errors.As(err, &r):
		s.byte(failedRaise)
		s.text(r.Class)
		s.text(r.Message)
	default:
		s.byte(failedText)
		s.text(err.Error())
	}
}
