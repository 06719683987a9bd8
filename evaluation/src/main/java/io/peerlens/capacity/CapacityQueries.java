package io.peerlens.capacity;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Metric sets of containers. */
final class CapacityQueries {

  private static final String GROUP =
      """
      select id, metrics, units from metric_group
      where adapter_kind = ? and object_kind = ? and name = ?
      """;
  private static final String SETS =
      """
      select s.id, s.object_id, s.instance from metric_set s join object o on o.id = s.object_id
      where s.group_id = ? and (? or s.instance = '')
        and (s.object_id = any (?::int[]) or ?::int[] is null and o.removed_at is null)
      """;
  private static final String OBJECT = "select id from object where uuid = ?";

  private final JdbcClient jdbc;

  CapacityQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A metric group that has the metrics of a container.
   *
   * @param used position of what is used
   * @param capacity position of the limit; -1 = it is no metric
   * @param unit of what is used; null = not known
   */
  record Group(int id, int used, int capacity, @Nullable String unit) {}

  /** A metric set and its object. */
  record ObjectSet(int setId, int objectId, String instance) {}

  /** The group of a container; null as long as nothing has reported its metrics. */
  @Nullable Group group(Container container) {
    return jdbc.sql(GROUP)
        .params(
            container.kind().adapterKind(), container.kind().objectKind(), container.used().group())
        .query((row, number) -> Optional.ofNullable(group(container, row)))
        .optional()
        .flatMap(group -> group)
        .orElse(null);
  }

  private static @Nullable Group group(Container container, ResultSet row) throws SQLException {
    List<String> metrics = Arrays.asList((String[]) row.getArray(2).getArray());
    List<@Nullable String> units = Arrays.asList((String[]) row.getArray(3).getArray());
    int used = metrics.indexOf(container.used().metric());
    if (used < 0) {
      return null;
    }
    if (container.capacity() == null) {
      return new Group(row.getInt(1), used, -1, units.get(used));
    }
    int capacity = metrics.indexOf(container.capacity().metric());
    return capacity < 0 ? null : new Group(row.getInt(1), used, capacity, units.get(used));
  }

  /**
   * The sets of a group.
   *
   * @param instances whether those of instances are wanted too
   * @param objects of these objects only; null = of all that are there
   */
  List<ObjectSet> sets(Group group, boolean instances, Integer @Nullable [] objects) {
    return jdbc.sql(SETS)
        .params(Arrays.asList(group.id(), instances, objects, objects))
        .query((row, n) -> new ObjectSet(row.getInt(1), row.getInt(2), row.getString(3)))
        .list();
  }

  /** Internal id of an object; empty = there is none. */
  Optional<Integer> object(UUID uuid) {
    return jdbc.sql(OBJECT).param(uuid).query(Integer.class).optional();
  }
}
