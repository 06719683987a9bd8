package io.peerlens.intake;

import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import io.peerlens.ingest.protobuf.ProtoWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.xerial.snappy.Snappy;

/**
 * Prometheus' remote write, 1.0 and 2.0, brought into the form of OTLP that OpenTelemetry's
 * Prometheus receiver gives the same series: {@code job} and {@code instance} become {@code
 * service.name} and {@code service.instance.id} of the resource, all other labels attributes of the
 * point. So there is one way for metrics of Prometheus, however they come.
 *
 * <p>Field numbers are those of prometheus/prompb/types.proto, remote.proto and
 * io/prometheus/write/v2/types.proto.
 */
final class RemoteWrite {

  /** Bits of the value that marks a series which is no longer there; prometheus/model/value. */
  private static final long STALE = 0x7ff0000000000002L;

  /** An OTLP flag of a point without value. */
  private static final int NO_RECORDED_VALUE = 1;

  private static final int CUMULATIVE = 2;
  private static final int MOST_BUCKETS = 10_000;
  private static final int CUSTOM_BUCKETS = -53;
  private static final int GAUGE_HISTOGRAM_HINT = 3;

  private static final int COUNTER = 1;
  private static final int GAUGE = 2;
  private static final int HISTOGRAM = 3;
  private static final int SUMMARY = 5;

  private static final long MILLI = 1_000_000;

  private final int limit;
  private final Map<String, Resource> resources = new LinkedHashMap<>();
  private final List<Piece> pieces = new ArrayList<>();
  private int samples;
  private int histograms;

  private RemoteWrite(int limit) {
    this.limit = limit;
  }

  /**
   * What is made of a request.
   *
   * @param samples points that the pieces hold
   * @param histograms native histograms that they hold
   */
  record Written(List<Piece> pieces, int samples, int histograms) {}

  /** Metrics of one job and instance. */
  private static final class Resource {
    private final byte[] key;
    private final byte[] head;
    private final ProtoWriter metrics = new ProtoWriter();

    private Resource(byte[] key, byte[] head) {
      this.key = key;
      this.head = head;
    }
  }

  /** A series: its name and labels. */
  private static final class Labels {
    private String name = "";
    private String job = "";
    private String instance = "";
    private final ProtoWriter others = new ProtoWriter();
    private int attributeNumber;

    private void add(String label, String value) {
      switch (label) {
        case "__name__" -> name = value;
        case "job" -> job = value;
        case "instance" -> instance = value;
        default -> {
          if (!value.isEmpty()) {
            others.message(attributeNumber, attribute(label, value));
          }
        }
      }
    }
  }

  /**
   * Reads a request.
   *
   * @param body in Snappy's block format
   * @param most bytes that it may have uncompressed
   * @param share pays for them
   */
  static Written read(byte[] body, boolean second, int most, int limit, IntakeMemory.Share share)
      throws Refusal {
    byte[] plain = uncompressed(body, most, share);
    RemoteWrite write = new RemoteWrite(limit);
    try {
      if (second) {
        write.second(plain);
      } else {
        write.first(plain);
      }
    } catch (Malformed e) {
      throw Refusal.malformed(e);
    }
    write.resources.values().forEach(write::flush);
    return new Written(write.pieces, write.samples, write.histograms);
  }

  private static byte[] uncompressed(byte[] body, int most, IntakeMemory.Share share)
      throws Refusal {
    try {
      int length = Snappy.uncompressedLength(body);
      if (length < 0 || length > most) {
        throw Refusal.tooLarge(
            "The body is longer than %,d bytes uncompressed. Send less at once, or raise peerlens.intake.max-body-size."
                .formatted(most));
      }
      // What is made of it repeats the labels of each series for each point.
      share.take(4L * length);
      byte[] plain = new byte[length];
      Snappy.uncompress(body, 0, body.length, plain, 0);
      return plain;
    } catch (IOException e) {
      throw Refusal.bad("The body is not in Snappy's block format: " + e.getMessage());
    }
  }

  // 1.0: WriteRequest {1 timeseries {1 labels {1 name, 2 value}, 2 samples {1 value, 2 timestamp},
  // 4 histograms}}
  private void first(byte[] plain) throws Refusal {
    ProtoReader request = new ProtoReader().on(plain);
    while (request.next()) {
      if (request.number() == 1) {
        int from = request.from();
        int to = request.to();
        Labels labels = new Labels();
        labels.attributeNumber = 7;
        ProtoReader series = request.message();
        while (series.next()) {
          if (series.number() == 1) {
            label(series.message(), labels);
          }
        }
        series(new ProtoReader().on(plain, from, to), labels, onlyGrows(labels.name), "", 4);
      }
    }
  }

