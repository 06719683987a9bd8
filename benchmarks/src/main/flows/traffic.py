"""Traffic of known size, and what became of it: the parts of real-path.sh."""

import json
import os
import socket
import struct
import sys
import threading
import time
import urllib.request

TCP_PORTS = (443, 5001, 8080)
UDP_PORT = 53
BLOCK = 1 << 16
ADDRESSES = {"c1": "10.99.1.10", "c2": "10.99.2.10", "s1": "10.99.3.10", "s2": "10.99.4.10"}
TOLERANCE = 0.01
MTU = 1500


def serve():
    """Takes as many bytes as a client announces, then sends as many as it asks for."""
    for port in TCP_PORTS:
        threading.Thread(target=listen, args=(port,)).start()
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("", UDP_PORT))
    while True:
        data, client = receiver.recvfrom(BLOCK)
        receiver.sendto(data[:100], client)


def listen(port):
    listener = socket.create_server(("", port))
    while True:
        connection, _ = listener.accept()
        with connection:
            sent, wanted = struct.unpack("!QQ", take(connection, 16))
            take(connection, sent)
            connection.sendall(bytes(wanted))


def take(connection, size):
    last = b""
    while size > 0:
        last = connection.recv(min(BLOCK, size))
        if not last:
            raise EOFError("the other side closed too early")
        size -= len(last)
    return last


def tcp(host, port, upload, download):
    with socket.create_connection((host, port)) as connection:
        connection.sendall(struct.pack("!QQ", upload, download))
        connection.sendall(bytes(upload))
        take(connection, download)


def udp(host, port, datagrams, size):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect((host, port))
        sender.settimeout(1)
        for _ in range(datagrams):
            sender.send(bytes(size))
            try:
                sender.recv(BLOCK)
            except TimeoutError:
                pass


def ask(url, path):
    request = urllib.request.Request(
        url + "/api/v1" + path, headers={"Authorization": "Bearer " + os.environ["PEERLENS_TOKEN"]}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def compare(url, start, work):
    """Waits until all is stored, then sets what cards counted beside what Peerlens says."""
    window = f"from={start * 1000}&to={(int(time.time()) // 60 + 1) * 60_000}"
    flows = {}
    before = -1
    for _ in range(30):
        items = ask(url, f"/flows?{window}&limit=500")["items"]
        flows = [item for item in items if item["from"]["name"].startswith("10.99.")]
        total = sum(item["bytes"] for item in flows)
        if total == before and total > 0:
            break
        before = total
        time.sleep(10)
    off = False
    print(f"{'machine':8} {'':9} {'card':>12} {'Peerlens':>12} {'off by':>8} exporter missed")
    for name, address in ADDRESSES.items():
        was, now, seen = (numbers(f"{work}/{when}-{name}") for when in ("before", "after", "exported"))
        # The exporter's count begins when it does, before the traffic; the card's then, too.
        missed = max(0, now[2] - seen[0])
        for way, card in zip(("from", "to"), (b - a for a, b in zip(was, now))):
            told = sum(item["bytes"] for item in flows if item[way]["name"] == address)
            off |= line(name, {"from": "sent", "to": "received"}[way], card, told, missed)
    print()
    ports = {}
    for item in flows:
        key = item["service"]["service"]
        ports[key] = ports.get(key, 0) + item["bytes"]
    for service, told in sorted(ports.items(), key=lambda entry: -entry[1]):
        print(f"{service:18} {told:>25,}")
    first = max(flows, key=lambda item: item["bytes"])
    print(f"\nmost: {first['from']['name']} to {first['to']['name']}, {first['service']['service']}, {first['bytes']:,} B")
    off |= (first["from"]["name"], first["service"]["port"]) != (ADDRESSES["c1"], 5001)
    sys.exit("FAILED" if off else None)


def numbers(file):
    with open(file) as text:
        return [int(word) for word in text.read().split()]


def line(name, way, card, told, missed):
    error = told / card - 1
    print(f"{name:8} {way:9} {card:>12,} {told:>12,} {error:>8.2%} {missed:>8} packets")
    return not -TOLERANCE - missed * MTU / card < error < TOLERANCE


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "serve":
        serve()
    elif command in ("tcp", "udp"):
        {"tcp": tcp, "udp": udp}[command](arguments[0], *map(int, arguments[1:]))
    else:
        compare(arguments[0], int(arguments[1]), arguments[2])
