package io.peerlens.notify.preview;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.Modified;
import io.peerlens.alerttemplates.Needs;
import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.alerttemplates.StepResult;
import io.peerlens.alerttemplates.TemplateException;
import io.peerlens.api.model.DeliveryEvent;
import io.peerlens.api.model.NotificationEvent;
import io.peerlens.api.model.NotificationFieldChange;
import io.peerlens.api.model.NotificationPreview;
import io.peerlens.api.model.NotificationPreviewRequest;
import io.peerlens.api.model.NotificationStep;
import io.peerlens.api.model.NotificationStepEffect;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.notify.channel.Pictures;
import io.peerlens.notify.definition.LookupStore;
import io.peerlens.notify.definition.MissingNeeds;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.definition.ShownMessage;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Previews of templates: what they make of alerts. Nothing is stored or sent. */
final class TemplatePreviews {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final NotificationTemplates templates;
  private final LookupStore lookups;
  private final Secrets secrets;
  private final SampleContexts contexts;
  private final Pictures pictures;

  TemplatePreviews(
      NotificationTemplates templates,
      LookupStore lookups,
      Secrets secrets,
      SampleContexts contexts,
      Pictures pictures) {
    this.templates = templates;
    this.lookups = lookups;
    this.secrets = secrets;
    this.contexts = contexts;
    this.pictures = pictures;
  }

  NotificationPreview preview(NotificationPreviewRequest request) {
    AlertTemplate template = template(request);
    EventType event =
        EventType.valueOf(requireNonNullElse(request.getEvent(), NotificationEvent.NEW).getValue());
    ObjectNode context = context(request, event, template.needs());
    Modified modified = template.modify(context, lookups);
    Message message = null;
    Set<Integer> unseen = Set.of();
    String error = modified.failure();
    if (error == null && !modified.dropped()) {
      try {
        message = template.render(modified.context());
        unseen = unseen(template, modified.steps(), context, message);
        UUID alert = request.getAlert();
        message = alert == null ? message : pictures.complete(message, alert);
      } catch (TemplateException e) {
        error = e.mistakes().getFirst().toString();
      }
    }
    Set<Integer> unseenSteps = unseen;
    return new NotificationPreview(
        DeliveryEvent.fromValue(modified.context().path("event").asString(event.name())),
        modified.dropped(),
        modified.steps().stream().map(step -> step(step, unseenSteps)).toList(),
        changes(modified.steps()),
        context,
        shown(modified.context()),
        message == null ? null : ShownMessage.of(message),
        message == null ? 0L : ShownMessage.bytes(message),
        issues(template, modified.steps(), unseenSteps, message),
        error);
  }

  /** Places of steps that changed something which the message does not show. */
  private Set<Integer> unseen(
      AlertTemplate template, List<StepResult> steps, JsonNode context, Message message) {
    return steps.stream()
        .filter(step -> !step.changes().isEmpty())
        .map(StepResult::index)
        .filter(index -> !template.isSeen(index, context, lookups, message))
        .collect(Collectors.toSet());
  }

  private AlertTemplate template(NotificationPreviewRequest request) {
    String id = request.getTemplate();
    Object document = request.getDocument();
    if ((id == null) == (document == null)) {
      throw ApiException.invalidField(
              id == null ? "template" : "document",
              id == null ? "is missing, and so is document" : "cannot be combined with template")
          .hint("Give template, the id of one, or document, a template that is not stored.");
    }
    return id == null
        ? NotificationTemplates.draft("document", Objects.requireNonNull(document))
        : templates.existing(id).template();
  }

  private ObjectNode context(NotificationPreviewRequest request, EventType event, Needs needs) {
    Object given = request.getContext();
    if (given == null) {
      return contexts.of(
          request.getAlert(), event, request.getVars(), needs, SampleContexts.To.NOBODY_YET);
    }
    if (request.getAlert() != null) {
      throw ApiException.invalidField("context", "cannot be combined with alert")
          .hint("Give one of them.");
    }
    if (!(JSON.<JsonNode>valueToTree(given) instanceof ObjectNode context)) {
      throw ApiException.invalidField("context", "is no object");
    }
    if (!context.has("event") || request.getEvent() != null) {
      context.put("event", event.name());
    }
    if (request.getVars() != null) {
      context.set("vars", JSON.valueToTree(request.getVars()));
    }
    return context;
  }

  private static NotificationStep step(StepResult result, Set<Integer> unseen) {
    return new NotificationStep(
        result.index(),
        result.words(),
        NotificationStepEffect.valueOf(result.effect().name()),
        result.changes().stream()
            .map(change -> change(change.path(), change.before(), change.after(), change.note()))
            .toList(),
        result.error(),
        !unseen.contains(result.index()));
  }

  /**
   * What differs in the end: of several changes of a field, the first before and the last after.
   */
  private static List<NotificationFieldChange> changes(List<StepResult> steps) {
    Map<String, StepResult.Change> byPath = new LinkedHashMap<>();
    for (StepResult step : steps) {
      for (StepResult.Change change : step.changes()) {
        byPath.merge(
            change.path(),
            change,
            (first, last) ->
                new StepResult.Change(first.path(), first.before(), last.after(), last.note()));
      }
    }
    return byPath.values().stream()
        .filter(change -> !Objects.equals(change.before(), change.after()))
        .map(change -> change(change.path(), change.before(), change.after(), change.note()))
        .toList();
  }

  private static NotificationFieldChange change(
      String path, @Nullable JsonNode before, @Nullable JsonNode after, @Nullable String note) {
    return new NotificationFieldChange(
        path, before == null ? null : shown(before), after == null ? null : shown(after), note);
  }

  /** With names in the place of secrets. */
  private static JsonNode shown(JsonNode node) {
    return JSON.readTree(SecretMarks.show(node.toString()));
  }

  private List<RuleIssue> issues(
      AlertTemplate template,
      List<StepResult> steps,
      Set<Integer> unseen,
      @Nullable Message message) {
    List<RuleIssue> issues = new ArrayList<>();
    for (StepResult step : steps) {
      if (unseen.contains(step.index())) {
        issues.add(
            new RuleIssue(
                "document.modify[" + step.index() + "]",
                "step %d changes %s, which this message does not show"
                    .formatted(step.index() + 1, step.changes().getFirst().path()),
                "Change a field that the output reads, such as alert.info, or read this one there"
                    + " as ${"
                    + step.changes().getFirst().path()
                    + "}."));
      }
    }
    Needs needs = template.needs();
    issues.addAll(MissingNeeds.issues(needs, lookups, secrets::exists));
    List<RuleIssue> refused = message == null ? List.of() : ReceiverIssues.of(template, message);
    if (refused.isEmpty()
        && message instanceof Message.Http http
        && http.escape() == SecretMarks.Escape.JSON
        && !isJson(SecretMarks.show(http.body()))) {
      issues.add(
          new RuleIssue(
              "document.render.body",
              "the body is no JSON, though its type is " + http.contentType(),
              "Use the format json, which cannot go wrong."));
    }
    issues.addAll(refused);
    return issues;
  }

  private static boolean isJson(String body) {
    try {
      JSON.readTree(body);
      return true;
    } catch (JacksonException e) {
      return false;
    }
  }
}
