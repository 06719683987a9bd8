"""Opens a dashboard of 12 panels as a browser does, again and again, and prints how long that took.

    python3 panel_load.py http://127.0.0.1:8080 TOKEN [--rounds 40] [--screens 1]

The installation is filled by src/main/panels/fill.sql. Six panels ask at a time, as a browser does over HTTP/1.1; a dashboard
has come when the last panel has. With --screens, so many walls ask the same at the same time, with maxAge.
"""

import argparse
import concurrent.futures as futures
import json
import statistics
import time
import urllib.request

VM = "VMWARE/VirtualMachine"
CPU, READY, MEM, NET = ({"any": [key]} for key in ("cpu|usage_average", "cpu|readyPct", "mem|usage_average", "net|usage_average"))


def column(name, metric, transform="avg", **rest):
    return {"name": name, "metric": metric, "transform": transform, **rest}


PANELS = {
    "table of means": {"type": "table", "kind": VM, "limit": 50, "sort": [{"column": "cpu", "order": "desc"}],
                       "columns": [column("cpu", CPU), column("mem", MEM), column("net", NET), {"name": "os", "property": "summary|guest|fullName"}]},
    "table of now": {"type": "table", "kind": VM, "limit": 50, "columns": [column("cpu", CPU, "current"), column("ready", READY, "current")]},
    "table below a condition": {"type": "table", "kind": VM, "limit": 50, "columns": [column("cpu", CPU, "max")],
                                "select": {"scope": {"tags": ["env=prod"]}, "where": [[{"metric": CPU, "transform": "max", "op": ">", "value": 60}]]}},
    "percentiles": {"type": "top", "kind": VM, "columns": [column("ready", READY, {"percentile": 95}, sparkline=True)]},
    "top now": {"type": "top", "kind": VM, "columns": [column("cpu", CPU, "current")]},
    "heat map": {"type": "heatmap", "kind": VM, "slider": True, "limit": 2000, "groupBy": {"ancestor": "VMWARE/HostSystem"}, "size": "cpus", "colourBy": "ready",
                 "columns": [{"name": "cpus", "property": "config|hardware|num_Cpu"}, column("ready", READY, "avg", colour={"bounds": [50, 55, 60]})]},
    "distribution": {"type": "distribution", "kind": VM, "columns": [column("cpu", CPU)]},
    "systems": {"type": "distribution", "as": "donut", "kind": VM, "columns": [{"name": "os", "property": "summary|guest|fullName"}]},
    "chart": {"type": "chart", "kind": VM, "limit": 10, "columns": [column("cpu", CPU)]},
    "hosts": {"type": "table", "kind": "VMWARE/HostSystem", "limit": 50, "columns": [column("cpu", CPU), {"name": "vms", "related": {"path": ["children"]}}]},
    "score": {"type": "scoreboard", "kind": "VMWARE/HostSystem", "select": {"scope": {"name": "esx-1"}}, "columns": [column("cpu", CPU)]},
    "alerts": {"type": "alerts", "severity": "warning"},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base")
    parser.add_argument("token")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--screens", type=int, default=1)
    options = parser.parse_args()

    def ask(name):
        body = {"panel": PANELS[name], "time": {"last": "24h"}}
        if options.screens > 1:
            body["maxAge"] = "10s"
        request = urllib.request.Request(
            options.base + "/api/v1/panels/query", json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": "Bearer " + options.token})
        begin = time.monotonic()
        with urllib.request.urlopen(request) as answer:
            size = len(answer.read())
        return name, time.monotonic() - begin, size

    dashboards, panels, sizes = [], {name: [] for name in PANELS}, {}

    def dashboard(pool):
        begin = time.monotonic()
        for name, took, size in pool.map(ask, PANELS):
            panels[name].append(took)
            sizes[name] = size
        return time.monotonic() - begin

    with futures.ThreadPoolExecutor(options.screens) as screens:
        pools = [futures.ThreadPoolExecutor(6) for _ in range(options.screens)]
        for _ in range(3):
            dashboard(pools[0])
        panels = {name: [] for name in PANELS}
        for _ in range(options.rounds):
            begin = time.monotonic()
            list(screens.map(dashboard, pools))
            dashboards.append(time.monotonic() - begin)
            if options.screens > 1:
                time.sleep(10.5)

    def line(name, took):
        took.sort()
        print(f"{name:26} median {1000 * statistics.median(took):7.0f} ms   p95 {1000 * took[max(0, -(-95 * len(took) // 100) - 1)]:7.0f} ms")

    line("the dashboard", dashboards)
    for name, took in panels.items():
        line(name, took)


main()
