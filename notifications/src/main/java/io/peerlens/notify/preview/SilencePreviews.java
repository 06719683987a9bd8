package io.peerlens.notify.preview;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.Condition;
import io.peerlens.alerttemplates.Needs;
import io.peerlens.api.model.SilencePreview;
import io.peerlens.api.model.SilencePreviewRequest;
import io.peerlens.api.model.SilencedAlert;
import io.peerlens.notify.definition.InScope;
import io.peerlens.notify.definition.Silence;
import io.peerlens.notify.definition.SilenceDrafts;
import io.peerlens.notify.preview.OpenAlertQueries.Foreign;
import io.peerlens.notify.preview.OpenAlertQueries.Own;
import io.peerlens.notify.render.Contexts;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Moment;
import io.peerlens.notify.render.Wanted;
import io.peerlens.scope.Scope;
import io.peerlens.scope.Scopes;
import io.peerlens.threshold.Severity;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Preview of a silence: which open alerts it would cover now, by what the pipeline sees of them.
 * Scope and ids are looked at first; only for what they leave contexts are made, and only if
 * matchers or a condition need them.
 */
final class SilencePreviews {

  private static final int MOST_CONTEXTS = 5_000;
  private static final int AT_A_TIME = 500;
  private static final int SHOWN = 50;

  private static final Comparator<SilencedAlert> WORST_FIRST =
      Comparator.comparing(SilencedAlert::getSeverity, Comparator.reverseOrder())
          .thenComparing(SilencedAlert::getNumber, Comparator.nullsLast(Comparator.reverseOrder()));

  private final OpenAlertQueries queries;
  private final Contexts contexts;
  private final Scopes scopes;
  private final InstantSource clock;

  SilencePreviews(OpenAlertQueries queries, Contexts contexts, Scopes scopes, InstantSource clock) {
    this.queries = queries;
    this.contexts = contexts;
    this.scopes = scopes;
    this.clock = clock;
  }

  SilencePreview preview(SilencePreviewRequest request) {
    Silence silence = SilenceDrafts.draft(request);
    return preview(silence, requireNonNullElse(request.getLimit(), SHOWN));
  }

  private SilencePreview preview(Silence silence, int limit) {
    List<Own> own = queries.own();
    List<Foreign> foreign = queries.foreign();
    Instant now = clock.instant();
    Condition when = silence.when();
    Wanted wanted = SampleContexts.wanted(when == null ? Needs.NONE : when.needs());
    List<Own> inScope = inScope(silence, own);
    boolean plain = when == null && silence.matchers().isEmpty();
    int most = plain ? inScope.size() : Math.min(inScope.size(), MOST_CONTEXTS);
    List<SilencedAlert> covered = new ArrayList<>();
    if (plain) {
      inScope.forEach(alert -> covered.add(answer(alert)));
    } else {
      for (int i = 0; i < most; i += AT_A_TIME) {
        add(covered, silence, inScope.subList(i, Math.min(i + AT_A_TIME, most)), wanted, now);
      }
    }
    int mostForeign = Math.min(foreign.size(), MOST_CONTEXTS);
    addForeign(covered, silence, foreign.subList(0, mostForeign), wanted, now);
    covered.sort(WORST_FIRST);
    return new SilencePreview(
        covered.size(),
        own.size() + foreign.size(),
        most < inScope.size() || mostForeign < foreign.size(),
        List.copyOf(covered.subList(0, Math.min(limit, covered.size()))));
  }

  private List<Own> inScope(Silence silence, List<Own> own) {
    return inScope(silence, own, scopes);
  }

  /** What ids and the scope leave. */
  static List<Own> inScope(Silence silence, List<Own> own, Scopes scopes) {
    List<Own> named =
        silence.alerts().isEmpty()
            ? own
            : own.stream().filter(one -> silence.alerts().contains(one.id().toString())).toList();
    Scope scope = silence.scope();
    if (scope == null) {
      return named;
    }
    Set<UUID> objects = new HashSet<>();
    named.forEach(alert -> objects.add(alert.object()));
    Set<UUID> held = scopes.holding(scope, objects);
    return named.stream().filter(alert -> held.contains(alert.object())).toList();
  }

  /** Those that are in its scope already. */
  private void add(
      List<SilencedAlert> covered, Silence silence, List<Own> some, Wanted wanted, Instant now) {
    List<@Nullable ObjectNode> found =
        contexts.of(
            some.stream().map(alert -> Moment.now(alert.id(), EventType.UPDATE, "look")).toList(),
            wanted,
            now);
    for (int n = 0; n < some.size(); n++) {
      ObjectNode context = found.get(n);
      if (context != null && silence.covers(context, (scope, object) -> true)) {
        covered.add(answer(some.get(n)));
      }
    }
  }

  private void addForeign(
      List<SilencedAlert> covered,
      Silence silence,
      List<Foreign> foreign,
      Wanted wanted,
      Instant now) {
    contexts.enrich(foreign.stream().map(Foreign::context).toList(), wanted, now);
    InScope inScope = inScope(silence.scope(), foreign);
    for (Foreign one : foreign) {
      if (silence.covers(one.context(), inScope)) {
        JsonNode alert = one.context().path("alert");
        String object = one.context().path("object").path("name").asString("");
        covered.add(
            new SilencedAlert(
                one.id(),
                null,
                alert.path("name").asString(""),
                object.isEmpty() ? null : object,
                severity(Severity.level(alert.path("criticality").asString(""))),
                one.source()));
      }
    }
  }

  private InScope inScope(@Nullable Scope scope, List<Foreign> foreign) {
    if (scope == null) {
      return (any, object) -> true;
    }
    Set<UUID> objects = new HashSet<>();
    for (Foreign one : foreign) {
      try {
        objects.add(UUID.fromString(one.context().path("object").path("id").asString("")));
      } catch (IllegalArgumentException e) {
        continue; // the inventory does not know it
      }
    }
    Set<UUID> held = scopes.holding(scope, objects);
    return (any, object) -> held.contains(object);
  }

  private static SilencedAlert answer(Own alert) {
    return new SilencedAlert(
        alert.id(),
        alert.number(),
        alert.name(),
        alert.objectName(),
        severity(alert.severity()),
        "peerlens");
  }

  /** A severity of the API by its level; one that is not known is a warning. */
  private static io.peerlens.api.model.Severity severity(int level) {
    Severity severity = Severity.of(level);
    return io.peerlens.api.model.Severity.valueOf(
        (severity == null ? Severity.WARNING : severity).name());
  }
}
