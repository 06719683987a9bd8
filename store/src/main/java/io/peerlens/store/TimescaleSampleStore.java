package io.peerlens.store;

import io.peerlens.database.NamedStatement;
import io.peerlens.database.Transactions;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.inventory.ReturnedObjects;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.apache.kafka.common.TopicPartition;

/**
 * Store of batches in TimescaleDB or plain PostgreSQL.
 *
 * <p>One transaction holds the samples, the dead letters, the newest time of the objects and the
 * Kafka offsets. The offsets come first and only move from where this node believes them to be, so
 * a node that lost a partition without knowing is stopped there ({@link FencedException}).
 *
 * <p>Rows go straight into the table by binary COPY. Those that this node is known to have written
 * a while ago, second halves of a moment that was split over batches, go through a temporary table
 * and are merged position by position. Should a copied row exist all the same, because another node
 * or an earlier run wrote it, the whole batch is merged. Rows are always written in the order of
 * (set, time), so that two nodes writing the same sets wait for each other instead of blocking each
 * other for good; if PostgreSQL does see a deadlock, the batch is merged in one ordered statement,
 * which cannot be part of one.
 *
 * <p>One instance for each consumer; {@link #write} is called by one thread at a time.
 */
public final class TimescaleSampleStore implements SampleSink {

  /**
   * The newest sample of each object. Its age is its delay, unless samples come in at least twice
   * as fast as they were taken: then a past is read, as after an outage, and says nothing of how
   * late the next one will be. The gap is that between its last two samples, of which a batch may
   * bring both.
   */
  private static final String SEEN =
      """
      insert into object_liveness as l (object_id, last_seen, delay_s, arrived_at, gap_s)
      select id, to_timestamp(micros / 1e6),
             least(1e9, greatest(0, extract(epoch from now - to_timestamp(micros / 1e6)))), now,
             least(1e9, (micros - before) / 1e6)
      from (select :now::timestamptz as now) n,
           unnest(:ids::int[], :micros::bigint[], :before::bigint[]) as t(id, micros, before)
      order by id
      on conflict (object_id) do update
      set last_seen = excluded.last_seen, arrived_at = excluded.arrived_at, gap_before_s = l.gap_s,
          delay_s = case when 2 * (excluded.arrived_at - l.arrived_at) < excluded.last_seen - l.last_seen then 0
            else excluded.delay_s end,
          gap_s = least(1e9, excluded.gap_s, extract(epoch from excluded.last_seen - l.last_seen)),
          returned_at = case when l.silent_since is not null then coalesce(l.returned_at, excluded.last_seen) end
      where excluded.last_seen > l.last_seen
      """;

  private final DataSource dataSource;
  private final InstantSource clock;
  private final SampleWriter writer;
  private final KafkaOffsets offsets;
  private final DeadLetterWriter deadLetters;

  /**
   * Fingerprints of rows written lately, each in the one slot that its hash names; newer rows push
   * out older ones. What is not found here may exist all the same, and then the copy fails and the
   * batch is merged.
   */
  private final long[] written = new long[1 << 20];

  /**
   * @param node name of this process, kept with the offsets
   * @param rollUpLag how long after its end a bucket is rolled up; samples of buckets that may have
   *     been rolled up already are announced
   */
  public TimescaleSampleStore(
      DataSource dataSource, String node, Duration rollUpLag, InstantSource clock) {
    this.dataSource = dataSource;
    this.clock = clock;
    this.writer = new SampleWriter(rollUpLag, clock);
    this.offsets = new KafkaOffsets(node, clock);
    this.deadLetters = new DeadLetterWriter(node, DeadLetterWriter.Input.METRICS, clock);
  }

  @Override
  public void write(SampleBatch batch) {
    int[] order = SampleWriter.order(batch);
    int fresh = freshFirst(batch, order);
    try {
      List<Integer> returned;
      try {
        returned = write(batch, order, fresh);
      } catch (SQLException e) {
        if (!SampleWriter.isClash(e)) {
          throw e;
        }
        // Some row exists already, or two nodes got in each other's way: merge all of it.
        returned = write(batch, SampleWriter.order(batch), 0);
      }
      if (!returned.isEmpty()) {
        ReturnedObjects.note(dataSource, returned);
      }
    } catch (SQLException e) {
      throw failure(e);
    }
    noteWritten(batch);
  }

  private static RuntimeException failure(SQLException e) {
    return Refusals.isOfData(e)
        ? new RefusedException(message(e), e)
        : new UnavailableException(message(e), e);
  }

  private static String message(SQLException e) {
    return e.getMessage() + " (SQLSTATE " + e.getSQLState() + ")";
  }

  /** Answers which objects that had been removed are there again. */
  private List<Integer> write(SampleBatch batch, int[] order, int fresh) throws SQLException {
    return Transactions.run(
        dataSource,
        connection -> {
          offsets.move(connection, batch.ranges());
          if (fresh > 0) {
            writer.copy(connection, batch, order, fresh);
          }
          if (fresh < order.length) {
            writer.merge(connection, batch, Arrays.copyOfRange(order, fresh, order.length));
          }
          List<Integer> returned = noteSeen(connection, batch);
          deadLetters.write(connection, batch.deadLetters());
          writer.announceLate(connection, batch);
          return returned;
        });
  }

  private List<Integer> noteSeen(Connection connection, SampleBatch batch) throws SQLException {
    if (batch.liveness().isEmpty()) {
      return List.of();
    }
    Map<Integer, Long> seen = new TreeMap<>(batch.liveness());
    try (NamedStatement statement = new NamedStatement(connection, SEEN)) {
      statement
          .set("now", clock.instant())
          .set("ids", "int4", seen.keySet())
          .set("micros", "int8", seen.values())
          .set("before", "int8", seen.keySet().stream().map(batch.livenessBefore()::get).toList())
          .update();
    }
    return ReturnedObjects.among(connection, seen.keySet());
  }

  /**
   * Moves rows that may exist already to the end, keeping the order within both parts.
   *
   * @return number of rows before those
   */
  private int freshFirst(SampleBatch batch, int[] order) {
    int[] late = new int[order.length];
    int fresh = 0;
    int lateCount = 0;
    for (int row : order) {
      long print = fingerprint(batch, row);
      if (written[(int) print & written.length - 1] == print) {
        late[lateCount++] = row;
      } else {
        order[fresh++] = row;
      }
    }
    System.arraycopy(late, 0, order, fresh, lateCount);
    return fresh;
  }

  private void noteWritten(SampleBatch batch) {
    for (int row = 0; row < batch.rows(); row++) {
      long print = fingerprint(batch, row);
      written[(int) print & written.length - 1] = print;
    }
  }

  /** Mixes set and time; two rows with the same one cost a needless merge, nothing else. */
  private static long fingerprint(SampleBatch batch, int row) {
    long h = batch.time(row) * 0x9E3779B97F4A7C15L ^ batch.setId(row) * 0xC2B2AE3D27D4EB4FL;
    h = (h ^ h >>> 32) * 0xFF51AFD7ED558CCDL;
    return h ^ h >>> 29;
  }

  @Override
  public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
    try (Connection connection = dataSource.getConnection()) {
      return offsets.positions(connection, partitions);
    } catch (SQLException e) {
      throw new UnavailableException(message(e), e);
    }
  }
}
