import secrets

def t(f, *a):
    try:
        print(f(*a))
    except Exception as e:
        print(type(e).__name__ + ':', e)


print(len(secrets.token_bytes(10)), len(secrets.token_bytes()), len(secrets.token_hex(8)), len(secrets.token_hex()))
print(set(secrets.token_hex(20)) <= set('0123456789abcdef'), len(secrets.token_urlsafe(16)), '=' in secrets.token_urlsafe(10))
print(0 <= secrets.randbelow(10) < 10, secrets.randbelow(1), secrets.randbits(5) < 32, secrets.choice([7, 7]), secrets.choice('a'))
print(secrets.compare_digest('abc', 'abc'), secrets.compare_digest(b'a', b'b'))
t(secrets.randbelow, 0)
t(secrets.choice, [])
t(secrets.compare_digest, 'a', b'a')
print(''.join([secrets.choice('x') for _ in range(5)]), secrets.SystemRandom().randint(3, 3), secrets.DEFAULT_ENTROPY)
