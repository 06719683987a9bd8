package io.peerlens.notify.dispatch;

import io.peerlens.notify.render.Moment;
import io.peerlens.notify.render.NotificationContext;
import io.peerlens.notify.render.Wanted;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Source of what is known of alerts: as they are stored now, or as they were in the course of a
 * simulation.
 */
interface AlertSource {

  /** An alert of elsewhere, as it was when something was heard of it last. */
  record Present(NotificationContext context, boolean open) {}

  /**
   * An open alert that may inhibit those below its object.
   *
   * @param impact in the words of contexts
   * @param severity 1 to 4
   */
  record OpenAlert(
      UUID id, long number, String name, String objectName, String impact, int severity) {}

  /** Alerts of elsewhere by their ids; those that are not there are not. */
  Map<UUID, Present> present(Collection<UUID> ids);

  /** Those alerts of this installation that are open. */
  Set<UUID> open(Collection<UUID> ids);

  /** Open alerts by the ids of their objects, the worst first. */
  Map<UUID, List<OpenAlert>> openOf(Collection<UUID> objects);

  /** One for each moment, in their order; null where the alert is gone. */
  List<@Nullable NotificationContext> contexts(List<Moment> moments, Wanted wanted, Instant now);

  /** Last notification of an alert that is gone, enough to send its end; null = there was none. */
  @Nullable NotificationContext last(UUID alert, Instant now);

  /** Adds what the inventory knows to contexts that came from elsewhere. */
  void enrich(List<NotificationContext> contexts, Wanted wanted, Instant now);
}
