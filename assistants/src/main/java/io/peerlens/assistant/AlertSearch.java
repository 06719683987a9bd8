package io.peerlens.assistant;

import io.peerlens.api.AlertsApi;
import io.peerlens.api.model.AlertOpenness;
import io.peerlens.api.model.AlertPage;
import io.peerlens.api.model.AlertSort;
import io.peerlens.api.model.Severity;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Search for alerts, the severest first: those filters of the operation that tools use, by name.
 * Open alerts of all objects unless it is said otherwise; null = not asked for.
 */
final class AlertSearch {

  private AlertOpenness state = AlertOpenness.OPEN;
  private @Nullable List<Severity> severities;
  private @Nullable List<UUID> objects;
  private @Nullable UUID below;
  private @Nullable String words;
  private @Nullable String from;
  private @Nullable String to;

  AlertSearch state(AlertOpenness wanted) {
    state = wanted;
    return this;
  }

  AlertSearch severities(@Nullable List<Severity> wanted) {
    severities = wanted;
    return this;
  }

  AlertSearch objects(@Nullable List<UUID> wanted) {
    objects = wanted;
    return this;
  }

  /** Of this object and what is below it. */
  AlertSearch below(@Nullable UUID wanted) {
    below = wanted;
    return this;
  }

  /** With these words in the name of the definition or object. */
  AlertSearch words(@Nullable String wanted) {
    words = wanted;
    return this;
  }

  /** Those that were open in between. */
  AlertSearch between(@Nullable String begin, @Nullable String end) {
    from = begin;
    to = end;
    return this;
  }

  AlertPage find(AlertsApi api, int limit) {
    return Inventory.body(
        api.listAlerts(
            state,
            severities,
            null, // control state
            null, // impact
            null, // definition
            objects,
            below,
            null, // adapter kind
            null, // object kind
            null, // owner
            null, // flapping
            null, // silenced
            null, // incident
            words,
            from,
            to,
            AlertSort.SEVERITY_DESC,
            limit,
            null)); // cursor
  }
}
