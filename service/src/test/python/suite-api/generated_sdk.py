#!/usr/bin/env python3
"""The SDK that the vendor generates from its OpenAPI text (vcf-operations), against a live service.

It calls each operation that the SDK has and the service has a route for, and says what is missing.
"""

import re
import time

import requests
from checks import Checks, world
from vcf.operations import api_client as api
from vcf.operations import model_client as model
from vcf.operations.api import (
    adapterkinds_client,
    adapters_client,
    alertdefinitions_client,
    alerts_client,
    collectors_client,
    resources_client,
    symptoms_client,
    versions_client,
)
from vcf.operations.api import auth_client
from vcf.operations.api.adapterkinds import resourcekinds_client
from vcf.operations.api.auth import token_client
from vcf.operations.api.deployment import node_client
from vcf.operations.api.deployment.node import services_client
from vcf.operations.api.resources import bulk_client, groups_client, properties_client, stats_client
from vcf.operations.api.resources.properties import latest_client as latest_properties
from vcf.operations.api.resources.stats import dt_client, latest_client
from vmware.vapi.lib.connect import get_requests_connector
from vmware.vapi.stdlib.client.factories import StubConfigurationFactory

MINUTES = 60_000
USAGE = "cpu|usage_average"
READY = "cpu|ready"

given = world()
checks = Checks()
same, true = checks.same, checks.true
host, vm, other = given["host"], given["vm"], given["other"]
start = given["start"]
end = start + 120 * MINUTES
times = [start + 5 * MINUTES * i for i in range(1, 25)]
usage = [float(i) for i in range(1, 25)]

called = set()
last_status = None


def note(response, *args, **kwargs):
    global last_status
    last_status = response.status_code
    path = response.request.path_url.partition("?")[0].removeprefix("/suite-api")
    called.add((response.request.method, path))


session = requests.Session()
session.verify = given["certificate"]
session.trust_env = False  # or certificates that the environment names would be trusted instead
session.hooks["response"].append(note)


def on(stub):
    """A stub of the SDK on the service."""
    connector = get_requests_connector(session=session, msg_protocol="rest", url=given["url"] + "/suite-api")
    return stub(StubConfigurationFactory.new_std_configuration(connector))


def refused(what, status, call):
    """The SDK has one exception for all that a server refuses."""
    checks.fails(what, call)
    same(what, last_status, status)


def names(resources):
    return sorted(one.resource_key.name for one in resources)


def series(stats, resource=None):
    """Values by key of one resource."""
    return {
        one.stat_key.key: dict(zip(one.timestamps, one.data, strict=True))
        for of in stats.values
        if resource is None or of.resource_id == resource
        for one in of.stat_list.stat
    }


def sign_in():
    before = int(time.time() * 1000)
    refused(
        "acquire with a wrong password",
        401,
        lambda: on(token_client.Acquire).acquire_token(
            model.UsernamePassword(username="admin", password="plt_wrong", auth_source="Local")
        ),
    )
    token = on(token_client.Acquire).acquire_token(
        model.UsernamePassword(username="admin", password=given["password"], auth_source="Local")
    )
    true("the token ends in six hours", 0 <= token.validity - before - 6 * 60 * MINUTES < 10 * MINUTES)
    same("roles", token.roles, ["Administrator"])
    session.headers["Authorization"] = "OpsToken " + token.token
    sources = on(auth_client.Sources).get_auth_sources().sources
    same("sources of users", [one.name for one in sources], ["Local Users"])
    same("a source of users", on(auth_client.Sources).get_auth_source(sources[0].id).name, "Local Users")


def system():
    current = on(versions_client.Current).get_current_version_of_server()
    true("release", current.release_name.startswith("Peerlens"))
    same("major release", current.major, 8)
    versions = on(api.Versions).get_supported_application_versions().values
    same("versions", [one.release_name for one in versions], [current.release_name])
    same("state of the node", on(node_client.Status).get_node_status().status, "ONLINE")
    services = {one.name: one.health for one in on(services_client.Info).get_services_info().service}
    same("service API", services["API"], "OK")
    true("service of values", "COLLECTOR" in services)


