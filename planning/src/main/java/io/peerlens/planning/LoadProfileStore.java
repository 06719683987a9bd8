package io.peerlens.planning;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.planning.LoadProfileComputation.Computed;
import io.peerlens.profile.LoadProfile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Store of load profiles, and of the machines that they are of. Thread-safe. */
final class LoadProfileStore {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int KEPT = 100;

  private static final String COLUMNS =
      "select id, job_id, request, state, error, machines, created_at, created_by from load_profile";

  private static final String PAGE =
      COLUMNS
          + """
           where (:before::timestamptz is null or (created_at, id) < (:before, :beforeId::uuid))
          order by created_at desc, id desc limit :limit
          """;

  private static final String FORGET =
      "delete from load_profile where id in (select id from load_profile order by created_at desc, id desc offset :kept)";

  // Every ancestor once, however many ways lead there.
  private static final String MACHINES =
      """
      with recursive below(id) as (
        select o.id from object o where o.uuid = :ancestor
        union
        select r.child_id from below b join relation r on r.parent_id = b.id)
      select o.id, o.uuid, o.name, o.properties ->> 'config|hardware|memoryKB' as memory, o.tags ->> :tag as tag
      from object o
      where o.adapter_kind = 'VMWARE' and o.object_kind = 'VirtualMachine' and o.removed_at is null
        and (:ancestor::uuid is null or o.id in (select id from below))
      order by o.id
      """;

  // Of all machines only where none is of the object itself.
  private static final String NEWEST =
      """
      select id from load_profile
      where state = 'done' and (request ->> 'ancestor' is null or (request ->> 'ancestor')::uuid = :object)
      order by request ->> 'ancestor' is null, created_at desc limit 1
      """;

  private final JdbcClient jdbc;

  LoadProfileStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A profile as it is stored, without its figures. */
  record Stored(
      UUID id,
      UUID job,
      LoadProfileRequest request,
      String state,
      @Nullable String error,
      int machines,
      Instant createdAt,
      String createdBy) {}

  /**
   * A virtual machine.
   *
   * @param memoryKb as its property says; null = it has none
   * @param tag value of the tag that was asked for; null = it has none
   */
  record Vm(int id, UUID uuid, String name, @Nullable String memoryKb, @Nullable String tag) {}

  /**
   * Virtual machines.
   *
   * @param ancestor only those below it; null = all
   * @param tag key; null = none
   */
  List<Vm> machines(@Nullable UUID ancestor, @Nullable String tag) {
    return jdbc.sql(MACHINES)
        .param("ancestor", ancestor, Types.OTHER)
        .param("tag", tag == null ? "" : tag)
        .query(
            (row, number) ->
                new Vm(
                    row.getInt("id"),
                    row.getObject("uuid", UUID.class),
                    row.getString("name"),
                    row.getString("memory"),
                    row.getString("tag")))
        .list();
  }

  /** A moment of a request that is stored, which always has both. */
  static Instant moment(@Nullable String text) {
    return Instant.parse(Objects.requireNonNull(text));
  }

  /** Internal id of an object. */
  Optional<Integer> id(UUID object) {
    return jdbc.sql("select id from object where uuid = ?")
        .param(object)
        .query(Integer.class)
        .optional();
  }

  /** Objects by their ids in the API, those that there are. */
  Map<UUID, ObjectRef> objects(List<UUID> ids) {
    Map<UUID, ObjectRef> objects = new HashMap<>();
    if (!ids.isEmpty()) {
      jdbc.sql("select uuid, adapter_kind, object_kind, name from object where uuid = any (:ids)")
          .param("ids", ids.toArray(UUID[]::new))
          .query(
              row -> {
                ObjectRef object =
                    new ObjectRef(
                        row.getObject("uuid", UUID.class),
                        row.getString("adapter_kind"),
                        row.getString("object_kind"),
                        row.getString("name"));
                objects.put(object.getId(), object);
              });
    }
    return objects;
  }

