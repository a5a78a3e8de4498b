package regex

import (
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// op says what an instruction does. All but opSplit and opMatch continue at x.
type op uint8

const (
	opByte  op = iota // the byte r comes
	opRune            // the character r comes
	opSet             // a character of set comes
	opSave            // remember the place in slot y
	opAt              // the place is r, an anchor
	opSplit           // continue at x, and if that leads nowhere at y
	opRun             // opSplit whose x is one character that comes back here
	opAgain           // as opSplit, but leave the loop when its round, from slot r on, was empty
	opLook            // what begins at y matches here; r has the bits of look
	opMatch           // the end
)

// Bits of an opLook; above them is the width of what is behind.
const (
	lookBehind = 1 << iota
	lookNegate
	lookShift = 2
)

// inst is an instruction.
type inst struct {
	op   op
	x, y int32
	r    rune
	set  *set
}

// instSize is what an instruction is charged for, with its share of the lists
// that are sized by the program.
const instSize = 64

// assembler turns a tree into a program.
type assembler struct {
	m      budget.Meter
	out    []inst
	bytes  bool
	visits int
	slots  int // of groups, and of loops whose body can match nothing
}

// assemble makes the program of p.
func (p *Pattern) assemble(m budget.Meter, tree *node) error {
	a := &assembler{m: m, bytes: p.Bytes, slots: 2 * (p.Groups + 1)}
	if err := a.node(tree); err != nil {
		return err
	}
	if _, err := a.emit(inst{op: opMatch}); err != nil {
		return err
	}
	p.program, p.slots = a.out, a.slots
	p.analyse()
	return nil
}

func (a *assembler) emit(in inst) (int32, error) {
	n := len(a.out)
	if n >= maxProgram {
		return 0, &Error{Msg: "the pattern is too large when its counted repeats are written out", Pos: -1}
	}
	if n == cap(a.out) {
		grow := max(16, n)
		if err := a.m.Alloc(grow * instSize); err != nil {
			return 0, err
		}
		a.out = append(make([]inst, 0, n+grow), a.out...)
	}
	if in.x == 0 {
		in.x = int32(n) + 1
	}
	a.out = append(a.out, in)
	return int32(n), nil
}

// node emits n; a match of n continues after its last instruction.
func (a *assembler) node(n *node) error {
	if a.visits++; a.visits%1000 == 0 {
		if err := a.m.Work(100_000); err != nil {
			return err
		}
	}
	switch n.kind {
	case kRune:
		return a.rune(n.r)
	case kSet:
		_, err := a.emit(inst{op: opSet, set: n.set})
		return err
	case kAssert:
		_, err := a.emit(inst{op: opAt, r: rune(n.at)})
		return err
	case kGroup:
		return a.group(n)
	case kConcat:
		for _, s := range n.subs {
			if err := a.node(s); err != nil {
				return err
			}
		}
		return nil
	case kAlt:
		return a.alternatives(n.subs)
	case kRepeat:
		return a.repeat(n)
	case kLook:
		return a.look(n)
	}
	return nil
}

func (a *assembler) rune(r rune) error {
	o := opRune
	if r < utf8.RuneSelf || a.bytes {
		o = opByte
	}
	_, err := a.emit(inst{op: o, r: r})
	return err
}

func (a *assembler) group(n *node) error {
	if n.group == 0 {
		return a.node(n.subs[0])
	}
	if _, err := a.emit(inst{op: opSave, y: int32(2 * n.group)}); err != nil {
		return err
	}
	if err := a.node(n.subs[0]); err != nil {
		return err
	}
	_, err := a.emit(inst{op: opSave, y: int32(2*n.group + 1)})
	return err
}

func (a *assembler) alternatives(subs []*node) error {
	var exits []int32
	for i, s := range subs {
		last := i == len(subs)-1
		var split int32
		var err error
		if !last {
			if split, err = a.emit(inst{op: opSplit}); err != nil {
				return err
			}
		}
		if err := a.node(s); err != nil {
			return err
		}
		if last {
			break
		}
		exit, err := a.jump()
		if err != nil {
			return err
		}
		exits = append(exits, exit)
		a.out[split].y = int32(len(a.out))
	}
	for _, e := range exits {
		a.target(e)
	}
	return nil
}

// jump emits an unconditional jump, whose target comes later.
func (a *assembler) jump() (int32, error) {
	return a.emit(inst{op: opAt, r: rune(atNone)})
}

func (a *assembler) target(from int32) { a.out[from].x = int32(len(a.out)) }

// repeat writes the repeats out: x{2,4} is xx(x(x)?)?.
func (a *assembler) repeat(n *node) error {
	body := n.subs[0]
	if isEmpty(body) || n.max == 0 {
		return nil
	}
	for range n.min {
		if err := a.node(body); err != nil {
			return err
		}
	}
	if n.max >= 0 {
		return a.optional(body, n.max-n.min, n.lazy)
	}
	if low, _ := body.width(); low == 0 {
		return a.nullable(body, n.lazy)
	}
	return a.star(body, n.lazy)
}

// isEmpty reports whether nothing at all is in n.
func isEmpty(n *node) bool {
	switch n.kind {
	case kEmpty:
		return true
	case kGroup:
		return n.group == 0 && isEmpty(n.subs[0])
	case kRepeat:
		return n.max == 0 || isEmpty(n.subs[0])
	case kConcat, kAlt:
		for _, s := range n.subs {
			if !isEmpty(s) {
				return false
			}
		}
		return true
	}
	return false
}

func (a *assembler) optional(body *node, times int, lazy bool) error {
	var splits []int32
	for range times {
		split, err := a.emit(inst{op: opSplit})
		if err != nil {
			return err
		}
		splits = append(splits, split)
		if err := a.node(body); err != nil {
			return err
		}
	}
	for _, s := range splits {
		a.leave(s, int32(len(a.out)), lazy)
	}
	return nil
}

// leave completes a split that comes before a body and skips it by going to exit.
func (a *assembler) leave(split, exit int32, lazy bool) {
	in := &a.out[split]
	in.x, in.y = split+1, exit
	if lazy {
		in.x, in.y = in.y, in.x
	}
}

// star emits a loop whose body matches at least one character.
func (a *assembler) star(body *node, lazy bool) error {
	split, err := a.emit(inst{op: opSplit})
	if err != nil {
		return err
	}
	if err := a.node(body); err != nil {
		return err
	}
	end := int32(len(a.out)) - 1
	if end == split+1 && body.isCharacter() {
		a.out[end].x = split
		if !lazy {
			a.out[split].op = opRun
		}
	} else {
		if end, err = a.jump(); err != nil {
			return err
		}
		a.out[end].x = split
	}
	a.leave(split, int32(len(a.out)), lazy)
	return nil
}

func (n *node) isCharacter() bool {
	if n.kind == kGroup && n.group == 0 {
		return n.subs[0].isCharacter()
	}
	return n.kind == kRune || n.kind == kSet
}

// nullable emits a loop whose body can match nothing: as in CPython, a round
// that does so is the last. A slot remembers where the round began.
func (a *assembler) nullable(body *node, lazy bool) error {
	skip, err := a.emit(inst{op: opSplit})
	if err != nil {
		return err
	}
	slot := int32(a.slots)
	a.slots++
	if _, err := a.emit(inst{op: opSave, y: slot}); err != nil {
		return err
	}
	if err := a.node(body); err != nil {
		return err
	}
	again, err := a.emit(inst{op: opAgain, r: slot})
	if err != nil {
		return err
	}
	exit := int32(len(a.out))
	in := &a.out[again]
	in.x, in.y = skip+1, exit
	if lazy {
		in.x, in.y = exit, skip+1
	}
	a.leave(skip, exit, lazy)
	return nil
}

// look emits an assertion, with the program of what is looked for inside.
func (a *assembler) look(n *node) error {
	bits := rune(n.min) << lookShift
	if n.behind {
		bits |= lookBehind
	}
	if n.negate {
		bits |= lookNegate
	}
	at, err := a.emit(inst{op: opLook, r: bits})
	if err != nil {
		return err
	}
	if err := a.node(n.subs[0]); err != nil {
		return err
	}
	if _, err := a.emit(inst{op: opMatch}); err != nil {
		return err
	}
	a.out[at].x, a.out[at].y = int32(len(a.out)), at+1
	return nil
}