  private static void label(ProtoReader label, Labels labels) throws Refusal {
    String name = "";
    String value = "";
    while (label.next()) {
      switch (label.number()) {
        case 1 -> name = label.text();
        case 2 -> value = label.text();
        default -> {}
      }
    }
    labels.add(name, value);
  }

  // 2.0: Request {4 symbols, 5 timeseries {1 labels_refs, 2 samples {1 value, 2 timestamp, 3
  // start}, 3 histograms,
  // 5 metadata {1 type, 4 unit_ref}}}
  private void second(byte[] plain) throws Refusal {
    List<String> symbols = new ArrayList<>();
    ProtoReader request = new ProtoReader().on(plain);
    while (request.next()) {
      if (request.number() == 4) {
        symbols.add(request.text());
      }
    }
    request = new ProtoReader().on(plain);
    while (request.next()) {
      if (request.number() == 5) {
        int from = request.from();
        int to = request.to();
        Labels labels = new Labels();
        labels.attributeNumber = 7;
        int type = 0;
        String unit = "";
        ProtoReader series = request.message();
        while (series.next()) {
          if (series.number() == 1) {
            references(series, symbols, labels);
          } else if (series.number() == 5) {
            ProtoReader metadata = series.message();
            while (metadata.next()) {
              if (metadata.number() == 1) {
                type = (int) metadata.whole();
              } else if (metadata.number() == 4) {
                unit = symbol(symbols, metadata.whole());
              }
            }
          }
        }
        boolean counter =
            type == COUNTER || (type != GAUGE && onlyGrows(labels.name) && hasTotals(type));
        series(new ProtoReader().on(plain, from, to), labels, counter, unit, 3);
      }
    }
  }

  private static boolean hasTotals(int type) {
    return type == 0 || type == HISTOGRAM || type == SUMMARY;
  }

  private static void references(ProtoReader field, List<String> symbols, Labels labels)
      throws Refusal {
    ProtoReader packed = field.message();
    while (packed.nextPacked(ProtoReader.VARINT)) {
      String name = symbol(symbols, packed.bits());
      if (!packed.nextPacked(ProtoReader.VARINT)) {
        throw Refusal.bad("labels_refs of a series has an odd number of references.");
      }
      labels.add(name, symbol(symbols, packed.bits()));
    }
  }

  private static String symbol(List<String> symbols, long reference) throws Refusal {
    if (reference < 0 || reference >= symbols.size()) {
      throw Refusal.bad("A reference to symbol %d of %d.".formatted(reference, symbols.size()));
    }
    return symbols.get((int) reference);
  }

  /** Whether values of a metric only grow, as its name says; 1.0 says nothing else. */
  private static boolean onlyGrows(String name) {
    return name.endsWith("_total")
        || name.endsWith("_count")
        || name.endsWith("_sum")
        || name.endsWith("_bucket");
  }

  private void series(
      ProtoReader series, Labels labels, boolean counter, String unit, int histogramNumber)
      throws Refusal {
    if (labels.name.isEmpty()) {
      throw Refusal.bad("A series has no label __name__.");
    }
    ProtoWriter points = new ProtoWriter();
    ProtoWriter point = new ProtoWriter();
    while (series.next()) {
      if (series.number() == 2) {
        points.message(1, sample(series.message(), labels, point.clear()));
        samples++;
        if (points.length() > limit / 2) {
          metric(labels, data(points, counter), counter ? 7 : 5, unit);
          points.clear();
        }
      } else if (series.number() == histogramNumber) {
        histogram(series.message(), labels, unit);
      }
    }
    if (points.length() > 0) {
      metric(labels, data(points, counter), counter ? 7 : 5, unit);
    }
  }

  private static ProtoWriter data(ProtoWriter points, boolean counter) {
    ProtoWriter data = new ProtoWriter().fields(points);
    return counter ? data.varint(2, CUMULATIVE).varint(3, 1) : data;
  }

  private static ProtoWriter sample(ProtoReader sample, Labels labels, ProtoWriter point)
      throws Refusal {
    double value = 0;
    long millis = 0;
    long start = 0;
    while (sample.next()) {
      switch (sample.number()) {
        case 1 -> value = sample.real();
        case 2 -> millis = sample.whole();
        case 3 -> start = sample.whole();
        default -> {}
      }
    }
    times(point, start, millis);
    if (Double.doubleToRawLongBits(value) == STALE) {
      point.varint(8, NO_RECORDED_VALUE);
    } else {
      point.real(4, value);
    }
    return point.fields(labels.others);
  }

  private static void times(ProtoWriter point, long startMillis, long millis) throws Refusal {
    try {
      if (startMillis > 0) {
        point.fixed64(2, Math.multiplyExact(startMillis, MILLI));
      }
      point.fixed64(3, Math.multiplyExact(millis, MILLI));
    } catch (ArithmeticException e) {
      throw Refusal.bad("The time %d ms is out of range.".formatted(millis));
    }
  }

