package machine

import (
	"encoding/binary"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/text"
	"github.com/glovebox-dev/glovebox/py/tool"
)

// loader reads one snapshot that anyone may have written. It makes the objects
// in the order of their numbers, then checks what can only be said when all of
// them are there.
type loader struct {
	m       *Machine
	in      []byte
	err     error
	objects []Value // by number
	names   []Value // built-in objects, by number
	bytes   int64   // charged

	functions  []unlinked
	classes    []*Class
	holders    []*Object // iterators, methods, descriptors and classes, which must not hold themselves
	instances  []*Instance
	generators []*generator
	tables     []*table // whose keys are hashed when the classes are there
	futures    []*future
	boxes      []unloaded
	used       [5]int64
}

// unlinked is a function whose module may come later.
type unlinked struct {
	f     *function
	index uint64
}

func (l *loader) corrupt() { l.fail(ErrCorrupt) }

func (l *loader) fail(err error) {
	if l.err == nil {
		l.err = err
	}
	l.in = nil
}

// pay charges what is about to be allocated.
func (l *loader) pay(bytes int) {
	l.bytes += int64(bytes)
	if l.bytes > l.m.limits.Memory {
		l.fail(l.m.limit(MemoryLimit))
	}
}

func (l *loader) byte() byte {
	if len(l.in) == 0 {
		l.corrupt()
		return 0
	}
	c := l.in[0]
	l.in = l.in[1:]
	return c
}

func (l *loader) bool() bool {
	c := l.byte()
	if c > 1 {
		l.corrupt()
	}
	return c == 1
}

