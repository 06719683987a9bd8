package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Operator;
import io.peerlens.supermetrics.formula.Span;
import io.peerlens.supermetrics.program.Explanation.Match;
import io.peerlens.supermetrics.program.Explanation.Part;
import io.peerlens.supermetrics.program.Lookup.Target;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Explanation of the value of one object: how each part of its formula came about.
 *
 * <p>It walks over the tree of the formula and shares nothing with the steps that a {@link Program}
 * is made of but the meaning of single operators and functions. So it is slow, easy to follow, and
 * a check of the other: tests compare the two. Not thread-safe.
 */
public final class Explainer {

  /**
   * Limits on the size of an explanation.
   *
   * @param nodes most parts; those further on are computed but not told
   * @param items most candidates told of one entry
   * @param time after which it gives up
   */
  public record Limits(int nodes, int items, Duration time) {
    /** 2,000 parts, 100 candidates each, 5 seconds. */
    public static final Limits DEFAULT = new Limits(2_000, 100, Duration.ofSeconds(5));

    public Limits {
      if (nodes < 1 || items < 0) {
        throw new IllegalArgumentException("an explanation has at least one part");
      }
    }
  }

  private final Frame frame;
  private final Program.Options options;
  private final Limits limits;

  /** An explainer of one moment. */
  public Explainer(Frame frame, Program.Options options, Limits limits) {
    this.frame = frame;
    this.options = options;
    this.limits = limits;
  }

  /**
   * Explains a formula that reads other super metrics as they are stored.
   *
   * @param kind of the object, never {@code *}
   * @param object its id
   * @throws IllegalArgumentException if there is no such object of the kind
   */
  public Explanation explain(Definition definition, ObjectKind kind, int object) {
    return explain(definition, kind, object, new Results(List.of()), Set.of());
  }

  /**
   * Explains a formula that reads other super metrics as a run has computed them.
   *
   * @param kind of the object, never {@code *}
   * @param object its id
   * @param results of the run; what is not among them is read as stored
   * @param previous super metrics that are read as stored all the same: {@link Dependencies#cycle}
   * @throws IllegalArgumentException if there is no such object of the kind
   */
  public Explanation explain(
      Definition definition, ObjectKind kind, int object, Results results, Set<UUID> previous) {
    int number = frame.objects().number(kind, object);
    if (kind.isEvery() || number < 0) {
      throw new IllegalArgumentException("no object " + object + " of kind " + kind);
    }
    Walk walk = new Walk(definition, kind, number, results, previous);
    Expr tree = definition.formula().tree();
    try {
      return walk.value(tree, false, false).told();
    } catch (Budget.Exceeded | ObjectGraph.TooManyObjects e) {
      return new Explanation(
          Part.FUNCTION,
          tree.at(),
          walk.text(tree.at()),
          true,
          false,
          0,
          Double.NaN,
          Reason.OVER_BUDGET,
          null,
          List.of(),
          true);
    }
  }

  /**
   * Value of a part: one value, or several.
   *
   * @param reasons why each value is missing; null where it is not
   * @param empty why there are not even missing values; null = there are
   */
  private record PartValue(
      boolean several,
      double[] numbers,
      @Nullable Reason[] reasons,
      @Nullable Reason empty,
      Explanation told) {

    @Nullable Reason reason() {
      Reason furthest = empty;
      for (Reason reason : reasons) {
        furthest = Reason.further(furthest, reason);
      }
      return furthest;
    }

    double number(int i) {
      return numbers[several ? i : 0];
    }

    @Nullable Reason reason(int i) {
      return reasons[several ? i : 0];
    }
  }

  /** One explanation in the making. */
  private final class Walk {

    private final Formula formula;
    private final UUID id;
    private final ObjectKind kind;
    private final int number;
    private final Lookup lookup;
    private final long deadline;
    private int nodes;

    Walk(Definition definition, ObjectKind kind, int number, Results results, Set<UUID> previous) {
      this.formula = definition.formula();
      this.id = definition.id();
      this.kind = kind;
      this.number = number;
      this.lookup = new Lookup(frame, results, previous, kind, number);
      this.deadline = options.ticker().getAsLong() + limits.time().toNanos();
    }

