package io.peerlens.outlier;

import io.peerlens.api.model.OutlierNearbyChange;
import io.peerlens.api.model.OutlierOtherMetric;
import io.peerlens.api.model.OutlierTrait;
import java.time.Instant;
import java.util.List;

/** Finds out what sets a member apart from its peers. */
interface Apart {

  /**
   * What is asked.
   *
   * @param group as it is defined now
   * @param object the member, by number
   * @param since begin of the first bucket of the event
   * @param bucket begin of the bucket that members are compared in
   */
  record Subject(OutlierGroup group, int object, Instant since, Instant bucket) {}

  /**
   * What was found.
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
