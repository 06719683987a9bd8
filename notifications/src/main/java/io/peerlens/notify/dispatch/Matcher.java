package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.InScope;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.definition.NotificationRule.Criteria;
import io.peerlens.notify.dispatch.Match.Check;
import io.peerlens.notify.render.AlertTypes;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.NotificationContext;
import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Matcher of one rule against events of alerts. It looks at nothing but the rule, the context of
 * the event and which objects are in the rule's scope; when and how often it notifies is none of
 * its business. Thread-safe.
 */
public final class Matcher {

  private static final int BUCKETS = 10_000;

  private final Criteria criteria;
  private final @Nullable When when;

  /**
   * A matcher for a rule.
   *
   * @param when the rule's condition, compiled; null = it has none
   */
  public Matcher(NotificationRule rule, @Nullable When when) {
    this.criteria = rule.criteria();
    this.when = when;
  }

  /**
   * Judges one event.
   *
   * @param scopes which objects are in the scope of the rule
   */
  public Match match(NotificationContext context, InScope scopes) {
    List<Check> checks = new ArrayList<>();
    oneOf(checks, "events", "event", criteria.events(), context.event());
    if (!criteria.changes().isEmpty() && context.event().equals(EventType.UPDATE.name())) {
      check(checks, "changes", "change", criteria.changes(), context.change());
    }
    oneOf(checks, "sources", "source", criteria.sources(), context.source());
    oneOf(checks, "severities", "severity", criteria.severities(), context.alert("criticality"));
    types(checks, "types", "type", criteria.types(), context.alert("type"), AlertTypes::type);
    types(
        checks,
        "subTypes",
        "sub-type",
        criteria.subTypes(),
        context.alert("subType"),
        AlertTypes::subType);
    oneOf(checks, "impacts", "impact", criteria.impacts(), context.alert("impact"));
    definition(checks, context);
    oneOf(
        checks, "controlStates", "control state", criteria.controlStates(), context.controlState());
    kind(checks, context);
    scope(checks, context, scopes);
    sampling(checks, context.alert("id"));
    if (when != null) {
      String refusal = when.refusal(context.tree());
      checks.add(
          new Check("when", refusal == null, refusal == null ? "the condition holds" : refusal));
    }
    return new Match(checks);
  }

  private static void oneOf(
      List<Check> checks, String field, String noun, Set<String> wanted, String found) {
    if (!wanted.isEmpty()) {
      check(checks, field, noun, wanted, found);
    }
  }

  /** The name that vRealize Operations shows and the one that it sends are one type. */
  private static void types(
      List<Check> checks,
      String field,
      String noun,
      Set<String> wanted,
      String found,
      UnaryOperator<String> spelling) {
    if (!wanted.isEmpty()) {
      Set<String> spelled = wanted.stream().map(spelling).collect(Collectors.toSet());
      check(checks, field, noun, spelled, spelling.apply(found));
    }
  }

  private static void check(
      List<Check> checks, String field, String noun, Set<String> wanted, String found) {
    boolean met = wanted.stream().anyMatch(one -> spelling(one).equals(spelling(found)));
    String is = noun + " is " + (found.isEmpty() ? "not known" : found);
    checks.add(new Check(field, met, met ? is : is + ", not " + words(wanted)));
  }

  /**
   * {@code not-known}, {@code Not Known} and {@code NOT_KNOWN} are one, and so are what rules and
   * what receivers call a control state.
   */
  private static String spelling(String word) {
    String plain = word.toUpperCase(Locale.ROOT).replace('-', '_').replace(' ', '_');
    return plain.equals("ACKNOWLEDGED") ? "ASSIGNED" : plain;
  }

  private static String words(Collection<String> wanted) {
    List<String> sorted = wanted.stream().sorted().toList();
    return sorted.size() == 1
        ? sorted.getFirst()
        : String.join(", ", sorted.subList(0, sorted.size() - 1)) + " or " + sorted.getLast();
  }

  private void definition(List<Check> checks, NotificationContext context) {
    if (criteria.definitions().isEmpty()) {
      return;
    }
    boolean met = criteria.definitions().contains(context.alert("definitionId"));
    String name = context.alert("name");
    checks.add(
        new Check(
            "definitions",
            met,
            met ? "raised by " + name : "raised by " + name + ", which the rule does not name"));
  }

  private void kind(List<Check> checks, NotificationContext context) {
    if (criteria.objectKinds().isEmpty()) {
      return;
    }
    if (!context.hasObject()) {
      checks.add(new Check("objectKinds", false, "the alert has no object"));
      return;
    }
    ObjectKind kind = context.objectKind();
    boolean met = criteria.objectKinds().contains(kind);
    String is = "object kind is " + kind;
    checks.add(
        new Check(
            "objectKinds",
            met,
            met
                ? is
                : is
                    + ", not "
                    + words(criteria.objectKinds().stream().map(ObjectKind::toString).toList())));
  }

  private void scope(List<Check> checks, NotificationContext context, InScope scopes) {
    Scope scope = criteria.scope();
    if (scope == null || scope.equals(Scope.ALL)) {
      return;
    }
    if (!context.hasObject()) {
      checks.add(new Check("scope", false, "the alert has no object, the rule has a scope"));
      return;
    }
    UUID id = context.objectId();
    boolean met = id != null && scopes.holds(scope, id);
    checks.add(
        new Check(
            "scope",
            met,
            context.objectName()
                + (met ? " is in the rule's scope" : " is not in the rule's scope")));
  }

  /** The same alert is taken, or not, each time. */
  private void sampling(List<Check> checks, String id) {
    if (criteria.sampling() >= 1) {
      return;
    }
    int bucket = Math.floorMod(id.hashCode() * 0x9E3779B9, BUCKETS);
    boolean met = bucket < criteria.sampling() * BUCKETS;
    checks.add(
        new Check(
            "sampling",
            met,
            "the rule takes one alert of %s, %s this one"
                .formatted(
                    Math.round(1 / Math.max(criteria.sampling(), 1e-4)), met ? "and" : "not")));
  }
}
