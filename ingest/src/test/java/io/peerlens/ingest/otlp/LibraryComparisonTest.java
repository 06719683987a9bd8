package io.peerlens.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Our reader of OTLP finds in messages what the generated classes of the protocol find. */
class LibraryComparisonTest {

  /** All that is read of a message, point by point, as text. */
  private static final class Told implements MetricsReader.Visitor {
    private final byte[] b;
    private final List<String> points = new ArrayList<>();
    private final Point point = new Point();
    private String head = "";
    private String scope = "";
    private String metric = "";
    private PointKind kind = PointKind.GAUGE;

    Told(byte[] b) {
      this.b = b;
    }

    private String text(int from, int to) {
      return new String(b, from, to - from, StandardCharsets.UTF_8);
    }

    @Override
    public void resource(int from, int to, int resourceFrom, int resourceTo) {
      head = String.valueOf(Attributes.read(b, 1, resourceFrom, resourceTo));
    }

    @Override
    public void scope(int from, int to, int nameFrom, int nameTo) {
      scope = text(nameFrom, nameTo);
    }

    @Override
    public void metric(
        PointKind itsKind,
        int temporality,
        boolean monotonic,
        int nameFrom,
        int nameTo,
        int unitFrom,
        int unitTo) {
      kind = itsKind;
      metric =
          "%s %s %s %d %b"
              .formatted(
                  text(nameFrom, nameTo), text(unitFrom, unitTo), kind, temporality, monotonic);
    }

    @Override
    public void point(int from, int to) {
      point.read(b, kind, from, to);
      StringBuilder told = new StringBuilder();
      told.append(head).append(scope).append(' ').append(metric).append(' ');
      told.append(
          Attributes.read(point.attributeBytes, 0, point.attributesFrom, point.attributesTo));
      told.append(' ').append(point.startNanos).append(' ').append(point.timeNanos);
      told.append(' ').append(point.noRecordedValue);
      switch (kind) {
        case GAUGE, SUM -> told.append(' ').append(point.hasValue ? point.value : "none");
        case HISTOGRAM ->
            told.append(distribution())
                .append(Arrays.toString(Arrays.copyOf(point.buckets.counts, point.buckets.size)))
                .append(Arrays.toString(Arrays.copyOf(point.bounds, point.boundsSize)));
        case EXPONENTIAL ->
            told.append(distribution())
                .append(
                    " %d %d %s %d "
                        .formatted(
                            point.scale,
                            point.zeroCount,
                            point.zeroThreshold,
                            point.buckets.offset))
                .append(Arrays.toString(Arrays.copyOf(point.buckets.counts, point.buckets.size)))
                .append(point.negative.offset)
                .append(Arrays.toString(Arrays.copyOf(point.negative.counts, point.negative.size)));
        case SUMMARY ->
            told.append(" %d %s".formatted(point.count, point.sum))
                .append(Arrays.toString(Arrays.copyOf(point.quantiles, point.quantilesSize)))
                .append(Arrays.toString(Arrays.copyOf(point.quantileValues, point.quantilesSize)));
      }
      points.add(told.toString());
    }

    private String distribution() {
      return " %d %s %s %s"
          .formatted(
              point.count,
              point.hasSum ? point.sum : "none",
              point.hasMin ? point.min : "none",
              point.hasMax ? point.max : "none");
    }

    @Override
    public void endResource() {}
  }

  private static List<String> byUs(byte[] message) {
    Told told = new Told(message);
    new MetricsReader().message(message, told);
    return told.points;
  }

