package io.peerlens.planning;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.profile.AccessPattern;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Store of what people added of accesses to load profiles. Thread-safe. */
final class LoadProfileAccessStore {

  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String COLUMNS =
      """
      select a.id, a.kind, a.group_name, a.machine_id, a.run_id, a.pattern, a.problems, a.added_at, a.added_by,
             o.uuid, o.adapter_kind, o.object_kind, o.name
      from load_profile_accesses a left join object o on o.id = a.machine_id
      """;

  private static final String PUT =
      """
      insert into load_profile_accesses (id, profile_id, kind, group_name, machine_id, run_id, pattern, problems, added_at, added_by)
      values (:id, :profile, :kind, :group, :machine, :run, :pattern::jsonb, :problems::jsonb, :at, :by)
      on conflict (profile_id, kind, coalesce(group_name, ''), coalesce(machine_id, 0)) do update set
        run_id = excluded.run_id, pattern = excluded.pattern, problems = excluded.problems,
        added_at = excluded.added_at, added_by = excluded.added_by
      returning id
      """;

  private final JdbcClient jdbc;

  LoadProfileAccessStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What somebody added.
   *
   * @param group null = of a machine, or of all
   * @param machineId null = of a group, or of all
   * @param machine the same as the API names it
   * @param run null = output of vscsiStats
   * @param problems what was read and is doubtful
   */
  record Added(
      UUID id,
      @Nullable String group,
      @Nullable Integer machineId,
      @Nullable ObjectRef machine,
      @Nullable UUID run,
      AccessPattern pattern,
      List<String> problems,
      Instant at,
      String by) {

    boolean isOfAll() {
      return group == null && machineId == null;
    }
  }

  /** A machine as the API names it, with its internal id. */
  record Named(int id, ObjectRef object) {}

  Optional<Named> machine(UUID uuid) {
    return jdbc.sql("select id, uuid, adapter_kind, object_kind, name from object where uuid = ?")
        .param(uuid)
        .query((row, number) -> new Named(row.getInt("id"), object(row)))
        .optional();
  }

  private static ObjectRef object(ResultSet row) throws SQLException {
    return new ObjectRef(
        row.getObject("uuid", UUID.class),
        row.getString("adapter_kind"),
        row.getString("object_kind"),
        row.getString("name"));
  }

  /** Adds to a profile, in the place of the same kind for the same place; returns its id. */
  UUID put(UUID profile, Added added) {
    return jdbc.sql(PUT)
        .param("id", added.id())
        .param("profile", profile)
        .param("kind", added.run() == null ? "vscsi-stats" : "run")
        .param("group", added.group(), Types.VARCHAR)
        .param("machine", added.machineId(), Types.INTEGER)
        .param("run", added.run(), Types.OTHER)
        .param("pattern", JSON.writeValueAsString(added.pattern()))
        .param("problems", JSON.writeValueAsString(added.problems()))
        .param("at", utc(added.at()))
        .param("by", added.by())
        .query(UUID.class)
        .single();
  }

  /** What was added to a profile, newest first. */
  List<Added> of(UUID profile) {
    return jdbc.sql(COLUMNS + " where a.profile_id = :profile order by a.added_at desc, a.id desc")
        .param("profile", profile)
        .query((row, number) -> added(row))
        .list();
  }

  private static Added added(ResultSet row) throws SQLException {
    int machine = row.getInt("machine_id");
    boolean isOfMachine = !row.wasNull();
    return new Added(
        row.getObject("id", UUID.class),
        row.getString("group_name"),
        isOfMachine ? machine : null,
        isOfMachine ? object(row) : null,
        row.getObject("run_id", UUID.class),
        JSON.readValue(row.getString("pattern"), AccessPattern.class),
        JSON.readValue(row.getString("problems"), new TypeReference<List<String>>() {}),
        instant(row, "added_at"),
        row.getString("added_by"));
  }

  /** Whether there was one. */
  boolean delete(UUID profile, UUID id) {
    return jdbc.sql("delete from load_profile_accesses where profile_id = :profile and id = :id")
            .param("profile", profile)
            .param("id", id)
            .update()
        > 0;
  }
}
