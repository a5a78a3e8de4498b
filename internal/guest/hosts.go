package guest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// hostsFile has the names of addresses that need no resolver, which no cell has. An
// image leaves it to whoever runs it.
const hostsFile = "/etc/hosts"

// maxHosts bounds what is read of it, in bytes.
const maxHosts = 64 << 10

// hosts knows what the guest has written to it.
type hosts struct {
	own     string // what the image has
	written string
}

// name gives names to the loopback, unless the image does.
func (h *hosts) name() error {
	own, err := readHosts()
	if err != nil || strings.Contains(own, "localhost") {
		return err
	}
	if own != "" && !strings.HasSuffix(own, "\n") {
		own += "\n"
	}
	h.own = own
	return h.write()
}

func (h *hosts) write() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	h.written = h.own + "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n127.0.1.1\t" + host + "\n"
	if err := os.MkdirAll("/etc", 0o755); err != nil {
		return err
	}
	// Not by a new file in its place, whose first name would be in the layer as gone.
	fd, err := unix.Open(hostsFile, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), hostsFile)
	_, err = f.WriteString(h.written)
	return errors.Join(err, f.Close())
}

// renew writes the name that the cell has now, if the file is as it was written.
func (h *hosts) renew() error {
	now, err := readHosts()
	if err != nil || h.written == "" || now != h.written {
		return err
	}
	return h.write()
}

// readHosts returns what is there, or nothing where there is no such file.
func readHosts() (string, error) {
	fd, err := unix.Open(hostsFile, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		if err == unix.ENOENT {
			return "", nil
		}
		return "", err
	}
	f := os.NewFile(uintptr(fd), hostsFile)
	defer f.Close()
	var text bytes.Buffer
	_, err = io.CopyN(&text, f, maxHosts)
	if err == io.EOF {
		err = nil
	}
	return text.String(), err
}
