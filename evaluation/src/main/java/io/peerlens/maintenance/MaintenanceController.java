package io.peerlens.maintenance;

import io.peerlens.api.MaintenanceApi;
import io.peerlens.api.model.MaintenanceWindow;
import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.api.model.MaintenanceWindowList;
import io.peerlens.api.model.MaintenanceWindowVersion;
import io.peerlens.api.model.MaintenanceWindowVersionPage;
import io.peerlens.api.model.TimeSpan;
import io.peerlens.definition.DefinitionService.History;
import io.peerlens.definition.StoredRule;
import io.peerlens.web.Versions;
import java.net.URI;
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

  MaintenanceController(MaintenanceStore store, MaintenanceService service, InstantSource clock) {
    this.store = store;
    this.service = service;
    this.clock = clock;
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
    StoredRule<MaintenanceWindowEdit, Window> stored = service.get(service.create(edit));
    return ResponseEntity.created(URI.create("/api/v1/maintenance-windows/" + stored.id()))
        .eTag(Versions.tag(stored.version()))
        .body(answer(stored, clock.instant()));
  }

  @Override
  public ResponseEntity<MaintenanceWindow> getMaintenanceWindow(UUID id) {
    StoredRule<MaintenanceWindowEdit, Window> stored = service.get(id);
    return ResponseEntity.ok()
        .eTag(Versions.tag(stored.version()))
        .body(answer(stored, clock.instant()));
  }

  @Override
  public ResponseEntity<MaintenanceWindow> putMaintenanceWindow(
      UUID id, MaintenanceWindowEdit edit, @Nullable String ifMatch) {
    service.change(id, edit, ifMatch);
    return getMaintenanceWindow(id);
  }

  @Override
  public ResponseEntity<Void> deleteMaintenanceWindow(UUID id, @Nullable String ifMatch) {
    service.delete(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<MaintenanceWindowVersionPage> listMaintenanceWindowHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    History<MaintenanceWindowEdit, Window> history = service.history(id, limit, cursor);
    return ResponseEntity.ok(
        new MaintenanceWindowVersionPage(
            history.items().stream()
                .map(
                    version ->
                        new MaintenanceWindowVersion(
                            version.stored().version(),
                            version.action(),
                            version.at(),
                            version.by(),
                            version.stored().edit(),
                            version.changes()))
                .toList(),
            history.next(),
            history.total()));
  }

  @Override
  public ResponseEntity<MaintenanceWindow> restoreMaintenanceWindow(
      UUID id, Long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return getMaintenanceWindow(id);
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
