package io.peerlens.ingest;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Isolation of the record that a decoder fails about. A decoder answers bad input with dead letters
 * and throws nothing; should it throw all the same, that is a mistake in Peerlens, and it must cost
 * the one record and not stop the partition.
 */
public final class DecoderFault {

  private DecoderFault() {}

  /**
   * Runs what reads one record. Whatever it noted of the record before it failed must be forgotten
   * by the caller.
   *
   * @param decode reads the record; it must not ask the database or Kafka, whose troubles pass
   * @return the letter of the whole record when reading it failed; null when it did not
   */
  public static @Nullable DeadLetter guard(
      ConsumerRecord<byte[], byte[]> record, int line, Runnable decode) {
    try {
      decode.run();
      return null;
    } catch (RuntimeException | StackOverflowError e) {
      byte[] value = record.value();
      return new DeadLetter(
          record.topic(),
          record.partition(),
          record.offset(),
          line,
          record.timestamp(),
          RejectReason.DECODER,
          "reading it failed with %s%s: this is an error in Peerlens; report it with this record, and replay it after an update"
              .formatted(shown(e), place(e)),
          value == null ? new byte[0] : value);
    }
  }

  private static String shown(Throwable e) {
    String text = e.toString();
    return text.length() <= 160 ? text : text.substring(0, 160) + "...";
  }

  /** The place of ours that threw, or through which it came. */
  private static String place(Throwable e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      if (frame.getClassName().startsWith("io.peerlens.")) {
        return " at %s:%d".formatted(frame.getFileName(), frame.getLineNumber());
      }
    }
    return "";
  }
}
