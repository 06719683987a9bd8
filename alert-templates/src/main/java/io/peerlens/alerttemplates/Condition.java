package io.peerlens.alerttemplates;

import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelMutableAst;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.navigation.CelNavigableMutableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions.Function;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Condition in CEL, the Common Expression Language: {@code alert.criticality == "CRITICAL" &&
 * object.tags["tier"] == "1"}. Immutable and safe to share between threads.
 *
 * <p>It sees the members of a context by their names; there are no types to declare. Beside what
 * CEL brings there are {@code lowerAscii}, {@code upperAscii}, {@code trim}, {@code split}, {@code
 * substring}, {@code indexOf}, {@code lastIndexOf} and {@code charAt} for texts. It cannot run for
 * ever: steps, the size of values and time are bounded, and patterns need linear time.
 */
public final class Condition {

  /** Members of the context that every condition may name. */
  static final Set<String> NAMES =
      Set.of(
          "event",
          "change",
          "alert",
          "object",
          "rule",
          "target",
          "previous",
          "vars",
          "now",
          "source",
          "group",
          "report");

  /** Words of CEL: a member of such a name cannot be named in a condition. */
  private static final Set<String> RESERVED =
      Set.of(
          "as",
          "bool",
          "break",
          "bytes",
          "const",
          "continue",
          "double",
          "dyn",
          "else",
          "false",
          "for",
          "function",
          "if",
          "import",
          "in",
          "int",
          "let",
          "list",
          "loop",
          "map",
          "namespace",
          "null",
          "null_type",
          "package",
          "return",
          "string",
          "true",
          "type",
          "uint",
          "var",
          "void",
          "while");

  static final int MAX_LENGTH = 4_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .maxExpressionCodePointSize(MAX_LENGTH)
          .maxParseRecursionDepth(32)
          .comprehensionMaxIterations(Budget.MAX_ITERATIONS)
          .build();

  // Functions that can make a text longer than what they are given are left out.
  private static final Function[] TEXT = {
    Function.LOWER_ASCII,
    Function.UPPER_ASCII,
    Function.TRIM,
    Function.SPLIT,
    Function.SUBSTRING,
    Function.INDEX_OF,
    Function.LAST_INDEX_OF,
    Function.CHAR_AT
  };

  private static final String MATCHES = "matches";

  /** Characters of a text times the size of a pattern that is looked for in it. */
  private static final long MAX_MATCHING = 4_000_000;

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.standardCelRuntimeBuilder()
          .setOptions(OPTIONS)
          .setStandardEnvironmentEnabled(false)
          .setStandardFunctions(
              CelStandardFunctions.newBuilder()
                  .excludeFunctions(CelStandardFunctions.StandardFunction.MATCHES)
                  .build())
          .addFunctionBindings(
              CelFunctionBinding.fromOverloads(
                  MATCHES,
                  CelFunctionBinding.from(
                      "matches", String.class, String.class, Condition::matchesPattern),
                  CelFunctionBinding.from(
                      "matches_string", String.class, String.class, Condition::matchesPattern)))
          .addLibraries(CelExtensions.strings(TEXT))
          .build();

  private static final CelCompiler COMPILER = compiler(NAMES);

  private final String text;
  private final CelRuntime.Program program;
  private final Set<String> names;
  private final Needs needs;

  /**
   * Outcome of a condition.
   *
   * @param reason why it could not be decided; null = it could. It does not hold then
   */
  public record Outcome(boolean holds, @Nullable String reason) {}

  private Condition(String text, CelRuntime.Program program, Set<String> names, Needs needs) {
    this.text = text;
    this.program = program;
    this.names = names;
    this.needs = needs;
  }

  /**
   * Reads a condition.
   *
   * @throws ConditionException if it is no CEL, names something unknown, or can be no yes or no
   */
  public static Condition compile(String cel) {
    return compile(cel, Set.of());
  }

  /**
   * Reads a condition that may also name members that steps add.
   *
   * @throws ConditionException as above
   */
  public static Condition compile(String cel, Set<String> more) {
    return compile(cel, more, Map.of(), true);
  }

