package io.peerlens.panel;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of an answer: objects, or instances of objects.
 *
 * @param objects ids within the database
 * @param kinds kind of each object
 * @param instances empty = the object itself
 */
record Rows(int[] objects, ObjectKind[] kinds, String[] instances) {

  static Rows of(Selected selected) {
    int size = selected.size();
    int[] objects = new int[size];
    ObjectKind[] kinds = new ObjectKind[size];
    String[] instances = new String[size];
    int row = 0;
    for (var kind : selected.byKind().entrySet()) {
      for (int id : kind.getValue()) {
        objects[row] = id;
        kinds[row] = kind.getKey();
        instances[row++] = "";
      }
    }
    return new Rows(objects, kinds, instances);
  }

  int size() {
    return objects.length;
  }

  /** Some of the rows, in that order. */
  Rows at(int[] places) {
    int[] some = new int[places.length];
    ObjectKind[] theirKinds = new ObjectKind[places.length];
    String[] theirInstances = new String[places.length];
    for (int i = 0; i < places.length; i++) {
      some[i] = objects[places[i]];
      theirKinds[i] = kinds[places[i]];
      theirInstances[i] = instances[places[i]];
    }
    return new Rows(some, theirKinds, theirInstances);
  }

  /** Positions of the rows of a kind. */
  int[] ofKind(ObjectKind kind) {
    List<Integer> places = new ArrayList<>();
    for (int row = 0; row < objects.length; row++) {
      if (kinds[row].equals(kind)) {
        places.add(row);
      }
    }
    return places.stream().mapToInt(Integer::intValue).toArray();
  }

  List<ObjectKind> distinctKinds() {
    return List.of(kinds).stream().distinct().toList();
  }
}
