package io.peerlens.store;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Stores dead letters and their counts in the transaction that moves the offsets past them. */
public final class DeadLetterWriter {

  private static final String DEAD_LETTER =
      """
      insert into dead_letter (received_at, topic, partition, "offset", line, record_time, reason,
                               detail, payload)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (topic, partition, "offset", line) do update
      set received_at = excluded.received_at, record_time = excluded.record_time,
          reason = excluded.reason, detail = excluded.detail, payload = excluded.payload,
          published_at = null, replayed_at = null
      """;
  private static final String REJECTED =
      """
      insert into ingest_rejected (minute, reason, node, input, count, newest_at)
      values (date_trunc('minute', ?::timestamptz), ?, ?, ?, ?, ?)
      on conflict (minute, reason, node, input) do update
      set count = ingest_rejected.count + excluded.count, newest_at = excluded.newest_at
      """;

  /** The last millisecond of the year 9999: what is beyond is no time, and no database takes it. */
  private static final long LAST_MILLIS = 253_402_300_799_999L;

  /** What is read. */
  public enum Input {
    METRICS,
    FLOWS
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
    OffsetDateTime now = OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    Map<RejectReason, Long> counts = new EnumMap<>(RejectReason.class);
    try (PreparedStatement statement = connection.prepareStatement(DEAD_LETTER)) {
      for (DeadLetter letter : letters) {
        statement.setObject(1, now);
        statement.setString(2, letter.topic());
        statement.setInt(3, letter.partition());
        statement.setLong(4, letter.offset());
        statement.setInt(5, letter.line());
        statement.setObject(
            6,
            letter.timestamp() < 0 || letter.timestamp() > LAST_MILLIS
                ? null
                : OffsetDateTime.ofInstant(
                    Instant.ofEpochMilli(letter.timestamp()), ZoneOffset.UTC),
            Types.TIMESTAMP_WITH_TIMEZONE);
        statement.setString(7, letter.reason().code());
        statement.setString(8, letter.detail().replace("\0", "\\0"));
        statement.setBytes(9, letter.payload());
        statement.addBatch();
        counts.merge(letter.reason(), 1L, Long::sum);
      }
      statement.executeBatch();
    }
    try (PreparedStatement statement = connection.prepareStatement(REJECTED)) {
      for (Map.Entry<RejectReason, Long> entry : counts.entrySet()) {
        statement.setObject(1, now);
        statement.setString(2, entry.getKey().code());
        statement.setString(3, node);
        statement.setString(4, input.name().toLowerCase(Locale.ROOT));
        statement.setLong(5, entry.getValue());
        statement.setObject(6, now);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
