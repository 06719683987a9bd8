package io.peerlens.event;

import io.peerlens.event.Happened.Origin;
import io.peerlens.event.decode.Event;
import io.peerlens.event.decode.EventDecoder;
import io.peerlens.event.decode.EventReader;
import io.peerlens.event.decode.EventReader.EventException;
import io.peerlens.event.mapping.EventRules;
import io.peerlens.event.mapping.Happening;
import io.peerlens.event.mapping.Happening.Nothing;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.DecoderFault;
import io.peerlens.ingest.RejectReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Intake of records: what happened according to them, what matters of it, what cannot be read. Not
 * thread-safe.
 */
final class EventIntake {

  private static final long MINUTE = 60_000;

  private final EventDecoder decoder;
  private final EventRules rules;
  private final int mostInAMinute;

  private final List<Happened> events = new ArrayList<>();
  private final List<DeadLetter> letters = new ArrayList<>();
  private long dropped;
  private long minute;
  private long storedInMinute;

  /**
   * @param mostInAMinute events that matter in a minute, at most
   */
  EventIntake(EventDecoder decoder, EventRules rules, int mostInAMinute) {
    this.decoder = decoder;
    this.rules = rules;
    this.mostInAMinute = mostInAMinute;
  }

  /** Adds what a record says. */
  void add(ConsumerRecord<byte[], byte[]> record) {
    decoder.decode(
        record,
        new EventReader() {
          @Override
          public void take(Event event) {
            Happening what = read(record, event);
            if (what instanceof Nothing) {
              dropped++;
              return;
            }
            if (storedInMinute + events.size() >= mostInAMinute) {
              throw new EventException(
                  RejectReason.TOO_MANY,
                  "more than %,d changes in a minute: see what floods the topic, or raise peerlens.events.max-changes-per-minute"
                      .formatted(mostInAMinute));
            }
            events.add(
                new Happened(
                    what,
                    event.source(),
                    new Origin(
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        event.line(),
                        record.timestamp(),
                        event.payload())));
          }

          @Override
          public void reject(DeadLetter letter) {
            letters.add(letter);
          }
        });
  }

  /** What an event means. A mistake of ours costs this event alone. */
  private Happening read(ConsumerRecord<byte[], byte[]> record, Event event) {
    AtomicReference<Happening> what = new AtomicReference<>(Nothing.IT);
    AtomicReference<@Nullable EventException> refused = new AtomicReference<>();
    DeadLetter fault =
        DecoderFault.guard(
            record,
            event.line(),
            () -> {
              try {
                what.set(rules.read(event));
              } catch (EventException e) {
                refused.set(e);
              }
            });
    if (fault != null) {
      throw new EventException(fault.reason(), fault.detail());
    }
    EventException e = refused.get();
    if (e != null) {
      throw e;
    }
    return what.get();
  }

  /** Bytes that say all that a record does, also what stands in its headers. */
  byte[] whole(ConsumerRecord<byte[], byte[]> record) {
    clear();
    add(record);
    byte[] value = record.value();
    byte[] whole =
        events.size() == 1 && letters.isEmpty() && dropped == 0
            ? events.getFirst().origin().payload()
            : value == null ? new byte[0] : value;
    clear();
    return whole;
  }

  /** Reads a kept event anew; null = it means nothing any more. */
  @Nullable Happened again(Origin origin) {
    clear();
    add(
        new ConsumerRecord<>(
            origin.topic(),
            origin.partition(),
            origin.offset(),
            Math.max(0, origin.timestamp()),
            TimestampType.CREATE_TIME,
            ConsumerRecord.NULL_SIZE,
            origin.payload().length,
            new byte[0],
            origin.payload(),
            new RecordHeaders(),
            Optional.empty()));
    Happened read = events.isEmpty() ? null : events.getFirst();
    clear();
    return read == null ? null : new Happened(read.what(), read.source(), origin);
  }

  List<Happened> events() {
    return List.copyOf(events);
  }

  List<DeadLetter> letters() {
    return List.copyOf(letters);
  }

  long dropped() {
    return dropped;
  }

  /** What was added is stored. Only that counts against the limit, not what is read again. */
  void stored() {
    storedInMinute += events.size();
    clear();
  }

  /** Begins a new minute when it is time. */
  void at(long nowMillis) {
    if (nowMillis / MINUTE != minute) {
      minute = nowMillis / MINUTE;
      storedInMinute = 0;
    }
  }

  /** Forgets what was added. */
  void clear() {
    events.clear();
    letters.clear();
    dropped = 0;
  }
}
