"""mimetypes: the types of files by the ends of their names."""

_pairs = '''
.aac audio/aac|.avi video/x-msvideo|.bin application/octet-stream|.bmp image/bmp|.c text/plain|.css text/css|.csv text/csv
.doc application/msword|.dll application/octet-stream|.eml message/rfc822|.eps application/postscript|.exe application/octet-stream
.gif image/gif|.h text/plain|.htm text/html|.html text/html|.ico image/vnd.microsoft.icon|.jpe image/jpeg|.jpeg image/jpeg
.jpg image/jpeg|.js text/javascript|.json application/json|.m3u8 application/vnd.apple.mpegurl|.md text/markdown
.mhtml message/rfc822|.mid audio/midi|.mjs text/javascript|.mov video/quicktime|.mp2 audio/mpeg|.mp3 audio/mpeg|.mp4 video/mp4
.mpeg video/mpeg|.mpg video/mpeg|.nq application/n-quads|.nt application/n-triples|.o application/octet-stream
.pdf application/pdf|.png image/png|.ppt application/vnd.ms-powerpoint|.ps application/postscript|.py text/x-python
.qt video/quicktime|.rtx text/richtext|.sh application/x-sh|.so application/octet-stream|.svg image/svg+xml
.swf application/x-shockwave-flash|.tar application/x-tar|.tex application/x-tex|.tif image/tiff|.tiff image/tiff
.tsv text/tab-separated-values|.txt text/plain|.vcf text/x-vcard|.wasm application/wasm|.wav audio/x-wav|.webm video/webm
.webmanifest application/manifest+json|.xls application/vnd.ms-excel|.xml text/xml|.xsl application/xml|.zip application/zip
'''
types_map = dict([pair.split(' ') for line in _pairs.strip().splitlines() for pair in line.split('|')])
common_types = {'.rtf': 'application/rtf', '.webp': 'image/webp', '.jpg': 'image/jpg', '.mid': 'audio/midi',
                '.midi': 'audio/midi', '.pct': 'image/pict', '.pic': 'image/pict', '.pict': 'image/pict', '.xul': 'text/xul'}
suffix_map = {'.svgz': '.svg.gz', '.tgz': '.tar.gz', '.taz': '.tar.gz', '.tz': '.tar.gz', '.tbz2': '.tar.bz2', '.txz': '.tar.xz'}
encodings_map = {'.gz': 'gzip', '.Z': 'compress', '.bz2': 'bzip2', '.xz': 'xz', '.br': 'br'}


def _split(name):
    """A name without its extension, and the extension."""
    base = name.rpartition('/')[2]
    dot = base.rfind('.')
    if dot < 0 or not base[:dot].strip('.'):
        return name, ''
    return name[:len(name) - len(base) + dot], base[dot:]


def guess_type(url, strict=True):
    """The type and the encoding of a file by its name, or None for each."""
    scheme, colon, rest = url.partition(':')
    if colon and len(scheme) > 1 and scheme.isalnum():
        if scheme.lower() == 'data':
            return _data_type(rest)
        url = rest.partition('?')[0].partition('#')[0]
    base, ext = _split(url)
    while ext.lower() in suffix_map:
        base, ext = _split(base + suffix_map[ext.lower()])
    encoding = encodings_map.get(ext)
    if encoding is not None:
        base, ext = _split(base)
    ext = ext.lower()
    found = types_map.get(ext)
    if found is None and not strict:
        found = common_types.get(ext)
    return found, encoding


def _data_type(rest):
    head, comma, _ = rest.partition(',')
    if not comma:
        return None, None
    kind = head.partition(';')[0]
    return ('text/plain' if '=' in kind or '/' not in kind else kind), None


def guess_all_extensions(type, strict=True):
    """The extensions of a type."""
    type = type.lower()
    found = [ext for ext, kind in types_map.items() if kind == type]
    if not strict:
        found += [ext for ext, kind in common_types.items() if kind == type and ext not in found]
    return found


def guess_extension(type, strict=True):
    """An extension of a type, or None."""
    found = guess_all_extensions(type, strict)
    return found[0] if found else None


def add_type(type, ext, strict=True):
    """Say which type an extension stands for."""
    (types_map if strict else common_types)[ext] = type


def init(files=None):
    """Nothing: there are no files to read types from."""
