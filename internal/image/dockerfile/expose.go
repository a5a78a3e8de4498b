package dockerfile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
)

// expose notes ports, of which ARG and ENV may give several in one word.
func (st *state) expose(c *instructions.ExposeCommand) error {
	for _, words := range c.Ports {
		specs, err := st.stage.file.lex.ProcessWords(words, st.env)
		if err != nil {
			return err
		}
		for _, spec := range specs {
			first, last, protocol, err := parsePorts(spec)
			if err != nil {
				return problem(c.Location(), "EXPOSE %s: %w", spec, err)
			}
			for port := first; port <= last; port++ {
				setKey(&st.config.ExposedPorts, fmt.Sprintf("%d/%s", port, protocol), struct{}{})
			}
		}
	}
	return nil
}

// parsePorts reads PORT or FIRST-LAST, with an optional /PROTOCOL.
func parsePorts(spec string) (first, last uint64, protocol string, err error) {
	ports, protocol, has := strings.Cut(spec, "/")
	if !has {
		protocol = "tcp"
	}
	protocol = strings.ToLower(protocol)
	if protocol != "tcp" && protocol != "udp" && protocol != "sctp" {
		return 0, 0, "", fmt.Errorf("the protocol is %q, expected tcp, udp or sctp", protocol)
	}
	from, to, isRange := strings.Cut(ports, "-")
	if !isRange {
		to = from
	}
	first, err1 := strconv.ParseUint(from, 10, 16)
	last, err2 := strconv.ParseUint(to, 10, 16)
	if err1 != nil || err2 != nil || last < first {
		return 0, 0, "", fmt.Errorf("%q is no port and no range of ports, expected 8080 or 8000-8010", ports)
	}
	return first, last, protocol, nil
}
