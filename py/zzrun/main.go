package main

import (
	"context"
	"fmt"
	"os"

	"github.com/glovebox-dev/glovebox/py"
)

func main() {
	for _, f := range os.Args[1:] {
		b, err := os.ReadFile(f)
		if err != nil {
			panic(err)
		}
		o := py.Options{Dialect: py.Extended}
		problems, err := py.Check(string(b), o)
		for _, p := range problems {
			fmt.Fprintln(os.Stderr, "check:", p)
		}
		program, err := py.Compile(string(b), o)
		if err != nil {
			fmt.Println(err)
			continue
		}
		s, err := program.Start(context.Background(), nil, py.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Print(s.Output())
		if _, err := s.Result(); err != nil {
			fmt.Printf("ERR %v\n", err)
			if e, ok := err.(*py.Exception); ok {
				for _, l := range e.Lines {
					fmt.Println("   ", l)
				}
			}
		}
	}
}
