// Runs JavaScript by the inspector's evaluation, as the console of a browser does:
// declarations stay and may be made again, code may await, and the value of the
// last expression is the result. Events go to descriptor 3.
'use strict';
const { readSync, writeSync } = require('fs');
const { Session } = require('inspector');
const { Script } = require('vm');
const { inspect } = require('util');

const session = new Session();
session.connect();
let current = null; // the execution: its id, and what ends its waiting
let settings = {}; // the host's

function send(event) {
  let line = Buffer.from(JSON.stringify(event) + '\n');
  if (line.length > settings.line) line = Buffer.from(JSON.stringify({ id: event.id, type: 'dropped', bytes: line.length }) + '\n');
  while (line.length > 0) line = line.subarray(writeSync(3, line));
}

function emit(type, fields) {
  if (current) send({ id: current.id, type, ...fields });
}

for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, done) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    if (current) emit(name, { text });
    else keep(name, text);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) process.nextTick(callback);
    return true;
  };
}

// What is written between two executions belongs to the next one.
let between = { texts: [], size: 0, lost: 0 };

function keep(name, text) {
  const fits = text.slice(0, settings.between - between.size);
  between.size += fits.length;
  between.lost += text.length - fits.length;
  if (fits) between.texts.push([name, fits]);
}

function begin() {
  emit('begun');
  for (const [name, text] of between.texts) emit(name, { text });
  if (between.lost > 0) emit('dropped', { bytes: between.lost });
  between = { texts: [], size: 0, lost: 0 };
}

globalThis.display = (value) => show(value, false);

function show(value, main) {
  const data = { 'text/plain': inspect(value) };
  if (value !== null && typeof value === 'object') {
    try {
      data['application/json'] = JSON.parse(JSON.stringify(value));
    } catch {
      // it has no form in JSON
    }
  }
  emit('result', { main, data });
}

// The inspector's evaluation has no modules, so imports are calls of a function
// that has them.
const importer = Symbol.for('glovebox.import');
const load = `globalThis[Symbol.for('${importer.description}')]`;
globalThis[importer] = (module) => import(module);

function dynamic(code) {
  const from = /(^|;)[ \t]*import\s+(?:(\w+)\s*,?\s*)?(?:\*\s*as\s+(\w+)\s*)?(?:\{([^}]*)\}\s*)?from\s*(['"][^'"\n]+['"])/gm;
  const bare = /(^|;)[ \t]*import\s*(['"][^'"\n]+['"])/gm;
  return code
    .replace(from, (_, start, name, all, some, module) => {
      const names = [];
      if (name) names.push(`{ default: ${name} }`);
      if (all) names.push(all);
      if (some) names.push(`{ ${some.replace(/(\w+)\s+as\s+(\w+)/g, '$1: $2')} }`);
      return start + names.map((names) => `const ${names} = await ${load}(${module})`).join('; ');
    })
    .replace(bare, (_, start, module) => `${start}await ${load}(${module})`)
    .replace(/(?<![\w.$'"`])import\s*\(/g, `${load}(`);
}

// untyped returns the transpiler that the image has, or undefined. One of them
// leaves out imports of which it sees no use, though later code may have it.
function untyped() {
  const strip = require('module').stripTypeScriptTypes;
  if (strip) return (code) => strip(code, { mode: 'transform' });
  let typescript;
  try {
    typescript = require('typescript');
  } catch {
    return undefined;
  }
  if (!typescript.transpileModule) return undefined; // since 7 it is no library
  const kept = parseInt(typescript.version) < 5 ? { importsNotUsedAsValues: 1, preserveValueImports: true } : { verbatimModuleSyntax: true };
  const compilerOptions = { target: typescript.ScriptTarget.ES2022, module: typescript.ModuleKind.ESNext, isolatedModules: true, ...kept };
  return (code) => {
    const { outputText, diagnostics } = typescript.transpileModule(code, { compilerOptions, reportDiagnostics: true });
    if (diagnostics.length === 0) return outputText;
    throw new SyntaxError(typescript.flattenDiagnosticMessageText(diagnostics[0].messageText, '\n'));
  };
}

let plain = (code) => code;

// evaluate answers with what the inspector says. Code that does not return is
// ended by the watch that vm keeps for SIGINT.
function evaluate(expression) {
  return new Promise((resolve, reject) => {
    globalThis[start] = () =>
      session.post('Runtime.evaluate', { expression, replMode: true, awaitPromise: true, silent: true }, (failure, answer) =>
        failure ? reject(failure) : resolve(answer),
      );
    try {
      new Script(`globalThis[Symbol.for(${JSON.stringify(start.description)})]()`).runInThisContext({ breakOnSigint: true });
    } catch (failure) {
      reject(failure.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED' ? new Interrupted() : failure);
    }
  });
}

const start = Symbol.for('glovebox.start');
const taken = Symbol.for('glovebox.taken');

// valueOf gets the value that the inspector has an object for.
function valueOf(found) {
  if (!found.objectId) return found.unserializableValue ? eval(found.unserializableValue) : found.value;
  let value;
  globalThis[taken] = (v) => (value = v);
  session.post('Runtime.callFunctionOn', {
    objectId: found.objectId,
    functionDeclaration: `function () { globalThis[Symbol.for('${taken.description}')](this) }`,
  });
  return value;
}

class Interrupted extends Error {
  name = 'KeyboardInterrupt';
}

async function execute(request) {
  const before = Object.fromEntries(Object.keys(request.env).map((name) => [name, process.env[name]]));
  Object.assign(process.env, request.env);
  const interrupted = new Promise((_, reject) => (current = { id: request.id, interrupt: () => reject(new Interrupted()) }));
  interrupted.catch(() => {});
  begin();
  try {
    const answer = await Promise.race([evaluate(dynamic(plain(request.code))), interrupted]);
    if (answer.exceptionDetails) throw valueOf(answer.exceptionDetails.exception);
    if (answer.result.type !== 'undefined') show(valueOf(answer.result), true);
  } catch (failure) {
    emit('error', { error: describe(failure) });
  }
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  emit('end');
  current = null;
}

function describe(failure) {
  if (!(failure instanceof Error)) return { name: 'Error', value: String(failure), traceback: `Uncaught ${inspect(failure)}\n` };
  const stack = String(failure.stack).split('\n').filter((line) => !/\[eval\]|node:|<cell>/.test(line));
  return { name: failure.name, value: String(failure.message), traceback: stack.join('\n') + '\n' };
}

process.on('SIGINT', () => current && current.interrupt());
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (failure) => process.stderr.write(inspect(failure) + '\n'));
}

let waiting = Promise.resolve();

function take(line) {
  const request = JSON.parse(line);
  if ('line' in request) open(request);
  waiting = waiting.then(() => ('code' in request ? execute(request) : send({ id: request.id, type: 'ready' })));
}

function open(opening) {
  settings = opening;
  if (!settings.typed) return;
  plain = untyped();
  if (plain) return;
  writeSync(2, 'the image has no TypeScript (in Debian: node-typescript; or Node.js 22.13)\n');
  process.exit(1);
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  lines.forEach(take);
});
process.stdin.on('end', () => process.exit());
