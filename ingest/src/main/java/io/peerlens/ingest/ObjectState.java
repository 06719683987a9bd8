package io.peerlens.ingest;

import io.peerlens.ingest.key.ObjectDescription;
import io.peerlens.ingest.key.ObjectReport;

/** An object as the decoder knows it. */
final class ObjectState {

  /** A newest time that moved on by less is not worth handing over. */
  private static final long NOTED_AGAIN_MICROS = 30_000_000;

  final int id;
  ObjectDescription description;

  /** Goes up with every change that lines may have to be compared with again. */
  int version = 1;

  /** Sample time last handed to the store as the object's newest. */
  private long notedMicros = Long.MIN_VALUE;

  /** When its source removed it, as far as was read here. */
  private long goneMicros = Long.MIN_VALUE;

  ObjectState(int id, ObjectDescription description) {
    this.id = id;
    this.description = description;
  }

  /**
   * Notes that it is gone since that time. Returns whether this is to be told: nothing newer was
   * heard of it here.
   */
  boolean goes(long timeMicros) {
    if (timeMicros < notedMicros
        || timeMicros < description.linesMicros()
        || timeMicros < description.told().timeMicros()) {
      return false;
    }
    goneMicros = Math.max(goneMicros, timeMicros);
    return true;
  }

  /** Whether a sign of life is worth handing to the store, and notes that it is handed over. */
  boolean isNotedAt(long timeMicros) {
    boolean returns = timeMicros > goneMicros && notedMicros <= goneMicros;
    if (!returns
        && notedMicros != Long.MIN_VALUE
        && timeMicros - notedMicros <= NOTED_AGAIN_MICROS) {
      return false;
    }
    notedMicros = Math.max(notedMicros, timeMicros);
    return true;
  }

  /** Takes over what a report of that time says. Returns whether anything changed. */
  boolean merge(ObjectReport report, long timeMicros) {
    ObjectDescription after = description.after(report, timeMicros);
    if (after == description) {
      return false;
    }
    // What a record says, lines do not change, unless records were silent for long.
    if (report.source() == ObjectReport.Source.LINE || !description.told().holdsAt(timeMicros)) {
      version++;
    }
    description = after;
    return true;
  }
}
