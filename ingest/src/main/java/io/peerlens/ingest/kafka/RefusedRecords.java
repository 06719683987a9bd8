package io.peerlens.ingest.kafka;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RecordSize;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.SampleSink;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Bisection of records that a store refuses as a whole: they are stored half by half, so that in
 * the end only those that are to blame go to the dead letters.
 */
public final class RefusedRecords {

  /** Storing of some of a consumer's records; each call is one transaction. */
  public interface Store {

    /**
     * Stores records as if nothing had happened.
     *
     * @throws SampleSink.RefusedException when one of them is to blame
     * @throws OutOfMemoryError when they are too much together
     */
    void store(List<ConsumerRecord<byte[], byte[]>> records);

    /** Stores the letter of a record in place of what the record says. */
    void giveUp(ConsumerRecord<byte[], byte[]> record, DeadLetter letter);

    /** Whether to stop, with some of the records not stored. */
    boolean isClosed();
  }

  private RefusedRecords() {}

  /** Stores all records, in their order; what the store throws otherwise goes on to the caller. */
  public static void store(List<ConsumerRecord<byte[], byte[]>> records, Store store) {
    if (records.isEmpty() || store.isClosed()) {
      return;
    }
    try {
      store.store(records);
    } catch (SampleSink.RefusedException | OutOfMemoryError e) {
      if (records.size() > 1) {
        int half = records.size() / 2;
        store(records.subList(0, half), store);
        store(records.subList(half, records.size()), store);
        return;
      }
      giveUp(records.getFirst(), e, store);
    }
  }

  private static void giveUp(ConsumerRecord<byte[], byte[]> record, Throwable why, Store store) {
    byte[] value = record.value();
    DeadLetter letter =
        new DeadLetter(
            record.topic(),
            record.partition(),
            record.offset(),
            1,
            record.timestamp(),
            RejectReason.STORE,
            String.valueOf(why.getMessage()),
            value == null ? new byte[0] : value);
    try {
      store.giveUp(record, letter);
    } catch (SampleSink.RefusedException | OutOfMemoryError e) {
      // Not even its letter can be stored: then one that holds nothing of what was sent.
      store.giveUp(
          record,
          new DeadLetter(
              record.topic(),
              record.partition(),
              record.offset(),
              1,
              -1,
              RejectReason.STORE,
              "neither the record nor its bytes can be stored, " + RecordSize.NOT_WHOLE,
              new byte[0]));
    }
  }
}
