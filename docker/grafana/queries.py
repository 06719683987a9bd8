#!/usr/bin/env python3
"""Prints the dashboards' queries, one a line, with Grafana's macros and variables replaced: for psql in ../check.sh."""
import glob
import json
import os
import re
import sys

FROM = "timestamptz '2026-01-01 00:00:00Z'"
TO = "timestamptz '2026-01-01 06:00:00Z'"


def plain(query, variables):
    query = re.sub(r"\$__timeFilter\(([\w.\"]+)\)", rf"\1 between {FROM} and {TO}", query)
    query = query.replace("$__timeFrom()", FROM).replace("$__timeTo()", TO)
    for name, value in variables.items():
        query = query.replace("$" + name, value)
    if "$" in query:
        sys.exit(f"a macro or variable that this script does not know: {query}")
    return " ".join(query.split())


for file in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "dashboards", "*.json"))):
    with open(file, encoding="utf-8") as opened:
        dashboard = json.load(opened)
    used = {}
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            print(plain(variable["query"], {}))
            used[variable["name"]] = variable["allValue"]
        elif variable["multi"]:
            used[variable["name"]] = ", ".join(f"'{value}'" for value in variable["query"].split(","))
        else:
            used[variable["name"]] = variable["query"].split(",")[0]
    for mark in dashboard["annotations"]["list"]:
        print(plain(mark["rawQuery"], used))
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            print(plain(target["rawSql"], used))
