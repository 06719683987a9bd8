package io.peerlens.maintenance;

import io.peerlens.api.MaintenanceApi;
import io.peerlens.api.model.MaintenanceWindow;
import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.api.model.MaintenanceWindowList;
import io.peerlens.api.model.MaintenanceWindowVersion;
import io.peerlens.api.model.MaintenanceWindowVersionPage;
import io.peerlens.api.model.TimeSpan;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class MaintenanceController implements MaintenanceApi {

  private final MaintenanceStore store;
  private final MaintenanceService service;
  private final InstantSource clock;
  private final DefinitionEndpoints<MaintenanceWindowEdit, Window, MaintenanceWindow> endpoints;

  MaintenanceController(MaintenanceStore store, MaintenanceService service, InstantSource clock) {
    this.store = store;
    this.service = service;
    this.clock = clock;
    this.endpoints = new DefinitionEndpoints<>(service, one -> answer(one, clock.instant()));
  }

  @Override
  public ResponseEntity<MaintenanceWindowList> listMaintenanceWindows(@Nullable Boolean active) {
    Instant now = clock.instant();
    return ResponseEntity.ok(
        new MaintenanceWindowList(
            store.byId().values().stream()
                .filter(stored -> active == null || stored.rule().isActive(now) == active)
                .sorted(soonest(now))
                .map(stored -> answer(stored, now))
                .toList()));
  }

  /** By their next occurrence, whose start is in the past where it is the present one; by name. */
  private static Comparator<StoredRule<MaintenanceWindowEdit, Window>> soonest(Instant now) {
    return Comparator.<StoredRule<MaintenanceWindowEdit, Window>, Instant>comparing(
            stored -> {
              Span next = next(stored.rule(), now);
              return next == null ? Instant.MAX : next.from();
            })
        .thenComparing(StoredRule::name, String.CASE_INSENSITIVE_ORDER)
        .thenComparing(StoredRule::id);
  }

  private static @Nullable Span next(Window window, Instant now) {
    return window.enabled() ? window.schedule().nextAt(now) : null;
  }

  @Override
  public ResponseEntity<MaintenanceWindow> createMaintenanceWindow(MaintenanceWindowEdit edit) {
    return endpoints.create(edit);
  }

  @Override
  public ResponseEntity<MaintenanceWindow> getMaintenanceWindow(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<MaintenanceWindow> putMaintenanceWindow(
      UUID id, MaintenanceWindowEdit edit, @Nullable String ifMatch) {
    return endpoints.put(id, edit, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteMaintenanceWindow(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<MaintenanceWindowVersionPage> listMaintenanceWindowHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(
        id, limit, cursor, MaintenanceWindowVersion::new, MaintenanceWindowVersionPage::new);
  }

  @Override
  public ResponseEntity<MaintenanceWindow> restoreMaintenanceWindow(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  private static MaintenanceWindow answer(
      StoredRule<MaintenanceWindowEdit, Window> stored, Instant now) {
    MaintenanceWindowEdit edit = stored.edit();
    Window window = stored.rule();
    MaintenanceWindow answer =
        new MaintenanceWindow(
            stored.id(),
            stored.name(),
            edit.getReason(),
            edit.getScope(),
            window.enabled(),
            window.isActive(now),
            stored.version(),
            stored.createdAt(),
            stored.createdBy(),
            stored.updatedAt(),
            stored.updatedBy());
    answer.setOneOff(edit.getOneOff());
    answer.setRecurring(edit.getRecurring());
    Span next = next(window, now);
    if (next != null) {
      answer.setNext(new TimeSpan(next.from(), next.to()));
    }
    return answer;
  }
}
