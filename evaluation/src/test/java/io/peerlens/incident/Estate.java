package io.peerlens.incident;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A data centre made up for tests: clusters of hosts with machines, and datastores. */
final class Estate {

  static final Instant START = Instant.parse("2026-11-22T20:00:00Z");

  final Topology topology = new Topology();
  final List<OpenAlert> alerts = new ArrayList<>();
  private final Map<String, Integer> ids = new HashMap<>();
  private final Map<Integer, String> names = new HashMap<>();

  /**
   * @param clusters how many, each with {@code hosts} hosts of {@code machines} machines; the
   *     machines of a cluster share two datastores, by turns; all machines are in one folder and
   *     one network
   */
  Estate(int clusters, int hosts, int machines) {
    add("dc", "Datacenter");
    in("vm", "Folder", "dc");
    in("net", "DistributedVirtualPortgroup", "dc");
    for (int c = 1; c <= clusters; c++) {
      in("c" + c, "ClusterComputeResource", "dc");
      for (int d = 1; d <= 2; d++) {
        in("c" + c + "-ds" + d, Topology.DATASTORE, "dc");
      }
      for (int h = 1; h <= hosts; h++) {
        String host = "c" + c + "-h" + h;
        in(host, "HostSystem", "c" + c);
        topology.relation(id(host), id("c" + c + "-ds1")).relation(id(host), id("c" + c + "-ds2"));
        for (int m = 1; m <= machines; m++) {
          in(host + "-m" + m, "VirtualMachine", host);
          topology.relation(id("vm"), id(host + "-m" + m));
          topology.relation(id("net"), id(host + "-m" + m));
          topology.relation(id(host + "-m" + m), id("c" + c + "-ds" + (m % 2 + 1)));
        }
      }
    }
  }

  private void add(String name, String kind) {
    int id = ids.size() + 1;
    ids.put(name, id);
    names.put(id, name);
    topology.object(id, kind);
  }

  private void in(String name, String kind, String parent) {
    add(name, kind);
    // A datastore lies in its data centre, and is below what uses it.
    if (!kind.equals(Topology.DATASTORE)) {
      topology.relation(id(parent), id(name));
    }
  }

  int id(String name) {
    return ids.get(name);
  }

  String name(int id) {
    return names.get(id);
  }

  /** An alert of a threshold. */
  OpenAlert alert(String rule, String object, String key, int severity, int minute) {
    return alert(rule, object, key, "gt", severity, minute, Set.of(id(object)));
  }

  /** An alert that its object sends nothing. */
  OpenAlert silent(String object, int severity, int minute) {
    return alert(
        "sends nothing",
        object,
        "sys|uptime_latest",
        "no-data",
        severity,
        minute,
        Set.of(id(object)));
  }

  /** An alert that sums up symptoms of other objects. */
  OpenAlert sum(
      String rule, String object, String key, int severity, int minute, List<String> members) {
    return alert(
        rule,
        object,
        key,
        "gt",
        severity,
        minute,
        members.stream().map(this::id).collect(java.util.stream.Collectors.toSet()));
  }

  private OpenAlert alert(
      String rule,
      String object,
      String key,
      String operator,
      int severity,
      int minute,
      Set<Integer> members) {
    int number = alerts.size() + 1;
    OpenAlert alert =
        new OpenAlert(
            new UUID(0, number),
            number,
            UUID.nameUUIDFromBytes(rule.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            rule,
            id(object),
            key,
            Resource.of(key, operator),
            operator.startsWith("gt"),
            severity,
            START.plusSeconds(60L * minute),
            members);
    alerts.add(alert);
    return alert;
  }
}