def kinds():
    adapter_kinds = on(api.Adapterkinds)
    found = {one.key: one for one in adapter_kinds.get_adapter_types().adapter_kind}
    true("kinds of adapters", "VMWARE" in found)
    same("one kind of adapters", adapter_kinds.get_adapter_type("vmware").resource_kinds, found["VMWARE"].resource_kinds)
    true("its kinds of resources", {"HostSystem", "VirtualMachine"} <= set(found["VMWARE"].resource_kinds))
    resource_kinds = on(adapterkinds_client.Resourcekinds)
    of_adapter = resource_kinds.get_resource_types_for_adapter_type("VMWARE").resource_kind
    same("kinds of resources", sorted(one.key for one in of_adapter), sorted(found["VMWARE"].resource_kinds))
    same(
        "one kind of resources",
        resource_kinds.get_resource_type_for_adapter_type("VMWARE", "virtualmachine").key,
        "VirtualMachine",
    )
    keys = on(resourcekinds_client.Statkeys).get_resource_type_attributes_for_adapter_type("VMWARE", "VirtualMachine")
    same("keys of values of a kind", [one.key for one in keys.resource_type_attributes], [READY, USAGE])
    same("units", {one.key: one.unit for one in keys.resource_type_attributes}[USAGE], "unit0")
    properties = on(resourcekinds_client.Properties).get_resource_type_properties_for_adapter_type(
        "VMWARE", "VirtualMachine"
    )
    true(
        "properties of a kind",
        {"config|hardware|num_Cpu", "summary|parentHost"}
        <= {one.key for one in properties.resource_type_attributes},
    )
    same(
        "resources of a kind",
        names(
            on(resourcekinds_client.Resources)
            .get_resources_with_adapter_and_resource_kind("VMWARE", "VirtualMachine")
            .resource_list
        ),
        ["web-1", "web-2"],
    )
    same(
        "resources of a kind of adapters",
        names(on(adapterkinds_client.Resources).get_resources_with_adapter_kind("VMWARE").resource_list),
        ["esx-1", "web-1", "web-2"],
    )
    adapters = on(api.Adapters)
    instances = adapters.enumerate_adapter_instances(adapter_kind_key="vmware").adapter_instances_info_dto
    same("adapter instances", [one.resource_key.adapter_kind_key for one in instances], ["VMWARE"])
    same("resources of an adapter instance", instances[0].number_of_resources_collected, 3)
    same("adapter instances of nobody", adapters.enumerate_adapter_instances("nobody").adapter_instances_info_dto, [])
    same("one adapter instance", adapters.get_adapter_instance(instances[0].id).id, instances[0].id)
    same(
        "resources of an adapter instance by name",
        names(on(adapters_client.Resources).get_resources_of_adapter_instance(instances[0].id).resource_list),
        ["esx-1", "web-1", "web-2"],
    )
    collectors = on(api.Collectors).get_collectors().collector
    same("collectors", [one.state for one in collectors], ["UP"])
    # Another program may have created resources of another kind meanwhile.
    true("adapter instances of a collector", instances[0].id in collectors[0].adapter_instance_ids)
    on_it = on(collectors_client.Adapters).get_adapters_on_collector(collectors[0].id).adapter_instances_info_dto
    true("adapter instances on a collector", instances[0].id in [one.id for one in on_it])
    groups = on(api.Collectorgroups)
    listed = groups.get_collector_groups().collector_groups
    same("a group of collectors", groups.get_collector_group(listed[0].id).name, listed[0].name)
    same("credentials", on(api.Credentials).get_credentials().credential_instances, [])
    same("kinds of credentials", on(api.Credentialkinds).get_credential_kinds().credential_types, [])
    refused("a credential", 404, lambda: on(api.Credentials).get_credential(given["alert"]))


