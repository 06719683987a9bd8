package io.peerlens.store;

import io.peerlens.ingest.SampleBatch;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.TreeSet;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;

/**
 * Writer of samples within a transaction of the caller: straight into the table by binary COPY, or
 * merged position by position with rows that may exist. Not thread-safe.
 */
public final class SampleWriter {

  private static final String COPY_SAMPLES =
      "copy sample (time, set_id, values) from stdin (format binary)";
  private static final String MAKE_LATE =
      """
      create temporary table if not exists late_sample (time timestamptz, set_id int, values float8[])
      on commit delete rows
      """;
  private static final String COPY_LATE =
      "copy late_sample (time, set_id, values) from stdin (format binary)";
  private static final String MERGE_LATE =
      """
      insert into sample (time, set_id, values)
      select time, set_id, values from late_sample order by set_id, time
      on conflict (set_id, time) do update
      set values = merge_values(sample.values, excluded.values)
      """;
  private static final String CLEAR =
      """
      with cleared as (
        insert into sample (time, set_id, values)
        select s.time, s.set_id, '{}'
        from metric_set m join sample s on s.set_id = m.id
        where m.group_id = ? and m.instance = '' and s.time >= ? and s.time < ?
          and s.values[?] is not null
          and not exists (
            select 1 from late_sample l
            where l.set_id = s.set_id and l.time = s.time and l.values[?] is not null)
        order by s.set_id, s.time
        on conflict (set_id, time) do update set values[?] = null
        returning time)
      insert into rollup_dirty (bucket)
      select distinct date_bin('5 minutes', time, '1970-01-01 00:00Z') from cleared where time < ?
      """;

  /**
   * A merge may meet compressed rows. TimescaleDB unpacks 1,000 rows for each of them, and refuses
   * by default to do that for more than 100 sets in a transaction.
   */
  private static final String UNPACK_ANY =
      "set local timescaledb.max_tuples_decompressed_per_dml_transaction = 0";

  private static final String ROLLUP_DIRTY =
      "insert into rollup_dirty (bucket) select to_timestamp(s) from unnest(?::bigint[]) as t(s)";

  /** Level of roll-ups whose late buckets are noted. */
  private static final long BUCKET_SECONDS = 300;

  private final Duration rollUpLag;
  private final InstantSource clock;
  private final CopyEncoder encoder = new CopyEncoder();

  /**
   * @param rollUpLag how long after its end a bucket is rolled up; samples of buckets that may have
   *     been rolled up already are announced
   */
  public SampleWriter(Duration rollUpLag, InstantSource clock) {
    this.rollUpLag = rollUpLag;
    this.clock = clock;
  }

  /**
   * Whether some row exists already, or two nodes got in each other's way. Citus 14 passes the
   * message of a clash in a shard on, but not its code, when rows come by COPY or {@code insert ..
   * select}.
   */
  public static boolean isClash(SQLException e) {
    String state = e.getSQLState();
    String message = String.valueOf(e.getMessage());
    return "23505".equals(state)
        || "40P01".equals(state)
        || "40001".equals(state)
        || ("XX000".equals(state)
            && (message.contains("duplicate key value violates unique constraint")
                || message.contains("distributed deadlock")));
  }

  /**
   * Writes all rows of a batch, and nothing else of it.
   *
   * @param merge whether rows may exist already
   */
  public void write(Connection connection, SampleBatch batch, boolean merge) throws SQLException {
    if (batch.rows() == 0) {
      return;
    }
    int[] order = order(batch);
    if (merge) {
      merge(connection, batch, order);
    } else {
      copy(connection, batch, order, order.length);
    }
    announceLate(connection, batch);
  }

  void copy(Connection connection, SampleBatch batch, int[] rows, int count) throws SQLException {
    copy(connection, COPY_SAMPLES, batch, rows, count);
  }

  private void copy(Connection connection, String sql, SampleBatch batch, int[] rows, int count)
      throws SQLException {
    try (OutputStream out =
        new PGCopyOutputStream(connection.unwrap(PGConnection.class), sql, 1 << 17)) {
      encoder.write(batch, rows, count, out);
    } catch (IOException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new SQLException("COPY broke off: " + e.getMessage(), "08006", e);
    }
  }

  void merge(Connection connection, SampleBatch batch, int[] rows) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(MAKE_LATE);
      statement.execute(UNPACK_ANY);
      copy(connection, COPY_LATE, batch, rows, rows.length);
      statement.executeUpdate(MERGE_LATE);
    }
  }

  /**
   * Takes what is stored of one metric away, but for the rows that this transaction has merged
   * before. Rows stay, since other metrics share them.
   *
   * @param group of sets, of which the aggregates are meant
   * @param position of the metric in the group, from 0
   * @param from begin, inclusive
   * @param to end, exclusive
   */
  public void clear(Connection connection, int group, int position, Instant from, Instant to)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(MAKE_LATE);
      statement.execute(UNPACK_ANY);
    }
    try (PreparedStatement statement = connection.prepareStatement(CLEAR)) {
      statement.setInt(1, group);
      statement.setObject(2, from.atOffset(ZoneOffset.UTC));
      statement.setObject(3, to.atOffset(ZoneOffset.UTC));
      statement.setInt(4, position + 1);
      statement.setInt(5, position + 1);
      statement.setInt(6, position + 1);
      statement.setObject(7, Instant.ofEpochSecond(announcedBefore()).atOffset(ZoneOffset.UTC));
      statement.executeUpdate();
    }
  }

  /**
   * Roll-ups of a bucket wait {@link #rollUpLag} after its end; two minutes before that is over a
   * writer begins to announce it, so that no sample falls between the two.
   *
   * @return end of the last bucket that is announced, epoch seconds
   */
  private long announcedBefore() {
    long before = clock.instant().getEpochSecond() - rollUpLag.toSeconds() + 120;
    return Math.floorDiv(before, BUCKET_SECONDS) * BUCKET_SECONDS;
  }

  void announceLate(Connection connection, SampleBatch batch) throws SQLException {
    long before = announcedBefore();
    TreeSet<Long> buckets = new TreeSet<>();
    long last = Long.MIN_VALUE;
    for (int row = 0; row < batch.rows(); row++) {
      long bucket = Math.floorDiv(batch.time(row), BUCKET_SECONDS * 1_000_000L);
      if (bucket != last && (bucket + 1) * BUCKET_SECONDS <= before) {
        buckets.add(bucket * BUCKET_SECONDS);
      }
      last = bucket;
    }
    if (!buckets.isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(ROLLUP_DIRTY)) {
        statement.setArray(1, connection.createArrayOf("int8", buckets.toArray(Long[]::new)));
        statement.executeUpdate();
      }
    }
  }

  /** Rows in the order of (set, time). */
  static int[] order(SampleBatch batch) {
    int count = batch.rows();
    long[] keys = new long[count];
    for (int row = 0; row < count; row++) {
      keys[row] = (long) batch.setId(row) << 32 | row;
    }
    Arrays.sort(keys);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int row = (int) keys[i];
      int j = i;
      // Rows of a set mostly came in the order of time.
      while (j > 0
          && batch.setId(order[j - 1]) == batch.setId(row)
          && batch.time(order[j - 1]) > batch.time(row)) {
        order[j] = order[j - 1];
        j--;
      }
      order[j] = row;
    }
    return order;
  }
}
