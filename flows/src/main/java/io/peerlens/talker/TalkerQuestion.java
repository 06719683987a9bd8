package io.peerlens.talker;

import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerMeasure;
import java.time.Instant;

/**
 * A question for those who use the network most.
 *
 * @param condition its direction says which traffic of a talker counts
 * @param from inclusive
 * @param to exclusive, after {@code from}
 * @param before whether each value is compared with that of the window before
 * @param weekAgo whether each value is compared with that of the same window a week ago
 * @param usual whether each value is held against the most that is usual
 * @param sparkline whether each talker gets a line over the window
 * @param limit how many talkers to give
 */
public record TalkerQuestion(
    TalkerDimension by,
    TalkerMeasure measure,
    FlowCondition condition,
    Instant from,
    Instant to,
    boolean before,
    boolean weekAgo,
    boolean usual,
    boolean sparkline,
    int limit) {

  public TalkerQuestion {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("from " + from + " is not before to " + to);
    }
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit);
    }
  }
}
