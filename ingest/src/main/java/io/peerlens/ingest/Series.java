package io.peerlens.ingest;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.Told;
import io.peerlens.ingest.sender.Sender;
import java.util.Arrays;

/** Series: what the bytes of a measurement and its tags mean, once found out. */
final class Series {

  final byte[] key;
  final SetState set;
  final FieldTable fields;
  final ObjectReport report;

  /** Who sends it, as far as its tags tell. */
  final Sender sender;

  /** What its measurement begins with; empty = not known. */
  final String plugin;

  /** Window in which its sender was last told of its object. */
  long toldInWindow = Long.MIN_VALUE;

  /** The object's version when this report was last compared with it; 0 = never. */
  private int appliedVersion;

  /** When records no longer hold the object's attributes, this report may count again. */
  private long compareAgainMicros = Long.MAX_VALUE;

  /** Batch in which it was last used, so that what is gone can be forgotten. */
  long lastUse;

  // Last text of each property field, so that an unchanged one costs a comparison only.
  private FieldSlot[] propertySlots = {};
  private byte[][] propertyTexts = {};

  Series(
      byte[] key,
      SetState set,
      FieldTable fields,
      ObjectAttributes attributes,
      Sender sender,
      String plugin) {
    this.sender = sender;
    this.plugin = plugin;
    this.key = key;
    this.set = set;
    this.fields = fields;
    this.report = ObjectReport.ofLine(attributes);
  }

  /** Whether the report is to be compared with what is known of the object. */
  boolean isToBeCompared(long timeMicros) {
    ObjectState object = set.object;
    return (appliedVersion != object.version || timeMicros > compareAgainMicros)
        && timeMicros >= object.description.linesMicros();
  }

  /** Notes that the report was compared with what is known of the object. */
  void compared(long timeMicros) {
    appliedVersion = set.object.version;
    Told told = set.object.description.told();
    compareAgainMicros = told.holdsAt(timeMicros) ? told.holdsUntilMicros() : Long.MAX_VALUE;
  }

  /** Whether the field's text is another than last time. */
  boolean propertyChanged(FieldSlot slot, byte[] buffer, int from, int to) {
    for (int i = 0; i < propertySlots.length; i++) {
      if (propertySlots[i] == slot) {
        return !Arrays.equals(propertyTexts[i], 0, propertyTexts[i].length, buffer, from, to);
      }
    }
    return true;
  }

  void propertyApplied(FieldSlot slot, byte[] text) {
    for (int i = 0; i < propertySlots.length; i++) {
      if (propertySlots[i] == slot) {
        propertyTexts[i] = text;
        return;
      }
    }
    propertySlots = Arrays.copyOf(propertySlots, propertySlots.length + 1);
    propertyTexts = Arrays.copyOf(propertyTexts, propertyTexts.length + 1);
    propertySlots[propertySlots.length - 1] = slot;
    propertyTexts[propertyTexts.length - 1] = text;
  }
}
