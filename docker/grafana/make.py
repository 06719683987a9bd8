#!/usr/bin/env python3
"""Makes the dashboards of Grafana in dashboards/ from what is said here: make.py [--check].

Every panel reads the SQL views of Peerlens (docs/sql-views.md). With --check nothing is written; the exit code is 1
when a file is not what this script makes.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = {"type": "grafana-postgresql-datasource", "uid": "peerlens"}
HOW_MANY = 10


def text(value):
    return "'" + value.replace("'", "''") + "'"


def target(sql, series):
    return {
        "refId": "A", "datasource": SOURCE, "editorMode": "code",
        "format": "time_series" if series else "table", "rawQuery": True, "rawSql": sql.strip(),
    }


def panel(kind, title, sql, width=12, height=8, unit=None, description="", **more):
    defaults = {} if unit is None else {"unit": unit}
    if kind == "timeseries":
        defaults["custom"] = {"lineWidth": 1, "fillOpacity": 0, "showPoints": "never", "spanNulls": False}
        options = {
            "legend": {"displayMode": "table", "placement": "right", "calcs": ["mean", "max"], "sortBy": "Max", "sortDesc": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        }
    elif kind == "stat":
        options = {"colorMode": "value", "graphMode": "none", "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}
    else:
        options = {"showHeader": True, "cellHeight": "sm"}
    if unit == "percent":
        defaults.update(min=0, max=100)
    defaults.update(more.pop("defaults", {}))
    return {
        "type": kind, "title": title, "description": description, "datasource": SOURCE, "size": (width, height),
        "fieldConfig": {"defaults": defaults, "overrides": more.pop("overrides", [])},
        "options": {**options, **more.pop("options", {})}, "targets": [target(sql, kind == "timeseries")], **more,
    }


def row(title):
    return {"type": "row", "title": title, "collapsed": False, "panels": [], "size": (24, 1)}


def of_metric(adapter, kind, group, metric, instance):
    where = (f"$__timeFilter(time) and adapter_kind = {text(adapter)} and kind = {text(kind)}"
             f" and \"group\" = {text(group)} and metric = {text(metric)} and instance {instance}")
    return where


def top(adapter, kind, key, title, unit, scale="", instances=False, chosen=True, smallest=False, description="", view="metric_5m"):
    """The objects with the highest peaks, as lines."""
    group, metric = key.split("|")
    where = of_metric(adapter, kind, group, metric, "<> ''" if instances else "= ''")
    if chosen:
        where += "\n  and object in ($object)"
    name = "object || ' ' || instance" if instances else "object"
    order = "min(min)" if smallest else "max(max) desc"
    sql = f"""
with chosen as (
  select object_id, instance from {view}
  where {where}
  group by object_id, instance order by {order} limit {HOW_MANY}
)
select time, {name} as metric, avg{scale} as value from {view}
where {where}
  and (object_id, instance) in (select object_id, instance from chosen)
order by time
"""
    return panel("timeseries", title, sql, unit=unit, description=description)


def now(sql, title, unit=None, description="", **more):
    return panel("stat", title, sql, width=4, height=4, unit=unit, description=description, **more)


def variable(name, label, sql):
    # All of them are a query within the query, not a list of perhaps ten thousand names.
    return {
        "name": name, "label": label, "type": "query", "datasource": SOURCE, "query": sql + " order by 1", "definition": sql + " order by 1",
        "refresh": 2, "multi": True, "includeAll": True, "allValue": sql, "sort": 1, "hide": 0,
        "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
    }


def objects(adapter, kind, label):
    return variable("object", label, f"select object from objects where adapter_kind = {text(adapter)} and object_kind = {text(kind)}")


def annotation(name, color, sql, on=True):
    return {
        "name": name, "enable": on, "iconColor": color, "datasource": SOURCE, "hide": False,
        "rawQuery": sql, "target": {"refId": "Anno", "format": "table", "rawQuery": True, "rawSql": sql, "editorMode": "code"},
    }


def marks(kind):
    """Alerts and changes of the objects that a dashboard is about."""
    return [
        annotation("Alerts", "red", f"""
