package io.peerlens.store;

import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * SQL views: one per object kind and metric group in schema {@code views}, with a column per
 * metric, so that SQL users need not know positions: {@code views."VirtualMachine_cpu"}, and the
 * same with {@code _5m} and {@code _1h} for the means of the roll-ups.
 *
 * <p>Positions are append-only, so a group that gains metrics only gains columns at the end, which
 * {@code create or replace view} can do under running queries. Names, once given, stay: they are in
 * {@code metric_view}.
 */
public final class MetricViews {
  private static final Logger log = LoggerFactory.getLogger(MetricViews.class);

  /** PostgreSQL cuts longer names off. */
  private static final int LONGEST_NAME = 63;

  /** PostgreSQL allows 1,664. */
  private static final int MOST_METRICS = 1600;

  private static final List<String> OWN_COLUMNS =
      List.of("time", "object_id", "object", "instance", "samples");

  /** Any number that nobody else takes. */
  private static final long LOCK = 5_024_117_003L;

  private static final String OUTDATED =
      """
      select g.id, g.adapter_kind, g.object_kind, g.name, g.metrics, v.name as view
      from metric_group g left join metric_view v on v.group_id = g.id
      where cardinality(g.metrics) > 0
        and (v.group_id is null or v.metrics < least(cardinality(g.metrics), %d))
      order by g.id
      """
          .formatted(MOST_METRICS);
  private static final String REMEMBER =
      """
      insert into metric_view (group_id, name, metrics) values (:group, :name, :metrics)
      on conflict (group_id) do update set metrics = excluded.metrics
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;

  public MetricViews(JdbcClient jdbc, TransactionTemplate transactions) {
    this.jdbc = jdbc;
    this.transactions = transactions;
  }

  private record Group(
      int id,
      String adapterKind,
      String objectKind,
      String name,
      List<String> metrics,
      String view) {}

  /** Makes the views that are missing and widens those that lack metrics; returns how many. */
  public int refresh() {
    int refreshed = 0;
    for (Group group : outdated()) {
      try {
        transactions.executeWithoutResult(status -> refresh(group));
        refreshed++;
      } catch (CannotAcquireLockException e) {
        log.debug("View of metric group {} is in use; next time", group.id());
      } catch (DataAccessException e) {
        log.warn(
            "No view for {} {} {}: {}",
            group.adapterKind(),
            group.objectKind(),
            group.name(),
            e.getMessage());
      }
    }
    return refreshed;
  }

  private List<Group> outdated() {
    return jdbc.sql(OUTDATED)
        .query(
            (row, number) ->
                new Group(
                    row.getInt("id"),
                    row.getString("adapter_kind"),
                    row.getString("object_kind"),
                    row.getString("name"),
                    strings(row.getArray("metrics")),
                    row.getString("view") == null ? "" : row.getString("view")))
        .list();
  }

  private void refresh(Group group) {
    jdbc.sql("set local lock_timeout = '2s'").update();
    jdbc.sql("select pg_advisory_xact_lock(%d)".formatted(LOCK)).query(row -> {});
    String name = group.view().isEmpty() ? freeName(group) : group.view();
    int metrics = Math.min(MOST_METRICS, group.metrics().size());
    jdbc.sql(view(group, name, Level.RAW, "values")).update();
    jdbc.sql(view(group, name + "_5m", Level.FIVE_MINUTES, "avg")).update();
    jdbc.sql(view(group, name + "_1h", Level.ONE_HOUR, "avg")).update();
    jdbc.sql(REMEMBER)
        .param("group", group.id())
        .param("name", name)
        .param("metrics", metrics)
        .update();
  }

  /** The plain name, or with the adapter kind, or with a number: the first that nobody has. */
  private String freeName(Group group) {
    Set<String> taken = new HashSet<>();
    jdbc.sql("select name from metric_view")
        .query(String.class)
        .list()
        .forEach(
            name -> {
              taken.add(name);
              taken.add(name + "_5m");
              taken.add(name + "_1h");
            });
    String plain = group.objectKind() + (group.name().isEmpty() ? "" : "_" + group.name());
    List<String> candidates =
        List.of(
            plain,
            group.adapterKind() + "_" + plain,
            // Never taken: no other group has this number.
            cut(plain, LONGEST_NAME - 3 - 11) + "_" + group.id());
    for (String candidate : candidates) {
      String name = cut(candidate, LONGEST_NAME - 3);
      if (!taken.contains(name) && !taken.contains(name + "_5m") && !taken.contains(name + "_1h")) {
        return name;
      }
    }
    return "metric_group_" + group.id();
  }

  private static String view(Group group, String name, Level level, String array) {
    StringBuilder sql = new StringBuilder("create or replace view views.");
    sql.append(quoted(name));
    sql.append(" as select s.time, o.uuid as object_id, o.name as object, m.instance");
    if (level != Level.RAW) {
      sql.append(", s.samples");
    }
    List<String> columns = columns(group.metrics());
    for (int i = 0; i < columns.size(); i++) {
      sql.append(", s.").append(array).append('[').append(i + 1).append("] as ");
      sql.append(quoted(columns.get(i)));
    }
    sql.append(" from ").append(level.table()).append(" s");
    sql.append(" join metric_set m on m.id = s.set_id and m.group_id = ").append(group.id());
    sql.append(" join object o on o.id = m.object_id");
    return sql.toString();
  }

  /** A name for each position; depends only on what comes before it, so names never change. */
  static List<String> columns(List<String> metrics) {
    Set<String> taken = new HashSet<>(OWN_COLUMNS);
    List<String> columns = new ArrayList<>();
    for (String metric : metrics.subList(0, Math.min(MOST_METRICS, metrics.size()))) {
      String column = cut(metric.isEmpty() ? "value" : metric, LONGEST_NAME);
      for (int number = 2; !taken.add(column); number++) {
        column = cut(metric, LONGEST_NAME - 6) + "_" + number;
      }
      columns.add(column);
    }
    return columns;
  }

  /** Cuts to so many bytes of UTF-8, without halving a character. */
  static String cut(String text, int bytes) {
    int end = 0;
    int length = 0;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      length += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      if (length > bytes) {
        return text.substring(0, end);
      }
      end += Character.charCount(codePoint);
    }
    return text;
  }

  private static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  private static List<String> strings(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }
}
