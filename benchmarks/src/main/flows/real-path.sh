#!/usr/bin/env bash
# Do the totals that Peerlens gives agree with what network cards counted? Real traffic of known size between network
# namespaces, a real exporter (softflowd), a real collector (goflow2), Kafka, Peerlens.
#
#   PEERLENS_TOKEN=... benchmarks/src/main/flows/real-path.sh [KAFKA] [URL]      (127.0.0.1:9092, http://127.0.0.1:8080)
#
# Needs root on Linux, ip, ethtool, softflowd, goflow2, python3, and an installation without other flows of 10.99.0.0/16:
# ./peerlens start --no-sample. Takes 5 minutes; everything it starts it ends. Exit code 1 = a figure is off by more than 1 % and what the exporter
# itself missed.
set -euo pipefail
cd "$(dirname "$0")"
kafka=${1:-127.0.0.1:9092}
url=${2:-http://127.0.0.1:8080}
: "${PEERLENS_TOKEN:?the token of a viewer}"
for tool in ip tc ethtool softflowd softflowctl goflow2 python3; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 2; }
done
work=$(mktemp -d)
pids=()

finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for name in r c1 c2 s1 s2; do ip netns del "pl-$name" 2>/dev/null || true; done
  ip link del pl-export 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

run() { # NAME COMMAND...: in the background
  "${@:2}" >"$work/$1.log" 2>&1 &
  pids+=($!)
}

# A router with one segment for each machine, so that each machine's card sees its own traffic and nothing else.
ip netns add pl-r
ip -n pl-r link set lo up
ip netns exec pl-r sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
segment=1
for name in c1 c2 s1 s2; do
  ip netns add "pl-$name"
  ip netns exec "pl-$name" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
  ip -n pl-r link add "to-$name" type veth peer name eth0 netns "pl-$name"
  ip -n pl-r addr add "10.99.$segment.1/24" dev "to-$name"
  ip -n pl-r link set "to-$name" up
  ip -n "pl-$name" link set lo up
  ip -n "pl-$name" addr add "10.99.$segment.10/24" dev eth0
  ip -n "pl-$name" link set eth0 up
  ip -n "pl-$name" route add default via "10.99.$segment.1"
  # As on a wire: no packets larger than the MTU.
  ip netns exec "pl-$name" ethtool -K eth0 tso off gso off gro off tx off >/dev/null 2>&1
  ip netns exec pl-r ethtool -K "to-$name" tso off gso off gro off tx off >/dev/null 2>&1
  # Slow enough for softflowd to see every packet on a busy machine.
  ip netns exec "pl-$name" tc qdisc add dev eth0 root tbf rate 8mbit burst 32k latency 500ms
  segment=$((segment + 1))
done
ip link add pl-export type veth peer name export netns pl-r
ip addr add 10.99.255.1/30 dev pl-export
ip link set pl-export up
ip -n pl-r addr add 10.99.255.2/30 dev export
ip -n pl-r link set export up

run goflow2 goflow2 -addr 127.0.0.1:0 -listen 'netflow://10.99.255.1:2055?count=1&workers=1' -format json \
  -transport kafka -transport.kafka.brokers "$kafka" -transport.kafka.topic peerlens.flows -transport.kafka.flushfreq 1s
sleep 2
# Two switches: everything that goes to a server is seen twice, where it comes in (IPFIX) and where it goes out (NetFlow v9).
expiry=(-t maxlife=30 -t tcp=15 -t tcp.fin=3 -t tcp.rst=3 -t udp=10 -t expint=3)
number=1
for name in c1 c2 s1 s2; do
  version=(-v 10 -A milli) # without absolute times a flow is put where it was received
  [ "${name:0:1}" = s ] && version=(-v 9)
  run "softflowd-$name" nice -n -10 ip netns exec pl-r softflowd -d -i "$number:to-$name" "${version[@]}" "${expiry[@]}" \
    -n 10.99.255.1:2055 -p "$work/$name.pid" -c "$work/$name.ctl"
  number=$((number + 1))
done
for server in s1 s2; do run "serve-$server" ip netns exec "pl-$server" python3 "$PWD/traffic.py" serve; done
sleep 3
# What an exporter tells together with its first templates is lost, so it tells something else first.
for server in 10.99.3.10 10.99.4.10; do
  for client in c1 c2; do ip netns exec "pl-$client" python3 "$PWD/traffic.py" tcp "$server" 8080 1000 1000; done
done
sleep 10

sleep $((60 - $(date +%s) % 60)) # a new minute, without any of that
from=$(date +%s)
count() { # NAME: bytes of IP sent and received so far
  ip -n "pl-$1" -s -j link show eth0 | python3 -c '
import json, sys
card = json.load(sys.stdin)[0]["stats64"]
print(*(card[way]["bytes"] - 14 * card[way]["packets"] for way in ("tx", "rx")), sum(card[way]["packets"] for way in ("tx", "rx")))'
}
for name in c1 c2 s1 s2; do count "$name" >"$work/before-$name"; done
echo "traffic ..."
ip netns exec pl-c1 python3 "$PWD/traffic.py" tcp 10.99.3.10 5001 30000000 100000 # by far the most
ip netns exec pl-c2 python3 "$PWD/traffic.py" tcp 10.99.3.10 443 50000 8000000
ip netns exec pl-c1 python3 "$PWD/traffic.py" tcp 10.99.4.10 8080 20000 4000000
ip netns exec pl-c2 python3 "$PWD/traffic.py" udp 10.99.4.10 53 5000 200
for name in c1 c2 s1 s2; do count "$name" >"$work/after-$name"; done
# What the exporter itself did not see is its own error.
for name in c1 c2 s1 s2; do
  softflowctl -c "$work/$name.ctl" statistics | sed -n 's/^Packets processed: *//p' >"$work/exported-$name"
done
echo "waiting for the exporters and for the roll-up of the last five minutes ..."
sleep 60
python3 traffic.py compare "$url" "$from" "$work"
