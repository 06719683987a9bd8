package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.ingest.OtlpMessages.Message;
import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Points of OpenTelemetry become objects and values; values are computed by hand. */
class OtlpRecordsTest {

  private static final long T = Decoding.NOW.getEpochSecond() - 600;
  private static final ObjectKey SERVICE = new ObjectKey("OpenTelemetry", "Service", "shop");

  private final OtlpMessages m = new OtlpMessages(false);
  private final Decoding d = new Decoding();

  private void take(Message... metrics) {
    d.bytes(m.metrics(m.resource("lib", List.of(metrics), "service.name", "shop")));
  }

  private double value(String key, long second) {
    return d.value(SERVICE, key, second * 1_000_000);
  }

  private Message sum(int temporality, boolean monotonic, long start, long time, double value) {
    return m.sum("app.n", "By", temporality, monotonic, m.number(start, time, value));
  }

  @Test
  void aGaugeIsStoredUnderTheNameOfItsMetricWithItsAttributesAsInstance() {
    take(m.gauge("app.queue.depth", "{message}", m.number(0, T, 32, "queue", "a", "b", "2")));
    assertThat(value("app.queue:b=2,queue=a|depth", T)).isEqualTo(32);
    assertThat(d.catalog.metrics(new GroupKey("OpenTelemetry", "Service", "app.queue")))
        .containsExactly(new Metric("depth", "message"));
    assertThat(d.letters()).isEmpty();
  }

  @Test
  void aCumulativeCounterGetsItsIncreaseForEachSecond() {
    take(sum(2, true, T - 100, T, 500));
    take(sum(2, true, T - 100, T + 10, 620));
    assertThat(value("app|n", T)).isEqualTo(500);
    assertThat(value("app|n_rate", T)).isNaN();
    assertThat(value("app|n", T + 10)).isEqualTo(620);
    assertThat(value("app|n_rate", T + 10)).isEqualTo(12);
  }

  @Test
  void aCounterWithANewStartWasResetThoughItsValueDidNotFall() {
    take(sum(2, true, T - 100, T, 500));
    take(sum(2, true, T + 5, T + 10, 600));
    assertThat(value("app|n_rate", T + 10)).isEqualTo(120);
  }

  @Test
  void aCounterThatFellWithoutAStartCountsFromZero() {
    take(sum(2, true, 0, T, 500));
    take(sum(2, true, 0, T + 10, 20));
    assertThat(value("app|n_rate", T + 10)).isEqualTo(2);
  }

  @Test
  void aCounterGoesOnAfterARestart() {
    take(sum(2, true, T - 100, T, 500));
    d.restart();
    take(sum(2, true, T - 100, T + 20, 540));
    assertThat(value("app|n_rate", T + 20)).isEqualTo(2);
  }

  @Test
  void aCounterOutOfOrderHasNoRateAndSpoilsNone() {
    take(sum(2, true, T - 100, T + 10, 500));
    take(sum(2, true, T - 100, T, 400));
    take(sum(2, true, T - 100, T + 20, 600));
    assertThat(value("app|n", T)).isEqualTo(400);
    assertThat(value("app|n_rate", T)).isNaN();
    assertThat(value("app|n_rate", T + 20)).isEqualTo(10);
  }

  @Test
  void aDeltaIsARateOverItsOwnInterval() {
    take(sum(1, true, T - 20, T, 500));
    assertThat(value("app|n_rate", T)).isEqualTo(25);
    assertThat(d.names(SERVICE, "app")).containsExactly("n_rate");
  }

  @Test
  void aDeltaWithoutStartIsARateSinceTheLastPoint() {
    take(sum(1, true, 0, T, 500));
    take(sum(1, true, 0, T + 50, 500));
    assertThat(value("app|n_rate", T)).isNaN();
    assertThat(value("app|n_rate", T + 50)).isEqualTo(10);
  }

  @Test
  void aChangeOfAnUpDownCounterIsStoredAsSuch() {
    take(sum(1, false, T - 20, T, -3));
    assertThat(value("app|n_change", T)).isEqualTo(-3);
  }

