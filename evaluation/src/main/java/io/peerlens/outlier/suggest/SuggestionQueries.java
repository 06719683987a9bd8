package io.peerlens.outlier.suggest;

import static io.peerlens.database.Times.utc;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Candidates for members of suggested groups. */
public final class SuggestionQueries {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

  /** Objects that are there, were heard of lately and have any metrics, a kind at a time. */
  private static final String OBJECTS =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.name, o.tags::text as tags, o.properties::text as properties
      from object o
        left join object_liveness l on l.object_id = o.id
      where o.removed_at is null and (l.last_seen is null or l.last_seen >= :since)
        and (o.adapter_kind, o.object_kind) <> ('Peerlens', 'IpAddress')
        and exists (select from metric_set s where s.object_id = o.id and s.instance = '')
      order by o.adapter_kind, o.object_kind, lower(o.name), o.id limit :most
      """;

  private static final String KEYS =
      """
      select g.adapter_kind, g.object_kind, g.name || '|' || m.metric as key, count(distinct s.object_id) as objects
      from metric_group g
        join metric_set s on s.group_id = g.id and s.instance = ''
        cross join unnest(g.metrics) as m(metric)
      group by 1, 2, 3
      order by 1, 2, 3
      """;

  /** Clusters, with the hosts below them. */
  private static final String CLUSTERS =
      """
      select c.id as cluster, c.uuid, c.name, h.id as host
      from object c join relation r on r.parent_id = c.id join object h on h.id = r.child_id
      where c.object_kind = 'ClusterComputeResource' and h.object_kind = 'HostSystem' and h.adapter_kind = c.adapter_kind
      order by lower(c.name), c.id, h.id
      """;

  private final JdbcClient jdbc;

  public SuggestionQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An object that could be a member. */
  record Candidate(
      int id,
      UUID uuid,
      ObjectKind kind,
      String name,
      Map<String, String> tags,
      Map<String, String> properties) {}

  /** What could be members, by kind and then by name. */
  Map<ObjectKind, List<Candidate>> candidates(Instant since, int most) {
    Map<ObjectKind, List<Candidate>> found = new LinkedHashMap<>();
    jdbc.sql(OBJECTS)
        .param("since", utc(since))
        .param("most", most)
        .query(
            row -> {
              Candidate candidate =
                  new Candidate(
                      row.getInt("id"),
                      row.getObject("uuid", UUID.class),
                      new ObjectKind(row.getString("adapter_kind"), row.getString("object_kind")),
                      row.getString("name"),
                      new TreeMap<>(JSON.readValue(row.getString("tags"), TEXTS)),
                      new TreeMap<>(JSON.readValue(row.getString("properties"), TEXTS)));
              found.computeIfAbsent(candidate.kind(), kind -> new ArrayList<>()).add(candidate);
            });
    return found;
  }

  /** How many objects of each kind have each key. */
  Map<ObjectKind, Map<String, Integer>> keys() {
    Map<ObjectKind, Map<String, Integer>> found = new HashMap<>();
    jdbc.sql(KEYS)
        .query(
            row -> {
              found
                  .computeIfAbsent(
                      new ObjectKind(row.getString("adapter_kind"), row.getString("object_kind")),
                      kind -> new TreeMap<>())
                  .put(row.getString("key"), row.getInt("objects"));
            });
    return found;
  }

  /**
   * A cluster.
   *
   * @param hosts by ids within the database
   */
  record Cluster(UUID id, String name, List<Integer> hosts) {}

  List<Cluster> clusters() {
    Map<Integer, Cluster> found = new LinkedHashMap<>();
    jdbc.sql(CLUSTERS)
        .query(
            row -> {
              UUID id = row.getObject("uuid", UUID.class);
              String name = row.getString("name");
              found
                  .computeIfAbsent(
                      row.getInt("cluster"), c -> new Cluster(id, name, new ArrayList<>()))
                  .hosts()
                  .add(row.getInt("host"));
            });
    return List.copyOf(found.values());
  }
}
