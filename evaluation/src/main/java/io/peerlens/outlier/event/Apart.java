package io.peerlens.outlier.event;

import io.peerlens.api.model.OutlierNearbyChange;
import io.peerlens.api.model.OutlierOtherMetric;
import io.peerlens.api.model.OutlierTrait;
import io.peerlens.outlier.group.OutlierGroup;
import java.time.Instant;
import java.util.List;

/** Search for what sets a member apart from its peers. */
public interface Apart {

  /**
   * Member and event that are asked about.
   *
   * @param group as it is defined now
   * @param object the member, by number
   * @param since start of the first bucket of the event
   * @param bucket start of the bucket that members are compared in
   */
  record Subject(OutlierGroup group, int object, Instant since, Instant bucket) {}

  /**
   * Differences that were found.
   *
   * @param equal in how many things the member is like most of its peers
   */
  record Found(
      List<OutlierTrait> apart,
      int equal,
      List<OutlierNearbyChange> changes,
      List<OutlierOtherMetric> otherMetrics) {

    static final Found NOTHING = new Found(List.of(), 0, List.of(), List.of());
  }

  /** Looks at what is stored now. */
  Found of(Subject subject);
}