  @Test
  void aSumThatMayFallIsAValue() {
    take(sum(2, false, T - 20, T, 7));
    assertThat(value("app|n", T)).isEqualTo(7);
    assertThat(d.names(SERVICE, "app")).containsExactly("n");
  }

  @Test
  void aPointWithoutRecordedValueEndsACounter() {
    take(sum(2, true, T - 100, T, 500));
    take(
        m.sum(
            "app.n", "By", 2, true, m.message().fixed(3, (T + 10) * 1_000_000_000L).varint(8, 1)));
    take(sum(2, true, T - 100, T + 20, 700));
    take(sum(2, true, T - 100, T + 30, 710));
    assertThat(value("app|n_rate", T + 20)).isNaN();
    assertThat(value("app|n_rate", T + 30)).isEqualTo(1);
    assertThat(d.letters()).isEmpty();
  }

  @Test
  void whatIsNoNumberIsPassedOver() {
    take(
        m.gauge(
            "app.g",
            "",
            m.number(0, T, Double.NaN, "a", "1"),
            m.number(0, T, Double.POSITIVE_INFINITY, "a", "2"),
            m.message().fixed(3, T * 1_000_000_000L),
            m.number(0, T, 4, "a", "3")));
    assertThat(d.all().keySet()).containsExactly("shop/app:a=3|g@" + T * 1_000_000);
    assertThat(d.passedOver()).isEqualTo(3);
    assertThat(d.letters()).isEmpty();
  }

  @Test
  void aPointWithoutTimeHasThatOfItsRecord() {
    take(m.gauge("app.g", "", m.message().fixed(6, 5)));
    assertThat(d.value(SERVICE, "app|g", Decoding.NOW.toEpochMilli() * 1_000)).isEqualTo(5);
  }

  private Message explicit(long start, long time, double sum, long... counts) {
    long count = 0;
    for (long one : counts) {
      count += one;
    }
    return m.message()
        .fixed(2, start * 1_000_000_000L)
        .fixed(3, time * 1_000_000_000L)
        .fixed(4, count)
        .decimal(5, sum)
        .packed(6, counts)
        .packed(7, 1.0, 2.0, 4.0);
  }

  @Test
  void aCumulativeHistogramTellsOfTheIntervalSinceTheLastPoint() {
    take(m.histogram(9, "app.d", 2, explicit(T - 100, T, 10, 5, 5, 5, 5)));
    take(m.histogram(9, "app.d", 2, explicit(T - 100, T + 10, 40, 15, 45, 5, 5)));
    assertThat(value("app|d_count_rate", T)).isNaN();
    assertThat(value("app|d_count_rate", T + 10)).isEqualTo(5);
    assertThat(value("app|d_avg", T + 10)).isEqualTo(0.6);
    // 10 values up to 1, 40 from 1 to 2: the 25th is 15 of 40 into the second bucket.
    assertThat(value("app|d_p50", T + 10)).isEqualTo(1.375);
    assertThat(value("app|d_p95", T + 10)).isEqualTo(1 + 37.5 / 40);
    assertThat(d.names(SERVICE, "app"))
        .containsExactly("d_count_rate", "d_avg", "d_p50", "d_p95", "d_p99");
  }

  @Test
  void aResetHistogramHasNoValueUnlessItSaysSinceWhenItCounts() {
    take(m.histogram(9, "app.d", 2, explicit(T - 100, T, 10, 5, 5, 5, 5)));
    take(m.histogram(9, "app.d", 2, explicit(T - 100, T + 10, 1, 1, 0, 0, 0)));
    take(m.histogram(9, "app.d", 2, explicit(T + 15, T + 20, 8, 10, 0, 0, 0)));
    assertThat(value("app|d_count_rate", T + 10)).isNaN();
    assertThat(value("app|d_count_rate", T + 20)).isEqualTo(2);
    assertThat(value("app|d_p50", T + 20)).isEqualTo(0.5);
  }

