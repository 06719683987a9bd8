package io.peerlens.alert;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.Alert;
import io.peerlens.api.model.AlertControlState;
import io.peerlens.api.model.AlertDefinitionRef;
import io.peerlens.api.model.AlertEvent;
import io.peerlens.api.model.AlertExplanation;
import io.peerlens.api.model.AlertHistoryItem;
import io.peerlens.api.model.AlertHistoryPage;
import io.peerlens.api.model.AlertMember;
import io.peerlens.api.model.AlertPage;
import io.peerlens.api.model.AlertSort;
import io.peerlens.api.model.AlertSource;
import io.peerlens.api.model.AlertStatus;
import io.peerlens.api.model.AlertSurroundings;
import io.peerlens.api.model.CancelReason;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.ChangeKind;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.MaintenanceRef;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.RelatedSymptom;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.Severity;
import io.peerlens.api.model.SymptomRelation;
import io.peerlens.web.Page;
import io.peerlens.web.PageQueries;
import io.peerlens.web.PageQueries.Order;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Alerts for the API, as lists and one by one. */
final class AlertQueries implements StreamedEvents {

  /** How many members an alert shows in a list, and alone. */
  static final int FEW_MEMBERS = 20;

  static final int MANY_MEMBERS = 200;

  private static final String SELECT =
      """
      select a.*, o.uuid, o.adapter_kind, o.object_kind, o.name,
        (select i.number from incident_alert m join incident i on i.id = m.incident_id
         where m.alert_id = a.id and (m.left_at is null or m.reason = 'closed')
         order by m.joined_at desc limit 1) as incident
      """;

  private static final String FROM = " from alert a join object o on o.id = a.object_id where ";

  private static final PageQueries PAGES = new PageQueries(SELECT, FROM, "a.number");

  private static final String OBJECTS =
      "select id, uuid, adapter_kind, object_kind, name from object where id = any (:ids)";

  private static final String HISTORY =
      """
      select id, at, event, by, severity, value, text, bound, upper, note, explanation
      from alert_history where alert_id = :id and id < :before order by id desc limit :limit
      """;

  private static final TypeReference<List<StoredMember>> MEMBERS = new TypeReference<>() {};

  private final JdbcClient jdbc;

  AlertQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An alert as it is stored, before the objects of its members are named. */
  private record Row(Alert alert, List<StoredMember> members, Around around) {}

  private static Order order(AlertSort sort) {
    boolean down = sort.getValue().startsWith("-");
    return switch (sort) {
      case SEVERITY, SEVERITY_DESC -> new Order("a.severity", "int", down);
      case OPENED_AT, OPENED_AT_DESC -> new Order("a.opened_at", "timestamptz", down);
      case UPDATED_AT, UPDATED_AT_DESC -> new Order("a.updated_at", "timestamptz", down);
      case NUMBER, NUMBER_DESC -> new Order("a.number", "bigint", down);
      case OBJECT, OBJECT_DESC -> new Order("lower(o.name) collate \"C\"", "text", down);
      case DEFINITION, DEFINITION_DESC ->
          new Order("lower(a.definition_name) collate \"C\"", "text", down);
    };
  }

  /** One page of alerts. */
  AlertPage find(AlertFilter filter, AlertSort sort, int limit, @Nullable String cursor) {
    Page<Row> page =
        PAGES.page(
            jdbc,
            filter.where(),
            order(sort),
            filter + " " + sort,
            limit,
            cursor,
            row -> row(row, FEW_MEMBERS),
            row -> row.alert().getNumber());
    return new AlertPage(alerts(page.items()), page.nextCursor(), page.total());
  }

  /** One alert with many members. */
  Optional<Alert> one(UUID id) {
    List<Row> rows =
        jdbc.sql(SELECT + FROM + "a.id = :id")
            .param("id", id)
            .query((row, number) -> row(row, MANY_MEMBERS))
            .list();
    return alerts(rows).stream().findFirst();
  }

  @Override
  public String name() {
    return "alert";
  }

