package io.peerlens.notify.preview;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.Modified;
import io.peerlens.alerttemplates.TemplateException;
import io.peerlens.api.model.NotificationAnswer;
import io.peerlens.api.model.NotificationEvent;
import io.peerlens.api.model.NotificationExchange;
import io.peerlens.api.model.NotificationHeader;
import io.peerlens.api.model.NotificationSent;
import io.peerlens.api.model.NotificationTestRequest;
import io.peerlens.api.model.NotificationVerdict;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.notify.channel.ActiveTarget;
import io.peerlens.notify.channel.Answer;
import io.peerlens.notify.channel.Attempt;
import io.peerlens.notify.channel.Channels;
import io.peerlens.notify.channel.Exchange;
import io.peerlens.notify.channel.HeaderLine;
import io.peerlens.notify.channel.Pictures;
import io.peerlens.notify.channel.Verdict;
import io.peerlens.notify.definition.AdminOnly;
import io.peerlens.notify.definition.LookupStore;
import io.peerlens.notify.definition.NotificationRuleStore;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.render.EventType;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** Test messages to targets, sent at once and once, past rules and limits. */
final class TargetTests {

  private final NotificationTargetStore targets;
  private final NotificationRuleStore rules;
  private final NotificationTemplates templates;
  private final SampleContexts contexts;
  private final LookupStore lookups;
  private final Pictures pictures;
  private final Channels channels;
  private final InstantSource clock;

  TargetTests(
      NotificationTargetStore targets,
      NotificationRuleStore rules,
      NotificationTemplates templates,
      SampleContexts contexts,
      LookupStore lookups,
      Pictures pictures,
      Channels channels,
      InstantSource clock) {
    this.targets = targets;
    this.rules = rules;
    this.templates = templates;
    this.contexts = contexts;
    this.lookups = lookups;
    this.pictures = pictures;
    this.channels = channels;
    this.clock = clock;
  }

  NotificationExchange send(UUID id, NotificationTestRequest request) {
    NotificationTarget target = targets.existing(id);
    ActiveTarget active = target.active();
    AlertTemplate template =
        templates
            .existing(requireNonNullElse(request.getTemplate(), active.type().usualTemplate()))
            .template();
    if (!template.targetType().equals(active.type().value())) {
      throw ApiException.invalidField(
              "template",
              "%s is for %s, the target is of the type %s"
                  .formatted(template.id(), template.targetType(), active.type().value()))
          .hint("Leave it out, or choose one for " + active.type().value() + ".");
    }
    AdminOnly.requireForSecrets(template.needs().secrets(), sentAnyway(target, template));
    EventType event =
        EventType.valueOf(requireNonNullElse(request.getEvent(), NotificationEvent.NEW).getValue());
    ObjectNode context =
        contexts.of(
            request.getAlert(),
            event,
            request.getVars(),
            template.needs(),
            new SampleContexts.To(
                new UUID(0, 0).toString(), "Test", target.id().toString(), target.name()));
    UUID alert = alert(context);
    Message message = pictures.complete(message(template, context), alert);
    Exchange exchange =
        channels
            .of(active.type())
            .send(message, active, new Attempt(UUID.randomUUID(), alert, 1, 1, clock.instant()));
    return answer(exchange, ReceiverIssues.of(template, message));
  }

  /** Secrets that a rule sends there by this template. */
  private Set<String> sentAnyway(NotificationTarget target, AlertTemplate template) {
    return rules.byId().values().stream()
            .anyMatch(
                one ->
                    one.rule().template().equals(template.id())
                        && one.rule().targets().contains(target.id()))
        ? template.needs().secrets()
        : Set.of();
  }

  private static UUID alert(ObjectNode context) {
    try {
      return UUID.fromString(context.path("alert").path("id").asString(""));
    } catch (IllegalArgumentException e) {
      return UUID.randomUUID();
    }
  }

  private Message message(AlertTemplate template, ObjectNode context) {
    Modified modified = template.modify(context, lookups);
    String failure = modified.failure();
    if (failure == null && modified.dropped()) {
      failure = "it drops this alert";
    }
    try {
      if (failure == null) {
        return template.render(modified.context());
      }
    } catch (TemplateException e) {
      failure = e.mistakes().getFirst().toString();
    }
    throw ApiException.invalidField("template", "makes no message: " + failure)
        .hint("POST /api/v1/notification-templates/preview shows every step.");
  }

  private static NotificationExchange answer(Exchange exchange, List<RuleIssue> issues) {
    Verdict verdict = exchange.verdict();
    Duration after = verdict instanceof Verdict.Retry retry ? retry.after() : null;
    Answer came = exchange.answer();
    return new NotificationExchange(
        new NotificationSent(
            exchange.sent().line(), headers(exchange.sent().headers()), exchange.sent().body()),
        came == null
            ? null
            : new NotificationAnswer(came.status(), headers(came.headers()), came.head()),
        exchange.took().toMillis(),
        switch (verdict) {
          case Verdict.Delivered() -> NotificationVerdict.DELIVERED;
          case Verdict.DeliveredUnconfirmed() -> NotificationVerdict.UNCONFIRMED;
          case Verdict.Retry retry -> NotificationVerdict.RETRY;
          case Verdict.Refused refused -> NotificationVerdict.REFUSED;
          case Verdict.Gone gone -> NotificationVerdict.GONE;
          case Verdict.Unauthorized unauthorized -> NotificationVerdict.UNAUTHORIZED;
        },
        verdict.delivered() ? null : verdict.reason(),
        after == null ? null : after.toSeconds(),
        issues);
  }

  private static List<NotificationHeader> headers(List<HeaderLine> lines) {
    return lines.stream().map(line -> new NotificationHeader(line.name(), line.value())).toList();
  }
}
