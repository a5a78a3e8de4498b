package code

// Instr is one instruction: an opcode and three operands of eight bits. Some
// instructions are followed by one word of data, also an Instr.
//
// R[x] is register x of the frame. K[x] is constant x of the code. k16 is the
// operand b | c<<8, i8 an operand read as an unsigned number.
type Instr uint32

// Make puts an instruction together.
func Make(op Op, a, b, c uint8) Instr {
	return Instr(op) | Instr(a)<<8 | Instr(b)<<16 | Instr(c)<<24
}

// MakeWide puts an instruction with a 16-bit operand together.
func MakeWide(op Op, a uint8, k uint16) Instr {
	return Instr(op) | Instr(a)<<8 | Instr(k)<<16
}

// MakeJump returns a Jump of offset instructions, counted from the one after it.
func MakeJump(offset int) Instr { return Instr(OpJump) | Instr(uint32(offset)<<8) }

// Op returns the opcode.
func (i Instr) Op() Op { return Op(uint8(i)) }

// A returns the first operand.
func (i Instr) A() uint8 { return uint8(i >> 8) }

// B returns the second operand.
func (i Instr) B() uint8 { return uint8(i >> 16) }

// C returns the third operand.
func (i Instr) C() uint8 { return uint8(i >> 24) }

// K returns the 16-bit operand.
func (i Instr) K() int { return int(i >> 16) }

// Offset returns the distance of a Jump.
func (i Instr) Offset() int { return int(int32(i) >> 8) }

// Op is an opcode.
type Op uint8

