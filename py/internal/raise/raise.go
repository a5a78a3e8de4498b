// Package raise makes the errors that become Python exceptions. Packages that
// know nothing of the machine return them; the machine turns them into
// instances of the class that they name.
package raise

import "fmt"

// Error is a Python exception on its way to the program.
type Error struct {
	Class   string // of a built-in exception: "ValueError"
	Message string // exactly CPython's
}

// Error returns the exception as the last line of a traceback shows it.
func (e *Error) Error() string { return e.Class + ": " + e.Message }

// New returns an exception of the named class.
func New(class, format string, args ...any) error {
	return &Error{class, fmt.Sprintf(format, args...)}
}

// Type returns a TypeError.
func Type(format string, args ...any) error { return New("TypeError", format, args...) }

// Value returns a ValueError.
func Value(format string, args ...any) error { return New("ValueError", format, args...) }

// Index returns an IndexError.
func Index(format string, args ...any) error { return New("IndexError", format, args...) }

// Overflow returns an OverflowError.
func Overflow(format string, args ...any) error { return New("OverflowError", format, args...) }

// ZeroDivision returns a ZeroDivisionError.
func ZeroDivision(format string, args ...any) error {
	return New("ZeroDivisionError", format, args...)
}

// Attribute returns an AttributeError.
func Attribute(format string, args ...any) error { return New("AttributeError", format, args...) }

// Runtime returns a RuntimeError.
func Runtime(format string, args ...any) error { return New("RuntimeError", format, args...) }
