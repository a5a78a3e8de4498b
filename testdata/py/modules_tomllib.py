import datetime, io, tomllib
def t(s):
    try: print(repr(s), tomllib.loads(s))
    except tomllib.TOMLDecodeError as e: print(repr(s), '!!', e)
for s in ['a','a=','a = ','a = x','= 1','a = 1 b = 2','a = 1\na = 2','[a]\n[a]','[a','[[a]','[[a]]\n[a]','a.b=1\na.b.c=2','a = "x','a = "x\ny"',"a = 'x","a = '''x",'a = """x','a = "\\z"','a = "\\u12"','a = "\\ud800"','a = [1, 2','a = [1 2]','a = {x=1','a = {x=1,}','a = {x=1 y=2}','a = {x=1, x=2}','a = 01','a = 1__0','a = 1.','a = .5','a = +','a = 2021-13-01','a = 2021-02-30','a = 25:00:00','a = tru','a = inf','a = 0x','a = 1e','"a" = 1 # \x01','a = "\x01"','a = 1\r','a b = 1','a. = 1','[a.]','[]','[ a ]\nb=1','a = {}\na.b = 1','a = [{b=1}]\n[[a]]','a=[]\n[[a]]','[a.b]\n[a]\nb=1','[a]\nb.c=1\n[a.b]','[[a.b]]\n[a]\n[[a.b]]\nc=1','a={b.c=1,b.d=2}','a={b={c=1},b.d=2}','fruit.apple=1\n[fruit]','a = 1979-05-27T07:32:00Z','a = 1979-05-27 07:32:00.1234567-07:00','a=1979-05-27T07:32:00','a=07:32:00.5','a=1979-05-27','a=-0','a=+1_000','a=0xDEAD_beef','a=0o17','a=0b11','a=1e6','a=-inf','a=nan','a=1_0.5_0e1_0','a="\\u00e9\\U0001F600\\t\\\\\\""',"a='''\nx\ny'''",'a="""\nx \\\n   y"""','a="""""x"""""','a = [\n1, # c\n2,\n]','x = "a" \n# c\n\n[t]\n','"a b".\'c d\' = 1','3.14 = "pi"','a = "\\x41"','a = """\\   x"""','a="\\U00110000"','[a]]','a = 1 # ok','a = \ufeff1','a=[1,,2]','a=[,1]','a = {x=1\n}','a = 1979-05-27T25:00:00Z','a=1979-05-27T07:32','a=1e400','a=1'+'0'*30,'a=1\n[a]','a=1\n[a.b]','a=1\n[[a]]','[[a]]\n[[a]]\n[a.b]\nc=1','a = 1.e5','a = --1','a="x""','a="x"y','{"a": 1}','<a/>','a: 1','a = "é\n"']: t(s)
for v in [b'a=1', 5, None]:
    try: print(tomllib.loads(v))
    except Exception as e: print(type(e), e)
print(tomllib.load(io.BytesIO(b'a = "\xc3\xa9"\r\nb=2\r\n')))
try: tomllib.load(io.StringIO('a=1'))
except Exception as e: print(type(e), e)
print(tomllib.loads('a=1.5', parse_float=str), [c.__name__ for c in tomllib.TOMLDecodeError.__mro__])
try: tomllib.loads('a=1.5', parse_float=lambda x: [])
except Exception as e: print(type(e), e)
try: print(len(str(tomllib.loads('a='+'['*300+']'*300))))
except Exception as e: print(type(e), e)
config = '''
# This is a TOML document
title = "TOML Example"
[owner]
name = "Tom"
dob = 1979-05-27T07:32:00-08:00
[database]
enabled = true
ports = [ 8000, 8001, 8002 ]
data = [ ["delta", "phi"], [3.14] ]
temp_targets = { cpu = 79.5, case = 72.0 }
[servers.alpha]
ip = "10.0.0.1"
[[products]]
name = "Hammer"
sku = 738594937
[[products]]
[[products]]
name = "Nail"
'''
print(tomllib.loads(config))
for s in ['a=""""""', 'a=""""""""', "a=''''x'''''", 'a={}\n[a]', 'a={}\n[a.b]', 'a=[[1],{x=[2]}]', 'x={a.b=1}\n[x.a]', 'a.b=1\n[a.c]\nd=1', '[t]\na.b=1\n[t.a.c]',
          'a = """\nline \\\n\n\n   next"""', "a='x\nb='y'", 'a="x" # é\x7f', '\n\n  é = 1', 'é', '"é" = "ü"\nb = ?', 'a = "\\', 'a = 1\n\n\n', 'a=1\r\nb=2', "a='''x\x00'''",
          'a = """x\x00"""', 'a=0\nb=+0.0\nc=-0.0', '1=2', '-=1', 'true=1', 'a = [ { x = 1 }, { x = 2 } ]', 'a={}\na.b=1', 'a.b=1\n[a]\nc=2', '[a]\nb=1\n[[a]]', '[[a]]\n[a.b]\n[[a]]\n[a.b]\nc=1',
          '[a.b.c]\nx=1\n[a]\nb.d=1', '[a.b.c]\nx=1\n[a]\nd.e=1\n[a.b]\ny=2']:
    t(s)
