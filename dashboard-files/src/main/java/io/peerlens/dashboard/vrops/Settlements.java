package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import io.peerlens.dashboard.vrops.ImportReport.Settle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a person has to settle, each thing once, with what has been chosen already. */
final class Settlements {

  /** The choice that asks whoever looks at the dashboard. */
  static final String ASK = "ask";

  private static final int CHOICES = 20;

  private final Map<String, String> chosen;
  private final Map<String, Settle> open = new LinkedHashMap<>();

  Settlements(Map<String, String> chosen) {
    this.chosen = chosen;
  }

  /** What has been chosen; null = nothing yet. */
  @Nullable String chosen(String id) {
    return chosen.get(id);
  }

  Settle add(
      String id, ImportStatus status, String name, String text, List<String> choices, boolean ask) {
    return add(id, status, name, text, choices, ask, true);
  }

  /**
   * Adds a thing to settle.
   *
   * @param ask whether it can become a variable that asks
   * @param counts whether this is one more place that waits for it
   */
  Settle add(
      String id,
      ImportStatus status,
      String name,
      String text,
      List<String> choices,
      boolean ask,
      boolean counts) {
    Settle before = open.get(id);
    if (before != null && !counts) {
      return before;
    }
    List<String> nearest = nearest(name, choices);
    Proposal proposal =
        !nearest.isEmpty() && isNear(name, nearest.getFirst())
            ? new Proposal(nearest.getFirst(), "nearest by name")
            : ask ? new Proposal(ASK, "asks whoever looks") : null;
    List<String> all = new ArrayList<>(nearest);
    if (ask) {
      all.add(ASK);
    }
    Settle now =
        new Settle(id, status, name, text, before == null ? 1 : before.places() + 1, proposal, all);
    open.put(id, now);
    return now;
  }

  List<Settle> open() {
    return List.copyOf(open.values());
  }

  private static List<String> nearest(String name, List<String> choices) {
    return choices.stream()
        .limit(2000)
        .sorted(
            Comparator.<String>comparingInt(it -> Names.distance(name, it)).thenComparing(it -> it))
        .limit(CHOICES)
        .toList();
  }

  private static boolean isNear(String name, String choice) {
    return Names.distance(name, choice) * 2 <= Math.max(name.length(), choice.length());
  }
}
