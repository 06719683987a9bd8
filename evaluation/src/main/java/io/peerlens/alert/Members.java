package io.peerlens.alert;

import io.peerlens.threshold.Symptom;
import io.peerlens.threshold.Threshold;

/** Members of alerts, made from symptoms. */
final class Members {

  private Members() {}

  /** A member; its unit is looked up only when it is written. */
  static Member of(Threshold threshold, Symptom symptom) {
    return new Member(
        threshold.id(),
        threshold.name(),
        symptom.objectId(),
        symptom.instance(),
        symptom.key(),
        null,
        symptom.severity(),
        symptom.value(),
        symptom.text(),
        threshold.condition().comparison(),
        symptom.bound(),
        symptom.upper(),
        symptom.since(),
        symptom.violations(),
        symptom.of(),
        symptom.unknown());
  }
}
