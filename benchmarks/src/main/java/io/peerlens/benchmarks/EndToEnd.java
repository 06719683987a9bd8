package io.peerlens.benchmarks;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.kafka.IngestCounters;
import io.peerlens.ingest.kafka.SampleConsumer;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.store.TimescaleSampleStore;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyInputStream;
import org.postgresql.copy.PGCopyOutputStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How fast a topic that is already filled becomes committed rows, and where the time goes.
 *
 * <p>Stages, all in this process and all over the same records: reading Kafka alone; reading and
 * decoding; the whole path as it runs in production; then the rows that this stored are written
 * once more by plain binary COPY, the least that PostgreSQL can ask for. Each stage starts with an
 * empty schema of its own and ends when the last row is committed.
 */
public final class EndToEnd {

  private static final IngestGuards GUARDS =
      new IngestGuards(
          Duration.ofDays(3650),
          Duration.ofDays(3650),
          10_000_000,
          10_000_000,
          10_000_000,
          64 << 20,
          500);

  private EndToEnd() {}

  /**
   * @param args Kafka's bootstrap servers, topic, JDBC URL with user and password as parameters,
   *     and optionally the number of runs of the whole path (1)
   */
  public static void main(String[] args) throws Exception {
    if (args.length < 3) {
      System.err.println("usage: EndToEnd BOOTSTRAP TOPIC JDBC_URL [RUNS]");
      System.exit(2);
    }
    String bootstrap = args[0];
    String topic = args[1];
    String url = args[2];
    int runs = args.length > 3 ? Integer.parseInt(args[3]) : 1;
    long records = records(bootstrap, topic);
    System.out.printf("%,d records in %s%n", records, topic);

    reading(bootstrap, topic, records);
    decoding(bootstrap, topic, records);
    for (int run = 1; run <= runs; run++) {
      wholePath(bootstrap, topic, url, records, run);
    }
    rawCopy(url);
  }

