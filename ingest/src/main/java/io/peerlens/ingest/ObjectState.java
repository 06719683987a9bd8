package io.peerlens.ingest;

import io.peerlens.ingest.key.ObjectDescription;
import io.peerlens.ingest.key.ObjectReport;

/** An object as the decoder knows it. */
final class ObjectState {

  final int id;
  ObjectDescription description;

  /** Goes up with every change that lines may have to be compared with again. */
  int version = 1;

  /** Sample time last handed to the store as the object's newest. */
  long notedMicros = Long.MIN_VALUE;

  ObjectState(int id, ObjectDescription description) {
    this.id = id;
    this.description = description;
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
