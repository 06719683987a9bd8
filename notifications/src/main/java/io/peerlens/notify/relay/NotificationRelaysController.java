package io.peerlens.notify.relay;

import static java.util.Objects.requireNonNull;

import io.peerlens.api.NotificationRelaysApi;
import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.api.model.NotificationRelayPage;
import io.peerlens.api.model.NotificationRelayStateList;
import io.peerlens.api.model.NotificationRelayVersion;
import io.peerlens.api.model.NotificationRelayVersionPage;
import io.peerlens.api.model.RelayedAlertPage;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.web.ApiException;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationRelaysController implements NotificationRelaysApi {

  private final NotificationRelayStore store;
  private final NotificationRelayService service;
  private final Secrets secrets;
  private final RelayQueries queries;
  private final ForeignAlertStore alerts;
  private final InstantSource clock;
  private final DefinitionEndpoints<
          NotificationRelayEdit, NotificationRelay, io.peerlens.api.model.NotificationRelay>
      endpoints;

  NotificationRelaysController(
      NotificationRelayStore store,
      NotificationRelayService service,
      Secrets secrets,
      RelayQueries queries,
      ForeignAlertStore alerts,
      InstantSource clock) {
    this.store = store;
    this.service = service;
    this.secrets = secrets;
    this.queries = queries;
    this.alerts = alerts;
    this.clock = clock;
    this.endpoints = new DefinitionEndpoints<>(service, one -> answer(one, secrets.names()));
  }

  @Override
  public ResponseEntity<NotificationRelayPage> listNotificationRelays(
      @Nullable String q, @Nullable Boolean enabled, Integer limit, @Nullable String cursor) {
    List<String> words = Paging.words(q);
    Page<StoredRule<NotificationRelayEdit, NotificationRelay>> page =
        Paging.page(
            store.byId().values().stream()
                .filter(one -> enabled == null || enabled == one.rule().enabled())
                .filter(
                    one ->
                        Paging.holds(
                            words, one.name(), one.edit().getDescription(), one.id().toString()))
                .toList(),
            one -> Paging.byName(one.name(), one.id()),
            "relays " + words + " " + enabled,
            limit,
            cursor);
    Set<String> known = secrets.names();
    return ResponseEntity.ok(page.map(one -> answer(one, known)).as(NotificationRelayPage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRelay> createNotificationRelay(
      NotificationRelayEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRelay> getNotificationRelay(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRelay> putNotificationRelay(
      UUID id, NotificationRelayEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteNotificationRelay(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<NotificationRelayVersionPage> listNotificationRelayHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(
        id, limit, cursor, NotificationRelayVersion::new, NotificationRelayVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationRelay> restoreNotificationRelay(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  @Override
  public ResponseEntity<NotificationRelayStateList> listNotificationRelayStates() {
    return ResponseEntity.ok(new NotificationRelayStateList(queries.states()));
  }

  @Override
  public ResponseEntity<RelayedAlertPage> listRelayedAlerts(
      UUID id, @Nullable Boolean open, Integer limit, @Nullable String cursor) {
    return ResponseEntity.ok(queries.alerts(service.get(id).name(), open, limit, cursor));
  }

  @Override
  public ResponseEntity<Void> endRelayedAlert(UUID id, UUID alert) {
    String source = service.get(id).name();
    String key =
        queries
            .key(source, alert)
            .orElseThrow(
                () ->
                    ApiException.notFound("alert of this relay", alert)
                        .hint("GET /api/v1/notification-relays/" + id + "/alerts lists them."));
    alerts.end(source, key, clock.instant());
    return ResponseEntity.noContent().build();
  }

  private static io.peerlens.api.model.NotificationRelay answer(
      StoredRule<NotificationRelayEdit, NotificationRelay> stored, Set<String> known) {
    NotificationRelayEdit edit = stored.edit();
    Set<String> named = new TreeSet<>(stored.rule().auth().secrets());
    List<RuleIssue> issues = new ArrayList<>();
    for (String name : named) {
      if (!known.contains(name)) {
        issues.add(
            new RuleIssue(
                "auth",
                "there is no secret " + name + ", so no sender can authenticate",
                "Store it with PUT /api/v1/secrets/" + name + "."));
      }
    }
    return new io.peerlens.api.model.NotificationRelay(
            stored.id(),
            stored.name(),
            edit.getDescription(),
            stored.rule().enabled(),
            edit.getAuth(),
            RelayEndpoint.PATH + stored.name(),
            List.copyOf(named),
            issues,
            stored.pack(),
            stored.version(),
            stored.createdAt(),
            stored.createdBy(),
            stored.updatedAt(),
            requireNonNull(stored.updatedBy()))
        .labels(edit.getLabels());
  }
}
