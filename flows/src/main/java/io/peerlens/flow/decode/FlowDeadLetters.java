package io.peerlens.flow.decode;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters of what could not be decoded in a Kafka record. A record of nothing but garbage
 * makes {@value #MAX_LETTERS} of them, and one more with all the rest. Not thread-safe.
 */
public final class FlowDeadLetters implements Rejects {

  private static final int MAX_LETTERS = 100;

  private final List<DeadLetter> letters = new ArrayList<>();
  private final ByteArrayOutputStream more = new ByteArrayOutputStream();

  private @Nullable ConsumerRecord<byte[], byte[]> record;
  private int beginOfRecord;
  private int ofRecord;
  private int moreOfRecord;
  private @Nullable DeadLetter firstOfMore;

  /** Everything rejected from now on is of this record. */
  public void begin(ConsumerRecord<byte[], byte[]> next) {
    end();
    record = next;
    ofRecord = 0;
    beginOfRecord = letters.size();
  }

  @Override
  public void reject(int number, RejectReason reason, String detail, int from, int to) {
    ConsumerRecord<byte[], byte[]> of = record;
    if (of == null) {
      throw new IllegalStateException("Rejected before begin");
    }
    DeadLetter letter =
        new DeadLetter(
            of.topic(),
            of.partition(),
            of.offset(),
            number,
            of.timestamp(),
            reason,
            detail,
            Arrays.copyOfRange(of.value(), from, to));
    if (++ofRecord <= MAX_LETTERS) {
      letters.add(letter);
      return;
    }
    if (firstOfMore == null) {
      firstOfMore = letter;
    } else if (!FlowDecoder.isProtobuf(of.value(), 0, of.value().length)) {
      more.write('\n');
    }
    more.writeBytes(letter.payload());
    moreOfRecord++;
  }

  /** Puts one letter in place of all of the record that was begun last. */
  public void replace(DeadLetter letter) {
    letters.subList(beginOfRecord, letters.size()).clear();
    forgetMore();
    letters.add(letter);
  }

  /** Closes the last record and gives the letters of all records since the last call. */
  public List<DeadLetter> take() {
    end();
    List<DeadLetter> taken = List.copyOf(letters);
    letters.clear();
    return taken;
  }

  private void end() {
    DeadLetter first = firstOfMore;
    if (first != null) {
      letters.add(
          new DeadLetter(
              first.topic(),
              first.partition(),
              first.offset(),
              first.line(),
              first.timestamp(),
              first.reason(),
              "%d more of this record; the first one: %s".formatted(moreOfRecord, first.detail()),
              more.toByteArray()));
      forgetMore();
    }
    record = null;
  }

  private void forgetMore() {
    firstOfMore = null;
    moreOfRecord = 0;
    more.reset();
  }
}
