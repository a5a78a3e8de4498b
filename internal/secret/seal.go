package secret

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
)

// A sealed secret is the header, a random nonce of 12 bytes, the encrypted
// value and a tag of 16 bytes. The header and the name are authenticated, so a
// file that is renamed to another secret does not open.
const header = "glovebox secret 1\n"

// overhead is what a sealed secret is larger than its value, in bytes.
const overhead = int64(len(header)) + 12 + 16

func seal(key []byte, name string, value []byte) ([]byte, error) {
	aead, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	return aead.Seal([]byte(header), nil, value, []byte(header+name)), nil
}

func unseal(key []byte, name string, sealed []byte) ([]byte, error) {
	aead, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutPrefix(sealed, []byte(header))
	if !ok {
		return nil, damaged(name)
	}
	value, err := aead.Open(nil, nil, body, []byte(header+name))
	if err != nil {
		return nil, damaged(name)
	}
	return value, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, unreadable("the key of the secret store cannot be used: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func damaged(name string) error {
	return unreadable("the secret %q was changed on disk, cut short, or stored under another key", name).
		WithHint("store it again with: glovebox secret set %s", name)
}
