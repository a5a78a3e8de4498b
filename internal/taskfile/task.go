package taskfile

import (
	"maps"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// maxTasks bounds the tasks of a file, and maxName the name of each.
const (
	maxTasks = 1000
	maxName  = 60
)

// draft is a task whose tools are not put in yet.
type draft struct {
	api.Task
	at    node // its name in the file
	tools []toolName
	asked asked // by an agent or a generation
}

// toolName is a tool that an orchestrator or an agent asks for.
type toolName struct {
	name string
	at   node
}

// tasks reads all tasks and gives orchestrators their tools. Servers of tools are
// asked when nothing else is wrong in the file.
func (r *reader) tasks(common api.Task, n, servers node) []api.Task {
	drafts, names := r.drafts(common, n)
	names = append(names, r.addMCPTools(r.mcpServers(servers, common), drafts)...)
	g := &grants{reader: r, drafts: drafts, done: map[string]granted{}}
	list := make([]api.Task, 0, len(names))
	for _, name := range names {
		if r.Err == nil {
			list = append(list, g.complete(name.name, name.at).task)
		}
	}
	return list
}

// drafts reads the tasks that the file describes, and returns their names in order.
func (r *reader) drafts(common api.Task, n node) (map[string]*draft, []toolName) {
	drafts := map[string]*draft{}
	if n == nil || r.Err != nil {
		return drafts, nil
	}
	pairs := r.Pairs(n, "tasks")
	if r.Err == nil && (len(pairs) == 0 || len(pairs) > maxTasks) {
		r.Fail(n, "a file has 1 to %d tasks, this one has %d", maxTasks, len(pairs))
	}
	names := make([]toolName, 0, len(pairs))
	for _, p := range pairs {
		if r.Err != nil {
			return drafts, nil
		}
		drafts[p.Key] = r.task(common, p)
		names = append(names, toolName{p.Key, p.At})
	}
	return drafts, names
}

// task reads one task over the defaults of the environment.
func (r *reader) task(common api.Task, p yamlfile.Pair) *draft {
	d := &draft{at: p.At}
	d.Name, d.Kind = p.Key, r.kind(p.Value)
	r.checkName(p.At, p.Key)
	if r.Err != nil {
		return d
	}
	if !d.Kind.CallsTools() && d.Kind != api.KindSignal {
		d.Timeout, d.Retries, d.Cache = common.Timeout, common.Retries, common.Cache
	}
	known := r.commonFields(d)
	switch d.Kind {
	case api.KindSignal:
		known = r.signalFields(d, known)
	case api.KindSandbox:
		inherit(&d.Task, common)
		maps.Copy(known, r.sandboxFields(&d.Task))
	case api.KindOrchestrator:
		maps.Copy(known, r.orchestratorFields(d))
	case api.KindFunction:
		d.Function = &api.Function{}
		known["id"] = func(n node) { d.Function.ID = r.Str(n) }
	case api.KindModel:
		maps.Copy(known, r.modelFields(&d.Task))
	case api.KindAgent:
		maps.Copy(known, r.agentFields(d))
	case api.KindCodegen:
		maps.Copy(known, r.codegenFields(d, common))
	}
	r.Object(p.Value, "task "+p.Key+", which is of kind "+string(d.Kind)+",", known)
	if d.Kind == api.KindSandbox && d.Code != "" && d.Preload == nil { // commands import nothing
		d.Preload = common.Preload
	}
	switch d.Kind {
	case api.KindAgent:
		r.completeAgent(d)
	case api.KindCodegen:
		r.completeCodegen(d)
	}
	if r.Err == nil {
		r.check(d)
	}
	return d
}

// inherit takes over what tasks in cells have in common.
func inherit(t *api.Task, common api.Task) {
	t.Image, t.Resources, t.Network, t.Secrets = common.Image, common.Resources, common.Network, common.Secrets
	t.Env = maps.Clone(common.Env)
}

// kind reads the kind first, since it decides what else a task may have.
func (r *reader) kind(n node) api.TaskKind {
	for _, p := range r.Pairs(n, "a task") {
		if p.Key == "kind" {
			return api.TaskKind(r.oneOf(p.Value, string(api.KindSandbox), string(api.KindOrchestrator), string(api.KindFunction), string(api.KindModel), string(api.KindAgent), string(api.KindCodegen), string(api.KindSignal)))
		}
	}
	return api.KindSandbox
}

// commonFields are those of every kind.
func (r *reader) commonFields(d *draft) yamlfile.Fields {
	t := &d.Task
	return yamlfile.Fields{
		"kind":       func(node) {},
		"doc":        func(n node) { t.Doc = r.Str(n) },
		"inputs":     func(n node) { t.Signature.Inputs = r.params(n, "input") },
		"outputs":    func(n node) { r.outputs(t, n, r.params(n, "output")) },
		"output":     func(n node) { r.outputs(t, n, r.result(n)) },
		"async":      func(n node) { t.Signature.Async = r.boolean(n) },
		"timeout":    func(n node) { t.Timeout = r.duration(n) },
		"retries":    func(n node) { t.Retries = r.count(n) },
		"cache":      func(n node) { t.Cache = r.cache(n) },
		"idempotent": func(n node) { t.Idempotent = r.boolean(n) },
		"notify":     func(n node) { t.Notify = r.notify(n) },
		"labels":     func(n node) { t.Labels = r.labels(n) },

		"node_selector":  func(n node) { t.NodeSelector = r.nodeSelector(n) },
		"priority":       func(n node) { t.Priority = r.priority(n) },
		"max_concurrent": func(n node) { t.MaxConcurrent = r.count(n) },
		"approval":       func(n node) { t.Approval = r.approval(n) },
	}
}

func (r *reader) outputs(t *api.Task, n node, params []value.Param) {
	if t.Signature.Outputs != nil {
		r.Fail(n, "there is both output and outputs").WithHint("output: TYPE is short for outputs: {result: TYPE}")
		return
	}
	t.Signature.Outputs = params
}

// result is the only output of a task, by its type.
func (r *reader) result(n node) []value.Param {
	if kind := yamlfile.Describe(n); kind == "a mapping" || kind == "a list" {
		r.Fail(n, "output is the type of one value, such as int, got %s", kind).WithHint("name several under outputs: {NAME: TYPE}")
		return nil
	}
	return []value.Param{{Name: "result", Type: r.typ(n)}}
}

func (r *reader) cache(n node) api.CacheMode {
	return api.CacheMode(r.oneOf(n, string(api.CacheAuto), string(api.CacheOverride), string(api.CacheDisable)))
}

// sourceFields are those of kinds with code.
func (r *reader) sourceFields(t *api.Task) yamlfile.Fields {
	return yamlfile.Fields{
		"code": func(n node) { r.setCode(t, n, r.Str(n), "") },
		"file": func(n node) {
			code, name := r.source(n)
			r.setCode(t, n, code, name)
		},
	}
}

func (r *reader) setCode(t *api.Task, n node, code, name string) {
	switch {
	case r.Err != nil:
	case t.Code != "":
		r.Fail(n, "there is both code and file").WithHint("keep one of them")
	case strings.TrimSpace(code) == "":
		r.Fail(n, "there is no code in it")
	default:
		t.Code, t.File = code, name
	}
}

func (r *reader) sandboxFields(t *api.Task) yamlfile.Fields {
	known := yamlfile.Fields{
		"command":     func(n node) { t.Command = r.Words(n, "a command") },
		"arguments":   func(n node) { t.Arguments = r.Words(n, "arguments") },
		"stdin":       func(n node) { t.Stdin = r.Str(n) },
		"verbatim":    func(n node) { t.Verbatim = r.boolean(n) },
		"preload":     func(n node) { t.Preload = r.modules(n) },
		"limits":      func(n node) { r.runLimits(&t.Limits, n) },
		"starts_runs": func(n node) { t.StartsRuns = r.boolean(n) },
		"report":      func(n node) { t.Report = r.boolean(n) },
	}
	maps.Copy(known, r.sourceFields(t))
	maps.Copy(known, r.cellFields(t))
	return known
}

func (r *reader) orchestratorFields(d *draft) yamlfile.Fields {
	known := r.callerFields(d)
	known["skip_type_check"] = func(n node) { d.Orchestrator.SkipTypeCheck = r.boolean(n) }
	known["skip_check"] = func(n node) { d.Orchestrator.SkipCheck = r.boolean(n) }
	maps.Copy(known, r.sourceFields(&d.Task))
	return known
}

// callerFields are those of kinds that call tools by code.
func (r *reader) callerFields(d *draft) yamlfile.Fields {
	o := &api.Orchestrator{}
	d.Orchestrator = o
	return yamlfile.Fields{
		"dialect": func(n node) { o.Dialect = r.oneOf(n, "strict", "extended") },
		"limits":  func(n node) { r.orchestratorLimits(&o.Limits, n) },
		"clock":   func(n node) { o.Clock = api.Clock(r.Str(n)); r.refuse(n, o.Clock.Check()) },
		"random":  func(n node) { o.Random = api.Random(r.Str(n)); r.refuse(n, o.Random.Check()) },
		"tools":   func(n node) { d.tools = r.names(n, "tools") },
	}
}

// names reads a list of names of tasks.
func (r *reader) names(n node, what string) []toolName {
	var names []toolName
	for _, item := range r.Items(n, what) {
		names = append(names, toolName{r.Str(item), item})
	}
	return names
}

// check finds what the fields of a task lack or have too much of.
func (r *reader) check(d *draft) {
	t := &d.Task
	switch {
	case t.Code != "" && len(t.Command) > 0:
		r.Fail(d.at, "task %s has both code and command", t.Name).WithHint("keep the code for Python, or the command for anything else")
	case t.Kind == api.KindOrchestrator && t.Code == "":
		r.Fail(d.at, "task %s is an orchestrator without code", t.Name).WithHint("write it under code, or name a source with file")
	case t.Kind == api.KindOrchestrator && len(t.Signature.Outputs) > 1:
		r.Fail(d.at, "task %s is an orchestrator with %d outputs", t.Name, len(t.Signature.Outputs)).
			WithHint("it has at most one, the value of its last expression; several values can be a dict or a tuple")
	case t.Kind == api.KindFunction && t.Function.ID == "":
		r.Fail(d.at, "task %s is a function without id", t.Name).WithHint("give the id under which a worker offers it")
	case t.Kind == api.KindModel && !modelIsNamed(t):
		r.Fail(d.at, "task %s is a model without protocol or name", t.Name).WithHint(modelHint)
	case t.Verbatim && t.Code == "":
		r.Fail(d.at, "task %s is verbatim but has no code", t.Name)
	case t.Kind == api.KindSandbox && t.Code == "" && len(t.Command) == 0 && t.Image.Ref == "":
		r.Fail(d.at, "task %s has nothing to run", t.Name).WithHint("give code, file or command, or a prebuilt image with an entrypoint")
	default:
		variables := d.Kind != api.KindSandbox || d.Mode() == api.AutoIO
		r.accept(d, d.Signature.Check(variables))
		r.accept(d, d.CheckPreload())
		r.accept(d, d.CheckStdin())
	}
}

// accept says at which task it is, if its kind has rules that it breaks.
func (r *reader) accept(d *draft, err error) {
	if err != nil {
		e := api.AsError(err)
		_ = r.Fail(d.at, "task %s: %s", d.Name, e.Message).WithHint("%s", e.Hint)
	}
}

// taskName reads a name of an environment.
func (r *reader) taskName(n node) string {
	name := r.Str(n)
	if r.Err == nil {
		r.checkName(n, name)
	}
	return name
}

// checkName holds names to what a catalog, a command line and a file system
// take without quotes. A dot is left to stand between environment and task.
func (r *reader) checkName(n node, name string) {
	ok := name != "" && len(name) <= maxName && name[0] != '-'
	for _, c := range name {
		ok = ok && c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '-')
	}
	if !ok && r.Err == nil {
		r.Fail(n, "%s is no name", value.Quote(name)).WithHint("use at most %d letters, digits, _ and -", maxName)
	}
}

