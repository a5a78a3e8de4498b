from __future__ import annotations

import asyncio
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

import glovebox
from glovebox._link import http
from glovebox._link.address import parse_address
from glovebox._link.http import Http, Request
from glovebox.errors import GloveboxError, NotFoundError, OverloadedError, ServerUnavailableError, UnauthorizedError
from http_peer import CLOSE, HANG, Cut, ok, peer, problem

GET = Request("GET", "/v1/version", repeat=True)
POST = Request("POST", "/v1/x", body=b"{}")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_PAUSE", 0.001)
    monkeypatch.setattr(http, "_MAX_RETRY_AFTER", 0.001)


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="gb") as directory:
        yield Path(directory)


def talk(url: str, work: Callable[[Http], Awaitable[object]], token: str | None = None) -> object:
    async def main() -> object:
        http = Http(parse_address(url), token)
        try:
            return await work(http)
        finally:
            await http.close()

    return asyncio.run(main())


def ask(url: str, *requests: Request, token: str | None = None) -> list[bytes]:
    async def work(http: Http) -> list[bytes]:
        return [await http.ask(request) for request in requests]

    return talk(url, work, token)  # type: ignore[return-value]


def test_a_connection_is_used_again(place: Path) -> None:
    with peer(place, [ok("1"), ok("2"), ok("3")]) as (server, url):
        assert ask(url, GET, POST, GET) == [b"1", b"2", b"3"]
    assert server.connections == 1
    head, body = server.requests[1]
    assert head.startswith("POST /v1/x HTTP/1.1\r\n")
    assert body == b"{}" and "Content-Length: 2" in head and "Content-Type: application/json" in head


def test_a_connection_that_is_to_end_is_not_used_again(place: Path) -> None:
    with peer(place, [ok("1", "Connection: close")], [ok("2")]) as (server, url):
        assert ask(url, GET, GET) == [b"1", b"2"]
    assert server.connections == 2


def test_a_chunked_answer_is_put_together(place: Path) -> None:
    chunked = (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n"
    )
    with peer(place, [chunked, ok("2")]) as (server, url):
        assert ask(url, GET, GET) == [b"hello world", b"2"]
    assert server.connections == 1


def test_preliminary_answers_are_skipped(place: Path) -> None:
    with peer(place, ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok("1")]) as (
        _,
        url,
    ):
        assert ask(url, GET) == [b"1"]


def test_a_file_is_sent_as_it_is(place: Path, tmp_path: Path) -> None:
    data = os.urandom(1_000_000)
    (tmp_path / "data").write_bytes(data)
    with peer(place, [ok()]) as (server, url):
        ask(url, Request("POST", "/v1/blobs", body=tmp_path / "data", content_type="application/octet-stream"))
    assert server.requests[0][1] == data


def test_a_request_on_a_connection_that_the_server_ended_is_sent_again(place: Path) -> None:
    with peer(place, [ok("1"), CLOSE], [ok("2")]) as (server, url):
        assert ask(url, GET, GET) == [b"1", b"2"]
    assert len(server.requests) == 3


def test_what_may_have_been_done_is_not_sent_again(place: Path) -> None:
    with peer(place, [ok("1"), CLOSE], [ok("2")]) as (server, url):
        with pytest.raises(ServerUnavailableError, match="did not answer: the connection was closed"):
            ask(url, GET, POST)
    assert len(server.requests) == 2


def test_an_answer_that_had_begun_is_not_asked_for_again(place: Path) -> None:
    with peer(place, [ok("1"), Cut("HTTP/1.1 200 OK\r\nConte")], [ok("2")]) as (server, url):
        with pytest.raises(ServerUnavailableError, match="did not answer"):
            ask(url, GET, Request("GET", "/v1/x"))
    assert len(server.requests) == 2


def test_an_answer_that_is_cut_is_an_error(place: Path) -> None:
    with peer(place, [Cut("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")]) as (_, url):
        with pytest.raises(ServerUnavailableError, match="broke off its answer"):
            ask(url, GET)


def test_a_full_server_is_asked_again(place: Path) -> None:
    busy = problem(429, "overloaded", "Retry-After: 1")
    with peer(place, [busy, busy, ok("1")]) as (_, url):
        assert ask(url, POST) == [b"1"]


def test_a_server_that_stays_full_is_an_error(place: Path) -> None:
    with peer(place, [problem(429, "overloaded")] * 6, *[[problem(429, "overloaded")]] * 5) as (_, url):
        with pytest.raises(OverloadedError, match="it is overloaded"):
            ask(url, GET)


