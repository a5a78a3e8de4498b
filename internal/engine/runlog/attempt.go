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

// Last returns what the last attempt of a run printed, as far as its log has
// it: after each other one, Glovebox itself has something to say there.
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
			stdout = append(stdout, entry.Bytes()...)
		case "stderr":
			stderr = append(stderr, entry.Bytes()...)
		}
	}
	return stdout, stderr
}
