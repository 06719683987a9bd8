package io.peerlens.talker.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.TalkerReportAlert;
import io.peerlens.api.model.TalkerReportEdit;
import io.peerlens.api.model.TalkerReportQuery;
import io.peerlens.api.model.Weekday;
import io.peerlens.scope.ScopeReader;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.Impact;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reader of talker reports from the API's model. */
public final class TalkerReportReader {

  private static final Duration SHORTEST = Duration.ofMinutes(5);
  private static final Duration LONGEST = Duration.ofDays(730);

  /** So many talkers where a report does not say how many. */
  public static final int TALKERS = 20;

  private TalkerReportReader() {}

  /**
   * Reads a report.
   *
   * @param path of the report in the body, with a point at its end, or empty
   * @throws ApiException if something in it makes no sense
   */
  public static TalkerReport read(UUID id, long version, String path, TalkerReportEdit wanted) {
    TalkerReportQuery query = wanted.getQuery();
    List<UUID> targets = requireNonNullElse(wanted.getTargets(), List.of());
    if (new HashSet<>(targets).size() < targets.size()) {
      throw ApiException.invalidField(path + "targets", "names a target twice");
    }
    return new TalkerReport(
        id,
        ScopeReader.storable(path + "name", wanted.getName()),
        ScopeReader.storable(path + "description", requireNonNullElse(wanted.getDescription(), "")),
        query,
        window(path + "query.", query),
        requireNonNullElse(query.getLimit(), TALKERS),
        schedule(path + "schedule.", wanted.getSchedule()),
        targets,
        requireNonNullElse(wanted.getTemplates(), List.of()),
        limit(path, wanted),
        version);
  }

  private static Duration window(String path, TalkerReportQuery query) {
    storable(path + "network", query.getNetwork());
    storable(path + "tier", query.getTier());
    Duration window = Durations.parse(query.getWindow());
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
      throw ApiException.invalidField(
              path + "window", query.getWindow() + " is not between 5 minutes and 730 days")
          .hint("Give for instance 1h, 24h or 7d.");
    }
    return window;
  }

  private static void storable(String path, @Nullable List<String> texts) {
    List<String> given = requireNonNullElse(texts, List.of());
    for (int i = 0; i < given.size(); i++) {
      ScopeReader.storable(path + "[" + i + "]", given.get(i));
    }
  }

  /**
   * Reads a schedule.
   *
   * @param path of the schedule, with a point at its end
   * @throws ApiException if there is no such time zone
   */
  public static @Nullable TalkerReportSchedule schedule(
      String path, io.peerlens.api.model.@Nullable TalkerReportSchedule wanted) {
    if (wanted == null) {
      return null;
    }
    List<Weekday> given = requireNonNullElse(wanted.getDays(), List.of());
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    given.forEach(day -> days.add(DayOfWeek.of(day.ordinal() + 1)));
    ZoneId zone;
    try {
      zone = ZoneId.of(wanted.getZone());
    } catch (DateTimeException e) {
      throw ApiException.invalidField(path + "zone", "\"" + wanted.getZone() + "\" is no time zone")
          .hint("Give a name of the tz database, such as Europe/Berlin, or UTC.");
    }
    return new TalkerReportSchedule(
        days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : days,
        LocalTime.parse(wanted.getTime()),
        zone);
  }

  private static TalkerReport.@Nullable Limit limit(String path, TalkerReportEdit wanted) {
    Double share = wanted.getShareAbove();
    TalkerReportAlert alert = wanted.getAlert();
    if (share == null) {
      if (alert != null) {
        throw ApiException.invalidField(path + "alert", "says what an alert without limit says")
            .hint("Give shareAbove, too, or leave it out.");
      }
      return null;
    }
    if (!(share > 0 && share < 1)) {
      throw ApiException.invalidField(path + "shareAbove", "is not above 0 and below 1")
          .hint("Give a part of the total: 0.3 is 30 %.");
    }
    TalkerReportAlert says = requireNonNullElse(alert, new TalkerReportAlert());
    List<String> recommendations = requireNonNullElse(says.getRecommendations(), List.of());
    storable(path + "alert.recommendations", recommendations);
    return new TalkerReport.Limit(
        share,
        says.getSeverity() == null ? Severity.WARNING : Severity.valueOf(says.getSeverity().name()),
        says.getImpact() == null ? Impact.RISK : Impact.valueOf(says.getImpact().name()),
        recommendations);
  }
}