  private static String text(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      case INT_VALUE -> Long.toString(value.getIntValue());
      case DOUBLE_VALUE -> Double.toString(value.getDoubleValue());
      case ARRAY_VALUE ->
          value.getArrayValue().getValuesList().stream()
              .map(LibraryComparisonTest::text)
              .toList()
              .toString();
      default -> "";
    };
  }

  private static Map<String, String> texts(List<KeyValue> attributes) {
    Map<String, String> texts = new LinkedHashMap<>();
    attributes.forEach(one -> texts.put(one.getKey(), text(one.getValue())));
    return texts;
  }

  private static String common(List<KeyValue> attributes, long start, long time, int flags) {
    return "%s %d %d %b".formatted(texts(attributes), start, time, (flags & 1) != 0);
  }

  private static List<String> byTheLibrary(byte[] message) throws InvalidProtocolBufferException {
    List<String> points = new ArrayList<>();
    for (ResourceMetrics resource : MetricsData.parseFrom(message).getResourceMetricsList()) {
      for (ScopeMetrics scope : resource.getScopeMetricsList()) {
        for (Metric metric : scope.getMetricsList()) {
          String head =
              texts(resource.getResource().getAttributesList())
                  + scope.getScope().getName()
                  + " %s %s ".formatted(metric.getName(), metric.getUnit());
          for (NumberDataPoint p : metric.getGauge().getDataPointsList()) {
            points.add(head + "GAUGE 0 false " + number(p));
          }
          Sum sum = metric.getSum();
          for (NumberDataPoint p : sum.getDataPointsList()) {
            points.add(
                head
                    + "SUM %d %b "
                        .formatted(sum.getAggregationTemporalityValue(), sum.getIsMonotonic())
                    + number(p));
          }
          Histogram histogram = metric.getHistogram();
          for (HistogramDataPoint p : histogram.getDataPointsList()) {
            points.add(
                head
                    + "HISTOGRAM %d false ".formatted(histogram.getAggregationTemporalityValue())
                    + common(
                        p.getAttributesList(),
                        p.getStartTimeUnixNano(),
                        p.getTimeUnixNano(),
                        p.getFlags())
                    + " %d %s %s %s"
                        .formatted(
                            p.getCount(),
                            p.hasSum() ? p.getSum() : "none",
                            p.hasMin() ? p.getMin() : "none",
                            p.hasMax() ? p.getMax() : "none")
                    + p.getBucketCountsList()
                    + p.getExplicitBoundsList());
          }
          ExponentialHistogram exponential = metric.getExponentialHistogram();
          for (ExponentialHistogramDataPoint p : exponential.getDataPointsList()) {
            points.add(
                head
                    + "EXPONENTIAL %d false "
                        .formatted(exponential.getAggregationTemporalityValue())
                    + common(
                        p.getAttributesList(),
                        p.getStartTimeUnixNano(),
                        p.getTimeUnixNano(),
                        p.getFlags())
                    + " %d %s %s %s"
                        .formatted(
                            p.getCount(),
                            p.hasSum() ? p.getSum() : "none",
                            p.hasMin() ? p.getMin() : "none",
                            p.hasMax() ? p.getMax() : "none")
                    + " %d %d %s %d "
                        .formatted(
                            p.getScale(),
                            p.getZeroCount(),
                            p.getZeroThreshold(),
                            p.getPositive().getOffset())
                    + p.getPositive().getBucketCountsList()
                    + p.getNegative().getOffset()
                    + p.getNegative().getBucketCountsList());
          }
          for (SummaryDataPoint p : metric.getSummary().getDataPointsList()) {
            points.add(
                head
                    + "SUMMARY 0 false "
                    + common(
                        p.getAttributesList(),
                        p.getStartTimeUnixNano(),
                        p.getTimeUnixNano(),
                        p.getFlags())
                    + " %d %s".formatted(p.getCount(), p.getSum())
                    + p.getQuantileValuesList().stream().map(q -> q.getQuantile()).toList()
                    + p.getQuantileValuesList().stream().map(q -> q.getValue()).toList());
          }
        }
      }
    }
    return points;
  }

  private static String number(NumberDataPoint p) {
    return common(
            p.getAttributesList(), p.getStartTimeUnixNano(), p.getTimeUnixNano(), p.getFlags())
        + ' '
        + switch (p.getValueCase()) {
          case AS_DOUBLE -> p.getAsDouble();
          case AS_INT -> (double) p.getAsInt();
          case VALUE_NOT_SET -> "none";
        };
  }

  private final SplittableRandom random = new SplittableRandom(20261126);

  private String word() {
    return List.of("a", "größe", "direction", "", "x".repeat(200)).get(random.nextInt(5));
  }

  private List<KeyValue> attributes() {
    List<KeyValue> all = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      AnyValue.Builder value = AnyValue.newBuilder();
      switch (random.nextInt(6)) {
        case 0 -> value.setStringValue(word());
        case 1 -> value.setBoolValue(random.nextBoolean());
        case 2 -> value.setIntValue(random.nextLong());
        case 3 -> value.setDoubleValue(random.nextDouble());
        case 4 ->
            value.setArrayValue(
                ArrayValue.newBuilder().addValues(AnyValue.newBuilder().setStringValue(word())));
        default -> {}
      }
      all.add(KeyValue.newBuilder().setKey("key" + i).setValue(value).build());
    }
    return all;
  }

  private NumberDataPoint numberPoint() {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder()
            .addAllAttributes(attributes())
            .setStartTimeUnixNano(random.nextLong())
            .setTimeUnixNano(random.nextLong())
            .setFlags(random.nextInt(3));
    return switch (random.nextInt(3)) {
      case 0 -> point.setAsDouble(random.nextDouble()).build();
      case 1 -> point.setAsInt(random.nextLong()).build();
      default -> point.build();
    };
  }

  private Metric metric() {
    Metric.Builder metric =
        Metric.newBuilder().setName("m" + word()).setUnit("s").setDescription(word());
    int temporality = random.nextInt(3);
    switch (random.nextInt(5)) {
      case 0 ->
          metric.setGauge(
              Gauge.newBuilder().addDataPoints(numberPoint()).addDataPoints(numberPoint()));
      case 1 ->
          metric.setSum(
              Sum.newBuilder()
                  .addDataPoints(numberPoint())
                  .setAggregationTemporalityValue(temporality)
                  .setIsMonotonic(random.nextBoolean()));
      case 2 ->
          metric.setHistogram(
              Histogram.newBuilder()
                  .setAggregationTemporalityValue(temporality)
                  .addDataPoints(
                      HistogramDataPoint.newBuilder()
                          .addAllAttributes(attributes())
                          .setCount(random.nextLong())
                          .setSum(random.nextDouble())
                          .addAllBucketCounts(List.of(1L, random.nextLong()))
                          .addExplicitBounds(random.nextDouble())
                          .setMin(random.nextDouble())));
      case 3 ->
          metric.setExponentialHistogram(
              ExponentialHistogram.newBuilder()
                  .setAggregationTemporalityValue(temporality)
                  .addDataPoints(
                      ExponentialHistogramDataPoint.newBuilder()
                          .addAllAttributes(attributes())
                          .setCount(7)
                          .setScale(random.nextInt())
                          .setZeroCount(random.nextLong())
                          .setZeroThreshold(random.nextDouble())
                          .setPositive(
                              ExponentialHistogramDataPoint.Buckets.newBuilder()
                                  .setOffset(random.nextInt())
                                  .addBucketCounts(random.nextLong())
                                  .addBucketCounts(3))
                          .setMax(random.nextDouble())));
      default ->
          metric.setSummary(
              Summary.newBuilder()
                  .addDataPoints(
                      SummaryDataPoint.newBuilder()
                          .addAllAttributes(attributes())
                          .setCount(random.nextLong())
                          .setSum(random.nextDouble())
                          .addQuantileValues(
                              SummaryDataPoint.ValueAtQuantile.newBuilder()
                                  .setQuantile(0.5)
                                  .setValue(random.nextDouble()))));
    }
    return metric.build();
  }

  @Test
  void messagesOfTheLibraryAreReadAsItReadsThem() throws InvalidProtocolBufferException {
    int compared = 0;
    for (int i = 0; i < 5_000; i++) {
      MetricsData.Builder data = MetricsData.newBuilder();
      for (int r = random.nextInt(3); r >= 0; r--) {
        ScopeMetrics.Builder scope =
            ScopeMetrics.newBuilder()
                .setScope(InstrumentationScope.newBuilder().setName(word()).setVersion("1"))
                .setSchemaUrl(word());
        for (int s = random.nextInt(4); s > 0; s--) {
          scope.addMetrics(metric());
        }
        data.addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(Resource.newBuilder().addAllAttributes(attributes()))
                .addScopeMetrics(scope)
                .setSchemaUrl(word()));
      }
      byte[] message = data.build().toByteArray();
      List<String> expected = byTheLibrary(message);
      assertThat(byUs(message)).isEqualTo(expected);
      assertThat(MetricsReader.isMetrics(message, new ProtoReader())).isTrue();
      compared += expected.size();
    }
    assertThat(compared).isGreaterThan(10_000);
  }

  @Test
  void whatTheLibraryRefusesIsRefused() {
    byte[] message =
        MetricsData.newBuilder()
            .addResourceMetrics(
                ResourceMetrics.newBuilder()
                    .addScopeMetrics(
                        ScopeMetrics.newBuilder()
                            .addMetrics(metric())
                            .addMetrics(metric())
                            .addMetrics(metric())))
            .build()
            .toByteArray();
    int refused = 0;
    for (int length = 1; length < message.length; length++) {
      byte[] cut = ByteString.copyFrom(message, 0, length).toByteArray();
      boolean library = isRefusedByTheLibrary(cut);
      boolean us = isRefusedByUs(cut);
      assertThat(us).as("cut to %d bytes", length).isEqualTo(library);
      refused += us ? 1 : 0;
    }
    assertThat(refused).isEqualTo(message.length - 1);
  }

  private static boolean isRefusedByUs(byte[] message) {
    try {
      List<String> unused = byUs(message);
      return false;
    } catch (Malformed e) {
      return true;
    }
  }

  private static boolean isRefusedByTheLibrary(byte[] message) {
    try {
      MetricsData unused = MetricsData.parseFrom(message);
      return false;
    } catch (InvalidProtocolBufferException e) {
      return true;
    }
  }
}
