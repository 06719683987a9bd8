package io.peerlens.notify.definition;

import com.google.re2j.Pattern;
import io.peerlens.alerttemplates.Condition;
import io.peerlens.scope.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Silence: a time at which some alerts are not notified. Immutable.
 *
 * @param comment why
 * @param alerts ids of those that it is about; empty = it is about any
 * @param matchers all must fit
 * @param scope null = any object, and alerts without object
 * @param when null = no condition
 * @param to exclusive; equal to {@code from} when it was ended before it began
 */
public record Silence(
    UUID id,
    String comment,
    Set<String> alerts,
    List<Matcher> matchers,
    @Nullable Scope scope,
    @Nullable Condition when,
    Instant from,
    Instant to) {

  public Silence {
    alerts = Set.copyOf(alerts);
    matchers = List.copyOf(matchers);
  }

  /** Operator of a matcher. */
  public enum Operator {
    EQUALS,
    NOT_EQUALS,
    MATCHES,
    NOT_MATCHES
  }

  /**
   * Compares one value of the context.
   *
   * @param path names from the outside in; a value that is missing is an empty text
   * @param pattern of {@code value}, of the whole text; null = it is compared as it is
   */
  public record Matcher(
      List<String> path, Operator operator, String value, @Nullable Pattern pattern) {

    public Matcher {
      path = List.copyOf(path);
    }

    boolean fits(JsonNode context) {
      JsonNode found = context;
      for (String name : path) {
        found = found.path(name);
      }
      String text = found.isValueNode() && !found.isNull() ? found.asString("") : "";
      boolean same = pattern == null ? text.equals(value) : pattern.matches(text);
      return same == (operator == Operator.EQUALS || operator == Operator.MATCHES);
    }
  }

  /** Whether it is in force at a moment. */
  public boolean isActive(Instant moment) {
    return !moment.isBefore(from) && moment.isBefore(to);
  }

  /**
   * Whether it is about an alert, at whatever time.
   *
   * @param context canonical, see the schema of contexts
   */
  public boolean covers(JsonNode context, InScope scopes) {
    return (alerts.isEmpty() || alerts.contains(context.path("alert").path("id").asString("")))
        && matchers.stream().allMatch(matcher -> matcher.fits(context))
        && (scope == null || holds(scope, context.path("object"), scopes))
        && (when == null || when.test(context));
  }

  private static boolean holds(Scope scope, JsonNode object, InScope scopes) {
    try {
      return object.isObject()
          && scopes.holds(scope, UUID.fromString(object.path("id").asString("")));
    } catch (IllegalArgumentException e) {
      return false; // it is known to another system only
    }
  }
}