  /** Reads an expression of any type. */
  static Condition expression(String cel, Set<String> more) {
    return compile(cel, more, Map.of(), false);
  }

  /**
   * Reads a condition within a loop.
   *
   * @param locals what the names of the loops stand for, as paths
   */
  static Condition compile(String cel, Set<String> more, Map<String, List<String>> locals) {
    return compile(cel, more, locals, true);
  }

  private static Condition compile(
      String cel, Set<String> more, Map<String, List<String>> locals, boolean yesOrNo) {
    Set<String> names = new TreeSet<>(more);
    names.addAll(locals.keySet());
    CelCompiler compiler = NAMES.containsAll(names) ? COMPILER : compiler(names);
    try {
      CelAbstractSyntaxTree parsed = compiler.parse(cel).getAst();
      // Checked twice, as only the first tree knows where in the text its parts stand.
      CelAbstractSyntaxTree checked = compiler.check(parsed).getAst();
      checkPatterns(parsed);
      CelAbstractSyntaxTree ast =
          cel.indexOf('[') < 0 ? checked : compiler.check(untyped(parsed)).getAst();
      CelType type = ast.getResultType();
      if (yesOrNo && !type.equals(SimpleType.BOOL) && !type.equals(SimpleType.DYN)) {
        throw new ConditionException(
            "is a " + type.name() + ", but must be a yes or no, such as event == \"NEW\"", 0, null);
      }
      Reading reading = new Reading(locals);
      reading.read(ast.getExpr(), Map.of());
      return new Condition(cel, RUNTIME.createProgram(ast), reading.roots, reading.needs);
    } catch (CelValidationException e) {
      throw mistake(cel, e);
    } catch (CelEvaluationException e) {
      throw new ConditionException("cannot be used: " + e.getMessage(), 0, e);
    }
  }

  /**
   * The checker takes an element at {@code x["key"]} to be of the type that it is first compared
   * with, so that 92.5 would not fit {@code > 90}. A call of dyn around it keeps it open.
   */
  private static CelAbstractSyntaxTree untyped(CelAbstractSyntaxTree parsed) {
    CelMutableAst ast = CelMutableAst.fromCelAst(parsed);
    List<CelMutableExpr> elements =
        CelNavigableMutableExpr.fromExpr(ast.expr())
            .allNodes()
            .map(CelNavigableMutableExpr::expr)
            .filter(e -> e.getKind() == CelExpr.ExprKind.Kind.CALL)
            .filter(e -> e.call().function().equals("_[_]"))
            .toList();
    // Far from the numbers that the parser gives.
    long id = 1_000_000;
    for (CelMutableExpr element : elements) {
      CelMutableExpr inner = CelMutableExpr.ofCall(element.id(), element.call());
      element.setId(id++);
      element.setCall(CelMutableExpr.CelMutableCall.create("dyn", inner));
    }
    return ast.toParsedAst();
  }

  /** Refuses patterns that could not be used, as far as they stand in the text. */
  private static void checkPatterns(CelAbstractSyntaxTree parsed) {
    CelNavigableMutableExpr.fromExpr(CelMutableAst.fromCelAst(parsed).expr())
        .allNodes()
        .map(CelNavigableMutableExpr::expr)
        .filter(e -> e.getKind() == CelExpr.ExprKind.Kind.CALL)
        .filter(e -> e.call().function().equals(MATCHES) && !e.call().args().isEmpty())
        .map(e -> e.call().args().getLast())
        .filter(e -> e.getKind() == CelExpr.ExprKind.Kind.CONSTANT)
        .filter(e -> e.constant().getKind() == CelConstant.Kind.STRING_VALUE)
        .forEach(
            e -> {
              try {
                UserPattern.compile(e.constant().stringValue());
              } catch (UserPattern.InvalidPatternException wrong) {
                Integer offset = parsed.getSource().getPositionsMap().get(e.id());
                throw new ConditionException(
                    "has a pattern that " + wrong.reason(), offset == null ? 0 : offset, wrong);
              }
            });
  }

