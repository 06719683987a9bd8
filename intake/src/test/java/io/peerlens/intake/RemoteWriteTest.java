package io.peerlens.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.peerlens.ingest.protobuf.ProtoWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** Remote write becomes the OTLP that OpenTelemetry's own library reads. */
class RemoteWriteTest {

  private static final long TIME = 1_790_000_000_123L;

  private final IntakeMemory memory = new IntakeMemory(64 << 20);

  private static ProtoWriter label(String name, String value) {
    return new ProtoWriter().text(1, name).text(2, value);
  }

  private static ProtoWriter sample(double value, long millis) {
    return new ProtoWriter().real(1, value).varint(2, millis);
  }

  private static ProtoWriter series(ProtoWriter sample, String... labels) {
    ProtoWriter series = new ProtoWriter();
    for (int i = 0; i < labels.length; i += 2) {
      series.message(1, label(labels[i], labels[i + 1]));
    }
    return series.message(2, sample);
  }

  private RemoteWrite.Written read(byte[] plain, boolean second, int limit)
      throws Refusal, IOException {
    try (IntakeMemory.Share share = memory.share()) {
      return RemoteWrite.read(Snappy.compress(plain), second, 1 << 22, limit, share);
    }
  }

  private static List<ResourceMetrics> otlp(RemoteWrite.Written written) throws IOException {
    List<ResourceMetrics> all = new ArrayList<>();
    for (Piece piece : written.pieces()) {
      all.addAll(MetricsData.parseFrom(piece.value()).getResourceMetricsList());
    }
    return all;
  }

  private static String text(List<KeyValue> attributes) {
    return attributes.stream()
        .map(a -> a.getKey() + "=" + a.getValue().getStringValue())
        .collect(Collectors.joining(" "));
  }

  @Test
  void seriesOfTheFirstVersionAreGaugesAndCountersByTheirNames() throws Exception {
    byte[] request =
        new ProtoWriter()
            .message(
                1,
                series(
                    sample(0.5, TIME),
                    "__name__",
                    "node_load1",
                    "instance",
                    "a:9100",
                    "job",
                    "node"))
            .message(
                1,
                series(
                        sample(7, TIME),
                        "__name__",
                        "node_cpu_seconds_total",
                        "cpu",
                        "0",
                        "instance",
                        "a:9100",
                        "job",
                        "node",
                        "mode",
                        "idle")
                    .message(2, sample(8, TIME + 15_000)))
            .message(
                1, series(sample(1, TIME), "__name__", "up", "instance", "b:9100", "job", "node"))
            .message(3, new ProtoWriter().varint(1, 1).text(2, "node_load1"))
            .toBytes();
    RemoteWrite.Written written = read(request, false, 10_000);
    assertThat(written.samples()).isEqualTo(4);
    assertThat(written.pieces()).hasSize(2);
    List<ResourceMetrics> otlp = otlp(written);
    assertThat(text(otlp.get(0).getResource().getAttributesList()))
        .isEqualTo("service.name=node service.instance.id=a:9100");
    List<Metric> metrics = otlp.get(0).getScopeMetrics(0).getMetricsList();
    assertThat(metrics.get(0).getName()).isEqualTo("node_load1");
    NumberDataPoint load = metrics.get(0).getGauge().getDataPoints(0);
    assertThat(load.getAsDouble()).isEqualTo(0.5);
    assertThat(load.getTimeUnixNano()).isEqualTo(TIME * 1_000_000);
    assertThat(metrics.get(1).getSum().getIsMonotonic()).isTrue();
    assertThat(metrics.get(1).getSum().getAggregationTemporalityValue()).isEqualTo(2);
    assertThat(metrics.get(1).getSum().getDataPointsList())
        .extracting(NumberDataPoint::getAsDouble)
        .containsExactly(7.0, 8.0);
    assertThat(text(metrics.get(1).getSum().getDataPoints(1).getAttributesList()))
        .isEqualTo("cpu=0 mode=idle");
  }

