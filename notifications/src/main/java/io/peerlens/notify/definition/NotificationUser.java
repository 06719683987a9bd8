package io.peerlens.notify.definition;

import io.peerlens.api.model.RuleRef;
import io.peerlens.definition.DefinitionStore;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/** References to targets and templates by what sends notifications: rules and reports. */
public interface NotificationUser {

  /** What sends to a target, by name. */
  List<RuleRef> ofTarget(UUID target);

  /**
   * What renders by a template, by name.
   *
   * @param template its id, for instance {@code pagerduty-events-v2}
   */
  List<RuleRef> ofTemplate(String template);

  /** References to the definitions of a store that a condition chooses, by name. */
  static <R> List<RuleRef> named(DefinitionStore<?, R> store, Predicate<R> chosen) {
    return store.byId().values().stream()
        .filter(one -> chosen.test(one.rule()))
        .map(one -> new RuleRef(one.id(), one.name()))
        .sorted(Comparator.comparing(RuleRef::getName))
        .toList();
  }
}
