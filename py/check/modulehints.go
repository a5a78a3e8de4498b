package check

// moduleHints say what to use instead of modules that are not bundled, and why
// those are not there.
var moduleHints = []struct {
	modules []string
	hint    string
}{
	{[]string{"shutil", "glob", "tempfile", "fileinput", "stat", "fcntl", "mmap", "zipfile", "tarfile", "bz2", "lzma", "filecmp", "linecache", "watchdog", "dotenv"},
		"the sandbox has no files: take the content as an input, or call a tool; io.StringIO and io.BytesIO are files in memory"},
	{[]string{"platform", "getpass", "pwd", "resource", "signal", "atexit", "argparse", "optparse", "getopt", "cmd", "readline", "curses", "tkinter", "turtle", "click", "typer", "psutil", "winreg", "msvcrt"},
		"the program has no command line: use the declared inputs, which are variables already"},
	{[]string{"subprocess", "pty", "multiprocessing", "joblib"}, "the sandbox has no processes: call a tool"},
	{[]string{"socket", "ssl", "http", "urllib", "requests", "httpx", "aiohttp", "urllib3", "ftplib", "smtplib", "imaplib", "socketserver", "selectors", "websockets", "boto3", "bs4", "select",
		"poplib", "telnetlib", "xmlrpc", "webbrowser", "wsgiref", "paramiko", "redis", "openai", "anthropic"},
		"the sandbox has no network: call a tool; urllib.parse takes addresses apart"},
	{[]string{"_thread", "sched", "trio", "anyio", "gevent"}, noThreads},
	{[]string{"numpy", "scipy", "sympy", "cmath", "array", "sklearn", "torch", "matplotlib", "networkx"},
		"use lists with sum, min, max, and the modules math, statistics and itertools"},
	{[]string{"pandas", "polars", "sqlite3", "sqlalchemy", "duckdb", "openpyxl", "pyarrow", "dbm", "psycopg2", "pymongo"},
		"use lists of dicts with sorted, itertools.groupby and the module csv, or call a tool"},
	{[]string{"pydantic", "attr", "attrs", "marshmallow"}, "use dataclasses"},
	{[]string{"pickle", "marshal", "shelve", "yaml", "dill", "orjson", "simplejson", "ujson", "msgpack", "copyreg", "plistlib"}, "use json"},
	{[]string{"dateutil", "pytz", "arrow", "pendulum", "freezegun"}, "use datetime"},
	{[]string{"rich", "tabulate", "colorama", "termcolor", "tqdm", "loguru", "structlog"}, "use print with f-strings, pprint or textwrap"},
	{[]string{"unittest", "pytest", "doctest", "hypothesis", "pdb", "timeit", "cProfile", "tracemalloc"},
		"use assert, and print what you want to see"},
	{[]string{"email", "mailbox", "markdown", "jinja2"}, "use str methods and re, or call a tool"},
	{[]string{"toml", "tomli", "tomlkit"}, "use tomllib"},
	{[]string{"xml", "lxml"}, "use xml.etree.ElementTree"},
	{[]string{"regex"}, "use re"},
	{[]string{"locale", "gettext"}, "there is one locale: format numbers with f-strings, such as f'{n:,}'"},
	{[]string{"ctypes", "importlib", "builtins", "dis", "code", "codeop", "tokenize", "token", "symtable", "pkgutil", "runpy", "sysconfig", "site",
		"faulthandler", "bdb", "trace"},
		"programs cannot look into the interpreter"},
}

const noThreads = "there are no threads: use async tools with await asyncio.gather(...), or concurrent.futures"

// memberHint says what to use instead of a member of a bundled module that is
// left out on purpose, or returns "".
func memberHint(module, name string) string {
	switch module {
	case "os":
		return "the sandbox has no files, processes or environment: use inputs and tools; of os there are path, sep, linesep and an empty environ"
	case "os.path":
		return "the sandbox has no files: os.path only computes with paths"
	case "pathlib":
		return "the sandbox has no files: use PurePath, which computes with paths"
	case "io":
		if name == "open" || name == "FileIO" {
			return "the sandbox has no files: take the content as an input, or call a tool"
		}
	case "logging":
		if name == "FileHandler" {
			return "the sandbox has no files: use StreamHandler, which writes to the output"
		}
	case "threading":
		return noThreads
	case "ast":
		return "programs cannot look into the interpreter: of ast there is literal_eval"
	case "sys":
		if name == "stdin" {
			return "no one can answer: use the declared inputs, which are variables already"
		}
		return "programs cannot look into the interpreter"
	}
	return ""
}
