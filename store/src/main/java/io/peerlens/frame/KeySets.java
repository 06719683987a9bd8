package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.frame.MetricSets.Sets;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Arrays;

/**
 * The metric sets that hold the values of a key.
 *
 * @param group id of the metric group
 * @param position of the metric in it, from 0
 * @param sets ids of the sets, ascending
 * @param objects id of each set's object
 * @param instances instance of each set; empty = the aggregate
 */
public record KeySets(int group, int position, int[] sets, int[] objects, String[] instances) {

  static KeySets of(Group group, int position, Sets all, ObjectGraph graph) {
    int[] sets = new int[all.ids().length];
    int[] objects = new int[sets.length];
    String[] instances = new String[sets.length];
    int count = 0;
    for (int i = 0; i < sets.length; i++) {
      if (all.objects()[i] >= 0) {
        sets[count] = all.ids()[i];
        objects[count] = graph.id(group.kind(), all.objects()[i]);
        instances[count++] = all.instances()[i];
      }
    }
    return new KeySets(
        group.id(),
        position,
        Arrays.copyOf(sets, count),
        Arrays.copyOf(objects, count),
        Arrays.copyOf(instances, count));
  }
}
