package io.peerlens.planning.sizing;

import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Small estate in a database whose right sizes are known: a cluster of three hosts with two NUMA
 * nodes of 8 cores each, and machines whose vCPUs have 2,500 MHz.
 */
final class SizingEstate {

  static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);
  static final int MHZ = 2500;
  static final double KB_OF_GB = 1024 * 1024;

  private static final int DAYS = 45;

  /** Hour of the day in UTC and weekday, 1 = Monday, of the row with the time t. */
  private static final String BUSY =
      "(extract(isodow from t at time zone 'UTC') < 6 and extract(hour from t at time zone 'UTC') between 8 and 17)";

  private final SampleData data;
  private final Map<String, Integer> groups = new HashMap<>();
  private final int cluster;
  private final int host;

  SizingEstate(SampleData data) {
    this.data = data;
    cluster = data.object("VMWARE", "ClusterComputeResource", "prod");
    int first = 0;
    for (String name : List.of("esx-1", "esx-2", "esx-3")) {
      int id = data.object("VMWARE", "HostSystem", name);
      properties(
          id,
          "'hardware|cpuInfo|numCpuCores', '16', 'hardware|cpuInfo|hz', '2500000000', 'hardware|memorySize', '%d', 'hardware|numa|nodes', '2'"
              .formatted((long) (256 * KB_OF_GB)));
      below(cluster, id);
      first = first == 0 ? id : first;
    }
    host = first;
    hours(
        cluster,
        "ClusterComputeResource",
        "diskspace",
        List.of("total_capacity", "total_usage"),
        "10000, 4000 + 10 * extract(epoch from t - :from) / 86400");
  }

  private void properties(int object, String pairs) {
    data.sql(
        "update object set properties = properties || jsonb_build_object(%s) where id = %d"
            .formatted(pairs, object));
  }

  private void below(int parent, int child) {
    data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(parent, child));
  }

  /**
   * A datastore of all hosts.
   *
   * @param pairs of properties
   * @param listed hours since its files were listed; below 0 = they never were
   */
  int datastore(String name, String pairs, int listed) {
    int id = data.object("VMWARE", "Datastore", name);
    properties(id, pairs);
    data.sql(
        "insert into relation (parent_id, child_id) select id, %d from object where object_kind = 'HostSystem'"
            .formatted(id));
    if (listed >= 0) {
      hours(id, "Datastore", "unreferencedDisks", List.of("listed_age"), listed + "");
    }
    return id;
  }

  /** Hours of a group from formulas over the time t. */
  void hours(int object, String kind, String group, List<String> metrics, String formulas) {
    int of =
        groups.computeIfAbsent(
            kind + "/" + group, name -> data.group("VMWARE", kind, group, metrics));
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg)
            select t, :set, 12, array[%s]::float8[] from generate_series(:from::timestamptz, :to::timestamptz - interval '1 hour', interval '1 hour') t
            """
                .formatted(formulas.replace(":from", ":from::timestamptz").replace("BUSY", BUSY)))
        .param("set", data.set(object, of, ""))
        .param("from", SampleData.time(NOW.minus(Duration.ofDays(DAYS))))
        .param("to", SampleData.time(NOW))
        .update();
  }

  /**
   * A machine with an owner.
   *
   * @param cpu vCPUs in use, as a formula in which BUSY says whether it is Monday to Friday from 8
   *     to 18 h UTC
   * @param ready percent, as a formula
   * @param guestGb memory that the guest says to use; null = no Tools
   * @param netAndDisk KB/s of network, reads and writes, as formulas
   */
  int machine(
      String name,
      int vcpus,
      int memoryGb,
      String cpu,
      String ready,
      String guestGb,
      String netAndDisk) {
    int vm = data.object("VMWARE", "VirtualMachine", name);
    below(host, vm);
    properties(
        vm,
        "'config|hardware|numCpu', '%d', 'config|hardware|memoryKB', '%d', 'cpu|speed', '2500000000'"
            .formatted(vcpus, (long) (memoryGb * KB_OF_GB)));
    data.sql(
        "update object set tags = '{\"Owner\": \"team-%s\"}' where id = %d"
            .formatted(name.charAt(0), vm));
    hours(
        vm,
        "VirtualMachine",
        "cpu",
        List.of("demand_average", "readyPct"),
        "(%s) * %d, %s".formatted(cpu, MHZ, ready));
    hours(
        vm,
        "VirtualMachine",
        "mem",
        List.of("consumed_average"),
        (long) (memoryGb * KB_OF_GB) + "");
    hours(vm, "VirtualMachine", "net", List.of("usage_average"), netAndDisk.split(",")[0]);
    hours(
        vm,
        "VirtualMachine",
        "virtualDisk",
        List.of("read_average", "write_average"),
        netAndDisk.substring(netAndDisk.indexOf(',') + 1));
    if (!guestGb.isEmpty()) {
      hours(
          vm,
          "VirtualMachine",
          "guest",
          List.of("mem.needed_latest"),
          "(%s) * %f".formatted(guestGb, KB_OF_GB));
    }
    hours(
        vm,
        "VirtualMachine",
        "diskspace",
        List.of("used", "provisionedSpace", "snapshot"),
        "100, 200, " + (name.equals("build") ? "extract(epoch from t - :from) / 86400" : "0"));
    hours(vm, "VirtualMachine", "sys", List.of("poweredOn"), "1");
    hours(
        vm,
        "VirtualMachine",
        "summary",
        List.of("running", "snapshot_count"),
        "1, " + (name.equals("build") ? "1" : "0"));
    return vm;
  }

  /** All machines; what each should have is in its name or in the test. */
  void fill() {
    machine(
        "etl",
        4,
        16,
        "case when BUSY then 3.95 else 0.6 end",
        "case when BUSY then 6 else 1 end",
        "13",
        "900, 800, 400");
    machine("report", 16, 64, "case when BUSY then 3 else 1 end", "1", "51", "900, 800, 400");
    machine("wiki", 8, 16, "0.5", "1", "", "900, 800, 400");
    machine("build", 4, 8, "3.1", "1", "7.1", "900, 800, 400");
    properties(
        id("build"),
        "'diskspace|snapshot|oldest', '%1$s', 'diskspace|snapshot:snapshot-7|createTime', '%1$s', 'diskspace|snapshot:snapshot-7|name', 'before upgrade'"
            .formatted(NOW.minus(Duration.ofDays(20))));
    String old = NOW.minus(Duration.ofDays(200)).toString();
    datastore(
        "vsan",
        """
        'summary|path', 'ds:///vsan/', 'unreferencedDisk:old one/old|files', 'files=3 bytes=107374182400 modified=%1$s machine=old.vmx',
        'unreferencedDisk:uuid-7/lost|files', 'files=1 modified=%1$s',
        'unreferencedDisk:new/new|files', 'files=2 bytes=5368709120 modified=%2$s', 'unreferencedDisk:broken|files', 'something else'
        """
            .formatted(old, NOW.minus(Duration.ofDays(2))),
        5);
    datastore(
        "nfs",
        "'summary|path', 'ds:///nfs/', 'unreferencedDisks|notListed', 'The account may not browse it.', 'unreferencedDisk:x/x|files', 'files=2 bytes=5368709120 modified=%s'"
            .formatted(old),
        100);
    for (int i = 1; i <= 4; i++) {
      machine("fit-" + i, 4, 8, "3.2", "1", "7.1", "900, 800, 400");
    }
    // Busy from 02:00 to 03:00 each day, when a backup reads 20 MB/s.
    String night = "extract(hour from t at time zone 'UTC') = 2";
    machine(
        "sleepy",
        2,
        4,
        "case when " + night + " then 0.5 else 0.01 end",
        "0",
        "1",
        "case when %1$s then 20000 else 1 end, case when %1$s then 20000 else 2 end, 3"
            .formatted(night));
    machine("retired", 2, 4, "0", "0", "", "0, 0, 0");
    data.sql(
        "update sample_1h set avg[1] = 0 where set_id in (select s.id from metric_set s join metric_group g on g.id = s.group_id where g.name = 'sys' and s.object_id = "
            + id("retired")
            + ") and time >= '"
            + NOW.minus(Duration.ofDays(40))
            + "'");
    data.jdbc()
        .sql("update level_state set rolled_until = ? where level in ('5m', '1h')")
        .param(SampleData.time(NOW))
        .update();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
  }

  /** Internal id of a machine. */
  int id(String name) {
    return data.jdbc()
        .sql("select id from object where object_kind = 'VirtualMachine' and name = ?")
        .param(name)
        .query(Integer.class)
        .single();
  }

  /**
   * The collector sees that a machine has another number of vCPUs.
   *
   * @return the id of the change
   */
  void resized(String name, Instant at, int from, int to) {
    data.jdbc()
        .sql(
            """
            insert into object_change (time, object_id, kind, key, old_value, new_value) values (?, ?, 'property', 'config|hardware|numCpu', ?, ?)
            """)
        .params(SampleData.time(at), id(name), from + "", to + "")
        .update();
  }

  /** Five-minute means of ready time, percent, around a moment. */
  void ready(String name, Instant at, double before, double after) {
    data.jdbc()
        .sql(
            """
            insert into sample_5m (time, set_id, samples, avg)
            select t, s.id, 15, array[2500, (case when t < :at::timestamptz then :before else :after end) * (1 + 0.2 * sin(extract(epoch from t)))]::float8[]
            from metric_set s join metric_group g on g.id = s.group_id and g.name = 'cpu',
              generate_series(:from::timestamptz, :to::timestamptz, interval '5 minutes') t
            where s.object_id = :vm
            """)
        .param("at", SampleData.time(at))
        .param("before", before)
        .param("after", after)
        .param("from", SampleData.time(at.minus(Duration.ofDays(7))))
        .param("to", SampleData.time(at.plus(Duration.ofDays(7))))
        .param("vm", id(name))
        .update();
  }
}
