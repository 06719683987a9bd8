package io.peerlens.ingest;

import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.FieldUses;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one mapping rule and metric group, by name. Open addressing over the bytes of the
 * name, because it is asked for every field of every line.
 */
final class FieldTable {

  final GroupState group;
  private final @Nullable FieldUses uses; // null: every field is a plain value (JSON)

  private FieldSlot[] slots = new FieldSlot[64];
  private int size;
  private int counters;
  private final Map<String, FieldSlot> byName = new HashMap<>();

  FieldTable(GroupState group, @Nullable FieldUses uses) {
    this.group = group;
    this.uses = uses;
  }

  int counters() {
    return counters;
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

  @Nullable FieldSlot find(String name) {
    return byName.get(name);
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
        counter = counters++;
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
    FieldSlot slot =
        new FieldSlot(raw, position, ratePosition, counter, numberProperty, textProperty, multiply);
    byName.put(new String(raw, StandardCharsets.UTF_8), slot);
    if (++size * 2 > slots.length) {
      FieldSlot[] old = slots;
      slots = new FieldSlot[old.length * 2];
      for (FieldSlot moved : old) {
        if (moved != null) {
          insert(moved);
        }
      }
    }
    insert(slot);
    return slot;
  }

  private void insert(FieldSlot slot) {
    int mask = slots.length - 1;
    int i = hash(slot.name, 0, slot.name.length) & mask;
    while (slots[i] != null) {
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
