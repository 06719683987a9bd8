package io.peerlens.ingest;

import org.jspecify.annotations.Nullable;

/** Slot of one field of one group: what becomes of it; found by the field's bytes. */
final class FieldSlot {

  static final int NONE = -1;

  final byte[] name;

  /** False while only text was met, so that nobody asked for the metric of its numbers yet. */
  final boolean numberKnown;

  /** Position of the value, NONE when numbers of this field are not stored. */
  final int position;

  /** Position of the increase for each second, NONE when this is no counter. */
  final int ratePosition;

  /** Place of a counter's last value in {@link SetState}, NONE when this is no counter. */
  final int counter;

  /** Property that takes a number of this field, null when none does. */
  final @Nullable String numberProperty;

  /** Property that takes text of this field, null when none does. */
  final @Nullable String textProperty;

  final double multiply;

  FieldSlot(
      byte[] name,
      boolean numberKnown,
      int position,
      int ratePosition,
      int counter,
      @Nullable String numberProperty,
      @Nullable String textProperty,
      double multiply) {
    this.name = name;
    this.numberKnown = numberKnown;
    this.position = position;
    this.ratePosition = ratePosition;
    this.counter = counter;
    this.numberProperty = numberProperty;
    this.textProperty = textProperty;
    this.multiply = multiply;
  }
}
