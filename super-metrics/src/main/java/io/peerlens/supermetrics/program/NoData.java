package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why objects have no value, for many objects at once: at every step they go on to the
 * operand that is missing, and what is missing at the end is the reason.
 */
final class NoData {

  private final Run run;

  NoData(Run run) {
    this.run = run;
  }

  void count(Node root, double[] values, boolean @Nullable [] enabled, Map<Reason, Integer> into) {
    int[] rows = new int[values.length];
    int missing = 0;
    for (int row = 0; row < values.length; row++) {
      if (Double.isNaN(values[row]) && (enabled == null || enabled[row])) {
        rows[missing++] = row;
      }
    }
    if (missing > 0) {
      explain(root, Arrays.copyOf(rows, missing), into);
    }
  }

  /** Adds the reasons of objects for which a step has no value. */
  private void explain(Node node, int[] rows, Map<Reason, Integer> into) {
    if (rows.length == 0) {
      return;
    }
    switch (node) {
      case Node.Constant constant -> add(Reason.NOT_A_NUMBER, rows.length, into);
      case Node.Random random -> add(Reason.NOT_A_NUMBER, rows.length, into);
      case Node.Values values -> values(values, rows, into);
      case Node.Named named -> {
        ObjectKind kind = named.of().kind();
        int number = run.frame().objects().find(kind, named.name(), named.identifiers());
        if (number < 0) {
          add(Reason.NO_SUCH_OBJECT, rows.length, into);
        } else {
          int[] same = new int[rows.length];
          Arrays.fill(same, number);
          values(named.of(), same, into);
        }
      }
      case Node.Negative(Node of) -> explain(of, rows, into);
      case Node.Not(Node of) -> explain(of, rows, into);
      case Node.Binary(Operator operator, Node left, Node right) ->
          operands(List.of(left, right), rows, into);
      case Node.Choice(Node condition, Node yes, Node no) -> {
        double[] chosen = run.column(condition);
        int[] undecided = select(rows, row -> Double.isNaN(at(chosen, row)));
        explain(condition, undecided, into);
        explain(yes, select(rows, row -> Operator.isTrue(at(chosen, row))), into);
        explain(no, select(rows, row -> at(chosen, row) == 0), into);
      }
      case Node.Apply(Function function, List<Node> arguments) -> operands(arguments, rows, into);
      case Node.Loop loop -> loop(loop, rows, into);
      case Node.Only(Node.Way way, Node of) -> only(way, of, rows, into);
      case Node.Spread spread -> add(Reason.NO_VALUE, rows.length, into);
      case Node.Gather gather -> add(Reason.NO_VALUE, rows.length, into);
    }
  }

  private void operands(List<Node> operands, int[] rows, Map<Reason, Integer> into) {
    int[] left = rows;
    for (Node operand : operands) {
      double[] column = run.column(operand);
      explain(operand, select(left, row -> Double.isNaN(at(column, row))), into);
      left = select(left, row -> !Double.isNaN(at(column, row)));
    }
    add(Reason.NOT_A_NUMBER, left.length, into);
  }

  private void values(Node.Values node, int[] rows, Map<Reason, Integer> into) {
    if (!run.isKnown(node.kind(), node.key(), node.attribute())) {
      add(Reason.UNKNOWN_KEY, rows.length, into);
      return;
    }
    Column source = run.source(node.kind(), node.key(), node.previous());
    int absent = 0;
    int text = 0;
    int leftOut = 0;
    for (int row : rows) {
      if (!source.isPresent(row)) {
        absent++;
      } else if (Double.isNaN(source.numbers()[row]) && !node.presence()) {
        text++;
      } else {
        leftOut++;
      }
    }
    add(Reason.NO_VALUE, absent, into);
    add(Reason.NOT_NUMERIC, text, into);
    add(Reason.LEFT_OUT, leftOut, into);
  }

  private void loop(Node.Loop loop, int[] rows, Map<Reason, Integer> into) {
    if (loop.parts().size() == 1 && loop.parts().getFirst().way() == null) {
      Node.Part part = loop.parts().getFirst();
      if (part.guard() == null) {
        explain(part.values(), rows, into);
        return;
      }
    }
    int[] left = rows;
    for (Node.Part part : loop.parts()) {
      if (part.way() != null) {
        Run.Members members = run.members(part.way());
        boolean one = part.way().from() == null;
        int[] with =
            select(
                left,
                row -> members.offsets()[one ? 1 : row + 1] > members.offsets()[one ? 0 : row]);
        if (with.length > 0) {
          members(part, members, with, into);
        }
        left =
            select(
                left,
                row -> members.offsets()[one ? 1 : row + 1] == members.offsets()[one ? 0 : row]);
      }
    }
    boolean sets = loop.parts().stream().anyMatch(part -> part.way() != null);
    boolean named = loop.parts().stream().anyMatch(p -> p.way() != null && p.way().name() != null);
    if (!sets) {
      add(Reason.NO_VALUE, left.length, into);
    } else if (named) {
      add(Reason.NO_SUCH_OBJECT, left.length, into);
    } else {
      withoutMembers(loop, left, into);
    }
  }

