#!/usr/bin/env python3
"""The vendor's SDK for integrations (vmware-aria-operations-integration-sdk-lib), against a live service."""

import time

import requests
from aria.ops.suite_api_client import SuiteApiClient, SuiteApiConnectionParameters
from checks import Checks, world

given = world()
checks = Checks()
same, true = checks.same, checks.true
vm = given["vm"]
start = given["start"]
MINUTES = 60_000
# The SDK checks no certificate unless it is told which.
trusted = {"verify": given["certificate"]}


def client():
    return SuiteApiClient(SuiteApiConnectionParameters(given["url"], "admin", given["password"]))


def reads(suite):
    true("a token", suite.token)
    objects = suite.query_for_resources({"adapterKind": ["VMWARE"], "resourceKind": ["VirtualMachine"]})
    same("objects", sorted(one.get_key().name for one in objects), ["web-1", "web-2"])
    same("kinds", {one.get_key().object_kind for one in objects}, {"VirtualMachine"})
    many = suite.query_for_resources({"name": ["web-1", "esx-1"]})
    same("objects by names", sorted(one.get_key().name for one in many), ["esx-1", "web-1"])
    # A page of one: the SDK asks for the last page first, and then for those before it.
    paged = suite.paged_post(
        "/api/resources/query", "resourceList", json={"adapterKind": ["VMWARE"]}, params={"pageSize": 1}, **trusted
    )
    same("all pages of a query", sorted(one["resourceKey"]["name"] for one in paged["resourceList"]), ["esx-1", "web-1", "web-2"])
    listed = suite.paged_get("/api/resources", "resourceList", params={"pageSize": 2, "adapterKind": "VMWARE"})
    same("all pages of a list", sorted(one["resourceKey"]["name"] for one in listed["resourceList"]), ["esx-1", "web-1", "web-2"])
    alerts = suite.paged_post("/api/alerts/query", "alerts", json={"activeOnly": True, "alertStatus": ["ACTIVE"]})
    same("alerts", {one["alertId"] for one in alerts["alerts"]}, {given["alert"], given["secondAlert"]})
    with suite.get("versions/current", **trusted) as response:
        same("major release", response.json()["major"], 8)
    with suite.post(
        "/api/resources/stats/query",
        json={"resourceId": [vm], "statKey": ["cpu|usage_average"], "begin": start, "end": start + 120 * MINUTES},
        **trusted,
    ) as response:
        stat = response.json()["values"][0]["stat-list"]["stat"][0]
        same(
            "values as they were sent",
            dict(zip(stat["timestamps"], stat["data"])),
            {start + 5 * MINUTES * i: float(i) for i in range(1, 25)},
        )
    with suite.get("/internal/nothing") as response:
        same("what is not there", (response.status_code, response.json()["httpStatusCode"]), (404, 404))


def writes(suite):
    key = {
        "name": "fan-1",
        "adapterKindKey": "SdkFans",
        "resourceKindKey": "Fan",
        "resourceIdentifiers": [
            {"identifierType": {"name": "serial", "dataType": "STRING", "isPartOfUniqueness": True}, "value": "23"}
        ],
    }
    with suite.post("/api/resources/adapterkinds/SdkFans", json={"resourceKey": key}) as response:
        same("a resource is created", response.status_code, 201)
        id = response.json()["identifier"]
    fans = suite.query_for_resources({"adapterKind": ["SdkFans"]})
    same(
        "identifiers of the object",
        [(i.key, i.value, i.is_part_of_uniqueness) for fan in fans for i in fan.get_key().identifiers.values()],
        [("serial", "23", True)],
    )
    moment = int(time.time() * 1000) - MINUTES
    with suite.post(
        f"/api/resources/{id}/stats",
        json={"stat-content": [{"statKey": "fan|speed", "timestamps": [moment], "data": [1200.5]}]},
    ) as response:
        same("values are pushed", (response.status_code, response.text), (200, ""))

    def newest():
        with suite.get(f"/api/resources/{id}/stats/latest") as response:
            return [
                (stat["statKey"]["key"], stat["timestamps"], stat["data"])
                for one in response.json()["values"]
                for stat in one["stat-list"]["stat"]
            ]

    checks.soon("values come back", newest, [("fan|speed", [moment], [1200.5])])
    with suite.post("/api/supermetrics", json={"name": "By the SDK", "formula": "1 + 1"}) as response:
        metric = response.json()
    metric["formula"] = "1 + 2"
    with suite.put("/api/supermetrics", json=metric) as response:
        same("a super metric is changed", (response.status_code, response.json()["formula"]), (200, "1 + 2"))
    with suite.delete("/api/supermetrics/" + metric["id"]) as response:
        same("a super metric is deleted", response.status_code, 204)


with client() as suite:
    token = suite.token
    checks.part("reads", lambda: reads(suite))
    checks.part("writes", lambda: writes(suite))
same("the token is released", suite.token, "")
after = requests.get(
    given["url"] + "/suite-api/api/versions/current", headers={"Authorization": "vRealizeOpsToken " + token}, **trusted
)
same("a token that was released", after.status_code, 401)
checks.end()
