package io.peerlens.audit;

import io.peerlens.api.model.AuditEntry;
import io.peerlens.api.model.AuditOutcome;
import io.peerlens.api.model.AuditPage;
import io.peerlens.web.Page;
import io.peerlens.web.PageQueries;
import io.peerlens.web.PageQueries.Order;
import io.peerlens.web.PageQueries.Where;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Audit log, as the API lists it. */
final class AuditQueries {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String SELECT =
      """
      select e.id, e.at, e.until, e.count, e.token_id, e.token_name, e.role, e.session, e.address, e.user_agent,
        e.request_id, e.operation, e.kind, e.object, e.object_name, e.related, e.outcome, e.status, e.error,
        e.version_before, e.version_after, e.details::text as details""";

  private static final Order NEWEST = new Order("e.at", "timestamptz", true);

  private static final PageQueries PAGES =
      new PageQueries(SELECT, " from audit_entry e where ", "e.id");

  private static final String AFTER =
      SELECT
          + " from audit_entry e where e.id > :after and e.id <= :last order by e.id limit :limit";

  private final JdbcClient jdbc;

  AuditQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Filter of entries; null and an empty list are no condition. */
  record Filter(
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable UUID token,
      @Nullable String name,
      List<String> operation,
      @Nullable String kind,
      @Nullable String object,
      List<AuditOutcome> outcome,
      @Nullable String address,
      @Nullable String q) {

    private Where where() {
      Map<String, Object> parameters = new LinkedHashMap<>();
      StringBuilder sql = new StringBuilder("true");
      and(sql, parameters, "e.at >= :from", "from", utc(from));
      and(sql, parameters, "e.at < :to", "to", utc(to));
      and(sql, parameters, "e.token_id = :token", "token", token);
      and(sql, parameters, "e.token_name = :name", "name", name);
      and(sql, parameters, "e.kind = :kind", "kind", kind);
      and(sql, parameters, "e.related @> array[:object]::text[]", "object", object);
      and(sql, parameters, "e.address = :address", "address", address);
      and(
          sql,
          parameters,
          """
          (position(lower(:q) in lower(e.operation)) > 0 or position(lower(:q) in lower(e.token_name)) > 0
            or position(lower(:q) in lower(e.object_name)) > 0 or position(lower(:q) in lower(e.object)) > 0)
          """,
          "q",
          q);
      and(
          sql,
          parameters,
          "e.operation = any (:operation)",
          "operation",
          operation.isEmpty() ? null : operation.toArray(String[]::new));
      and(
          sql,
          parameters,
          "e.outcome = any (:outcome)",
          "outcome",
          outcome.isEmpty()
              ? null
              : outcome.stream().map(AuditOutcome::getValue).toArray(String[]::new));
      return new Where(sql.toString(), parameters);
    }

    private static void and(
        StringBuilder sql,
        Map<String, Object> parameters,
        String condition,
        String name,
        @Nullable Object value) {
      if (value != null) {
        sql.append(" and ").append(condition);
        parameters.put(name, value);
      }
    }

    private static @Nullable Object utc(@Nullable Instant instant) {
      return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }
  }

  /** One page, newest first. */
  AuditPage page(Filter filter, int limit, @Nullable String cursor) {
    Page<AuditEntry> page =
        PAGES.page(
            jdbc,
            filter.where(),
            NEWEST,
            "audit " + filter,
            limit,
            cursor,
            AuditQueries::entry,
            AuditEntry::getId);
    return page.as(AuditPage::new);
  }

  /** Entries with the numbers after one, in order. */
  List<AuditEntry> after(long after, long last, int limit) {
    return jdbc.sql(AFTER)
        .param("after", after)
        .param("last", last)
        .param("limit", limit)
        .query((row, number) -> entry(row))
        .list();
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getLong("id"),
        Objects.requireNonNull(instant(row.getTimestamp("at"))),
        instant(row.getTimestamp("until")),
        row.getInt("count"),
        row.getObject("token_id", UUID.class),
        row.getString("token_name"),
        row.getString("role"),
        row.getString("session"),
        row.getString("address"),
        row.getString("user_agent"),
        row.getString("request_id"),
        row.getString("operation"),
        row.getString("kind"),
        row.getString("object"),
        row.getString("object_name"),
        Arrays.asList((String[]) row.getArray("related").getArray()),
        AuditOutcome.fromValue(row.getString("outcome")),
        row.getObject("status", Integer.class),
        row.getString("error"),
        row.getObject("version_before", Long.class),
        row.getObject("version_after", Long.class),
        JSON.readValue(row.getString("details"), new TypeReference<Map<String, Object>>() {}));
  }

  private static @Nullable Instant instant(@Nullable Timestamp timestamp) {
    return timestamp == null ? null : timestamp.toInstant();
  }
}