def resources():
    all_resources = on(api.Resources)
    page = all_resources.get_resources(adapter_kind=["VMWARE"], page=0, page_size=2)
    same("resources in all", page.page_info.total_count, 3)
    same("resources of a page", len(page.resource_list), 2)
    true("links of a page", {"SELF", "NEXT"} <= {one.rel for one in page.links})
    rest = all_resources.get_resources(adapter_kind=["VMWARE"], page=1, page_size=2)
    same("all pages", names(page.resource_list + rest.resource_list), ["esx-1", "web-1", "web-2"])
    past = all_resources.get_resources(adapter_kind=["VMWARE"], page=9, page_size=2)
    same("a page past the end", (past.resource_list, past.page_info.total_count), ([], 3))
    same("by beginning of the name", names(all_resources.get_resources(name=["WEB"]).resource_list), ["web-1", "web-2"])
    same("by pattern", names(all_resources.get_resources(regex=[".*-1"], adapter_kind=["VMWARE"]).resource_list), ["esx-1", "web-1"])
    same("by kind", names(all_resources.get_resources(resource_kind=["hostsystem"]).resource_list), ["esx-1"])
    same("by id", names(all_resources.get_resources(resource_id=[other]).resource_list), ["web-2"])
    same("by parent", names(all_resources.get_resources(parent_id=[host]).resource_list), ["web-1", "web-2"])
    same(
        "by property",
        names(
            all_resources.get_resources(
                property_name="config|hardware|num_Cpu", property_value="4"
            ).resource_list
        ),
        ["web-1"],
    )
    for related, expected in [("PARENT", [host]), ("CHILD", [])]:
        found = all_resources.get_resources(resource_id=[vm], include_related=related).resource_list
        same("related resources " + related, [one.related_resources for one in found], [expected])
    one = all_resources.get_resource(vm)
    same(
        "key of a resource",
        (one.resource_key.adapter_kind_key, one.resource_key.resource_kind_key, one.resource_key.name),
        ("VMWARE", "VirtualMachine", "web-1"),
    )
    same("health of a resource with an alert", one.resource_health, "YELLOW")
    same("badges", sorted(badge.type for badge in one.badges), ["EFFICIENCY", "HEALTH", "RISK"])
    same("state of a resource", one.resource_status_states[0].resource_state, "STARTED")
    refused("a resource that is not there", 404, lambda: all_resources.get_resource(given["alert"]))

    query = on(resources_client.Query)

    def found(**filters):
        return names(query.get_matching_resources(model.ResourceQuery(**filters), page=0, page_size=10_000).resource_list)

    same("query by kind", found(adapter_kind=["vmware"], resource_kind=["VIRTUALMACHINE"]), ["web-1", "web-2"])
    same("query by health, which is that of what is below, too", found(resource_health=["YELLOW"]), ["esx-1", "web-1"])
    same("query by state", found(resource_state=["STARTED"], resource_kind=["HostSystem"]), ["esx-1"])
    same("query by tag", found(resource_tag=[model.ResourceTag(category="tier", name="web")]), ["web-1"])

    def condition(key, operator, **value):
        return model.StatOrPropertyConditionQuery(
            conjunction_operator="AND",
            conditions=[model.StatOrPropertyCondition(key=key, operator=operator, **value)],
        )

    same("query by property", found(property_conditions=condition("summary|parentHost", "EQ", string_value="esx-1")), ["web-1"])
    same("query by number", found(property_conditions=condition("config|hardware|num_Cpu", "GT", double_value=3.0)), ["web-1"])
    same("query by newest value", found(stat_conditions=condition(USAGE, "GT_EQ", double_value=124.0)), ["web-2"])
    past = query.get_matching_resources(model.ResourceQuery(adapter_kind=["VMWARE"]), page=4, page_size=1)
    same("a query past the end", (past.resource_list, past.page_info.total_count), ([], 3))


def relations():
    of_one = on(resources_client.Relationships)
    for kind, of, expected in [
        ("PARENT", vm, ["esx-1"]),
        ("CHILD", host, ["web-1", "web-2"]),
        ("ALL", vm, ["esx-1"]),
    ]:
        got = of_one.get_relationships(of, relationship_type=kind)
        same("relations " + kind, (names(got.resource_list), got.relationship_type), (expected, kind))
    same("relations by path", names(of_one.get_relationship(host, "children").resource_list), ["web-1", "web-2"])
    bulk = on(bulk_client.Relationships).get_resources_relationships(
        model.ResourceRelationshipsQuery(
            relationship_type="DESCENDANT",
            resource_ids=[host],
            resource_query=model.ResourceQuery(resource_kind=["VirtualMachine"]),
        ),
        page=0,
        page_size=10_000,
    )
    same(
        "relations of many",
        {one.resource.resource_key.name: one.related_resources for one in bulk.resources_relations},
        {"web-1": [host], "web-2": [host]},
    )


