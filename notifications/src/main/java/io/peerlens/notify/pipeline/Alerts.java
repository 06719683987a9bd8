package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.Moment;
import io.peerlens.notify.context.Wanted;
import io.peerlens.notify.pipeline.InhibitionQueries.OpenAlert;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is known of alerts: as they are stored now, or as they were in the course of a simulation.
 */
interface Alerts {

  /** An alert of elsewhere, as it was when something was heard of it last. */
  record Present(ObjectNode context, boolean open) {}

  /** Alerts of elsewhere by their ids; those that are not there are not. */
  Map<UUID, Present> present(Collection<UUID> ids);

  /** Those alerts of this installation that are open. */
  Set<UUID> open(Collection<UUID> ids);

  /** Open alerts by the ids of their objects, the worst first. */
  Map<UUID, List<OpenAlert>> openOf(Collection<UUID> objects);

  /** One for each moment, in their order; null where the alert is gone. */
  List<@Nullable ObjectNode> contexts(List<Moment> moments, Wanted wanted, Instant now);

  /** What was told last of an alert that is gone, enough to tell its end; null = nothing was. */
  @Nullable ObjectNode last(UUID alert, Instant now);

  /** Adds what the inventory knows to contexts that came from elsewhere. */
  void enrich(List<ObjectNode> contexts, Wanted wanted, Instant now);
}