    /**
     * Computes a part.
     *
     * @param several whether it stands in a looping function, so that it may yield several values
     * @param texts whether texts are values too, as for count
     */
    PartValue value(Expr expr, boolean several, boolean texts) {
      checkTime();
      boolean told = ++nodes <= limits.nodes();
      return switch (expr) {
        case Expr.Number(double value, Span at) ->
            one(Part.NUMBER, at, value, null, null, List.of(), told);
        case Expr.Negative(Expr of, Span at) -> {
          PartValue operand = value(of, several, false);
          yield each(Part.OPERATOR, at, told, List.of(operand), numbers -> -numbers[0]);
        }
        case Expr.Not(Expr of, Span at) -> {
          PartValue operand = value(of, several, false);
          yield each(
              Part.OPERATOR,
              at,
              told,
              List.of(operand),
              n -> Double.isNaN(n[0]) ? Double.NaN : n[0] == 0 ? 1 : 0);
        }
        case Expr.Binary binary -> binary(binary, several, told);
        case Expr.Conditional conditional -> conditional(conditional, several, texts, told);
        case Expr.Array(List<Expr> members, Span at) -> {
          List<PartValue> all = members.stream().map(m -> value(m, several, texts)).toList();
          yield together(Part.ARRAY, at, all, told);
        }
        case Expr.Call call -> call(call, several, texts, told);
        case Expr.Named(Expr of, String name, Span at) -> value(of, several, texts);
        case Expr.Alias(String name, Span at) -> {
          PartValue of = value(meaning(name), several, texts);
          yield new PartValue(
              of.several(),
              of.numbers(),
              of.reasons(),
              of.empty(),
              tell(
                  Part.ALIAS,
                  at,
                  of.several(),
                  of.numbers(),
                  of.reason(),
                  null,
                  List.of(of),
                  told));
        }
        case Expr.Entry entry -> entry(entry, several, texts, told);
        case Expr.Text text -> throw notHere(text);
        case Expr.Value value -> throw notHere(value);
        case Expr.OtherKey key -> throw notHere(key);
        case Expr.Fresh fresh -> throw notHere(fresh);
        case Expr.Bad bad -> throw notHere(bad);
      };
    }

    // Calculating -------------------------------------------------------------------------------

    @FunctionalInterface
    private interface Calculation {
      double of(double[] operands);
    }

    /** Calculates with one value of each operand, or with each of several. */
    private PartValue each(
        Part part, Span at, boolean told, List<PartValue> operands, Calculation calculation) {
      PartValue set = operands.stream().filter(PartValue::several).findFirst().orElse(null);
      int length = set == null ? 1 : set.numbers().length;
      double[] numbers = new double[length];
      @Nullable Reason[] reasons = new Reason[length];
      double[] values = new double[operands.size()];
      for (int i = 0; i < length; i++) {
        checkTime(i);
        Reason reason = null;
        for (int o = values.length - 1; o >= 0; o--) {
          values[o] = operands.get(o).number(i);
          reason = Double.isNaN(values[o]) ? operands.get(o).reason(i) : reason;
        }
        numbers[i] = Operator.finite(calculation.of(values));
        if (Double.isNaN(numbers[i])) {
          reasons[i] = reason == null ? Reason.NOT_A_NUMBER : reason;
        }
      }
      Reason empty = set == null ? null : set.empty();
      PartValue made = new PartValue(set != null, numbers, reasons, empty, NONE);
      return told(made, part, at, operands, told);
    }

    private PartValue told(PartValue of, Part part, Span at, List<PartValue> parts, boolean told) {
      Explanation explanation =
          tell(part, at, of.several(), of.numbers(), of.reason(), null, parts, told);
      return new PartValue(of.several(), of.numbers(), of.reasons(), of.empty(), explanation);
    }

    private PartValue binary(Expr.Binary expr, boolean several, boolean told) {
      Operator operator = expr.operator();
      PartValue left = value(expr.left(), several, false);
      boolean decided =
          !left.several()
              && ((operator == Operator.AND && left.number(0) == 0)
                  || (operator == Operator.OR && Operator.isTrue(left.number(0))));
      if (decided && !several) {
        double value = operator == Operator.OR ? 1 : 0;
        Explanation other = skipped(expr.right());
        return one(Part.OPERATOR, expr.at(), value, null, null, List.of(left.told(), other), told);
      }
      PartValue right = value(expr.right(), several, false);
      return each(
          Part.OPERATOR, expr.at(), told, List.of(left, right), n -> operator.apply(n[0], n[1]));
    }

