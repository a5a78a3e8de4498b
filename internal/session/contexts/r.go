package contexts

import (
	_ "embed"
	"io"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// r is R. It has one thread, so its streams are the code's own, with marks between.
type r struct {
	generation string
}

//go:embed r/driver.R
var rSource string

// rBoot makes a function of the text that comes first, and calls it.
const rBoot = `(function() {
  requests <- file("/dev/fd/4", "rb", raw = TRUE)
  size <- as.integer(readLines(requests, 1))
  eval(parse(text = rawToChar(readBin(requests, "raw", size)), keep.source = FALSE))(requests)
})()`

// rSettle is how long R takes between parts of a line, each of which it writes on
// its own.
const rSettle = 20 * time.Millisecond

// Programs that the code starts must not read requests, so these have a descriptor
// of their own.
func (r) argv() []string {
	return program("R", "R (in Debian: r-base-core)", `exec 4<&0 </dev/null
export LC_CTYPE="${LC_ALL:-${LC_CTYPE:-${LANG:-C.UTF-8}}}"
exec R --no-echo --no-restore --no-save -e "$0"`, rBoot)
}

func (d r) opening(id string) ([]byte, error) {
	settings := "list(limit = " + strconv.Itoa(maxLine) + ", generation = " + strconv.Quote(d.generation) + ")"
	source := "(" + rSource + ")(" + settings + ")"
	return append([]byte(strconv.Itoa(len(source))+"\n"+source), sizedGreeting(id)...), nil
}

func (r) greeting(id string) []byte { return sizedGreeting(id) }

func (r) request(id string, count int, request api.CodeRequest) ([]byte, error) {
	return sizedRequest(id, count, request)
}

func (r) listen(_ string, deliver func(message) error) (stdout, stderr io.Writer) {
	return newMarks(deliver, rSettle).streams()
}