  /** A native histogram: an exponential one of OTLP, or with buckets of its own an ordinary one. */
  private void histogram(ProtoReader histogram, Labels labels, String unit) throws Refusal {
    long count = 0;
    double sum = 0;
    long schema = 0;
    double zeroThreshold = 0;
    long zeroCount = 0;
    long hint = 0;
    long millis = 0;
    Buckets positive = new Buckets();
    Buckets negative = new Buckets();
    List<Double> bounds = new ArrayList<>();
    while (histogram.next()) {
      switch (histogram.number()) {
        case 1 -> count = histogram.whole();
        case 2 -> count = Math.round(histogram.real());
        case 3 -> sum = histogram.real();
        case 4 -> schema = ProtoReader.zigzag(histogram.whole());
        case 5 -> zeroThreshold = histogram.real();
        case 6 -> zeroCount = histogram.whole();
        case 7 -> zeroCount = Math.round(histogram.real());
        case 8 -> negative.span(histogram.message());
        case 9 -> negative.deltas(histogram);
        case 10 -> negative.counts(histogram);
        case 11 -> positive.span(histogram.message());
        case 12 -> positive.deltas(histogram);
        case 13 -> positive.counts(histogram);
        case 14 -> hint = histogram.whole();
        case 15 -> millis = histogram.whole();
        case 16 -> {
          ProtoReader packed = histogram.message();
          while (packed.nextPacked(ProtoReader.FIXED64)) {
            bounds.add(Double.longBitsToDouble(packed.bits()));
          }
        }
        default -> {}
      }
    }
    if (hint == GAUGE_HISTOGRAM_HINT) {
      return; // a distribution of now, which has no interval; OTLP has no form for it
    }
    boolean stale = Double.doubleToRawLongBits(sum) == STALE;
    boolean custom = schema == CUSTOM_BUCKETS;
    if (!custom && (schema < -4 || schema > 20)) {
      throw Refusal.bad("A histogram has the schema %d, which is not known.".formatted(schema));
    }
    // Both forms number time, count and sum alike; attributes and flags differ.
    ProtoWriter point = new ProtoWriter();
    times(point, 0, millis);
    Labels attributes = labels;
    byte[] written = renumbered(attributes, custom ? 9 : 1);
    point.raw(written, 0, written.length);
    if (stale) {
      point.varint(10, NO_RECORDED_VALUE);
    } else {
      point.fixed64(4, count).real(5, sum);
      if (custom) {
        explicit(point, positive.dense(), bounds);
      } else {
        point.zigzag(6, schema).fixed64(7, zeroCount);
        exponential(point, 8, positive.dense());
        exponential(point, 9, negative.dense());
        if (zeroThreshold > 0) {
          point.real(14, zeroThreshold);
        }
      }
    }
    ProtoWriter data = new ProtoWriter().message(1, point).varint(2, CUMULATIVE);
    metric(labels, data, custom ? 9 : 10, unit);
    histograms++;
  }

  private static byte[] renumbered(Labels labels, int number) throws Refusal {
    ProtoWriter out = new ProtoWriter();
    byte[] others = labels.others.toBytes();
    ProtoReader fields = new ProtoReader().on(others);
    while (fields.next()) {
      out.bytes(number, others, fields.from(), fields.to());
    }
    return out.toBytes();
  }

  private static void explicit(ProtoWriter point, Dense dense, List<Double> bounds) throws Refusal {
    if (dense.counts.length > bounds.size() + 1 || dense.offset < 0) {
      throw Refusal.bad("A histogram has more buckets than bounds.");
    }
    long[] all = new long[bounds.size() + 1];
    if (dense.offset + dense.counts.length > all.length) {
      throw Refusal.bad("A histogram has more buckets than bounds.");
    }
    System.arraycopy(dense.counts, 0, all, dense.offset, dense.counts.length);
    point
        .packedFixed64(6, all)
        .packedFixed64(7, bounds.stream().mapToLong(Double::doubleToRawLongBits).toArray());
  }

  private static void exponential(ProtoWriter point, int number, Dense dense) {
    if (dense.counts.length > 0) {
      // Prometheus numbers a bucket by its upper bound, OTLP by its lower one.
      point.message(
          number, new ProtoWriter().zigzag(1, dense.offset - 1).packedVarint(2, dense.counts));
    }
  }

  private record Dense(int offset, long[] counts) {}

  /** Buckets as Prometheus writes them: spans of neighbours, and counts as differences. */
  private static final class Buckets {
    private final List<int[]> spans = new ArrayList<>();
    private final List<Long> counts = new ArrayList<>();

