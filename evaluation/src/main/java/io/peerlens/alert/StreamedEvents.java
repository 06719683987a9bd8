package io.peerlens.alert;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/** Source of further events for listeners to alerts, with a history that is followed too. */
public interface StreamedEvents {

  /** Name of the event, as in the contract. */
  String name();

  /** Those with these ids as they are now, to be written as JSON; unknown ones are left out. */
  Map<UUID, Object> byId(Collection<UUID> ids);
}
