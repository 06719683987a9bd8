package io.peerlens.flow.decode;

import static io.peerlens.flow.decode.FlowFields.NOT_SAID;

import io.peerlens.ingest.RejectReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Times of the record that is being read: when it was received, and when its flow started and
 * ended. Milliseconds since 1970, {@link FlowFields#NOT_SAID} where the record says nothing.
 */
final class FlowTimes {

  private final FlowFields fields;

  // What holds for one value.
  private long recordTimeMillis;
  private long oldestMillis;
  private long newestMillis;
  private FlowGuards limits = FlowGuards.DEFAULT;

  long received;
  long startMillis;
  long endMillis;

  FlowTimes(FlowFields fields) {
    this.fields = fields;
  }

  /**
   * Starts with a value.
   *
   * @param recordTime Kafka's timestamp, for records that do not say when they were received;
   *     negative = there is none, then it is now
   */
  void begin(long now, long recordTime, FlowGuards guards) {
    recordTimeMillis = recordTime < 0 ? now : recordTime;
    limits = guards;
    oldestMillis = now - limits.maxAge().toMillis();
    newestMillis = now + limits.maxFuture().toMillis();
  }

  /** Latest moment that a record may tell of. */
  long newestMillis() {
    return newestMillis;
  }

  /** Reads the times of goflow2, which are nanoseconds or words. */
  void readGoflow2() {
    received = fields.nanos(Field.RECEIVED_NS);
    if (received == NOT_SAID) {
      received = recordTimeMillis;
    }
    startMillis = fields.nanos(Field.START_NS);
    endMillis = fields.nanos(Field.END_NS);
  }

  /**
   * Reads Telegraf's timestamp in milliseconds; its unit is a setting, which the size of it tells.
   */
  long readTelegrafTime() {
    if (!fields.has(Field.TIMESTAMP)) {
      received = recordTimeMillis;
      return received;
    }
    long value = fields.whole(Field.TIMESTAMP, 0, Long.MAX_VALUE);
    if (value < 100_000_000_000L) {
      received = value * 1_000;
    } else if (value < 100_000_000_000_000L) {
      received = value;
    } else {
      received = value < 100_000_000_000_000_000L ? value / 1_000 : value / 1_000_000;
    }
    return received;
  }

  /** Reads when the flow started and ended, by whatever the exporter says of it. */
  void readTelegraf(Exporters.@Nullable Exporter exporter) {
    startMillis = fields.time(Field.START_MS, 1);
    endMillis = fields.time(Field.END_MS, 1);
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = fields.time(Field.START_S, 1_000);
      endMillis = fields.time(Field.END_S, 1_000);
    }
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = fields.ntp(Field.START_NTP);
      endMillis = fields.ntp(Field.END_NTP);
    }
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = fields.ago(Field.START_AGO_US, received);
      endMillis = fields.ago(Field.END_AGO_US, received);
    }
    if (startMillis != NOT_SAID || endMillis != NOT_SAID) {
      return;
    }
    if (!fields.has(Field.FIRST_SWITCHED) || !fields.has(Field.LAST_SWITCHED)) {
      return;
    }
    long first = fields.whole(Field.FIRST_SWITCHED, 0, FlowFields.MAX_UNSIGNED_32);
    long last = fields.whole(Field.LAST_SWITCHED, 0, FlowFields.MAX_UNSIGNED_32);
    int duration = (int) (last - first); // both are counters of 32 bits that start over
    if (fields.has(Field.UPTIME)) {
      endMillis =
          received - (int) (fields.whole(Field.UPTIME, 0, FlowFields.MAX_UNSIGNED_32) - last);
    } else {
      long systemStart = fields.whole(Field.SYSTEM_START_MS, Exporters.UNKNOWN, newestMillis);
      if (systemStart <= 0 && exporter != null) {
        systemStart = exporter.systemStartMillis();
      }
      if (systemStart <= 0) {
        return;
      }
      // The exporter may be up for longer than 32 bits hold: of all times that it can mean, the one
      // next to the receipt.
      endMillis = received - (int) (received - (systemStart + last));
    }
    startMillis = endMillis - Math.max(0, duration);
  }

  /** Makes both ends of the flow known, from whatever is. */
  void complete() {
    if (startMillis == NOT_SAID && endMillis == NOT_SAID) {
      startMillis = received;
      endMillis = received;
    } else if (startMillis == NOT_SAID) {
      startMillis = endMillis;
    } else if (endMillis == NOT_SAID) {
      endMillis = startMillis;
    }
    startMillis = Math.min(startMillis, endMillis); // exporters round both on their own
  }

  /** Refuses what is ahead of the clock; whether it is not. */
  boolean isNotAhead(long told) {
    return told <= newestMillis || fields.refuse(RejectReason.FUTURE, ahead("received", told));
  }

  /** Refuses a flow that is too old, too long or ahead of the clock; whether it is not. */
  boolean isInTime() {
    long latest = Math.max(received, endMillis);
    if (latest > newestMillis) {
      return fields.refuse(
          RejectReason.FUTURE, ahead(latest == endMillis ? "ends at" : "received", latest));
    }
    long earliest = Math.min(received, endMillis);
    if (earliest < oldestMillis) {
      return fields.refuse(
          RejectReason.TOO_OLD,
          "the flow %s %s, more than %d hours ago: correct the exporter's clock, or raise the guard maxAge"
              .formatted(
                  earliest == endMillis ? "ends at" : "was received",
                  Instant.ofEpochMilli(earliest),
                  limits.maxAge().toHours()));
    }
    long longest = limits.maxDuration().toMillis();
    if (startMillis < endMillis - longest) {
      return fields.refuse(
          RejectReason.TIMESTAMP,
          "the flow lasts from %s to %s, longer than %d hours: set the exporter's active timeout, correct its clock, or raise the guard maxDuration"
              .formatted(
                  shownInstant(startMillis),
                  shownInstant(endMillis),
                  limits.maxDuration().toHours()));
    }
    return true;
  }

  private String ahead(String what, long millis) {
    return "the flow %s %s, more than %d s ahead of the clock: correct the clock of the %s"
        .formatted(
            what.equals("received") ? "was received" : what,
            shownInstant(millis),
            limits.maxFuture().toSeconds(),
            what.equals("received") ? "collector" : "exporter");
  }

  private static String shownInstant(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
