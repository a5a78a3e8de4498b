# prelude
import ipaddress
from ipaddress import ip_address, ip_network, ip_interface
def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
for text in ("192.168.1.10", "8.8.8.8", "127.0.0.1", "0.0.0.0", "224.0.0.1", "169.254.1.1", "10.1.2.3", "240.1.1.1", "100.64.0.1", "255.255.255.255", "::1", "::", "2001:db8::8a2e:370:7334", "fe80::1%eth0", "ff02::1", "::ffff:1.2.3.4", "2001:4860:4860::8888", "2002:c000:204::1", "1:2:3:4:5:6:7:8", "fc00::", "1::8", "0:0:1::", "1:0:0:4:0:0:0:8", "2001:0:1:2:3:4:5:6"):
    a = ip_address(text)
    print(a, repr(a), a.version, int(a), a.packed, a.compressed, a.exploded if "%" not in text else "", a.reverse_pointer if "%" not in text else "", a.max_prefixlen)
    print([n for n in ("is_private", "is_global", "is_multicast", "is_loopback", "is_reserved", "is_link_local", "is_unspecified") if getattr(a, n)])
    if a.version == 6:
        print(a.ipv4_mapped, a.sixtofour, a.teredo, a.is_site_local, a.scope_id)
for bad in ("1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.x", "01.2.3.4", "", "1.2.3.4/24", "::1::", ":1", "1:", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "1111.1.1.1", "1..2.3", "::1.2.3", "fe80::%", None, 1 << 128, -1, b"123", 1.5):
    t(ip_address, bad)
    t(ipaddress.IPv4Address, bad)
    t(ipaddress.IPv6Address, bad)
a, b = ip_address("10.0.0.1"), ip_address("10.0.0.9")
print(a < b, a == ip_address("10.0.0.1"), a != b, a + 5, b - 1, max(a, b), len({a, ip_address("10.0.0.1")}), sorted([b, a]), ip_address(3232235777), ip_address(b"\x01\x02\x03\x04"), ip_address(bytes(16)), a == "10.0.0.1", a >= b)
t(lambda: a < ip_address("::1"))
t(lambda: a < 5)
t(lambda: ip_address("255.255.255.255") + 1)
print(f"{a:s} {a:b} {a:x} {a:#X} {a:_b} {a:n} {a:>15s}|", format(ip_address("::1"), "x"))
# ---
n = ip_network("192.168.0.0/28")
print(n, repr(n), n.network_address, n.broadcast_address, n.netmask, n.hostmask, n.prefixlen, n.num_addresses, n.version, n.with_netmask, n.with_hostmask, n.with_prefixlen, n.exploded, n.compressed, n.is_private, n.is_global, n.is_multicast, n.is_loopback)
print(list(n.hosts())[:2], len(list(n.hosts())), len(list(n)), n[0], n[-1], n[3], ip_address("192.168.0.5") in n, ip_address("192.168.1.5") in n, ip_address("::1") in n)
print(list(n.subnets()), list(n.subnets(prefixlen_diff=2)), list(n.subnets(new_prefix=30))[:2], n.supernet(), n.supernet(new_prefix=16), n.supernet(prefixlen_diff=4))
for bad in ("192.168.0.1/28", "192.168.0.0/33", "1.2.3.4/", "1.2.3.4/a", "1.2.3.4/255.0.255.0", "1/2/3", "x", "::/129", "::1/64"):
    t(ip_network, bad)
    t(ip_network, bad, strict=False)
print(ip_network("10.0.0.0/255.255.0.0"), ip_network("10.0.0.0/0.0.255.255"), ip_network("10.1.2.3"), ip_network("2001:db8::/32").num_addresses, ip_network(("10.0.0.0", 8)), ip_network(167772160), ip_network("0.0.0.0/0"), ip_network("10.1.2.3/8", strict=False))
print(list(ip_network("10.0.0.0/31").hosts()), list(ip_network("10.0.0.0/32").hosts()), list(ip_network("::/127").hosts()), next(iter(ip_network("2001:db8::/64").hosts())), list(ip_network("::/126").hosts()))
x, y = ip_network("10.0.0.0/8"), ip_network("10.5.0.0/16")
print(y.subnet_of(x), x.supernet_of(y), x.overlaps(y), y.overlaps(ip_network("10.6.0.0/16")), x < y, sorted([y, x]), x == ip_network("10.0.0.0/8"), hash(x) == hash(ip_network("10.0.0.0/8")), x.compare_networks(y), list(ip_network("10.0.0.0/29").address_exclude(ip_network("10.0.0.2/31"))))
t(lambda: x.subnet_of(ip_network("::/8")))
t(lambda: n[100])
t(lambda: list(n.subnets(new_prefix=20)))
t(lambda: list(n.subnets(prefixlen_diff=9)))
t(lambda: list(x.address_exclude(ip_network("11.0.0.0/16"))))
t(lambda: ip_network("10.0.0.0/8").supernet(prefixlen_diff=9))
print(list(ipaddress.summarize_address_range(ip_address("10.0.0.1"), ip_address("10.0.0.17"))), list(ipaddress.summarize_address_range(ip_address("0.0.0.0"), ip_address("255.255.255.255"))))
print(list(ipaddress.collapse_addresses([ip_network("10.0.1.0/24"), ip_network("10.0.0.0/24"), ip_address("10.0.2.0"), ip_network("10.0.0.128/25")])), list(ipaddress.collapse_addresses([])))
t(lambda: list(ipaddress.summarize_address_range(ip_address("10.0.0.9"), ip_address("10.0.0.1"))))
t(lambda: list(ipaddress.summarize_address_range(x, y)))
i = ip_interface("192.168.1.5/24")
print(i, repr(i), i.ip, i.network, i.netmask, i.with_prefixlen, i.with_netmask, i.with_hostmask, i.hostmask, ip_interface("::1/64").network, i == ip_interface("192.168.1.5/24"), i == ip_address("192.168.1.5"), ip_interface("10.0.0.1"), i.is_private, i in ip_network("192.168.0.0/16"), i < ip_interface("192.168.2.5/24"))
t(ip_interface, "1.2.3.4/99")
print(issubclass(ipaddress.AddressValueError, ValueError), ipaddress.v4_int_to_packed(1), len(ipaddress.v6_int_to_packed(1)), isinstance(ip_address("1.1.1.1"), ipaddress.IPv4Address), isinstance(n, ipaddress.IPv4Network))
allowed = [ip_network(s) for s in ("10.0.0.0/8", "192.168.0.0/16", "fd00::/8")]
print([any(ip_address(s) in net for net in allowed) for s in ("10.9.8.7", "8.8.8.8", "fd00::5", "192.168.255.1")])
