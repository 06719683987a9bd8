package io.peerlens.web;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Dashboards for pages to show, of the hosts and VMs of {@link PagesInstallation}. */
final class PagesDashboards {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** A table of hosts that chooses one, and what is below it. */
  static final String HOSTS =
      """
      {
        "name": "Hosts and their VMs", "folder": "Tests", "time": { "last": "3h" },
        "variables": [
          { "name": "host", "type": "object", "kind": "VMWARE/HostSystem", "default": { "first": {} } },
          { "name": "vm", "type": "object", "kind": "VMWARE/VirtualMachine" }
        ],
        "panels": {
          "hosts": {
            "type": "table", "title": "Hosts", "kind": "VMWARE/HostSystem",
            "columns": [
              { "name": "name", "title": "Host", "attribute": "name" },
              { "name": "cpu", "title": "CPU usage", "metric": { "any": ["cpu|usage_average"] }, "transform": "avg", "unit": "%", "sparkline": true }
            ],
            "sort": [{ "column": "name" }], "sets": { "host": "object" }
          },
          "vms": {
            "type": "top", "title": "VMs of $host", "kind": "VMWARE/VirtualMachine", "subject": "$host",
            "columns": [{ "name": "cpu", "metric": { "any": ["cpu|usage_average"] }, "transform": "max", "unit": "%" }],
            "sets": { "vm": "object" }
          },
          "line": {
            "type": "chart", "title": "CPU usage", "subject": "$vm",
            "columns": [{ "name": "cpu", "metric": { "any": ["cpu|usage_average"] }, "unit": "%" }]
          },
          "note": { "type": "text", "title": "About", "markdown": "# Reading\\n**One** host at a time. <b>Not markup</b>" }
        },
        "layout": [{ "items": [
          { "panel": "hosts", "x": 1, "y": 1, "w": 6, "h": 4 },
          { "panel": "vms", "x": 7, "y": 1, "w": 6, "h": 4 },
          { "panel": "line", "x": 1, "y": 5, "w": 6, "h": 5 },
          { "panel": "note", "x": 7, "y": 5, "w": 6, "h": 5 }
        ] }]
      }
      """;

