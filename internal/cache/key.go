package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// keyVersion changes when the meaning of a part does, so that no old entry
// answers under a new meaning.
const keyVersion = "2"

// maxShown is the longest value that a part shows as it is, in bytes. A longer
// one is shown by its digest.
const maxShown = 80

// Key identifies a result by everything that can change it.
type Key struct {
	Digest string
	Parts  []api.CachePart // what it is made of, in a fixed order
}

// NewKey returns the key of a task with given inputs. Identity is what the
// runner of the kind says beside them, such as the digest of the image. Inputs
// are complete, and their files have digests.
//
// What the program can see of its limits is in the key: the resources of a
// cell, and how deep an orchestrator may call. So is the name of its source,
// which it sees in sys.argv and tracebacks.
//
// Not in the key are the name of a task that shows it to no program, its
// description, the paths of files, retries and idempotency, which do not reach
// the program; and time and other limits, which decide whether there is a result
// and not which: only successes are kept, and a run that succeeded does so under
// any limits that suffice.
func NewKey(task *api.Task, identity string, inputs value.Fields) (Key, error) {
	p := program(task)
	for _, param := range task.Signature.Inputs {
		text, err := inputValue(task, param, inputs)
		if err != nil {
			return Key{}, err
		}
		p.addJoined("input "+param.Name, param.Type.String()+" ", text)
	}
	p.surroundings(task, identity)
	return Key{Digest: p.digest(), Parts: p}, nil
}

// Of returns the key for the runs of an owner, which no run of another answers. Empty is
// the home itself.
func (k Key) Of(owner string) Key {
	if owner == "" {
		return k
	}
	p := parts(slices.Clone(k.Parts))
	p.add("owner", owner)
	return Key{Digest: p.digest(), Parts: p}
}

// OwnedTask is the name of a task among those of all owners.
func OwnedTask(owner, task string) string {
	if owner == "" {
		return task
	}
	return owner + "/" + task // no name of a task has a slash
}

type parts []api.CachePart

// add adds a part. A value that looks like a digest is shown by its own, so
// that no two values have one form.
func (p *parts) add(name, value string) {
	if len(value) > maxShown || strings.HasPrefix(value, "sha256:") {
		value = api.DigestOf([]byte(value))
	}
	*p = append(*p, api.CachePart{Name: name, Value: value})
}

// addJoined is add of two texts, of which one may be long.
func (p *parts) addJoined(name, begin string, text []byte) {
	if len(begin)+len(text) <= maxShown {
		p.add(name, begin+string(text))
		return
	}
	sum := sha256.New()
	sum.Write([]byte(begin))
	sum.Write(text)
	*p = append(*p, api.CachePart{Name: name, Value: "sha256:" + hex.EncodeToString(sum.Sum(nil))})
}

// addHidden adds a part that is shown by its digest in any case.
func (p *parts) addHidden(name, value string) { p.add(name, "sha256:"+value) }