  private static long records(String bootstrap, String topic) throws Exception {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, topic)) {
      return consumer.endOffsets(consumer.assignment()).values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String bootstrap, String topic)
      throws Exception {
    Properties p = new Properties();
    p.put("bootstrap.servers", bootstrap);
    p.put("key.deserializer", ByteArrayDeserializer.class.getName());
    p.put("value.deserializer", ByteArrayDeserializer.class.getName());
    p.put("max.poll.records", "20000");
    p.put("fetch.max.bytes", Integer.toString(32 << 20));
    p.put("max.partition.fetch.bytes", Integer.toString(8 << 20));
    KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(p);
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(i -> new TopicPartition(topic, i.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  private static void reading(String bootstrap, String topic, long records) throws Exception {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, topic)) {
      long begin = System.nanoTime();
      long bytes = 0;
      for (long seen = 0; seen < records; ) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofSeconds(1));
        for (ConsumerRecord<byte[], byte[]> record : polled) {
          bytes += record.value().length;
        }
        seen += polled.count();
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "read only:        %6.2f s  %,12.0f records/s  %,8.1f MB/s%n",
          seconds, records / seconds, bytes / seconds / 1e6);
    }
  }

  private static void decoding(String bootstrap, String topic, long records) throws Exception {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, topic)) {
      RecordDecoder decoder =
          new RecordDecoder(
              Mappings.shipped(),
              new FakeCatalog(),
              () -> GUARDS,
              TimePrecision.NS,
              InstantSource.system());
      SampleBatch batch = new SampleBatch();
      long begin = System.nanoTime();
      long decoding = 0;
      long points = 0;
      for (long seen = 0; seen < records; ) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofSeconds(1));
        long start = System.nanoTime();
        batch.clear();
        decoder.decode(polled, Map.of(), batch);
        points += batch.points();
        decoding += System.nanoTime() - start;
        seen += polled.count();
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "read and decode:  %6.2f s  %,12.0f values/s; decoding alone %,.0f values/s%n",
          seconds, points / seconds, points / (decoding / 1e9));
    }
  }

  private static void wholePath(String bootstrap, String topic, String url, long records, int run)
      throws Exception {
    migrate(url);
    com.zaxxer.hikari.HikariConfig pool = new com.zaxxer.hikari.HikariConfig();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(4);
    try (com.zaxxer.hikari.HikariDataSource dataSource =
        new com.zaxxer.hikari.HikariDataSource(pool)) {
      IngestCounters counters =
          new IngestCounters(new SimpleMeterRegistry(), InstantSource.system());
      long[] writing = {0};
      SampleSink store =
          timed(
              new TimescaleSampleStore(
                  dataSource, "benchmark", Duration.ofMinutes(10), InstantSource.system()),
              writing);
      SampleConsumer consumer =
          new SampleConsumer(
              new SampleConsumer.Settings(
                  bootstrap,
                  List.of(topic),
                  "benchmark-" + UUID.randomUUID(),
                  Integer.getInteger("batch", 20_000),
                  Duration.ofMillis(500),
                  TimePrecision.NS,
                  Map.of()),
              Mappings.shipped(),
              new InventoryCatalog(dataSource),
              store,
              () -> GUARDS,
              () -> "",
              counters,
              InstantSource.system());
      long cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
      long begin = System.nanoTime();
      Thread thread = Thread.ofPlatform().name("consumer").start(consumer);
      while (counters.records() < records) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() - cpu;
      consumer.close();
      thread.join();
      System.out.printf(
          "whole path %d:     %6.2f s  %,12.0f values/s  %,.0f rows/s; writer busy %.2f s, %d batches, our CPU %.1f s, dead letters %s%n",
          run,
          seconds,
          counters.points() / seconds,
          counters.rows() / seconds,
          writing[0] / 1e9,
          counters.batches(),
          cpu / 1e3,
          counters.rejected());
    }
    report(url);
  }

  private static SampleSink timed(SampleSink sink, long[] nanos) {
    return new SampleSink() {
      @Override
      public void write(SampleBatch batch) {
        long begin = System.nanoTime();
        sink.write(batch);
        nanos[0] += System.nanoTime() - begin;
      }

      @Override
      public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
        return sink.positions(partitions);
      }
    };
  }

  /** Makes the database anew; the user must be allowed to. */
  private static void migrate(String url) throws SQLException {
    int nameFrom = url.lastIndexOf('/') + 1;
    int nameTo = url.indexOf('?') < 0 ? url.length() : url.indexOf('?');
    String name = url.substring(nameFrom, nameTo);
    String maintenance = url.substring(0, nameFrom) + "template1" + url.substring(nameTo);
    try (Connection connection = DriverManager.getConnection(maintenance);
        Statement statement = connection.createStatement()) {
      statement.execute("drop database if exists \"" + name + "\" with (force)");
      statement.execute("create database \"" + name + "\"");
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    Flyway.configure().dataSource(source).locations("classpath:db/migration").load().migrate();
  }

  private static void report(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select count(*), sum(cardinality(array_remove(values, null))),
                       coalesce((select pg_total_relation_size('sample')
                          + coalesce(sum(pg_total_relation_size(inhrelid)), 0)
                          from pg_inherits where inhparent = 'sample'::regclass), 0)
                from sample
                """)) {
      row.next();
      System.out.printf(
          "stored:           %,d rows, %,d values, %,d bytes with indexes = %.1f bytes/value%n",
          row.getLong(1), row.getLong(2), row.getLong(3), (double) row.getLong(3) / row.getLong(2));
    }
  }

  /** The rows just stored once more, by COPY of ready-made bytes in transactions of equal size. */
  private static void rawCopy(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      boolean timescale;
      try (Statement statement = connection.createStatement()) {
        statement.execute("create table sample_copy (like sample including defaults)");
        try (ResultSet found =
            statement.executeQuery("select 1 from pg_extension where extname = 'timescaledb'")) {
          timescale = found.next();
        }
        if (timescale) {
          statement.execute(
              "select create_hypertable('sample_copy', 'time', chunk_time_interval => interval '1 day', create_default_indexes => false)");
        }
        statement.execute("create unique index on sample_copy (set_id, time)");
        statement.execute(
            "create index on sample_copy using brin (time) with (pages_per_range = 32)");
      }
      List<byte[]> batches = new ArrayList<>();
      long values = 0;
      try (Statement statement = connection.createStatement();
          ResultSet bounds =
              statement.executeQuery(
                  "select min(time), max(time), sum(cardinality(array_remove(values, null))) from sample")) {
        bounds.next();
        values = bounds.getLong(3);
        try (Statement times = connection.createStatement();
            ResultSet moments =
                times.executeQuery(
                    "select time, lead(time) over (order by time) from (select distinct time from sample) t order by time")) {
          List<String[]> ranges = new ArrayList<>();
          while (moments.next()) {
            ranges.add(new String[] {moments.getString(1), moments.getString(2)});
          }
          int step = 8;
          for (int i = 0; i < ranges.size(); i += step) {
            String from = ranges.get(i)[0];
            String to = ranges.get(Math.min(ranges.size(), i + step) - 1)[1];
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);
            try (InputStream in =
                new PGCopyInputStream(
                    connection.unwrap(PGConnection.class),
                    "copy (select time, set_id, values from sample where time >= '"
                        + from
                        + "'"
                        + (to == null ? "" : " and time < '" + to + "'")
                        + " order by set_id, time) to stdout (format binary)")) {
              in.transferTo(bytes);
            }
            batches.add(bytes.toByteArray());
          }
        }
      }
      long begin = System.nanoTime();
      for (byte[] batch : batches) {
        try (OutputStream out =
            new PGCopyOutputStream(
                connection.unwrap(PGConnection.class),
                "copy sample_copy (time, set_id, values) from stdin (format binary)",
                1 << 17)) {
          out.write(batch);
        }
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "raw COPY:         %6.2f s  %,12.0f values/s in %d batches%n",
          seconds, values / seconds, batches.size());
      try (Statement statement = connection.createStatement()) {
        statement.execute("drop table sample_copy");
      }
    }
  }

  /** Gives out ids in the order of asking. */
  private static final class FakeCatalog implements Catalog {
    private final Map<Object, Integer> ids = new HashMap<>();
    private final Map<Object, List<String>> groups =
        new TreeMap<>(java.util.Comparator.comparing(Object::toString));

    private int id(Object key) {
      return ids.computeIfAbsent(key, k -> ids.size() + 1);
    }

    @Override
    public Answer apply(Request request) {
      Map<io.peerlens.ingest.key.GroupKey, KnownGroup> known = new HashMap<>();
      List<KnownSet> sets = new ArrayList<>();
      for (NewSet set : request.sets()) {
        var object = set.key().object();
        var group =
            new io.peerlens.ingest.key.GroupKey(
                object.adapterKind(), object.objectKind(), set.key().group());
        known.put(
            group,
            new KnownGroup(id(group), groups.computeIfAbsent(group, g -> new ArrayList<>())));
        sets.add(new KnownSet(id(set.key()), Workload.known(id(object), set), null));
      }
      request
          .metrics()
          .forEach(
              (group, metrics) -> {
                List<String> names = groups.computeIfAbsent(group, g -> new ArrayList<>());
                metrics.forEach(
                    m -> {
                      if (!names.contains(m.name())) {
                        names.add(m.name());
                      }
                    });
                known.put(group, new KnownGroup(id(group), names));
              });
      return new Answer(List.of(), List.copyOf(sets), known, 0, 0, 0);
    }
  }
}