// The instructions. "word" is the data word that follows the instruction.
//
// A test is followed by a Jump in the place of the word. When the outcome of
// the test equals c != 0 the Jump is taken, otherwise it is skipped.
const (
	OpInvalid Op = iota

	// Loads and stores.

	OpMove   // R[a] = R[b]
	OpConst  // R[a] = K[k16]
	OpConstX // R[a] = K[word]
	OpSmall  // R[a] = k16 as an int, 0 to 65535

	OpGlobal       // R[a] = global k16; when unbound the built-in of that name, or NameError
	OpSetGlobal    // global k16 = R[a]
	OpDeleteGlobal // unbind global k16, NameError when unbound

	OpNewCell    // R[a] = cell holding R[a], which may be unbound
	OpEmptyCell  // R[a] = cell holding nothing
	OpCell       // R[a] = content of the cell R[b]; when empty UnboundLocalError naming LocalNames[b]
	OpSetCell    // content of the cell R[a] = R[b]
	OpDeleteCell // empty the cell R[a]; error as Cell when it is empty
	OpFree       // R[a] = content of captured cell k16; when empty NameError (free variable)
	OpSetFree    // content of captured cell k16 = R[a]
	OpDeleteFree // empty captured cell k16; error as Free when it is empty

	OpCheckLocal // UnboundLocalError naming LocalNames[a] when R[a] is unbound
	OpUnbind     // R[a] becomes unbound

	// Names in the body of a class, whose namespace is the dict R[0].

	OpClassName       // when R[0] has the key K[k16]: R[a] = its value, skip the next instruction (one or two words: ConstX has two)
	OpSetClassName    // R[0][K[k16]] = R[a]
	OpDeleteClassName // del R[0][K[k16]], NameError when absent

	// Arithmetic: R[a] = R[b] op R[c].

	OpAdd
	OpSub
	OpMul
	OpMatMul
	OpDiv
	OpFloorDiv
	OpMod
	OpPow
	OpLShift
	OpRShift
	OpBitAnd
	OpBitOr
	OpBitXor

	// The same for augmented assignment, in the same order.

	OpIAdd
	OpISub
	OpIMul
	OpIMatMul
	OpIDiv
	OpIFloorDiv
	OpIMod
	OpIPow
	OpILShift
	OpIRShift
	OpIBitAnd
	OpIBitOr
	OpIBitXor

	// With a constant on the right. I: c is an unsigned number. K: K[c].
	// Augmented assignment has its own: the same opcodes cannot serve, as += of
	// a list or of an instance differs from +.

	OpAddI // R[a] = R[b] + c
	OpSubI
	OpMulI
	OpFloorDivI
	OpModI
	OpAddK // R[a] = R[b] + K[c]
	OpSubK
	OpMulK
	OpDivK
	OpIAddI // R[a] = R[b], augmented by + c
	OpISubI
	OpIMulK // R[a] = R[b], augmented by * K[c]
	OpIAddK

	OpNeg    // R[a] = -R[b]
	OpPlus   // R[a] = +R[b]
	OpInvert // R[a] = ~R[b]
	OpNot    // R[a] = not R[b]

	// Comparison: R[a] = R[b] op R[c], in the order of syntax.CompareOp.

	OpEq
	OpNotEq
	OpLt
	OpLtE
	OpGt
	OpGtE
	OpIs
	OpIsNot
	OpIn
	OpNotIn

	// Tests, each followed by a Jump.

	OpTest   // truth of R[a]
	OpTestEq // R[a] == R[b], and so on, in the order of syntax.CompareOp
	OpTestNotEq
	OpTestLt
	OpTestLtE
	OpTestGt
	OpTestGtE
	OpTestIs
	OpTestIsNot
	OpTestIn
	OpTestNotIn
	OpTestEqI // R[a] == b as an unsigned number, and so on
	OpTestNotEqI
	OpTestLtI
	OpTestLtEI
	OpTestGtI
	OpTestGtEI
	OpTestEqK // R[a] == K[b]
	OpTestNotEqK
	OpTestNone  // R[a] is None
	OpTestBound // R[a] is bound (for finally and with)

	OpJump      // pc += 24-bit offset
	OpLoopRange // a Jump back to a ForRange, executed in the same step

	// Iteration.

	OpIter      // R[a] = iter(R[b])
	OpForIter   // R[b] = next(R[a]); the Jump that follows is taken when R[a] is exhausted; c is 1 when nothing but items of R[b] is ever read
	OpForPair   // R[b], R[b+1] = next(R[a]); the Jump that follows is taken when R[a] is exhausted
	OpRangeIter // R[a], R[a+1], R[a+2] hold start, stop, step of a range(); prepares them for ForRange
	OpForRange  // R[b] = next number of the range prepared in R[a..a+2]; the Jump that follows is taken at its end
	OpAsyncIter // R[a] = R[b].__aiter__()
	OpAsyncNext // R[a] = awaitable of R[b].__anext__(); await follows as for Await; StopAsyncIteration ends the loop through a handler

	// Displays.

	OpList        // R[a] = [R[b] ... R[b+c-1]]
	OpTuple       // R[a] = (R[b] ... R[b+c-1])
	OpSet         // R[a] = {R[b] ... R[b+c-1]}
	OpDict        // R[a] = {R[b]: R[b+1], ...}, c pairs
	OpAppend      // list R[a].append(R[b])
	OpAddToSet    // set R[a].add(R[b])
	OpPut         // dict R[a][R[b]] = R[c]
	OpExtend      // list R[a].extend(R[b]), for [*x] and f(*x); c chooses the words of the error
	OpUpdateSet   // set R[a].update(R[b]), for {*x}
	OpMerge       // dict R[a].update(R[b]), for {**x}
	OpMergeArgs   // dict R[a] gets the keywords R[b] of a call of R[c]: f(**x); a key that is there or no str is a TypeError
	OpListToTuple // R[a] = tuple(list R[b]), the list is not used again

	OpFormat     // R[a] = format(conversion c of R[b], ""), c is 0, 's', 'r' or 'a'
	OpFormatSpec // R[a] = format(R[b], R[c])
	OpConvert    // R[a] = conversion c of R[b], c is 's', 'r' or 'a'
	OpJoin       // R[a] = the strs R[b] ... R[b+c-1] as one

	// Items.

	OpItem       // R[a] = R[b][R[c]]
	OpItemI      // R[a] = R[b][c], c an unsigned number
	OpItemK      // R[a] = R[b][K[c]]
	OpSetItem    // R[a][R[b]] = R[c]
	OpSetItemK   // R[a][K[b]] = R[c]
	OpDeleteItem // del R[a][R[b]]
	OpSlice      // R[a] = slice(R[b], R[b+1], R[b+2])
	OpItemSlice  // R[a] = R[b][R[c]:R[c+1]:R[c+2]]
	OpUnpack     // R[a] ... R[a+c-1] = R[b], which has c items
	OpUnpackStar // R[a] ... = R[b]: c items, a list of the middle ones, and word items after it

	// Attributes; word is the index of the constant that holds the name.

	OpAttr       // R[a] = R[b].word
	OpSetAttr    // R[a].word = R[b]
	OpDeleteAttr // del R[a].word
	OpCheckAttr  // AttributeError when R[a] has no attribute word; used before the arguments of a CallMethod are worked out, when these could do something
	OpSpecial    // R[a] = method word of the type of R[b], bound; for with: AttributeError texts of c: 0 plain, 1 with, 2 async with

	// Calls. The result goes to R[c]. Arguments stand in consecutive registers,
	// and nothing above them is live.

	OpCall         // R[a](R[a+1] ... R[a+b])
	OpCallKw       // the same; word is the constant with the tuple of the names of the last arguments
	OpCallMethod   // R[a].word(R[a+1] ... R[a+b])
	OpCallMethodKw // the same; a second word is the constant with the tuple of names
	OpCallEx       // R[a](*list R[a+1], **dict or None R[a+2])
	OpCallSuper    // R[c] = super() of this frame: R[a] is the class cell's content, R[b] the first argument

	OpFunction // R[a] = function of the Code K[word]; c&1: R[a+1] is the tuple of defaults; c&2: R[a+2] is the dict of keyword-only defaults
	OpReturn   // return R[a]
	OpReturnNone

	OpYield     // yield R[b]; R[a] = what is sent
	OpDelegate  // R[c] = result of running the iterator R[a] to its end, yielding what it yields; R[b] holds what is sent, None at first
	OpAwaitable // R[a] = the iterator that Delegate runs to await R[b]
	OpAwaitTop  // R[a] = result of the awaitable R[b], run by the event loop: await outside of any function

	// Exceptions. Where they land is in Code.Handlers.

	OpRaise       // raise R[a]; c is 1 with the cause R[b]
	OpReraise     // raise the exception in R[a] again, as it was
	OpMatchExcept // R[a] = whether the exception R[b] is an instance of R[c], a class or tuple of classes
	OpEndExcept   // the handler that began with the exception R[a] is over (R[a] becomes unbound)

	OpImport     // R[a] = module named K[word]
	OpImportName // R[a] = attribute K[word] of the module R[b], ImportError when absent

	OpAsFuture // the Call, CallKw or CallEx of R[a] that follows is awaited: when R[a] is a tool, it is started and the result is a future

	OpCount // the number of opcodes
)

// The message of an Extend for a value that is not iterable.
const (
	AnyIterable      = iota // what iter() says
	StarredItems            // *x among others
	StarredArguments        // f(*x): f is in the register before that of the list
)
