package io.peerlens.talker.report;

import io.peerlens.alert.Finding;
import io.peerlens.alert.Finding.Explained;
import io.peerlens.alert.Member;
import io.peerlens.alert.Outcome;
import io.peerlens.alert.Outcome.Verdict;
import io.peerlens.alert.Raised;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.talker.report.TalkerShareStore.Judged;
import io.peerlens.words.Figures;
import io.peerlens.words.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes for the evaluation: talkers with too large a share. Where talkers are objects each has
 * an alert of its own; otherwise there is one alert of the report, whose members they are.
 */
public final class ShareOutcomes {

  /** What the share is called among metrics. */
  static final String KEY = "talkers|share";

  private static final int NAMED = 3;

  private final TalkerShareStore store;
  private final Duration stale;

  /**
   * @param stale what was found so long ago does not say how it is now
   */
  ShareOutcomes(TalkerShareStore store, Duration stale) {
    this.store = store;
    this.stale = stale;
  }

  /** What alerts of a report say; null = it has no limit. */
  public static @Nullable Raised raised(TalkerReport report) {
    TalkerReport.Limit limit = report.limit();
    return limit == null
        ? null
        : new Raised(
            report.id(),
            report.name(),
            "talker-report",
            new ObjectKind(TalkerShareStore.ADAPTER_KIND, TalkerShareStore.OBJECT_KIND),
            limit.impact(),
            limit.recommendations(),
            null,
            null,
            TalkerReportContext.page(report.id()));
  }

  /**
   * What is so at a tick; a report says nothing before it was looked at as it stands now.
   *
   * @param reports those that are due
   */
  public List<Outcome> at(Collection<TalkerReport> reports, Instant tick) {
    if (reports.isEmpty()) {
      return List.of();
    }
    Map<UUID, Judged> judged = store.judged(reports.stream().map(TalkerReport::id).toList());
    List<Outcome> outcomes = new ArrayList<>();
    for (TalkerReport report : reports) {
      Judged known = judged.get(report.id());
      if (known != null && known.version() == report.version()) {
        outcomes.add(outcome(report, known, known.until().plus(stale).isBefore(tick), tick));
      }
    }
    return outcomes;
  }

  static Outcome outcome(TalkerReport report, Judged judged, boolean stale, Instant tick) {
    TalkerReport.Limit limit = report.limit();
    Map<Integer, List<OverShare>> byObject = new LinkedHashMap<>();
    if (!stale) {
      judged
          .over()
          .forEach(
              one -> byObject.computeIfAbsent(one.object(), key -> new ArrayList<>()).add(one));
    }
    Map<Integer, Finding> fires = new LinkedHashMap<>();
    if (limit != null) {
      byObject.forEach(
          (object, over) -> fires.put(object, finding(report, limit, judged, over, tick)));
    }
    return new Outcome(report.id(), 1, 1, fires, object -> stale ? Verdict.UNKNOWN : Verdict.CLEAR);
  }

  private static Finding finding(
      TalkerReport report,
      TalkerReport.Limit limit,
      Judged judged,
      List<OverShare> over,
      Instant tick) {
    String window = Figures.duration(report.window().toSeconds());
    List<Member> members = new ArrayList<>();
    for (OverShare one : over) {
      members.add(
          new Member(
              report.id(),
              "%s: %s in %s".formatted(report.name(), one.name(), window),
              one.object(),
              one.name(),
              KEY,
              "percent",
              limit.severity(),
              one.share() * 100,
              null,
              "gt",
              limit.share() * 100,
              Double.NaN,
              one.first(),
              1,
              1,
              false));
    }
    Instant since =
        over.stream().map(OverShare::first).min(Instant::compareTo).orElse(judged.until());
    return new Finding(
        limit.severity(), since, members, explained(report, limit, judged, over, since, tick));
  }

  /** Who, how much of what in which time, and against which limit. */
  private static Explained explained(
      TalkerReport report,
      TalkerReport.Limit limit,
      Judged judged,
      List<OverShare> over,
      Instant since,
      Instant tick) {
    OverShare most = over.getFirst();
    Sentence text = new Sentence();
    text.strong(cut(most.name())).add(" has ").strong(TalkerWords.percent(most.share()));
    text.add(
        " of the traffic of the report "
            + cut(report.name())
            + " in the "
            + Figures.duration(report.window().toSeconds())
            + " to ");
    text.moment(judged.until(), Figures.time(judged.until(), tick));
    text.add(
        " (%s of %s), above the limit of %s for %s, since "
            .formatted(
                most.value(),
                most.total(),
                TalkerWords.percent(limit.share()),
                limit.severity().label()));
    text.moment(since, Figures.time(since, tick)).add(".");
    if (over.size() > 1) {
      List<String> also =
          over.stream()
              .skip(1)
              .limit(NAMED)
              .map(one -> cut(one.name()) + " (" + TalkerWords.percent(one.share()) + ")")
              .toList();
      int more = over.size() - 1 - also.size();
      text.add(" Also " + String.join(", ", also) + (more > 0 ? " and " + more + " more." : "."));
    }
    text.add(" Counted are " + lower(TalkerWords.question(report.query())) + ".");
    return new Explained(text.text(), text.strong(), text.moments());
  }

  private static String lower(String words) {
    return words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
  }

  private static String cut(String name) {
    return name.length() <= 80 ? name : name.substring(0, 79) + "…";
  }
}