def stats():
    query = on(stats_client.Query)
    plain = model.StatQuery(resource_id=[vm, other, host], stat_key=[USAGE, READY], begin=start, end=end)
    got = query.get_stats_for_resources(plain)
    same("who has values", {one.resource_id for one in got.values}, {vm, other})
    same("values as they were sent", series(got, vm), {USAGE: dict(zip(times, usage))})
    same(
        "values of another",
        series(got, other),
        {USAGE: {t: 100 + v for t, v in zip(times, usage)}, READY: {t: v / 2 for t, v in zip(times, usage)}},
    )
    first, second = usage[:12], usage[12:]
    for roll_up, of in [
        ("AVG", lambda v: sum(v) / 12),
        ("MIN", min),
        ("MAX", max),
        ("SUM", sum),
        ("COUNT", len),
        ("LATEST", lambda v: v[-1]),
    ]:
        hourly = model.StatQuery(
            stat_key=[USAGE], begin=start, end=end, roll_up_type=roll_up, interval_type="HOURS", interval_quantifier=1
        )
        same(
            roll_up + " by the hour",
            series(query.get_stats_for_resource(vm, hourly)),
            {USAGE: {start + 60 * MINUTES: float(of(first)), end: float(of(second))}},
        )
    of_all = on(resources_client.Stats)
    same(
        "values by address",
        series(of_all.get_stats_of_resources(resource_id=[vm], stat_key=[USAGE], begin=start, end=end)),
        {USAGE: dict(zip(times, usage))},
    )
    same(
        "values of one by address",
        series(
            of_all.get_stats_of_resource(
                vm, stat_key=[USAGE], begin=start, end=end, roll_up_type="MAX", interval_type="MINUTES", interval_quantifier=120
            )
        ),
        {USAGE: expected_windows(120, max)},
    )
    newest = on(stats_client.Latest)
    same("newest of one", series(newest.get_latest_stats(vm)), {USAGE: {times[-1]: 24.0}})
    same(
        "newest of many",
        series(newest.get_latest_stats_of_resources(resource_id=[vm, other], stat_key=[USAGE]), other),
        {USAGE: {times[-1]: 124.0}},
    )
    same(
        "newest three",
        series(
            on(latest_client.Query).query_latest_stats_of_resources(
                model.LatestStatQuery(resource_id=[vm], stat_key=[USAGE], max_samples=3)
            )
        ),
        {USAGE: dict(zip(times[-3:], usage[-3:]))},
    )
    top = on(stats_client.Topn)
    best = top.get_topn_stats_of_resources(
        topn=1, sort_order="DESCENDING", roll_up_type="MAX", resource_id=[vm, other], stat_key=[USAGE], begin=start, end=end
    )
    same(
        "the largest",
        [(group.group_key, stat.stat.data) for group in best.resource_stat_groups for stat in group.resource_stats],
        [(other, [124.0])],
    )
    ranked = top.get_topn_stats_of_resources(
        topn=2, group_by="STATKEY", roll_up_type="MAX", resource_id=[vm, other], stat_key=[USAGE], begin=start, end=end
    )
    same(
        "ascending, by key",
        [[stat.stat.data[0] for stat in group.resource_stats] for group in ranked.resource_stat_groups],
        [[24.0, 124.0]],
    )
    of_one = top.get_topn_stats_of_resource(
        other, topn=5, sort_order="DESCENDING", roll_up_type="MIN", stat_key=[USAGE, READY], begin=start, end=end
    )
    same(
        "the largest of one",
        [(stat.stat.stat_key.key, stat.stat.data) for group in of_one.resource_stat_groups for stat in group.resource_stats],
        [(USAGE, [101.0]), (READY, [0.5])],
    )
    keys = on(resources_client.Statkeys)
    same("keys of a resource", [one.key for one in keys.get_stat_keys(other).stat_key], [READY, USAGE])
    same(
        "keys with a text",
        [one.key for one in keys.get_stat_keys_of_resources(resource_id=other, searchstring="USAGE").stat_key],
        [USAGE],
    )


