package runlog

// Printed is how many bytes of standard output the log has of the attempt that
// was under way: since Glovebox itself had something to say.
func Printed(path string) (bytes int) {
	for entry, err := range Read(path) {
		switch {
		case err != nil:
		case entry.Stream == "system":
			bytes = 0
		case entry.Stream == "stdout":
			bytes += len(entry.Bytes())
		}
	}
	return bytes
}

// maxLast bounds what Last returns of a stream.
const maxLast = 16 << 20 // bytes

// Last returns what the last attempt of a run printed, as far as its log has
// it: after each other one, Glovebox itself has something to say there. Of much it
// is the end.
func Last(path string) (stdout, stderr []byte) {
	for entry, err := range Read(path) {
		if err != nil {
			continue
		}
		switch entry.Stream {
		case "system":
			if !entry.Cut {
				stdout, stderr = nil, nil
			}
		case "stdout":
			stdout = addEnd(stdout, entry.Bytes())
		case "stderr":
			stderr = addEnd(stderr, entry.Bytes())
		}
	}
	return end(stdout), end(stderr)
}

// addEnd adds to a text of which the end is wanted. It holds at most twice as much.
func addEnd(text, more []byte) []byte {
	if len(text) > 2*maxLast {
		text = append(text[:0], end(text)...)
	}
	return append(text, more...)
}

func end(text []byte) []byte { return text[max(0, len(text)-maxLast):] }