  @Test
  void aStaleMarkerIsAPointWithoutValue() throws Exception {
    byte[] request =
        new ProtoWriter()
            .message(
                1,
                series(
                    sample(Double.longBitsToDouble(0x7ff0000000000002L), TIME), "__name__", "up"))
            .message(1, series(sample(Double.NaN, TIME), "__name__", "up"))
            .toBytes();
    List<Metric> metrics =
        otlp(read(request, false, 10_000)).getFirst().getScopeMetrics(0).getMetricsList();
    NumberDataPoint stale = metrics.get(0).getGauge().getDataPoints(0);
    assertThat(stale.getFlags()).isEqualTo(1);
    assertThat(stale.getValueCase()).isEqualTo(NumberDataPoint.ValueCase.VALUE_NOT_SET);
    assertThat(metrics.get(1).getGauge().getDataPoints(0).getAsDouble()).isNaN();
  }

  private static long[] longs(long... values) {
    return values;
  }

  private static long[] zigZags(long... values) {
    return Arrays.stream(values).map(v -> (v << 1) ^ (v >> 63)).toArray();
  }

  @Test
  void theSecondVersionSaysTypeAndUnitAndHasNativeHistograms() throws Exception {
    ProtoWriter histogram =
        new ProtoWriter()
            .varint(1, 12)
            .real(3, 18.4)
            .zigzag(4, 1)
            .real(5, 0.001)
            .varint(6, 2)
            .message(11, new ProtoWriter().zigzag(1, 0).varint(2, 2))
            .message(11, new ProtoWriter().zigzag(1, 1).varint(2, 2))
            .packedVarint(12, zigZags(1, 1, -1, 0))
            .message(8, new ProtoWriter().zigzag(1, -1).varint(2, 1))
            .packedVarint(9, zigZags(5))
            .varint(15, TIME);
    byte[] request =
        new ProtoWriter()
            .text(4, "")
            .text(4, "__name__")
            .text(4, "process_cpu_seconds")
            .text(4, "seconds")
            .text(4, "latency")
            .text(4, "path")
            .text(4, "/x")
            .message(
                5,
                new ProtoWriter()
                    .packedVarint(1, longs(1, 2, 5, 6))
                    .message(2, sample(3, TIME))
                    .message(5, new ProtoWriter().varint(1, 1).varint(4, 3)))
            .message(5, new ProtoWriter().packedVarint(1, longs(1, 4)).message(3, histogram))
            .toBytes();
    RemoteWrite.Written written = read(request, true, 10_000);
    assertThat(written.samples()).isEqualTo(1);
    assertThat(written.histograms()).isEqualTo(1);
    List<Metric> metrics = otlp(written).getFirst().getScopeMetrics(0).getMetricsList();
    assertThat(metrics.get(0).getSum().getIsMonotonic()).isTrue();
    assertThat(metrics.get(0).getUnit()).isEqualTo("s");
    assertThat(text(metrics.get(0).getSum().getDataPoints(0).getAttributesList()))
        .isEqualTo("path=/x");
    ExponentialHistogramDataPoint point = metrics.get(1).getExponentialHistogram().getDataPoints(0);
    assertThat(point.getCount()).isEqualTo(12);
    assertThat(point.getSum()).isEqualTo(18.4);
    assertThat(point.getScale()).isEqualTo(1);
    assertThat(point.getZeroCount()).isEqualTo(2);
    // Index 0 of Prometheus ends at 1, as index -1 of OTLP does.
    assertThat(point.getPositive().getOffset()).isEqualTo(-1);
    assertThat(point.getPositive().getBucketCountsList()).containsExactly(1L, 2L, 0L, 1L, 1L);
    assertThat(point.getNegative().getOffset()).isEqualTo(-2);
    assertThat(point.getNegative().getBucketCountsList()).containsExactly(5L);
    assertThat(point.getTimeUnixNano()).isEqualTo(TIME * 1_000_000);
  }