  /** A panel of every kind. */
  static final String EVERY_KIND =
      """
      {
        "name": "Every kind of panel", "folder": "Tests", "description": "What there is to see.", "time": { "last": "3h" },
        "variables": [
          { "name": "host", "type": "object", "kind": "VMWARE/HostSystem", "default": { "first": {} } },
          { "name": "slice", "type": "slice" }
        ],
        "panels": {
          "table": {
            "type": "table", "title": "VMs", "note": "CPU of the range", "kind": "VMWARE/VirtualMachine",
            "columns": [
              { "name": "name", "attribute": "name" },
              { "name": "cpu", "title": "CPU usage", "metric": { "any": ["cpu|usage_average"] }, "transform": "avg", "unit": "%", "sparkline": true, "total": "avg" },
              { "name": "ready", "title": "CPU ready", "metric": { "any": ["cpu|readiness_average"] }, "transform": "max", "unit": "%", "colour": { "bounds": [1, 2, 2.9] } }
            ]
          },
          "scores": {
            "type": "scoreboard", "title": "$host", "kind": "VMWARE/HostSystem", "subject": "$host",
            "columns": [{ "name": "cpu", "title": "CPU usage", "metric": { "any": ["cpu|usage_average"] }, "unit": "%", "peers": true }]
          },
          "heat": {
            "type": "heatmap", "title": "VMs by host", "kind": "VMWARE/VirtualMachine", "slider": true,
            "columns": [{ "name": "ready", "title": "ready", "metric": { "any": ["cpu|readiness_average"] }, "unit": "%", "colour": { "bounds": [1, 2, 2.9] } }],
            "groupBy": { "ancestor": "VMWARE/HostSystem" }, "sets": { "host": "group" }
          },
          "top": { "type": "top", "title": "VMs by CPU", "kind": "VMWARE/VirtualMachine", "limit": 5, "columns": [{ "name": "cpu", "metric": { "any": ["cpu|usage_average"] }, "transform": "max", "unit": "%" }] },
          "chart": { "type": "chart", "title": "CPU usage", "kind": "VMWARE/HostSystem", "columns": [{ "name": "cpu", "metric": { "any": ["cpu|usage_average"] }, "unit": "%" }] },
          "bars": { "type": "distribution", "title": "Guests", "kind": "VMWARE/VirtualMachine", "columns": [{ "name": "guest", "property": "guest" }], "buckets": { "of": "guest", "by": "values" }, "sets": { "slice": "slice" } },
          "donut": { "type": "distribution", "as": "donut", "title": "Tiers", "kind": "VMWARE/VirtualMachine", "columns": [{ "name": "tier", "tag": "tier" }], "buckets": { "of": "tier", "by": "values" } },
          "spread": { "type": "distribution", "as": "histogram", "title": "CPU of VMs", "kind": "VMWARE/VirtualMachine", "columns": [{ "name": "cpu", "metric": { "any": ["cpu|usage_average"] }, "transform": "avg" }], "buckets": { "of": "cpu", "by": "equal", "count": 6 } },
          "lanes": { "type": "timeline", "title": "Ready over time", "kind": "VMWARE/VirtualMachine", "columns": [{ "name": "ready", "metric": { "any": ["cpu|readiness_average"] }, "colour": { "bounds": [1, 2, 2.9] } }] },
          "lines": { "type": "sparklines", "title": "CPU of hosts", "kind": "VMWARE/HostSystem", "columns": [{ "name": "cpu", "metric": { "any": ["cpu|usage_average"] }, "unit": "%" }] },
          "text": { "type": "text", "title": "About", "markdown": "## Reading\\nThe **worst** first. See [the help](/help/alerting)." },
          "props": { "type": "properties", "title": "Properties", "subject": "$host" },
          "alerts": { "type": "alerts", "title": "Alerts" },
          "near": { "type": "relations", "title": "Relations", "subject": "$host", "up": 1, "down": 1 },
          "changes": { "type": "changes", "title": "Changes", "kind": "VMWARE/VirtualMachine" },
          "nothing": { "type": "table", "title": "Snapshots", "kind": "VMWARE/VirtualMachine", "columns": [{ "name": "age", "metric": { "any": ["diskspace|snapshotAge"] } }] }
        },
        "layout": [
          { "items": [
            { "panel": "table", "x": 1, "y": 1, "w": 7, "h": 5 },
            { "panel": "scores", "x": 8, "y": 1, "w": 5, "h": 3 },
            { "panel": "nothing", "x": 8, "y": 4, "w": 5, "h": 3 },
            { "panel": "heat", "x": 1, "y": 6, "w": 7, "h": 5 },
            { "panel": "top", "x": 8, "y": 7, "w": 5, "h": 4 },
            { "panel": "chart", "x": 1, "y": 11, "w": 7, "h": 5 }
          ] },
          { "section": "More", "items": [
            { "panel": "bars", "x": 1, "y": 1, "w": 4, "h": 4 },
            { "panel": "donut", "x": 5, "y": 1, "w": 4, "h": 4 },
            { "panel": "spread", "x": 9, "y": 1, "w": 4, "h": 4 },
            { "panel": "lanes", "x": 1, "y": 5, "w": 6, "h": 5 },
            { "panel": "lines", "x": 7, "y": 5, "w": 6, "h": 4 },
            { "panel": "text", "x": 7, "y": 9, "w": 6, "h": 3 },
            { "panel": "props", "x": 1, "y": 10, "w": 3, "h": 4 },
            { "panel": "alerts", "x": 4, "y": 10, "w": 3, "h": 4 },
            { "panel": "near", "x": 1, "y": 14, "w": 6, "h": 4 },
            { "panel": "changes", "x": 7, "y": 12, "w": 6, "h": 4 }
          ] }
        ]
      }
      """;

  /** A file of our format with the dashboard of the hosts. */
  static final String FILE =
      "{\"format\": \"peerlens-dashboards\", \"version\": 1, \"dashboards\": ["
          + HOSTS.replace("Hosts and their VMs", "Hosts from a file")
          + "]}";

