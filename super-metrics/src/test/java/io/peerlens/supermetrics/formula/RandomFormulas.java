package io.peerlens.supermetrics.formula;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes formulas that the checker accepts, with every construct of the language. The same seed
 * makes the same formulas. Kinds, keys and names are those of {@code RandomWorld}.
 */
public final class RandomFormulas {

  public static final String ADAPTER = "VMWARE";
  public static final List<String> KINDS = List.of("Top", "Middle", "Low", "Nobody");
  public static final List<String> NAMES = List.of("low-0", "middle-1", "same", "nobody");
  public static final List<String> METRICS =
      List.of("cpu|usage", "mem|usage", "config|name", "g:0|i", "some.key|a b/c-d", "no|key");
  public static final List<String> ATTRIBUTES = List.of("g|i", "cpu|usage", "a|b|c", "a:x|b|c");
  private static final List<String> TEXTS = List.of("web", "5", "", "it's", "Core(TM) i7", "e");

  /** What the entries of a set have in common, so that two of them may be combined. */
  private record Base(
      boolean self,
      @Nullable String kind,
      @Nullable String name,
      int depth,
      @Nullable String key) {}

  private record Given(String name, @Nullable Base set) {}

  private final Random random;
  private final List<Given> given = new ArrayList<>();
  private int names;

  public RandomFormulas(long seed) {
    this.random = new Random(seed);
  }

  /** A tree without places. */
  public Expr next() {
    given.clear();
    names = 0;
    return number(2 + random.nextInt(4), false);
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  @SafeVarargs
  private Expr oneOf(Supplier<Expr>... choices) {
    return choices[random.nextInt(choices.length)].get();
  }

  /**
   * A part that yields one number.
   *
   * @param looped whether an exact key of related objects would be a set here
   */
  private Expr number(int depth, boolean looped) {
    if (depth <= 0) {
      return oneOf(this::literal, () -> single(looped), () -> single(looped));
    }
    int less = depth - 1;
    return oneOf(
        () -> single(looped),
        () -> new Expr.Negative(number(less, looped), Span.NONE),
        () -> new Expr.Not(number(less, looped), Span.NONE),
        () -> binary(number(less, looped), number(less, looped)),
        () -> binary(number(less, looped), number(less, looped)),
        () -> choice(number(less, looped), number(less, looped), number(less, looped)),
        () -> function(less),
        () -> loop(less),
        () -> loop(less),
        () -> loop(less),
        () -> alias(number(less, true), null),
        () -> known(null, () -> number(less, looped)));
  }

  private Expr literal() {
    return new Expr.Number(
        chance(0.7) ? random.nextInt(10) : chance(0.5) ? random.nextInt(1000) / 8.0 : 1.5e-9,
        Span.NONE);
  }

  private static Expr choice(Expr condition, Expr yes, Expr no) {
    return new Expr.Conditional(condition, yes, no, Span.NONE);
  }

  private Expr binary(Expr left, Expr right) {
    List<Operator> operators =
        java.util.Arrays.stream(Operator.values()).filter(o -> !o.isTextTest()).toList();
    return new Expr.Binary(any(operators), left, right, Span.NONE);
  }

  private Expr function(int depth) {
    List<Function> functions =
        java.util.Arrays.stream(Function.values()).filter(f -> !f.isLooping()).toList();
    Function function = any(functions);
    List<Expr> arguments = new ArrayList<>();
    for (int i = 0; i < function.arguments(); i++) {
      arguments.add(number(depth, false));
    }
    return new Expr.Call(function, arguments, Span.NONE);
  }

  private Expr loop(int depth) {
    List<Function> functions =
        List.of(Function.AVG, Function.COUNT, Function.MAX, Function.MIN, Function.SUM);
    return new Expr.Call(any(functions), List.of(several(depth)), Span.NONE);
  }

  /** The argument of a looping function. */
  private Expr several(int depth) {
    int less = depth - 1;
    if (depth <= 0) {
      return oneOf(() -> number(0, true), () -> set(0, base()));
    }
    return oneOf(
        () -> number(less, true),
        () -> set(less, base()),
        () -> set(less, base()),
        () -> array(less),
        () -> alias(array(less), new Base(false, "array", null, 0, null)),
        () -> aliasOfSet(less),
        () -> binary(array(less), number(less, true)),
        () -> binary(number(less, true), new Expr.Negative(array(less), Span.NONE)),
        () -> choice(number(less, true), several(less), several(less)),
        () -> new Expr.Call(Function.COMBINE, List.of(several(less)), Span.NONE));
  }

  private Expr array(int depth) {
    List<Expr> members = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      members.add(several(depth));
    }
    return new Expr.Array(members, Span.NONE);
  }

  private Expr aliasOfSet(int depth) {
    Base base = base();
    return alias(set(depth, base), base);
  }

  /** Values of the same members: of related objects, or of instances. */
  private Expr set(int depth, Base base) {
    if (depth <= 0) {
      return entry(base);
    }
    int less = depth - 1;
    return oneOf(
        () -> entry(base),
        () -> new Expr.Negative(set(less, base), Span.NONE),
        () -> new Expr.Not(set(less, base), Span.NONE),
        () -> binary(set(less, base), number(less, true)),
        () -> binary(number(less, true), set(less, base)),
        () -> binary(set(less, base), set(less, base)),
        () -> choice(set(less, base), number(less, true), set(less, base)),
        () -> known(base, () -> entry(base)));
  }