select opened_at as time, closed_at as timeend, name || ': ' || object as title, explanation as text, severity as tags
from alerts where object_kind = {text(kind)} and object in ($object)
  and opened_at <= $__timeTo() and coalesce(closed_at, now()) >= $__timeFrom()
order by opened_at desc limit 200""".strip()),
        annotation("Changes", "blue", f"""
select time, until as timeend, object || ': ' || coalesce(after, kind) as title,
  concat_ws(' ', key, before, '->', after, author) as text, kind as tags
from changes where object_kind = {text(kind)} and object in ($object) and $__timeFilter(time)
order by time desc limit 200""".strip(), on=False),
    ]


def dashboard(uid, title, description, panels, variables=(), annotations=(), span="now-6h"):
    placed, x, y, line = [], 0, 0, 0
    for number, each in enumerate(panels, 1):
        width, height = each.pop("size")
        if x + width > 24:
            x, y, line = 0, y + line, 0
        placed.append({"id": number, **each, "gridPos": {"x": x, "y": y, "w": width, "h": height}})
        x, line = x + width, max(line, height)
        if x >= 24:
            x, y, line = 0, y + line, 0
    return {
        "uid": uid, "title": title, "description": description, "tags": ["peerlens"], "schemaVersion": 39, "version": 1,
        "editable": False, "refresh": "1m", "time": {"from": span, "to": "now"}, "timezone": "browser", "graphTooltip": 1,
        "templating": {"list": list(variables)}, "annotations": {"list": list(annotations)},
        "links": [{"type": "dashboards", "title": "Peerlens", "tags": ["peerlens"], "asDropdown": True, "includeVars": False, "keepTime": True,
                   "icon": "external link", "targetBlank": False, "tooltip": "", "url": ""}],
        "panels": placed,
    }


ALERT_COLUMNS = """select severity, name, object, control_state as state, opened_at as opened, closed_at as closed, explanation, incident
from alerts"""
WORST = "array_position(array['critical','immediate','warning','information'], severity)"


def open_alerts(kind):
    return panel("table", "Open alerts", f"""
{ALERT_COLUMNS}
where status = 'open' and object_kind = {text(kind)} and object in ($object)
order by {WORST}, opened_at desc limit 100
""", width=24, height=8)


def counts(kind):
    of = f"from alerts where status = 'open' and object_kind = {text(kind)} and object in ($object)"
    return [
        now(f"select count(*) as objects from objects where adapter_kind = 'VMWARE' and object_kind = {text(kind)} and object in ($object)", "Objects"),
        now(f"select count(*) as alerts {of}", "Open alerts"),
        now(f"select count(*) as critical {of} and severity = 'critical'", "Critical"),
        now(f"select count(*) as outliers from outlier where status = 'open' and object_kind = {text(kind)} and object in ($object)", "Outliers now",
            description="Members of groups of peers that behave unlike their peers."),
        now(f"select count(*) as changes from changes where object_kind = {text(kind)} and object in ($object) and $__timeFilter(time)", "Changes"),
        now(f"""select extract(epoch from now() - min(last_seen)) as age from objects
