package io.peerlens.talker.report;

import io.peerlens.api.model.TalkerReportQuery;
import io.peerlens.api.model.TopTalkers;
import java.time.Instant;

/** Answers the questions of reports, as {@code GET /top-talkers} answers them. */
@FunctionalInterface
public interface ReportAnswers {

  /**
   * The ranking of a time.
   *
   * @param query its window and limit are of no account
   * @param limit how many talkers
   * @param detailed whether it is compared with other times and has lines
   * @throws io.peerlens.web.ApiException if the question makes no sense any more
   */
  TopTalkers answer(TalkerReportQuery query, Instant from, Instant to, int limit, boolean detailed);
}
