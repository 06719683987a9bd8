package io.peerlens.ingest;

import static io.peerlens.ingest.Decoding.host;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A decoder that fails about a record costs that record alone. */
class DecoderFaultTest {

  private static final long T = 1_795_219_680_000_000L;

  static List<Throwable> faults() {
    return List.of(
        new NullPointerException("something was null"),
        new ArithmeticException("x".repeat(1_000)),
        new IllegalStateException(),
        new StackOverflowError());
  }

  /** A record about which reading fails, at some use of its timestamp. */
  private static ConsumerRecord<byte[], byte[]> failing(
      Decoding d, String text, Throwable fault, int uses) {
    byte[] value = text.getBytes(StandardCharsets.UTF_8);
    ConsumerRecord<byte[], byte[]> plain = d.record(value, T / 1_000, null);
    AtomicInteger left = new AtomicInteger(uses);
    return new ConsumerRecord<>(
        plain.topic(),
        plain.partition(),
        plain.offset(),
        plain.timestamp(),
        TimestampType.CREATE_TIME,
        -1,
        value.length,
        null,
        value,
        new RecordHeaders(),
        Optional.empty()) {
      @Override
      public long timestamp() {
        if (left.decrementAndGet() == 0) {
          throw DecoderFaultTest.<RuntimeException>any(fault);
        }
        return super.timestamp();
      }
    };
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E any(Throwable fault) throws E {
    throw (E) fault;
  }

  @ParameterizedTest
  @MethodSource("faults")
  void failingAtOnceOrAfterTheCatalogWasAskedCostsOneRecord(Throwable fault) {
    for (int uses = 1; uses <= 3; uses++) {
      Decoding d = new Decoding();
      String poison =
          "probe,host=p%d v=1\nprobe,host=q%d v=2\nno line protocol\n".formatted(uses, uses);
      d.batch(
          List.of(
              d.record("probe,host=a v=1".getBytes(StandardCharsets.UTF_8), T / 1_000, null),
              failing(d, poison, fault, uses),
              d.record("probe,host=b v=2".getBytes(StandardCharsets.UTF_8), T / 1_000, null)));

      assertThat(d.value(host("a"), "probe|v", T)).isEqualTo(1);
      assertThat(d.value(host("b"), "probe|v", T)).isEqualTo(2);
      DeadLetter letter =
          d.letters().stream()
              .filter(l -> l.reason() == RejectReason.DECODER)
              .findFirst()
              .orElseThrow();
      assertThat(new String(letter.payload(), StandardCharsets.UTF_8)).isEqualTo(poison);
      assertThat(letter.offset()).isEqualTo(1);
      assertThat(letter.detail())
          .contains(fault.getClass().getSimpleName(), "an error in Peerlens")
          .hasSizeLessThan(400);
      assertThat(d.sink.position(Decoding.PARTITION)).isEqualTo(3);
    }
  }
}
