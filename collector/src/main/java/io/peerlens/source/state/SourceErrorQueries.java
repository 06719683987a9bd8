package io.peerlens.source.state;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.SourceErrorEntry;
import io.peerlens.api.model.SourcePart;
import io.peerlens.api.model.SourceProblem;
import io.peerlens.source.SourceError;
import io.peerlens.web.Cursor;
import io.peerlens.web.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of the errors of sources. */
final class SourceErrorQueries {

  private static final Duration SHOWN = Duration.ofDays(7);

  private static final String ERRORS =
      """
      select e.id, e.source_id, s.name, e.part, e.error, e.first_at, e.last_at, e.count
      from source_error e join source s on s.id = e.source_id
      where e.last_at >= :from and (:source::uuid is null or e.source_id = :source)
        and (:last::timestamptz is null or (e.last_at, e.id) < (:last, :id))
      order by e.last_at desc, e.id desc limit :limit
      """;

  private static final String COUNT =
      "select count(*) from source_error where last_at >= :from and (:source::uuid is null or source_id = :source)";

  private final JdbcClient jdbc;
  private final InstantSource clock;

  SourceErrorQueries(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  private record Found(long id, SourceErrorEntry entry) {}

  /** Errors of a week, newest first. */
  Page<SourceErrorEntry> page(@Nullable UUID source, int limit, @Nullable String cursor) {
    String scope = "source errors " + source;
    Instant last = null;
    long id = 0;
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, scope, 2);
      last = Instant.parse(keys.get(0));
      id = Long.parseLong(keys.get(1));
    }
    Instant from = clock.instant().minus(SHOWN);
    List<Found> found =
        jdbc.sql(ERRORS)
            .param("from", utc(from))
            .param("source", source, Types.OTHER)
            .param("last", last == null ? null : utc(last), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("id", id)
            .param("limit", limit + 1)
            .query((row, number) -> new Found(row.getLong("id"), entry(row)))
            .list();
    long total =
        jdbc.sql(COUNT)
            .param("from", utc(from))
            .param("source", source, Types.OTHER)
            .query(Long.class)
            .single();
    return Page.cut(
            found,
            one -> new String[] {one.entry.getLastAt().toString(), Long.toString(one.id)},
            scope,
            limit,
            total)
        .map(Found::entry);
  }

  private static SourceErrorEntry entry(ResultSet row) throws SQLException {
    SourceError error = Objects.requireNonNull(OwnStateQueries.error(row.getString("error")));
    String part = row.getString("part");
    return new SourceErrorEntry(
        row.getObject("source_id", UUID.class),
        row.getString("name"),
        part.equals(PartState.COLLECTOR) ? null : SourcePart.fromValue(part),
        new SourceProblem(error.code(), error.what(), error.whatNow(), error.whatToDo()),
        instant(row, "first_at"),
        instant(row, "last_at"),
        row.getLong("count"));
  }
}