// digest writes every word with its length before it, so that no two lists of
// parts are one text.
func (p parts) digest() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "glovebox cache key %s\n", keyVersion)
	for _, part := range p {
		fmt.Fprintf(sum, "%d:%s%d:%s\n", len(part.Name), part.Name, len(part.Value), part.Value)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// program is what runs, and what it must give.
func program(task *api.Task) parts {
	var p parts
	p.add("kind", string(task.KindOf()))
	if task.KindOf() == api.KindSandbox {
		p.add("mode", string(task.Mode()))
		p.add("command", fmt.Sprintf("%q", task.Command))
		p.add("arguments", fmt.Sprintf("%q", task.Arguments))
	}
	if task.Code != "" {
		p.add("source", task.SourceName())
		p.addHidden("code", task.Code)
	}
	if len(task.Preload) > 0 { // what is imported first can change what the rest does
		p.add("preload", fmt.Sprintf("%q", task.Preload))
	}
	p.optional("stdin", task.Stdin)
	if task.Report { // a result without one is no answer; without it, the keys of before hold
		p.add("report", "true")
	}
	if task.Function != nil {
		p.add("function", task.Function.ID)
	}
	if o := task.Orchestrator; o != nil {
		p.orchestrator(o)
	}
	if m := task.Model; m != nil {
		p.add("model", m.Protocol+" "+m.Name+" "+m.BaseURL)
	}
	if a := task.Agent; a != nil {
		p.agent(a)
	}
	if c := task.Codegen; c != nil {
		p.codegen(c)
	}
	if m := task.MCP; m != nil {
		p.mcp(m)
	}
	for _, param := range task.Signature.Outputs {
		p.add("output "+param.Name, param.Type.String())
	}
	return p
}

func (p *parts) orchestrator(o *api.Orchestrator) {
	p.add("dialect", cmp.Or(o.Dialect, "strict"))
	p.add("type check", fmt.Sprint(!o.SkipTypeCheck))
	p.optional("clock", string(o.Clock))
	p.optional("random", string(o.Random))
	if o.Limits.Depth > 0 { // code can catch its RecursionError
		p.add("depth", fmt.Sprint(o.Limits.Depth))
	}
	tools := slices.SortedStableFunc(slices.Values(o.Tools), func(a, b api.Task) int { return cmp.Compare(a.Name, b.Name) })
	for i := range tools {
		p.addHidden("tool "+tools[i].Name, definition(&tools[i]))
	}
}

// agent leaves budgets out: an agent that goes over one has no result.
func (p *parts) agent(a *api.Agent) {
	p.addHidden("model", definition(&a.Model))
	p.addHidden("instructions", a.Instructions)
	p.add("agent", string(cmp.Or(a.Mode, api.CodeAgent)))
	if a.Streaming { // without it, the keys of before hold
		p.add("streaming", "true")
	}
	p.add("turns", fmt.Sprint(cmp.Or(a.MaxTurns, api.DefaultMaxTurns)))
	if a.Approval != nil {
		p.addHidden("approval", definition(a.Approval))
		p.add("approve", fmt.Sprintf("%q", a.Approve))
	}
}

// codegen leaves budgets out, as agent does: what went over one is not kept.
func (p *parts) codegen(c *api.Codegen) {
	p.addHidden("model", definition(&c.Model))
	p.addHidden("script", definition(&c.Script))
	p.addHidden("instructions", c.Instructions)
	p.addHidden("schema", c.Schema)
	p.addHidden("constraints", fmt.Sprintf("%q", c.Constraints))
	p.add("samples", fmt.Sprintf("%s %d", cmp.Or(c.Samples, api.SampleRows), cmp.Or(c.SampleRows, api.DefaultSampleRows)))
	p.add("tests", fmt.Sprint(!c.SkipTests))
	p.add("iterations", fmt.Sprint(cmp.Or(c.MaxIterations, api.DefaultMaxIterations)))
	p.add("candidates", fmt.Sprint(max(c.Candidates, 1)))
	if c.MaxTokens > 0 {
		p.add("tokens of an answer", fmt.Sprint(c.MaxTokens))
	}
	if c.Temperature != nil {
		p.add("temperature", fmt.Sprint(*c.Temperature))
	}
	if c.Backend == api.BackendClaude { // without it, the keys of before hold
		p.add("backend", string(c.Backend))
		p.add("turns of the agent", fmt.Sprint(cmp.Or(c.AgentTurns, api.DefaultAgentTurns)))
		p.image("agent ", c.AgentImage)
	}
}

// mcp hides what people may have put a secret into.
func (p *parts) mcp(m *api.MCPTool) {
	s := m.Server
	p.add("tool of the server", m.Tool)
	p.add("answer", string(cmp.Or(m.Answer, api.MCPText)))
	for _, name := range slices.Sorted(maps.Keys(m.Arguments)) {
		p.add("argument "+name, m.Arguments[name])
	}
	p.addHidden("server", fmt.Sprintf("%q %q %t", s.URL, s.Command, s.Host))
	p.optional("token", s.Token)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		p.addHidden("env "+name, s.Env[name])
	}
	for _, secret := range secrets(s.Secrets) {
		p.add("secret", secret)
	}
	if len(s.Command) > 0 && !s.Host {
		p.add("network", network(s.Network))
		p.image("", s.Image)
	}
}

// optional adds what few tasks have.
func (p *parts) optional(name, value string) {
	if value != "" {
		p.add(name, value)
	}
}

// definition identifies a task by what it does, whatever its inputs will be.
func definition(task *api.Task) string {
	p := program(task)
	for _, param := range task.Signature.Inputs {
		value := param.Type.String()
		if param.Default != nil {
			value += " = " + string(param.Default)
		}
		p.add("input "+param.Name, value)
	}
	p.surroundings(task, "")
	return p.digest()
}

// surroundings are what the program finds around it, of which only a cell has
// all. Values of variables are never shown: people put secrets there.
func (p *parts) surroundings(task *api.Task, identity string) {
	for _, name := range slices.Sorted(maps.Keys(task.Env)) {
		p.addHidden("env "+name, task.Env[name])
	}
	for _, secret := range secrets(task.Secrets) {
		p.add("secret", secret)
	}
	switch task.KindOf() {
	case api.KindSandbox:
		p.cell(task, identity)
	case api.KindOrchestrator, api.KindAgent, api.KindCodegen:
		p.optional("interpreter, and images of tools", identity)
	}
}