where adapter_kind = 'VMWARE' and object_kind = {text(kind)} and object in ($object) and last_seen > now() - interval '1 day'""",
            "Oldest sample", unit="s", description="Of the objects that have reported within a day: how long ago the one reported that did so longest ago."),
    ]


def vm(key, title, unit, **more):
    return top("VMWARE", "VirtualMachine", key, title, unit, **more)


def host(key, title, unit, **more):
    return top("VMWARE", "HostSystem", key, title, unit, **more)


def cluster(key, title, unit, **more):
    return top("VMWARE", "ClusterComputeResource", key, title, unit, **more)


def machine(key, title, unit, instances=False, expression="value"):
    group, metric = key.split("|")
    where = of_metric("Telegraf", "Host", group, metric, "<> ''" if instances else "= ''")
    name = "object || ' ' || instance" if instances else "object"
    return panel("timeseries", title, f"select time, {name} as metric, {expression} as value from metric\nwhere {where}\norder by time", unit=unit)


PER_READY = " / 200"  # milliseconds of 20 seconds, in per cent of one processor
KB = " * 1024"

MACHINES = dashboard(
    "peerlens-overview", "Peerlens: machines", "The busiest virtual machines and hosts, and machines with Telegraf.",
    [
        row(f"Virtual machines: the {HOW_MANY} with the highest peak, 5-minute averages"),
        vm("cpu|usage_average", "CPU usage", "percent", chosen=False, description="Of the processors that the machine has."),
        vm("cpu|ready_summation", "CPU ready", "percent", scale=PER_READY, chosen=False,
           description="Time that the machine waited for a processor, in per cent of one processor."),
        vm("mem|usage_average", "Memory in use", "percent", chosen=False),
        vm("mem|swapped_average", "Memory swapped", "bytes", scale=KB, chosen=False),
        row("ESXi hosts, 5-minute averages"),
        host("cpu|usage_average", "CPU usage", "percent", chosen=False),
        host("mem|usage_average", "Memory in use", "percent", chosen=False),
        row("Machines with Telegraf, as collected"),
        machine("cpu|usage_idle", "CPU usage", "percent", expression="100 - value"),
        machine("mem|used_percent", "Memory used", "percent"),
        machine("net|bytes_recv_rate", "Network, received", "Bps", instances=True),
        machine("net|bytes_sent_rate", "Network, sent", "Bps", instances=True),
    ])

CLUSTERS = dashboard(
    "peerlens-clusters", "Peerlens: clusters", "Clusters of vSphere, and the hosts and machines in them.",
    [
        *counts("ClusterComputeResource"),
        cluster("cpu|usage_average", "CPU usage", "percent"),
        cluster("mem|usage_average", "Memory in use", "percent"),
        cluster("cpu|usagemhz_average", "CPU used", "rotmhz"),
        cluster("mem|consumed_average", "Memory consumed", "bytes", scale=KB),
        panel("table", "Hosts and machines", """
select c.object as cluster, c.datacenter,
  count(*) filter (where o.object_kind = 'HostSystem') as hosts,
  count(*) filter (where o.object_kind = 'VirtualMachine') as machines,
  (select count(*) from alerts a where a.status = 'open' and a.object_id in (
    select object_id from objects i where i.cluster = c.object)) as "open alerts below"
from objects c left join objects o on o.cluster = c.object and o.object_kind in ('HostSystem', 'VirtualMachine')
where c.object_kind = 'ClusterComputeResource' and c.object in ($object)
group by c.object, c.datacenter order by 1
""", width=24),
        open_alerts("ClusterComputeResource"),
    ],
    [objects("VMWARE", "ClusterComputeResource", "Cluster")], marks("ClusterComputeResource"), "now-24h")

HOSTS = dashboard(
    "peerlens-hosts", "Peerlens: hosts", "ESXi hosts.",
    [
        *counts("HostSystem"),
        row(f"The {HOW_MANY} with the highest peak, 5-minute averages"),
        host("cpu|usage_average", "CPU usage", "percent"),
        host("mem|usage_average", "Memory in use", "percent"),
        host("cpu|ready_summation", "CPU ready", "ms"),
        host("mem|vmmemctl_average", "Memory ballooned", "bytes", scale=KB),
        host("mem|swapused_average", "Memory swapped", "bytes", scale=KB),
        host("disk|maxTotalLatency_latest", "Slowest disk", "ms"),
        host("net|usage_average", "Network", "Bps", scale=KB),
        host("disk|usage_average", "Disk", "Bps", scale=KB),
        row("Configuration and alerts"),
        panel("table", "Hosts", """
