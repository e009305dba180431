"""Sends Apple Pay provisionings at a steady rate over kept connections, and prints how long the answers took.

usage: pace.py PORT PATH KEY CERTIFICATES START CARDS RATE SECONDS

Requests are due at random moments, as those of independent callers are, whether or not earlier ones were answered. Time
counts from when a request is sent, or from when it was due where every connection was taken. "{card}" in
the path stands for so many cards, one by chance for each request. With "-" for a key, the body is what the gateway sends
to Increase.
"""

import collections
import gc
import itertools
import json
import random
import select
import socket
import sys
import time

SIGNATURE = "MEUCIQDx0mYw3vQ8Jb1kq1mY2n0r7v9s5t3u1w8x6y4z2A0BAiB1c3d5e7f9g1h3i5j7k9l1m3n5o7p9q1r3s5t7u9v1wA=="


class Orders:
    """Requests as bytes, each with a nonce of its own, for cards by chance unless told."""

    def __init__(self, path, key, certificates, start, cards, choose=None):
        chain = json.loads(certificates)
        # Only cards whose numbers have as many digits as the last one's, so that every request has the same length.
        numbers = range(10 ** (len(str(cards - 1)) - 1), cards)
        self.numbers = choose(numbers) if choose else (random.choice(numbers) for _ in itertools.count())
        self.card = "#" * len(str(cards - 1))
        self.prefix = f"Zz{start}0"
        self.number = 0
        if key == "-":
            headers = "Authorization: Bearer test_key\r\nIdempotency-Key: {nonce}\r\n"
            body = json.dumps({
                "channel": "apple_pay_in_app", "cardholder_name": "Bea Bench", "apple_pay_in_app": {
                    "certificates": [{"certificate": text} for text in chain], "nonce": "NONCE_OF_16_BYTE",
                    "nonce_signature": SIGNATURE}}, separators=(",", ":"))
        else:
            headers = f"Authorization: Bearer {key}\r\n"
            body = json.dumps({
                "wallet": "apple_pay", "channel": "in_app", "accept": ["apple_pay_pass"],
                "cardholder": {"id": f"holder_{self.card}"}, "apple_pay": {
                    "certificates": chain, "nonce": "NONCE_OF_16_BYTE", "nonce_signature": SIGNATURE}},
                separators=(",", ":"))
        path = path.replace("{card}", f"card_{self.card}")
        head = (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{headers}"
                f"Content-Length: {len(body)}\r\n\r\n")
        self.text = (head + body).replace("{nonce}", "NONCE_OF_16_BYTE").encode()

    def next(self):
        self.number += 1
        text = self.text.replace(b"NONCE_OF_16_BYTE", f"{self.prefix}{self.number:08d}".encode())
        return text.replace(self.card.encode(), f"{next(self.numbers)}".encode())


def is_whole(answer):
    """Whether all of an answer with a known length is there."""
    head = answer.find(b"\r\n\r\n")
    if head < 0:
        return False
    place = answer[:head].lower().find(b"\r\ncontent-length:")
    if place < 0:
        sys.exit(f"pace: an answer without a length: {bytes(answer[:300])}")
    return len(answer) >= head + 4 + int(answer[place + 17:head].split(b"\r\n", 1)[0])


def check(answer):
    if answer[9:12] not in (b"200", b"201"):
        sys.exit(f"pace: {bytes(answer[:600]).decode(errors='replace')}")


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ask(connection, request):
    """Sends a request and waits for its answer."""
    connection.sendall(request)
    answer = bytearray()
    while not is_whole(answer):
        piece = connection.recv(65536)
        if not piece:
            sys.exit("pace: the server has closed the connection")
        answer += piece
    check(answer)
    return answer


def pace(port, orders, rate, seconds, connections=64):
    free = collections.deque(connect(port) for _ in range(connections))
    for connection in free:
        ask(connection, orders.next())
    under_way, times = {}, []
    gap = random.Random(1).expovariate
    began = now = crowded_until = time.perf_counter()
    due = began + gap(rate)
    while now < began + seconds or under_way:
        while due <= now < began + seconds and free:
            connection = free.popleft()
            request = orders.next()
            sent = time.perf_counter()
            connection.sendall(request)
            under_way[connection] = (due if due < crowded_until else sent, bytearray())
            due += gap(rate)
        wait = max(due - time.perf_counter(), 0) if free and due < began + seconds else 0.05
        if not free:
            crowded_until = time.perf_counter()
        for connection in select.select(list(under_way), [], [], wait)[0]:
            start, answer = under_way[connection]
            piece = connection.recv(65536)
            if not piece:
                sys.exit("pace: the server has closed a connection")
            answer += piece
            if is_whole(answer):
                times.append(time.perf_counter() - start)
                check(answer)
                del under_way[connection]
                free.append(connection)
        now = time.perf_counter()
    times.sort()
    return {"rate": len(times) / seconds, "requests": len(times),
            **{f"p{percent}_ms": times[min(len(times) * percent // 100, len(times) - 1)] * 1000
               for percent in (50, 90, 99)}}


def main():
    port, path, key, certificates, start, cards, rate, seconds = sys.argv[1:]
    gc.disable()
    with open(certificates) as file:
        orders = Orders(path, key, file.read(), start, int(cards))
    print(json.dumps(pace(int(port), orders, float(rate), float(seconds))))


if __name__ == "__main__":
    main()