  @Test
  void aDeltaHistogramTellsItsLeastAndGreatestValueAndPercentilesKeepWithinThem() {
    Message point = explicit(T - 10, T, 60, 0, 0, 0, 20).decimal(11, 3).decimal(12, 3.5);
    take(m.histogram(9, "app.d", 1, point));
    assertThat(value("app|d_count_rate", T)).isEqualTo(2);
    assertThat(value("app|d_avg", T)).isEqualTo(3);
    assertThat(value("app|d_min", T)).isEqualTo(3);
    assertThat(value("app|d_max", T)).isEqualTo(3.5);
    // In the last bucket its lower bound, 4, is the best guess, which is above the greatest value.
    assertThat(value("app|d_p99", T)).isEqualTo(3.5);
  }

  private Message exponential(long time, int scale, int offset, long zero, long... counts) {
    long count = zero;
    for (long one : counts) {
      count += one;
    }
    return m.message()
        .fixed(2, (T - 100) * 1_000_000_000L)
        .fixed(3, time * 1_000_000_000L)
        .fixed(4, count)
        .decimal(5, count)
        .varint(6, (scale << 1) ^ (scale >> 31))
        .fixed(7, zero)
        .message(8, m.message().varint(1, (offset << 1) ^ (offset >> 31)).packedVarint(2, counts));
  }

  @Test
  void anExponentialHistogramGivesTheMiddleOfABucket() {
    take(m.histogram(10, "app.e", 2, exponential(T, 0, 0, 0, 1, 1)));
    // Scale 0: the buckets are (1, 2], (2, 4], (4, 8]. Four values came, all in the third.
    take(m.histogram(10, "app.e", 2, exponential(T + 4, 0, 0, 0, 1, 1, 4)));
    assertThat(value("app|e_count_rate", T + 4)).isEqualTo(1);
    assertThat(value("app|e_p50", T + 4)).isCloseTo(Math.sqrt(32), within(1e-12));
  }

  @Test
  void anExponentialHistogramThatGotCoarserIsStillComparedWithItsLastPoint() {
    // Scale 1: buckets (1, sqrt 2], (sqrt 2, 2], (2, 2 sqrt 2]; scale 0 joins the first two.
    take(m.histogram(10, "app.e", 2, exponential(T, 1, 0, 1, 2, 3, 4)));
    take(m.histogram(10, "app.e", 2, exponential(T + 10, 0, 0, 1, 5, 14)));
    assertThat(value("app|e_count_rate", T + 10)).isEqualTo(1);
    assertThat(value("app|e_p50", T + 10)).isCloseTo(Math.sqrt(8), within(1e-12));
  }

  @Test
  void anExponentialHistogramOfNegativeValuesIsOrderedFromTheLowest() {
    Message point =
        m.message()
            .fixed(2, (T - 10) * 1_000_000_000L)
            .fixed(3, T * 1_000_000_000L)
            .fixed(4, 10)
            .fixed(7, 4)
            .message(9, m.message().packedVarint(2, 1, 5)); // (-2, -1] 1, (-4, -2] 5
    take(m.histogram(10, "app.e", 1, point));
    assertThat(value("app|e_p50", T)).isCloseTo(-Math.sqrt(8), within(1e-12));
    assertThat(value("app|e_p95", T)).isEqualTo(0);
  }

  @Test
  void aSummaryGivesItsQuantilesAndTheMeanOfTheInterval() {
    for (int i = 0; i < 2; i++) {
      Message point =
          m.message()
              .fixed(3, (T + 10 * i) * 1_000_000_000L)
              .fixed(4, 100 + 50 * i)
              .decimal(5, 10 + 25 * i)
              .message(6, m.message().decimal(1, 0).decimal(2, 0.1))
              .message(6, m.message().decimal(1, 0.5).decimal(2, 0.4))
              .message(6, m.message().decimal(1, 0.999).decimal(2, 2 + i));
      take(m.message().text(1, "app.s").text(3, "s").message(11, m.message().message(1, point)));
    }
    assertThat(value("app|s_min", T)).isEqualTo(0.1);
    assertThat(value("app|s_p50", T)).isEqualTo(0.4);
    assertThat(value("app|s_p99_9", T)).isEqualTo(2);
    assertThat(value("app|s_p99_9", T + 10)).isEqualTo(3);
    assertThat(value("app|s_count_rate", T + 10)).isEqualTo(5);
    assertThat(value("app|s_avg", T + 10)).isEqualTo(0.5);
  }

