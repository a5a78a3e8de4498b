package syntax

// operator scans the longest operator at the current place.
func (s *scanner) operator(c byte) {
	d := s.peek(s.pos + 1)
	switch c {
	case '(', '[', '{':
		s.open(c)
	case ')', ']', '}':
		s.close(c)
	case ',':
		s.emit(comma, s.pos+1)
	case ';':
		s.emit(semicolon, s.pos+1)
	case '~':
		s.emit(tilde, s.pos+1)
	case '.':
		if d == '.' && s.peek(s.pos+2) == '.' {
			s.emit(ellipsis, s.pos+3)
			return
		}
		s.emit(dot, s.pos+1)
	case ':':
		s.either(d, colon, walrus)
	case '=':
		s.either(d, assign, equal)
	case '!':
		s.either(d, bang, notEqual)
	case '<':
		if d == '>' {
			s.emit(stray, s.pos+2)
			return
		}
		s.angle(c, d, less, shiftLeft)
	case '>':
		s.angle(c, d, greater, shiftRight)
	default:
		s.arithmetic(c, d)
	}
}

// either makes one token, or another one if "=" follows.
func (s *scanner) either(d byte, alone, withEqual kind) {
	if d == '=' {
		s.emit(withEqual, s.pos+2)
		return
	}
	s.emit(alone, s.pos+1)
}

// angle scans what begins with < or >.
func (s *scanner) angle(c, d byte, alone, twice kind) {
	switch {
	case d == '=':
		s.emit(alone+1, s.pos+2)
	case d != c:
		s.emit(alone, s.pos+1)
	case s.peek(s.pos+2) == '=':
		s.emit(twice-plus+plusAssign, s.pos+3)
	default:
		s.emit(twice, s.pos+2)
	}
}

// arithmetic scans a binary operator or its augmented assignment.
func (s *scanner) arithmetic(c, d byte) {
	length := 1
	var k kind
	switch c {
	case '+':
		k = plus
	case '-':
		if d == '>' {
			s.emit(arrow, s.pos+2)
			return
		}
		k = minus
	case '*':
		k = star
		if d == '*' {
			k, length = starStar, 2
		}
	case '/':
		k = slash
		if d == '/' {
			k, length = slashSlash, 2
		}
	case '%':
		k = percent
	case '@':
		k = at
	case '&':
		k = amp
	case '|':
		k = bar
	case '^':
		k = caret
	case '$', '?', '`':
		s.emit(stray, s.pos+1)
		return
	default:
		s.strange(s.pos, s.character(s.pos))
		return
	}
	if s.peek(s.pos+length) == '=' {
		k, length = k-plus+plusAssign, length+1
	}
	s.emit(k, s.pos+length)
}

// open scans an opening bracket.
func (s *scanner) open(c byte) {
	if s.depth >= maxBrackets {
		s.lexical(s.pos, "too many nested parentheses")
		return
	}
	s.brackets = append(s.brackets[:s.depth], int32(s.pos))
	s.depth++
	k := lparen
	switch c {
	case '[':
		k = lbrack
	case '{':
		k = lbrace
	}
	s.emit(k, s.pos+1)
}

// close scans a closing bracket.
func (s *scanner) close(c byte) {
	if s.depth == 0 {
		s.lexical(s.pos, "unmatched '%c'", c)
		return
	}
	s.depth--
	at := int(s.brackets[s.depth])
	var k kind
	switch b := s.src[at]; {
	case b == '(' && c == ')':
		k = rparen
	case b == '[' && c == ']':
		k = rbrack
	case b == '{' && c == '}':
		k = rbrace
	default:
		s.mismatch(c, at)
		return
	}
	s.emit(k, s.pos+1)
}

// mismatch fails for a closing bracket of another kind than the opening one.
func (s *scanner) mismatch(c byte, opened int) {
	first, last := s.lineAt(opened), s.lineAt(s.pos)
	if first == last {
		s.lexical(s.pos, "closing parenthesis '%c' does not match opening parenthesis '%c'", c, s.src[opened])
		return
	}
	s.lexical(s.pos, "closing parenthesis '%c' does not match opening parenthesis '%c' on line %d",
		c, s.src[opened], first)
}
