package io.peerlens.store;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writer of dead letters and their counts, in the transaction that moves the offsets past them. */
public final class DeadLetterWriter {

  private static final String DEAD_LETTER =
      """
      insert into dead_letter (received_at, topic, partition, "offset", line, record_time, reason,
                               detail, payload)
      values (:now, :topic, :partition, :offset, :line, :recordTime, :reason, :detail, :payload)
      on conflict (topic, partition, "offset", line) do update
      set received_at = excluded.received_at, record_time = excluded.record_time,
          reason = excluded.reason, detail = excluded.detail, payload = excluded.payload,
          published_at = null, replayed_at = null
      """;
  private static final String REJECTED =
      """
      insert into ingest_rejected (minute, reason, node, input, count, newest_at)
      values (date_trunc('minute', :now::timestamptz), :reason, :node, :input, :count, :now)
      on conflict (minute, reason, node, input) do update
      set count = ingest_rejected.count + excluded.count, newest_at = excluded.newest_at
      """;

  /** The last millisecond of the year 9999: what is beyond is no time, and no database takes it. */
  private static final long LAST_MILLIS = 253_402_300_799_999L;

  /** Input that dead letters come from. */
  public enum Input {
    METRICS,
    FLOWS,
    EVENTS
  }

  private final String node;
  private final Input input;
  private final InstantSource clock;

  /**
   * @param node name of this process, kept with the counts
   * @param input whose letters are written
   */
  public DeadLetterWriter(String node, Input input, InstantSource clock) {
    this.node = node;
    this.input = input;
    this.clock = clock;
  }

  /** Stores letters in the caller's transaction; a letter that is there already is stored anew. */
  public void write(Connection connection, List<DeadLetter> letters) throws SQLException {
    if (letters.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    Map<RejectReason, Long> counts = new EnumMap<>(RejectReason.class);
    try (NamedStatement statement = new NamedStatement(connection, DEAD_LETTER)) {
      statement.set("now", now);
      for (DeadLetter letter : letters) {
        long time = letter.timestamp();
        statement
            .set("topic", letter.topic())
            .set("partition", letter.partition())
            .set("offset", letter.offset())
            .set("line", letter.line())
            .set("recordTime", time < 0 || time > LAST_MILLIS ? null : Instant.ofEpochMilli(time))
            .set("reason", letter.reason().code())
            .set("detail", letter.detail().replace("\0", "\\0"))
            .set("payload", letter.payload())
            .add();
        counts.merge(letter.reason(), 1L, Long::sum);
      }
      statement.run();
    }
    try (NamedStatement statement = new NamedStatement(connection, REJECTED)) {
      statement
          .set("now", now)
          .set("node", node)
          .set("input", input.name().toLowerCase(Locale.ROOT));
      for (Map.Entry<RejectReason, Long> entry : counts.entrySet()) {
        statement.set("reason", entry.getKey().code()).set("count", entry.getValue()).add();
      }
      statement.run();
    }
  }
}
