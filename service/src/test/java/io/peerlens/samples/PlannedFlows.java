package io.peerlens.samples;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Flow records whose sums are known beforehand, by seed, with bad ones among them. What must be in
 * the database in the end is what {@link #check} compares, sum by sum.
 */
final class PlannedFlows {

  private static final int HOSTS = 40;

  private record Key(String src, String dst, int port) {}

  private record Sums(long bytes, long packets, long flows) {}

  private static final String STORED =
      """
      select host(s.address), host(d.address), p.port, sum(p.bytes)::bigint, sum(p.packets)::bigint,
             sum(p.flows)::bigint
      from flow_part p join endpoint s on s.id = p.src join endpoint d on d.id = p.dst
      group by 1, 2, 3
      """;

  private final Random random;
  private final String topic;
  private final long baseMillis;
  private final Map<Key, Sums> expected = new HashMap<>();
  private long bad;

  PlannedFlows(long seed, String topic, Instant base) {
    this.random = new Random(seed);
    this.topic = topic;
    this.baseMillis = base.toEpochMilli();
  }

  /** The next record, of some flows. */
  ProducerRecord<byte[], byte[]> next() {
    StringBuilder value = new StringBuilder();
    String host = "";
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      host = "10.1.0." + (1 + random.nextInt(HOSTS));
      if (random.nextInt(200) == 0) {
        bad++;
        value.append("{\"type\":\"IPFIX\",\"src_addr\":\"nonsense\"}\n");
        continue;
      }
      String dst = "10.1.1." + (1 + random.nextInt(HOSTS));
      int port = 1 + random.nextInt(20);
      long bytes = 40 + random.nextInt(100_000);
      long packets = 1 + random.nextInt(100);
      long start = baseMillis + random.nextInt(3_600_000);
      long end = start + random.nextInt(90_000);
      value.append(
          """
          {"type":"IPFIX","time_received_ns":%d,"sampling_rate":1,"sampler_address":"10.9.9.9",\
          "time_flow_start_ns":%d,"time_flow_end_ns":%d,"bytes":%d,"packets":%d,"src_addr":"%s",\
          "dst_addr":"%s","etype":"IPv4","proto":"TCP","src_port":%d,"dst_port":%d,"tcp_flags":27}
          """
              .formatted(
                  end * 1_000_000,
                  start * 1_000_000,
                  end * 1_000_000,
                  bytes,
                  packets,
                  host,
                  dst,
                  40_000 + random.nextInt(20_000),
                  port));
      expected.merge(
          new Key(host, dst, port),
          new Sums(bytes, packets, 1),
          (a, b) -> new Sums(a.bytes + b.bytes, a.packets + b.packets, a.flows + b.flows));
    }
    return new ProducerRecord<>(
        topic,
        host.getBytes(StandardCharsets.UTF_8),
        value.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** What is wrong in the database; empty = nothing. */
  List<String> check(Connection connection) throws SQLException {
    List<String> wrong = new ArrayList<>();
    Map<Key, Sums> left = new HashMap<>(expected);
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(STORED)) {
        while (row.next()) {
          Key key = new Key(row.getString(1), row.getString(2), row.getInt(3));
          Sums stored = new Sums(row.getLong(4), row.getLong(5), row.getLong(6));
          Sums planned = left.remove(key);
          if (!stored.equals(planned)) {
            wrong.add("%s is %s, planned was %s".formatted(key, stored, planned));
          }
        }
      }
      left.forEach((key, sums) -> wrong.add("%s with %s is missing".formatted(key, sums)));
      try (ResultSet row =
          statement.executeQuery(
              """
              select (select count(*) from dead_letter where topic = '%s' and reason = 'address'),
                     (select coalesce(sum(count), 0) from ingest_rejected where reason = 'address')
              """
                  .formatted(topic))) {
        row.next();
        if (row.getLong(1) != bad || row.getLong(2) != bad) {
          wrong.add(
              "%d dead letters of flows and %d counted, planned were %d"
                  .formatted(row.getLong(1), row.getLong(2), bad));
        }
      }
    }
    return wrong;
  }

  String summary() {
    return "%,d sums of flows, %,d bad ones".formatted(expected.size(), bad);
  }
}