  /** Whether a pattern is found in a text; as in CEL, but bounded. */
  private static boolean matchesPattern(String text, String pattern) {
    Pattern compiled;
    try {
      compiled = UserPattern.compile(pattern);
    } catch (UserPattern.InvalidPatternException e) {
      throw new IllegalArgumentException("the pattern " + e.reason(), e);
    }
    if ((long) text.length() * compiled.programSize() > MAX_MATCHING) {
      throw new IllegalArgumentException("the text is too long for a pattern of this size");
    }
    return compiled.matcher(text).find();
  }

  /** As it was written. */
  public String text() {
    return text;
  }

  /** What it looks at. */
  public Needs needs() {
    return needs;
  }

  /** Whether it holds. What cannot be decided does not hold. */
  public boolean test(JsonNode context) {
    return evaluate(context).holds();
  }

  /** Whether it holds, and if that cannot be decided, why. */
  public Outcome evaluate(JsonNode context) {
    Value value = value(context);
    if (value.reason() != null) {
      return new Outcome(false, value.reason());
    }
    return value.of() instanceof Boolean holds
        ? new Outcome(holds, null)
        : new Outcome(false, "'" + text + "' is no yes or no here");
  }

  /** Value of an expression, or the reason why there is none. */
  record Value(@Nullable Object of, @Nullable String reason) {}

  Value value(JsonNode context) {
    Map<String, Object> variables = new HashMap<>();
    for (String name : names) {
      JsonNode member = context.get(name);
      variables.put(name, CelValues.of(member == null ? Rendering.NULL : member));
    }
    Budget budget = new Budget();
    try {
      return new Value(program.trace(variables, (expression, value) -> budget.spend(value)), null);
    } catch (CelEvaluationException e) {
      return new Value(null, reason(e, budget));
    }
  }

  private static String reason(CelEvaluationException e, Budget budget) {
    if (budget.exceeded() != null) {
      return "takes too much: " + budget.exceeded();
    }
    String message = String.valueOf(e.getMessage());
    return message.replaceFirst("^evaluation error at <input>:\\d+: ", "").replaceAll("\\.$", "");
  }

  private static ConditionException mistake(String cel, CelValidationException e) {
    CelIssue issue = e.getErrors().isEmpty() ? null : e.getErrors().getFirst();
    if (issue == null) {
      return new ConditionException(String.valueOf(e.getMessage()), 0, e);
    }
    int offset = 0;
    int line = 1;
    while (line < issue.getSourceLocation().getLine() && cel.indexOf('\n', offset) >= 0) {
      offset = cel.indexOf('\n', offset) + 1;
      line++;
    }
    offset = Math.clamp((long) offset + issue.getSourceLocation().getColumn(), 0, cel.length());
    return new ConditionException(issue.getMessage().replace(" (in container '')", ""), offset, e);
  }

