package io.peerlens.impact;

import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Changes that people and programs record, stored as changes of objects. */
public final class RecordedChangeStore {

  private static final String INSERT =
      """
      with one as (
        insert into object_change (time, object_id, kind, key, new_value)
        select :time, id, 'recorded', :sort, :title from object where uuid = :object
        returning id)
      insert into recorded_change (change_id, until, author, note, goal, metrics)
      select id, :until, :author, :note, :goal, :metrics from one
      returning change_id
      """;

  /** Whoever sends it again at the same moment fails, and finds the first one. */
  private static final String INSERT_ONCE =
      """
      with one as (
        insert into object_change (time, object_id, kind, key, new_value)
        select :time, id, 'recorded', :sort, :title from object where uuid = :object
        returning id),
      rest as (
        insert into recorded_change (change_id, until, author, note, goal, metrics)
        select id, :until, :author, :note, :goal, :metrics from one
        returning change_id)
      insert into change_source (source, source_id, change_id, teller)
      select :source, :externalId, change_id, 'api' from rest
      returning change_id
      """;

  private static final String FIND =
      "select change_id from change_source where source = :source and source_id = :externalId";

  private static final String DELETE =
      """
      delete from object_change where id = :id and kind = 'recorded'
      """;

  private final JdbcClient jdbc;

  RecordedChangeStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A change to store.
   *
   * @param until null = it was done at once
   * @param goal null = none was named
   * @param externalId what its author calls it; null = nothing
   */
  public record New(
      UUID object,
      Instant time,
      @Nullable Instant until,
      String title,
      String sort,
      String author,
      @Nullable String note,
      @Nullable String goal,
      List<String> metrics,
      @Nullable String externalId) {}

  /**
   * The change that its author recorded under a name of its own. Authors do not share these names.
   */
  OptionalLong find(String author, String externalId) {
    return jdbc.sql(FIND)
        .param("source", source(author))
        .param("externalId", externalId)
        .query(Long.class)
        .optional()
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  private static String source(String author) {
    return "api/" + author;
  }

  /**
   * Stores a change. Empty = there is no such object.
   *
   * @throws org.springframework.dao.DuplicateKeyException when its author recorded one under the
   *     same external id at the same moment
   */
  public OptionalLong insert(New change) {
    JdbcClient.StatementSpec statement =
        change.externalId() == null
            ? jdbc.sql(INSERT)
            : jdbc.sql(INSERT_ONCE)
                .param("source", source(change.author()))
                .param("externalId", change.externalId());
    return statement
        .param("time", change.time().atOffset(ZoneOffset.UTC))
        .param("sort", change.sort())
        .param("title", change.title())
        .param("object", change.object())
        .param(
            "until",
            change.until() == null ? null : change.until().atOffset(ZoneOffset.UTC),
            Types.TIMESTAMP_WITH_TIMEZONE)
        .param("author", change.author())
        .param("note", change.note(), Types.VARCHAR)
        .param("goal", change.goal(), Types.VARCHAR)
        .param("metrics", change.metrics().toArray(String[]::new))
        .query(Long.class)
        .optional()
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  /** Whether there was such a recorded change, which is gone now. */
  public boolean delete(long id) {
    return jdbc.sql(DELETE).param("id", id).update() > 0;
  }
}
