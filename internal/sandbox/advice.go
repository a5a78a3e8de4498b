package sandbox

import (
	"regexp"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
)

// advise gives an error the hint that its exception suggests. Its reader, often a
// model, should know what to change.
func (a *attempt) advise(err error) error {
	e := api.AsError(err)
	if e == nil || e.Details.Exception == nil {
		return err
	}
	x := e.Details.Exception
	file := a.task.SourceName()
	switch module := missingModule(x); {
	case importsItself(x.Message, file):
		return e.WithHint("the script itself is called %s and hides the module of that name: set another file name", file)
	case module != "" && a.task.Image.Ref != "":
		return e.WithHint("use an image that has the module %s, or none, and add the package to packages", module)
	case module != "":
		return e.WithHint("add the package that has the module %s to packages (-p %s, if it has the same name)", module, module)
	case a.task.Network.None() && lacksNetwork(x):
		return e.WithHint("the run has no network: allow the domains that it needs (--network example.com, or network=[\"example.com\"] in Python), or pass the data as an input")
	}
	return e
}

// missingModule returns the top-level module that an import did not find.
func missingModule(x *api.Exception) string {
	match := regexp.MustCompile(`^No module named '([A-Za-z_][A-Za-z0-9_]{0,99})`).FindStringSubmatch(x.Message)
	if x.Type != "ModuleNotFoundError" || match == nil {
		return ""
	}
	return match[1]
}

// importsItself recognises what Python says, before and since 3.13, when a
// script has the name of a module that it imports.
func importsItself(message, file string) bool {
	module := strings.TrimSuffix(file, ".py")
	return strings.Contains(message, "partially initialized module '"+module+"'") ||
		strings.Contains(message, "consider renaming '"+layout.Work+"/"+file+"'")
}

// lacksNetwork recognises what programs say when there is no network.
func lacksNetwork(x *api.Exception) bool {
	for _, sign := range []string{
		"name resolution", "Name or service not known", "Network is unreachable", "Failed to resolve", "nodename nor servname",
	} {
		if strings.Contains(x.Message, sign) {
			return true
		}
	}
	return false
}
