package io.peerlens.talker.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TalkerReportQuery;
import io.peerlens.talker.FlowCondition;
import io.peerlens.talker.FlowParameters;
import io.peerlens.talker.TalkerAnswers;
import io.peerlens.talker.TalkerQuestion;

/** Queries of reports, put as requests put theirs. */
public final class ReportQuestions {

  private ReportQuestions() {}

  static ReportAnswers answeredBy(TalkerAnswers answers) {
    return (query, from, to, limit, detailed) ->
        answers.top(
            new TalkerQuestion(
                query.getBy(),
                requireNonNullElse(query.getMeasure(), TalkerMeasure.BYTES),
                condition(query),
                from,
                to,
                detailed,
                detailed,
                false,
                detailed,
                limit));
  }

  /**
   * Which traffic is meant.
   *
   * @throws io.peerlens.web.ApiException if a filter makes no sense
   */
  public static FlowCondition condition(TalkerReportQuery query) {
    return FlowParameters.condition(
        query.getTrafficType(),
        query.getPorts(),
        query.getScope(),
        query.getPeerScope(),
        query.getNetwork(),
        query.getTier(),
        requireNonNullElse(query.getDirection(), TalkerDirection.BOTH));
  }
}
