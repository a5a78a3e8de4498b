package blob

import "os"

// How files and directories of this host are opened. Windows has no flags that
// refuse links: whoever opens compares what was opened with what was listed.
const (
	openFile = os.O_RDONLY
	openDir  = os.O_RDONLY
)

// openFollowsLinks reports whether openFile follows a link at the end of the path.
const openFollowsLinks = true