def test_a_problem_becomes_its_error(place: Path) -> None:
    with peer(place, [problem(404, "not_found")]) as (_, url):
        with pytest.raises(NotFoundError, match="it is not_found"):
            ask(url, GET)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", UnauthorizedError, "did not accept the token"),
        (
            "HTTP/1.1 302 Found\r\nLocation: http://x/\r\nContent-Length: 0\r\n\r\n",
            ServerUnavailableError,
            "points elsewhere",
        ),
        ("HTTP/1.1 502 Bad\r\nContent-Length: 6\r\n\r\n<html>", ServerUnavailableError, "status 502"),
        ("SSH-2.0-OpenSSH\r\n\r\n", ServerUnavailableError, "not HTTP"),
        ("HTTP/1.1 200 OK\r\n\r\n", ServerUnavailableError, "how long it is"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", ServerUnavailableError, "how long it is"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", ServerUnavailableError, "how long it is"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", ServerUnavailableError, "encoding"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
            ServerUnavailableError,
            "encoding",
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", ServerUnavailableError, "cut up"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", ServerUnavailableError, "cut up"),
        ("HTTP/1.1 200 OK\r\nX: " + "x" * 300_000 + "\r\n\r\n", ServerUnavailableError, "too long"),
        ("HTTP/1.1 200 OK\r\n" + "X: y\r\n" * 200 + "\r\n", ServerUnavailableError, "damaged"),
        ("HTTP/1.1 200 OK\r\nno field\r\nContent-Length: 1\r\n\r\n1", ServerUnavailableError, "damaged"),
        ("HTTP/1.1 200 OK\r\nX: y\r\n continued\r\nContent-Length: 1\r\n\r\n1", ServerUnavailableError, "damaged"),
        ("HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\n1", ServerUnavailableError, "damaged"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\nX: y\r\n\r\n1", ServerUnavailableError, "damaged"),
    ],
)
def test_an_answer_that_is_not_of_an_engine_is_refused(
    place: Path, answer: str, error: type[GloveboxError], words: str
) -> None:
    with peer(place, [answer]) as (_, url):
        with pytest.raises(error, match=words):
            ask(url, Request("POST", "/v1/x"))


def test_a_body_beyond_its_bound_is_refused(place: Path) -> None:
    async def work(http: Http) -> None:
        await http.ask(GET, limit=10)

    with peer(place, [ok("x" * 11)]) as (_, url):
        with pytest.raises(ServerUnavailableError, match="more than 10 bytes"):
            talk(url, work)


def test_silence_is_an_error(place: Path) -> None:
    with peer(place, [HANG]) as (_, url):
        with pytest.raises(ServerUnavailableError, match="silent for 0.05 s"):
            ask(url, Request("POST", "/v1/x", silence=0.05))


def test_a_server_that_is_not_there_was_not_reached(place: Path) -> None:
    with pytest.raises(ServerUnavailableError, match="could not be reached") as caught:
        ask(f"unix://{place}/none", POST)
    assert str(caught.value.outcome) == "not_started"


def test_a_program_is_told_which_server_is_not_there(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_URL", f"unix://{place}/none")
    with pytest.raises(ServerUnavailableError, match=f"{place}/none"):
        glovebox.sandbox.create(code="x = 1").run()


def test_the_token_is_sent_and_shown_nowhere(place: Path) -> None:
    with peer(place, ["HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n"]) as (server, url):
        with pytest.raises(UnauthorizedError) as caught:
            ask(url, GET, token="s3cret-token")
    assert "Authorization: Bearer s3cret-token\r\n" in server.requests[0][0]
    assert "s3cret" not in str(caught.value) + repr(caught.value)
    assert "s3cret" not in repr(Http(parse_address(url), "s3cret-token"))


@pytest.mark.parametrize("token", ["a\r\nX: y", "a\nb", "ä", " token-a"])
def test_a_token_that_would_break_the_request_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="the token cannot be sent") as caught:
        Http(parse_address("unix:///s"), token)
    assert token not in str(caught.value)


def test_a_header_that_would_break_the_request_is_refused(place: Path) -> None:
    with peer(place, []) as (_, url), pytest.raises(ValueError, match="the header Idempotency-Key cannot be sent"):
        ask(url, Request("POST", "/v1/x", headers={"Idempotency-Key": "a\r\nX: y"}))


