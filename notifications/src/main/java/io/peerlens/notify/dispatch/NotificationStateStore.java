package io.peerlens.notify.dispatch;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.notify.delivery.TargetSubject;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Store of notification states. Only the batch that has the lock writes. */
final class NotificationStateStore implements NotificationStates {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String STATES =
      "select * from notification_state where alert_id = any (:ids)";

  private static final String MEMBERS =
      """
      select * from notification_state where group_id = :group order by (phase = 'grouped') desc, alert_id
      """;

  private static final String PUT =
      """
      insert into notification_state (target_id, alert_id, rule_id, rule_name, template, vars, phase, due, last_told, resends,
        kept, openings, group_id, sequence, notified, criticality, info, updated_at)
      values (:target, :alert, :rule, :ruleName, :template, :vars::jsonb, :phase, :due, :lastTold, :resends,
        :kept, :openings::timestamptz[], :group, :sequence, :notified, :criticality, :info, :now)
      on conflict (target_id, alert_id) do update
      set rule_id = excluded.rule_id, rule_name = excluded.rule_name, template = excluded.template, vars = excluded.vars,
        phase = excluded.phase, due = excluded.due, last_told = excluded.last_told, resends = excluded.resends,
        kept = excluded.kept, openings = excluded.openings, group_id = excluded.group_id, sequence = excluded.sequence,
        notified = excluded.notified, criticality = excluded.criticality, info = excluded.info,
        updated_at = excluded.updated_at
      """;

  private static final String GROUPS_DUE =
      "select * from notification_group where due <= :now order by due limit :limit";

  private static final String GROUP =
      "select * from notification_group where target_id = :target and rule_id = :rule and key ="
          + " :key";

  private static final String GROUP_BY_ID = "select * from notification_group where id = :id";

  private static final String PUT_GROUP =
      """
      insert into notification_group (id, target_id, rule_id, rule_name, template, vars, key, opened_at, told, due,
        last_told, changed, resends, open, sequence, notified, criticality, info, kinds)
      values (:id, :target, :rule, :ruleName, :template, :vars::jsonb, :key, :openedAt, :told, :due,
        :lastTold, :changed, :resends, :open, :sequence, :notified, :criticality, :info, :kinds)
      on conflict (id) do update
      set key = excluded.key, kinds = excluded.kinds, told = excluded.told, due = excluded.due, last_told = excluded.last_told, changed = excluded.changed,
        resends = excluded.resends, open = excluded.open, sequence = excluded.sequence, notified = excluded.notified,
        criticality = excluded.criticality, info = excluded.info
      """;

  private static final String EXTERNAL_IDS =
      "select subject_id, target_id, external_ids from notified where subject_id = any (:ids)";

  private final JdbcClient jdbc;
  private final NamedParameterJdbcTemplate batch;

  NotificationStateStore(JdbcClient jdbc, JdbcTemplate template) {
    this.jdbc = jdbc;
    this.batch = new NamedParameterJdbcTemplate(template);
  }

  @Override
  public List<StateRow> states(Collection<UUID> alerts) {
    return jdbc.sql(STATES)
        .param("ids", alerts.toArray(UUID[]::new))
        .query((row, number) -> state(row))
        .list();
  }

  @Override
  public List<StateRow> members(UUID group) {
    return jdbc.sql(MEMBERS).param("group", group).query((row, number) -> state(row)).list();
  }

  @Override
  public void put(Collection<StateRow> states, Instant now) {
    batch.batchUpdate(
        PUT,
        states.stream()
            .filter(state -> state.changed)
            .map(state -> parameters(state, now))
            .toArray(SqlParameterSource[]::new));
  }

  private static SqlParameterSource parameters(StateRow state, Instant now) {
    NotificationState current = state.current;
    return parameters(state.sendingRule, state.sent)
        .addValue("target", state.target)
        .addValue("alert", state.alert)
        .addValue("phase", current.phase().label())
        .addValue("due", utcOrNull(current.due()), Types.TIMESTAMP_WITH_TIMEZONE)
        .addValue("lastTold", utcOrNull(current.lastTold()), Types.TIMESTAMP_WITH_TIMEZONE)
        .addValue("resends", current.resends())
        .addValue("kept", current.kept(), Types.VARCHAR)
        .addValue(
            "openings", current.openings().stream().map(Instant::toString).toArray(String[]::new))
        .addValue("group", state.group, Types.OTHER)
        .addValue("now", utc(now));
  }

  @Override
  public List<GroupRow> groupsDue(Instant now, int limit) {
    return jdbc.sql(GROUPS_DUE)
        .param("now", utc(now))
        .param("limit", limit)
        .query((row, number) -> group(row))
        .list();
  }

  @Override
  public @Nullable GroupRow group(UUID target, UUID rule, String key) {
    return jdbc.sql(GROUP)
        .param("target", target)
        .param("rule", rule)
        .param("key", key)
        .query((row, number) -> group(row))
        .optional()
        .orElse(null);
  }

