package io.peerlens.incident;

import io.peerlens.api.model.ObjectRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Open alerts, with the topology that their objects lie in. */
final class IncidentQueries {

  /** Of more open alerts the worst and oldest are judged. */
  private static final int MOST = 20_000;

  /**
   * Alerts of objects in maintenance are left out, nobody asks for their cause, and those that were
   * open when somebody ended their incident.
   */
  private static final String ALERTS =
      """
      select id, number, definition_id, definition_name, object_id, severity, since,
        jsonb_path_query_array(members, '$[0 to 49].object') as objects,
        members -> 0 ->> 'key' as key, members -> 0 ->> 'operator' as operator
      from alert where status <> 'canceled' and control_state <> 'suppressed'
        and not exists (select from incident_alert m where m.alert_id = alert.id and m.reason = 'ended'
          and m.left_at >= alert.openings[cardinality(alert.openings)])
      order by severity desc, since, number limit :most
      """;

  private static final String SUPER_METRICS =
      "select id, formula from super_metric where id = any (:ids)";

  /** What lies above the objects, but not above datastores, which all that uses them is. */
  private static final String ABOVE =
      """
      with recursive up(id, depth) as (
        select unnest(:ids::int[]), 0
        union
        select r.parent_id, u.depth + 1
        from up u join relation r on r.child_id = u.id join object c on c.id = u.id
        where u.depth < 6 and c.object_kind <> 'Datastore')
      select distinct o.id, o.uuid, o.adapter_kind, o.object_kind, o.name from up join object o on o.id = up.id
      """;

  private static final String RELATIONS =
      """
      select r.parent_id, r.child_id from relation r
      where r.child_id = any (:ids) and r.parent_id = any (:ids)
      """;

  private static final String SUPER = "Super Metric|sm_";
  private static final Pattern METRIC = Pattern.compile("(?:metric|attribute)=([^,}\\s]+)");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final JdbcClient jdbc;

  IncidentQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Open alerts and topology of one judgement.
   *
   * @param objects all objects of the topology, by internal number
   */
  record Read(List<OpenAlert> alerts, Topology topology, Map<Integer, ObjectRef> objects) {}

  private record Row(
      UUID id,
      long number,
      UUID definition,
      String name,
      int object,
      int severity,
      OffsetDateTime since,
      Set<Integer> members,
      String key,
      String operator) {}

  /** A number that grows with every change of an alert. */
  long version() {
    return jdbc.sql("select coalesce(max(id), 0) from alert_history").query(Long.class).single();
  }

  Read read() {
    List<Row> rows = jdbc.sql(ALERTS).param("most", MOST).query((row, number) -> row(row)).list();
    Map<String, String> formulas = formulas(rows);
    List<OpenAlert> alerts = new ArrayList<>();
    for (Row row : rows) {
      String about = formulas.getOrDefault(row.key(), row.key());
      alerts.add(
          new OpenAlert(
              row.id(),
              row.number(),
              row.definition(),
              row.name(),
              row.object(),
              row.key(),
              Resource.of(about, row.operator()),
              row.operator().startsWith("gt") || row.operator().startsWith("ge"),
              row.severity(),
              row.since().toInstant(),
              row.members()));
    }
    return topology(alerts);
  }

  private static Row row(ResultSet row) throws SQLException {
    String key = row.getString("key");
    String operator = row.getString("operator");
    Set<Integer> members = new HashSet<>();
    for (JsonNode one : JSON.readTree(row.getString("objects"))) {
      members.add(one.asInt());
    }
    return new Row(
        row.getObject("id", UUID.class),
        row.getLong("number"),
        row.getObject("definition_id", UUID.class),
        row.getString("definition_name"),
        row.getInt("object_id"),
        row.getInt("severity"),
        row.getObject("since", OffsetDateTime.class),
        members,
        key == null ? "" : key,
        operator == null ? "" : operator);
  }

  /** The first metric that each super metric reads, by its key. */
  private Map<String, String> formulas(List<Row> rows) {
    Map<UUID, String> wanted = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.key().startsWith(SUPER)) {
        try {
          wanted.put(UUID.fromString(row.key().substring(SUPER.length())), row.key());
        } catch (IllegalArgumentException e) {
          // a key of elsewhere that looks like one of ours
        }
      }
    }
    Map<String, String> metrics = new HashMap<>();
    if (!wanted.isEmpty()) {
      jdbc.sql(SUPER_METRICS)
          .param("ids", wanted.keySet().toArray(UUID[]::new))
          .query(
              row -> {
                Matcher metric = METRIC.matcher(row.getString("formula"));
                if (metric.find()) {
                  metrics.put(wanted.get(row.getObject("id", UUID.class)), metric.group(1));
                }
              });
    }
    return metrics;
  }

  private Read topology(List<OpenAlert> alerts) {
    Topology topology = new Topology();
    Map<Integer, ObjectRef> objects = new HashMap<>();
    Set<Integer> ids = alerts.stream().map(OpenAlert::object).collect(Collectors.toSet());
    if (!ids.isEmpty()) {
      jdbc.sql(ABOVE)
          .param("ids", ids.stream().mapToInt(Integer::intValue).toArray())
          .query(
              row -> {
                int id = row.getInt("id");
                ObjectRef object =
                    new ObjectRef(
                        row.getObject("uuid", UUID.class),
                        row.getString("adapter_kind"),
                        row.getString("object_kind"),
                        row.getString("name"));
                objects.put(id, object);
                topology.object(id, object.getObjectKind());
              });
      jdbc.sql(RELATIONS)
          .param("ids", objects.keySet().stream().mapToInt(Integer::intValue).toArray())
          .query(
              row -> {
                topology.relation(row.getInt(1), row.getInt(2));
              });
    }
    return new Read(alerts, topology, objects);
  }
}
