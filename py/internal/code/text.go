package code

import (
	"fmt"
	"strings"
)

// Text returns the code of a module as text, for people and for tests.
func (m *Module) Text() string {
	var b strings.Builder
	for _, c := range m.Codes {
		c.write(&b, m)
	}
	return b.String()
}

func (c *Code) write(b *strings.Builder, m *Module) {
	fmt.Fprintf(b, "%s(%s) locals=%s regs=%d", c.QualName, strings.Join(c.Params, ", "), strings.Join(c.LocalNames, ","), c.Regs)
	for _, p := range c.Captures {
		fmt.Fprintf(b, " %s<-%s%d", p.Name, captureKind(p), p.Index)
	}
	b.WriteByte('\n')
	line := 0
	for pc := 0; pc < len(c.Instrs); pc += c.Instrs[pc].Op().Length() {
		if l := c.Line(pc); l != line {
			line = l
			fmt.Fprintf(b, " line %d\n", line)
		}
		fmt.Fprintf(b, "%5d  [%d] %s\n", pc, c.Tops[pc], c.instrText(pc, m))
	}
	for _, h := range c.Handlers {
		fmt.Fprintf(b, " handler %d-%d to %d in R%d\n", h.Start, h.End, h.Target, h.Reg)
	}
	for _, h := range c.Handling {
		fmt.Fprintf(b, " handled %d-%d in R%d\n", h.Start, h.End, h.Reg)
	}
}

func captureKind(p Capture) string {
	if p.Local {
		return "R"
	}
	return "free "
}

func (c *Code) instrText(pc int, m *Module) string {
	i := c.Instrs[pc]
	op := i.Op()
	switch {
	case op == OpJump || op == OpLoopRange:
		return fmt.Sprintf("Jump %d", pc+1+i.Offset())
	case op.wide():
		return fmt.Sprintf("%s %d %d%s", op, i.A(), i.K(), c.wideNote(i, m))
	case op.IsTest():
		return fmt.Sprintf("%s %d %d %d, jump %d", op, i.A(), i.B(), i.C(), pc+2+c.Instrs[pc+1].Offset())
	}
	text := fmt.Sprintf("%s %d %d %d", op, i.A(), i.B(), i.C())
	for n := 1; n < op.Length(); n++ {
		text += c.wordText(op, int(c.Instrs[pc+n]))
	}
	return text
}

func (c *Code) wideNote(i Instr, m *Module) string {
	switch i.Op() {
	case OpConst, OpClassName, OpSetClassName, OpDeleteClassName:
		return c.wordText(OpConstX, i.K())
	case OpGlobal, OpSetGlobal, OpDeleteGlobal:
		return " " + m.Globals[i.K()]
	case OpFree, OpSetFree, OpDeleteFree:
		return " " + c.Captures[i.K()].Name
	}
	return ""
}

func (c *Code) wordText(op Op, w int) string {
	if op == OpUnpackStar {
		return fmt.Sprintf(" +%d", w)
	}
	switch v := c.Consts[w].(type) {
	case string:
		return fmt.Sprintf(" %q", v)
	case *Code:
		return " " + v.QualName
	default:
		return fmt.Sprintf(" %v", v)
	}
}

// wide says whether the instruction has a 16-bit operand.
func (op Op) wide() bool {
	switch op {
	case OpConst, OpSmall, OpGlobal, OpSetGlobal, OpDeleteGlobal, OpFree, OpSetFree, OpDeleteFree,
		OpClassName, OpSetClassName, OpDeleteClassName:
		return true
	}
	return false
}

// IsTest says whether a Jump follows the instruction as its data.
func (op Op) IsTest() bool {
	switch op {
	case OpForIter, OpForPair, OpForRange:
		return true
	}
	return op >= OpTest && op <= OpTestBound
}

// Length returns the number of words of an instruction, its data included.
func (op Op) Length() int {
	switch op {
	case OpCallMethodKw:
		return 3
	case OpConstX, OpUnpackStar, OpAttr, OpSetAttr, OpDeleteAttr, OpCheckAttr, OpSpecial,
		OpCallKw, OpCallMethod, OpFunction, OpImport, OpImportName:
		return 2
	}
	if op.IsTest() {
		return 2
	}
	return 1
}

// String returns the name of the opcode.
func (op Op) String() string {
	if op >= OpCount {
		return fmt.Sprintf("Op(%d)", uint8(op))
	}
	return names[op]
}