  /**
   * A dashboard as vRealize Operations exports it: a chart of a host that is not here, one of a
   * metric that nothing sends, and a widget that has no place here.
   */
  static final String EXPORT =
      """
      {"uuid": "x", "entries": {
        "resourceKind": [
          {"resourceKindKey": "HostSystem", "internalId": "resourceKind:id:0_::_", "adapterKindKey": "VMWARE"}],
        "resource": [
          {"resourceKindKey": "HostSystem", "internalId": "resource:id:0_::_", "adapterKindKey": "VMWARE",
           "identifiers": [{"key": "VMEntityName", "value": "esx-a-09"}], "name": "esx-a-09"},
          {"resourceKindKey": "HostSystem", "internalId": "resource:id:1_::_", "adapterKindKey": "VMWARE",
           "identifiers": [{"key": "VMEntityName", "value": "esx-a-02"}], "name": "esx-a-02"}]},
       "dashboards": [{"id": "6ae321a8-87c0-4bd8-b20b-4828bd4d9bae", "name": "Hosts of the team", "gridsterMaxColumns": 12, "columnCount": 1,
         "widgets": [
           {"id": "a", "type": "MetricChart", "title": "CPU", "collapsed": false, "height": 324, "gridsterCoords": {"x": 1, "y": 1, "w": 6, "h": 4},
            "config": {"metric": {"mode": "resourceKind", "resourceKindMetrics": [{"metricKey": "cpu|usage_average", "metricName": "CPU|Usage",
              "label": "", "resourceKindId": "resourceKind:id:0_::_", "colorMethod": 0, "yellowBound": 70, "orangeBound": 80, "redBound": 90,
              "metricUnitId": "percent", "unit": "%", "isStringMetric": false}]},
             "selfProvider": {"selfProvider": true}, "relationshipMode": {"relationshipMode": 0},
             "resource": [{"id": "resource:id:0_::_", "name": "esx-a-09"}], "depth": 1}},
           {"id": "b", "type": "MetricChart", "title": "Cost", "collapsed": false, "height": 324, "gridsterCoords": {"x": 7, "y": 1, "w": 6, "h": 4},
            "config": {"metric": {"mode": "resourceKind", "resourceKindMetrics": [{"metricKey": "cost|monthly", "metricName": "Cost|Monthly",
              "label": "", "resourceKindId": "resourceKind:id:0_::_", "colorMethod": 0, "isStringMetric": false}]},
             "selfProvider": {"selfProvider": true}, "relationshipMode": {"relationshipMode": 0},
             "resource": [{"id": "resource:id:1_::_", "name": "esx-a-02"}], "depth": 1}},
           {"id": "c", "type": "LogAnalysis", "title": "Log lines", "collapsed": false, "height": 324, "gridsterCoords": {"x": 1, "y": 5, "w": 6, "h": 4},
            "config": {}}],
         "widgetInteractions": []}]}
      """;

  /** What Peerlens finds out by itself, of the hosts and their VMs. */
  static final String FINDINGS =
      """
      {
        "name": "Findings", "folder": "Tests", "time": { "last": "3h" },
        "variables": [{ "name": "host", "type": "object", "kind": "VMWARE/HostSystem", "default": { "first": {} } }],
        "panels": {
          "outliers": { "type": "outliers", "title": "Outliers" },
          "talkers": { "type": "talkers", "title": "Senders", "by": "sender" },
          "impact": { "type": "impact", "title": "Impact", "kind": "VMWARE/VirtualMachine", "subject": "$host" },
          "capacity": { "type": "capacity", "title": "Time remaining", "subject": "$host" }
        },
        "layout": [{ "items": [
          { "panel": "outliers", "x": 1, "y": 1, "w": 6, "h": 4 },
          { "panel": "talkers", "x": 7, "y": 1, "w": 6, "h": 4 },
          { "panel": "impact", "x": 1, "y": 5, "w": 6, "h": 4 },
          { "panel": "capacity", "x": 7, "y": 5, "w": 6, "h": 4 }
        ] }]
      }
      """;

  private PagesDashboards() {}

  /** Stores a dashboard that everybody sees, and gives its id. */
  static String store(Visitor visitor, String definition) {
    ObjectNode edit = JSON.createObjectNode().put("visibility", "shared");
    edit.set("definition", JSON.readTree(definition));
    return text(JSON.readTree(visitor.api("POST", "/dashboards", body(edit), null)), "id");
  }

  /** A dashboard as it is stored. */
  static JsonNode read(Visitor visitor, String id) {
    return JSON.readTree(visitor.api("GET", "/dashboards/" + id, null, null));
  }

  /** Changes the title of a panel, as somebody else would. */
  static void retitle(Visitor visitor, String id, String panel, String title) {
    JsonNode stored = read(visitor, id);
    ObjectNode edit = JSON.createObjectNode().put("visibility", text(stored, "visibility"));
    edit.set("definition", stored.path("definition").deepCopy());
    ((ObjectNode) edit.at("/definition/panels/" + panel)).put("title", title);
    visitor.api(
        "PUT", "/dashboards/" + id, body(edit), "\"" + stored.path("version").asLong() + "\"");
  }

  /** As requests of tests have it. */
  private static Object body(ObjectNode edit) {
    return JSON.treeToValue(edit, Map.class);
  }

  private static String text(JsonNode of, String member) {
    return of.path(member).asString("");
  }
}
