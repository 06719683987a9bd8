package io.peerlens.ingest;

import io.peerlens.ingest.bytes.Bytes;
import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.FieldUses;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Table of the fields of one mapping rule and metric group, by name. Open addressing over the bytes
 * of the name, because it is asked for every field of every line.
 */
final class FieldTable {

  final GroupState group;
  private final @Nullable FieldUses uses; // null: every field is a plain value (JSON)

  /** Fields that are only ever text cost room and bring nothing: no more than this many. */
  private static final int MAX_TEXT_ONLY = 1_000;

  private @Nullable FieldSlot[] slots = new @Nullable FieldSlot[64];
  private int size;
  private int textOnly;
  private final Map<String, FieldSlot> byName = new HashMap<>();

  FieldTable(GroupState group, @Nullable FieldUses uses) {
    this.group = group;
    this.uses = uses;
  }

  @Nullable FieldSlot find(byte[] buffer, int from, int to) {
    int mask = slots.length - 1;
    int length = to - from;
    for (int i = hash(buffer, from, to) & mask; ; i = (i + 1) & mask) {
      FieldSlot slot = slots[i];
      if (slot == null) {
        return null;
      }
      byte[] name = slot.name;
      if (name.length == length && Arrays.equals(name, 0, length, buffer, from, to)) {
        return slot;
      }
    }
  }

  /**
   * The slot of a field by the text of its name.
   *
   * @return null when no number of it was met yet
   */
  @Nullable FieldSlot find(String name) {
    FieldSlot slot = byName.get(name);
    return slot == null || !slot.numberKnown ? null : slot;
  }

  FieldUse numberUse(String field) {
    return uses == null ? new FieldUse.Value(field, null) : uses.number(field);
  }

  /**
   * Makes the slot of a field if all its metrics have positions by now.
   *
   * @param raw bytes of the name as they stand in lines, with escapes
   * @return null when a metric is still unknown
   */
  @Nullable FieldSlot add(byte[] raw, String field) {
    int position = FieldSlot.NONE;
    int ratePosition = FieldSlot.NONE;
    int counter = FieldSlot.NONE;
    String numberProperty = null;
    double multiply = 1;
    switch (numberUse(field)) {
      case FieldUse.Value(String metric, var unit) -> {
        position = group.position(metric);
        if (position < 0) {
          return null;
        }
      }
      case FieldUse.Counter c -> {
        position = group.position(c.metric());
        ratePosition = group.position(c.rateMetric());
        if (position < 0 || ratePosition < 0) {
          return null;
        }
        counter = group.counter(position);
      }
      case FieldUse.Property(String property, double factor) -> {
        numberProperty = property;
        multiply = factor;
      }
      case FieldUse.Drop() -> {}
    }
    String textProperty = null;
    if (uses != null
        && uses.text(field) instanceof FieldUse.Property(String property, double factor)) {
      textProperty = property;
      multiply = factor;
    }
    return put(
        field,
        new FieldSlot(
            raw, true, position, ratePosition, counter, numberProperty, textProperty, multiply));
  }

  /** Makes the slot of a field that holds text; null when there are too many of that kind. */
  @Nullable FieldSlot addText(byte[] raw, String field) {
    if (!(numberUse(field) instanceof FieldUse.Value)
        && !(numberUse(field) instanceof FieldUse.Counter)) {
      return add(raw, field);
    }
    if (textOnly == MAX_TEXT_ONLY) {
      return null;
    }
    textOnly++;
    return put(
        field,
        new FieldSlot(raw, false, FieldSlot.NONE, FieldSlot.NONE, FieldSlot.NONE, null, null, 1));
  }

  private FieldSlot put(String field, FieldSlot slot) {
    byName.put(field, slot);
    if ((size + 1) * 2 > slots.length) {
      @Nullable FieldSlot[] old = slots;
      slots = new @Nullable FieldSlot[old.length * 2];
      size = 0;
      for (FieldSlot moved : old) {
        if (moved != null) {
          insert(moved);
        }
      }
    }
    insert(slot);
    return slot;
  }

  /** Takes the place of a slot for the same bytes. */
  private void insert(FieldSlot slot) {
    int mask = slots.length - 1;
    int i = hash(slot.name, 0, slot.name.length) & mask;
    while (true) {
      FieldSlot there = slots[i];
      if (there == null) {
        size++;
        break;
      }
      if (Arrays.equals(there.name, slot.name)) {
        break;
      }
      i = (i + 1) & mask;
    }
    slots[i] = slot;
  }

  /** First and last bytes and the length part the names of a group well enough. */
  private static int hash(byte[] buffer, int from, int to) {
    int length = to - from;
    if (length < 4) {
      int h = length;
      for (int i = from; i < to; i++) {
        h = h * 31 + buffer[i];
      }
      return h ^ (h >>> 7);
    }
    int middle = from + (length >>> 1);
    int h = length * 0x9E3779B1;
    h = (h ^ Bytes.int32(buffer, from)) * 0x85EBCA6B;
    h = (h ^ Bytes.int32(buffer, to - 4)) * 0xC2B2AE35;
    h = (h ^ Bytes.int32(buffer, Math.min(middle, to - 4))) * 0x27D4EB2F;
    return h ^ (h >>> 15);
  }
}
