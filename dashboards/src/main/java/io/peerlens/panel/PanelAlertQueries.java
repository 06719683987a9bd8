package io.peerlens.panel;

import io.peerlens.dashboard.file.Column.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Alerts of objects that were open at a moment or during a stretch of time. */
interface PanelAlertQueries {

  /** Open alerts of an object. */
  record Open(int alerts, State worst) {}

  /**
   * By object; those without any are left out.
   *
   * @param past null = now
   */
  Map<Integer, Open> worst(int[] ids, Instant at, @Nullable Instant past);

  /** An alert that was open. */
  record Listed(
      UUID id,
      long number,
      String name,
      int object,
      int severity,
      Instant openedAt,
      @Nullable String owner,
      int total) {}

  /**
   * The worst first.
   *
   * @param ids of these objects; null = of all
   * @param severity from 1, information, to 4, critical
   */
  List<Listed> list(
      int @Nullable [] ids, int severity, Instant at, @Nullable Instant past, int limit);

  /** A stretch during which an alert was open; {@code to} is null while it is. */
  record Stretch(int object, State state, Instant from, @Nullable Instant to) {}

  List<Stretch> during(int[] ids, Instant from, Instant to);
}