  private static CelCompiler compiler(Set<String> more) {
    CelCompilerBuilder builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.strings(TEXT));
    Set<String> all = new TreeSet<>(NAMES);
    all.addAll(more);
    all.removeAll(RESERVED);
    all.forEach(name -> builder.addVar(name, SimpleType.DYN));
    return builder.build();
  }

  /** Bounds of one evaluation: CEL tells each value that it comes to. */
  private static final class Budget {

    static final int MAX_ITERATIONS = 10_000;
    private static final int MAX_STEPS = 200_000;
    private static final int MAX_SIZE = 256 * 1024;
    private static final int MAX_TOTAL = 64 * MAX_SIZE;

    private @Nullable Effort effort;
    private int steps;
    private long size;
    private @Nullable String exceeded;

    @Nullable String exceeded() {
      return exceeded;
    }

    void spend(@Nullable Object value) {
      if (exceeded == null) {
        steps++;
        int length =
            switch (value) {
              case String text -> text.length();
              case CelValues.ArrayView view -> 0;
              case Collection<?> list -> list.size();
              case null, default -> 0;
            };
        size += length;
        if (steps > MAX_STEPS) {
          exceeded = "more than " + MAX_STEPS + " steps";
        } else if (length > MAX_SIZE || size > MAX_TOTAL) {
          exceeded = "values that grow too large";
        } else if (steps % 1000 == 0) {
          effort = effort == null ? new Effort() : effort;
          exceeded = effort.exceeded() ? "more than 250 ms" : null;
        }
      }
      if (exceeded != null) {
        throw new IllegalStateException(exceeded);
      }
    }
  }

  /** Walks an expression: which members of the context it names, and what of the object it uses. */
  private static final class Reading {

    private final Map<String, List<String>> outer;
    private final Set<String> roots = new TreeSet<>();
    private Needs needs = Needs.NONE;

    Reading(Map<String, List<String>> outer) {
      this.outer = outer;
    }

    /** Reads an expression whose value is used as a whole. */
    void read(CelExpr expression, Map<String, List<String>> locals) {
      List<String> path = path(expression, locals);
      if (path != null) {
        needs = needs.and(Needs.path(path));
      }
    }

    /**
     * The path that an expression stands for; null = it is none, and all within it has been read.
     */
    private @Nullable List<String> path(CelExpr expression, Map<String, List<String>> locals) {
      switch (expression.getKind()) {
        case IDENT -> {
          String name = expression.ident().name();
          List<String> local = locals.get(name);
          if (local != null) {
            return local.isEmpty() ? null : local;
          }
          roots.add(name);
          return outer.getOrDefault(name, List.of(name));
        }
        case SELECT -> {
          return below(expression.select().operand(), expression.select().field(), locals);
        }
        case CALL -> {
          CelExpr.CelCall call = expression.call();
          List<CelExpr> args = call.args();
          if (call.function().equals("dyn") && args.size() == 1) {
            return path(args.getFirst(), locals);
          }
          if (call.function().equals("_[_]") && args.size() == 2) {
            CelExpr key = args.get(1);
            String name = constant(key);
            if (name != null) {
              return below(args.get(0), name, locals);
            }
          } else if (call.function().equals("@in")) {
            String name = constant(args.get(0));
            if (name != null) {
              List<String> inside = below(args.get(1), name, locals);
              needs = inside == null ? needs : needs.and(Needs.path(inside));
              return null;
            }
          }
          boolean equality = call.function().equals("_==_") || call.function().equals("_!=_");
          if (equality && args.stream().anyMatch(Reading::isNull)) {
            // Whether there is one at all is known without loading it.
            args.forEach(arg -> path(arg, locals));
            return null;
          }
          call.target().ifPresent(target -> read(target, locals));
          args.forEach(arg -> read(arg, locals));
          return null;
        }
        case LIST -> expression.list().elements().forEach(e -> read(e, locals));
        case MAP ->
            expression
                .map()
                .entries()
                .forEach(
                    e -> {
                      read(e.key(), locals);
                      read(e.value(), locals);
                    });
        case COMPREHENSION -> comprehension(expression.comprehension(), locals);
        default -> {}
      }
      return null;
    }

    private void comprehension(CelExpr.CelComprehension loop, Map<String, List<String>> locals) {
      List<String> range = path(loop.iterRange(), locals);
      Map<String, List<String>> inner = new HashMap<>(locals);
      inner.put(loop.iterVar(), range == null ? List.of() : and(range, "*"));
      inner.put(loop.accuVar(), List.of());
      read(loop.accuInit(), locals);
      read(loop.loopCondition(), inner);
      read(loop.loopStep(), inner);
      read(loop.result(), inner);
    }

    private @Nullable List<String> below(
        CelExpr operand, String name, Map<String, List<String>> locals) {
      List<String> path = path(operand, locals);
      return path == null ? null : and(path, name);
    }

    private static List<String> and(List<String> path, String name) {
      List<String> longer = new ArrayList<>(path);
      longer.add(name);
      return List.copyOf(longer);
    }

    private static boolean isNull(CelExpr expression) {
      return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
          && expression.constant().getKind() == CelConstant.Kind.NULL_VALUE;
    }

    /** A constant key; a position stands for every element. */
    private static @Nullable String constant(CelExpr expression) {
      if (expression.getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
        return null;
      }
      CelConstant constant = expression.constant();
      return switch (constant.getKind()) {
        case STRING_VALUE -> constant.stringValue();
        case INT64_VALUE -> "*";
        default -> null;
      };
    }
  }
}
