package io.peerlens.talker.report;

import io.peerlens.api.model.TalkerReportQuery;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.Impact;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A question of who uses the network that somebody keeps.
 *
 * @param query nobody changes it
 * @param window how long before the moment of asking the traffic counts
 * @param talkers how many are ranked
 * @param schedule when it is answered and sent; null = never
 * @param targets who it is sent to
 * @param templates what messages look like, at most one for each type of target
 * @param limit on a share, with what is said when it is passed; null = none
 * @param version its ETag, from 1
 */
public record TalkerReport(
    UUID id,
    String name,
    String description,
    TalkerReportQuery query,
    Duration window,
    int talkers,
    @Nullable TalkerReportSchedule schedule,
    List<UUID> targets,
    List<String> templates,
    @Nullable Limit limit,
    long version) {

  public TalkerReport {
    targets = List.copyOf(targets);
    templates = List.copyOf(templates);
  }

  /**
   * A limit.
   *
   * @param share more than this part of the total is too much, above 0 and below 1
   */
  record Limit(double share, Severity severity, Impact impact, List<String> recommendations) {
    Limit {
      recommendations = List.copyOf(recommendations);
    }
  }
}