  @Test
  void aHistogramWithBucketsOfItsOwnIsAnOrdinaryOne() throws Exception {
    ProtoWriter bounds = new ProtoWriter();
    byte[] doubles =
        java.nio.ByteBuffer.allocate(16)
            .order(java.nio.ByteOrder.LITTLE_ENDIAN)
            .putDouble(0.1)
            .putDouble(1)
            .array();
    bounds.raw(doubles, 0, 16);
    ProtoWriter histogram =
        new ProtoWriter()
            .varint(1, 6)
            .real(3, 9)
            .zigzag(4, -53)
            .message(11, new ProtoWriter().zigzag(1, 0).varint(2, 3))
            .packedVarint(12, zigZags(1, 1, 1))
            .varint(15, TIME)
            .message(16, bounds);
    byte[] request =
        new ProtoWriter()
            .message(1, new ProtoWriter().message(1, label("__name__", "h")).message(4, histogram))
            .toBytes();
    HistogramDataPoint point =
        otlp(read(request, false, 10_000))
            .getFirst()
            .getScopeMetrics(0)
            .getMetrics(0)
            .getHistogram()
            .getDataPoints(0);
    assertThat(point.getBucketCountsList()).containsExactly(1L, 2L, 3L);
    assertThat(point.getExplicitBoundsList()).containsExactly(0.1, 1.0);
    assertThat(point.getCount()).isEqualTo(6);
  }

  @Test
  void manySeriesAreCutIntoRecords() throws Exception {
    ProtoWriter request = new ProtoWriter();
    for (int i = 0; i < 5_000; i++) {
      request.message(1, series(sample(i, TIME), "__name__", "m" + i, "job", "j", "k", "v"));
    }
    RemoteWrite.Written written = read(request.toBytes(), false, 10_000);
    assertThat(written.pieces())
        .hasSizeGreaterThan(20)
        .allMatch(piece -> piece.value().length <= 10_000);
    assertThat(
            otlp(written).stream()
                .flatMap(r -> r.getScopeMetricsList().stream())
                .mapToInt(s -> s.getMetricsCount())
                .sum())
        .isEqualTo(5_000);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatThrownBy(
            () ->
                read(
                    new ProtoWriter().message(1, series(sample(1, TIME), "a", "b")).toBytes(),
                    false,
                    1_000))
        .hasMessageContaining("__name__");
    assertThatThrownBy(
            () ->
                read(
                    new ProtoWriter()
                        .text(4, "")
                        .message(5, new ProtoWriter().packedVarint(1, longs(0, 7)))
                        .toBytes(),
                    true,
                    1_000))
        .hasMessageContaining("symbol 7 of 1");
    assertThatThrownBy(
            () -> {
              try (IntakeMemory.Share share = memory.share()) {
                RemoteWrite.read(
                    "no snappy".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    false,
                    1_000,
                    1_000,
                    share);
              }
            })
        .isInstanceOf(Refusal.class);
  }

  @Test
  void aBombIsRefusedByTheLengthThatItAnnounces() throws Exception {
    byte[] bomb = Snappy.compress(new byte[50_000_000]);
    assertThatThrownBy(
            () -> {
              try (IntakeMemory.Share share = memory.share()) {
                RemoteWrite.read(bomb, false, 1 << 22, 1_000, share);
              }
            })
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.status()).isEqualTo(413));
  }

  @Test
  void brokenRequestsNeverDoAnythingElseThanBeRefused() throws Exception {
    byte[] first =
        new ProtoWriter()
            .message(1, series(sample(1, TIME), "__name__", "a_total", "job", "j", "x", "y"))
            .toBytes();
    byte[] second =
        new ProtoWriter()
            .text(4, "")
            .text(4, "__name__")
            .text(4, "h")
            .message(
                5,
                new ProtoWriter()
                    .packedVarint(1, longs(1, 2))
                    .message(
                        3,
                        new ProtoWriter()
                            .varint(1, 3)
                            .zigzag(4, 2)
                            .message(11, new ProtoWriter().zigzag(1, 5).varint(2, 2))
                            .packedVarint(12, zigZags(1, 1))
                            .varint(15, TIME)))
            .toBytes();
    Random random = new Random(3);
    for (int i = 0; i < 100_000; i++) {
      boolean isSecond = i % 2 == 0;
      byte[] broken = (isSecond ? second : first).clone();
      for (int n = 0; n <= random.nextInt(3); n++) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
      }
      try {
        for (ResourceMetrics unused : otlp(read(broken, isSecond, 1_000))) {
          assertThat(unused.getScopeMetricsCount()).isEqualTo(1);
        }
      } catch (Refusal e) {
        assertThat(e.status()).isIn(400, 413);
      }
    }
  }
}
