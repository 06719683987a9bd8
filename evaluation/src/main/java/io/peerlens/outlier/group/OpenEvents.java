package io.peerlens.outlier.group;

import java.util.UUID;

/** The open outlier events, which end when the group that they belong to changes. */
public interface OpenEvents {

  /** Ends all open events of a group, now. */
  void closeAll(UUID group, CloseReason reason);

  /** Ends the open events of a group that are about metrics, now. */
  void closeMetrics(UUID group, CloseReason reason);

  /** Ends the open events of a group that are about the configuration of members, now. */
  void closeConfiguration(UUID group, CloseReason reason);

  /** Ends the open event of a group as a whole, where there is one, now. */
  void closeShift(UUID group, CloseReason reason);
}
