package io.peerlens.alert;

import io.peerlens.api.model.AlertSilence;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/** Silences that hold back the notifications of open alerts at this moment. Thread-safe. */
public interface AlertSilences {

  /**
   * Finds the silence of each of some alerts, with one read for all.
   *
   * @return by alert; closed alerts and those that nothing silences are not in it
   */
  Map<UUID, AlertSilence> of(Collection<UUID> alerts);

  /** Finds the silence of each open alert of the installation; see {@link #of}. */
  Map<UUID, AlertSilence> all();
}
