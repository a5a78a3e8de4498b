package check

// Dialect is which Python a program may use.
type Dialect uint8

// The dialects.
const (
	Strict   Dialect = iota // variables, control flow, functions and calls of tools
	Extended                // nearly all of Python, with the bundled modules
)

// String returns the name of the dialect.
func (d Dialect) String() string {
	if d == Strict {
		return "strict"
	}
	return "extended"
}