func (p *parts) cell(task *api.Task, identity string) {
	p.add("network", network(task.Network))
	if task.StartsRuns {
		p.add("starts runs", "true")
	}
	if task.Asks != nil {
		p.add("asks", fmt.Sprintf("%s %s %s", task.Asks.Model.Protocol, task.Asks.Model.BaseURL, task.Asks.Model.Name))
	}
	r := task.Resources.WithDefaults()
	p.add("cpu", fmt.Sprint(r.CPU))
	for _, part := range []struct {
		name  string
		value int64
	}{{"memory", r.Memory}, {"disk", r.Disk}, {"pids", int64(r.PIDs)}, {"open files", int64(r.OpenFiles)}} {
		p.add(part.name, fmt.Sprint(part.value))
	}
	p.image(identity, task.Image)
}

// image shows a digest as it is, for that is how images are named.
func (p *parts) image(identity string, spec api.ImageSpec) {
	if identity == "" {
		identity = "spec " + api.DigestOf([]byte(imageSpec(spec)))
	}
	if len(identity) > maxShown {
		identity = api.DigestOf([]byte(identity))
	}
	*p = append(*p, api.CachePart{Name: "image", Value: identity})
}

// secrets says which secrets a task is given, and where. The order does not
// count, and neither do the values, which must not be derivable from a key.
func secrets(refs []api.SecretRef) []string {
	var words []string
	for _, s := range refs {
		word := fmt.Sprintf("%q as file %q", s.Name, cmp.Or(s.File, s.Name))
		if s.Env != "" {
			word = fmt.Sprintf("%q as variable %q", s.Name, s.Env)
		}
		if s.Withheld() {
			word += fmt.Sprintf(" for %q by %q, allowed %q, sizes %d and %d", s.Hosts, s.Inject, s.Allow, s.MaxRequest, s.MaxResponse)
		}
		words = append(words, word)
	}
	slices.Sort(words)
	return words
}

func network(n api.Network) string {
	if n.None() {
		return "none"
	}
	allow := slices.Compact(slices.Sorted(slices.Values(n.Allow)))
	text := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%q", allow), "["), "]")
	if n.Public {
		text = strings.TrimSpace("public " + text)
	}
	return text
}

// imageSpec stands for the image of a tool, which is not built yet. Where the
// image is kept, and as what, changes nothing.
func imageSpec(spec api.ImageSpec) string {
	spec.Name, spec.Registry, spec.RegistrySecret = "", "", ""
	text, err := json.Marshal(spec)
	if err != nil { // only strings: nothing that can fail
		panic(fmt.Sprintf("encoding an image: %v", err))
	}
	return string(text)
}

// inputValue writes an input by its content.
func inputValue(task *api.Task, param value.Param, inputs value.Fields) ([]byte, error) {
	if !inputs.HoldsFiles(param.Name) {
		if text, ok := inputs.ValueJSON(param.Name, param.Type); ok {
			return text, nil
		}
	}
	v, ok := inputs.Value(param.Name)
	if !ok {
		return nil, api.Errorf(api.InvalidInput, "input %s is missing", param.Name).
			WithDetails(api.Details{Field: param.Name, Expected: param.Type.String(), Got: "nothing"})
	}
	v, err := value.Normalize(param.Type, v)
	if err == nil {
		v, err = value.MapFiles(v, byContent(task, v))
	}
	if err != nil {
		return nil, api.BadValue(api.InvalidInput, "input", param.Name, err)
	}
	text, err := value.EncodeJSON(param.Type, v)
	if err != nil {
		return nil, api.BadValue(api.InvalidInput, "input", param.Name, err)
	}
	return text, nil
}

// byContent replaces a file in v by one that its content decides, and its name
// unless nobody sees that: in a cell, a file that is the whole input is called
// as the input. Only a cell with a way to the engine can ask for its name.
func byContent(task *api.Task, v any) func(file any) (any, error) {
	_, alone := value.RefOf(v)
	unseen := alone && task.KindOf() == api.KindSandbox && !task.StartsRuns
	return func(file any) (any, error) {
		ref, _ := value.RefOf(file)
		if ref.SHA256 == "" {
			return nil, &value.Error{Expected: "a file with its digest", Got: "one without"}
		}
		name := path.Base(ref.Path)
		if unseen {
			name = "file"
		}
		switch file := file.(type) {
		case value.Dir:
			return value.Dir{Path: name, SHA256: ref.SHA256}, nil
		case value.DataFrame:
			return value.DataFrame{Path: name, Format: file.Format, SHA256: ref.SHA256}, nil
		}
		return value.File{Path: name, SHA256: ref.SHA256}, nil
	}
}
