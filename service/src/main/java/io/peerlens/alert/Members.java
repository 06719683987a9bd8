package io.peerlens.alert;

import io.peerlens.threshold.Operator;
import io.peerlens.threshold.Symptom;
import io.peerlens.threshold.Threshold;

/** Makes members of alerts from symptoms. */
final class Members {

  private Members() {}

  /** A member; its unit is looked up only when it is written. */
  static Member of(Threshold threshold, Symptom symptom) {
    Operator operator = threshold.condition().operator();
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
        operator == null ? "no-data" : operator.label(),
        symptom.bound(),
        symptom.upper(),
        symptom.since(),
        symptom.violations(),
        symptom.of(),
        symptom.unknown());
  }
}
