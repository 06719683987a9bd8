package io.peerlens.notify.foreign;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes alerts that are raised elsewhere. What is said again changes nothing, so a sender may
 * repeat itself: each opening, change and end becomes one event for the pipeline.
 */
public final class ForeignAlertStore {

  /** Reports about one alert follow one another. */
  private static final String LOCK =
      "select pg_advisory_xact_lock(hashtextextended(:source || chr(10) || :key, 73))";

  private static final String FIND =
      "select id, open, digest, number, opened_at from foreign_alert where source = :source and key = :key";

  private static final String PUT =
      """
      insert into foreign_alert (id, source, key, open, context, digest, opened_at, updated_at)
      values (:id, :source, :key, :open, :context::jsonb, :digest, :now, :now)
      on conflict (source, key) do update
      set open = excluded.open, context = excluded.context, digest = excluded.digest,
        opened_at = case when excluded.open and not foreign_alert.open then excluded.opened_at else foreign_alert.opened_at end,
        updated_at = excluded.updated_at
      """;

  private static final String EVENT =
      """
      insert into notification_event (source, alert_id, event, change, at, context)
      values (:source, :id, :event, :change, :now, :context::jsonb)
      """;

  private static final String OPEN =
      "select key from foreign_alert where source = :source and open order by key";

  private static final String LAST =
      "select context::text from foreign_alert where source = :source and key = :key";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public ForeignAlertStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  private record Known(UUID id, boolean open, String digest, Instant openedAt) {}

  /**
   * Takes what is said of an alert.
   *
   * @param source {@code notices}, or the name of a relay
   * @param key what the source calls the alert
   * @param open whether it goes on
   * @param digest of all that matters to people; the same digest says nothing new
   * @param context canonical; id, times, status and event are set here
   * @return whether it said something new
   */
  public boolean report(
      String source, String key, boolean open, String digest, ObjectNode context, Instant now) {
    return Boolean.TRUE.equals(
        transaction.execute(status -> take(source, key, open, digest, context, now)));
  }

  private boolean take(
      String source, String key, boolean open, String digest, ObjectNode context, Instant now) {
    jdbc.sql(LOCK).param("source", source).param("key", key).query(String.class).single();
    Optional<Known> known =
        jdbc.sql(FIND)
            .param("source", source)
            .param("key", key)
            .query(
                (row, number) ->
                    new Known(
                        row.getObject("id", UUID.class),
                        row.getBoolean("open"),
                        row.getString("digest"),
                        row.getObject("opened_at", OffsetDateTime.class).toInstant()))
            .optional();
    boolean wasOpen = known.map(Known::open).orElse(false);
    if (!open && !wasOpen || open && wasOpen && known.orElseThrow().digest().equals(digest)) {
      return false;
    }
    String event = !open ? "CANCEL" : wasOpen ? "UPDATE" : "NEW";
    String change =
        switch (event) {
          case "NEW" -> known.isPresent() ? "reopened" : "opened";
          case "CANCEL" -> "canceled";
          default -> "update";
        };
    UUID id = known.map(Known::id).orElseGet(() -> id(source, key));
    Instant opened = wasOpen ? known.orElseThrow().openedAt() : now;
    context.put("event", event);
    context.put("change", change);
    context.put("source", source);
    ObjectNode alert = (ObjectNode) context.get("alert");
    if (!alert.hasNonNull("id")) {
      alert.put("id", id.toString());
    }
    alert.put("status", open ? "ACTIVE" : "CANCELED");
    if (!alert.hasNonNull("startTime")) {
      alert.put("startTime", opened.toEpochMilli());
    }
    alert.put("updateTime", now.toEpochMilli());
    if (open) {
      alert.putNull("cancelTime");
    } else if (!alert.hasNonNull("cancelTime")) {
      alert.put("cancelTime", now.toEpochMilli());
    }
    jdbc.sql(PUT)
        .param("id", id)
        .param("source", source)
        .param("key", key)
        .param("open", open)
        .param("context", context.toString())
        .param("digest", digest)
        .param("now", utc(now))
        .update();
    jdbc.sql(EVENT)
        .param("source", source)
        .param("id", id)
        .param("event", event)
        .param("change", change)
        .param("context", context.toString())
        .param("now", utc(now))
        .update();
    return true;
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
                    source, key, false, "", (ObjectNode) JsonMapper.shared().readTree(last), now))
        .orElse(false);
  }

  /** Keys of the alerts of a source that are open. */
  public List<String> open(String source) {
    return new ArrayList<>(jdbc.sql(OPEN).param("source", source).query(String.class).list());
  }

  /** The id of an alert; one that is an id already stays. */
  public static UUID id(String source, String key) {
    try {
      UUID given = UUID.fromString(key);
      if (given.toString().equalsIgnoreCase(key)) {
        return given;
      }
    } catch (IllegalArgumentException e) {
      // made of both below
    }
    return UUID.nameUUIDFromBytes((source + "\n" + key).getBytes(StandardCharsets.UTF_8));
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
