package io.peerlens.maintenance;

import io.peerlens.api.MaintenanceApi;
import io.peerlens.api.model.MaintenanceWindow;
import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.api.model.MaintenanceWindowList;
import io.peerlens.api.model.TimeSpan;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
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
    List<MaintenanceWindow> windows =
        store.byId().values().stream()
            .filter(window -> active == null || window.isActive(now) == active)
            .sorted(soonest(now))
            .map(window -> answer(window, now))
            .toList();
    return ResponseEntity.ok(new MaintenanceWindowList(windows));
  }

  /** By their next occurrence, which begins in the past where it is the present one. */
  private static Comparator<StoredWindow> soonest(Instant now) {
    return Comparator.comparing(
        window -> {
          Span next = window.enabled() ? window.schedule().nextAt(now) : null;
          return next == null ? Instant.MAX : next.from();
        });
  }

  @Override
  public ResponseEntity<MaintenanceWindow> createMaintenanceWindow(MaintenanceWindowEdit edit) {
    StoredWindow window = window(service.create(edit));
    return ResponseEntity.created(URI.create("/api/v1/maintenance-windows/" + window.id()))
        .eTag(MaintenanceService.tag(window))
        .body(answer(window, clock.instant()));
  }

  @Override
  public ResponseEntity<MaintenanceWindow> getMaintenanceWindow(UUID id) {
    StoredWindow window = window(id);
    return ResponseEntity.ok()
        .eTag(MaintenanceService.tag(window))
        .body(answer(window, clock.instant()));
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

  private StoredWindow window(UUID id) {
    StoredWindow window = store.byId().get(id);
    if (window == null) {
      throw service.missing(id);
    }
    return window;
  }

  private static MaintenanceWindow answer(StoredWindow window, Instant now) {
    MaintenanceWindowEdit edit = window.edit();
    MaintenanceWindow answer =
        new MaintenanceWindow(
            window.id(),
            window.name(),
            edit.getReason(),
            edit.getScope(),
            window.enabled(),
            window.isActive(now),
            window.version(),
            window.createdAt(),
            window.createdBy(),
            window.updatedAt(),
            window.updatedBy());
    answer.setOneOff(edit.getOneOff());
    answer.setRecurring(edit.getRecurring());
    Span next = window.enabled() ? window.schedule().nextAt(now) : null;
    if (next != null) {
      answer.setNext(new TimeSpan(next.from(), next.to()));
    }
    return answer;
  }
}
