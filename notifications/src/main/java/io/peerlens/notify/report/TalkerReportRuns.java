package io.peerlens.notify.report;

import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.TalkerReportDelivery;
import io.peerlens.api.model.TalkerReportRunState;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.talker.report.ReportAnswers;
import io.peerlens.talker.report.Shares;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.talker.report.TalkerReportRunStore;
import io.peerlens.talker.report.TalkerReportRunStore.Progress;
import io.peerlens.talker.report.TalkerReportRunStore.Result;
import io.peerlens.talker.report.TalkerReportSchedule;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs of reports: answered when they are due, and sent.
 *
 * <p>Each moment at which a report is due becomes one row, written in the transaction that queues
 * its messages, so it runs once however many nodes look and whenever one dies. Of several moments
 * that passed while nobody looked the last is made up for, the others are noted as missed. A
 * database that does not answer is asked again at the next look; a question that makes no sense any
 * more is noted as failed.
 */
public final class TalkerReportRuns {

  private static final Logger log = LoggerFactory.getLogger(TalkerReportRuns.class);

  /** What the database did not answer in so long is given up. */
  static final Duration PERSISTENCE = Duration.ofHours(1);

  /** More talkers than that have no lines: nobody reads them, and they are kept with each run. */
  private static final int MOST_LINES = 50;

  private final Supplier<List<TalkerReport>> reports;
  private final TalkerReportRunStore store;
  private final ReportAnswers answers;
  private final Function<UUID, Optional<NotificationTarget>> targets;
  private final TalkerReportMessages messages;
  private final Duration patience;

  /**
   * @param patience so long it is waited for the last flows to be rolled up
   */
  public TalkerReportRuns(
      Supplier<List<TalkerReport>> reports,
      TalkerReportRunStore store,
      ReportAnswers answers,
      Function<UUID, Optional<NotificationTarget>> targets,
      TalkerReportMessages messages,
      Duration patience) {
    this.reports = reports;
    this.store = store;
    this.answers = answers;
    this.targets = targets;
    this.messages = messages;
    this.patience = patience;
  }

  /** Looks once; returns how many reports were answered. */
  public int look(Instant now) {
    Map<UUID, Progress> progress = store.progress();
    Instant rolledUp = store.rolledUp().orElse(Instant.MIN);
    int done = 0;
    for (TalkerReport report : reports.get()) {
      TalkerReportSchedule schedule = report.schedule();
      Progress known = progress.get(report.id());
      if (schedule == null || known == null) {
        continue;
      }
      List<Instant> due = schedule.due(known.since(), now, store.kept());
      if (due.isEmpty()) {
        continue;
      }
      Instant last = due.getLast();
      if (rolledUp.isBefore(fullFiveMinutes(last)) && now.isBefore(last.plus(patience))) {
        continue; // its last minutes will be there soon
      }
      try {
        done += run(report, due.subList(0, due.size() - 1), last, now) ? 1 : 0;
      } catch (RuntimeException e) {
        log.error("The report {} of {} is tried again: {}", report.name(), last, e.toString());
      }
    }
    return done;
  }

  private static Instant fullFiveMinutes(Instant moment) {
    return Instant.ofEpochSecond(Math.floorDiv(moment.getEpochSecond(), 300) * 300);
  }

  private boolean run(TalkerReport report, List<Instant> missed, Instant due, Instant now) {
    Result result;
    try {
      TopTalkers answer =
          answers.answer(
              report.query(),
              due.minus(report.window()),
              due,
              report.talkers(),
              report.talkers() <= MOST_LINES);
      result = new Result(TalkerReportRunState.DONE, answer, Shares.isOver(report, answer), null);
    } catch (ApiException e) {
      result = failed(e.hint() == null ? e.detail() : e.detail() + " " + e.hint());
      log.warn("The report {} cannot be answered: {}", report.name(), e.detail());
    } catch (RuntimeException e) {
      if (now.isBefore(due.plus(PERSISTENCE))) {
        throw e;
      }
      result = failed("The database did not answer it within an hour.");
      log.error("The report {} of {} is given up: {}", report.name(), due, e.toString());
    }
    TopTalkers answer = result.answer();
    return store.take(
        report.id(),
        missed,
        due,
        result,
        now,
        () -> answer == null ? List.of() : send(report, due, answer, now));
  }

  private static Result failed(String reason) {
    return new Result(TalkerReportRunState.FAILED, null, false, reason);
  }

  private List<TalkerReportDelivery> send(
      TalkerReport report, Instant due, TopTalkers answer, Instant now) {
    List<TalkerReportDelivery> sent = new ArrayList<>();
    for (UUID id : report.targets()) {
      NotificationTarget target = targets.apply(id).orElse(null);
      TalkerReportDelivery one =
          new TalkerReportDelivery(new RuleRef(id, target == null ? "" : target.name()));
      if (target == null) {
        one.setReason("The target is gone.");
      } else if (!target.enabled()) {
        one.setReason("The target is switched off.");
      } else {
        messages
            .send(report, target, due, answer, now)
            .ifPresentOrElse(one::setDelivery, () -> one.setReason("Its template sends nothing."));
      }
      sent.add(one);
    }
    return sent;
  }
}
