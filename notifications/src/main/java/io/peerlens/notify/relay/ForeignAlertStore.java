package io.peerlens.notify.relay;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.database.Times;
import io.peerlens.notify.render.EventType;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Store of alerts that are raised elsewhere. What is said again changes nothing, so a sender may
 * repeat itself: each opening, change and end becomes one event for the pipeline.
 */
public final class ForeignAlertStore {

  /** Reports about one alert follow one another. */
  private static final String LOCK =
      "select pg_advisory_xact_lock(hashtextextended(:source || chr(10) || :key, 73))";

  private static final String FIND =
      """
      select id, open, digest, context -> 'alert' ->> 'criticality' as criticality, opened_at, updated_at, began_at, said_at
      from foreign_alert where source = :source and key = :key
      """;

  private static final String PUT =
      """
      insert into foreign_alert (id, source, key, open, context, digest, opened_at, updated_at, began_at, said_at)
      values (:id, :source, :key, :open, :context::jsonb, :digest, :now, :now, :began, :said)
      on conflict (source, key) do update
      set open = excluded.open, context = excluded.context, digest = excluded.digest,
        opened_at = case when excluded.open and not foreign_alert.open then excluded.opened_at else foreign_alert.opened_at end,
        updated_at = excluded.updated_at, began_at = coalesce(excluded.began_at, foreign_alert.began_at),
        said_at = coalesce(excluded.said_at, foreign_alert.said_at)
      """;

  /** Nothing new, but it was said of a later moment. */
  private static final String SAID =
      """
      update foreign_alert set said_at = greatest(said_at, :said), began_at = greatest(began_at, :began)
      where source = :source and key = :key
      """;

  private static final String EVENT =
      """
      insert into notification_event (source, alert_id, event, change, at, context)
      values (:source, :id, :event, :change, :now, :context::jsonb)
      """;

  private static final String OPEN =
      "select key from foreign_alert where source = :source and open order by key";

  private static final String BEGAN =
      "select began_at from foreign_alert where source = :source and key = :key and open and began_at is not null";

