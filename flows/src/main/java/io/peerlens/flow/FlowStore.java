package io.peerlens.flow;

import io.peerlens.database.NamedStatement;
import io.peerlens.flow.decode.Exporters;
import io.peerlens.flow.decode.FlowVersion;
import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.flow.network.Addresses;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.sender.Sender;
import io.peerlens.ingest.sender.SenderTally;
import io.peerlens.store.DeadLetterWriter;
import io.peerlens.store.KafkaOffsets;
import io.peerlens.store.Refusals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Store of sums by minute, exactly once: they, the dead letters, what exporters said and Kafka's
 * offsets are one transaction.
 *
 * <p>Sums that do not fit into memory are appended by {@link #spill} before the Kafka records that
 * they come from are read to their end; the transaction stays open until {@link #commit} moves the
 * offsets.
 *
 * <p>One instance for each consumer, used by one thread.
 */
final class FlowStore {

  private static final String TELL_EXPORTER =
      """
      insert into flow_exporter as e (address, version, sampler, population, sampled, system_start, told_at)
      values (:address::inet, :version, :sampler, :population, :sampled, to_timestamp(:start::bigint / 1e3),
              to_timestamp(:told / 1e3))
      on conflict (address, version, sampler) do update
      set population = excluded.population, sampled = excluded.sampled,
          system_start = excluded.system_start, told_at = excluded.told_at
      where excluded.told_at >= e.told_at
      """;
  private static final String EXPORTERS =
      """
      select host(address), version, sampler, population, sampled,
             (extract(epoch from system_start) * 1000)::bigint,
             (extract(epoch from told_at) * 1000)::bigint
      from flow_exporter order by told_at desc limit 10000
      """;
  private static final String REPLAYED =
      """
      insert into flow_replayed (dead_letter, counted_at) values (:letter, :now)
      on conflict (dead_letter) do nothing
      """;
  private static final String DIRTY =
      "insert into flow_dirty (bucket) select to_timestamp(s) from unnest(:seconds::bigint[]) as t(s)";

  /** In the order of their ids, so that nodes wait for each other instead of blocking for good. */
  private static final String SEEN =
      """
      with stale as (
        select id from flow_observer
        where id = any (:ids) and last_seen < :now::timestamptz - interval '1 minute'
        order by id for no key update)
      update flow_observer o set last_seen = :now from stale where o.id = stale.id
      """;

  /** Of the time of a flow nothing but its minute is kept. */
  private static final long HALF_A_MINUTE = 30;

  /** Level of roll-ups whose late buckets are noted. */
  private static final int BUCKET_MINUTES = 5;

  /** The last millisecond of the year 9999: what is beyond is no time. */
  private static final long LAST_MILLIS = 253_402_300_799_999L;

  private final DataSource dataSource;
  private final Duration rollUpLag;
  private final InstantSource clock;
  private final KafkaOffsets offsets;
  private final DeadLetterWriter deadLetters;
  private final FlowCopyRows copy = new FlowCopyRows();

  private @Nullable Connection open;
  private final TreeSet<Integer> buckets = new TreeSet<>(); // of the open transaction
  private final TreeSet<Integer> observers = new TreeSet<>(); // of the open transaction
  private Map<Integer, SenderTally> openSenders = new HashMap<>(); // of the open transaction
  private Map<Integer, SenderTally> senders = Map.of(); // of the newest commit
  private long openLateRows; // of the open transaction
  private long lateRows; // of the newest commit

  /**
   * @param node name of this process, kept with the offsets
   * @param rollUpLag how long after its end a bucket is rolled up; rows of buckets that may have
   *     been rolled up already are announced
   */
  FlowStore(DataSource dataSource, String node, Duration rollUpLag, InstantSource clock) {
    this.dataSource = dataSource;
    this.rollUpLag = rollUpLag;
    this.clock = clock;
    offsets = new KafkaOffsets(node, clock);
    deadLetters = new DeadLetterWriter(node, DeadLetterWriter.Input.FLOWS, clock);
  }

  /** Appends rows, to be committed later. */
  void spill(MinuteRows rows) {
    try {
      append(connection(), rows);
    } catch (SQLException e) {
      abandon();
      throw failure(e);
    } catch (RuntimeException e) {
      abandon();
      throw e;
    }
  }

  /**
   * Notes that the flows of a dead letter that was sent again are counted, to be committed later.
   *
   * @return whether they were not counted before
   */
  boolean replayed(long deadLetter) {
    try (NamedStatement statement = new NamedStatement(connection(), REPLAYED)) {
      return statement.set("letter", deadLetter).set("now", clock.instant()).update() > 0;
    } catch (SQLException e) {
      abandon();
      throw failure(e);
    }
  }

  /**
   * Appends rows and commits everything since the last commit. When it throws, nothing of that is
   * stored, and reading goes on from {@link #positions}.
   *
   * @param told what exporters said, when it is to be saved
   * @throws SampleSink.FencedException when another node has moved on one of the partitions
   * @throws SampleSink.RefusedException when the database refuses what is to be stored, whoever
   *     tries
   */
  void commit(
      MinuteRows rows,
      Map<TopicPartition, SampleBatch.Range> ranges,
      List<DeadLetter> letters,
      List<Exporters.Exporter> told) {
    try {
      Connection connection = connection();
      offsets.move(connection, ranges);
      append(connection, rows);
      deadLetters.write(connection, letters);
      save(connection, told);
      announceLate(connection);
      seen(connection);
      connection.commit();
      lateRows = openLateRows;
      senders = openSenders;
      close();
    } catch (SQLException e) {
      abandon();
      throw failure(e);
    } catch (RuntimeException e) {
      abandon();
      throw e;
    }
  }

  /**
   * Rows that the newest {@link #commit} appended to buckets that may have been rolled up already.
   */
  long lateRows() {
    return lateRows;
  }

  /** How many flow records of each observer the newest {@link #commit} stored. */
  Map<Sender, SenderTally> senders() {
    Map<Sender, SenderTally> named = new HashMap<>();
    senders.forEach(
        (observer, tally) ->
            named.put(new Sender(Sender.Kind.FLOWS, Integer.toString(observer)), tally));
    return named;
  }

  /** Takes back what is not committed. */
  void abandon() {
    Connection connection = open;
    if (connection == null) {
      return;
    }
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The connection is gone, and what was not committed with it.
    }
    try {
      close();
    } catch (SQLException e) {
      // as above
    }
  }

  private Connection connection() throws SQLException {
    Connection connection = open;
    if (connection == null) {
      // The pool gives the connection its auto-commit back.
      connection = dataSource.getConnection();
      open = connection;
      connection.setAutoCommit(false);
    }
    return connection;
  }

  private void close() throws SQLException {
    Connection connection = open;
    open = null;
    buckets.clear();
    observers.clear();
    openSenders = new HashMap<>();
    openLateRows = 0;
    if (connection != null) {
      connection.close();
    }
  }

  private void append(Connection connection, MinuteRows rows) throws SQLException {
    copy.append(connection, rows);
    int last = Integer.MIN_VALUE;
    int lastObserver = Integer.MIN_VALUE;
    long now = clock.millis();
    SenderTally tally = new SenderTally(now);
    long lateBefore = lateBefore();
    for (int row = 0; row < rows.size(); row++) {
      int bucket = Math.floorDiv(rows.minute(row), BUCKET_MINUTES);
      if (bucket != last) {
        buckets.add(bucket);
        last = bucket;
      }
      openLateRows += (bucket + 1L) * BUCKET_MINUTES * 60 <= lateBefore ? 1 : 0;
      if (rows.observer(row) != lastObserver) {
        lastObserver = rows.observer(row);
        observers.add(lastObserver);
        tally = openSenders.computeIfAbsent(lastObserver, one -> new SenderTally(now));
      }
      tally.add(rows.flows(row), (rows.minute(row) * 60L + HALF_A_MINUTE) * 1_000_000);
    }
  }

  private void seen(Connection connection) throws SQLException {
    if (observers.isEmpty()) {
      return;
    }
    try (NamedStatement statement = new NamedStatement(connection, SEEN)) {
      statement.set("ids", "int4", observers).set("now", clock.instant()).update();
    }
  }

  /**
   * Roll-ups of a bucket wait {@link #rollUpLag} after its end; two minutes before that is over a
   * writer begins to announce it, so that no row falls between the two. In seconds.
   */
  private long lateBefore() {
    return clock.instant().getEpochSecond() - rollUpLag.toSeconds() + 120;
  }

  private void announceLate(Connection connection) throws SQLException {
    long before = lateBefore();
    long[] late =
        buckets.stream()
            .filter(bucket -> (bucket + 1L) * BUCKET_MINUTES * 60 <= before)
            .mapToLong(bucket -> (long) bucket * BUCKET_MINUTES * 60)
            .toArray();
    if (late.length > 0) {
      try (NamedStatement statement = new NamedStatement(connection, DIRTY)) {
        statement.set("seconds", late).update();
      }
    }
  }

  /** In one order on all nodes, so that they wait for each other instead of blocking for good. */
  private static void save(Connection connection, List<Exporters.Exporter> told)
      throws SQLException {
    if (told.isEmpty()) {
      return;
    }
    List<Exporters.Exporter> sorted = new ArrayList<>(told);
    sorted.sort(
        Comparator.comparingLong(Exporters.Exporter::addressHigh)
            .thenComparingLong(Exporters.Exporter::addressLow)
            .thenComparing(Exporters.Exporter::version)
            .thenComparingLong(Exporters.Exporter::sampler));
    try (NamedStatement statement = new NamedStatement(connection, TELL_EXPORTER)) {
      for (Exporters.Exporter exporter : sorted) {
        long start = exporter.systemStartMillis();
        statement
            .set("address", Addresses.text(exporter.addressHigh(), exporter.addressLow()))
            .set("version", exporter.version().code())
            .set("sampler", exporter.sampler())
            .set("population", exporter.population())
            .set("sampled", exporter.sampled())
            .set("start", start < 0 || start > LAST_MILLIS ? null : (Long) start)
            .set("told", Math.clamp(exporter.toldMillis(), 0, LAST_MILLIS))
            .add();
      }
      statement.run();
    }
  }

  /** Reads what exporters announced, as it was saved. */
  List<Exporters.Exporter> exporters() {
    List<Exporters.Exporter> exporters = new ArrayList<>();
    Addresses address = new Addresses();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(EXPORTERS);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        if (!address.parse(row.getString(1))) {
          throw new SQLException("Not an address: " + row.getString(1));
        }
        long start = row.getLong(6);
        start = row.wasNull() ? Exporters.UNKNOWN : start;
        exporters.add(
            new Exporters.Exporter(
                address.high(),
                address.low(),
                FlowVersion.of(row.getInt(2)),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                start,
                row.getLong(7)));
      }
      return exporters;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** The offset to read next, for each partition that has one; absent = never read. */
  Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
    try (Connection connection = dataSource.getConnection()) {
      return offsets.positions(connection, partitions);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** When something of each partition was stored last; one that was never read is absent. */
  Map<TopicPartition, Instant> storedAt(Collection<TopicPartition> partitions) {
    try (Connection connection = dataSource.getConnection()) {
      return offsets.movedAt(connection, partitions);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Classifies an error by whether another try can help. */
  static RuntimeException failure(SQLException e) {
    String message = e.getMessage() + " (SQLSTATE " + e.getSQLState() + ")";
    return Refusals.isOfData(e)
        ? new SampleSink.RefusedException(message, e)
        : new SampleSink.UnavailableException(message, e);
  }
}
