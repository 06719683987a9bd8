package io.peerlens.talker;

import io.peerlens.api.model.Talker;
import io.peerlens.api.model.TalkerMeasure;
import java.time.Instant;
import java.util.List;

/** Upper bound of the usual traffic of talkers. Thread-safe. */
public interface UsualTraffic {

  /**
   * The most that is usual.
   *
   * @param measure bytes, rate, packets and drops are known; of others nothing is
   * @return of each talker, in what is counted; NaN = it is no object, or not known
   */
  double[] most(
      List<Talker> talkers,
      FlowCondition condition,
      TalkerMeasure measure,
      Instant from,
      Instant to);
}
