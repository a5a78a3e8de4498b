package monty

import "fmt"

// version6 is what pydantic-monty 1.4 speaks. It added kinds of values to
// version 5, and calls for modules of the host and for trees of files.
var version6 = version{number: 6, decimals: true, modules: true, scans: true}

// version is what differs between the versions of the protocol.
type version struct {
	number   uint64
	decimals bool // there is a kind for them
	modules  bool // the client is asked for them
	scans    bool // the client is asked for trees of files
}

// versions are those that this worker speaks, in their order.
var versions = []version{version5, version6}

// versionOf finds a version by its number.
func versionOf(number uint64) (version, error) {
	for _, v := range versions {
		if v.number == number {
			return v, nil
		}
	}
	return version{}, fatalf("protocol version %s is not supported; this worker speaks versions %d to %d",
		spoken(number), versions[0].number, versions[len(versions)-1].number)
}

func spoken(number uint64) string {
	if number == 0 {
		return "0 (none declared)"
	}
	return fmt.Sprint(number)
}
