package io.peerlens.planning;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.planning.BenchmarkImportStore.Import;
import io.peerlens.planning.BenchmarkImportStore.Origin;
import io.peerlens.run.Latencies;
import io.peerlens.run.Run;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Store of results of benchmarks. Thread-safe. */
final class BenchmarkRunStore {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String INSERT =
      """
      insert into benchmark_run (id, import_id, position, tested_id, change_id, tool, version, name, note, start,
        measured_seconds, parameters, figures, latencies, remarks, series)
      values (:id, :import, :position, :tested, :change, :tool, :version, :name, :note, :start,
        :seconds, :parameters::jsonb, :figures::jsonb, :latencies::jsonb, :remarks::jsonb, :series)
      """;

  private static final String COLUMNS =
      """
      select r.id, r.import_id, r.position, r.change_id, r.tool, r.version, r.name, r.note, r.reference, r.start,
        r.measured_seconds, r.own_parameters || r.parameters as parameters, r.figures, r.latencies, r.remarks,
        i.imported_at, i.imported_by, o.uuid as tested_uuid, o.id as tested_id, o.adapter_kind, o.object_kind,
        o.external_id, o.name as tested_name
      from benchmark_run r
      join benchmark_import i on i.id = r.import_id
      left join object o on o.id = r.tested_id
      """;

  private static final String WHERE =
      """
      where (:object::uuid is null or o.uuid = :object) and (:tools::text[] is null or r.tool = any (:tools))
        and (:import::uuid is null or r.import_id = :import)
        and (:q::text is null or r.name ilike :q or r.note ilike :q
          or exists (select from jsonb_each_text(r.own_parameters || r.parameters) p where p.value ilike :q))
      """;

  private static final String PAGE =
      COLUMNS
          + WHERE
          + """
          and (:before::timestamptz is null
            or (i.imported_at, i.id, -r.position) < (:before, :beforeImport::uuid, -:beforePosition::int))
          order by i.imported_at desc, i.id desc, r.position limit :limit
          """;

  private static final String CHOSEN =
      COLUMNS.replace("r.id, r.import_id", "r.series, r.id, r.import_id")
          + """
          where (:object::uuid is null or o.uuid = :object) and (:import::uuid is null or r.import_id = :import)
            and (:runs::uuid[] is null or r.id = any (:runs))
          order by i.imported_at desc, i.id desc, r.position limit :limit
          """;

  private static final String COUNT =
      "select count(*) from benchmark_run r join benchmark_import i on i.id = r.import_id"
          + " left join object o on o.id = r.tested_id "
          + WHERE;

  private static final String CHANGE =
      """
      update benchmark_run set note = coalesce(:note, note), reference = coalesce(:reference, reference),
        own_parameters = coalesce(:own::jsonb, own_parameters),
        tested_id = coalesce((select id from object where uuid = :object), tested_id)
      where id = :id
      """;

  private static final String DELETE =
      "delete from benchmark_run where id = :id returning import_id, change_id, position";

