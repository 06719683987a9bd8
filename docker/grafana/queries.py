#!/usr/bin/env python3
"""Prints the dashboards' queries, one a line, with Grafana's macros replaced: for psql in ../check.sh."""
import glob
import json
import os
import sys

for file in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "dashboards", "*.json"))):
    with open(file, encoding="utf-8") as opened:
        panels = json.load(opened)["panels"]
    for panel in panels:
        for target in panel.get("targets", []):
            query = target["rawSql"].replace("$__timeFilter(time)", "time > now() - interval '6 hours'")
            if "$__" in query:
                sys.exit(f"{file}: panel {panel['title']} uses a macro that this script does not know: {query}")
            print(" ".join(query.split()))