  @Test
  void bothOrdersOfFieldsGiveTheSame() {
    List<Map<String, Double>> all = new ArrayList<>();
    for (boolean descending : new boolean[] {false, true}) {
      OtlpMessages messages = new OtlpMessages(descending);
      Decoding decoding = new Decoding();
      for (int round = 0; round < 3; round++) {
        decoding.bytes(OtlpSamples.all(messages, T + 10 * round, round));
      }
      assertThat(decoding.letters()).isEmpty();
      all.add(decoding.all());
    }
    assertThat(all.getFirst()).hasSizeGreaterThan(50).isEqualTo(all.getLast());
  }

  @Test
  void attributesThatStandApartAreFoundAgain() {
    byte[] attribute = m.message().attributes(7, "a", "1").toBytes();
    byte[] other = m.message().attributes(7, "b", "2").toBytes();
    byte[] value = m.message().decimal(4, 3).toBytes();
    byte[] time = m.message().fixed(3, T * 1_000_000_000L).toBytes();
    byte[] scattered = new byte[attribute.length + other.length + value.length + time.length];
    int at = 0;
    for (byte[] part : List.of(attribute, value, other, time)) {
      System.arraycopy(part, 0, scattered, at, part.length);
      at += part.length;
    }
    take(m.message().text(1, "app.g").message(5, m.message().bytes(1, scattered)));
    assertThat(value("app:a=1,b=2|g", T)).isEqualTo(3);
  }

