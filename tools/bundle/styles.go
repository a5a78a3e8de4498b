package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// The policy of the page takes style elements with the nonce of the answer alone, and no
// style attributes. xterm.js knows neither, so the few places where it makes one
// are changed: an element gets the nonce of the script, and an attribute is set
// as a property.
const (
	element      = "createElement('style')"
	elementNonce = "createElement('style'), { nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '' })"
	attribute    = "element.setAttribute('style', `${element.getAttribute('style') || ''}${style};`)"
	property     = "element.style.cssText += `${style};`"
)

// changes are by file how often which text is in it. Another count ends the build: a new
// version has to be looked at.
var changes = map[string][]change{
	"browser/renderer/dom/DomRenderer.ts":           {{"this._document." + element, "Object.assign(this._document." + elementNonce, 2}},
	"browser/renderer/dom/DomRendererRowFactory.ts": {{attribute, property, 1}},
	"browser/Viewport.ts":                           {{"coreBrowserService.mainDocument." + element, "Object.assign(coreBrowserService.mainDocument." + elementNonce, 1}},
	"vs/base/browser/dom.ts":                        {{"document." + element, "Object.assign(document." + elementNonce, 1}},
}

type change struct {
	from, to string
	count    int
}

// styles changes the sources of xterm.js while they are read.
func styles() api.Plugin {
	return api.Plugin{Name: "styles", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `/xterm/src/.*\.ts$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			read, err := os.ReadFile(args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			_, name, _ := strings.Cut(filepath.ToSlash(args.Path), "/xterm/src/")
			text, err := changed(string(read), changes[name])
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderTS}, err
		})
	}}
}

func changed(text string, all []change) (string, error) {
	rest := text
	for _, c := range all {
		if n := strings.Count(text, c.from); n != c.count {
			return "", fmt.Errorf("%q is there %d times, expected %d", c.from, n, c.count)
		}
		text, rest = strings.ReplaceAll(text, c.from, c.to), strings.ReplaceAll(rest, c.from, "")
	}
	if strings.Contains(rest, element) || strings.Contains(rest, "setAttribute('style'") {
		return "", fmt.Errorf("there is a new place that makes a style")
	}
	return text, nil
}
