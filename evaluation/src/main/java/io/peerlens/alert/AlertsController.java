package io.peerlens.alert;

import io.peerlens.api.AlertsApi;
import io.peerlens.api.model.Alert;
import io.peerlens.api.model.AlertAction;
import io.peerlens.api.model.AlertActionRequest;
import io.peerlens.api.model.AlertActionResult;
import io.peerlens.api.model.AlertControlState;
import io.peerlens.api.model.AlertCounts;
import io.peerlens.api.model.AlertFeature;
import io.peerlens.api.model.AlertHistoryPage;
import io.peerlens.api.model.AlertOpenness;
import io.peerlens.api.model.AlertPage;
import io.peerlens.api.model.AlertSilence;
import io.peerlens.api.model.AlertSort;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.RelatedToAlert;
import io.peerlens.api.model.Severity;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class AlertsController implements AlertsApi {

  private static final int EARLIER = 20;
  private static final Duration LONGEST_SUSPENSION = Duration.ofDays(366);

  private final AlertQueries alerts;
  private final AlertCountQueries counts;
  private final RelatedQueries related;
  private final AlertActionStore actions;
  private final AlertSilences silences;
  private final InstantSource clock;

  AlertsController(
      AlertQueries alerts,
      AlertCountQueries counts,
      RelatedQueries related,
      AlertActionStore actions,
      AlertSilences silences,
      InstantSource clock) {
    this.alerts = alerts;
    this.counts = counts;
    this.related = related;
    this.actions = actions;
    this.silences = silences;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<AlertPage> listAlerts(
      @Nullable AlertOpenness status,
      @Nullable List<Severity> severity,
      @Nullable List<AlertControlState> controlState,
      @Nullable List<Impact> impact,
      @Nullable List<UUID> definition,
      @Nullable List<UUID> object,
      @Nullable UUID ancestor,
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable List<String> owner,
      @Nullable Boolean flapping,
      @Nullable Boolean silenced,
      @Nullable String incident,
      @Nullable String q,
      @Nullable String from,
      @Nullable String to,
      @Nullable AlertSort sort,
      Integer limit,
      @Nullable String cursor) {
    AlertFilter filter =
        new AlertFilter(
            status,
            severity,
            controlState,
            impact,
            definition,
            object,
            ancestor,
            adapterKind,
            objectKind,
            owner,
            flapping,
            silenced(silenced),
            incident,
            q,
            AlertFilter.Window.of(from, to));
    AlertPage page =
        alerts.find(filter, sort == null ? AlertSort.SEVERITY_DESC : sort, limit, cursor);
    markSilenced(page.getItems());
    return ResponseEntity.ok(page);
  }

  @Override
  public ResponseEntity<AlertCounts> countAlerts(
      AlertFeature by,
      @Nullable AlertOpenness status,
      @Nullable List<Severity> severity,
      @Nullable List<AlertControlState> controlState,
      @Nullable List<Impact> impact,
      @Nullable List<UUID> definition,
      @Nullable List<UUID> object,
      @Nullable UUID ancestor,
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable List<String> owner,
      @Nullable Boolean flapping,
      @Nullable Boolean silenced,
      @Nullable String incident,
      @Nullable String q,
      @Nullable String from,
      @Nullable String to) {
    // With a window, what was open then counts, not what is open now.
    AlertFilter.Window window = AlertFilter.Window.of(from, to);
    AlertFilter filter =
        new AlertFilter(
            status,
            severity,
            controlState,
            impact,
            definition,
            object,
            ancestor,
            adapterKind,
            objectKind,
            owner,
            flapping,
            silenced(silenced),
            incident,
            q,
            by == AlertFeature.HOUR ? window.closed(clock.instant()) : window);
    return ResponseEntity.ok(counts.count(filter, by));
  }

  @Override
  public ResponseEntity<Alert> getAlert(UUID id) {
    Alert alert = alert(id);
    markSilenced(List.of(alert));
    return ResponseEntity.ok(alert);
  }

  private void markSilenced(List<Alert> some) {
    Map<UUID, AlertSilence> found = silences.of(some.stream().map(Alert::getId).toList());
    some.forEach(alert -> alert.setSilence(found.get(alert.getId())));
  }

  private AlertFilter.@Nullable Silenced silenced(@Nullable Boolean wanted) {
    return wanted == null ? null : new AlertFilter.Silenced(wanted, silences.all().keySet());
  }

  @Override
  public ResponseEntity<AlertHistoryPage> listAlertHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    alert(id);
    return ResponseEntity.ok(alerts.history(id, limit, cursor));
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<RelatedToAlert> getRelatedToAlert(UUID id) {
    Alert alert = alert(id);
    return ResponseEntity.ok(
        new RelatedToAlert(
            related.symptoms(alert), related.changes(alert), alerts.earlier(id, EARLIER)));
  }

  private Alert alert(UUID id) {
    return alerts
        .one(id)
        .orElseThrow(
            () ->
                ApiException.notFound("alert", id)
                    .hint("Canceled alerts are kept for peerlens.alerts.keep-canceled."));
  }

  @Override
  public ResponseEntity<AlertActionResult> actOnAlerts(AlertActionRequest request) {
    AlertAction action = request.getAction();
    Instant now = clock.instant();
    onlyFor(action, AlertAction.ASSIGN, "owner", request.getOwner());
    onlyFor(action, AlertAction.SUSPEND, "until", request.getUntil());
    if (action == AlertAction.NOTE && request.getNote() == null) {
      throw ApiException.invalidField("note", "is missing");
    }
    if (request.getNote() != null) {
      ScopeReader.storable("note", request.getNote());
    }
    if (request.getOwner() != null && request.getOwner().isBlank()) {
      throw ApiException.invalidField("owner", "is blank");
    }
    String until = request.getUntil();
    return ResponseEntity.ok(
        new AlertActionResult(
            actions.act(
                request.getIds(),
                new AlertActionStore.Wanted(
                    action,
                    request.getOwner() == null
                        ? null
                        : ScopeReader.storable("owner", request.getOwner()),
                    until == null ? null : until(until, now),
                    request.getNote(),
                    Caller.current().name(),
                    now))));
  }

  private static void onlyFor(
      AlertAction action, AlertAction wants, String field, @Nullable String value) {
    if (action == wants && value == null) {
      throw ApiException.invalidField(field, "is missing");
    }
    if (action != wants && value != null) {
      throw ApiException.invalidField(field, "does not go with " + action.getValue());
    }
  }

  private static Instant until(String text, Instant now) {
    Instant until = Moments.field("until", text);
    if (!until.isAfter(now)) {
      throw ApiException.invalidField("until", "is not in the future");
    }
    if (until.isAfter(now.plus(LONGEST_SUSPENSION))) {
      throw ApiException.invalidField("until", "is more than a year away")
          .hint("To silence it for ever, change its scope or disable its rule.");
    }
    return until;
  }
}