    private PartValue conditional(
        Expr.Conditional expr, boolean several, boolean texts, boolean told) {
      PartValue condition = value(expr.condition(), several, false);
      if (condition.several()) {
        return conditionalOfSet(expr, condition, told);
      }
      if (Double.isNaN(condition.number(0))) {
        // between sets there is none; between numbers one that is missing
        boolean none = several && (isSeveral(expr.yes()) || isSeveral(expr.no()));
        Reason reason = condition.reason();
        List<Explanation> parts =
            List.of(condition.told(), skipped(expr.yes()), skipped(expr.no()));
        PartValue one = one(Part.CHOICE, expr.at(), Double.NaN, reason, null, parts, told);
        return none ? new PartValue(true, new double[0], new Reason[0], reason, one.told()) : one;
      }
      boolean yes = Operator.isTrue(condition.number(0));
      PartValue branch = value(yes ? expr.yes() : expr.no(), several, texts);
      List<Explanation> parts =
          yes
              ? List.of(condition.told(), branch.told(), skipped(expr.no()))
              : List.of(condition.told(), skipped(expr.yes()), branch.told());
      Explanation explanation =
          explanation(
              Part.CHOICE,
              expr.at(),
              branch.several(),
              branch.numbers(),
              branch.reason(),
              null,
              parts,
              told);
      return new PartValue(
          branch.several(), branch.numbers(), branch.reasons(), branch.empty(), explanation);
    }

    /** Whether a part can yield several values. */
    private boolean isSeveral(Expr expr) {
      return switch (expr) {
        case Expr.Array array -> true;
        case Expr.Entry entry -> !entry.isSingle();
        case Expr.Call call -> call.function() == Function.COMBINE;
        case Expr.Negative(Expr of, Span at) -> isSeveral(of);
        case Expr.Not(Expr of, Span at) -> isSeveral(of);
        case Expr.Named(Expr of, String name, Span at) -> isSeveral(of);
        case Expr.Alias(String name, Span at) -> isSeveral(meaning(name));
        case Expr.Binary binary -> isSeveral(binary.left()) || isSeveral(binary.right());
        case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) ->
            isSeveral(condition) || isSeveral(yes) || isSeveral(no);
        default -> false;
      };
    }

    private Expr meaning(String alias) {
      Expr meaning = formula.named(alias);
      if (meaning == null) {
        throw new IllegalStateException("no alias " + alias);
      }
      return meaning;
    }

    /** Each member of a set has a condition of its own. */
    private PartValue conditionalOfSet(Expr.Conditional expr, PartValue condition, boolean told) {
      PartValue yes = value(expr.yes(), true, false);
      PartValue no = value(expr.no(), true, false);
      int length = condition.numbers().length;
      double[] numbers = new double[length];
      @Nullable Reason[] reasons = new Reason[length];
      for (int i = 0; i < length; i++) {
        double chosen = condition.number(i);
        PartValue from = Double.isNaN(chosen) ? condition : Operator.isTrue(chosen) ? yes : no;
        numbers[i] = from == condition ? Double.NaN : from.number(i);
        reasons[i] = from.reason(i);
      }
      PartValue made = new PartValue(true, numbers, reasons, condition.empty(), NONE);
      return told(made, Part.CHOICE, expr.at(), List.of(condition, yes, no), told);
    }

    private PartValue call(Expr.Call call, boolean several, boolean texts, boolean told) {
      Function function = call.function();
      if (function == Function.RAND) {
        long seed = id.getMostSignificantBits() ^ id.getLeastSignificantBits();
        int object = frame.objects().id(kind, number);
        double value = Arithmetic.random(Planner.seed(seed, call.at()), frame.time(), object);
        return one(Part.FUNCTION, call.at(), value, null, null, List.of(), told);
      }
      if (function == Function.COMBINE) {
        PartValue set = value(call.arguments().getFirst(), several, texts);
        return together(Part.FUNCTION, call.at(), List.of(set), told);
      }
      if (function.isLooping()) {
        PartValue set = value(call.arguments().getFirst(), true, function == Function.COUNT);
        return loop(function, call.at(), set, told);
      }
      List<PartValue> arguments =
          call.arguments().stream().map(argument -> value(argument, false, false)).toList();
      return each(
          Part.FUNCTION,
          call.at(),
          told,
          arguments,
          n -> {
            for (double argument : n) {
              if (Double.isNaN(argument)) {
                return Double.NaN;
              }
            }
            return n.length == 1
                ? function.unary().applyAsDouble(n[0])
                : function.binary().applyAsDouble(n[0], n[1]);
          });
    }

