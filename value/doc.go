// Package value has the types and the values of inputs and outputs, and the two
// forms in which they are written: JSON and text. It imports the standard
// library only.
//
// # Types
//
// A [Type] is spelled as in Python: int, list[str], dict[str, float],
// Optional[File]. [ParseType] reads every usual spelling, and [Type.String]
// writes the canonical one.
//
// # Values
//
// A value is a Python value in Go:
//
//	nil                 None
//	bool                bool
//	int64 or *big.Int   int; *big.Int only beyond the range of int64
//	float64             float
//	string              str, as UTF-8; a surrogate code point is three bytes, as in WTF-8
//	[]byte              bytes
//	DateTime            datetime
//	Timedelta           timedelta
//	Date                date
//	TimeOfDay           time
//	Decimal             Decimal
//	UUID                UUID
//	File, Dir, DataFrame
//	[]any               list
//	Tuple               tuple
//	Set                 set or frozenset
//	*Dict               dict, in insertion order
//
// [Normalize] makes these of other Go values too, such as of an []int, and
// checks them against a type. What does not fit is an [Error], which names the
// part that does not.
//
// # Checked once
//
// [Fields] are the values of the parameters of a task. Only [Check] and [Decode]
// make them, where values come in; everything behind takes Fields, and so checks
// nothing again. [Decode] checks JSON and rewrites it to the canonical form in
// one pass, without Go values; those are made for a caller who asks.
//
// # JSON
//
// [EncodeJSON] and [DecodeJSON] lose nothing, because the declared type decides
// how a value is written:
//
//	None               null
//	bool, int          as in JSON; an int has any length
//	float              a number with a point or an exponent, or "NaN", "Infinity", "-Infinity"
//	str                a string; a surrogate is an escape like \ud800
//	bytes              a string in base64
//	datetime           a string in ISO 8601
//	date, time         a string in ISO 8601
//	Decimal, UUID      a string as Python's str() has it
//	timedelta          a string: an ISO 8601 duration, with a sign in front when negative
//	File, Dir, DataFrame  an object with "path" and what else is known
//	list, tuple        an array
//	set                an array in the order of its items' JSON, each once
//	dict               an object, in order; a key that comes twice is an error.
//	                   A key that is no str is "2023", "true" or "2024-01-31"
//	Optional[T]        null, or as T
//
// A value whose type is Any or a Union describes itself: null, booleans,
// numbers, strings, arrays and objects are None, bool, int or float, str, list
// and dict, and every other value is an object with one key that is a tag:
//
//	{"$float": "NaN"}  {"$bytes": "AA=="}  {"$datetime": "..."}  {"$timedelta": "..."}
//	{"$tuple": [...]}  {"$file": {...}}  {"$dir": {...}}  {"$dataframe": {...}}
//	{"$date": "..."}   {"$time": "..."}  {"$decimal": "..."}  {"$uuid": "..."}
//	{"$set": [...]}    {"$dict[int]": {...}}  and the same with bool and date
//	{"$dict": {...}}   a dict whose own first key is one of the tags
//
// A str with a high surrogate right before a low one, which JSON would read as
// one character, is {"$str": its bytes in base64} under every type.
//
// # Text
//
// [EncodeText] and [DecodeText] are for programs that read and write plain
// files, and for the command line: a str is its own text, an int its digits, a
// File its path.
package value