var names = [OpCount]string{
	OpInvalid:         "Invalid",
	OpMove:            "Move",
	OpConst:           "Const",
	OpConstX:          "ConstX",
	OpSmall:           "Small",
	OpGlobal:          "Global",
	OpSetGlobal:       "SetGlobal",
	OpDeleteGlobal:    "DeleteGlobal",
	OpNewCell:         "NewCell",
	OpEmptyCell:       "EmptyCell",
	OpCell:            "Cell",
	OpSetCell:         "SetCell",
	OpDeleteCell:      "DeleteCell",
	OpFree:            "Free",
	OpSetFree:         "SetFree",
	OpDeleteFree:      "DeleteFree",
	OpCheckLocal:      "CheckLocal",
	OpUnbind:          "Unbind",
	OpClassName:       "ClassName",
	OpSetClassName:    "SetClassName",
	OpDeleteClassName: "DeleteClassName",
	OpAdd:             "Add",
	OpSub:             "Sub",
	OpMul:             "Mul",
	OpMatMul:          "MatMul",
	OpDiv:             "Div",
	OpFloorDiv:        "FloorDiv",
	OpMod:             "Mod",
	OpPow:             "Pow",
	OpLShift:          "LShift",
	OpRShift:          "RShift",
	OpBitAnd:          "BitAnd",
	OpBitOr:           "BitOr",
	OpBitXor:          "BitXor",
	OpIAdd:            "IAdd",
	OpISub:            "ISub",
	OpIMul:            "IMul",
	OpIMatMul:         "IMatMul",
	OpIDiv:            "IDiv",
	OpIFloorDiv:       "IFloorDiv",
	OpIMod:            "IMod",
	OpIPow:            "IPow",
	OpILShift:         "ILShift",
	OpIRShift:         "IRShift",
	OpIBitAnd:         "IBitAnd",
	OpIBitOr:          "IBitOr",
	OpIBitXor:         "IBitXor",
	OpAddI:            "AddI",
	OpSubI:            "SubI",
	OpMulI:            "MulI",
	OpFloorDivI:       "FloorDivI",
	OpModI:            "ModI",
	OpAddK:            "AddK",
	OpSubK:            "SubK",
	OpMulK:            "MulK",
	OpDivK:            "DivK",
	OpIAddI:           "IAddI",
	OpISubI:           "ISubI",
	OpIMulK:           "IMulK",
	OpIAddK:           "IAddK",
	OpNeg:             "Neg",
	OpPlus:            "Plus",
	OpInvert:          "Invert",
	OpNot:             "Not",
	OpEq:              "Eq",
	OpNotEq:           "NotEq",
	OpLt:              "Lt",
	OpLtE:             "LtE",
	OpGt:              "Gt",
	OpGtE:             "GtE",
	OpIs:              "Is",
	OpIsNot:           "IsNot",
	OpIn:              "In",
	OpNotIn:           "NotIn",
	OpTest:            "Test",
	OpTestEq:          "TestEq",
	OpTestNotEq:       "TestNotEq",
	OpTestLt:          "TestLt",
	OpTestLtE:         "TestLtE",
	OpTestGt:          "TestGt",
	OpTestGtE:         "TestGtE",
	OpTestIs:          "TestIs",
	OpTestIsNot:       "TestIsNot",
	OpTestIn:          "TestIn",
	OpTestNotIn:       "TestNotIn",
	OpTestEqI:         "TestEqI",
	OpTestNotEqI:      "TestNotEqI",
	OpTestLtI:         "TestLtI",
	OpTestLtEI:        "TestLtEI",
	OpTestGtI:         "TestGtI",
	OpTestGtEI:        "TestGtEI",
	OpTestEqK:         "TestEqK",
	OpTestNotEqK:      "TestNotEqK",
	OpTestNone:        "TestNone",
	OpTestBound:       "TestBound",
	OpJump:            "Jump",
	OpLoopRange:       "LoopRange",
	OpIter:            "Iter",
	OpForIter:         "ForIter",
	OpForPair:         "ForPair",
	OpRangeIter:       "RangeIter",
	OpForRange:        "ForRange",
	OpAsyncIter:       "AsyncIter",
	OpAsyncNext:       "AsyncNext",
	OpList:            "List",
	OpTuple:           "Tuple",
	OpSet:             "Set",
	OpDict:            "Dict",
	OpAppend:          "Append",
	OpAddToSet:        "AddToSet",
	OpPut:             "Put",
	OpExtend:          "Extend",
	OpUpdateSet:       "UpdateSet",
	OpMerge:           "Merge",
	OpMergeArgs:       "MergeArgs",
	OpListToTuple:     "ListToTuple",
	OpFormat:          "Format",
	OpFormatSpec:      "FormatSpec",
	OpConvert:         "Convert",
	OpJoin:            "Join",
	OpItem:            "Item",
	OpItemI:           "ItemI",
	OpItemK:           "ItemK",
	OpSetItem:         "SetItem",
	OpSetItemK:        "SetItemK",
	OpDeleteItem:      "DeleteItem",
	OpSlice:           "Slice",
	OpItemSlice:       "ItemSlice",
	OpUnpack:          "Unpack",
	OpUnpackStar:      "UnpackStar",
	OpAttr:            "Attr",
	OpSetAttr:         "SetAttr",
	OpDeleteAttr:      "DeleteAttr",
	OpCheckAttr:       "CheckAttr",
	OpSpecial:         "Special",
	OpCall:            "Call",
	OpCallKw:          "CallKw",
	OpCallMethod:      "CallMethod",
	OpCallMethodKw:    "CallMethodKw",
	OpCallEx:          "CallEx",
	OpCallSuper:       "CallSuper",
	OpFunction:        "Function",
	OpReturn:          "Return",
	OpReturnNone:      "ReturnNone",
	OpYield:           "Yield",
	OpDelegate:        "Delegate",
	OpAwaitable:       "Awaitable",
	OpAwaitTop:        "AwaitTop",
	OpRaise:           "Raise",
	OpReraise:         "Reraise",
	OpMatchExcept:     "MatchExcept",
	OpEndExcept:       "EndExcept",
	OpImport:          "Import",
	OpImportName:      "ImportName",
	OpAsFuture:        "AsFuture",
}
