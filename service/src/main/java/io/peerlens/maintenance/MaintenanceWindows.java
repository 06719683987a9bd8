package io.peerlens.maintenance;

import io.peerlens.scope.Scopes;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Says which objects are in maintenance. Thread-safe. */
public final class MaintenanceWindows {

  private final MaintenanceStore store;
  private final Scopes scopes;

  MaintenanceWindows(MaintenanceStore store, Scopes scopes) {
    this.store = store;
    this.scopes = scopes;
  }

  /**
   * The window that an object is in at a moment, by number of the object; null = none. Of several
   * the first by name. The answer is for one thread.
   */
  public IntFunction<@Nullable Maintenance> at(Instant moment, ObjectGraph graph) {
    List<StoredWindow> active =
        store.byId().values().stream().filter(window -> window.isActive(moment)).toList();
    if (active.isEmpty()) {
      return object -> null;
    }
    Map<StoredWindow, Map<ObjectKind, Covered>> covered = new HashMap<>();
    return object -> {
      ObjectKind kind = graph.kindOf(object);
      if (kind == null) {
        return null;
      }
      for (StoredWindow window : active) {
        Covered objects =
            covered
                .computeIfAbsent(window, w -> new HashMap<>())
                .computeIfAbsent(kind, k -> new Covered(scopes.flags(window.scope(), kind, graph)));
        if (objects.holds(graph.number(kind, object))) {
          return new Maintenance(window.id(), window.name());
        }
      }
      return null;
    };
  }

  private record Covered(boolean @Nullable [] flags) {
    boolean holds(int number) {
      return flags == null || flags[number];
    }
  }
}
