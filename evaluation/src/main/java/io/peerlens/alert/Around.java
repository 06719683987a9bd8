package io.peerlens.alert;

import io.peerlens.learning.UnusualPeriodStore.Carrier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Surroundings of an alert, as stored in the column {@code around}: symptoms and changes on its
 * object, and on the objects right above and below it.
 *
 * @param symptomCount how many other symptoms are open
 * @param symptoms the worst of them
 * @param changeCount how many changes were recorded shortly before
 * @param changes the last of them, newest first
 * @param carriers where the alert is one of an anomaly score, the metrics that carry it; empty
 *     otherwise
 */
record Around(
    int symptomCount,
    List<Beside> symptoms,
    int changeCount,
    List<StoredChange> changes,
    @Nullable List<Carrier> carriers) {

  static final Around NOTHING = new Around(0, List.of(), 0, List.of());

  Around(int symptomCount, List<Beside> symptoms, int changeCount, List<StoredChange> changes) {
    this(symptomCount, symptoms, changeCount, changes, List.of());
  }

  /** A symptom on an object near that of the alert. */
  record Beside(Relation relation, StoredMember symptom) {}

  /** Relation of an object to that of the alert, nearest first. */
  enum Relation {
    SELF,
    PARENT,
    CHILD
  }

  Around {
    symptoms = List.copyOf(symptoms);
    changes = List.copyOf(changes);
    carriers = carriers == null ? List.of() : List.copyOf(carriers); // older rows have none
  }

  /** The same with other symptoms shown. */
  Around showing(List<Beside> shown) {
    return new Around(symptomCount, shown, changeCount, changes, carriers);
  }

  /** The same with what carries an anomaly score. */
  Around carriedBy(List<Carrier> metrics) {
    return new Around(symptomCount, symptoms, changeCount, changes, metrics);
  }
}
