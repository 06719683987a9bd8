package io.peerlens.notify.preview;

import io.peerlens.alert.AlertSilences;
import io.peerlens.alerttemplates.Condition;
import io.peerlens.alerttemplates.Needs;
import io.peerlens.api.model.AlertSilence;
import io.peerlens.api.model.SilenceEdit;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.definition.Silence;
import io.peerlens.notify.definition.SilenceStore;
import io.peerlens.notify.preview.OpenAlertQueries.Own;
import io.peerlens.notify.render.Contexts;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Moment;
import io.peerlens.notify.render.Wanted;
import io.peerlens.scope.Scopes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Active silences by alert, as the pipeline sees them. Contexts are made only of alerts that ids
 * and scope leave to a silence with matchers or a condition, once for all such silences.
 */
final class SilencedAlerts implements AlertSilences {

  private static final int AT_A_TIME = 500;

  private final SilenceStore silences;
  private final OpenAlertQueries queries;
  private final Contexts contexts;
  private final Scopes scopes;
  private final InstantSource clock;

  SilencedAlerts(
      SilenceStore silences,
      OpenAlertQueries queries,
      Contexts contexts,
      Scopes scopes,
      InstantSource clock) {
    this.silences = silences;
    this.queries = queries;
    this.contexts = contexts;
    this.scopes = scopes;
    this.clock = clock;
  }

  @Override
  public Map<UUID, AlertSilence> of(Collection<UUID> alerts) {
    return alerts.isEmpty() ? Map.of() : find(() -> queries.own(alerts));
  }

  @Override
  public Map<UUID, AlertSilence> all() {
    return find(queries::own);
  }

  private Map<UUID, AlertSilence> find(Supplier<List<Own>> alerts) {
    Instant now = clock.instant();
    List<StoredRule<SilenceEdit, Silence>> active =
        silences.byId().values().stream()
            .filter(one -> one.rule().isActive(now))
            .sorted(Comparator.comparing(one -> one.rule().to(), Comparator.reverseOrder()))
            .toList();
    Map<UUID, AlertSilence> found = new HashMap<>();
    if (!active.isEmpty()) {
      List<Own> open = alerts.get();
      for (int i = 0; i < open.size(); i += AT_A_TIME) {
        add(found, active, open.subList(i, Math.min(i + AT_A_TIME, open.size())), now);
      }
    }
    return found;
  }

  private void add(
      Map<UUID, AlertSilence> found,
      List<StoredRule<SilenceEdit, Silence>> active,
      List<Own> some,
      Instant now) {
    Map<UUID, List<Own>> left = new LinkedHashMap<>();
    Map<UUID, Own> toRead = new LinkedHashMap<>();
    for (StoredRule<SilenceEdit, Silence> one : active) {
      List<Own> inScope = SilencePreviews.inScope(one.rule(), some, scopes);
      left.put(one.id(), inScope);
      if (!isPlain(one.rule())) {
        inScope.forEach(alert -> toRead.put(alert.id(), alert));
      }
    }
    Map<UUID, ObjectNode> read = read(List.copyOf(toRead.keySet()), active, now);
    for (StoredRule<SilenceEdit, Silence> one : active) {
      Silence silence = one.rule();
      for (Own alert : left.getOrDefault(one.id(), List.of())) {
        ObjectNode context = read.get(alert.id());
        if (isPlain(silence)
            || (context != null && silence.covers(context, (scope, object) -> true))) {
          found.putIfAbsent(
              alert.id(),
              new AlertSilence(one.id(), silence.to(), one.createdBy(), silence.comment()));
        }
      }
    }
  }

  private Map<UUID, ObjectNode> read(
      List<UUID> alerts, List<StoredRule<SilenceEdit, Silence>> active, Instant now) {
    Map<UUID, ObjectNode> read = new HashMap<>();
    if (alerts.isEmpty()) {
      return read;
    }
    List<@Nullable ObjectNode> made =
        contexts.of(
            alerts.stream().map(id -> Moment.now(id, EventType.UPDATE, "look")).toList(),
            Wanted.all(active.stream().map(one -> wanted(one.rule())).toList()),
            now);
    for (int n = 0; n < alerts.size(); n++) {
      ObjectNode context = made.get(n);
      if (context != null) {
        read.put(alerts.get(n), context);
      }
    }
    return read;
  }

  private static Wanted wanted(Silence silence) {
    Condition when = silence.when();
    return SampleContexts.wanted(when == null ? Needs.NONE : when.needs());
  }

  private static boolean isPlain(Silence silence) {
    return silence.when() == null && silence.matchers().isEmpty();
  }
}