    private PartValue loop(Function function, Span at, PartValue set, boolean told) {
      double[] present =
          Arrays.stream(set.numbers()).filter(number -> !Double.isNaN(number)).toArray();
      double value;
      if (function == Function.COUNT) {
        value = present.length;
      } else if (present.length == 0) {
        value = options.emptyIsZero() ? 0 : Double.NaN;
      } else {
        double sum = 0;
        double least = present[0];
        double greatest = present[0];
        for (double number : present) {
          sum += number;
          least = Math.min(least, number);
          greatest = Math.max(greatest, number);
        }
        value =
            switch (function) {
              case SUM -> sum;
              case AVG -> sum / present.length;
              case MIN -> least;
              case MAX -> greatest;
              default -> throw new IllegalStateException(function + " makes no number of a set");
            };
      }
      Reason reason = present.length == 0 ? set.reason() : Reason.NOT_A_NUMBER;
      value = Operator.finite(value);
      return one(
          Part.FUNCTION,
          at,
          value,
          Double.isNaN(value) ? reason : null,
          null,
          List.of(set.told()),
          told);
    }

    /** Everything that several parts yield. */
    private PartValue together(Part part, Span at, List<PartValue> all, boolean told) {
      double[] numbers = all.stream().flatMapToDouble(y -> Arrays.stream(y.numbers())).toArray();
      @Nullable Reason[] reasons =
          all.stream().flatMap(y -> Arrays.stream(y.reasons())).toArray(Reason[]::new);
      Reason empty = null;
      for (PartValue made : all) {
        empty = Reason.further(empty, made.empty());
      }
      return told(new PartValue(true, numbers, reasons, empty, NONE), part, at, all, told);
    }

    // Entries -----------------------------------------------------------------------------------

    private PartValue entry(Expr.Entry entry, boolean several, boolean texts, boolean told) {
      ObjectKind of =
          entry.adapterKind() == null || entry.objectKind() == null
              ? kind
              : new ObjectKind(entry.adapterKind(), entry.objectKind());
      List<Target> targets = lookup.targets(entry, of);
      boolean known = lookup.isKnown(entry, of);
      Candidates found = new Candidates(entry, texts, known, lookup, limits.items());
      for (Target target : targets) {
        checkTime(found.count());
        if (!entry.attribute()) {
          found.add(target, entry.key(), lookup.cell(target, entry.key()));
        } else {
          Instances all = lookup.instances(target.kind(), entry.key());
          int from = all == null ? 0 : all.offsets()[target.number()];
          int to = all == null ? 0 : all.offsets()[target.number() + 1];
          for (int i = from; all != null && i < to; i++) {
            found.add(target, all.keys()[i], Cell.of(all.values(), i));
          }
          if (from == to) {
            found.addWithoutInstance(target);
          }
        }
      }
      Match match = found.match(of, targets.size(), where(entry));
      boolean set = !entry.isSingle();
      double[] numbers = found.numbers();
      @Nullable Reason[] reasons = found.reasons();
      Reason empty = null;
      if (targets.isEmpty()) {
        empty = entry.objectName() == null ? Reason.NO_RELATED_OBJECT : Reason.NO_SUCH_OBJECT;
      } else if (numbers.length == 0) {
        empty = known ? Reason.NO_VALUE : Reason.UNKNOWN_KEY;
      }
      if (set && several) {
        PartValue made = new PartValue(true, numbers, reasons, empty, NONE);
        Explanation explanation =
            tell(Part.ENTRY, entry.at(), true, numbers, made.reason(), match, List.of(), told);
        return new PartValue(true, numbers, reasons, empty, explanation);
      }
      return only(entry, numbers, reasons, empty, match, texts, told);
    }