  private static final String FORGET =
      """
      delete from benchmark_import where id = :import and state <> 'reading'
        and not exists (select from benchmark_run where import_id = :import)
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final BenchmarkImportStore imports;

  BenchmarkRunStore(
      JdbcClient jdbc, TransactionTemplate transaction, BenchmarkImportStore imports) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.imports = imports;
  }

  /** The object that was tested. */
  record Tested(
      int id, UUID uuid, String adapterKind, String objectKind, String externalId, String name) {}

  /**
   * A run as it is stored.
   *
   * @param run its parameters are those of the tool and of people; without series, except where all
   *     of it is read
   */
  record Stored(
      UUID id,
      UUID importId,
      int position,
      Instant importedAt,
      String importedBy,
      @Nullable Tested tested,
      @Nullable Long change,
      String note,
      boolean reference,
      Run run) {

    private Stored with(List<Run.Series> series) {
      return new Stored(
          id,
          importId,
          position,
          importedAt,
          importedBy,
          tested,
          change,
          note,
          reference,
          new Run(
              run.tool(),
              run.version(),
              run.name(),
              run.start(),
              run.length(),
              run.parameters(),
              series,
              run.figures(),
              run.latencies(),
              run.remarks()));
    }
  }

  /**
   * Which runs are wanted.
   *
   * @param tools null = of any
   */
  record Filter(
      @Nullable UUID object,
      @Nullable List<String> tools,
      @Nullable UUID benchmarkImport,
      @Nullable String text) {}

  /**
   * Which runs are looked at together; all choices hold.
   *
   * @param runs null = any
   */
  record Choice(@Nullable UUID object, @Nullable UUID benchmarkImport, @Nullable List<UUID> runs) {}

  /** Place of a run in the order of lists. */
  record After(Instant importedAt, UUID importId, int position) {}

  /** What people change; null = it stays. */
  record Edit(
      @Nullable String note,
      @Nullable Boolean reference,
      @Nullable UUID object,
      @Nullable Map<String, String> parameters) {}

  /** What was deleted. */
  record Deleted(Origin origin, int position, @Nullable Long change) {}

  /** An object by its id in the API. */
  Optional<Tested> tested(UUID uuid) {
    return jdbc.sql(
            "select id as tested_id, uuid as tested_uuid, adapter_kind, object_kind, external_id,"
                + " name as tested_name from object where uuid = :uuid")
        .param("uuid", uuid)
        .query((row, number) -> tested(row))
        .optional();
  }

  private static Tested tested(ResultSet row) throws SQLException {
    return new Tested(
        row.getInt("tested_id"),
        row.getObject("tested_uuid", UUID.class),
        row.getString("adapter_kind"),
        row.getString("object_kind"),
        row.getString("external_id"),
        row.getString("tested_name"));
  }

  void insert(
      UUID id,
      Origin origin,
      int position,
      Run run,
      @Nullable Tested tested,
      String note,
      @Nullable Long change) {
    double seconds = run.length().toMillis() / 1000.0;
    jdbc.sql(INSERT)
        .param("id", id)
        .param("import", origin.id())
        .param("position", position)
        .param("tested", tested == null ? null : tested.id(), Types.INTEGER)
        .param("change", change, Types.BIGINT)
        .param("tool", run.tool())
        .param("version", run.version())
        .param("name", run.name())
        .param("note", note)
        .param("start", utcOrNull(run.start()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("seconds", seconds > 0 ? seconds : null, Types.DOUBLE)
        .param("parameters", JSON.writeValueAsString(run.parameters()))
        .param("figures", JSON.writeValueAsString(run.figures()))
        .param("latencies", JSON.writeValueAsString(run.latencies()))
        .param("remarks", JSON.writeValueAsString(run.remarks()))
        .param("series", packed(run.series()))
        .update();
  }

  private static byte[] packed(List<Run.Series> series) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      JSON.writeValue(zip, series);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Series of a run; empty = there is no such run. */
  Optional<List<Run.Series>> series(UUID id) {
    return jdbc.sql("select series from benchmark_run where id = :id")
        .param("id", id)
        .query((row, number) -> unpacked(row.getBytes(1)))
        .optional();
  }

  /** A run with its series. */
  Optional<Stored> whole(UUID id) {
    return whole(new Choice(null, null, List.of(id)), 1).stream().findFirst();
  }

  /**
   * Chosen runs with their series, those of the newest import first, in the order of their file.
   */
  List<Stored> whole(Choice choice, int limit) {
    List<UUID> runs = choice.runs();
    return jdbc.sql(CHOSEN)
        .param("object", choice.object(), Types.OTHER)
        .param("import", choice.benchmarkImport(), Types.OTHER)
        .param("runs", runs == null ? null : runs.toArray(UUID[]::new), Types.ARRAY)
        .param("limit", limit)
        .query((row, number) -> stored(row).with(unpacked(row.getBytes("series"))))
        .list();
  }

  private static List<Run.Series> unpacked(byte[] packed) {
    try (InputStream zip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return JSON.readValue(zip, new TypeReference<List<Run.Series>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<Stored> run(UUID id) {
    return jdbc.sql(COLUMNS + " where r.id = :id")
        .param("id", id)
        .query((row, number) -> stored(row))
        .optional();
  }

  /**
   * A page of runs, those of the newest import first, in the order of their file.
   *
   * @param after null = from the first
   */
  List<Stored> page(Filter filter, @Nullable After after, int limit) {
    return filtered(PAGE, filter)
        .param(
            "before", after == null ? null : utc(after.importedAt()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("beforeImport", after == null ? null : after.importId(), Types.OTHER)
        .param("beforePosition", after == null ? null : after.position(), Types.INTEGER)
        .param("limit", limit)
        .query((row, number) -> stored(row))
        .list();
  }

  long count(Filter filter) {
    return filtered(COUNT, filter).query(Long.class).single();
  }

  private JdbcClient.StatementSpec filtered(String sql, Filter filter) {
    String text = filter.text();
    return jdbc.sql(sql)
        .param("object", filter.object(), Types.OTHER)
        .param(
            "tools",
            filter.tools() == null ? null : filter.tools().toArray(String[]::new),
            Types.ARRAY)
        .param("import", filter.benchmarkImport(), Types.OTHER)
        .param(
            "q",
            text == null ? null : "%" + text.replaceAll("([\\\\%_])", "\\\\$1") + "%",
            Types.VARCHAR);
  }

  private static Stored stored(ResultSet row) throws SQLException {
    double seconds = row.getDouble("measured_seconds");
    long change = row.getLong("change_id");
    boolean changed = !row.wasNull();
    return new Stored(
        row.getObject("id", UUID.class),
        row.getObject("import_id", UUID.class),
        row.getInt("position"),
        instant(row, "imported_at"),
        row.getString("imported_by"),
        row.getObject("tested_uuid") == null ? null : tested(row),
        changed ? change : null,
        row.getString("note"),
        row.getBoolean("reference"),
        new Run(
            row.getString("tool"),
            row.getString("version"),
            row.getString("name"),
            instantOrNull(row, "start"),
            Duration.ofMillis(Math.round(seconds * 1000)),
            JSON.readValue(
                row.getString("parameters"), new TypeReference<TreeMap<String, String>>() {}),
            List.of(),
            JSON.readValue(row.getString("figures"), new TypeReference<List<Run.Figure>>() {}),
            JSON.readValue(row.getString("latencies"), new TypeReference<List<Latencies>>() {}),
            JSON.readValue(row.getString("remarks"), new TypeReference<List<String>>() {})));
  }

  /** Parameters of a run that its tool gives. */
  Map<String, String> toolParameters(UUID id) {
    return parameters("parameters", id);
  }

  /** Parameters of a run that people gave. */
  Map<String, String> ownParameters(UUID id) {
    return parameters("own_parameters", id);
  }

  private Map<String, String> parameters(String column, UUID id) {
    return jdbc.sql("select " + column + " from benchmark_run where id = :id")
        .param("id", id)
        .query(String.class)
        .optional()
        .map(text -> JSON.readValue(text, new TypeReference<Map<String, String>>() {}))
        .orElse(Map.of());
  }

  /** Whether there is such a run. */
  boolean change(UUID id, Edit edit) {
    return jdbc.sql(CHANGE)
            .param("id", id)
            .param("note", edit.note(), Types.VARCHAR)
            .param("reference", edit.reference(), Types.BOOLEAN)
            .param("object", edit.object(), Types.OTHER)
            .param(
                "own",
                edit.parameters() == null ? null : JSON.writeValueAsString(edit.parameters()),
                Types.VARCHAR)
            .update()
        > 0;
  }

  /** Deletes a run, and its file with the last run of it; empty = there is none. */
  Optional<Deleted> delete(UUID id) {
    return Optional.ofNullable(
        transaction.execute(
            status -> {
              Optional<UUID> origin =
                  jdbc.sql("select import_id from benchmark_run where id = :id")
                      .param("id", id)
                      .query(UUID.class)
                      .optional();
              if (origin.isEmpty()) {
                return null;
              }
              Import of = imports.find(origin.get()).orElseThrow();
              Optional<Deleted> deleted =
                  jdbc.sql(DELETE)
                      .param("id", id)
                      .query(
                          (row, number) -> {
                            long change = row.getLong("change_id");
                            return new Deleted(
                                of.origin(), row.getInt("position"), row.wasNull() ? null : change);
                          })
                      .optional();
              jdbc.sql(FORGET).param("import", origin.get()).update();
              return deleted.orElse(null);
            }));
  }
}
