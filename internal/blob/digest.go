package blob

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// CheckDigest returns ErrDigest unless s is a digest. Only then may it become
// part of a path or an address.
func CheckDigest(s string) error {
	if len(s) != 2*sha256.Size || strings.Trim(s, "0123456789abcdef") != "" {
		return fmt.Errorf("%.80q: %w", s, ErrDigest)
	}
	return nil
}
