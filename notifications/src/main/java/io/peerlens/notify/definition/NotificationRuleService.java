package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleUser;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Notification rules, changed as people ask for it. */
final class NotificationRuleService
    extends DefinitionService<NotificationRuleEdit, NotificationRule> {

  private final NotificationRuleStore store;
  private final NotificationTemplates templates;
  private final NotificationTargetStore targets;

  NotificationRuleService(
      NotificationRuleStore store,
      NotificationVersionStore number,
      NotificationTemplates templates,
      NotificationTargetStore targets,
      InstantSource clock,
      NotificationProperties properties,
      ObjectProvider<RuleUser> users) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "notification rule",
            "/api/v1/notification-rules",
            properties.maxRules(),
            "peerlens.notify.definitions.max-rules"),
        () -> users.stream().toList());
    this.store = store;
    this.templates = templates;
    this.targets = targets;
  }

  @Override
  protected @Nullable UUID wantedId(NotificationRuleEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected NotificationRuleEdit prepared(UUID id, NotificationRuleEdit wanted, boolean isNew) {
    return normal("", wanted);
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the rule in the body, with a point at its end, or empty
   */
  static NotificationRuleEdit normal(String path, NotificationRuleEdit wanted) {
    NotificationRule rule = NotificationRuleReader.read(new UUID(0, 0), path, wanted);
    if (wanted.getWhen() != null) {
      CelConditions.compile(path + "when", wanted.getWhen());
    }
    return Definitions.of(Definitions.tree(wanted), NotificationRuleEdit.class)
        .enabled(rule.enabled())
        .order(rule.order())
        ._continue(rule.continues())
        .sampling(requireNonNullElse(wanted.getSampling(), 100));
  }

  @Override
  protected void check(NotificationRule rule) {
    AlertTemplate template = templates.named("template", rule.template());
    List<UUID> named = rule.targets();
    for (int i = 0; i < named.size(); i++) {
      NotificationTarget target = targets.named("targets[" + i + "]", named.get(i));
      String type = target.active().type().value();
      if (!type.equals(template.targetType())) {
        throw ApiException.invalidField(
                "targets[" + i + "]",
                "\"%s\" is of the type %s, but the template %s is for %s"
                    .formatted(target.name(), type, template.id(), template.targetType()))
            .hint("Choose a template for " + type + ", or make a rule for each type.");
      }
    }
    checkVars(rule, template);
    // Another target would get them, too.
    Set<String> before =
        store
            .find(rule.id())
            .filter(old -> old.targets().containsAll(rule.targets()))
            .flatMap(old -> templates.find(old.template()))
            .map(old -> old.template().needs().secrets())
            .orElse(Set.of());
    AdminOnly.requireForSecrets(template.needs().secrets(), before);
  }

  private static void checkVars(NotificationRule rule, AlertTemplate template) {
    List<String> known = template.vars().stream().map(AlertTemplate.Var::name).toList();
    for (String name : rule.vars().keySet()) {
      if (!known.contains(name)) {
        throw ApiException.invalidField("vars." + name, "is unknown to the template")
            .hint(
                known.isEmpty()
                    ? "The template " + template.id() + " has no vars."
                    : "Known are: " + String.join(", ", known) + ".");
      }
    }
    for (AlertTemplate.Var one : template.vars()) {
      if (one.instead().isNull() && !rule.vars().containsKey(one.name())) {
        throw ApiException.invalidField("vars." + one.name(), "is missing").hint(one.description());
      }
    }
  }
}
