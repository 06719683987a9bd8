package io.peerlens.planning.sizing;

import io.peerlens.api.model.LoadProfileHours;
import io.peerlens.api.model.RightSizingSettings;
import io.peerlens.profile.BusinessHours;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeReader;
import io.peerlens.sizing.PoweredOff;
import io.peerlens.sizing.SizingRule;
import io.peerlens.sizing.Snapshot;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of right-sizing as evaluations need them.
 *
 * @param ownerTag key of the tag that names owners; null = none does
 * @param exclude machines that get no recommendation; null = none
 */
record SizingSettings(
    BusinessHours hours,
    int historyDays,
    @Nullable String ownerTag,
    @Nullable Scope exclude,
    int hostFailures,
    int poweredOffDays,
    int snapshotDays) {

  private static final int MOST_DAYS = 366;

  /** Time zone of the business hours. */
  ZoneId zone() {
    return hours.zone();
  }

  /** What holds until somebody changes it. */
  static RightSizingSettings usual() {
    return new RightSizingSettings(
        new LoadProfileHours(
            List.of(
                LoadProfileHours.DaysEnum.MON,
                LoadProfileHours.DaysEnum.TUE,
                LoadProfileHours.DaysEnum.WED,
                LoadProfileHours.DaysEnum.THU,
                LoadProfileHours.DaysEnum.FRI),
            "08:00",
            "18:00",
            ZoneId.systemDefault().getId()),
        "90d",
        "Owner",
        null,
        1,
        PoweredOff.USUAL_DAYS + "d",
        Snapshot.USUAL_DAYS + "d");
  }

  /**
   * Reads settings.
   *
   * @throws ApiException if something in them makes no sense
   */
  static SizingSettings of(RightSizingSettings given) {
    LoadProfileHours hours = given.getHours();
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (LoadProfileHours.DaysEnum day : hours.getDays()) {
      days.add(DayOfWeek.of(day.ordinal() + 1));
    }
    ZoneId zone;
    try {
      zone = ZoneId.of(hours.getZone());
    } catch (DateTimeException e) {
      throw ApiException.invalidField("hours.zone", "is no time zone")
          .hint("Name one such as Europe/Berlin or UTC.");
    }
    String tag = given.getOwnerTag();
    return new SizingSettings(
        new BusinessHours(
            days, LocalTime.parse(hours.getBegins()), LocalTime.parse(hours.getEnds()), zone),
        days("history", given.getHistory(), SizingRule.FEWEST_DAYS),
        tag == null ? null : ScopeReader.storable("ownerTag", tag),
        given.getExclude() == null ? null : ScopeReader.scope("exclude", given.getExclude()),
        given.getHostFailures(),
        days("poweredOffAfter", given.getPoweredOffAfter(), 1),
        days("snapshotAfter", given.getSnapshotAfter(), 1));
  }

  private static int days(String field, String text, int fewest) {
    long days = Durations.parse(text).toDays();
    if (days < fewest || days > MOST_DAYS) {
      throw ApiException.invalidField(
          field, text + " is not within " + fewest + "d and " + MOST_DAYS + "d");
    }
    return (int) days;
  }
}