def expected_windows(minutes, of):
    """What intervals hold that end at multiples of so many minutes since 1970."""
    width = minutes * MINUTES
    windows = {}
    for moment, value in zip(times, usage):
        windows.setdefault(-(-moment // width) * width, []).append(value)
    return {moment: float(of(values)) for moment, values in windows.items()}


def thresholds():
    for what, got in [
        ("of one", on(stats_client.Dt).get_dt_stats_of_resource(vm, stat_key=[USAGE], begin=start, end=end)),
        (
            "of many",
            on(dt_client.Query).get_stats_and_dt_for_resources(
                model.DtStatQuery(resource_ids=[vm], stat_keys=[USAGE], begin=start, end=end, show_smooth=True)
            ),
        ),
    ]:
        stat = got.values[0].stat_list.stat[0]
        same("values beside dynamic thresholds " + what, dict(zip(stat.timestamps, stat.data)), dict(zip(times, usage)))
        true("dynamic thresholds " + what, len(stat.dt_timestamps) >= 2)
        same("one bound for each time " + what, len(stat.min_threshold_data), len(stat.dt_timestamps))
        true("lower before upper " + what, all(l < u for l, u in zip(stat.min_threshold_data, stat.max_threshold_data)))
        same(
            "the middle " + what,
            stat.smooth_values,
            [(l + u) / 2 for l, u in zip(stat.min_threshold_data, stat.max_threshold_data)],
        )


def properties():
    expected = {
        "config|hardware|num_Cpu": "4",
        "summary|parentHost": "esx-1",
        "summary|tagJson": '[{"category":"tier","name":"web"}]',
    }
    of_one = on(resources_client.Properties)
    same("properties", {one.name: one.value for one in of_one.get_resource_properties(vm).property}, expected)
    many = of_one.get_resource_properties_list(resource_id=[vm, host]).resource_properties_list
    same("properties of many", {one.resource_id for one in many}, {vm, host})
    latest = on(latest_properties.Query).query_latest_properties_of_resources(
        model.PropertiesQuery(resource_ids=[vm], property_keys=["config|hardware|num_Cpu"])
    )
    content = latest.values[0].property_contents.property_content[0]
    same("a property", (content.stat_key, content.values), ("config|hardware|num_Cpu", ["4"]))


def alerts():
    of_all = on(api.Alerts)
    got = of_all.get_alerts(resource_id=[vm])
    same("alerts", sorted(one.alert_id for one in got.alerts), sorted([given["alert"], given["secondAlert"]]))
    alert = of_all.get_alert(given["alert"])
    same(
        "an alert",
        (alert.resource_id, alert.alert_level, alert.status, alert.alert_impact, alert.alert_definition_id, alert.stat_key),
        (vm, "WARNING", "ACTIVE", "HEALTH", given["symptomDefinition"], USAGE),
    )
    same("when it began", (alert.start_time_utc, alert.cancel_time_utc), (start, 0))
    query = on(alerts_client.Query)

    def found(**filters):
        return query.query_alert(model.AlertQuery(**filters), page=0, page_size=10_000).page_info.total_count

    same(
        "alerts by kind and level",
        found(
            composite_operator="AND",
            active_only=True,
            alert_criticality=["WARNING", "CRITICAL"],
            alert_status=["ACTIVE"],
            alert_impact=["HEALTH"],
            resource_query=model.ResourceQuery(resource_kind=["Virtualmachine"]),
        ),
        2,
    )
    same("alerts of another level", found(alert_criticality=["CRITICAL"]), 0)
    same("alerts by definition", found(alert_definition_id=[given["symptomDefinition"]]), 1)
    same("alerts by name", found(alert_name="sever"), 1)
    same("alerts by time", found(start_time_range=model.TimeRange(start_time=start, end_time=start)), 2)
    same(
        "alerts below a host",
        found(include_children_resources=True, resource_query=model.ResourceQuery(resource_id=[host])),
        2,
    )
    symptoms = on(alerts_client.Contributingsymptoms).get_alert_contributing_symptoms(id=[given["alert"]])
    of_alert = symptoms.contributing_symptoms[0]
    same("whose symptoms", of_alert.alert_id, given["alert"])
    contributing = of_alert.contributing_symptoms.contributing_symptoms
    same("contributing symptoms", [one.symptom_definitions_ids for one in contributing], [[given["symptomDefinition"]]])
    open_symptoms = on(api.Symptoms).get_symptoms(resource_id=[vm], active_only=True).symptom
    same(
        "symptoms",
        [(one.resource_id, one.symptom_criticality, one.stat_key, one.start_time_utc) for one in open_symptoms],
        [(vm, "WARNING", USAGE, start)],
    )
    same("the same symptom", [one.symptom_id for one in contributing], [open_symptoms[0].id])
    queried = on(symptoms_client.Query).query_symptoms(
        model.SymptomQuery(resource_query=model.ResourceQuery(resource_id=[vm]))
    )
    same("symptoms that are asked for", [one.id for one in queried.symptom], [open_symptoms[0].id])

    notes = on(alerts_client.Notes)
    same("no notes", notes.get_alert_notes(given["alert"]).alert_notes, [])
    note = notes.add_alert_note(given["alert"], model.AlertNoteContent(content="Host is being changed"))
    listed = notes.get_alert_notes(given["alert"]).alert_notes
    same("a note", [(one.id, one.note, one.type) for one in listed], [(note.id, "Host is being changed", "USER")])
    true("whose note", listed[0].user_name and abs(listed[0].creation_time_utc - time.time() * 1000) < 2 * MINUTES)
    refused("a note without words", 400, lambda: notes.add_alert_note(given["alert"], model.AlertNoteContent()))
    types = {one.id: one for one in on(alerts_client.Types).get_alert_types().alert_types}
    same("types of alerts", (types[16].name, types[16].sub_types[1].name), ("Virtualization/Hypervisor", "Performance"))

    second = model.UuidValues(uuids=[given["secondAlert"]])

    def act(action, **more):
        return [one.control_state for one in of_all.modify_alerts(second, action=action, **more).alerts]

    same("an alert is taken", act("takeownership"), ["ASSIGNED"])
    true("its owner", of_all.get_alert(given["secondAlert"]).owner_name)
    same("an alert is given back", act("releaseownership"), ["OPEN"])
    same("an alert is suspended", act("suspend", minutes=30), ["SUSPENDED"])
    until = of_all.get_alert(given["secondAlert"]).suspend_until_time_utc
    true("until when", abs(until - time.time() * 1000 - 30 * MINUTES) < 2 * MINUTES)
    same("alerts that are suspended", found(alert_control_state=["SUSPENDED"]), 1)
    same("an alert to cancel", [one.alert_id for one in of_all.modify_alerts(second, action="cancel").alerts], [given["secondAlert"]])


def definitions():
    of_alerts = on(api.Alertdefinitions)
    listed = {one.id: one for one in of_alerts.get_alert_definitions(resource_kind="VirtualMachine").alert_definitions}
    same("alert definitions", {given["symptomDefinition"], given["alertDefinition"]} <= set(listed), True)
    one = of_alerts.get_alert_definition_by_id(given["symptomDefinition"])
    same(
        "an alert definition",
        (one.name, one.adapter_kind_key, one.resource_kind_key, one.states[0].impact.detail),
        ("CPU of a machine", "VMWARE", "VirtualMachine", "health"),
    )
    of_symptoms = on(api.Symptomdefinitions)
    same(
        "symptom definitions by name",
        [one.id for one in of_symptoms.get_symptom_definitions(name="cpu OF a").symptom_definitions],
        [given["symptomDefinition"]],
    )
    symptom = of_symptoms.get_symptom_definition_by_key(given["symptomDefinition"])
    same("a symptom definition", (symptom.name, symptom.state.severity), ("CPU of a machine", "WARNING"))
    condition = symptom.state.condition.get_struct_value()
    same("type of its condition", condition.get_field("type").value, "CONDITION_HT")
    same("its limit", float(condition.get_field("value").value), 20.0)
    recommendations = on(api.Recommendations)
    listed = recommendations.get_recommendations().recommendations
    same("recommendations", [one.description for one in listed], ["Look at it."])
    same(
        "a recommendation",
        recommendations.get_recommendation_by_id(listed[0].id).description,
        "Look at it.",
    )
    same("recommendations of an alert definition", list(one.states[0].recommendation_priority_map), [listed[0].id])
    written(of_alerts, of_symptoms)
    of_alerts.delete_alert_definition(given["alertDefinition"])
    refused(
        "an alert definition that was deleted",
        404,
        lambda: of_alerts.get_alert_definition_by_id(given["alertDefinition"]),
    )


def written(of_alerts, of_symptoms):
    """Definitions that are created, read, changed and deleted."""

    def symptom(severity, **more):
        return model.SymptomDefinition(
            name="CPU, by the SDK",
            adapter_kind_key="VMWARE",
            resource_kind_key="VirtualMachine",
            wait_cycles=2,
            cancel_cycles=3,
            state=model.SymptomState(
                severity=severity,
                condition=model.HTCondition(
                    key=USAGE, operator="GT", value="90", value_type="NUMERIC", instanced=False, threshold_type="STATIC"
                ),
            ),
            **more,
        )

    def told(one):
        condition = one.state.condition.get_struct_value()
        return (one.name, one.wait_cycles, one.cancel_cycles, one.state.severity, condition.get_field("value").value)

    created = of_symptoms.create_symptom_definition(symptom("WARNING"))
    read = of_symptoms.get_symptom_definition_by_key(created.id)
    same("a symptom definition that was created", told(read), ("CPU, by the SDK", 2, 3, "WARNING", "90"))
    changed = of_symptoms.update_symptom_definition(symptom("CRITICAL", id=created.id))
    same("a symptom definition that was changed", told(changed), ("CPU, by the SDK", 2, 3, "CRITICAL", "90"))

    def alert(impact, **more):
        return model.AlertDefinition(
            name="CPU alert, by the SDK",
            description="d",
            adapter_kind_key="VMWARE",
            resource_kind_key="VirtualMachine",
            wait_cycles=1,
            cancel_cycles=2,
            type=16,
            sub_type=19,
            states=[
                model.AlertDefinitionState(
                    severity="AUTO",
                    impact=model.AlertDefinitionImpact(impact_type="BADGE", detail=impact),
                    recommendation_priority_map={},
                    base_symptom_set=model.SymptomSet(
                        relation="SELF",
                        aggregation="ANY",
                        symptom_set_operator="OR",
                        symptom_definition_ids=[created.id],
                    ),
                )
            ],
            **more,
        )

    def said(one):
        symptoms = one.states[0].base_symptom_set.get_struct_value().get_field("symptomDefinitionIds")
        return (one.name, one.cancel_cycles, one.type, one.states[0].impact.detail, [id.value for id in symptoms])

    made = of_alerts.create_alert_definition(alert("risk"))
    read = of_alerts.get_alert_definition_by_id(made.id)
    same("an alert definition that was created", said(read), ("CPU alert, by the SDK", 2, 16, "risk", [created.id]))
    changed = of_alerts.update_alert_definition(alert("health", id=made.id))
    same("an alert definition that was changed", said(changed)[3], "health")
    on(alertdefinitions_client.Disable).disable_alert_definition_in_policies(made.id)
    on(alertdefinitions_client.Enable).enable_alert_definition_in_policies(made.id)
    of_alerts.delete_alert_definition(made.id)
    of_symptoms.delete_symptom_definition(created.id)
    refused(
        "a symptom definition that was deleted",
        404,
        lambda: of_symptoms.get_symptom_definition_by_key(created.id),
    )


def super_metrics():
    all_of_them = on(api.Supermetrics)
    formula = "${this, metric=cpu|usage_average} * 2"
    created = all_of_them.create_super_metric(
        model.Supermetric(name="Twice, by the SDK", formula=formula, description="d")
    )
    same("what was created", (created.name, created.description), ("Twice, by the SDK", "d"))
    read = all_of_them.get_super_metric(created.id)
    same("what is read", (read.formula, read.description), (formula, "d"))
    changed = all_of_them.update_super_metric(
        model.Supermetric(id=created.id, name=created.name, formula=formula.replace("2", "3"), description="e")
    )
    same("what was changed", (changed.id, changed.description), (created.id, "e"))
    found = all_of_them.get_super_metrics(name=["Twice, by"]).super_metrics
    same("by name", [(one.id, one.formula) for one in found], [(created.id, formula.replace("2", "3"))])
    same("by id", all_of_them.get_super_metrics(id=[created.id]).page_info.total_count, 1)
    all_of_them.delete_super_metric(created.id)
    refused("what was deleted", 404, lambda: all_of_them.get_super_metric(created.id))


def pump(name):
    return model.Resource(
        description="a pump",
        resource_key=model.ResourceKey(
            name=name,
            adapter_kind_key="SdkPush",
            resource_kind_key="Pump",
            resource_identifiers=[
                model.ResourceIdentifier(
                    identifier_type=model.ResourceIdentifierType(
                        name="serial", data_type="STRING", is_part_of_uniqueness=True
                    ),
                    value=name + " 17",
                )
            ],
        ),
    )


def pushes():
    create = on(resources_client.Adapterkinds).create_resource_using_adapter_kind
    ids = [create("SdkPush", pump(name)).identifier for name in ("pump-1", "pump-2")]
    same("who creates it again gets the same", create("SdkPush", pump("pump-1")).identifier, ids[0])
    read = on(api.Resources).get_resource(ids[0])
    same(
        "what was created",
        (read.resource_key.name, read.resource_key.resource_identifiers[0].value),
        ("pump-1", "pump-1 17"),
    )
    moments = [int(time.time() * 1000) // 1000 * 1000 - (10 - i) * MINUTES for i in range(10)]
    values = [i * 1.5 - 3 for i in range(10)]
    sent = {}

    def content(key, factor):
        sent[key] = dict(zip(moments, [value * factor for value in values]))
        return model.StatContent(stat_key=key, timestamps=moments, data=list(sent[key].values()))

    on(resources_client.Stats).add_stats(ids[0], model.StatContents(stat_content=[content("pump|flow rate", 1)]))
    on(stats_client.Adapterkinds).add_stats_using_push_adapter_kind(
        "SdkPush", ids[0], model.StatContents(stat_content=[content("pump:A|pressure", 2)])
    )

    def many(key, factor):
        return model.ResourcesStatContents(
            resource_stat_content=[
                model.ResourceStatContent(id=id, stat_contents=[content(key, factor)]) for id in ids
            ]
        )

    on(resources_client.Stats).add_stats_for_resources(many("pump|power", 3))
    on(stats_client.Adapterkinds).add_stats_for_resources_using_push_adapter_kind("SdkPush", many("pump|heat", 4))

    def back(id):
        return lambda: series(
            on(stats_client.Query).get_stats_for_resource(
                id, model.StatQuery(begin=moments[0], end=moments[-1], stat_key=list(sent))
            )
        )

    checks.soon("values that were pushed", back(ids[0]), sent)
    checks.soon("values of the other", back(ids[1]), {key: sent[key] for key in ("pump|power", "pump|heat")})

    def told(key, value):
        return model.PropertyContent(stat_key=key, timestamps=[moments[-1]], values=[value])

    on(resources_client.Properties).add_properties(
        ids[0], model.PropertyContents(property_content=[told("pump|maker", "ACME"), told("pump|year", "2019")])
    )
    on(properties_client.Adapterkinds).add_properties_using_push_adapter_kind(
        "SdkPush", ids[0], model.PropertyContents(property_content=[told("pump|place", "cellar")])
    )

    def of_many(key, value):
        return model.ResourcesPropertyContents(
            values=[
                model.ResourcePropertyContents(
                    resource_id=id, property_contents=model.PropertyContents(property_content=[told(key, value)])
                )
                for id in ids
            ]
        )

    on(resources_client.Properties).add_resources_properties(of_many("pump|colour", "blue"))
    on(properties_client.Adapterkinds).add_resources_properties_using_adapter_kind("SdkPush", of_many("pump|owner", "ada"))

    def known(id, *keys):
        def read():
            found = {one.name: one.value for one in on(resources_client.Properties).get_resource_properties(id).property}
            return {key: found.get(key) for key in keys}

        return read

    expected = {
        "pump|maker": "ACME",
        "pump|year": "2019",
        "pump|place": "cellar",
        "pump|colour": "blue",
        "pump|owner": "ada",
    }
    checks.soon("properties that were pushed", known(ids[0], *expected), expected)
    checks.soon("properties of the other", known(ids[1], "pump|colour"), {"pump|colour": "blue"})
    keys = on(resourcekinds_client.Statkeys).get_resource_type_attributes_for_adapter_type("SdkPush", "Pump")
    true("keys of what was pushed", {"pump|flow rate", "pump|power"} <= {one.key for one in keys.resource_type_attributes})
    of_one = on(resources_client.Relationships)
    children = lambda: names(of_one.get_relationships(ids[0], relationship_type="CHILD").resource_list)
    of_one.add_relationship(ids[0], "children", model.UuidValues(uuids=[ids[1]]))
    same("a relation that was added", children(), ["pump-2"])
    of_one.set_relationship(ids[0], "children", model.UuidValues(uuids=[vm]))
    same("relations that were replaced", children(), ["web-1"])
    of_one.delete_relationship(ids[0], "children", vm)
    same("a relation that was taken away", children(), [])
    on(api.Resources).delete_resource(ids[1])
    refused("a resource that was deleted", 404, lambda: on(api.Resources).get_resource(ids[1]))
    refused(
        "values of nobody",
        404,
        lambda: on(resources_client.Stats).add_stats(
            given["alert"], model.StatContents(stat_content=[content("a|b", 1)])
        ),
    )


def maintenance():
    of_one = on(resources_client.Maintained)
    states = lambda: [one.resource_state for one in on(api.Resources).get_resource(host).resource_status_states]
    of_one.mark_resource_as_being_maintained(host, duration=10)
    same("a resource in maintenance", states(), ["MAINTAINED_MANUAL"])
    of_one.unmark_resource_as_being_maintained(host)
    same("a resource after it", states(), ["STARTED"])
    of_one.mark_resource_as_being_maintained(host, end=int(time.time() * 1000) + 10 * MINUTES)
    same("maintenance with an end", states(), ["MAINTAINED_MANUAL"])
    of_one.unmark_resource_as_being_maintained(host)
    of_one.mark_resources_as_being_maintained(id=[host, vm], duration=10)
    same("several resources in maintenance", states(), ["MAINTAINED_MANUAL"])
    of_one.unmark_resources_as_being_maintained(id=[host, vm])
    same("several resources after it", states(), ["STARTED"])


def groups():
    all_groups = on(resources_client.Groups)
    listed = all_groups.get_custom_groups().groups
    same("groups", [(one.id, one.resource_key.name) for one in listed], [(given["group"], "Web")])
    same("a group", all_groups.get_custom_group(given["group"]).resource_key.name, "Web")
    same(
        "members of a group",
        names(on(groups_client.Members).get_custom_group_members(given["group"]).resource_list),
        ["web-1"],
    )


def sign_out():
    on(token_client.Release).release_token()
    refused("a token that was released", 401, lambda: on(api.Adapterkinds).get_adapter_types())


def shape(route):
    return re.sub(r"\{[^}]*\}", "{}", route)


def covered():
    """Each route has been called; of two that fit a call, the one with fewer variables is meant."""
    routes = {shape(route) for route in given["routes"]}
    done = set()
    for method, path in called:
        fitting = [
            route
            for route in routes
            if re.fullmatch(re.escape(route).replace(r"\{\}", "[^/]+"), method + " " + path)
        ]
        if fitting:
            done.add(min(fitting, key=lambda route: route.count("{}")))
    same("routes that were not called", sorted(routes - done), [])
    return len(done)


for part in [
    sign_in,
    system,
    kinds,
    resources,
    relations,
    stats,
    thresholds,
    properties,
    alerts,
    super_metrics,
    pushes,
    maintenance,
    groups,
    definitions,
    sign_out,
]:
    checks.part(part.__name__, part)
checks.end(f"{covered()} operations")
