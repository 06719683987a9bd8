package io.peerlens.talker.report;

import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import java.util.List;

/** Talkers that have more of the traffic than a report allows. */
public final class Shares {

  private Shares() {}

  /** The talkers above the limit, most first; none where there is no limit. */
  static List<TopTalker> over(TalkerReport report, TopTalkers answer) {
    TalkerReport.Limit limit = report.limit();
    return limit == null
        ? List.of()
        : answer.getItems().stream().filter(one -> one.getShare() > limit.share()).toList();
  }

  public static boolean isOver(TalkerReport report, TopTalkers answer) {
    return !over(report, answer).isEmpty();
  }

  /**
   * So many talkers can have more than a share: between two talkers traffic counts for each of
   * them, so that all shares come to 2 at most.
   */
  static int most(double share) {
    return (int) Math.clamp(Math.ceil(2 / share), 1, 1000);
  }
}
