package syntax

import "strings"

// An fparts collects the parts of an f-string. Text is held back until a field
// ends it, because neighbours become one constant.
type fparts struct {
	parts []Expr
	at    Pos // of the text
	text  strings.Builder
}

// write adds text that begins at an offset.
func (f *fparts) write(at int, s string) {
	if f.text.Len() == 0 {
		f.at = Pos(at)
	}
	f.text.WriteString(s)
}

// flush makes a constant of the text so far.
func (f *fparts) flush() {
	if f.text.Len() == 0 {
		return
	}
	f.parts = append(f.parts, &Constant{At{f.at}, f.text.String()})
	f.text = strings.Builder{}
}

// joined parses an f-string and the literals after it; lead is the text of the
// literals in front.
func (p *parser) joined(start At, lead string) Expr {
	f := &fparts{}
	f.write(int(start.Start), lead)
	for p.tok == fstring || p.tok == text {
		if p.tok == fstring {
			p.formatted(f)
			continue
		}
		at := p.start
		more, isBytes := p.quoted()
		if isBytes {
			p.mixed(start)
			return nil
		}
		f.write(at, more)
	}
	f.flush()
	return &JoinedStr{At: start, Parts: f.parts}
}

// An fquote is how an f-string is quoted.
type fquote struct {
	quote byte
	width int
	raw   bool
	open  int // offset of the opening quote
	depth int // open brackets in front of it
	field int // offset of the field that is being read, or -1
}

// formatted parses one f-string token with all its fields.
func (p *parser) formatted(f *fparts) {
	if !p.enter() {
		return
	}
	start := p.start
	q := &fquote{depth: p.depth, field: -1, raw: strings.ContainsAny(p.src[p.start:p.start+2], "rR")}
	q.quote = p.src[p.end-1]
	q.open = p.start + strings.IndexByte(p.src[p.start:p.end], q.quote)
	q.width = p.end - q.open
	p.formattedText(f, q, start, false)
	p.leave()
	if p.err != nil {
		p.blame(start, q)
		p.tok = failed
		return
	}
	p.next()
}

// formattedText reads text and fields from the current place up to the closing
// quotes; or, in a format, up to the brace that ends its field.
func (p *parser) formattedText(f *fparts, q *fquote, start int, spec bool) {
	begin := p.pos
	for p.err == nil {
		if p.pos >= len(p.src) {
			p.unterminatedField(start, q)
			return
		}
		switch c := p.src[p.pos]; {
		case c == q.quote && (q.width == 1 || quoteWidth(p.src, p.pos) == 3):
			if spec {
				p.lexical(p.pos, "f-string: expecting '}'")
				return
			}
			p.piece(f, q, begin, p.pos)
			p.emit(fstring, p.pos+q.width)
			return
		case c == '\n' && q.width == 1:
			p.unterminatedField(start, q)
			return
		case c == '\\':
			p.skipEscape(q)
		case c == '{' && !spec && p.peek(p.pos+1) == '{', c == '}' && !spec && p.peek(p.pos+1) == '}':
			p.piece(f, q, begin, p.pos+1)
			p.pos += 2
			begin = p.pos
		case c == '{':
			p.piece(f, q, begin, p.pos)
			if !spec {
				q.field = p.pos
			}
			p.replacement(f, q, start)
			if !spec && p.err == nil {
				q.field = -1
			}
			begin = p.pos
		case c == '}':
			if spec {
				p.piece(f, q, begin, p.pos)
				return
			}
			p.lexical(p.pos, "f-string: single '}' is not allowed")
		default:
			p.pos++
		}
	}
}

// skipEscape skips a backslash and what it escapes. A brace is never escaped,
// but for the ones of \N{...}.
func (p *parser) skipEscape(q *fquote) {
	p.pos++
	switch c := p.peek(p.pos); {
	case c == '{' || c == '}' || p.pos >= len(p.src):
	case c == 'N' && !q.raw && p.peek(p.pos+1) == '{':
		if n := strings.IndexByte(p.src[p.pos:], '}'); n >= 0 {
			p.pos += n
		}
		p.pos++
	default:
		p.pos++
	}
}

// piece adds the text between two places.
func (p *parser) piece(f *fparts, q *fquote, begin, end int) {
	if begin == end {
		return
	}
	value, problem := quoted{body: p.src[begin:end], raw: q.raw}.formattedValue()
	if problem != "" {
		p.syntax(begin, problem)
		return
	}
	f.write(begin, value)
}

