package io.peerlens.planning.sizing;

import io.peerlens.sizing.OrphanedDisks.Unreferenced;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Datastores with the disks that no machine refers to, see docs/vcenter.md. Thread-safe. */
final class DatastoreQueries {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String DISK = "unreferencedDisk:";
  private static final double GIB = 1024.0 * 1024 * 1024;

  /** What a collector says of a disk. */
  private static final Pattern TEXT =
      Pattern.compile(
          "files=(\\d{1,9})(?: bytes=(\\d{1,18}))?(?: modified=(\\S+))?(?: machine=(.+))?");

  private static final String OF_DATASTORES =
      """
      from object o where o.adapter_kind = 'VMWARE' and o.object_kind = 'Datastore' and o.removed_at is null
        and coalesce(o.properties ->> 'summary|accessible', '') <> 'PoweredOff'
      """;

  private static final String DATASTORES =
      """
      select o.id, coalesce(o.properties ->> 'summary|path', '') as path,
        (select jsonb_object_agg(p.k, p.v) from jsonb_each_text(o.properties) p(k, v) where p.k like 'unreferencedDisk:%')::text as disks
      """
          + OF_DATASTORES
          + " order by o.id";

  private static final String CLUSTERS =
      """
      select distinct d.id as datastore, c.id as cluster
      from object d join relation r on r.child_id = d.id join object h on h.id = r.parent_id and h.object_kind = 'HostSystem' and h.removed_at is null
      left join (relation rc join object c on c.id = rc.parent_id and c.object_kind = 'ClusterComputeResource') on rc.child_id = h.id
      where d.adapter_kind = 'VMWARE' and d.object_kind = 'Datastore' and d.removed_at is null
      """;

  private static final String LISTED =
      """
      select count(*) as total, count(s.object_id) as listed,
        mode() within group (order by o.properties ->> 'unreferencedDisks|notListed') filter (where s.object_id is null) as trouble
      from (select o.id, o.properties %s) o left join sizing_result s on s.object_id = o.id
      """
          .formatted(OF_DATASTORES);

  private final JdbcClient jdbc;

  DatastoreQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A datastore that can be reached.
   *
   * @param path by which all vCenters call it; empty = not told
   * @param disks that no machine of its vCenter refers to
   */
  record Datastore(int id, String path, List<Unreferenced> disks) {}

  /**
   * How many datastores are listed, as of the last evaluation.
   *
   * @param trouble what keeps most of the others from it; null = nothing is said
   */
  record Listed(int total, int listed, @Nullable String trouble) {}

  List<Datastore> all() {
    return jdbc.sql(DATASTORES)
        .query(
            (row, number) ->
                new Datastore(
                    row.getInt("id"), row.getString("path"), disks(row.getString("disks"))))
        .list();
  }

  private static List<Unreferenced> disks(@Nullable String json) {
    List<Unreferenced> disks = new ArrayList<>();
    if (json != null) {
      JSON.readValue(json, new TypeReference<Map<String, String>>() {})
          .forEach(
              (key, text) -> {
                Matcher it = TEXT.matcher(text);
                int end = key.lastIndexOf('|');
                if (it.matches() && end > DISK.length()) {
                  disks.add(
                      new Unreferenced(
                          key.substring(DISK.length(), end),
                          Integer.parseInt(it.group(1)),
                          it.group(2) == null ? Double.NaN : Long.parseLong(it.group(2)) / GIB,
                          seconds(it.group(3)),
                          it.group(4) == null ? "" : it.group(4)));
                }
              });
    }
    return disks;
  }

  private static long seconds(@Nullable String time) {
    try {
      return time == null ? -1 : Instant.parse(time).getEpochSecond();
    } catch (DateTimeException e) {
      return -1;
    }
  }

  /** The clusters of the hosts that a datastore is attached to; -1 = that of a host in none. */
  Map<Integer, Set<Integer>> clusters() {
    Map<Integer, Set<Integer>> clusters = new HashMap<>();
    jdbc.sql(CLUSTERS)
        .query(
            row -> {
              clusters
                  .computeIfAbsent(row.getInt("datastore"), id -> new HashSet<>())
                  .add(cluster(row));
            });
    return clusters;
  }

  private static int cluster(ResultSet row) throws SQLException {
    int cluster = row.getInt("cluster");
    return row.wasNull() ? -1 : cluster;
  }

  Listed listed() {
    return jdbc.sql(LISTED)
        .query(
            (row, number) ->
                new Listed(row.getInt("total"), row.getInt("listed"), row.getString("trouble")))
        .single();
  }
}