  /** Objects whose set is empty: nobody is related, or nobody who is has an instance. */
  private void withoutMembers(Node.Loop loop, int[] rows, Map<Reason, Integer> into) {
    for (Node.Part part : loop.parts()) {
      Node.Way way = part.way();
      if (way != null && way.attribute() != null && way.from() != null) {
        boolean known = run.isKnown(way.to(), way.attribute().key(), true);
        ObjectGraph.Related related =
            run.frame().objects().related(way.from(), way.to(), way.depth());
        int[] with = select(rows, row -> related.offsets()[row + 1] > related.offsets()[row]);
        add(known ? Reason.NO_VALUE : Reason.UNKNOWN_KEY, with.length, into);
        add(Reason.NO_RELATED_OBJECT, rows.length - with.length, into);
        return;
      }
    }
    add(Reason.NO_RELATED_OBJECT, rows.length, into);
  }

  /** Objects with related ones of which none has a value. */
  private void members(Node.Part part, Run.Members members, int[] rows, Map<Reason, Integer> into) {
    Node.Values values = firstValues(part.values());
    if (values == null) {
      add(Reason.NO_VALUE, rows.length, into);
    } else if (!run.isKnown(values.kind(), values.key(), values.attribute())) {
      add(Reason.UNKNOWN_KEY, rows.length, into);
    } else {
      Column source =
          values.attribute()
              ? run.instances(values.kind(), values.key(), values.previous()).values()
              : run.source(values.kind(), values.key(), values.previous());
      boolean one = part.way() != null && part.way().from() == null;
      int absent = 0;
      int text = 0;
      for (int row : rows) {
        boolean present = false;
        boolean number = false;
        for (int i = members.offsets()[one ? 0 : row];
            i < members.offsets()[one ? 1 : row + 1];
            i++) {
          int element = members.elements()[i];
          present |= source.isPresent(element);
          number |= !Double.isNaN(source.numbers()[element]);
        }
        absent += present ? 0 : 1;
        text += present && !number ? 1 : 0;
      }
      add(Reason.NO_VALUE, absent, into);
      add(Reason.NOT_NUMERIC, text, into);
      add(
          values.where() == null ? Reason.NOT_A_NUMBER : Reason.LEFT_OUT,
          rows.length - absent - text,
          into);
    }
  }

  private static Node.@Nullable Values firstValues(Node node) {
    Node.Values[] first = new Node.Values[1];
    Steps.walk(
        node,
        step -> {
          if (first[0] == null && step instanceof Node.Values values) {
            first[0] = values;
          }
        });
    return first[0];
  }

  private void only(Node.Way way, Node of, int[] rows, Map<Reason, Integer> into) {
    Run.Members members = run.members(way);
    double[] values = run.column(of);
    int several = 0;
    int[] without = new int[rows.length];
    int count = 0;
    for (int row : rows) {
      int found = 0;
      for (int i = members.offsets()[row]; i < members.offsets()[row + 1]; i++) {
        found += Double.isNaN(values[members.elements()[i]]) ? 0 : 1;
      }
      if (found > 1) {
        several++;
      } else {
        without[count++] = row;
      }
    }
    add(Reason.SEVERAL_VALUES, several, into);
    int[] none = Arrays.copyOf(without, count);
    int[] alone = select(none, row -> members.offsets()[row + 1] == members.offsets()[row]);
    add(Reason.NO_RELATED_OBJECT, alone.length, into);
    int[] with = select(none, row -> members.offsets()[row + 1] > members.offsets()[row]);
    members(new Node.Part(null, of, way, false), members, with, into);
  }

  private static double at(double[] column, int row) {
    return column[column.length == 1 ? 0 : row];
  }

  private static int[] select(int[] rows, java.util.function.IntPredicate which) {
    return Arrays.stream(rows).filter(which).toArray();
  }

  private static void add(Reason reason, int count, Map<Reason, Integer> into) {
    if (count > 0) {
      into.merge(reason, count, Integer::sum);
    }
  }
}
