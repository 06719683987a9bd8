package io.peerlens.dashboard.file;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that panels read and set.
 *
 * @param kinds of objects
 * @param scope objects to choose from
 * @param key of a tag
 * @param choices values to choose from, as texts; empty = any
 * @param initial what it is before anybody chooses; null = it has to be chosen
 */
public record Variable(
    String name,
    @Nullable String title,
    Type type,
    List<ObjectKind> kinds,
    Select.Scope scope,
    @Nullable String key,
    List<String> choices,
    @Nullable Default initial) {

  public Variable {
    kinds = List.copyOf(kinds);
    choices = List.copyOf(choices);
  }

  /** Type of a variable. */
  public enum Type {
    OBJECT,
    OBJECTS,
    TAG,
    GROUP,
    METRIC,
    TEXT,
    NUMBER,
    TIME,
    /** A condition that a distribution sets. */
    SLICE
  }

  /** What a variable is before anybody chooses. */
  public sealed interface Default {
    /** A text or a number as text. */
    record Value(String text) implements Default {}

    /** An object by what is written on it. */
    record Pinned(Select.Subject.Pinned object) implements Default {}

    /**
     * The first object.
     *
     * @param by newest value of this metric; null = by name
     */
    record First(@Nullable String by, boolean descending) implements Default {}
  }
}
