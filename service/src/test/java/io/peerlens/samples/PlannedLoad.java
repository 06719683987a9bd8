package io.peerlens.samples;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records whose every value is known beforehand, by seed: Telegraf-shaped lines with fields of one
 * moment spread over several records, late samples, counters, and bad lines among good ones. What
 * must be in the database in the end is what {@link #check} compares, value by value.
 */
final class PlannedLoad {

  private static final int HOSTS = 30;
  private static final long LATE_SECONDS = 6 * 3600;
  private static final List<String> MEASUREMENTS = List.of("app", "queue", "cache");

  /** One row: what it belongs to and when. */
  record Row(String host, String group, String instance, long micros) {}

  /** Bad lines by reason, each with a text that occurs once. */
  record Bad(String reason, String line) {}

  private final Random random;
  private final String topic;
  private final long baseSeconds;
  private final Map<Row, Map<String, Double>> expected = new HashMap<>();
  private final Map<String, Bad> bad = new HashMap<>(); // by line
  private final Deque<String[]> secondHalves = new ArrayDeque<>(); // host, line
  private final Map<String, Double> counters = new HashMap<>();
  private final Map<String, Long> counterMicros = new HashMap<>();
  private long serial;
  private long values;
  private int split;
  private int late;

  PlannedLoad(long seed, String topic, Instant base) {
    this.random = new Random(seed);
    this.topic = topic;
    this.baseSeconds = base.getEpochSecond();
  }

  /** The next record, of some lines. */
  ProducerRecord<byte[], byte[]> next() {
    String host = "host-" + random.nextInt(HOSTS);
    List<String> lines = new ArrayList<>();
    if (!secondHalves.isEmpty() && (secondHalves.size() > 2_000 || random.nextInt(8) == 0)) {
      String[] half = secondHalves.removeFirst();
      host = half[0];
      lines.add(half[1]);
    }
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      int dice = random.nextInt(100);
      if (dice < 2) {
        lines.add(badLine(host));
      } else if (dice < 12) {
        lines.add(counterLine(host));
      } else {
        line(host, dice < 24, dice > 85, lines);
      }
    }
    String text = String.join("\n", lines) + (random.nextBoolean() ? "\n" : "");
    return new ProducerRecord<>(
        topic, host.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
  }

  /** What still has to be sent so that every moment is whole. */
  List<ProducerRecord<byte[], byte[]>> rest() {
    List<ProducerRecord<byte[], byte[]>> rest = new ArrayList<>();
    for (String[] half : secondHalves) {
      rest.add(
          new ProducerRecord<>(
              topic,
              half[0].getBytes(StandardCharsets.UTF_8),
              half[1].getBytes(StandardCharsets.UTF_8)));
    }
    secondHalves.clear();
    return rest;
  }

  private void line(String host, boolean isSplit, boolean isLate, List<String> lines) {
    String measurement = MEASUREMENTS.get(random.nextInt(MEASUREMENTS.size()));
    String part = "p" + random.nextInt(3);
    // Every moment is used once: the serial number stands in it.
    long millis = (baseSeconds - (isLate ? LATE_SECONDS : 0)) * 1_000 + serial++;
    Map<String, Double> fields = new TreeMap<>();
    for (int f = random.nextInt(3); f < 6; f++) {
      fields.put("f" + f, random.nextInt(1_000_000) / 100.0);
    }
    Row row = new Row(host, measurement, "part=" + part, millis * 1_000);
    expected.put(row, fields);
    values += fields.size();
    String head = measurement + ",host=" + host + ",part=" + part + " ";
    String time = " " + millis + "000000";
    List<String> texts =
        fields.entrySet().stream()
            .map(e -> e.getKey() + "=" + String.format(Locale.ROOT, "%.2f", e.getValue()))
            .toList();
    if (isSplit && texts.size() > 1) {
      split++;
      lines.add(head + String.join(",", texts.subList(0, 1)) + time);
      secondHalves.addLast(
          new String[] {host, head + String.join(",", texts.subList(1, texts.size())) + time});
    } else {
      late += isLate ? 1 : 0;
      lines.add(head + String.join(",", texts) + time);
    }
  }

  /** A counter in the order of time; its rate goes on over every crash. */
  private String counterLine(String host) {
    long micros = (baseSeconds * 1_000 + serial++) * 1_000;
    double before = counters.getOrDefault(host, 0.0);
    double now = before + random.nextInt(100_000);
    Map<String, Double> fields = new TreeMap<>(Map.of("bytes_recv", now));
    Long microsBefore = counterMicros.put(host, micros);
    if (microsBefore != null) {
      fields.put("bytes_recv_rate", (now - before) * 1e6 / (micros - microsBefore));
    }
    counters.put(host, now);
    expected.put(new Row(host, "net", "eth0", micros), fields);
    values += fields.size();
    return "net,host=%s,interface=eth0 bytes_recv=%di %d000".formatted(host, (long) now, micros);
  }

  private String badLine(String host) {
    long number = serial++;
    Bad made =
        switch (random.nextInt(4)) {
          case 0 -> new Bad("number", "app,host=" + host + " f0=7x" + number);
          case 1 -> new Bad("syntax", "app,host=" + host + ",no=" + number);
          case 2 ->
              new Bad(
                  "future",
                  "app,host=%s f0=1 %d".formatted(host, 4_000_000_000_000_000_000L + number));
          default -> new Bad("timestamp", "app,host=" + host + " f0=1 1.5" + number);
        };
    bad.put(made.line, made);
    return made.line;
  }

  /** What was planned, in words. */
  String summary() {
    return "%,d rows (%,d split over records, %,d late), %,d values, %,d bad lines"
        .formatted(expected.size(), split, late, values, bad.size());
  }

  long values() {
    return values;
  }

  /** Everything that is not as planned; empty = all is well. */
  List<String> check(Connection connection) throws SQLException {
    List<String> wrong = new ArrayList<>();
    Map<Row, Map<String, Double>> missing = new HashMap<>(expected);
    try (Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(10_000);
      try (ResultSet found =
          statement.executeQuery(
              """
              select o.external_id, g.name, m.instance,
                     (extract(epoch from s.time) * 1000000)::bigint, g.metrics, s.values
              from sample s join metric_set m on m.id = s.set_id
              join metric_group g on g.id = m.group_id join object o on o.id = m.object_id
              """)) {
        while (found.next()) {
          Row row =
              new Row(found.getString(1), found.getString(2), found.getString(3), found.getLong(4));
          Map<String, Double> stored = new TreeMap<>();
          String[] metrics = (String[]) found.getArray(5).getArray();
          Double[] numbers = (Double[]) found.getArray(6).getArray();
          for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != null) {
              stored.put(metrics[i], numbers[i]);
            }
          }
          Map<String, Double> planned = missing.remove(row);
          if (planned == null) {
            wrong.add((expected.containsKey(row) ? "twice: " : "not planned: ") + row + stored);
          } else if (!planned.equals(stored)) {
            wrong.add("planned " + planned + ", found " + stored + " in " + row);
          }
        }
      }
      missing.forEach((row, planned) -> wrong.add("missing: " + row + planned));
      Map<String, Bad> unheard = new HashMap<>(bad);
      try (ResultSet found =
          statement.executeQuery(
              "select reason, payload from dead_letter where topic = '" + topic + "'")) {
        while (found.next()) {
          String line = new String(found.getBytes(2), StandardCharsets.UTF_8).strip();
          Bad planned = unheard.remove(line);
          if (planned == null) {
            wrong.add((bad.containsKey(line) ? "twice dead: " : "not planned dead: ") + line);
          } else if (!planned.reason.equals(found.getString(1))) {
            wrong.add("dead for " + found.getString(1) + ", planned " + planned);
          }
        }
      }
      unheard.values().forEach(b -> wrong.add("not among the dead letters: " + b));
      try (ResultSet counted =
          statement.executeQuery(
              // Only flows have addresses.
              """
              select coalesce(sum(count), 0), string_agg(format('%s %s of %s: %s', input, reason, node, count), ', ')
              from ingest_rejected where reason <> 'address'
              """)) {
        counted.next();
        if (counted.getLong(1) != bad.size()) {
          wrong.add(
              "rejections counted: %d, planned %d (%s)"
                  .formatted(counted.getLong(1), bad.size(), counted.getString(2)));
        }
      }
      connection.rollback();
    }
    return wrong;
  }
}
