package io.peerlens.audit;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.json.JsonMapper;

/** Store of the audit log. Entries are only added; the database refuses to change one. */
final class AuditStore {

  private static final String COLUMNS =
      """
      at, until, count, token_id, token_name, role, session, address, user_agent, request_id, operation, kind, object,
      object_name, related, outcome, status, error, version_before, version_after, details
      """;

  private static final String TYPES =
      """
      (at timestamptz, until timestamptz, count int, token_id uuid, token_name text, role text, session text, address text,
       user_agent text, request_id text, operation text, kind text, object text, object_name text, related text[],
       outcome text, status int, error text, version_before bigint, version_after bigint, details jsonb)
      """;

  private static final String APPEND =
      "insert into audit_entry ("
          + COLUMNS
          + ") select "
          + COLUMNS
          + " from jsonb_to_recordset(:entries::jsonb) as e"
          + TYPES;

  private static final String CLOSE =
      "with closed as (delete from audit_open where id = any (:open)) " + APPEND;

  private static final String OPEN =
      "insert into audit_open (id, started_at, entry) values (:id, :at, :entry::jsonb)";

  private static final String DROP = "delete from audit_open where id = :id";

  /** Who deletes a row makes the entry, so no two nodes make it twice. */
  private static final String SWEEP =
      "with lost as (delete from audit_open where started_at < :before returning entry)"
          + " insert into audit_entry ("
          + COLUMNS
          + ") select "
          + COLUMNS.replaceAll("(\\w+)", "e.$1")
          + " from lost, jsonb_to_record(lost.entry) as e"
          + TYPES;

  private static final String TOKENS =
      """
      select id, name, role, revoked_at, expires_at, encode(secret_hash, 'hex') as hash from api_token
      where secret_hash = any (:hashes)
      """;

  private static final String ALERTS =
      "select distinct o.uuid::text from alert a join object o on o.id = a.object_id where a.id = any (:ids)";

  private static final String OUTLIER_EVENTS =
      """
      select distinct o.uuid::text from outlier_event e join object o on o.id = e.object_id where e.id = any (:ids)
      """;

  private static final String DELIVERED =
      "select subject_id::text from delivery where id = any (:ids)";

  private static final String BY_ID = "select name, version from %s where id = :id::uuid";
  private static final String BY_NAME = "select name, version from %s where name = :id";

  /** How things of a kind are called and versioned; the others have no name in the database. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("alert-definitions", BY_ID.formatted("alert_definition")),
          Map.entry("dashboards", BY_ID.formatted("dashboard")),
          Map.entry("groups", BY_ID.formatted("object_group")),
          Map.entry("lookups", BY_NAME.formatted("lookup_table")),
          Map.entry("maintenance-windows", BY_ID.formatted("maintenance_window")),
          Map.entry("notification-relays", BY_ID.formatted("notification_relay")),
          Map.entry("notification-rules", BY_ID.formatted("notification_rule")),
          Map.entry("notification-targets", BY_ID.formatted("notification_target")),
          Map.entry("notification-templates", BY_NAME.formatted("notification_template")),
          Map.entry("outlier-groups", BY_ID.formatted("outlier_group")),
          Map.entry("reports", BY_ID.formatted("report")),
          Map.entry("secrets", BY_NAME.formatted("secret")),
          Map.entry("settings", BY_NAME.formatted("setting")),
          Map.entry(
              "silences",
              "select definition ->> 'comment' as name, version from silence where id = :id::uuid"),
          Map.entry("super-metrics", BY_ID.formatted("super_metric")),
          Map.entry("talker-reports", BY_ID.formatted("talker_report")),
          Map.entry("thresholds", BY_ID.formatted("threshold")),
          Map.entry("playlists", BY_ID.formatted("playlist")),
          Map.entry("views", BY_ID.formatted("dashboard_view")),
          Map.entry(
              "tokens", "select name, null::bigint as version from api_token where id = :id::uuid"),
          Map.entry(
              "deliveries",
              "select alert_name as name, null::bigint as version from delivery where id = :id::uuid"),
          Map.entry(
              "networks",
              "select null::text as name, max(version) as version from flow_networks_version"));

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final JsonMapper json;

  AuditStore(JdbcClient jdbc, TransactionOperations transactions, JsonMapper json) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.json = json;
  }

  /**
   * Name and version of an audited thing.
   *
   * @param version null = it has none
   */
  record Named(@Nullable String name, @Nullable Long version) {}

  /** A token that a hash belongs to, in force or not. */
  record Token(
      UUID id,
      String name,
      String role,
      @Nullable Instant revokedAt,
      @Nullable Instant expiresAt,
      String hash) {}

  /** Adds an entry; in the transaction of the caller when there is one. */
  void append(AuditRecord entry) {
    jdbc.sql(APPEND).param("entries", text(List.of(entry))).update();
  }

  /** Notes an operation that begins, so that it leaves a trace even if nothing else can be done. */
  void open(UUID id, AuditRecord entry) {
    jdbc.sql(OPEN)
        .param("id", id)
        .param("at", entry.at().atOffset(ZoneOffset.UTC))
        .param("entry", json.writeValueAsString(row(entry)))
        .update();
  }

