package app

import "os"

// ResultDir returns the directory of output files in the home of this user,
// for who speaks to a server and wants to keep what its runs give. Prune bounds
// it.
func ResultDir() (string, error) {
	home, err := findHome("", os.Getenv)
	if err != nil {
		return "", err
	}
	return (&App{Home: home}).runs(), prepareHome(home)
}
