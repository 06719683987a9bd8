package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.NotificationRulesApi;
import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.api.model.NotificationRulePage;
import io.peerlens.api.model.NotificationRuleVersion;
import io.peerlens.api.model.NotificationRuleVersionPage;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.Scope;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.scope.Scopes;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationRulesController implements NotificationRulesApi {

  private final NotificationRuleStore store;
  private final NotificationRuleService service;
  private final NotificationTemplates templates;
  private final NotificationTargetStore targets;
  private final Scopes scopes;
  private final DefinitionEndpoints<
          NotificationRuleEdit, NotificationRule, io.peerlens.api.model.NotificationRule>
      endpoints;

  NotificationRulesController(
      NotificationRuleStore store,
      NotificationRuleService service,
      NotificationTemplates templates,
      NotificationTargetStore targets,
      Scopes scopes) {
    this.store = store;
    this.service = service;
    this.templates = templates;
    this.targets = targets;
    this.scopes = scopes;
    this.endpoints = new DefinitionEndpoints<>(service, this::answer);
  }

  @Override
  public ResponseEntity<NotificationRulePage> listNotificationRules(
      @Nullable String q,
      @Nullable Boolean enabled,
      @Nullable String template,
      @Nullable UUID target,
      Integer limit,
      @Nullable String cursor) {
    List<String> words = Paging.words(q);
    Page<StoredRule<NotificationRuleEdit, NotificationRule>> page =
        Paging.page(
            store.byId().values().stream()
                .filter(one -> enabled == null || enabled == one.rule().enabled())
                .filter(one -> template == null || template.equals(one.rule().template()))
                .filter(one -> target == null || one.rule().targets().contains(target))
                .filter(
                    one ->
                        Paging.holds(
                            words, one.name(), one.edit().getDescription(), one.id().toString()))
                .toList(),
            one ->
                new String[] {
                  "%06d".formatted(one.rule().order()), one.name(), one.id().toString()
                },
            "rules " + words + " " + enabled + " " + template + " " + target,
            limit,
            cursor);
    return ResponseEntity.ok(page.map(this::answer).as(NotificationRulePage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRule> createNotificationRule(
      NotificationRuleEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRule> getNotificationRule(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRule> putNotificationRule(
      UUID id, NotificationRuleEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteNotificationRule(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<NotificationRuleVersionPage> listNotificationRuleHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(
        id, limit, cursor, NotificationRuleVersion::new, NotificationRuleVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRule> restoreNotificationRule(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  private io.peerlens.api.model.NotificationRule answer(
      StoredRule<NotificationRuleEdit, NotificationRule> stored) {
    NotificationRuleEdit edit = stored.edit();
    NotificationRule rule = stored.rule();
    List<RuleIssue> issues = new ArrayList<>();
    List<RuleRef> named = new ArrayList<>();
    for (UUID id : rule.targets()) {
      Optional<NotificationTarget> target = targets.find(id);
      named.add(new RuleRef(id, target.map(NotificationTarget::name).orElse("deleted target")));
      if (target.isPresent() && !target.get().enabled()) {
        issues.add(
            new RuleIssue(
                "targets", "the target \"" + target.get().name() + "\" is disabled", null));
      }
    }
    if (rule.criteria().scope() != null) {
      for (UUID group : scopes.unknownGroups(rule.criteria().scope())) {
        issues.add(new RuleIssue("scope.groups", "there is no group " + group + " here", null));
      }
    }
    if (templates.find(rule.template()).isEmpty()) {
      issues.add(new RuleIssue("template", "there is no template " + rule.template(), null));
    }
    return new io.peerlens.api.model.NotificationRule(
            stored.id(),
            stored.name(),
            edit.getDescription(),
            rule.enabled(),
            rule.order(),
            rule.continues(),
            requireNonNullElse(edit.getScope(), new Scope()),
            requireNonNullElse(edit.getEvents(), List.of()),
            NotificationRuleReader.changes(edit),
            requireNonNullElse(edit.getTypes(), List.of()),
            requireNonNullElse(edit.getSubTypes(), List.of()),
            requireNonNullElse(edit.getImpacts(), List.of()),
            requireNonNullElse(edit.getDefinitions(), List.of()),
            requireNonNullElse(edit.getControlStates(), List.of()),
            requireNonNullElse(edit.getObjectKinds(), List.of()),
            requireNonNullElse(edit.getSources(), List.of()),
            edit.getWhen(),
            rule.template(),
            rule.targets(),
            named,
            requireNonNullElse(edit.getVars(), Map.of()),
            edit.getDelay(),
            requireNonNullElse(edit.getSampling(), 100),
            issues,
            stored.pack(),
            stored.version(),
            stored.createdAt(),
            stored.createdBy(),
            stored.updatedAt(),
            stored.updatedBy())
        .severities(edit.getSeverities())
        .windows(edit.getWindows())
        .resend(edit.getResend())
        .group(edit.getGroup());
  }
}
