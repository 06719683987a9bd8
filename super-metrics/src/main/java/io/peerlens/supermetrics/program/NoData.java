package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reasons why objects have no value, for many objects at once: at every step they go on to the
 * operand that is missing, and what is missing at the end is the reason.
 */
final class NoData {

  /**
   * Places of a step's column that hold nothing.
   *
   * @param at the places
   * @param objects for which object each of them matters, as its number among those without value
   */
  private record Places(int[] at, int[] objects) {}

  private final Run run;
  private final Budget budget;
  private @Nullable Reason[] reasons = new Reason[0];

  NoData(Run run) {
    this.run = run;
    this.budget = run.budget();
  }

  /**
   * Counts the reasons of a formula. If its time does not suffice to find them, that is the reason.
   *
   * @param values its result
   * @param enabled for which objects it is switched on; null = all
   * @return how many of these objects have no value
   */
  int count(Node root, double[] values, boolean @Nullable [] enabled, Map<Reason, Integer> into) {
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      count += isMissing(values, enabled, i) ? 1 : 0;
    }
    if (count == 0) {
      return 0;
    }
    int[] missing = new int[count];
    int[] numbers = new int[count];
    int next = 0;
    for (int i = 0; i < values.length; i++) {
      if (isMissing(values, enabled, i)) {
        numbers[next] = next;
        missing[next++] = i;
      }
    }
    reasons = new Reason[count];
    try {
      explain(root, new Places(missing, numbers));
    } catch (Budget.Exceeded e) {
      into.put(Reason.OVER_BUDGET, count); // the values count all the same
      return count;
    }
    for (Reason reason : reasons) {
      into.merge(reason == null ? Reason.NO_VALUE : reason, 1, Integer::sum);
    }
    return count;
  }

  private static boolean isMissing(double[] values, boolean @Nullable [] enabled, int i) {
    return Double.isNaN(values[i]) && (enabled == null || enabled[i]);
  }

  private void explain(Node node, Places places) {
    if (places.at().length == 0) {
      return;
    }
    switch (node) {
      case Node.Constant constant -> note(Reason.NOT_A_NUMBER, places);
      case Node.Random random -> note(Reason.NOT_A_NUMBER, places);
      case Node.Values values -> values(values, places);
      case Node.Named named -> {
        Node.Values of = named.of();
        int number = run.frame().objects().find(of.kind(), named.name(), named.identifiers());
        if (number < 0) {
          note(Reason.NO_SUCH_OBJECT, places);
        } else {
          int[] same = new int[places.at().length];
          Arrays.fill(same, number);
          values(of, new Places(same, places.objects()));
        }
      }
      case Node.Negative(Node of) -> explain(of, places);
      case Node.Not(Node of) -> explain(of, places);
      case Node.Binary(Operator operator, Node left, Node right) ->
          operands(List.of(left, right), places);
      case Node.Choice(Node condition, Node yes, Node no) -> {
        double[] chosen = run.column(condition);
        explain(condition, where(places, i -> Double.isNaN(at(chosen, i))));
        explain(yes, where(places, i -> Operator.isTrue(at(chosen, i))));
        explain(no, where(places, i -> at(chosen, i) == 0));
      }
      case Node.Apply(Function function, List<Node> arguments) -> operands(arguments, places);
      case Node.Loop loop -> loop.parts().forEach(part -> part(part, places));
      case Node.Only(Node.Way way, Node of) -> only(way, of, places);
      case Node.Gather(Node.Way way, Node of) ->
          explain(of, moved(places, run.members(way).elements()));
      case Node.Spread(Node.Way way, Node of) -> explain(of, moved(places, owners(way)));
    }
  }

  /** The first operand without a value is to blame; if all have one, the calculation is. */
  private void operands(List<Node> operands, Places places) {
    Places left = places;
    for (Node operand : operands) {
      double[] column = run.column(operand);
      explain(operand, where(left, i -> Double.isNaN(at(column, i))));
      left = where(left, i -> !Double.isNaN(at(column, i)));
    }
    note(Reason.NOT_A_NUMBER, left);
  }

  private void values(Node.Values node, Places places) {
    if (!run.isKnown(node)) {
      note(Reason.UNKNOWN_KEY, places);
      return;
    }
    Column source = run.source(node);
    for (int i = 0; i < places.at().length; i++) {
      budget.spent(1);
      note(values(node, source, places.at()[i]), places.objects()[i]);
    }
  }

  private static Reason values(Node.Values node, Column source, int at) {
    if (!source.isPresent(at)) {
      return node.fallback() == null ? Reason.NO_VALUE : Reason.LEFT_OUT;
    }
    boolean number = !Double.isNaN(source.numbers()[at]);
    return number || node.presence() ? Reason.LEFT_OUT : Reason.NOT_NUMERIC;
  }

  private void part(Node.Part part, Places places) {
    Places taken = places;
    if (part.guard() != null) {
      double[] guard = run.column(part.guard());
      explain(part.guard(), where(places, i -> Double.isNaN(at(guard, i))));
      taken = where(places, i -> Operator.isTrue(at(guard, i)));
    }
    if (part.way() == null) {
      value(part.values(), taken);
    } else {
      members(part.way(), part.values(), part.pairs(), taken);
    }
  }

  /** One of several values: if there is one after all, the calculation with the others failed. */
  private void value(Node node, Places places) {
    double[] column = run.column(node);
    note(Reason.NOT_A_NUMBER, where(places, i -> !Double.isNaN(at(column, i))));
    explain(node, where(places, i -> Double.isNaN(at(column, i))));
  }

  private void members(Node.Way way, Node values, boolean pairs, Places places) {
    Run.Members members = run.members(way);
    int[] offsets = members.offsets();
    boolean one = way.from() == null;
    Places without = where(places, i -> offsets[one ? 1 : i + 1] == offsets[one ? 0 : i]);
    withoutMembers(way, without);
    int total = 0;
    for (int i : places.at()) {
      total += offsets[one ? 1 : i + 1] - offsets[one ? 0 : i];
    }
    int[] at = new int[total];
    int[] objects = new int[total];
    int next = 0;
    for (int p = 0; p < places.at().length; p++) {
      int i = places.at()[p];
      budget.spent(offsets[one ? 1 : i + 1] - offsets[one ? 0 : i] + 1);
      for (int m = offsets[one ? 0 : i]; m < offsets[one ? 1 : i + 1]; m++) {
        at[next] = pairs ? m : members.elements()[m];
        objects[next++] = places.objects()[p];
      }
    }
    value(values, new Places(at, objects));
  }

  /** Objects whose set is empty: nobody is related, or nobody who is has an instance. */
  private void withoutMembers(Node.Way way, Places places) {
    if (places.at().length == 0) {
      return;
    }
    Places alone = places;
    if (way.attribute() != null) {
      Node.Way toObjects =
          new Node.Way(way.from(), way.to(), way.depth(), null, way.name(), way.identifiers());
      int[] offsets = run.members(toObjects).offsets();
      boolean one = way.from() == null;
      IntPredicate hasObjects = i -> offsets[one ? 1 : i + 1] > offsets[one ? 0 : i];
      Reason reason = run.isKnown(way.attribute()) ? Reason.NO_VALUE : Reason.UNKNOWN_KEY;
      note(reason, where(places, hasObjects));
      alone = where(places, hasObjects.negate());
    }
    note(way.name() == null ? Reason.NO_RELATED_OBJECT : Reason.NO_SUCH_OBJECT, alone);
  }

  private void only(Node.Way way, Node of, Places places) {
    Run.Members members = run.members(way);
    int[] offsets = members.offsets();
    double[] values = run.column(of);
    IntPredicate several =
        i -> {
          int found = 0;
          budget.spent(offsets[i + 1] - offsets[i]);
          for (int m = offsets[i]; m < offsets[i + 1]; m++) {
            found += Double.isNaN(at(values, members.elements()[m])) ? 0 : 1;
          }
          return found > 1;
        };
    note(Reason.SEVERAL_VALUES, where(places, several));
    members(way, of, false, where(places, several.negate()));
  }

  /** For each pair of object and member, the object. */
  private int[] owners(Node.Way way) {
    Run.Members members = run.members(way);
    int[] owners = new int[members.elements().length];
    for (int i = 0; i + 1 < members.offsets().length; i++) {
      Arrays.fill(owners, members.offsets()[i], members.offsets()[i + 1], i);
    }
    return owners;
  }

  private Places where(Places places, IntPredicate condition) {
    int[] at = new int[places.at().length];
    int[] objects = new int[at.length];
    int count = 0;
    for (int i = 0; i < at.length; i++) {
      budget.spent(1);
      if (condition.test(places.at()[i])) {
        at[count] = places.at()[i];
        objects[count++] = places.objects()[i];
      }
    }
    return count == at.length
        ? places
        : new Places(Arrays.copyOf(at, count), Arrays.copyOf(objects, count));
  }

  private Places moved(Places places, int[] to) {
    int[] moved = new int[places.at().length];
    for (int i = 0; i < moved.length; i++) {
      budget.spent(1);
      moved[i] = to[places.at()[i]];
    }
    return new Places(moved, places.objects());
  }

  private static double at(double[] column, int i) {
    return column[column.length == 1 ? 0 : i];
  }

  private void note(Reason reason, Places places) {
    for (int object : places.objects()) {
      budget.spent(1);
      note(reason, object);
    }
  }

  private void note(Reason reason, int object) {
    reasons[object] = Reason.further(reasons[object], reason);
  }
}
