package io.peerlens.talker.report;

import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.talker.report.TalkerShareStore.Judged;
import io.peerlens.web.ApiException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judge of traffic shares: whenever 5 more minutes of flows are rolled up, and when a report
 * changes, it looks whether a talker has more of the traffic than a report allows. What it finds is
 * kept, and {@link ShareOutcomes} makes alerts of it: questions may take longer than a tick should.
 */
final class ShareJudge {

  private static final Logger log = LoggerFactory.getLogger(ShareJudge.class);

  private final Supplier<List<TalkerReport>> reports;
  private final Supplier<Optional<Instant>> rolledUp;
  private final TalkerShareStore store;
  private final ReportAnswers answers;

  /**
   * @param reports those with a limit
   * @param rolledUp up to where flows are rolled up; empty = there are none
   */
  ShareJudge(
      Supplier<List<TalkerReport>> reports,
      Supplier<Optional<Instant>> rolledUp,
      TalkerShareStore store,
      ReportAnswers answers) {
    this.reports = reports;
    this.rolledUp = rolledUp;
    this.store = store;
    this.answers = answers;
  }

  /** Looks once; returns how many reports were judged. */
  int look(Instant now) {
    Instant until = rolledUp.get().orElse(null);
    List<TalkerReport> watched = reports.get();
    if (until == null || watched.isEmpty()) {
      return 0;
    }
    Map<UUID, Judged> known = store.judged(watched.stream().map(TalkerReport::id).toList());
    int judged = 0;
    for (TalkerReport report : watched) {
      Judged before = known.get(report.id());
      if (before != null
          && before.version() == report.version()
          && !before.until().isBefore(until)) {
        continue;
      }
      try {
        judge(report, before, until, now);
        judged++;
      } catch (ApiException e) {
        log.warn("The shares of the report {} cannot be computed: {}", report.name(), e.detail());
      } catch (RuntimeException e) {
        log.error("The shares of the report {} are tried again: {}", report.name(), e.toString());
      }
    }
    return judged;
  }

  private void judge(TalkerReport report, @Nullable Judged before, Instant until, Instant now) {
    TalkerReport.Limit limit = report.limit();
    if (limit == null) {
      return;
    }
    Instant from = until.minus(report.window());
    TopTalkers answer =
        answers.answer(report.query(), from, until, Shares.most(limit.share()), false);
    Map<String, Long> since = new HashMap<>();
    if (before != null) {
      before.over().forEach(one -> since.put(one.key(), one.since()));
    }
    int object = isOfObjects(report) ? 0 : store.object(report, now);
    String total = TalkerWords.value(answer.getTotal(), answer.getUnit());
    List<OverShare> over = new ArrayList<>();
    for (TopTalker one : Shares.over(report, answer)) {
      String key = one.getTalker().getKey();
      over.add(
          new OverShare(
              key,
              one.getTalker().getName(),
              object == 0 ? Integer.parseInt(key) : object,
              one.getShare(),
              TalkerWords.value(one.getValue(), answer.getUnit()),
              total,
              since.getOrDefault(key, until.getEpochSecond())));
    }
    store.put(report.id(), new Judged(report.version(), from, until, over));
  }

  /** Whether talkers are objects, which have alerts of their own. */
  private static boolean isOfObjects(TalkerReport report) {
    return switch (report.query().getBy()) {
      case VM, HOST, CLUSTER -> true;
      case TIER, NETWORK, PORT, PROTOCOL, PAIR -> false;
    };
  }
}
