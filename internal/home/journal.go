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

func (d Dir) journalFile() string { return d.Below("journal") }

// JournalPlace says where the journal of this home is, without a user and a password,
// or "" if it is the file of Database.
func (d Dir) JournalPlace() (string, error) {
	text, err := os.ReadFile(d.journalFile())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", Error(d.journalFile(), err)
	}
	return strings.TrimSpace(string(text)), nil
}

// SetJournalPlace notes where the journal of this home is; "" is the file of Database.
func (d Dir) SetJournalPlace(place string) error {
	if place != "" {
		return writeKey(d.journalFile(), []byte(place+"\n"))
	}
	if err := os.Remove(d.journalFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Error(d.journalFile(), err)
	}
	return nil
}