  @Override
  public @Nullable GroupRow group(UUID id) {
    return jdbc.sql(GROUP_BY_ID)
        .param("id", id)
        .query((row, number) -> group(row))
        .optional()
        .orElse(null);
  }

  @Override
  public void putGroups(Collection<GroupRow> groups) {
    batch.batchUpdate(
        PUT_GROUP,
        groups.stream()
            .filter(group -> !group.isOver)
            .map(NotificationStateStore::parameters)
            .toArray(SqlParameterSource[]::new));
    UUID[] over =
        groups.stream().filter(group -> group.isOver).map(group -> group.id).toArray(UUID[]::new);
    if (over.length > 0) {
      jdbc.sql("delete from notification_group where id = any (:ids)").param("ids", over).update();
    }
  }

  private static SqlParameterSource parameters(GroupRow group) {
    GroupState current = group.current;
    Set<String> kinds = group.kinds;
    return parameters(group.sendingRule, group.sent)
        .addValue("id", group.id)
        .addValue("target", group.target)
        .addValue("key", group.key)
        .addValue("openedAt", utc(group.openedAt))
        .addValue("told", current.told())
        .addValue("due", utcOrNull(current.due()), Types.TIMESTAMP_WITH_TIMEZONE)
        .addValue("lastTold", utcOrNull(current.lastTold()), Types.TIMESTAMP_WITH_TIMEZONE)
        .addValue("changed", current.changed())
        .addValue("resends", current.resends())
        .addValue("open", current.open())
        .addValue("kinds", kinds == null ? null : kinds.toArray(String[]::new), Types.ARRAY);
  }

  private static MapSqlParameterSource parameters(SendingRule rule, LastSent sent) {
    return new MapSqlParameterSource("rule", rule.rule())
        .addValue("ruleName", rule.ruleName())
        .addValue("template", rule.template())
        .addValue("vars", rule.vars().toString())
        .addValue("sequence", sent.sequence)
        .addValue("notified", sent.notified)
        .addValue("criticality", sent.criticality, Types.VARCHAR)
        .addValue("info", sent.info, Types.VARCHAR);
  }

  private static void read(LastSent sent, ResultSet row) throws SQLException {
    sent.sequence = row.getInt("sequence");
    sent.notified = row.getInt("notified");
    sent.criticality = row.getString("criticality");
    sent.info = row.getString("info");
  }

  @Override
  public Map<TargetSubject, Map<String, String>> externalIds(Collection<UUID> subjects) {
    Map<TargetSubject, Map<String, String>> ids = new HashMap<>();
    jdbc.sql(EXTERNAL_IDS)
        .param("ids", subjects.toArray(UUID[]::new))
        .query(
            row -> {
              ids.put(
                  new TargetSubject(
                      row.getObject("target_id", UUID.class),
                      row.getObject("subject_id", UUID.class)),
                  ids(row));
            });
    return ids;
  }

  private static Map<String, String> ids(ResultSet row) throws SQLException {
    return JSON.readValue(
        row.getString("external_ids"), new TypeReference<Map<String, String>>() {});
  }

  private static SendingRule sendingRule(ResultSet row) throws SQLException {
    return new SendingRule(
        row.getObject("rule_id", UUID.class),
        row.getString("rule_name"),
        row.getString("template"),
        JSON.readTree(row.getString("vars")));
  }

  private static StateRow state(ResultSet row) throws SQLException {
    StateRow state =
        new StateRow(
            row.getObject("target_id", UUID.class),
            row.getObject("alert_id", UUID.class),
            sendingRule(row));
    Timestamp[] openings = (Timestamp[]) row.getArray("openings").getArray();
    state.current =
        new NotificationState(
            Phase.of(row.getString("phase")),
            instantOrNull(row, "due"),
            instantOrNull(row, "last_told"),
            row.getInt("resends"),
            row.getString("kept"),
            Arrays.stream(openings).map(Timestamp::toInstant).toList());
    state.group = row.getObject("group_id", UUID.class);
    read(state.sent, row);
    return state;
  }

  private static GroupRow group(ResultSet row) throws SQLException {
    Instant opened = instantOrNull(row, "opened_at");
    GroupRow group =
        new GroupRow(
            row.getObject("id", UUID.class),
            row.getObject("target_id", UUID.class),
            sendingRule(row),
            row.getString("key"),
            opened == null ? Instant.EPOCH : opened);
    group.current =
        new GroupState(
            row.getBoolean("told"),
            instantOrNull(row, "due"),
            instantOrNull(row, "last_told"),
            row.getBoolean("changed"),
            row.getInt("resends"),
            row.getInt("open"));
    read(group.sent, row);
    Array kinds = row.getArray("kinds");
    group.kinds = kinds == null ? null : Set.of((String[]) kinds.getArray());
    return group;
  }
}