  @Override
  public Map<UUID, Object> byId(Collection<UUID> ids) {
    Map<UUID, Object> byId = new HashMap<>();
    alerts(
            jdbc.sql(SELECT + FROM + "a.id = any (:ids)")
                .param("ids", ids.toArray(UUID[]::new))
                .query((row, number) -> row(row, FEW_MEMBERS))
                .list())
        .forEach(alert -> byId.put(alert.getId(), alert));
    return byId;
  }

  /** Other alerts of the definition and object of one, newest first. */
  List<Alert> earlier(UUID id, int limit) {
    return alerts(
        jdbc.sql(
                SELECT
                    + FROM
                    + """
                    a.id <> :id
                    and (a.definition_id, a.object_id) = (select definition_id, object_id from alert where id = :id)
                    order by a.opened_at desc limit :limit
                    """)
            .param("id", id)
            .param("limit", limit)
            .query((row, number) -> row(row, FEW_MEMBERS))
            .list());
  }

  /** What happened to an alert, newest first. */
  AlertHistoryPage history(UUID id, int limit, @Nullable String cursor) {
    String scope = "history " + id;
    long total =
        jdbc.sql("select count(*) from alert_history where alert_id = :id")
            .param("id", id)
            .query(Long.class)
            .single();
    long before = Page.before(scope, cursor);
    record Step(long id, AlertHistoryItem item) {}
    List<Step> steps =
        jdbc.sql(HISTORY)
            .param("id", id)
            .param("before", before)
            .param("limit", limit + 1)
            .query((row, number) -> new Step(row.getLong("id"), step(row)))
            .list();
    return Page.newestFirst(steps, Step::id, scope, limit, total)
        .map(Step::item)
        .as(AlertHistoryPage::new);
  }

  private static AlertHistoryItem step(ResultSet row) throws SQLException {
    return new AlertHistoryItem(
        instant(row, "at"),
        AlertEvent.fromValue(row.getString("event")),
        row.getString("by"),
        severity(row.getInt("severity")),
        number(row, "value"),
        row.getString("text"),
        number(row, "bound"),
        number(row, "upper"),
        row.getString("note"),
        row.getString("explanation"));
  }

  /** How objects are named, by their number. */
  Map<Integer, ObjectRef> objects(Set<Integer> ids) {
    Map<Integer, ObjectRef> objects = new HashMap<>();
    if (!ids.isEmpty()) {
      jdbc.sql(OBJECTS)
          .param("ids", ids.toArray(Integer[]::new))
          .query(
              row -> {
                objects.put(row.getInt("id"), object(row));
              });
    }
    return objects;
  }

  private List<Alert> alerts(List<Row> rows) {
    Set<Integer> ids = new HashSet<>();
    for (Row row : rows) {
      row.members().forEach(member -> ids.add(member.object()));
      row.around().symptoms().forEach(one -> ids.add(one.symptom().object()));
      row.around().changes().forEach(change -> ids.add(change.object()));
    }
    Map<Integer, ObjectRef> objects = objects(ids);
    for (Row row : rows) {
      row.alert()
          .setMembers(
              row.members().stream()
                  .filter(member -> objects.containsKey(member.object()))
                  .map(member -> member(member, requireNonNull(objects.get(member.object()))))
                  .toList());
      row.alert().getExplanation().setAround(surroundings(row.around(), objects));
    }
    return rows.stream().map(Row::alert).toList();
  }

