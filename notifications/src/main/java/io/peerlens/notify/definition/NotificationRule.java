package io.peerlens.notify.definition;

import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Notification rule: which alerts go where, in which form and when.
 *
 * @param order rules are gone through by this, then by name
 * @param continues whether the rules behind it are asked, too, when it takes an alert
 * @param criteria which alerts it takes
 * @param windows when it notifies
 * @param template id of what notifications look like
 * @param targets where notifications go
 * @param vars values for the template, as {@code vars.NAME}
 * @param delay an alert that is over sooner is not sent
 * @param resend null = an open alert is sent once
 * @param group null = every alert is sent on its own
 */
public record NotificationRule(
    UUID id,
    String name,
    boolean enabled,
    int order,
    boolean continues,
    Criteria criteria,
    Windows windows,
    String template,
    List<UUID> targets,
    Map<String, JsonNode> vars,
    Duration delay,
    @Nullable Resend resend,
    @Nullable Grouping group) {

  public NotificationRule {
    targets = List.copyOf(targets);
    vars = Map.copyOf(vars);
  }

  /**
   * Criteria by which a rule takes alerts; an empty set is no condition. Words are those of the
   * context: {@code CRITICAL}, {@code HEALTH}.
   *
   * @param scope null = of any object, and alerts without object
   * @param events of NEW, UPDATE, CANCEL
   * @param changes of updates; {@code severity}, {@code members}, {@code acknowledged} ...
   * @param definitions ids of what raises alerts
   * @param sources {@code peerlens}, {@code notices}, or names of relays
   * @param when a condition in CEL; null = none
   * @param sampling share of alerts that it takes, by their ids: 1 = all
   */
  public record Criteria(
      @Nullable Scope scope,
      Set<String> events,
      Set<String> changes,
      Set<String> severities,
      Set<String> types,
      Set<String> subTypes,
      Set<String> impacts,
      Set<String> definitions,
      Set<String> controlStates,
      Set<ObjectKind> objectKinds,
      Set<String> sources,
      @Nullable String when,
      double sampling) {

    /** Every alert. */
    public static final Criteria ALL =
        new Criteria(
            null, Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(),
            Set.of(), Set.of(), null, 1);

    public Criteria {
      events = Set.copyOf(events);
      changes = Set.copyOf(changes);
      severities = Set.copyOf(severities);
      types = Set.copyOf(types);
      subTypes = Set.copyOf(subTypes);
      impacts = Set.copyOf(impacts);
      definitions = Set.copyOf(definitions);
      controlStates = Set.copyOf(controlStates);
      objectKinds = Set.copyOf(objectKinds);
      sources = Set.copyOf(sources);
    }
  }

  /**
   * Repetition of the notification of an open alert.
   *
   * @param max how often at most, the first time not counted; 0 = without end
   */
  public record Resend(Duration every, int max) {}

  /**
   * Grouping of alerts into one notification.
   *
   * @param by paths of the context whose values alerts of a group share; empty = all in one. {@link
   *     #INCIDENT} stands for the incident of an alert; one that is in none is alone
   * @param hold from the first alert to the first notification
   * @param interval at least so long between two notifications of a group
   */
  public record Grouping(List<String> by, Duration hold, Duration interval) {
    /** The path that stands for the incident of an alert. */
    public static final String INCIDENT = "incident";

    public Grouping {
      by = List.copyOf(by);
    }

    /** Whether the alerts of an incident are sent as one. */
    public boolean isByIncident() {
      return by.contains(INCIDENT);
    }
  }
}
