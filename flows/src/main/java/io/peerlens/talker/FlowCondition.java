package io.peerlens.talker;

import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.TrafficType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Condition on traffic: type, services, ends and direction.
 *
 * @param type null = of all types
 * @param services to and from any of these; empty = all
 * @param ends whose traffic
 * @param peers with whom
 * @param direction whether {@code ends} send or receive
 */
public record FlowCondition(
    @Nullable TrafficType type,
    List<ServiceName> services,
    FlowEndFilter ends,
    FlowEndFilter peers,
    TalkerDirection direction) {

  public FlowCondition {
    services = List.copyOf(services);
  }

  /** Whether lists of talkers, which know nothing but the type, can answer. */
  public boolean isOnlyOfType() {
    return services.isEmpty() && ends.isAny() && peers.isAny();
  }
}