func (l *loader) uint() uint64 {
	if len(l.in) > 0 && l.in[0] < 0x80 {
		n := l.in[0]
		l.in = l.in[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(l.in)
	if size <= 0 {
		l.corrupt()
		return 0
	}
	l.in = l.in[size:]
	return n
}

func (l *loader) int() int64 {
	n := l.uint()
	return int64(n>>1) ^ -int64(n&1)
}

// positive reads a number of 62 bits.
func (l *loader) positive() int64 {
	n := l.uint()
	if n > 1<<62 {
		l.corrupt()
		return 0
	}
	return int64(n)
}

func (l *loader) fixed() uint64 {
	if len(l.in) < 8 {
		l.corrupt()
		return 0
	}
	n := binary.LittleEndian.Uint64(l.in)
	l.in = l.in[8:]
	return n
}

// count reads how many items of at least size bytes follow.
func (l *loader) count(size int) int {
	n := l.uint()
	if n > uint64(len(l.in)/size) {
		l.corrupt()
		return 0
	}
	return int(n)
}

// text reads bytes, which are copied.
func (l *loader) text() string {
	n := l.count(1)
	l.pay(n)
	if l.err != nil {
		return ""
	}
	s := string(l.in[:n])
	l.in = l.in[n:]
	return s
}

// unicode reads text that must be valid.
func (l *loader) unicode() string {
	s := l.text()
	if !text.Valid(s) {
		l.corrupt()
	}
	return s
}

func (l *loader) bigInt() *big.Int {
	negative := l.bool()
	n := new(big.Int).SetBytes([]byte(l.text()))
	if negative {
		n.Neg(n)
	}
	return n
}

// values reads a slice, which is nil when it is empty.
func (l *loader) values() []Value {
	n := l.count(1)
	l.pay(n * ValueBytes)
	if l.err != nil || n == 0 {
		return nil
	}
	vs := make([]Value, n)
	for i := range vs {
		vs[i] = l.value()
	}
	return vs
}

// items reads values of which none may be missing.
func (l *loader) items() []Value {
	vs := l.values()
	for i := range vs {
		if vs[i].o == nil {
			l.corrupt()
		}
	}
	return vs
}

// bound reads a value that must be there.
func (l *loader) bound() Value {
	v := l.value()
	if v.o == nil {
		l.corrupt()
	}
	return v
}

func (l *loader) value() Value {
	tag := l.byte()
	if tag >= byte(tagSmall) {
		return Int(int64(tag) - int64(tagSmall) + smallMin)
	}
	switch tag {
	case tagUnbound:
		return Value{}
	case tagNone:
		return None
	case tagFalse, tagTrue:
		return Bool(tag == tagTrue)
	case tagInt:
		return Int(l.int())
	case tagFloat:
		return Value{&floatTag, l.fixed()}
	case tagSeen:
		return l.seen(l.objects)
	case tagStr:
		return l.str()
	}
	if tag > tagObject {
		return l.object(Kind(tag - tagObject))
	}
	return l.rareValue(tag)
}

func (l *loader) seen(all []Value) Value {
	n := l.uint()
	if n >= uint64(len(all)) {
		l.corrupt()
		return Value{}
	}
	return all[n]
}

func (l *loader) keep(v Value) Value {
	l.objects = append(l.objects, v)
	return v
}

func (l *loader) str() Value {
	l.pay(StrBytes)
	o := &Str{s: l.unicode(), length: -1}
	return l.keep(o.value())
}

func (l *loader) rareValue(tag byte) Value {
	switch tag {
	case tagEllipsis:
		return ellipsis
	case tagNotImpl:
		return notImplemented
	case tagTool:
		return l.tool()
	case tagBuiltin:
		return l.builtin()
	case tagKnown:
		return l.seen(l.names)
	case tagEmptyTuple:
		return emptyTuple
	case tagPrelude:
		return known.prelude.ref()
	case tagConst:
		return l.keep(l.constant(l.unicode()))
	case tagBytes:
		l.pay(bytesBytes)
		return l.keep((&Bytes{b: l.text()}).value())
	case tagBig:
		return l.keep(l.big())
	}
	l.corrupt()
	return Value{}
}

func (l *loader) big() Value {
	l.pay(bigBytes)
	n := l.bigInt()
	if n.IsInt64() {
		l.corrupt()
	}
	return (&bigInt{v: n}).value()
}

// constant finds the str of the program that has this text, so that it is the
// same object as that of the code.
func (l *loader) constant(s string) Value {
	if len(s) == 1 && s[0] < 0x80 {
		return asciiStrs[s[0]].Ref()
	}
	if s == "" {
		return emptyStr.Ref()
	}
	if o := knownStr(s); o != nil {
		return o.Ref()
	}
	if o := smallInt(s); o != nil {
		return o.Ref()
	}
	if o, ok := l.m.program.Main.strs[s]; ok {
		return o.Ref()
	}
	l.pay(StrBytes)
	return (&Str{s: s, length: -1}).value()
}

func (l *loader) tool() Value {
	n := l.uint()
	if n >= uint64(len(l.m.program.values)) {
		l.corrupt()
		return Value{}
	}
	return l.m.program.values[n]
}

func (l *loader) builtin() Value {
	v, ok := known.natives[l.text()]
	if !ok {
		l.corrupt()
	}
	l.pay(ValueBytes)
	l.names = append(l.names, v)
	return v
}

// object makes an object whose content comes later.
func (l *loader) object(kind Kind) Value {
	l.pay(objectBytes[kind])
	if l.err != nil {
		return Value{}
	}
	v := newObject(kind)
	if v.o == nil {
		l.corrupt()
		return v
	}
	return l.keep(v)
}

// objectBytes is what an object of each kind takes, with its number.
var objectBytes = [KindCount]int{
	KindTuple: TupleBytes, KindList: ListBytes, KindDict: dictBytes, KindSet: dictBytes, KindFrozenSet: dictBytes,
	KindRange: rangeBytes, KindSlice: SliceBytes, KindIter: IteratorBytes, KindView: methodBytes, KindFunction: functionBytes,
	KindMethod: methodBytes, KindClass: classBytes, KindInstance: InstanceBytes, KindDescriptor: 2 * SliceBytes,
	KindSuper: methodBytes, KindCell: cellBytes, KindGenerator: generatorBase, KindModule: dictBytes, KindFuture: 2 * SliceBytes,
	KindHandle: 4 * SliceBytes, KindOpaque: opaqueBytes, KindTool: 4 * SliceBytes,
}

func newObject(kind Kind) Value {
	switch kind {
	case KindTuple:
		return (&Tuple{}).value()
	case KindList:
		return (&List{}).Value()
	case KindDict:
		return (&Dict{}).value()
	case KindSet, KindFrozenSet:
		return (&Set{}).Value(kind == KindFrozenSet)
	case KindRange:
		return (&rangeObject{}).value()
	case KindSlice:
		return (&sliceObject{}).value()
	case KindIter:
		return (&Iterator{}).Value()
	case KindView:
		return (&view{}).value()
	case KindFunction:
		return (&function{}).value()
	case KindMethod:
		return (&method{}).value()
	case KindClass:
		return (&Class{}).value()
	case KindInstance:
		return (&Instance{}).value()
	case KindDescriptor:
		return (&descriptor{}).value()
	case KindSuper:
		return (&superObject{}).value()
	case KindCell:
		return (&cell{}).value()
	case KindGenerator:
		return (&generator{}).value()
	case KindModule:
		return (&ModuleObject{}).value()
	case KindFuture:
		return (&future{}).object()
	case KindHandle:
		return (&handle{}).value()
	case KindOpaque:
		return (&Opaque{}).value()
	case KindTool:
		return newHostFunction("", "")
	}
	return Value{}
}

// The typed readers refuse values of another kind.

func (l *loader) classOrNil() *Class {
	v := l.value()
	c := v.Class()
	if v.o != nil && c == nil {
		l.corrupt()
	}
	return c
}

func (l *loader) theClass() *Class {
	c := l.classOrNil()
	if c == nil {
		l.corrupt()
		return objectType
	}
	return c
}

func (l *loader) theModule() *ModuleObject {
	mod := l.value().module()
	if mod == nil {
		l.corrupt()
		return known.prelude
	}
	return mod
}

func (l *loader) theFunction() *function {
	f := l.value().function()
	if f == nil {
		l.corrupt()
	}
	return f
}

// contents reads the contents of the objects in the order of their numbers.
func (l *loader) contents() {
	for i := 0; i < len(l.objects) && l.err == nil; i++ {
		if o := l.objects[i].o; o != nil && o.flags&shared == 0 {
			l.content(l.objects[i].o)
		}
	}
	l.identities()
	if len(l.in) > 0 {
		l.corrupt()
	}
}

func (l *loader) identities() {
	n := l.count(2)
	l.pay(n * identityBytes)
	for ; n > 0 && l.err == nil; n-- {
		v, id := l.seen(l.objects), l.uint()
		if v.o == nil || v.o.flags&shared != 0 || l.m.identities[v.o] != 0 {
			l.corrupt()
			return
		}
		if l.m.identities == nil {
			l.m.identities = map[*Object]uint64{}
		}
		l.m.identities[v.o] = id
	}
}

func (l *loader) content(o *Object) {
	switch o := o.self.(type) {
	case *Str, *Bytes, *bigInt:
	case *List:
		o.items = l.items()
	case *Tuple:
		o.items = l.items()
	case *Dict:
		l.table(&o.table, true, false)
	case *Set:
		l.table(&o.table, false, false)
	case *Instance:
		l.instance(o)
	case *cell:
		o.v = l.value()
	case *function:
		l.function(o)
	case *Class:
		l.class(o)
	case *generator:
		l.generator(o)
	default:
		l.rare(o)
	}
}

func (l *loader) rare(o any) {
	switch o := o.(type) {
	case *Iterator:
		l.iterator(o)
	case *view:
		l.view(o)
	case *rangeObject:
		l.rangeObject(o)
	case *sliceObject:
		o.start, o.stop, o.step = l.bound(), l.bound(), l.bound()
	case *method:
		o.fn, o.self = l.bound(), l.bound()
		l.holders = append(l.holders, &o.Object)
	case *descriptor:
		l.descriptor(o)
	case *superObject:
		o.class, o.self, o.start = l.theClass(), l.bound(), l.theClass()
	case *ModuleObject:
		l.module(o)
	case *future:
		o.id, o.state, o.value, o.more = l.uint(), futureState(l.byte()), l.value(), l.value()
		if o.more.Bound() && o.more.Kind() != KindInstance {
			l.corrupt()
		}
		if o.state > futureFailed || (o.state == futurePending) == o.value.Bound() {
			l.corrupt()
		}
		l.futures = append(l.futures, o)
	case *handle:
		l.handle(o)
	case *Opaque:
		l.opaque(o)
	case *toolObject:
		o.decl = &tool.Tool{Name: l.unicode(), Doc: l.unicode()}
	default:
		l.corrupt()
	}
}

// load makes the instance.
func (l *loader) load() (*Machine, error) {
	m := l.m
	m.resumedAt = now()
	m.settle()
	state := l.machine()
	var body savedBody
	if l.err == nil {
		body = l.body(state)
	}
	l.contents()
	if l.err == nil {
		l.link()
	}
	if l.err == nil {
		l.finish(state, body)
	}
	l.finishAsks()
	if l.err != nil {
		return nil, l.err
	}
	return m, nil
}

func (l *loader) machine() savedState {
	m := l.m
	state := savedState(l.byte())
	if state >= savedCount {
		l.corrupt()
	}
	var used [5]int64 // as Machine.used has them
	for i := range used {
		used[i] = l.positive()
	}
	l.used = used
	m.out.buf = []byte(l.unicode())
	m.main = l.theModule()
	if m.loopState = l.value(); m.loopState.Bound() && m.loopState.Kind() != KindInstance {
		l.corrupt()
	}
	l.modules()
	return state
}

func (l *loader) modules() {
	n := l.count(2)
	if n == 0 {
		return
	}
	l.m.modules = map[string]*ModuleObject{}
	last := ""
	for ; n > 0 && l.err == nil; n-- {
		name := l.text()
		mod := l.theModule()
		if name <= last && last != "" || mod.flags&shared != 0 {
			l.corrupt()
		}
		last = name
		l.m.modules[name] = mod
	}
}
