package io.peerlens.source.collect;

import static io.peerlens.database.Times.utc;

import io.peerlens.source.LeaseLostException;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceError;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Positions, states and errors of sources. Every change needs the lease: it is locked while the
 * change is stored, so that nobody can take it in between.
 */
final class JournalStore {

  /** The part in whose name a collector that does not start, or ends by itself, is reported. */
  static final String COLLECTOR = "collector";

  private static final Duration KEEP_RATES = Duration.ofHours(7);

  private static final String HELD =
      """
      select 1 from source_lease
      where source_id = :source and holder = :holder and lease_until > now() for share
      """;

  private static final String POSITION =
      "select value from source_position where source_id = :source and part = :part";

  private static final String PUT_POSITION =
      """
      insert into source_position (source_id, part, value, updated_at)
      values (:source, :part, :value, :now)
      on conflict (source_id, part) do update
      set value = excluded.value, updated_at = excluded.updated_at
      """;

  private static final String PUT_ABOUT =
      """
      insert into source_about as a (source_id, about, updated_at) values (:source, :about, :now)
      on conflict (source_id) do update
      set about = excluded.about, updated_at = excluded.updated_at where a.about <> excluded.about
      """;

  private static final String FAILURES =
      "select failures from source_state where source_id = :source and part = :part";

  private static final String STATE =
      """
      insert into source_state as s (source_id, part, last_at, good_at, took_ms, intervals, objects,
                                     samples, failures, error, failing_since)
      values (:source, :part, :at, case when :good then :at::timestamptz end, :took, '{}', :objects, :samples,
              case when :good then 0 else 1 end, :error::jsonb, case when :good then null else :at::timestamptz end)
      on conflict (source_id, part) do update
      set last_at = greatest(s.last_at, excluded.last_at),
          good_at = coalesce(excluded.good_at, s.good_at),
          took_ms = excluded.took_ms,
          intervals = case when excluded.last_at > s.last_at
            then (array_prepend((extract(epoch from excluded.last_at - s.last_at) * 1000)::bigint,
                                s.intervals))[1 : 5]
            else s.intervals end,
          objects = excluded.objects, samples = excluded.samples,
          failures = case when :good then 0 else s.failures + 1 end,
          error = excluded.error,
          failing_since = case when :good then null
            else coalesce(s.failing_since, excluded.failing_since) end
      """;

  private static final String RATE =
      """
      insert into source_rate as s (source_id, bucket, samples)
      values (:source, date_bin('5 minutes', :at::timestamptz, to_timestamp(0)), :samples)
      on conflict (source_id, bucket) do update set samples = s.samples + excluded.samples
      """;

  private static final String FORGET_RATES = "delete from source_rate where bucket < :before";

  private static final String STARTED =
      "delete from source_state where source_id = :source and part = '" + COLLECTOR + "'";

  private static final String SAME_ERROR =
      """
      update source_error set last_at = :at, count = count + 1, error = :error::jsonb
      where id = (select id from source_error
                  where source_id = :source and part = :part order by id desc limit 1)
        and error ->> 'code' = :code and error ->> 'what' = :what
      """;

  private static final String ERROR =
      """
      insert into source_error (source_id, part, error, first_at, last_at, count)
      values (:source, :part, :error::jsonb, :at, :at, 1)
      """;

  private static final String FORGET_ERRORS = "delete from source_error where last_at < :before";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final UUID holder;

  JournalStore(JdbcClient jdbc, TransactionTemplate transaction, UUID holder) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.holder = holder;
  }

  Optional<String> position(UUID source, String part) {
    return jdbc.sql(POSITION)
        .param("source", source)
        .param("part", part)
        .query(String.class)
        .optional();
  }

  void position(UUID source, String part, String value, Instant now) {
    transaction.executeWithoutResult(
        status -> {
          requireLease(source);
          jdbc.sql(PUT_POSITION)
              .param("source", source)
              .param("part", part)
              .param("value", value)
              .param("now", utc(now))
              .update();
        });
  }

  void about(UUID source, String text, Instant now) {
    transaction.executeWithoutResult(
        status -> {
          requireLease(source);
          jdbc.sql(PUT_ABOUT)
              .param("source", source)
              .param("about", text)
              .param("now", utc(now))
              .update();
        });
  }

  void report(UUID source, RoundReport report) {
    transaction.executeWithoutResult(
        status -> {
          requireLease(source);
          String part = report.part().label();
          store(
              source,
              part,
              report.at(),
              report.took(),
              report.objects(),
              report.samples(),
              report.error());
          if (report.error() == null) {
            jdbc.sql(STARTED).param("source", source).update();
          }
        });
  }

  /** Notes that a collector did not start, or has ended by itself. */
  void ended(UUID source, Instant at, SourceError error) {
    transaction.executeWithoutResult(
        status -> {
          requireLease(source);
          store(source, COLLECTOR, at, Duration.ZERO, 0, 0, error);
        });
  }

  /** Forgets old errors. */
  void forgetErrors(Instant before) {
    jdbc.sql(FORGET_ERRORS).param("before", utc(before)).update();
  }

  /** Forgets how much came long ago. */
  void forgetRates(Instant now) {
    jdbc.sql(FORGET_RATES).param("before", utc(now.minus(KEEP_RATES))).update();
  }

  private void requireLease(UUID source) {
    if (jdbc.sql(HELD)
        .param("source", source)
        .param("holder", holder)
        .query(Integer.class)
        .optional()
        .isEmpty()) {
      throw new LeaseLostException("This node no longer has the lease of the source " + source);
    }
  }

  private void store(
      UUID source,
      String part,
      Instant at,
      Duration took,
      long objects,
      long samples,
      @Nullable SourceError error) {
    boolean failing =
        jdbc.sql(FAILURES)
                .param("source", source)
                .param("part", part)
                .query(Long.class)
                .optional()
                .orElse(0L)
            > 0;
    String json = error == null ? null : JsonMapper.shared().writeValueAsString(error);
    jdbc.sql(STATE)
        .param("source", source)
        .param("part", part)
        .param("at", utc(at))
        .param("good", error == null)
        .param("took", took.toMillis())
        .param("objects", objects)
        .param("samples", samples)
        .param("error", json, Types.VARCHAR)
        .update();
    if (samples > 0) {
      jdbc.sql(RATE)
          .param("source", source)
          .param("at", utc(at))
          .param("samples", samples)
          .update();
    }
    if (error == null) {
      return;
    }
    int same =
        failing
            ? jdbc.sql(SAME_ERROR)
                .param("source", source)
                .param("part", part)
                .param("at", utc(at))
                .param("error", json)
                .param("code", error.code())
                .param("what", error.what())
                .update()
            : 0;
    if (same == 0) {
      jdbc.sql(ERROR)
          .param("source", source)
          .param("part", part)
          .param("at", utc(at))
          .param("error", json)
          .update();
    }
  }
}
