package io.peerlens.notify.pipeline;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.database.Times;
import io.peerlens.notify.flow.GroupStanding;
import io.peerlens.notify.flow.Phase;
import io.peerlens.notify.flow.Standing;
import java.sql.Array;
import java.sql.PreparedStatement;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** How things stand between targets, alerts and groups. Only the batch that has the lock writes. */
final class StandingStore implements Standings {

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
      values (?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
      "select * from notification_group where target_id = :target and rule_id = :rule and key = :key";

  private static final String GROUP_BY_ID = "select * from notification_group where id = :id";

  private static final String PUT_GROUP =
      """
      insert into notification_group (id, target_id, rule_id, rule_name, template, vars, key, opened_at, told, due,
        last_told, changed, resends, open, sequence, notified, criticality, info, kinds)
      values (?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update
      set key = excluded.key, kinds = excluded.kinds, told = excluded.told, due = excluded.due, last_told = excluded.last_told, changed = excluded.changed,
        resends = excluded.resends, open = excluded.open, sequence = excluded.sequence, notified = excluded.notified,
        criticality = excluded.criticality, info = excluded.info
      """;

  private static final String EXTERNAL_IDS =
      "select target_id, external_ids from notified where subject_id = :subject";

  private static final String EXTERNAL_IDS_OF =
      "select subject_id, target_id, external_ids from notified where subject_id = any (:ids)";

  private final JdbcClient jdbc;
  private final JdbcTemplate template;

  StandingStore(JdbcClient jdbc, JdbcTemplate template) {
    this.jdbc = jdbc;
    this.template = template;
  }

  /** A target and an alert or group. */
  record Pair(UUID target, UUID subject) {}

  @Override
  public List<State> states(Collection<UUID> alerts) {
    return jdbc.sql(STATES)
        .param("ids", alerts.toArray(UUID[]::new))
        .query((row, number) -> state(row))
        .list();
  }

  @Override
  public List<State> members(UUID group) {
    return jdbc.sql(MEMBERS).param("group", group).query((row, number) -> state(row)).list();
  }

  @Override
  public void put(Collection<State> states, Instant now) {
    List<State> changed = states.stream().filter(state -> state.changed).toList();
    template.batchUpdate(
        PUT,
        changed,
        500,
        (statement, state) -> {
          Standing standing = state.standing;
          statement.setObject(1, state.target);
          statement.setObject(2, state.alert);
          teller(statement, 3, state.teller);
          statement.setString(7, standing.phase().label());
          time(statement, 8, standing.due());
          time(statement, 9, standing.lastTold());
          statement.setInt(10, standing.resends());
          statement.setString(11, standing.kept());
          statement.setArray(
              12,
              statement
                  .getConnection()
                  .createArrayOf(
                      "timestamptz", standing.openings().stream().map(Times::utc).toArray()));
          statement.setObject(13, state.group, Types.OTHER);
          statement.setInt(14, state.sequence);
          statement.setInt(15, state.notified);
          statement.setString(16, state.criticality);
          statement.setString(17, state.info);
          time(statement, 18, now);
        });
  }

  @Override
  public List<GroupState> groupsDue(Instant now, int limit) {
    return jdbc.sql(GROUPS_DUE)
        .param("now", utc(now))
        .param("limit", limit)
        .query((row, number) -> group(row))
        .list();
  }

  @Override
  public @Nullable GroupState group(UUID target, UUID rule, String key) {
    return jdbc.sql(GROUP)
        .param("target", target)
        .param("rule", rule)
        .param("key", key)
        .query((row, number) -> group(row))
        .optional()
        .orElse(null);
  }

  @Override
  public @Nullable GroupState group(UUID id) {
    return jdbc.sql(GROUP_BY_ID)
        .param("id", id)
        .query((row, number) -> group(row))
        .optional()
        .orElse(null);
  }

  @Override
  public void putGroups(Collection<GroupState> groups) {
    template.batchUpdate(
        PUT_GROUP,
        groups.stream().filter(group -> !group.isOver).toList(),
        500,
        (statement, group) -> {
          GroupStanding standing = group.standing;
          statement.setObject(1, group.id);
          statement.setObject(2, group.target);
          teller(statement, 3, group.teller);
          statement.setString(7, group.key);
          time(statement, 8, group.openedAt);
          statement.setBoolean(9, standing.told());
          time(statement, 10, standing.due());
          time(statement, 11, standing.lastTold());
          statement.setBoolean(12, standing.changed());
          statement.setInt(13, standing.resends());
          statement.setInt(14, standing.open());
          statement.setInt(15, group.sequence);
          statement.setInt(16, group.notified);
          statement.setString(17, group.criticality);
          statement.setString(18, group.info);
          Set<String> kinds = group.kinds;
          statement.setArray(
              19,
              kinds == null
                  ? null
                  : statement.getConnection().createArrayOf("text", kinds.toArray()));
        });
    UUID[] over =
        groups.stream().filter(group -> group.isOver).map(group -> group.id).toArray(UUID[]::new);
    if (over.length > 0) {
      jdbc.sql("delete from notification_group where id = any (:ids)").param("ids", over).update();
    }
  }

  /** What a receiver calls a subject. */
  Map<String, String> externalIds(UUID target, UUID subject) {
    Map<String, String> ids = new HashMap<>();
    jdbc.sql(EXTERNAL_IDS)
        .param("subject", subject)
        .query(
            row -> {
              if (row.getObject("target_id", UUID.class).equals(target)) {
                ids.putAll(ids(row));
              }
            });
    return ids;
  }

  @Override
  public Map<Pair, Map<String, String>> externalIds(Collection<UUID> subjects) {
    Map<Pair, Map<String, String>> ids = new HashMap<>();
    jdbc.sql(EXTERNAL_IDS_OF)
        .param("ids", subjects.toArray(UUID[]::new))
        .query(
            row -> {
              ids.put(
                  new Pair(
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

  private static void teller(PreparedStatement statement, int first, Teller teller)
      throws SQLException {
    statement.setObject(first, teller.rule());
    statement.setString(first + 1, teller.ruleName());
    statement.setString(first + 2, teller.template());
    statement.setString(first + 3, teller.vars().toString());
  }

  private static Teller teller(ResultSet row) throws SQLException {
    return new Teller(
        row.getObject("rule_id", UUID.class),
        row.getString("rule_name"),
        row.getString("template"),
        JSON.readTree(row.getString("vars")));
  }

  private static State state(ResultSet row) throws SQLException {
    State state =
        new State(
            row.getObject("target_id", UUID.class),
            row.getObject("alert_id", UUID.class),
            teller(row));
    Timestamp[] openings = (Timestamp[]) row.getArray("openings").getArray();
    state.standing =
        new Standing(
            Phase.of(row.getString("phase")),
            instantOrNull(row, "due"),
            instantOrNull(row, "last_told"),
            row.getInt("resends"),
            row.getString("kept"),
            Arrays.stream(openings).map(Timestamp::toInstant).toList());
    state.group = row.getObject("group_id", UUID.class);
    state.sequence = row.getInt("sequence");
    state.notified = row.getInt("notified");
    state.criticality = row.getString("criticality");
    state.info = row.getString("info");
    return state;
  }

  private static GroupState group(ResultSet row) throws SQLException {
    Instant opened = instantOrNull(row, "opened_at");
    GroupState group =
        new GroupState(
            row.getObject("id", UUID.class),
            row.getObject("target_id", UUID.class),
            teller(row),
            row.getString("key"),
            opened == null ? Instant.EPOCH : opened);
    group.standing =
        new GroupStanding(
            row.getBoolean("told"),
            instantOrNull(row, "due"),
            instantOrNull(row, "last_told"),
            row.getBoolean("changed"),
            row.getInt("resends"),
            row.getInt("open"));
    group.sequence = row.getInt("sequence");
    group.notified = row.getInt("notified");
    group.criticality = row.getString("criticality");
    group.info = row.getString("info");
    Array kinds = row.getArray("kinds");
    group.kinds = kinds == null ? null : Set.of((String[]) kinds.getArray());
    return group;
  }

  private static void time(PreparedStatement statement, int place, @Nullable Instant time)
      throws SQLException {
    statement.setObject(place, time == null ? null : utc(time), Types.TIMESTAMP_WITH_TIMEZONE);
  }
}