// formattedValue is value for a piece of an f-string, which may end in a
// backslash.
func (q quoted) formattedValue() (value, problem string) {
	if n := len(q.body); !q.raw && q.body[n-1] == '\\' && (n-len(strings.TrimRight(q.body, `\`)))%2 == 1 {
		q.body += `\`
	}
	return q.value()
}

// unterminatedField fails for an f-string that ends nowhere.
func (p *parser) unterminatedField(start int, q *fquote) {
	p.start = start
	p.unterminated(p.pos, q.width)
}

// replacement parses one field: {value=!r:spec}.
func (p *parser) replacement(f *fparts, q *fquote, start int) {
	if !p.enter() {
		return
	}
	defer p.leave()
	v := &FormattedValue{At: At{Pos(p.pos)}}
	p.start = p.pos
	p.open('{')
	if p.err != nil {
		return
	}
	textAt := p.pos
	outer := p.field
	p.field = p.depth
	p.fields++
	p.next()
	v.Value = p.fieldValue()
	p.splitWalrus()
	debug := p.tok == assign
	if debug {
		p.next()
		f.write(textAt, p.src[textAt:p.start])
		p.splitWalrus()
	}
	p.fields--
	p.field = outer
	f.flush()
	p.conversion(v)
	if p.err == nil && p.tok == colon {
		p.spec(v, q, start)
	}
	if p.err == nil && p.tok != rbrace {
		p.lexical(p.start, "f-string: expecting '}'")
	}
	if debug && v.Conversion == 0 && v.Spec == nil {
		v.Conversion = 'r'
	}
	f.parts = append(f.parts, v)
}

// fieldValue parses the expression of a field.
func (p *parser) fieldValue() (x Expr) {
	switch p.tok {
	case rbrace, bang, colon, walrus, assign:
		p.lexical(p.start, "f-string: empty expression not allowed")
		return nil
	case kwYield:
		x = p.yieldExpr()
	case starStar:
		p.doubleStarGroup(rbrace)
	default:
		x = p.starExpressions()
	}
	switch p.tok {
	case rbrace, bang, colon, walrus, assign:
		if s, ok := x.(*Starred); ok {
			p.syntax(int(s.Start), "cannot use starred expression here")
		}
	default:
		p.invalid()
	}
	if p.err != nil && !p.err.final && !p.err.reported {
		p.err.message = "f-string: " + p.err.message
	}
	return x
}

// splitWalrus makes a colon of ":=": at this place "=" begins the format.
func (p *parser) splitWalrus() {
	if p.tok == walrus {
		p.emit(colon, p.start+1)
	}
}

// conversion parses !r.
func (p *parser) conversion(v *FormattedValue) {
	if p.tok != bang {
		return
	}
	c := p.peek(p.pos)
	if c != 's' && c != 'r' && c != 'a' {
		p.lexical(p.pos, "f-string: invalid conversion character: expected 's', 'r', or 'a'")
		return
	}
	v.Conversion = c
	p.pos++
	p.next()
	p.splitWalrus()
}

// spec parses the format after the colon.
func (p *parser) spec(v *FormattedValue, q *fquote, start int) {
	s := &fparts{}
	v.Spec = &JoinedStr{At: At{Pos(p.start)}}
	p.formattedText(s, q, start, true)
	s.flush()
	v.Spec.Parts = s.parts
	if p.err == nil {
		p.start = p.pos
		p.close('}')
	}
}

// blame makes the error of an f-string as CPython 3.11 tells it, which first
// looks for the end of the string and then for the ends of its fields.
func (p *parser) blame(start int, q *fquote) {
	end, ok := literalEnd(p.src, q.open, q.width)
	if !ok {
		p.err = nil
		p.start = start
		p.unterminated(end, q.width)
		return
	}
	if q.field >= end {
		p.err.final = p.careful // quotes inside fields, which CPython 3.11 does not have
		return
	}
	if q.field >= 0 {
		e := explainer{src: p.src[:end-q.width], at: q.field}
		if message := e.field(0); message != "" {
			p.err = &scanError{class: "SyntaxError", message: message, at: min(e.at, end-1)}
		}
	}
	p.err.final, p.err.reported = false, true
	p.start, p.err.tok = end, stray // where the search for more errors resumes
	p.depth, p.fields = q.depth, 0
}
