# prelude
def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import zlib, binascii
data = b"The quick brown fox jumps over the lazy dog"
for f in (zlib.crc32, zlib.adler32, binascii.crc32):
    print(f(b""), f(data), f(data, 5), f(b"dog", f(b"lazy ")) == f(b"lazy dog"), f(data * 1000), f(data, -1), f(data, 1 << 40), f(data, -(1 << 70) + 3))
    t(f, "text")
    t(f, data, "x")
t(binascii.crc_hqx, b"123456789", 0)
t(binascii.crc_hqx, data, 0xffff)
for level in (-1, 0, 1, 9):
    packed = zlib.compress(data * 50, level)
    print(zlib.decompress(packed) == data * 50, len(packed) < len(data) * 50 or level == 0)
print(zlib.decompress(zlib.compress(b"hello")))
print(zlib.decompress(b"x\x9c\xcbH\xcd\xc9\xc9\x07\x00\x06,\x02\x15"), zlib.decompress(b"\xcbH\xcd\xc9\xc9\x07\x00", -15), zlib.decompress(b"\xcbH\xcd\xc9\xc9\x07\x00", wbits=-15))
print(zlib.decompress(zlib.compress(data, wbits=31), 31) == data, zlib.decompress(zlib.compress(data, wbits=31), 47) == data, zlib.decompress(zlib.compress(data), 47) == data)
t(zlib.decompress, b"")
t(zlib.decompress, b"not compressed")
t(zlib.decompress, zlib.compress(data)[:-6])
t(zlib.decompress, zlib.compress(data)[:-1] + b"?")
t(zlib.compress, "text")
t(zlib.compress, data, 10)
print(zlib.error, issubclass(zlib.error, Exception), zlib.MAX_WBITS, zlib.Z_BEST_COMPRESSION)
# ---
import gzip
data = "Grüße ".encode() * 100
packed = gzip.compress(data)
print(gzip.decompress(packed) == data, packed[:2], gzip.decompress(packed + gzip.compress(b"!")) == data + b"!", gzip.compress(data, 1, mtime=5)[4:8], gzip.decompress(b""))
t(gzip.decompress, b"hello")
t(gzip.decompress, packed[:20])
t(gzip.decompress, packed[:-8] + b"1234" + packed[-4:])
print(issubclass(gzip.BadGzipFile, OSError))
# ---
import hashlib
data = b"The quick brown fox"
for n in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "sha3_512"):
    h = hashlib.new(n, data)
    c = h.copy()
    h.update(b" jumps")
    print(n, h.name, h.digest_size, h.block_size, h.hexdigest(), c.hexdigest())
for n in ("shake_128", "shake_256"):
    h = hashlib.new(n)
    h.update(data)
    c = h.copy()
    c.update(b"!")
    print(n, h.name, h.digest_size, h.block_size, h.hexdigest(20), h.digest(5), h.hexdigest(0), c.hexdigest(length=4), hashlib.shake_128(b"a").hexdigest(200))
t(hashlib.shake_128().digest)
t(hashlib.shake_128().hexdigest, "a")
t(hashlib.new, "nope")
t(hashlib.sha256, "text")
print(hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 1).hex(), hashlib.pbkdf2_hmac("sha1", b"password", b"salt", 1000, 25).hex(), hashlib.pbkdf2_hmac("sha512", b"p" * 200, b"s", 3, dklen=150).hex())
t(hashlib.pbkdf2_hmac, "sha256", b"p", b"s", 0)
t(hashlib.pbkdf2_hmac, "sha256", b"p", b"s", 1, 0)
t(hashlib.pbkdf2_hmac, "sha256", "p", b"s", 1)
for f in (hashlib.blake2b, hashlib.blake2s):
    h = f(data)
    c = h.copy()
    c.update(b"!" * 300)
    print(h.name, h.digest_size, h.block_size, h.hexdigest(), c.hexdigest(), f().hexdigest(), f(b"x" * 1000, digest_size=16).hexdigest(), f(data, key=b"secret").hexdigest(), f(data, salt=b"salt", person=b"me").hexdigest(), f(b"z" * 128).hexdigest(), f(b"z" * 64).hexdigest(), f(b"", key=b"k" * 32).hexdigest())
    t(f, data, digest_size=65)
    t(f, data, key=b"x" * 65)
    t(f, "text")
# ---
import hmac
h = hmac.new(b"key", b"The quick brown fox jumps over the lazy dog", "sha256")
print(h.hexdigest(), h.digest(), h.name, h.digest_size, h.block_size)
c = h.copy()
c.update(b"!")
print(c.hexdigest(), h.hexdigest())
import hashlib
print(hmac.new(b"k" * 200, digestmod=hashlib.sha1).hexdigest(), hmac.new(b"k", b"m", hashlib.md5).hexdigest(), hmac.digest(b"k", b"m", "sha512").hex(), hmac.HMAC(b"k", b"m", "sha3_256").hexdigest())
print(hmac.compare_digest("abc", "abc"), hmac.compare_digest(b"abc", b"abd"), hmac.compare_digest(b"a", b"ab"), hmac.compare_digest("", ""))
t(hmac.new, b"k")
t(hmac.new, "k", b"m", "sha256")
t(hmac.new, b"k", "m", "sha256")
t(hmac.new, b"k", b"m", "nope")
t(hmac.compare_digest, "a", b"a")
t(hmac.compare_digest, "é", "é")
t(hmac.compare_digest, 1, 2)
