package archtest

// word is a private word or a turn of speech that no stranger understands, with
// what to write instead.
type word struct {
	pattern string // a regular expression
	instead string
}

// words are refused in comments, in messages, in docs and in the help of the
// Python client.
var words = []word{
	{`(?i)\b(for|to|of|from) who\b`, "name the person: the caller, the user, anyone who"},
	{`(?i)\b(of|for|to|by) (which|whom) nobody\b`, "say what is unknown, and to what"},
	{`(?i)\bthat nobody (takes|reads|asks|knows|waits|wants|has)\b`, "unused, unread, unknown"},
	{`(?i)\bis nobody's\b`, "has no owner"},
	{`(?i)\bit is whoever's\b`, "belongs to"},
	{`(?i)\b(is|are|was|were|be|being) told\b`, "say who reports it: the caller gets, the run records"},
	{`(?i)\bgoes on\b`, "continues, resumes"},
	{`(?i)\bin mind\b`, "in memory"},
	{`(?i)\bways? out of (a|the|its) (cell|box)\b`, "egress, network access"},
}

// openings are refused at the beginning of a comment or a paragraph.
var openings = []word{
	{`^(What|Who|Whoever|Whatever) `, "begin with the name and a verb"},
}

// phrases are refused in messages: the texts of errors, hints, help and logs.
var phrases = []word{
	{`(?i)\bcarr(y|ies|ied|ying) (it |them )?out\b`, "done, run, execute"},
	{`(?i)\bnobody (knows|carries|takes|reads|else|called|is|can|will|waits)\b`, "say what is unknown or missing: it is unknown whether, no other process"},
	{`(?i)\b(with|who|of) nobody\b`, "with nothing, with no other"},
	{`(?i)\bgo on with\b`, "continue, resume"},
	{`(?i)\btaken? up again\b`, "resume"},
}

// identifiers are refused as names of anything in Go, each with a plain name to
// use instead.
var identifiers = map[string]string{
	"told":     "reported, or durability for what the journal confirmed",
	"vain":     "startFailure, for an attempt that did not begin",
	"unmade":   "neverCreated, for a run that the journal does not have",
	"letGo":    "dispatch, for handing a run to its goroutine",
	"goAhead":  "startEarly, for a run that begins before it is on disk",
	"carryOut": "execute",
	"sort":     "class, for cells that can serve the same run; sort is a package of Go",
}