select h.object as host, h.cluster, h.datacenter,
  max(p.value) filter (where p.key = 'hardware|vendorModel') as model,
  max(p.value) filter (where p.key = 'summary|version') as version,
  max(p.value) filter (where p.key = 'runtime|powerState') as power,
  max(p.value) filter (where p.key = 'runtime|maintenanceState') as maintenance,
  (select count(*) from objects m where m.object_kind = 'VirtualMachine' and m.host = h.object) as machines
from objects h left join properties p on p.object_id = h.object_id
where h.object_kind = 'HostSystem' and h.object in ($object)
group by h.object_id, h.object, h.cluster, h.datacenter order by 1
""", width=24),
        open_alerts("HostSystem"),
    ],
    [objects("VMWARE", "HostSystem", "Host")], marks("HostSystem"), "now-24h")

VMS = dashboard(
    "peerlens-vms", "Peerlens: virtual machines", "Virtual machines of vSphere, with what is usual for them.",
    [
        *counts("VirtualMachine"),
        row(f"The {HOW_MANY} with the highest peak, 5-minute averages"),
        vm("cpu|usage_average", "CPU usage", "percent"),
        vm("cpu|ready_summation", "CPU ready", "percent", scale=PER_READY,
           description="Time that the machine waited for a processor, in per cent of one processor."),
        vm("mem|usage_average", "Memory in use", "percent"),
        vm("mem|swapped_average", "Memory swapped", "bytes", scale=KB),
        vm("virtualDisk|totalReadLatency_average", "Read latency by disk", "ms", instances=True),
        vm("virtualDisk|totalWriteLatency_average", "Write latency by disk", "ms", instances=True),
        vm("net|usage_average", "Network", "Bps", scale=KB),
        vm("disk|usage_average", "Disk", "Bps", scale=KB),
        row("One machine beside what is usual for it: choose one above"),
        panel("timeseries", "CPU usage and its learned bounds", """
select time, 'CPU usage' as metric, avg as value from metric_5m
where $__timeFilter(time) and adapter_kind = 'VMWARE' and kind = 'VirtualMachine' and "group" = 'cpu' and metric = 'usage_average' and instance = ''
  and object = (select min(o.object) from objects o where o.object_kind = 'VirtualMachine' and o.object in ($object))
union all
select time, bound, value from bounds, lateral (values ('lower bound', lower), ('upper bound', upper)) as b(bound, value)
where $__timeFilter(time) and adapter_kind = 'VMWARE' and kind = 'VirtualMachine' and "group" = 'cpu' and metric = 'usage_average' and instance = ''
  and object = (select min(o.object) from objects o where o.object_kind = 'VirtualMachine' and o.object in ($object))
order by time
""", width=24, unit="percent", description="Of the first of the chosen machines. Bounds are learned from four weeks; a new installation has none for some days."),
        open_alerts("VirtualMachine"),
    ],
    [objects("VMWARE", "VirtualMachine", "Virtual machine")], marks("VirtualMachine"))


def vsan(metric, title, unit, scale=""):
    return cluster("clusterdomclient|" + metric, title, unit, scale=scale)


VSAN = dashboard(
    "peerlens-vsan", "Peerlens: vSAN", "Clusters of vSAN as their machines see them. It needs the vSAN metrics of Telegraf or of OpenTelemetry's vcenter receiver.",
    [
        vsan("latency_avg_read", "Read latency", "µs"),
        vsan("latency_avg_write", "Write latency", "µs"),
        vsan("iops_read", "Reads", "iops"),
        vsan("iops_write", "Writes", "iops"),
        vsan("throughput_read", "Read", "Bps"),
        vsan("throughput_write", "Written", "Bps"),
        vsan("congestion", "Congestion", "short"),
        panel("table", "Capacity", """
