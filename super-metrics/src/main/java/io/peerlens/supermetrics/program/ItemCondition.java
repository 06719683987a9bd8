package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.Operator;
import io.peerlens.supermetrics.formula.Span;
import io.peerlens.supermetrics.program.Lookup.Target;
import java.util.List;
import java.util.Map;

/** The condition of an entry, asked of one candidate. */
final class ItemCondition {

  private final Cell tested;
  private final Target target;
  private final Lookup lookup;
  private final Map<String, String> asked;

  /**
   * @param asked filled with other keys that the condition looks at, and their values
   */
  ItemCondition(Cell tested, Target target, Lookup lookup, Map<String, String> asked) {
    this.tested = tested;
    this.target = target;
    this.lookup = lookup;
    this.asked = asked;
  }

  Cell value(Expr expr) {
    return switch (expr) {
      case Expr.Number(double value, Span at) -> Cell.of(value);
      case Expr.Text(String value, Span at) -> new Cell(Column.number(value), value, null, 0);
      case Expr.Value value -> tested;
      case Expr.OtherKey(String key, Span at) -> {
        Cell cell = lookup.cell(target, key);
        String text = cell.asText();
        asked.put(key, text == null ? "" : text);
        yield cell;
      }
      case Expr.Fresh(Expr of, Span at) -> {
        Cell cell = value(of);
        yield cell.isPresent() ? Cell.of(cell.isFresh() ? 1 : 0) : Cell.NOTHING;
      }
      case Expr.Negative(Expr of, Span at) -> Cell.of(-value(of).number());
      case Expr.Not(Expr of, Span at) -> {
        double number = value(of).number();
        yield Double.isNaN(number) ? Cell.NOTHING : Cell.of(number == 0 ? 1 : 0);
      }
      case Expr.Binary binary -> binary(binary);
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) -> {
        double chosen = value(condition).number();
        yield Double.isNaN(chosen)
            ? Cell.NOTHING
            : Cell.of(value(Operator.isTrue(chosen) ? yes : no).number());
      }
      case Expr.Call(Function function, List<Expr> arguments, Span at) -> {
        double first = value(arguments.getFirst()).number();
        double second = arguments.size() == 1 ? 0 : value(arguments.get(1)).number();
        yield Double.isNaN(first) || Double.isNaN(second)
            ? Cell.NOTHING
            : Cell.of(
                Operator.finite(
                    arguments.size() == 1
                        ? function.unary().applyAsDouble(first)
                        : function.binary().applyAsDouble(first, second)));
      }
      case Expr.Array array -> throw Explainer.notHere(array);
      case Expr.Named named -> throw Explainer.notHere(named);
      case Expr.Alias alias -> throw Explainer.notHere(alias);
      case Expr.Entry entry -> throw Explainer.notHere(entry);
      case Expr.Bad bad -> throw Explainer.notHere(bad);
    };
  }

  private Cell binary(Expr.Binary expr) {
    Operator operator = expr.operator();
    Cell left = value(expr.left());
    Cell right = value(expr.right());
    boolean quoted = expr.left() instanceof Expr.Text || expr.right() instanceof Expr.Text;
    boolean equality = operator == Operator.EQUAL || operator == Operator.NOT_EQUAL;
    boolean numbers = left.isNumber() && right.isNumber();
    boolean texts = left.text() != null && right.text() != null;
    if (operator.isTextTest() || (equality && (quoted || (texts && !numbers)))) {
      String first = left.asText();
      String second = right.asText();
      if (first == null || second == null) {
        return Cell.NOTHING;
      }
      boolean holds =
          switch (operator) {
            case EQUAL -> first.equals(second);
            case NOT_EQUAL -> !first.equals(second);
            default -> operator.test(first, second);
          };
      return Cell.of(holds ? 1 : 0);
    }
    return Cell.of(operator.apply(left.number(), right.number()));
  }
}
