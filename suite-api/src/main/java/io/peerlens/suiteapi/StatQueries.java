package io.peerlens.suiteapi;

import io.peerlens.ingest.key.MetricKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of where values of resources are stored, and of the newest of them. */
final class StatQueries {

  private static final String SETS =
      """
      select s.id, s.object_id, s.group_id, s.instance from metric_set s
      where s.object_id = any (:objects) and s.group_id = any (:groups)
      order by s.object_id, s.group_id, s.instance
      """;

  private static final String GROUPS =
      """
      select g.id, g.name, g.metrics from metric_group g
      where (g.adapter_kind, g.object_kind) in (
        select adapter_kind, object_kind from object where id = any (:objects))
      order by g.name, g.id
      """;

  private static final String NEWEST =
      """
      select w.pair, f.time, f.value
      from unnest(:sets::int[], :positions::int[]) with ordinality as w(set_id, position, pair)
      cross join lateral (
        select s.time, s.values[w.position + 1] as value from sample s
        where s.set_id = w.set_id and s.time >= :since and s.values[w.position + 1] is not null
        order by s.time desc limit :most) f
      order by w.pair, f.time
      """;

  private final JdbcClient jdbc;

  StatQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A metric of a resource: where its values are. */
  record Line(int object, String key, int group, int set, int position) {}

  /** Metrics of a group by position. */
  record Group(int id, String name, List<String> metrics) {}

  /** Values with their times in epoch milliseconds, oldest first. */
  record Points(List<Long> times, List<Double> values) {}

  /** Groups of the kinds of some resources. */
  List<Group> groups(Collection<Integer> objects) {
    return jdbc.sql(GROUPS)
        .param("objects", objects.toArray(Integer[]::new))
        .query(
            (row, number) ->
                new Group(
                    row.getInt(1),
                    row.getString(2),
                    List.of((String[]) row.getArray(3).getArray())))
        .list();
  }

  /**
   * Lines of some resources, by resource and key.
   *
   * @param keys as they are asked for, and so answered; empty = all
   */
  List<Line> lines(Collection<Integer> objects, List<String> keys, List<Group> groups) {
    Map<Integer, Group> byId = new HashMap<>();
    Map<Integer, Map<String, Map<Integer, String>>> wanted = new HashMap<>();
    for (Group group : groups) {
      for (String text : keys) {
        MetricKey key = MetricKey.parse(text).ofAggregate();
        int position =
            key.group().equals(group.name()) ? group.metrics().indexOf(key.metric()) : -1;
        if (position >= 0) {
          wanted
              .computeIfAbsent(group.id(), g -> new HashMap<>())
              .computeIfAbsent(key.instance(), i -> new LinkedHashMap<>())
              .put(position, text);
        }
      }
      if (keys.isEmpty() || wanted.containsKey(group.id())) {
        byId.put(group.id(), group);
      }
    }
    List<Line> lines = new ArrayList<>();
    if (byId.isEmpty()) {
      return lines;
    }
    jdbc.sql(SETS)
        .param("objects", objects.toArray(Integer[]::new))
        .param("groups", byId.keySet().toArray(Integer[]::new))
        .query(
            row -> {
              int set = row.getInt(1);
              int object = row.getInt(2);
              int group = row.getInt(3);
              String instance = row.getString(4);
              Group of = byId.get(group);
              if (of != null && keys.isEmpty()) {
                for (int i = 0; i < of.metrics().size(); i++) {
                  String key = new MetricKey(of.name(), instance, of.metrics().get(i)).toString();
                  lines.add(new Line(object, key, group, set, i));
                }
              } else {
                wanted
                    .getOrDefault(group, Map.of())
                    .getOrDefault(instance, Map.of())
                    .forEach((i, key) -> lines.add(new Line(object, key, group, set, i)));
              }
            });
    return lines;
  }

  /** The newest values of each line that has some. */
  Map<Line, Points> newest(List<Line> lines, Instant since, int most) {
    Map<Line, Points> found = new LinkedHashMap<>();
    jdbc.sql(NEWEST)
        .param("sets", lines.stream().map(Line::set).toArray(Integer[]::new))
        .param("positions", lines.stream().map(Line::position).toArray(Integer[]::new))
        .param("since", since.atOffset(ZoneOffset.UTC))
        .param("most", most)
        .query(
            row -> {
              Line line = lines.get(row.getInt(1) - 1);
              Points points =
                  found.computeIfAbsent(
                      line, l -> new Points(new ArrayList<>(), new ArrayList<>()));
              points.times().add(row.getTimestamp(2).getTime());
              points.values().add(row.getDouble(3));
            });
    return found;
  }

  /** Keys of resources, in their order, each once. */
  List<String> keys(Collection<Integer> objects) {
    TreeSet<String> keys = new TreeSet<>();
    lines(objects, List.of(), groups(objects)).forEach(line -> keys.add(line.key()));
    return new ArrayList<>(keys);
  }
}
