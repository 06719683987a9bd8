package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.Contexts;
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

/** Alerts as they are stored now. */
record StoredAlerts(IntakeStore intake, Contexts contexts, InhibitionQueries inhibition)
    implements Alerts {

  @Override
  public Map<UUID, Present> present(Collection<UUID> ids) {
    return intake.present(ids);
  }

  @Override
  public Set<UUID> open(Collection<UUID> ids) {
    return intake.open(ids);
  }

  @Override
  public Map<UUID, List<OpenAlert>> openOf(Collection<UUID> objects) {
    return inhibition.open(objects);
  }

  @Override
  public List<@Nullable ObjectNode> contexts(List<Moment> moments, Wanted wanted, Instant now) {
    return contexts.of(moments, wanted, now);
  }

  @Override
  public @Nullable ObjectNode last(UUID alert, Instant now) {
    return intake.last(alert, now);
  }

  @Override
  public void enrich(List<ObjectNode> given, Wanted wanted, Instant now) {
    contexts.enrich(given, wanted, now);
  }
}
