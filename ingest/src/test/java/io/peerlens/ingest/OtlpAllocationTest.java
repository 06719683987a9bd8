package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.peerlens.ingest.OtlpMessages.Message;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Points that were met before are decoded without garbage. */
class OtlpAllocationTest {

  private static final long T = Decoding.NOW.getEpochSecond() - 6_000;
  private static final int ROUNDS = 60;
  private static final int POINTS = 1_000;

  private static byte[] message(OtlpMessages m, String kind, int round) {
    long time = T + 10L * round;
    List<Message> metrics = new ArrayList<>();
    for (int i = 0; i < POINTS / 10; i++) {
      Message[] points = new Message[10];
      for (int p = 0; p < points.length; p++) {
        String part = Integer.toString(p);
        points[p] =
            kind.equals("histogram")
                ? m.message()
                    .fixed(2, T * 1_000_000_000L)
                    .fixed(3, time * 1_000_000_000L)
                    .fixed(4, 10L * round)
                    .decimal(5, round)
                    .packed(6, 4L * round, 5L * round, round)
                    .packed(7, 1.0, 2.0)
                    .attributes(9, "part", part)
                : m.number(T, time, 100.0 * round, "part", part, "state", "used");
      }
      String name = "app.m" + i;
      metrics.add(
          switch (kind) {
            case "gauge" -> m.gauge(name, "By", points);
            case "counter" -> m.sum(name, "By", 2, true, points);
            default -> m.histogram(9, name, 2, points);
          });
    }
    return m.metrics(m.resource("lib", metrics, "service.name", "shop"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gauge", "counter", "histogram"})
  void knownPointsMakeNoGarbage(String kind) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    OtlpMessages m = new OtlpMessages(true);
    Decoding d = new Decoding();
    SampleBatch batch = new SampleBatch();
    List<List<ConsumerRecord<byte[], byte[]>>> rounds = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      rounds.add(List.of(d.record(message(m, kind, round), 0, null)));
    }
    long before = 0;
    for (int round = 0; round < ROUNDS; round++) {
      if (round == ROUNDS / 2) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      batch.clear();
      d.decoder().decode(rounds.get(round), Map.of(), batch);
    }
    double perPoint =
        (double) (threads.getCurrentThreadAllocatedBytes() - before) / (ROUNDS / 2 * POINTS);
    assertThat(batch.points()).isGreaterThanOrEqualTo(POINTS);
    assertThat(batch.deadLetters()).isEmpty();
    // What a record costs is shared by its points.
    assertThat(perPoint).isLessThan(2);
    System.out.printf("%s: %.2f B/point%n", kind, perPoint);
  }
}
