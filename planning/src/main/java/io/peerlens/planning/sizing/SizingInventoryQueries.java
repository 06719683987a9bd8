package io.peerlens.planning.sizing;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Machines, hosts and clusters with what their properties say. Thread-safe. */
final class SizingInventoryQueries {

  private static final JsonMapper JSON = JsonMapper.shared();

  // Templates and the machines that vSphere runs for itself have no owner who could change them.
  private static final String OF_MACHINES =
      """
      from object o
      where o.adapter_kind = 'VMWARE' and o.object_kind = 'VirtualMachine' and o.removed_at is null
        and coalesce(o.properties ->> 'summary|config|isTemplate', '') <> 'true' and o.name not like 'vCLS%'
      """;

  private static final String MACHINES =
      """
      select o.id, o.uuid, o.name, o.tags ->> :owner as owner,
        o.properties ->> 'config|hardware|numCpu' as vcpus, o.properties ->> 'config|hardware|memoryKB' as memory_kb,
        o.properties ->> 'cpu|speed' as hz,
        o.properties ->> 'config|cpuAllocation|limit' as cpu_limit, o.properties ->> 'config|cpuAllocation|reservation' as cpu_reserved,
        o.properties ->> 'config|memoryAllocation|reservation' as memory_reserved,
        o.properties ->> 'config|extraConfig|vcpu_hotadd' as cpu_hot, o.properties ->> 'config|extraConfig|mem_hotadd' as memory_hot,
        o.properties ->> 'summary|guest|toolsRunningStatus' as tools,
        (select jsonb_object_agg(p.k, p.v) from jsonb_each_text(o.properties) p(k, v) where p.k like 'diskspace|snapshot%')::text as snapshots
      """
          + OF_MACHINES
          + "order by o.id";

  private static final String HOSTS =
      """
      select o.id, o.uuid, o.properties ->> 'hardware|cpuInfo|numCpuCores' as cores, o.properties ->> 'hardware|cpuInfo|hz' as hz,
        o.properties ->> 'hardware|memorySize' as memory, o.properties ->> 'hardware|numa|nodes' as nodes
      from object o
      where o.adapter_kind = 'VMWARE' and o.object_kind = 'HostSystem' and o.removed_at is null
      """;

  private static final String CLUSTERS =
      """
      select o.id, o.uuid, o.name from object o
      where o.adapter_kind = 'VMWARE' and o.object_kind = 'ClusterComputeResource' and o.removed_at is null order by o.id
      """;

  private static final String MEMBERS =
      """
      with recursive below(cluster, id, kind) as (
        select o.id, o.id, o.object_kind from object o where o.adapter_kind = 'VMWARE' and o.object_kind = 'ClusterComputeResource'
        union
        select b.cluster, o.id, o.object_kind from below b join relation r on r.parent_id = b.id join object o on o.id = r.child_id
        where b.kind <> 'VirtualMachine' and o.object_kind in ('HostSystem', 'ResourcePool', 'VirtualApp', 'VirtualMachine'))
      select cluster, id from below where kind in ('HostSystem', 'VirtualMachine')
      """;

  private final JdbcClient jdbc;

  SizingInventoryQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A virtual machine. Numbers are NaN where no property says them.
   *
   * @param owner null = it has none
   * @param cpuLimitMhz 0 = none
   * @param tools whether VMware Tools run; null = not known
   * @param snapshots properties about snapshots
   */
  record Vm(
      int id,
      UUID uuid,
      String name,
      @Nullable String owner,
      double vcpus,
      double memoryGb,
      double coreMhz,
      double cpuLimitMhz,
      double cpuReservationMhz,
      double memoryReservationGb,
      boolean cpuHotAdd,
      boolean memoryHotAdd,
      @Nullable Boolean tools,
      Map<String, String> snapshots) {}

  /** A host. Numbers are NaN where no property says them. */
  record Host(int id, UUID uuid, double cores, double coreMhz, double memoryGb, double nodes) {}

  record Cluster(int id, UUID uuid, String name) {}

  /** How many machines there are to evaluate. */
  long count() {
    return jdbc.sql("select count(*) " + OF_MACHINES).query(Long.class).single();
  }

  /**
   * All machines but templates.
   *
   * @param ownerTag null = no tag names owners
   */
  List<Vm> machines(@Nullable String ownerTag) {
    return jdbc.sql(MACHINES)
        .param("owner", ownerTag == null ? "" : ownerTag)
        .query((row, number) -> machine(row))
        .list();
  }

  private static Vm machine(ResultSet row) throws SQLException {
    String snapshots = row.getString("snapshots");
    String tools = row.getString("tools");
    return new Vm(
        row.getInt("id"),
        row.getObject("uuid", UUID.class),
        row.getString("name"),
        row.getString("owner"),
        number(row, "vcpus"),
        number(row, "memory_kb") * Measure.KB_TO_GB,
        number(row, "hz") / 1e6,
        zero(number(row, "cpu_limit")),
        zero(number(row, "cpu_reserved")),
        zero(number(row, "memory_reserved")) * Measure.KB_TO_GB,
        "true".equals(row.getString("cpu_hot")),
        "true".equals(row.getString("memory_hot")),
        tools == null ? null : Boolean.valueOf(tools.equals("Guest Tools Running")),
        snapshots == null
            ? Map.of()
            : JSON.readValue(snapshots, new TypeReference<Map<String, String>>() {}));
  }

  List<Host> hosts() {
    return jdbc.sql(HOSTS)
        .query(
            (row, at) ->
                new Host(
                    row.getInt("id"),
                    row.getObject("uuid", UUID.class),
                    number(row, "cores"),
                    number(row, "hz") / 1e6,
                    number(row, "memory") * Measure.KB_TO_GB,
                    number(row, "nodes")))
        .list();
  }

  List<Cluster> clusters() {
    return jdbc.sql(CLUSTERS)
        .query(
            (row, at) ->
                new Cluster(
                    row.getInt("id"), row.getObject("uuid", UUID.class), row.getString("name")))
        .list();
  }

  /** The cluster of each host and machine that is in one, by internal ids. */
  Map<Integer, Integer> members() {
    Map<Integer, Integer> members = new HashMap<>();
    jdbc.sql(MEMBERS)
        .query(
            row -> {
              members.put(row.getInt("id"), row.getInt("cluster"));
            });
    return members;
  }

  /** NaN = there is none, or it is no number above 0. */
  private static double number(ResultSet row, String column) throws SQLException {
    String text = row.getString(column);
    if (text == null) {
      return Double.NaN;
    }
    try {
      double number = Double.parseDouble(text);
      return number > 0 && number < 1e15 ? number : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static double zero(double number) {
    return Double.isNaN(number) ? 0 : number;
  }
}
