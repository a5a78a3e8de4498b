package machine

import "testing"

// quickAgrees calls each method of texts that have a quick form, and of the
// same texts as instances of a subclass, which have none.
const quickAgrees = `
class S(str):
    pass

def outcome(fn, args):
    try:
        return fn(*args)
    except Exception as e:
        return type(e).__name__ + str(e)

texts = ["", "a", " ", "ab", "aB c", "  Two Words\t", "x,y,,z,", "12", "1a", "+7", "-", "a.b.c", "UPPER case's 3rd",
         "\x1c\x85", "\x1f a\x0b", "é", " é ", "aé,b", "naïve Straße", "aaaa", "abcabcabc", "," * 200, "ab " * 86, "x" * 300]
plain = ["lower", "upper", "title", "capitalize", "isalnum", "isalpha", "isdigit", "isdecimal", "isnumeric", "isspace",
         "islower", "isupper", "strip", "lstrip", "rstrip", "split"]
args = [("",), ("a",), (",",), (" ",), ("é",), ("abc",), (None,), ("a,. ",), (5,), (-1,), (12,), (10**30,), (True,), ("a" * 40,),
        ("a", 1), (",", 0), (None, 1), (None, 0), (" ", -1), ("a", "é"), ("a", "zz"), (",", "-" * 32), ("ab", "")]
taking = ["strip", "lstrip", "rstrip", "split", "replace", "ljust", "rjust", "zfill", "find", "rfind", "index", "count",
          "startswith", "endswith", "removeprefix", "removesuffix", "join"]
wrong = []
for t in texts:
    for name in plain:
        if outcome(getattr(t, name), ()) != outcome(getattr(S(t), name), ()):
            wrong.append((name, t))
    for name in taking:
        for a in args:
            x, y = outcome(getattr(t, name), a), outcome(getattr(S(t), name), a)
            if x != y or len(x if isinstance(x, str) else "") != len(y if isinstance(y, str) else ""):
                wrong.append((name, t, a))
    if t.join(["x", "é", t]) != S(t).join(("x", "é", t)):
        wrong.append(("join", t))
wrong
`

// percentAgrees formats by the % operator, and by the same formats with a long
// text in front, which have no quick form.
const percentAgrees = `
def run():
    long = "." * 300
    bad = []
    vals = ["", "ab", "é", 0, 7, -7, 123456789, 10**30, 1.5, -0.0, 1e40, float("nan"), True, None]
    for flag in ["", "-", "0", "-0", "+", " "]:
        for w in ["", "5", "101"]:
            for p in ["", ".", ".3", ".40"]:
                for k in "sdxfric%":
                    for lit in ["", "a", "é"]:
                        for v in vals:
                            f = lit + "%" + flag + w + p + k + lit
                            try: x = f % (v,)
                            except Exception as e: x = repr(e).split(" at ")[0]
                            try: y = (long + f) % (v,)
                            except Exception as e: y = repr(e).split(" at ")[0]
                            if x != y and long + x != y or len(long + x) != len(x) + len(long): bad.append((f, v, x, y))
    for f in ["%", "%%", "%d%%%d", "%%d", "%(a)s", "%5", "%5.", "%l", "%ld", "%d %d", "%s", "", "%%%s", "% %"]:
        for a in [(), (1,), (1, 2), {"a": 1}, "x", 3, [1]]:
            try: x = f % a
            except Exception as e: x = repr(e).split(" at ")[0]
            try: y = (long + f) % a
            except Exception as e: y = repr(e).split(" at ")[0]
            if x != y and long + x != y: bad.append((f, a, x, y))
    return bad
run()
`

func TestQuickFormsAgree(t *testing.T) {
	for name, program := range map[string]string{"methods": quickAgrees, "percent": percentAgrees} {
		t.Run(name, func(t *testing.T) { agrees(t, program) })
	}
}

// agrees runs a program of which the value is the list of disagreements.
func agrees(t *testing.T, program string) {
	m := eval(t, program)
	if m.Status() != Done {
		t.Fatal(m.Failure())
	}
	if s, err := m.ReprNative(m.Result()); s != "[]" || err != nil {
		t.Errorf("disagree: %s, %v", s, err)
	}
}