  private Base base() {
    boolean attribute = chance(0.4);
    String key = attribute ? any(ATTRIBUTES) : null;
    String kind = chance(0.1) ? "*" : any(KINDS);
    if (attribute && chance(0.4)) {
      return new Base(true, null, null, 0, key);
    }
    if (attribute && chance(0.3)) {
      return new Base(false, any(KINDS), any(NAMES), 0, key);
    }
    int depth = chance(0.7) ? 1 + random.nextInt(3) : -1 - random.nextInt(2);
    return new Base(false, kind, null, depth, key);
  }

  private Expr.Entry entry(Base base) {
    return new Expr.Entry(
        base.self(),
        base.self() ? null : ADAPTER,
        base.kind(),
        base.name(),
        Map.of(),
        base.key() != null,
        base.key() == null ? any(METRICS) : base.key(),
        base.depth() == 0 ? null : (Integer) base.depth(),
        where(),
        chance(0.1) ? (Double) (double) (random.nextInt(5) - 2) : null,
        Span.NONE);
  }

  private Expr single(boolean looped) {
    if (!looped && chance(0.2)) {
      Base base = base();
      return entry(new Base(false, any(KINDS), null, base.depth() == 0 ? 1 : base.depth(), null));
    }
    boolean self = chance(0.8);
    Map<String, String> identifiers = new LinkedHashMap<>();
    if (!self && chance(0.4)) {
      identifiers.put("VMEntityObjectID", chance(0.7) ? "vm-1" : "vm-2");
      identifiers.put("VMEntityVCID", "vc");
    }
    Expr entry =
        new Expr.Entry(
            self,
            self ? null : ADAPTER,
            self ? null : any(KINDS),
            self ? null : any(NAMES),
            identifiers,
            false,
            any(METRICS),
            chance(0.05) ? (Integer) 1 : null,
            where(),
            chance(0.1) ? (Double) 2.5 : null,
            Span.NONE);
    return chance(0.15) ? alias(entry, null) : entry;
  }

  private Expr alias(Expr of, @Nullable Base set) {
    String name = any(List.of("x", "diskQ", "caf\u00e9", "a_1")) + names++;
    given.add(new Given(name, set));
    return new Expr.Named(of, name, Span.NONE);
  }

  /** A name that was given before. */
  private Expr known(@Nullable Base set, Supplier<Expr> otherwise) {
    List<Given> fitting =
        given.stream().filter(g -> set == null ? g.set() == null : set.equals(g.set())).toList();
    return fitting.isEmpty() ? otherwise.get() : new Expr.Alias(any(fitting).name(), Span.NONE);
  }

  private Expr.@Nullable Where where() {
    if (chance(0.65)) {
      return null;
    }
    if (chance(0.3)) {
      return new Expr.Where(Expr.Where.Form.TEXT, textCondition());
    }
    return new Expr.Where(Expr.Where.Form.EXPRESSION, condition(random.nextInt(3)));
  }

  private Expr textCondition() {
    Expr left =
        chance(0.5)
            ? new Expr.Value(Span.NONE)
            : new Expr.OtherKey(any(List.of("mem|usage", "config|name", "no|key")), Span.NONE);
    if (chance(0.5)) {
      List<Operator> operators =
          java.util.Arrays.stream(Operator.values()).filter(Operator::isComparison).toList();
      Expr number = new Expr.Number(random.nextInt(9), Span.NONE);
      Expr right = chance(0.2) ? new Expr.Negative(number, Span.NONE) : number;
      return new Expr.Binary(any(operators), left, right, Span.NONE);
    }
    String text = any(List.of("web", "5", "", "Core(TM) i7", "it's", "a b"));
    Expr test = new Expr.Binary(test(), left, new Expr.Text(text, Span.NONE), Span.NONE);
    return chance(0.3) ? new Expr.Not(test, Span.NONE) : test;
  }

  private Operator test() {
    return any(java.util.Arrays.stream(Operator.values()).filter(Operator::isTextTest).toList());
  }

  private Expr condition(int depth) {
    if (depth <= 0) {
      return chance(0.5)
          ? binary(operand(), operand())
          : new Expr.Binary(
              test(),
              operand(),
              chance(0.8) ? new Expr.Text(any(TEXTS), Span.NONE) : operand(),
              Span.NONE);
    }
    int less = depth - 1;
    return oneOf(
        () -> new Expr.Not(condition(less), Span.NONE),
        () -> binary(condition(less), condition(less)),
        () -> choice(condition(less), condition(less), condition(less)),
        () -> new Expr.Fresh(asked(), Span.NONE),
        () -> condition(0),
        () -> binary(operand(), new Expr.Text(any(TEXTS), Span.NONE)));
  }

  private Expr asked() {
    return chance(0.5)
        ? new Expr.Value(Span.NONE)
        : new Expr.OtherKey(any(List.of("mem|usage", "config|name", "no|key")), Span.NONE);
  }

  private Expr operand() {
    return oneOf(
        this::asked,
        this::asked,
        this::literal,
        () -> new Expr.Negative(asked(), Span.NONE),
        () -> new Expr.Call(Function.ABS, List.of(asked()), Span.NONE),
        () -> new Expr.Call(Function.POW, List.of(asked(), literal()), Span.NONE));
  }
}
