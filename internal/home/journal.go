package home

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// ID tells this home from others, and is no secret.
func (d Dir) ID() (string, error) {
	key, err := d.sharedKey("home.id")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(key)
	return "home-" + hex.EncodeToString(sum[:10]), nil
}

// JournalPlace says where the journal of this home is, without a user and a password,
// or "" if it is the file of Database.
func (d Dir) JournalPlace() (string, error) { return d.place("journal") }

// SetJournalPlace notes where the journal of this home is; "" is the file of Database.
func (d Dir) SetJournalPlace(place string) error { return d.setPlace("journal", place) }

// BlobsPlace says where the blobs of this home are, or "" if they are in Blobs.
func (d Dir) BlobsPlace() (string, error) { return d.place("blobs.place") }

// SetBlobsPlace notes where the blobs of this home are; "" is Blobs.
func (d Dir) SetBlobsPlace(place string) error { return d.setPlace("blobs.place", place) }

// place reads a file that says where something is that is not in the home.
func (d Dir) place(name string) (string, error) {
	text, err := os.ReadFile(d.Below(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", Error(d.Below(name), err)
	}
	return strings.TrimSpace(string(text)), nil
}

func (d Dir) setPlace(name, place string) error {
	if place != "" {
		return writeKey(d.Below(name), []byte(place+"\n"))
	}
	if err := os.Remove(d.Below(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Error(d.Below(name), err)
	}
	return nil
}
