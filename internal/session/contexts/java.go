package contexts

import (
	_ "embed"
	"io"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// java is JShell in the process of the driver.
type java struct{}

//go:embed java/Driver.java
var javaSource string

// Java without its second compiler starts in half the time. The driver is a file, because Java compiles nothing that it reads from a pipe.
// Programs that the code starts must neither read requests nor write events.
func (java) argv() []string {
	return program("javac", "Java compiler (in Debian: default-jdk-headless)", `exec 3>&1 1>&2 4<&0 </dev/null
dir=$(mktemp -d) && printf %s "$0" >"$dir/Driver.java" || exit
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto --add-opens java.base/java.util=ALL-UNNAMED "$dir/Driver.java" "$dir" `+
		strconv.Itoa(maxLine)+" "+strconv.Itoa(maxBetween), javaSource)
}

func (java) opening(id string) ([]byte, error) { return sizedGreeting(id), nil }

func (java) greeting(id string) []byte { return sizedGreeting(id) }

func (java) request(id string, count int, r api.CodeRequest) ([]byte, error) {
	return sizedRequest(id, count, r)
}

func (java) listen(greeting string, deliver func(message) error) (stdout, stderr io.Writer) {
	return python{}.listen(greeting, deliver)
}