// params reads the inputs or outputs of a task, in their order.
func (r *reader) params(n node, role string) []value.Param {
	params := []value.Param{}
	for _, p := range r.Pairs(n, role+"s") {
		params = append(params, r.param(p, role))
	}
	return params
}

func (r *reader) param(p yamlfile.Pair, role string) value.Param {
	if _, mapping := p.Value.(ast.MapNode); !mapping {
		return value.Param{Name: p.Key, Type: r.typ(p.Value)}
	}
	var typ, def, choices node
	known := yamlfile.Fields{"type": func(n node) { typ = n }}
	pairs := r.Pairs(p.Value, role)
	if role == "input" {
		known["default"], known["choices"] = func(node) {}, func(n node) { choices = n }
		for _, inner := range pairs { // here, since null is a default too
			if inner.Key == "default" {
				def = inner.Value
			}
		}
	}
	r.ObjectOf(pairs, role+" "+p.Key, known)
	if r.Err == nil && typ == nil {
		r.Fail(p.At, "%s %s has no type", role, p.Key)
	}
	if r.Err != nil {
		return value.Param{}
	}
	return r.withChoices(r.withDefault(value.Param{Name: p.Key, Type: r.typ(typ)}, def), choices)
}

func (r *reader) typ(n node) value.Type {
	spelling := r.Str(n)
	if r.Err != nil {
		return value.Type{}
	}
	t, err := value.ParseType(spelling)
	if err != nil {
		e := api.AsError(err)
		_ = r.Fail(n, "%s", e.Message).WithHint("%s", e.Hint)
	}
	return t
}

// refuse says at which place a value is that is none, if err says so.
func (r *reader) refuse(n node, err error) {
	if err != nil && r.Err == nil {
		r.Fail(n, "%s", api.AsError(err).Message)
	}
}