  /** Notes that a profile is being computed; the oldest go. */
  void begin(UUID id, UUID job, LoadProfileRequest request, Instant now, String by) {
    jdbc.sql(
            """
            insert into load_profile (id, job_id, request, state, created_at, created_by)
            values (:id, :job, :request::jsonb, 'computing', :at, :by)
            """)
        .param("id", id)
        .param("job", job)
        .param("request", JSON.writeValueAsString(request))
        .param("at", utc(now))
        .param("by", by)
        .update();
    jdbc.sql(FORGET).param("kept", KEPT).update();
  }

  void done(UUID id, Computed computed) {
    jdbc.sql(
            "update load_profile set state = 'done', machines = :machines, result = :result, members = :members where id = :id")
        .param("id", id)
        .param("machines", computed.members().machines().length)
        .param("result", packed(computed.profiles()))
        .param("members", packed(computed.members()))
        .update();
  }

  private static byte[] packed(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      JSON.writeValue(zip, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T unpacked(byte[] packed, TypeReference<T> type) {
    try (InputStream zip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return JSON.readValue(zip, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void failed(UUID id, String error) {
    jdbc.sql("update load_profile set state = 'failed', error = :error where id = :id")
        .param("id", id)
        .param("error", error)
        .update();
  }

  /** Those whose node has died do not end by themselves. */
  void failAbandoned() {
    jdbc.sql(
            """
            update load_profile p set state = 'failed', error = 'The node stopped working on it.' where state = 'computing'
              and not exists (select from job j where j.id = p.job_id and j.finished_at is null)
            """)
        .update();
  }

  Optional<Stored> find(UUID id) {
    return jdbc.sql(COLUMNS + " where id = :id")
        .param("id", id)
        .query((row, number) -> stored(row))
        .optional();
  }

  /** The newest profile of an object, else of all machines; empty = there is none. */
  Optional<UUID> newest(UUID object) {
    return jdbc.sql(NEWEST).param("object", object).query(UUID.class).optional();
  }

  /** Figures of a profile as they were computed, all machines first; empty = they are not. */
  Optional<List<LoadProfile>> groups(UUID id) {
    return jdbc.sql("select result from load_profile where id = :id and result is not null")
        .param("id", id)
        .query(
            (row, number) -> unpacked(row.getBytes(1), new TypeReference<List<LoadProfile>>() {}))
        .optional();
  }

  /** Machines of a profile; empty = it is not computed, or was before they were kept. */
  Optional<LoadProfileMembers> members(UUID id) {
    return jdbc.sql("select members from load_profile where id = :id and members is not null")
        .param("id", id)
        .query(
            (row, number) -> unpacked(row.getBytes(1), new TypeReference<LoadProfileMembers>() {}))
        .optional();
  }

  /**
   * A page of profiles, the newest first.
   *
   * @param before when the last one of the page before was made; null = the first page
   */
  List<Stored> page(@Nullable Instant before, @Nullable UUID beforeId, int limit) {
    return jdbc.sql(PAGE)
        .param("before", before == null ? null : utc(before), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("beforeId", beforeId, Types.OTHER)
        .param("limit", limit)
        .query((row, number) -> stored(row))
        .list();
  }

  long count() {
    return jdbc.sql("select count(*) from load_profile").query(Long.class).single();
  }

  /** Whether there was one. */
  boolean delete(UUID id) {
    return jdbc.sql("delete from load_profile where id = :id").param("id", id).update() > 0;
  }

  private static Stored stored(ResultSet row) throws SQLException {
    return new Stored(
        row.getObject("id", UUID.class),
        row.getObject("job_id", UUID.class),
        JSON.readValue(row.getString("request"), LoadProfileRequest.class),
        row.getString("state"),
        row.getString("error"),
        row.getInt("machines"),
        instant(row, "created_at"),
        row.getString("created_by"));
  }
}
