package io.peerlens.alert;

import java.util.List;

/**
 * Surroundings of an alert, as stored in the column {@code around}: symptoms and changes on its
 * object, and on the objects right above and below it.
 *
 * @param symptomCount how many other symptoms are open
 * @param symptoms the worst of them
 * @param changeCount how many changes were recorded shortly before
 * @param changes the last of them, newest first
 */
record Around(
    int symptomCount, List<Beside> symptoms, int changeCount, List<StoredChange> changes) {

  static final Around NOTHING = new Around(0, List.of(), 0, List.of());

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
  }

  /** The same with other symptoms shown. */
  Around showing(List<Beside> shown) {
    return new Around(symptomCount, shown, changeCount, changes);
  }
}
