// Package modules has the modules that are written in Go: re, math, struct, zlib
// and the like, and the native halves of json, datetime, decimal, random and
// others, whose public halves are in py/lib.
//
// # How a module is made
//
// Define is the table of all modules. A define function registers one:
//
//	func defineHTML(r *machine.Registry) {
//		r.Module("_html", func(mod *machine.ModuleBuilder) {
//			mod.Counted("entity", 1, 1, entity)
//		})
//	}
//
// Counted and CountedKw check the number of arguments; the arguments of a Function
// are anything, and it takes them by Args.Bind, which has CPython's messages. A
// function has the form
//
//	func(m *machine.Machine, a machine.Args) (machine.Value, error)
//
// and works in four steps: it takes its arguments (Args.Arg, machine.Plain for
// the built-in part of a subclass, machine.WantStr, Machine.OptionalInt), pays
// (Machine.Alloc before memory, Machine.Work for time; a package of one subject
// such as regex does both through its budget.Meter), computes, and makes its
// result by a method of Machine (Str, Bytes, BigInt, NewTuple, NewDict, ...). An
// error of package raise becomes the exception of that name; every other error
// of the machine must be returned as it is.
//
// Methods for the classes of bundled modules (date, timedelta, Decimal) are Swift:
// Go does what is usual, and leaves everything else to a method in Python by
// returning ok = false.
//
// # Calls of the program
//
// A function never calls code of the program. As its last act it may return
// m.Then(fn, args...), which puts a call in its place. When a function meets an
// object that only code of the program can convert or iterate over, the machine
// says ErrForeign, and the function hands the whole call to a function of
// the prelude by m.Then(m.Intrinsic(name), ...).
//
// # State and snapshots
//
// Objects of a module are machine.Boxed: Size is charged, Each is traced, Save is
// what a snapshot keeps, and the function that Registry.Unboxer got makes the
// object again. It checks all it reads, since anyone may have written a snapshot.
// State that a module keeps for a program, such as compiled patterns, is a
// machine.State under a machine.StateKey; snapshots leave it out.
//
// Package variables are immutable after Define: programs share them.
//
// # Reading order
//
// math.go is the simplest module; random.go is one with objects; re.go to
// re_scanner.go are the largest. json_read.go and json_write.go show how a function
// continues after calls of the program. moments.go to datetimes.go and decimal*.go
// are swift methods.
package modules

import "github.com/glovebox-dev/glovebox/py/internal/machine"

// Define registers all native modules. The composition passes it to
// machine.Boot.
func Define(r *machine.Registry) {
	for _, define := range []func(*machine.Registry){
		defineAST, defineBase64, defineCalendar, defineDecimal, defineHashlib, defineHTML, defineJSON, defineMath,
		defineRandom, defineRe, defineStruct, defineTime, defineUnicodedata, defineZlib, defineZones,
	} {
		define(r)
	}
}