select object as cluster,
  max(last) filter (where metric = 'total_capacity_byte') as total,
  max(last) filter (where metric = 'free_capacity_byte') as free,
  100 * (1 - max(last) filter (where metric = 'free_capacity_byte') / nullif(max(last) filter (where metric = 'total_capacity_byte'), 0)) as "used %"
from (
  select distinct on (object_id, metric) object, metric, last from metric_1h
  where time > now() - interval '1 day' and kind = 'ClusterComputeResource' and "group" = 'summary'
    and metric in ('total_capacity_byte', 'free_capacity_byte') and object in ($object)
  order by object_id, metric, time desc
) newest
group by object order by 1
""", overrides=[{"matcher": {"id": "byRegexp", "options": "total|free"}, "properties": [{"id": "unit", "value": "bytes"}]}]),
        panel("table", "Hosts in vSAN", """
select h.object as host, h.cluster,
  max(p.value) filter (where p.key = 'vsan|faultDomain') as "fault domain",
  max(p.value) filter (where p.key = 'vsan|esaEnabled') as esa
from objects h join properties p on p.object_id = h.object_id and p.key like 'vsan|%'
where h.object_kind = 'HostSystem' and h.cluster in ($object)
group by h.object_id, h.object, h.cluster order by 2, 1
""", width=24),
    ],
    [objects("VMWARE", "ClusterComputeResource", "Cluster")], marks("ClusterComputeResource"), "now-24h")


def talkers(dimension, direction, title):
    return panel("table", title, f"""
select talker, sum(bytes) as bytes, sum(flows) as flows, max(peak_minute_bytes) * 8 / 60 as "peak"
from talkers_5m
where $__timeFilter(time) and dimension = {text(dimension)} and direction = {text(direction)} and traffic = '$traffic'
group by talker order by bytes desc limit 20
""", overrides=[
        {"matcher": {"id": "byName", "options": "bytes"}, "properties": [{"id": "unit", "value": "bytes"}]},
        {"matcher": {"id": "byName", "options": "peak"}, "properties": [{"id": "unit", "value": "bps"}]},
    ])


TRAFFIC = {
    "name": "traffic", "label": "Traffic", "type": "custom", "query": "all,east-west,north-south,external", "multi": False, "includeAll": False,
    "current": {"selected": True, "text": "all", "value": "all"},
    "options": [{"text": t, "value": t, "selected": t == "all"} for t in ("all", "east-west", "north-south", "external")],
}

FLOWS = dashboard(
    "peerlens-flows", "Peerlens: flows", "Who uses the network. Ranges of more than a day are read quicker on the page Top talkers of Peerlens.",
    [
        panel("timeseries", "Traffic", """
select time, traffic as metric, sum(bytes) * 8 / 300 as value from flows_5m
where $__timeFilter(time) and ('$traffic' = 'all' or traffic = '$traffic')
group by time, traffic order by time
""", width=24, unit="bps", options={"legend": {"displayMode": "list", "placement": "bottom", "calcs": []}}),
        talkers("vm", "sent", "Machines that send most"),
        talkers("vm", "received", "Machines that receive most"),
        talkers("port", "both", "Services"),
        talkers("pair", "both", "Pairs"),
        panel("table", "Observers", "select * from observers order by 1 limit 100", width=24),
    ],
    [TRAFFIC])

OUTLIERS = dashboard(
    "peerlens-outliers", "Peerlens: outliers", "Members of groups of peers that behave, or are configured, unlike their peers.",
    [
        now("select count(*) as open from outlier where status = 'open'", "Open"),
        now("select count(*) as critical from outlier where status = 'open' and severity = 'critical'", "Critical"),
        now("select count(distinct \"group\") as groups from outlier where status = 'open'", "Groups"),
        now("select count(*) as opened from outlier where $__timeFilter(opened_at)", "Opened in this time"),
        panel("table", "Open now", f"""