  private static final String LAST =
      "select context::text from foreign_alert where source = :source and key = :key";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public ForeignAlertStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
  }

  private record Known(
      UUID id,
      boolean open,
      String digest,
      @Nullable String criticality,
      Instant openedAt,
      Instant updatedAt,
      @Nullable Instant began,
      @Nullable Instant said) {}

  /**
   * Report of a source on one of its alerts.
   *
   * @param key what the source calls it
   * @param open whether it goes on
   * @param digest of all that matters to people; the same digest says nothing new
   * @param began when it opened, as the source says; null = unknown
   * @param at of which moment this is; null = unknown, as it is now
   * @param late null = moments put what is said in order. Otherwise the moment is when the alert
   *     began, or ended; what goes on when it is over, and began before its end, is a message that
   *     came late if it comes within this time of the end
   * @param context canonical; id, times, status and event are set here where they are missing
   */
  public record Report(
      String key,
      boolean open,
      String digest,
      @Nullable Instant began,
      @Nullable Instant at,
      @Nullable Duration late,
      ObjectNode context) {

    /** What is so now. */
    public static Report now(String key, boolean open, String digest, ObjectNode context) {
      return new Report(key, open, digest, null, null, null, context);
    }

    private boolean isOutdated(Known known, Instant now) {
      if (!open) {
        // The end of a time before the present one.
        return known.open() && at != null && known.began() != null && at.isBefore(known.began());
      }
      if (at == null || known.said() == null) {
        return false;
      }
      if (known.open()) {
        return late == null && at.isBefore(known.said());
      }
      return !at.isAfter(known.said())
          && (late == null || now.isBefore(known.updatedAt().plus(late)));
    }
  }

  /**
   * Takes what is said of an alert.
   *
   * @param source {@code notices}, or the name of a relay
   * @return whether it said something new
   */
  public boolean report(String source, Report report, Instant now) {
    return Boolean.TRUE.equals(transaction.execute(status -> take(source, report, now)));
  }

  private boolean take(String source, Report report, Instant now) {
    String key = report.key();
    boolean open = report.open();
    jdbc.sql(LOCK).param("source", source).param("key", key).query(String.class).single();
    Known known =
        jdbc.sql(FIND)
            .param("source", source)
            .param("key", key)
            .query((row, number) -> known(row))
            .optional()
            .orElse(null);
    if (known != null && report.isOutdated(known, now)) {
      return false;
    }
    boolean wasOpen = known != null && known.open();
    if (known != null
        && (!open && !wasOpen || open && wasOpen && known.digest().equals(report.digest()))) {
      jdbc.sql(SAID)
          .param("source", source)
          .param("key", key)
          .param("said", utcOrNull(report.at()), Types.TIMESTAMP_WITH_TIMEZONE)
          .param("began", utcOrNull(report.began()), Types.TIMESTAMP_WITH_TIMEZONE)
          .update();
      return false;
    }
    UUID id = known == null ? id(source, key) : known.id();
    EventType event = !open ? EventType.CANCEL : wasOpen ? EventType.UPDATE : EventType.NEW;
    ObjectNode context = report.context();
    ObjectNode alert = (ObjectNode) context.get("alert");
    String change =
        switch (event) {
          case NEW -> known != null ? "reopened" : "opened";
          case CANCEL -> "canceled";
          default ->
              alert
                      .path("criticality")
                      .asString("")
                      .equals(known == null ? "" : known.criticality())
                  ? "update"
                  : "severity";
        };
    Instant opened = known != null && known.open() ? known.openedAt() : now;
    context.put("event", event.name());
    context.put("change", change);
    context.put("source", source);
    if (!alert.hasNonNull("id")) {
      alert.put("id", id.toString());
    }
    alert.put("status", open ? "ACTIVE" : "CANCELED");
    if (!alert.hasNonNull("startTime")) {
      alert.put("startTime", opened.toEpochMilli());
    }
    Instant at = report.at() == null ? now : report.at();
    alert.put("updateTime", at.toEpochMilli());
    if (open) {
      alert.putNull("cancelTime");
    } else {
      alert.put("cancelTime", at.toEpochMilli());
    }
    jdbc.sql(PUT)
        .param("id", id)
        .param("source", source)
        .param("key", key)
        .param("open", open)
        .param("context", context.toString())
        .param("digest", report.digest())
        .param("began", utcOrNull(report.began()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("said", utcOrNull(report.at()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("now", utcOrNull(now))
        .update();
    if (known == null && !open) {
      return false; // its opening, should that come late, is known to be over
    }
    jdbc.sql(EVENT)
        .param("source", source)
        .param("id", id)
        .param("event", event.name())
        .param("change", change)
        .param("context", context.toString())
        .param("now", utcOrNull(now))
        .update();
    return true;
  }

  private static Known known(ResultSet row) throws SQLException {
    return new Known(
        row.getObject("id", UUID.class),
        row.getBoolean("open"),
        row.getString("digest"),
        row.getString("criticality"),
        Objects.requireNonNull(instantOrNull(row, "opened_at")),
        Objects.requireNonNull(instantOrNull(row, "updated_at")),
        instantOrNull(row, "began_at"),
        instantOrNull(row, "said_at"));
  }

  /** Ends an alert as it was when something was heard of it last. */
  public boolean end(String source, String key, Instant now) {
    return jdbc.sql(LAST)
        .param("source", source)
        .param("key", key)
        .query(String.class)
        .optional()
        .map(
            last ->
                report(
                    source,
                    Report.now(key, false, "", (ObjectNode) JsonMapper.shared().readTree(last)),
                    now))
        .orElse(false);
  }

  /** When an open alert began, as its source says; empty = it is not open, or that is unknown. */
  public Optional<Instant> began(String source, String key) {
    return jdbc.sql(BEGAN)
        .param("source", source)
        .param("key", key)
        .query((row, number) -> Times.instant(row, "began_at"))
        .optional();
  }

  /** Keys of the alerts of a source that are open. */
  public List<String> open(String source) {
    return new ArrayList<>(jdbc.sql(OPEN).param("source", source).query(String.class).list());
  }

  /**
   * The id of an alert. It is made of both, also where the key is an id: two sources may tell of
   * one alert, and neither may take the id of an alert of this installation.
   */
  public static UUID id(String source, String key) {
    return UUID.nameUUIDFromBytes((source + "\n" + key).getBytes(StandardCharsets.UTF_8));
  }
}
