package io.peerlens.ingest;

import io.peerlens.ingest.key.ObjectAttributes;

/** An object as the decoder knows it. */
final class ObjectState {

  final int id;
  ObjectAttributes attributes;

  /** Newest sample that changed an attribute; what older samples say no longer counts. */
  long attributesTimeMicros;

  /** Goes up with every change of the attributes, so that series know when to look again. */
  int version = 1;

  /** Sample time last handed to the store as the object's newest. */
  long notedMicros = Long.MIN_VALUE;

  ObjectState(int id, ObjectAttributes attributes, long attributesTimeMicros) {
    this.id = id;
    this.attributes = attributes;
    this.attributesTimeMicros = attributesTimeMicros;
  }

  /** Takes over what a sample of that time says. Returns whether anything changed. */
  boolean merge(ObjectAttributes told, long timeMicros) {
    ObjectAttributes merged = attributes.with(told);
    if (merged.equals(attributes)) {
      return false;
    }
    attributes = merged;
    attributesTimeMicros = timeMicros;
    version++;
    return true;
  }
}