select severity, object, "group", side, score, metric, value, centre as "centre of peers", property, property_value, property_of_peers, since, explanation
from outlier where status = 'open' and "group" in ($group)
order by {WORST}, score desc nulls last limit 200
""", width=24, height=10),
        panel("timeseries", "Events that were open", """
select t as time, 'open' as metric, count(o.id) as value
from generate_series($__timeFrom()::timestamptz, $__timeTo()::timestamptz, ($__timeTo()::timestamptz - $__timeFrom()::timestamptz) / 200) t
left join outlier o on o.opened_at <= t and coalesce(o.closed_at, 'infinity') > t and o."group" in ($group)
group by t order by t
""", width=24, unit="short"),
        panel("table", "Most events by object", """
select object, "group", count(*) as events, max(peak_score) as "highest score", max(since) as newest
from outlier where $__timeFilter(since) and "group" in ($group)
group by object, "group" order by events desc limit 50
""", width=24),
    ],
    [variable("group", "Group", "select distinct \"group\" from outlier")], span="now-7d")

ALERTS = dashboard(
    "peerlens-alerts", "Peerlens: alerts", "Alerts that are open, and those of the past.",
    [
        *[now(f"select count(*) as {s} from alerts where status = 'open' and severity = '{s}'", s.capitalize())
          for s in ("critical", "immediate", "warning", "information")],
        now("select count(*) as opened from alerts where $__timeFilter(opened_at)", "Opened in this time"),
        now("select extract(epoch from percentile_cont(0.5) within group (order by duration)) as median from alerts where $__timeFilter(closed_at)",
            "Median duration", unit="s", description="Of the alerts that ended in this time."),
        panel("table", "Open", f"""
{ALERT_COLUMNS}
where status = 'open' and severity in ($severity)
order by {WORST}, opened_at desc limit 500
""", width=24, height=10),
        panel("timeseries", "Alerts that were open", """
select t as time, s.severity as metric, count(a.id) as value
from generate_series($__timeFrom()::timestamptz, $__timeTo()::timestamptz, ($__timeTo()::timestamptz - $__timeFrom()::timestamptz) / 200) t
cross join unnest(array['critical', 'immediate', 'warning', 'information']) as s(severity)
left join alerts a on a.opened_at <= t and coalesce(a.closed_at, 'infinity') > t and a.severity = s.severity
where s.severity in ($severity)
group by t, s.severity order by t
""", width=24, unit="short"),
        panel("table", "Which rules alert most", """
select name, count(*) as alerts, count(distinct object) as objects, percentile_cont(0.5) within group (order by duration) as "median duration",
  sum(flaps) as flaps
from alerts where $__timeFilter(opened_at) and severity in ($severity)
group by name order by alerts desc limit 50
"""),
        panel("table", "What changed", """
select time, object, kind, key, before, after, author, note from changes
where $__timeFilter(time) order by time desc limit 200
"""),
    ],
    [{
        "name": "severity", "label": "Severity", "type": "custom", "query": "critical,immediate,warning,information", "multi": True, "includeAll": True,
        "current": {"selected": True, "text": ["All"], "value": ["$__all"]}, "options": [],
    }], span="now-24h")

FILES = {
    "machines": MACHINES, "clusters": CLUSTERS, "hosts": HOSTS, "virtual-machines": VMS, "vsan": VSAN,
    "flows": FLOWS, "outliers": OUTLIERS, "alerts": ALERTS,
}


def main():
    wrong = []
    for name, made in FILES.items():
        path = os.path.join(HERE, "dashboards", name + ".json")
        content = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
        if "--check" in sys.argv[1:]:
            with open(path, encoding="utf-8") as file:
                if file.read() != content:
                    wrong.append(path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
    if wrong:
        sys.exit("not as make.py makes them: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
