package io.peerlens.report;

import io.peerlens.api.model.ReportRunState;
import io.peerlens.report.ReportRunStore.Progress;
import io.peerlens.report.ReportRunStore.Result;
import io.peerlens.talker.report.TalkerReportSchedule;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs of reports: answered when they are due or when somebody asks, kept, and sent.
 *
 * <p>Each moment at which a report is due becomes one row, written in the transaction that queues
 * its messages, so it runs once however many nodes look and whenever one dies. Of several moments
 * that passed while nobody looked the last is made up for and says so, the others are noted as
 * missed. A failure of the database is tried again at the next look.
 */
final class ReportRuns {

  private static final Logger log = LoggerFactory.getLogger(ReportRuns.class);

  /** What the database did not answer in so long is given up. */
  static final Duration PERSISTENCE = Duration.ofHours(1);

  /** A run that is later than this says so. */
  static final Duration PUNCTUAL = Duration.ofMinutes(10);

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("d MMM uuuu HH:mm", Locale.ENGLISH);

  private final Supplier<List<Report>> reports;
  private final ReportRunStore store;
  private final ReportContents contents;
  private final ReportMessages messages;

  ReportRuns(
      Supplier<List<Report>> reports,
      ReportRunStore store,
      ReportContents contents,
      ReportMessages messages) {
    this.reports = reports;
    this.store = store;
    this.contents = contents;
    this.messages = messages;
  }

  /** Looks once; returns how many reports were answered. */
  int look(Instant now) {
    Map<UUID, Progress> progress = store.progress();
    int done = 0;
    for (Report report : reports.get()) {
      TalkerReportSchedule schedule = report.schedule();
      Progress known = progress.get(report.id());
      if (schedule == null || known == null) {
        continue;
      }
      List<Instant> due = schedule.due(known.since(), now, store.kept());
      if (due.isEmpty()) {
        continue;
      }
      try {
        done += run(report, due.subList(0, due.size() - 1), due.getLast(), now) ? 1 : 0;
      } catch (RuntimeException e) {
        log.error("The report {} of {} is tried again: {}", report.name(), due, e.toString());
      }
    }
    store.forget(now);
    return done;
  }

  private boolean run(Report report, List<Instant> missed, Instant due, Instant now) {
    Result result = result(report, due, now);
    return store
        .take(
            report.id(),
            missed,
            due,
            null,
            result,
            now,
            run -> messages.send(report, run, due, result, now))
        .isPresent();
  }

  private Result result(Report report, Instant due, Instant now) {
    try {
      return new Result(ReportRunState.DONE, contents.at(report, due), late(report, due, now));
    } catch (ApiException e) {
      log.warn("The report {} cannot be answered: {}", report.name(), e.detail());
      return failed(e.hint() == null ? e.detail() : e.detail() + " " + e.hint());
    } catch (RuntimeException e) {
      if (now.isBefore(due.plus(PERSISTENCE))) {
        throw e;
      }
      log.error("The report {} of {} is given up: {}", report.name(), due, e.toString());
      return failed("The database did not answer it within an hour.");
    }
  }

  private static Result failed(String reason) {
    return new Result(ReportRunState.FAILED, List.of(), reason);
  }

  private static @Nullable String late(Report report, Instant due, Instant now) {
    if (now.isBefore(due.plus(PUNCTUAL))) {
      return null;
    }
    return "It was due %s and is made up for: nothing was there to answer it then."
        .formatted(moment(due, zone(report)));
  }

  /** Runs a report because somebody asks; returns the id of the run. */
  UUID byHand(Report report, String askedBy, boolean sends, Instant now) {
    Result result = new Result(ReportRunState.DONE, contents.at(report, now), null);
    return store
        .take(
            report.id(),
            List.of(),
            now,
            askedBy,
            result,
            now,
            run -> sends ? messages.send(report, run, now, result, now) : List.of())
        .orElseThrow(() -> ApiException.notFound("report", report.id()));
  }

  /** Time zone of a report. */
  static ZoneId zone(Report report) {
    TalkerReportSchedule schedule = report.schedule();
    return schedule == null ? ZoneOffset.UTC : schedule.zone();
  }

  static String moment(Instant at, ZoneId zone) {
    return MOMENT.format(at.atZone(zone)) + ", " + (zone == ZoneOffset.UTC ? "UTC" : zone.getId());
  }
}