    private void span(ProtoReader span) throws Refusal {
      int offset = 0;
      int length = 0;
      while (span.next()) {
        if (span.number() == 1) {
          offset = (int) ProtoReader.zigzag(span.whole());
        } else if (span.number() == 2) {
          length = (int) span.whole();
        }
      }
      spans.add(new int[] {offset, length});
    }

    private void deltas(ProtoReader field) throws Refusal {
      ProtoReader packed = field.message();
      while (packed.nextPacked(ProtoReader.VARINT)) {
        add((counts.isEmpty() ? 0 : counts.getLast()) + ProtoReader.zigzag(packed.bits()));
      }
    }

    private void counts(ProtoReader field) throws Refusal {
      ProtoReader packed = field.message();
      while (packed.nextPacked(ProtoReader.FIXED64)) {
        add(Math.round(Double.longBitsToDouble(packed.bits())));
      }
    }

    private void add(long count) throws Refusal {
      if (counts.size() == MOST_BUCKETS) {
        throw Refusal.bad("A histogram has more than %,d buckets.".formatted(MOST_BUCKETS));
      }
      counts.add(count);
    }

    private Dense dense() throws Refusal {
      long length = 0;
      for (int i = 0; i < spans.size(); i++) {
        int[] span = spans.get(i);
        length += (i == 0 ? 0 : span[0]) + (long) span[1];
        if (span[1] < 0 || (i > 0 && span[0] < 0) || length > MOST_BUCKETS) {
          throw Refusal.bad("The spans of a histogram make no sense.");
        }
      }
      long[] dense = new long[(int) length];
      int at = 0;
      int next = 0;
      for (int i = 0; i < spans.size(); i++) {
        at += i == 0 ? 0 : spans.get(i)[0];
        for (int j = 0; j < spans.get(i)[1]; j++) {
          if (next == counts.size()) {
            throw Refusal.bad("A histogram has fewer counts than its spans say.");
          }
          dense[at++] = counts.get(next++);
        }
      }
      if (next < counts.size()) {
        throw Refusal.bad("A histogram has more counts than its spans say.");
      }
      return new Dense(spans.isEmpty() ? 0 : spans.getFirst()[0], dense);
    }
  }

  private void metric(Labels labels, ProtoWriter data, int dataNumber, String unit) throws Refusal {
    ProtoWriter metric = new ProtoWriter().text(1, labels.name);
    if (!unit.isEmpty()) {
      metric.text(3, unit(unit));
    }
    metric.message(dataNumber, data);
    Resource resource =
        resources.computeIfAbsent(
            labels.job.length() + " " + labels.job + " " + labels.instance, k -> resource(labels));
    int room = limit - resource.head.length - 32;
    if (metric.length() > room) {
      throw Refusal.tooLarge(
          "Series %s has %,d bytes; a series may have %,d."
              .formatted(Body.shown(labels.name), metric.length(), room));
    }
    if (resource.metrics.length() + metric.length() + 8 > room) {
      flush(resource);
    }
    resource.metrics.message(2, metric);
  }

  private static Resource resource(Labels labels) {
    ProtoWriter resource = new ProtoWriter();
    if (!labels.job.isEmpty()) {
      resource.message(1, attribute("service.name", labels.job));
    }
    if (!labels.instance.isEmpty()) {
      resource.message(1, attribute("service.instance.id", labels.instance));
    }
    byte[] head = resource.toBytes();
    return new Resource(
        Keys.of(ByteBuffer.wrap(head)), new ProtoWriter().bytes(1, head, 0, head.length).toBytes());
  }

  private void flush(Resource resource) {
    if (resource.metrics.length() > 0) {
      ProtoWriter scope = new ProtoWriter().message(1, new ProtoWriter().text(1, "prometheus"));
      scope.fields(resource.metrics);
      ProtoWriter all =
          new ProtoWriter().raw(resource.head, 0, resource.head.length).message(2, scope);
      pieces.add(new Piece(resource.key, new ProtoWriter().message(1, all).toBytes()));
      resource.metrics.clear();
    }
  }

  private static ProtoWriter attribute(String key, String value) {
    return new ProtoWriter().text(1, key).message(2, new ProtoWriter().text(1, value));
  }

  /** Units as OTLP writes them, for those that Prometheus' conventions name. */
  private static String unit(String unit) {
    return switch (unit) {
      case "seconds" -> "s";
      case "bytes" -> "By";
      case "ratio" -> "1";
      case "celsius" -> "Cel";
      case "meters" -> "m";
      case "volts" -> "V";
      case "amperes" -> "A";
      case "joules" -> "J";
      case "grams" -> "g";
      default -> unit;
    };
  }
}