def test_an_upgrade_hands_the_connection_over(place: Path) -> None:
    async def work(http: Http) -> bytes:
        reader, writer = await http.upgrade("POST", "/v1/workers/connect", "glovebox-worker", 1 << 20)
        try:
            return await reader.readline()
        finally:
            writer.close()
            await writer.wait_closed()

    with peer(place, ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: glovebox-worker\r\n\r\nhello\n"]) as (server, url):
        assert talk(url, work) == b"hello\n"
    assert "Upgrade: glovebox-worker" in server.requests[0][0]


def test_a_refused_upgrade_is_an_error(place: Path) -> None:
    with peer(place, [ok()]) as (_, url), pytest.raises(ServerUnavailableError, match="does not speak glovebox-worker"):
        talk(url, lambda http: http.upgrade("POST", "/v1/workers/connect", "glovebox-worker", 1 << 20))


def listening() -> socket.socket:
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(20)
    return listener


def proxy_in_front(listener: socket.socket, heads: list[bytes], answer: bytes = b"HTTP/1.1 200 OK\r\n\r\n") -> None:
    connection, _ = listener.accept()
    with connection, connection.makefile("rb") as stream:
        while (line := stream.readline()).strip():
            heads.append(line.strip())
        connection.sendall(answer)
        if b"200" not in answer:
            return
        while stream.readline().strip():
            pass
        connection.sendall(ok('"through"').encode())


def through_proxy(answer: bytes, heads: list[bytes]) -> object:
    with listening() as listener:
        thread = threading.Thread(target=proxy_in_front, args=(listener, heads, answer), daemon=True)
        thread.start()
        address = parse_address("http://engine.glovebox", f"http://me:it@127.0.0.1:{listener.getsockname()[1]}")

        async def main() -> bytes:
            http = Http(address)
            try:
                return await http.ask(Request("POST", "/v1/version"))
            finally:
                await http.close()

        try:
            return asyncio.run(main())
        finally:
            listener.close()
            thread.join()


def test_a_proxy_is_asked_for_a_tunnel() -> None:
    heads: list[bytes] = []
    assert through_proxy(b"HTTP/1.1 200 Connection established\r\n\r\n", heads) == b'"through"'
    assert heads[:2] == [b"CONNECT engine.glovebox:80 HTTP/1.1", b"Host: engine.glovebox:80"]
    assert heads[2] == b"Proxy-Authorization: Basic bWU6aXQ="


def test_a_proxy_that_refuses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_TRIES", 1)
    with pytest.raises(ServerUnavailableError, match="the proxy refused: 'HTTP/1.1 403 No'"):
        through_proxy(b"HTTP/1.1 403 No\r\n\r\n", [])


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1 with its key, in one file."""
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=box".split()
    key = file.with_suffix(".key")
    made = subprocess.run(
        [*command, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", file],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("openssl is not installed")
    file.write_bytes(file.read_bytes() + key.read_bytes())
    return file


def over_tls(certificate: Path, ca_file: str | None) -> bytes:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(ok('"safe"').encode())
        await writer.drain()
        writer.close()

    async def main() -> bytes:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        http = Http(parse_address(f"https://127.0.0.1:{port}"), ca_file=ca_file)
        try:
            return await http.ask(GET)
        finally:
            await http.close()
            server.close()
            await server.wait_closed()

    return asyncio.run(main())


def test_tls_trusts_the_authority_that_it_is_told(certificate: Path) -> None:
    assert over_tls(certificate, str(certificate)) == b'"safe"'


def test_tls_honours_ssl_cert_file(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert over_tls(certificate, None) == b'"safe"'


@pytest.mark.skipif(sys.platform != "linux", reason="the store of the system is elsewhere")
def test_tls_refuses_a_certificate_of_nobody(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setattr(http, "_TRIES", 1)
    with pytest.raises(ServerUnavailableError, match="certificate is not trusted: self-signed certificate"):
        over_tls(certificate, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://example.com", "use https"),
        ("http://192.168.0.1:80", "use https"),
        ("ftp://x", "none of unix, http and https"),
        ("unix://relative/path", "absolute"),
        ("unix:///" + "x" * 120, "longer than the 107 bytes"),
        ("https://me:hunter2@host", "no place in it"),
        ("https://host?x=1", "a query"),
        ("https://", "names no host"),
        ("https://host:99999", "no number up to 65535"),
        ("http://127.0.0.1/\r\nX: y", "control character"),
    ],
)
def test_an_address_that_cannot_be_right_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        parse_address(text)
    assert "hunter2" not in str(caught.value)


def test_addresses_are_read() -> None:
    assert parse_address("unix:///run/x").socket == "/run/x"
    assert parse_address("http://127.0.0.1:8700").host_header == "127.0.0.1:8700"
    assert parse_address("http://[::1]:8700/box/").host_header == "[::1]:8700"
    assert parse_address("http://[::1]:8700/box/").base == "/box"
    assert parse_address("https://box.example.com").port == 443


def test_https_goes_through_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "here.example.com")
    proxy = parse_address("https://box.example.com").proxy
    assert proxy is not None and (proxy.host, proxy.port) == ("proxy", 3128)
    assert parse_address("https://here.example.com").proxy is None
