package catalog

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// The bounds of a reference.
const (
	maxName    = 128 // bytes
	maxVersion = 1_000_000_000
)

// ParseRef reads NAME or NAME@VERSION. Version 0 stands for the current one.
func ParseRef(ref string) (name string, version int, err error) {
	name, number, numbered := strings.Cut(ref, "@")
	if !ValidName(name) {
		return "", 0, badRef(ref)
	}
	if !numbered {
		return name, 0, nil
	}
	version, err = strconv.Atoi(number)
	if err != nil || strconv.Itoa(version) != number || checkVersion(version) != nil {
		return "", 0, badRef(ref)
	}
	return name, version, nil
}

// Ref writes what ParseRef reads.
func Ref(name string, version int) string { return name + "@" + strconv.Itoa(version) }

// ValidName reports whether s can name a task or an environment.
func ValidName(s string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	return s != "" && len(s) <= maxName && s != "." && s != ".." && s[0] != '-' && strings.Trim(s, allowed) == ""
}

const nameForm = "at most 128 letters, digits, '.', '_' and '-', not beginning with '-'"

func badRef(ref string) error {
	return api.Errorf(api.RequestInvalid, "%.200q is no NAME or NAME@VERSION", ref).
		WithHint("use a name of " + nameForm + ", and a version that counts from 1").
		WithDetails(api.Details{Field: "ref", Got: strconv.QuoteToASCII(ref[:min(len(ref), 200)]), Expected: "NAME or NAME@VERSION"})
}

func checkName(name string) error {
	if ValidName(name) {
		return nil
	}
	return api.Errorf(api.RequestInvalid, "%.200q is no name", name).WithHint("use " + nameForm).
		WithDetails(api.Details{Field: "name", Got: strconv.QuoteToASCII(name[:min(len(name), 200)]), Expected: nameForm})
}

func checkVersion(version int) error {
	if version >= 1 && version <= maxVersion {
		return nil
	}
	return api.Errorf(api.RequestInvalid, "%d is no version", version).
		WithDetails(api.Details{Field: "version", Got: strconv.Itoa(version), Expected: "a number from 1 on"})
}