  @Test
  void aTruncatedMessageIsOneDeadLetterAndStoresNothing() {
    byte[] whole = OtlpSamples.all(m, T, 0);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int length = 1; length < whole.length; length++) {
      records.add(d.record(Arrays.copyOf(whole, length), 0, "application/x-protobuf"));
    }
    d.batch(records);
    // Only where one resource ends and the next has not begun is a part of it a message.
    assertThat(d.rejections().stream().filter(r -> !r.startsWith("protobuf"))).isEmpty();
    assertThat(d.letters()).hasSize(whole.length - 3);
    assertThat(d.letters())
        .allSatisfy(
            letter -> {
              assertThat(letter.reason()).isEqualTo(RejectReason.PROTOBUF);
              assertThat(letter.detail()).contains("at byte").contains("otlp_proto");
            });
  }

  @Test
  void aBadPointIsADeadLetterThatCanBeReadAgainAndCostsItsNeighboursNothing() {
    Instant later = Decoding.NOW.plus(Duration.ofMinutes(30));
    take(
        m.gauge(
            "app.g",
            "",
            m.number(0, T, 1, "a", "1"),
            m.number(0, later.getEpochSecond(), 2, "a", "2"),
            m.number(0, T, 3, "a", "3")));
    assertThat(d.all()).hasSize(2);
    assertThat(d.rejections()).singleElement().asString().startsWith("future: ");
    DeadLetter letter = d.letters().getFirst();
    assertThat(letter.line()).isEqualTo(2);
    d.at(later).bytes(letter.payload());
    assertThat(value("app:a=2|g", later.getEpochSecond())).isEqualTo(2);
    assertThat(d.letters()).hasSize(1);
  }

  @Test
  void manyBadPointsOfARecordShareALetterThatCanBeReadAgain() {
    Instant later = Decoding.NOW.plus(Duration.ofMinutes(30));
    Message[] points = new Message[250];
    for (int i = 0; i < points.length; i++) {
      points[i] = m.number(0, later.getEpochSecond(), i, "a", Integer.toString(i));
    }
    take(m.gauge("app.g", "", points));
    assertThat(d.letters()).hasSize(101);
    assertThat(d.letters().getLast().detail()).startsWith("150 more of this record");
    d.at(later).bytes(d.letters().getLast().payload());
    assertThat(d.all()).hasSize(150);
  }

  @Test
  void namesThatAreNoTextAreDeadLettersThatSayWhatToDo() {
    byte[] binary = {(byte) 0xC3, 0x28, 1, 2};
    take(
        m.message().bytes(1, binary).message(5, m.message().message(1, m.number(0, T, 1))),
        m.gauge("app.g", "", m.number(0, T, 1)));
    assertThat(value("app|g", T)).isEqualTo(1);
    assertThat(d.rejections())
        .containsExactly(
            "text: the name of the metric is not UTF-8 text or holds a NUL character: send metrics alone to this topic, traces and logs to others");
  }

  @Test
  void newObjectsSetsAndMetricsBeyondTheGuardsAreDeadLetters() {
    IngestGuards few =
        new IngestGuards(Duration.ofMinutes(10), Duration.ofDays(400), 1, 1, 0, 4 << 20, 500);
    d.guards(few);
    take(m.gauge("app.g", "", m.number(0, T, 1)), m.gauge("app.h", "", m.number(0, T, 1)));
    assertThat(d.rejections()).singleElement().asString().startsWith("new-metrics: ");
    d.bytes(
        m.metrics(
            m.resource(
                "lib", List.of(m.gauge("app.g", "", m.number(0, T, 1))), "service.name", "b")));
    assertThat(d.rejections()).hasSize(2).last().asString().startsWith("new-objects: ");
    assertThat(d.all()).hasSize(1);
    // Nothing is remembered of what was refused.
    d.guards(IngestGuards.DEFAULT);
    d.bytes(d.letters().getLast().payload());
    assertThat(d.all()).hasSize(2);
  }

  @Test
  void aNameThatIsTooLongIsADeadLetter() {
    take(
        m.gauge("g." + "x".repeat(600), "", m.number(0, T, 1)),
        m.gauge("app.g", "", m.number(0, T, 1, "a", "y".repeat(600))));
    assertThat(d.rejections()).hasSize(2).allMatch(r -> r.startsWith("too-long: "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"resourceSpans", "resourceLogs"})
  void otherSignalsInJsonAreRefusedWithWhatToDo(String member) {
    d.records("{\"%s\":[{\"resource\":{}}]}".formatted(member));
    assertThat(d.rejections())
        .singleElement()
        .asString()
        .contains("only metrics are read from this topic");
  }

  @Test
  void aHeaderThatNamesAnotherSignalRefusesTheRecord() {
    ConsumerRecord<byte[], byte[]> record =
        d.record(OtlpSamples.all(m, T, 0), 0, "application/x-protobuf");
    record.headers().add("otelcol.signal", "traces".getBytes(StandardCharsets.UTF_8));
    d.batch(List.of(record));
    assertThat(d.rejections()).singleElement().asString().contains("traces of OpenTelemetry");
  }

  @Test
  void aProtobufMessageOfAnotherKindIsNotTakenForMetrics() {
    d.batch(
        List.of(
            d.record(
                OtlpSamples.all(m, T, 0), 0, "application/x-protobuf;proto=io.example.Something")));
    assertThat(d.rejections()).singleElement().asString().startsWith("protobuf: ");
  }

  @Test
  void linesThatBeginWithABlankLineStayLines() {
    d.records("\n\napp,host=a f=1 " + T + "000000000\n");
    assertThat(d.value(Decoding.host("a"), "app|f", T * 1_000_000)).isEqualTo(1);
  }

  @Test
  void aRecordThatOvertookOneThatWaitsForTheCatalogDoesNotCostARate() {
    take(sum(2, true, T - 100, T, 100));
    // The first record has a metric that is new and waits; the second one has none.
    d.batch(
        List.of(
            d.record(
                m.metrics(
                    m.resource(
                        "lib",
                        List.of(
                            sum(2, true, T - 100, T + 10, 200),
                            m.gauge("app.late", "", m.number(0, T + 10, 1))),
                        "service.name",
                        "shop")),
                0,
                null),
            d.record(
                m.metrics(
                    m.resource(
                        "lib",
                        List.of(sum(2, true, T - 100, T + 20, 400)),
                        "service.name",
                        "shop")),
                0,
                null)));
    assertThat(value("app|n_rate", T + 10)).isEqualTo(10);
    assertThat(value("app|n_rate", T + 20)).isEqualTo(20);
    assertThat(value("app|late", T + 10)).isEqualTo(1);
  }
}
