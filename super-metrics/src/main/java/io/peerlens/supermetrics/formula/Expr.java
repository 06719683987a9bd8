package io.peerlens.supermetrics.formula;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A formula as a tree. Two trees are the same formula if they are equal once {@link #unplaced}. */
public sealed interface Expr {

  /** Where in the text it stands. */
  Span at();

  /** The same tree without places, for comparing. */
  Expr unplaced();

  /** Visits this and everything below it, conditions of {@code where} too, from the left. */
  default void walk(Consumer<Expr> visitor) {
    visitor.accept(this);
    switch (this) {
      case Negative negative -> negative.of().walk(visitor);
      case Not not -> not.of().walk(visitor);
      case Fresh fresh -> fresh.of().walk(visitor);
      case Binary binary -> {
        binary.left().walk(visitor);
        binary.right().walk(visitor);
      }
      case Conditional conditional -> {
        conditional.condition().walk(visitor);
        conditional.yes().walk(visitor);
        conditional.no().walk(visitor);
      }
      case Array array -> array.members().forEach(member -> member.walk(visitor));
      case Call call -> call.arguments().forEach(argument -> argument.walk(visitor));
      case Named named -> named.of().walk(visitor);
      case Entry entry -> {
        if (entry.where() != null) {
          entry.where().condition().walk(visitor);
        }
      }
      case Number number -> {}
      case Text text -> {}
      case Value value -> {}
      case OtherKey key -> {}
      case Alias alias -> {}
      case Bad bad -> {}
    }
  }

  /** A number, never negative: a minus before it is an operator. */
  record Number(double value, Span at) implements Expr {
    @Override
    public Number unplaced() {
      return new Number(value, Span.NONE);
    }
  }

  /** A text in quotes; only in conditions of {@code where}. */
  record Text(String value, Span at) implements Expr {
    @Override
    public Text unplaced() {
      return new Text(value, Span.NONE);
    }
  }

  /** {@code $value}: what a condition of {@code where} is asked about. */
  record Value(Span at) implements Expr {
    @Override
    public Value unplaced() {
      return new Value(Span.NONE);
    }
  }

  /**
   * {@code ${metric=key}} in a condition: another metric or property of the object whose value is
   * tested.
   */
  record OtherKey(String key, Span at) implements Expr {
    @Override
    public OtherKey unplaced() {
      return new OtherKey(key, Span.NONE);
    }
  }

  /** {@code x.isFresh()} in a condition; x is {@code $value} or another key. */
  record Fresh(Expr of, Span at) implements Expr {
    @Override
    public Fresh unplaced() {
      return new Fresh(of.unplaced(), Span.NONE);
    }
  }

  /** {@code -x}. A plus before a value is dropped. */
  record Negative(Expr of, Span at) implements Expr {
    @Override
    public Negative unplaced() {
      return new Negative(of.unplaced(), Span.NONE);
    }
  }

  /** {@code !x}: 1 if x is 0, else 0. */
  record Not(Expr of, Span at) implements Expr {
    @Override
    public Not unplaced() {
      return new Not(of.unplaced(), Span.NONE);
    }
  }

  /** Two operands and an operator between them. */
  record Binary(Operator operator, Expr left, Expr right, Span at) implements Expr {
    @Override
    public Binary unplaced() {
      return new Binary(operator, left.unplaced(), right.unplaced(), Span.NONE);
    }
  }

  /** {@code condition ? yes : no}. Any number but 0 is true; the other branch does not matter. */
  record Conditional(Expr condition, Expr yes, Expr no, Span at) implements Expr {
    @Override
    public Conditional unplaced() {
      return new Conditional(condition.unplaced(), yes.unplaced(), no.unplaced(), Span.NONE);
    }
  }

  /** {@code [a, b, c]}: several values for a looping function. */
  record Array(List<Expr> members, Span at) implements Expr {
    public Array {
      members = List.copyOf(members);
    }

    @Override
    public Array unplaced() {
      return new Array(members.stream().map(Expr::unplaced).toList(), Span.NONE);
    }
  }

  /** A function and its arguments. */
  record Call(Function function, List<Expr> arguments, Span at) implements Expr {
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public Call unplaced() {
      return new Call(function, arguments.stream().map(Expr::unplaced).toList(), Span.NONE);
    }
  }

  /** {@code x as name}: x itself, and a name for it that the whole formula may use. */
  record Named(Expr of, String name, Span at) implements Expr {
    @Override
    public Named unplaced() {
      return new Named(of.unplaced(), name, Span.NONE);
    }
  }

  /** A name that {@code as} gave to something, perhaps further on in the formula. */
  record Alias(String name, Span at) implements Expr {
    @Override
    public Alias unplaced() {
      return new Alias(name, Span.NONE);
    }
  }

  /**
   * {@code ${...}}: values of the object itself, of related objects, or of one named object.
   *
   * @param self {@code this}: the object that the formula is computed for
   * @param adapterKind null if {@code self}
   * @param objectKind null if {@code self}; {@code *} = every kind of the adapter
   * @param objectName name of one object, wherever it is; null = related objects
   * @param identifiers that tell objects of one name apart, in the order written
   * @param attribute whether the key stands for all its instances too
   * @param key of a metric or property
   * @param depth how many levels down (or up, if negative) related objects are looked for, all
   *     levels between included; null = not written, which means 1
   * @param where which values are kept; null = all
   * @param defaultValue taken where there is no value; null = none
   */
  record Entry(
      boolean self,
      @Nullable String adapterKind,
      @Nullable String objectKind,
      @Nullable String objectName,
      Map<String, String> identifiers,
      boolean attribute,
      String key,
      @Nullable Integer depth,
      @Nullable Where where,
      @Nullable Double defaultValue,
      Span at)
      implements Expr {

    public Entry {
      // keeps the order of the text, which Map.copyOf would not
      identifiers = Collections.unmodifiableMap(new LinkedHashMap<>(identifiers));
    }

    @Override
    public Entry unplaced() {
      Where bare = where == null ? null : new Where(where.form(), where.condition().unplaced());
      return new Entry(
          self,
          adapterKind,
          objectKind,
          objectName,
          identifiers,
          attribute,
          key,
          depth,
          bare,
          defaultValue,
          Span.NONE);
    }

    /** Whether it can only yield one value for an object: an exact key of one object. */
    public boolean isSingle() {
      return !attribute && (self || objectName != null);
    }

    /** How many levels away related objects are looked for; negative = up. */
    public int levels() {
      return depth == null ? 1 : depth;
    }
  }

  /** Condition on the values of an entry. */
  record Where(Form form, Expr condition) {

    /** The two ways to write a condition. */
    public enum Form {
      /** {@code where=">= 0"}, one comparison, texts without quotes. */
      TEXT,
      /** {@code where=($value >= 0 && ...)}, a whole expression. */
      EXPRESSION
    }
  }

  /** Placeholder where nothing could be made of the text; such a tree is never computed. */
  record Bad(Span at) implements Expr {
    @Override
    public Bad unplaced() {
      return new Bad(Span.NONE);
    }
  }
}