  /** Adds entries and closes operations that had begun. */
  void close(Collection<UUID> open, List<AuditRecord> entries) {
    jdbc.sql(CLOSE)
        .param("open", open.toArray(UUID[]::new))
        .param("entries", text(entries))
        .update();
  }

  /** Forgets an operation that has begun and changed nothing. */
  void drop(UUID open) {
    jdbc.sql(DROP).param("id", open).update();
  }

  /** Makes entries with the outcome {@code unknown} of operations that began before a moment. */
  int sweep(Instant before) {
    return jdbc.sql(SWEEP).param("before", before.atOffset(ZoneOffset.UTC)).update();
  }

  /** Removes entries of before a moment, some at a time; tells how many. */
  long forget(Instant before) {
    long all = 0;
    int some;
    do {
      some =
          jdbc.sql("select audit_forget(:before, 5000)")
              .param("before", before.atOffset(ZoneOffset.UTC))
              .query(Integer.class)
              .single();
      all += some;
    } while (some == 5000);
    return all;
  }

  /** The thing that a path names; empty when there is none. */
  Optional<Named> named(String kind, @Nullable String id) {
    String sql = NAMES.get(kind);
    if (sql == null || (id == null && sql.contains(":id"))) {
      return Optional.empty();
    }
    JdbcClient.StatementSpec statement = jdbc.sql(sql);
    if (id != null && sql.contains(":id")) {
      statement = statement.param("id", id);
    }
    return statement
        .query(
            (row, number) -> new Named(row.getString("name"), row.getObject("version", Long.class)))
        .optional();
  }

  /** Whether things of this kind are found by a UUID. */
  static boolean byUuid(String kind) {
    return NAMES.getOrDefault(kind, "").contains("::uuid");
  }

  /** Objects that alerts or outlier events are about, and alerts that were delivered. */
  List<String> behind(String kind, Collection<UUID> ids) {
    String sql =
        switch (kind) {
          case "alerts" -> ALERTS;
          case "outlier-events" -> OUTLIER_EVENTS;
          case "deliveries" -> DELIVERED;
          default -> null;
        };
    return sql == null || ids.isEmpty()
        ? List.of()
        : jdbc.sql(sql)
            .param("ids", ids.toArray(UUID[]::new))
            .query((row, number) -> row.getString(1))
            .list();
  }

  List<Token> tokens(Collection<byte[]> hashes) {
    return hashes.isEmpty()
        ? List.of()
        : jdbc.sql(TOKENS)
            .param("hashes", hashes.toArray(byte[][]::new))
            .query(
                (row, number) ->
                    new Token(
                        row.getObject("id", UUID.class),
                        row.getString("name"),
                        row.getString("role"),
                        instant(row.getTimestamp("revoked_at")),
                        instant(row.getTimestamp("expires_at")),
                        row.getString("hash")))
            .list();
  }

  /** How far an export has come. */
  long exported(String name) {
    return jdbc.sql("select after_id from audit_export where name = :name")
        .param("name", name)
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  void exported(String name, long after) {
    jdbc.sql(
            """
            insert into audit_export (name, after_id) values (:name, :after)
            on conflict (name) do update set after_id = excluded.after_id
            """)
        .param("name", name)
        .param("after", after)
        .update();
  }

  /** A number up to which no entry is still to come. */
  long complete() {
    return Objects.requireNonNull(
        transactions.execute(
            status -> {
              // Waits for the writers, and keeps others from taking a number, for that moment.
              jdbc.sql("select pg_advisory_xact_lock(5737462001)").query(row -> {});
              return jdbc.sql("select coalesce(max(id), 0) from audit_entry")
                  .query(Long.class)
                  .single();
            }));
  }

  // -----------------------------------------------------------------------------------------------

  private String text(List<AuditRecord> entries) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    entries.forEach(entry -> rows.add(row(entry)));
    return json.writeValueAsString(rows);
  }

  private static Map<String, @Nullable Object> row(AuditRecord entry) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("at", entry.at().toString());
    row.put("until", entry.until() == null ? null : entry.until().toString());
    row.put("count", entry.count());
    row.put("token_id", entry.who().tokenId());
    row.put("token_name", entry.who().tokenName());
    row.put("role", entry.who().role());
    row.put("session", entry.who().session());
    row.put("address", entry.who().address());
    row.put("user_agent", entry.who().userAgent());
    row.put("request_id", entry.who().requestId());
    row.put("operation", entry.operation());
    row.put("kind", entry.subject().kind());
    row.put("object", entry.subject().id());
    row.put("object_name", entry.subject().name());
    row.put("related", entry.subject().related());
    row.put("outcome", entry.result().outcome().getValue());
    row.put("status", entry.result().status());
    row.put("error", entry.result().error());
    row.put("version_before", entry.subject().before());
    row.put("version_after", entry.subject().after());
    row.put("details", entry.details());
    return row;
  }

  private static @Nullable Instant instant(@Nullable Timestamp timestamp) {
    return timestamp == null ? null : timestamp.toInstant();
  }

  /** An operation that takes longer counts as ended without a word. */
  static final Duration LONGEST = Duration.ofMinutes(15);
}
