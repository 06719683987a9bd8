package io.peerlens.web;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Mistakes in JSON that does not fit a model, as a place and a reason for people. */
public final class JsonProblems {

  private JsonProblems() {}

  /** Returns the path of the member, such as {@code targets[0].url}; empty for the whole. */
  public static String path(DatabindException e) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      if (step.getPropertyName() != null) {
        path.append(path.isEmpty() ? "" : ".").append(Texts.shorten(step.getPropertyName()));
      } else {
        path.append('[').append(step.getIndex()).append(']');
      }
    }
    return path.toString();
  }

  /** Returns the rest of a sentence about the member, such as "is not one of v2c, v3". */
  public static String reason(DatabindException e) {
    return switch (e) {
      // A check of our own while a member was read.
      case DatabindException own
          when own.getCause() instanceof ApiException problem && !problem.errors().isEmpty() ->
          "has a member "
              + problem.errors().getFirst().getField()
              + " that "
              + problem.errors().getFirst().getReason();
      case InvalidFormatException format ->
          "\""
              + Texts.shorten(String.valueOf(format.getValue()))
              + "\" is not "
              + expected(format.getTargetType());
      case MismatchedInputException mismatch -> "is not " + expected(mismatch.getTargetType());
      // A value that no constant of an enumeration has, among others.
      case ValueInstantiationException value when value.getType() != null ->
          "is not " + expected(value.getType().getRawClass());
      default -> "cannot be understood";
    };
  }

  /** Returns the words for what a type takes, such as "a whole number in range". */
  static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "what belongs here";
    }
    if (type.isEnum()) {
      return "one of "
          + Arrays.stream(type.getEnumConstants())
              .map(String::valueOf)
              .collect(Collectors.joining(", "));
    }
    return switch (type.getSimpleName()) {
      case "UUID" -> "an id (a UUID)";
      case "Integer", "int", "Long", "long" -> "a whole number in range";
      case "Double", "double" -> "a number";
      case "Boolean", "boolean" -> "true or false";
      case "String" -> "a text";
      case "List", "ArrayList", "Collection" -> "a list";
      default -> "an object with the fields of " + type.getSimpleName().toLowerCase(Locale.ROOT);
    };
  }
}
