package io.peerlens.maintenance;

import io.peerlens.scope.Scopes;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Objects in maintenance at a moment. Thread-safe. */
public final class MaintenanceWindows {

  private static final Comparator<Window> BY_NAME =
      Comparator.comparing(Window::name, String.CASE_INSENSITIVE_ORDER).thenComparing(Window::id);

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
    List<Window> active =
        store.enabled().stream().filter(window -> window.isActive(moment)).sorted(BY_NAME).toList();
    if (active.isEmpty()) {
      return object -> null;
    }
    Map<Window, IntPredicate> covered = new LinkedHashMap<>();
    active.forEach(window -> covered.put(window, covered(window, graph)));
    return object -> {
      for (Map.Entry<Window, IntPredicate> window : covered.entrySet()) {
        if (window.getValue().test(object)) {
          return new Maintenance(window.getKey().id(), window.getKey().name());
        }
      }
      return null;
    };
  }

  /**
   * The windows that are active at some time of a stretch, as they are defined now.
   *
   * @param from inclusive
   * @param to exclusive
   */
  public List<Occurrences> during(Instant from, Instant to, ObjectGraph graph) {
    List<Occurrences> found = new ArrayList<>();
    for (Window window : store.enabled()) {
      List<Span> spans = spans(window.schedule(), from, to);
      if (!spans.isEmpty()) {
        found.add(new Occurrences(spans, covered(window, graph)));
      }
    }
    return found;
  }

  /**
   * Times at which a window is active.
   *
   * @param spans in order, those that overlap a stretch of time
   * @param objects whether an object is in it, by id; for one thread
   */
  public record Occurrences(List<Span> spans, IntPredicate objects) {}

  private static List<Span> spans(Schedule schedule, Instant from, Instant to) {
    List<Span> spans = new ArrayList<>();
    Span span = schedule.nextAt(from);
    while (span != null && span.from().isBefore(to)) {
      spans.add(span);
      span = schedule.nextAt(span.to());
    }
    return spans;
  }

  /** Whether a window covers an object, by id. */
  private IntPredicate covered(Window window, ObjectGraph graph) {
    Map<ObjectKind, Covered> byKind = new HashMap<>();
    return object -> {
      ObjectKind kind = graph.kindOf(object);
      return kind != null
          && byKind
              .computeIfAbsent(kind, k -> new Covered(scopes.flags(window.scope(), kind, graph)))
              .holds(graph.number(kind, object));
    };
  }

  private record Covered(boolean @Nullable [] flags) {
    boolean holds(int number) {
      return flags == null || flags[number];
    }
  }
}
