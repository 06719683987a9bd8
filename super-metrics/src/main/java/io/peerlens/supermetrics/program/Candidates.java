package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Operator;
import io.peerlens.supermetrics.program.Explanation.Item;
import io.peerlens.supermetrics.program.Explanation.Match;
import io.peerlens.supermetrics.program.Explanation.Outcome;
import io.peerlens.supermetrics.program.Lookup.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Candidates of one entry, and the outcome of each. */
final class Candidates {

  private final Expr.Entry entry;
  private final boolean texts;
  private final boolean known;
  private final Lookup lookup;
  private final int most;
  private final List<Double> numbers = new ArrayList<>();
  private final List<@Nullable Reason> reasons = new ArrayList<>();
  private final List<Item> kept = new ArrayList<>();
  private final List<Item> others = new ArrayList<>();
  private int candidates;
  private int withValue;
  private int leftOut;
  private int notNumeric;
  private int keptCount;

  /**
   * @param texts whether texts are values too, as for count
   * @param known whether any object of the kind has the key
   * @param most how many candidates are named
   */
  Candidates(Expr.Entry entry, boolean texts, boolean known, Lookup lookup, int most) {
    this.entry = entry;
    this.texts = texts;
    this.known = known;
    this.lookup = lookup;
    this.most = most;
  }

  /** Takes a candidate with its value. */
  void add(Target target, String key, Cell cell) {
    Map<String, String> asked = new LinkedHashMap<>();
    Double fallback = entry.defaultValue();
    boolean filled = !cell.isPresent() && fallback != null;
    Cell tested = filled && fallback != null ? Cell.of(fallback) : cell;
    boolean holds = true;
    if (entry.where() != null) {
      Cell truth =
          new ItemCondition(tested, target, lookup, asked).value(entry.where().condition());
      holds = Operator.isTrue(truth.number());
    }
    Outcome outcome;
    Reason reason;
    if (!tested.isPresent()) {
      outcome = Outcome.NO_VALUE;
      reason = known ? Reason.NO_VALUE : Reason.UNKNOWN_KEY;
    } else if (!tested.isNumber() && !texts) {
      outcome = Outcome.NOT_NUMERIC;
      reason = Reason.NOT_NUMERIC;
      notNumeric++;
    } else if (!holds) {
      outcome = Outcome.LEFT_OUT;
      reason = known ? Reason.LEFT_OUT : Reason.UNKNOWN_KEY;
      leftOut++;
    } else {
      outcome = filled ? Outcome.DEFAULT : Outcome.KEPT;
      reason = null;
    }
    boolean keep = reason == null;
    candidates++;
    withValue += cell.isPresent() ? 1 : 0;
    keptCount += keep ? 1 : 0;
    numbers.add(!keep ? Double.NaN : texts ? 1 : tested.number());
    reasons.add(reason);
    list(target, key, tested, cell.time(), asked, outcome);
  }

  /** Takes an object that has no instance of the attribute. */
  void addWithoutInstance(Target target) {
    candidates++;
    list(target, null, Cell.NOTHING, 0, Map.of(), Outcome.NO_VALUE);
  }

  private void list(
      Target target,
      @Nullable String key,
      Cell cell,
      long time,
      Map<String, String> asked,
      Outcome outcome) {
    boolean keep = outcome == Outcome.KEPT || outcome == Outcome.DEFAULT;
    List<Item> list = keep ? kept : others;
    if (list.size() < most) {
      ObjectGraph objects = lookup.objects();
      list.add(
          new Item(
              objects.id(target.kind(), target.number()),
              objects.name(target.kind(), target.number()),
              target.kind(),
              target.level(),
              key,
              cell.number(),
              cell.text(),
              cell.fresh(),
              time,
              asked,
              outcome));
    }
  }

  /** How many there are. */
  int count() {
    return candidates;
  }

  /** One for each candidate; NaN = it is not used. */
  double[] numbers() {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Why each candidate is not used; null where it is. */
  @Nullable Reason[] reasons() {
    return reasons.toArray(new Reason[0]);
  }

  /**
   * What the entry matched.
   *
   * @param where its condition as it is written; null = none
   */
  Match match(ObjectKind of, int objects, @Nullable String where) {
    List<Item> items = new ArrayList<>(kept);
    items.addAll(others);
    return new Match(
        of,
        entry.key(),
        entry.attribute(),
        entry.self() || entry.objectName() != null ? 0 : entry.levels(),
        entry.objectName(),
        where,
        objects,
        candidates,
        withValue,
        leftOut,
        notNumeric,
        keptCount,
        items.subList(0, Math.min(items.size(), most)),
        candidates > most);
  }
}
