package syntax

// kind is the kind of a token.
type kind uint8

// The kinds of tokens. The binary operators and the augmented assignments
// stand in the order of BinaryOp, the comparisons in that of CompareOp.
const (
	failed kind = iota // after an error; no rule accepts it, so every loop ends
	endOfFile
	newline
	indent
	dedent
	name
	number
	text    // a string or bytes literal
	fstring // the prefix and the opening quote of an f-string
	stray   // a character that begins no token, such as "$"

	lparen
	rparen
	lbrack
	rbrack
	lbrace
	rbrace
	colon
	comma
	semicolon
	dot
	ellipsis
	arrow
	assign
	walrus
	bang
	tilde

	plus
	minus
	star
	at
	slash
	slashSlash
	percent
	starStar
	shiftLeft
	shiftRight
	amp
	bar
	caret

	plusAssign
	minusAssign
	starAssign
	atAssign
	slashAssign
	slashSlashAssign
	percentAssign
	starStarAssign
	shiftLeftAssign
	shiftRightAssign
	ampAssign
	barAssign
	caretAssign

	equal
	notEqual
	less
	lessEqual
	greater
	greaterEqual

	kwFalse
	kwNone
	kwTrue
	kwAnd
	kwAs
	kwAssert
	kwAsync
	kwAwait
	kwBreak
	kwClass
	kwContinue
	kwDef
	kwDel
	kwElif
	kwElse
	kwExcept
	kwFinally
	kwFor
	kwFrom
	kwGlobal
	kwIf
	kwImport
	kwIn
	kwIs
	kwLambda
	kwNonlocal
	kwNot
	kwOr
	kwPass
	kwRaise
	kwReturn
	kwTry
	kwWhile
	kwWith
	kwYield
)

// keyword returns the kind of a word: of a keyword, or name.
func keyword(word string) kind {
	switch word {
	case "False":
		return kwFalse
	case "None":
		return kwNone
	case "True":
		return kwTrue
	case "and":
		return kwAnd
	case "as":
		return kwAs
	case "assert":
		return kwAssert
	case "async":
		return kwAsync
	case "await":
		return kwAwait
	case "break":
		return kwBreak
	case "class":
		return kwClass
	case "continue":
		return kwContinue
	case "def":
		return kwDef
	case "del":
		return kwDel
	case "elif":
		return kwElif
	case "else":
		return kwElse
	case "except":
		return kwExcept
	case "finally":
		return kwFinally
	case "for":
		return kwFor
	case "from":
		return kwFrom
	case "global":
		return kwGlobal
	case "if":
		return kwIf
	case "import":
		return kwImport
	case "in":
		return kwIn
	case "is":
		return kwIs
	case "lambda":
		return kwLambda
	case "nonlocal":
		return kwNonlocal
	case "not":
		return kwNot
	case "or":
		return kwOr
	case "pass":
		return kwPass
	case "raise":
		return kwRaise
	case "return":
		return kwReturn
	case "try":
		return kwTry
	case "while":
		return kwWhile
	case "with":
		return kwWith
	case "yield":
		return kwYield
	}
	return name
}

// beginsExpression reports whether an expression can begin with a token of
// this kind.
func (k kind) beginsExpression() bool {
	switch k {
	case name, number, text, fstring, lparen, lbrack, lbrace, ellipsis, minus, plus, tilde,
		kwFalse, kwNone, kwTrue, kwAwait, kwLambda, kwNot:
		return true
	}
	return false
}

// The kinds of token that a byte may be part of.
const (
	wordStart = 1 << iota
	wordPart
	digit
	hexDigit
	blank // space, tab, form feed
)

// classes says what each byte may be in. Bytes of characters beyond ASCII are
// parts of words until the whole word is looked at.
var classes = func() (table [256]uint8) {
	for c := range table {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
			table[c] = wordStart | wordPart
		case c >= '0' && c <= '9':
			table[c] = wordPart | digit | hexDigit
		case c == ' ', c == '\t', c == '\f':
			table[c] = blank
		}
	}
	for _, c := range "abcdefABCDEF" {
		table[c] |= hexDigit
	}
	return table
}()