    private @Nullable String where(Expr.Entry entry) {
      return entry.where() == null ? null : text(entry.where().condition().at());
    }

    /** The one value of an entry that needs to have one. */
    private PartValue only(
        Expr.Entry entry,
        double[] numbers,
        @Nullable Reason[] reasons,
        @Nullable Reason empty,
        Match match,
        boolean texts,
        boolean told) {
      double value = Double.NaN;
      Reason reason = empty;
      int count = 0;
      for (int i = 0; i < numbers.length; i++) {
        reason = Reason.further(reason, reasons[i]);
        if (!Double.isNaN(numbers[i])) {
          value = numbers[i];
          count++;
        }
      }
      Double fallback = entry.defaultValue();
      if (count == 1) {
        reason = null;
      } else if (count > 1) {
        value = Double.NaN;
        reason = Reason.SEVERAL_VALUES;
      } else if (reason == Reason.NO_SUCH_OBJECT && fallback != null) {
        value = texts ? 1 : fallback;
        reason = null;
      }
      return one(Part.ENTRY, entry.at(), value, reason, match, List.of(), told);
    }

    // Telling -----------------------------------------------------------------------------------

    private PartValue one(
        Part part,
        Span at,
        double value,
        @Nullable Reason reason,
        @Nullable Match match,
        List<Explanation> parts,
        boolean told) {
      double[] numbers = {value};
      @Nullable Reason[] reasons = {reason};
      Explanation explanation = explanation(part, at, false, numbers, reason, match, parts, told);
      return new PartValue(false, numbers, reasons, null, explanation);
    }

    private Explanation tell(
        Part part,
        Span at,
        boolean several,
        double[] numbers,
        @Nullable Reason reason,
        @Nullable Match match,
        List<PartValue> parts,
        boolean told) {
      List<Explanation> explanations = parts.stream().map(PartValue::told).toList();
      return explanation(part, at, several, numbers, reason, match, explanations, told);
    }

    private Explanation explanation(
        Part part,
        Span at,
        boolean several,
        double[] numbers,
        @Nullable Reason reason,
        @Nullable Match match,
        List<Explanation> parts,
        boolean told) {
      if (!told) {
        return NONE;
      }
      int values = 0;
      for (double number : numbers) {
        values += Double.isNaN(number) ? 0 : 1;
      }
      List<Explanation> known = parts.stream().filter(p -> p != NONE).toList();
      return new Explanation(
          part,
          at,
          text(at),
          true,
          several,
          values,
          several ? Double.NaN : numbers[0],
          values > 0 ? null : reason,
          match,
          known,
          known.size() < parts.size());
    }

    /** A part that need not be computed. */
    private Explanation skipped(Expr expr) {
      if (++nodes > limits.nodes()) {
        return NONE;
      }
      Part part =
          switch (expr) {
            case Expr.Number n -> Part.NUMBER;
            case Expr.Entry e -> Part.ENTRY;
            case Expr.Conditional c -> Part.CHOICE;
            case Expr.Call c -> Part.FUNCTION;
            case Expr.Array a -> Part.ARRAY;
            case Expr.Alias a -> Part.ALIAS;
            default -> Part.OPERATOR;
          };
      return new Explanation(
          part,
          expr.at(),
          text(expr.at()),
          false,
          false,
          0,
          Double.NaN,
          null,
          null,
          List.of(),
          false);
    }

    String text(Span at) {
      String part = formula.text().substring(at.start(), at.end()).strip().replaceAll("\\s+", " ");
      return part.length() <= LONGEST_TEXT ? part : part.substring(0, LONGEST_TEXT) + "\u2026";
    }

    private void checkTime(int i) {
      if ((i & 0xff) == 0) {
        checkTime();
      }
    }

    private void checkTime() {
      if (options.ticker().getAsLong() > deadline) {
        throw new Budget.Exceeded("more than " + limits.time().toMillis() + " ms");
      }
    }
  }

  private static final int LONGEST_TEXT = 200;

  /** Stands for an explanation that is left out. */
  private static final Explanation NONE =
      new Explanation(
          Part.NUMBER, Span.NONE, "", false, false, 0, Double.NaN, null, null, List.of(), true);

  static IllegalStateException notHere(Expr expr) {
    return new IllegalStateException("cannot be computed here: " + expr);
  }
}
