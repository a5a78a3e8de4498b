package guest

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// userAttribute is the prefix of extended attributes that users may set.
const userAttribute = "user."

// maxAttributes bounds what is said of the attributes of a file, in bytes.
const maxAttributes = 8 << 10

// attributes returns the extended attributes of a file below user.; those that
// cannot be read are left out.
func attributes(path string) map[string]wire.Text {
	var found map[string]wire.Text
	size := 0
	for _, name := range attributeNames(path) {
		value, err := attribute(path, userAttribute+name)
		if size += len(name) + len(value); err != nil || size > maxAttributes {
			continue
		}
		if found == nil {
			found = make(map[string]wire.Text)
		}
		found[name] = wire.Text(value)
	}
	return found
}

func attributeNames(path string) []string {
	size, err := unix.Llistxattr(path, nil)
	if err != nil || size == 0 {
		return nil
	}
	buf := make([]byte, size)
	if size, err = unix.Llistxattr(path, buf); err != nil {
		return nil
	}
	var names []string
	for name := range strings.SplitSeq(string(buf[:size]), "\x00") {
		if name, is := strings.CutPrefix(name, userAttribute); is {
			names = append(names, name)
		}
	}
	return names
}

func attribute(path, name string) ([]byte, error) {
	buf := make([]byte, maxAttributes)
	n, err := unix.Lgetxattr(path, name, buf)
	return buf[:max(0, n)], err
}

// replaceAttributes makes these the attributes of a file below user.
func replaceAttributes(path string, wanted map[string]wire.Text) error {
	for _, name := range attributeNames(path) {
		if _, stays := wanted[name]; stays {
			continue
		}
		if err := unix.Removexattr(path, userAttribute+name); err != nil && !errors.Is(err, unix.ENODATA) {
			return &os.PathError{Op: "removexattr", Path: path, Err: err}
		}
	}
	size := 0
	for name, value := range wanted {
		if size += len(name) + len(value); size > maxAttributes {
			return failure{wire.CodeRequestInvalid, "attributes", fmt.Sprintf("the attributes have more than %d bytes", maxAttributes)}
		}
		if err := unix.Setxattr(path, userAttribute+name, []byte(value), 0); err != nil {
			return &os.PathError{Op: "setxattr", Path: path, Err: err}
		}
	}
	return nil
}