  private static Row row(ResultSet row, int mostMembers) throws SQLException {
    List<StoredMember> members = JsonMapper.shared().readValue(row.getString("members"), MEMBERS);
    AlertExplanation explanation =
        JsonMapper.shared().readValue(row.getString("explanation"), AlertExplanation.class);
    ObjectRef object = object(row);
    explanation.setSubject(object);
    explanation.setMoments(Objects.requireNonNullElse(explanation.getMoments(), List.of()));
    StoredMember worst = members.isEmpty() ? null : members.getFirst();
    Alert alert =
        new Alert(
            row.getObject("id", UUID.class),
            row.getLong("number"),
            new AlertDefinitionRef(
                row.getObject("definition_id", UUID.class),
                row.getString("definition_name"),
                AlertSource.fromValue(row.getString("source"))),
            object,
            Impact.fromValue(row.getString("impact")),
            severity(row.getInt("severity")),
            AlertStatus.fromValue(row.getString("status")),
            AlertControlState.fromValue(row.getString("control_state")),
            row.getString("owner"),
            row.getString("acknowledged_by"),
            instantOrNull(row, "acknowledged_at"),
            instantOrNull(row, "suspended_until"),
            instant(row, "since"),
            instant(row, "opened_at"),
            instant(row, "updated_at"),
            instantOrNull(row, "canceled_at"),
            row.getBoolean("unknown"),
            row.getInt("flaps"),
            row.getBoolean("flapping"),
            explanation.getKey(),
            worst == null ? null : blankIsNull(worst.instance()),
            explanation.getMetricName(),
            explanation.getUnit(),
            explanation.getValue(),
            explanation.getValueText(),
            explanation.getOperator(),
            explanation.getBound(),
            explanation.getUpper(),
            row.getInt("member_count"),
            List.of(),
            explanation,
            Arrays.asList((String[]) row.getArray("recommendations").getArray()),
            row.getInt("note_count"));
    long incident = row.getLong("incident");
    if (!row.wasNull()) {
      alert.setIncident(incident);
    }
    String reason = row.getString("cancel_reason");
    if (reason != null) {
      alert.setCancelReason(CancelReason.fromValue(reason));
    }
    UUID window = row.getObject("maintenance_id", UUID.class);
    if (window != null) {
      alert.setMaintenance(new MaintenanceRef(window, row.getString("maintenance_name")));
    }
    String around = row.getString("around");
    return new Row(
        alert,
        members.stream().limit(mostMembers).toList(),
        around == null ? Around.NOTHING : JsonMapper.shared().readValue(around, Around.class));
  }

  private static AlertSurroundings surroundings(Around around, Map<Integer, ObjectRef> objects) {
    return new AlertSurroundings(
        around.symptomCount(),
        around.symptoms().stream()
            .filter(one -> objects.containsKey(one.symptom().object()))
            .map(
                one ->
                    new RelatedSymptom(
                        SymptomRelation.valueOf(one.relation().name()),
                        member(one.symptom(), requireNonNull(objects.get(one.symptom().object())))))
            .toList(),
        around.changeCount(),
        around.changes().stream()
            .filter(change -> objects.containsKey(change.object()))
            .map(change -> change(change, requireNonNull(objects.get(change.object()))))
            .toList());
  }

  static Change change(StoredChange change, ObjectRef object) {
    return new Change(
            change.time(),
            change.kind().equals("new")
                ? ChangeKind.NEW_OBJECT
                : ChangeKind.fromValue(change.kind()),
            object,
            change.key(),
            change.before(),
            change.after())
        .author(change.author());
  }

  private static AlertMember member(StoredMember member, ObjectRef object) {
    return new AlertMember(
        new RuleRef(member.threshold(), member.name()),
        object,
        blankIsNull(member.instance()),
        member.key(),
        member.unit(),
        severity(member.severity()),
        member.value(),
        member.text(),
        member.operator(),
        member.bound(),
        member.upper(),
        member.since(),
        member.unknown());
  }

  static Severity severity(int level) {
    return Severity.values()[level - 1];
  }

  static @Nullable String blankIsNull(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  static ObjectRef object(ResultSet row) throws SQLException {
    return new ObjectRef(
        row.getObject("uuid", UUID.class),
        row.getString("adapter_kind"),
        row.getString("object_kind"),
        row.getString("name"));
  }

  static @Nullable Double number(ResultSet row, String column) throws SQLException {
    double number = row.getDouble(column);
    return row.wasNull() || !Double.isFinite(number) ? null : number;
  }
}
