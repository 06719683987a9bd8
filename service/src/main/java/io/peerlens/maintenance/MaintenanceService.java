package io.peerlens.maintenance;

import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.rule.RuleStore;
import io.peerlens.rule.UnreadableDefinitions;
import io.peerlens.rule.UnreadableDefinitions.Unreadable;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Versions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes maintenance windows, as people ask for it. */
final class MaintenanceService {

  private final MaintenanceStore store;
  private final RuleStore rules;
  private final InstantSource clock;
  private final int maxCount;

  MaintenanceService(MaintenanceStore store, RuleStore rules, InstantSource clock, int maxCount) {
    this.store = store;
    this.rules = rules;
    this.clock = clock;
    this.maxCount = maxCount;
  }

  UUID create(MaintenanceWindowEdit wanted) {
    UUID id = UUID.randomUUID();
    Instant now = clock.instant();
    String by = Caller.current().name();
    StoredWindow window = window(id, wanted, 1, now, by, now, by);
    rules.write(
        () -> {
          Map<UUID, StoredWindow> current = store.current();
          if (current.size() >= maxCount) {
            throw ApiException.of(
                    ErrorCode.CONFLICT,
                    "There are %,d maintenance windows already, which is the limit."
                        .formatted(current.size()))
                .hint("Delete those that are over, or raise peerlens.maintenance.max-windows.");
          }
          nameIsFree(window, current);
          store.put(window);
          return id;
        });
    return id;
  }

  void change(UUID id, MaintenanceWindowEdit wanted, @Nullable String ifMatch) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    rules.write(
        () -> {
          Map<UUID, StoredWindow> current = store.current();
          StoredWindow before = seen(id, current, ifMatch);
          StoredWindow window =
              window(
                  id,
                  wanted,
                  before.version() + 1,
                  before.createdAt(),
                  before.createdBy(),
                  now,
                  by);
          nameIsFree(window, current);
          store.put(window);
          return id;
        });
  }

  void delete(UUID id, @Nullable String ifMatch) {
    rules.write(
        () -> {
          Map<UUID, StoredWindow> current = store.current();
          if (store.unreadable(id) == null) {
            seen(id, current, ifMatch);
          }
          store.delete(id);
          return id;
        });
  }

  /** The answer to who asks for one that is not there, or cannot be read. */
  ApiException missing(UUID id) {
    Unreadable one = store.unreadable(id);
    return one == null ? notFound(id) : UnreadableDefinitions.refusal("maintenance window", one);
  }

  private static ApiException notFound(UUID id) {
    return ApiException.notFound("maintenance window", id)
        .hint("GET /api/v1/maintenance-windows lists those that are stored.");
  }

  static String tag(StoredWindow window) {
    return Versions.tag(window.version());
  }

  private static StoredWindow window(
      UUID id,
      MaintenanceWindowEdit wanted,
      long version,
      Instant createdAt,
      String createdBy,
      Instant updatedAt,
      String updatedBy) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField("name", "is blank");
    }
    ScopeReader.storable("name", wanted.getName());
    if (wanted.getReason() != null) {
      ScopeReader.storable("reason", wanted.getReason());
    }
    return new StoredWindow(
        id,
        wanted,
        WindowReader.scope(wanted),
        WindowReader.schedule(wanted),
        version,
        createdAt,
        createdBy,
        updatedAt,
        updatedBy);
  }

  /** What is stored, if it is the version that the caller has seen. */
  private StoredWindow seen(UUID id, Map<UUID, StoredWindow> current, @Nullable String ifMatch) {
    StoredWindow before = current.get(id);
    if (before == null) {
      throw missing(id);
    }
    Versions.check("maintenance window", ifMatch, before.version(), before.updatedBy());
    return before;
  }

  private static void nameIsFree(StoredWindow window, Map<UUID, StoredWindow> current) {
    for (StoredWindow other : current.values()) {
      if (other.name().equals(window.name()) && !other.id().equals(window.id())) {
        throw ApiException.of(
                ErrorCode.CONFLICT,
                "The name \"" + window.name() + "\" is taken by " + other.id() + ".")
            .field("name", "is taken")
            .hint("Choose another name, or change that maintenance window.");
      }
    }
  }
}
