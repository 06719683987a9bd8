package io.peerlens.planning;

import io.peerlens.api.model.LoadProfileHours;
import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.profile.BusinessHours;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reader of requests for load profiles. Thread-safe. */
final class LoadProfileRequests {

  /** The period where none is given. */
  static final Duration USUAL = Duration.ofDays(365);

  private static final Duration LONGEST = Duration.ofDays(400);

  private final LoadProfileStore store;
  private final InstantSource clock;

  LoadProfileRequests(LoadProfileStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * The request with a whole period of full hours.
   *
   * @throws ApiException it makes no sense
   */
  LoadProfileRequest complete(LoadProfileRequest asked) {
    Instant now = clock.instant();
    Instant to = asked.getTo() == null ? now : Moments.field("to", asked.getTo());
    if (to.isAfter(now)) {
      throw ApiException.invalidField("to", "is in the future");
    }
    Instant end = to.truncatedTo(ChronoUnit.HOURS);
    Instant from =
        asked.getFrom() == null ? end.minus(USUAL) : Moments.field("from", asked.getFrom());
    Instant begin = from.truncatedTo(ChronoUnit.HOURS);
    if (!begin.isBefore(end)) {
      throw ApiException.invalidField("from", "is less than an hour before to");
    }
    if (Duration.between(begin, end).compareTo(LONGEST) > 0) {
      throw ApiException.invalidField("from", "is more than 400 days before to");
    }
    boolean byTag = asked.getBy() == LoadProfileRequest.ByEnum.TAG;
    if (byTag != (asked.getTag() != null)) {
      throw ApiException.invalidField(
          "tag", byTag ? "is missing: name the tag" : "is only for groups by tag");
    }
    UUID ancestor = asked.getAncestor();
    if (ancestor != null && store.id(ancestor).isEmpty()) {
      throw ApiException.notFound("object", ancestor);
    }
    hours(asked.getOnlyDuring());
    return asked.from(begin.toString()).to(end.toString());
  }

  /** Hours of the week that count; null = all do. */
  static @Nullable BusinessHours hours(@Nullable LoadProfileHours asked) {
    if (asked == null) {
      return null;
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (LoadProfileHours.DaysEnum day : asked.getDays()) {
      days.add(DayOfWeek.of(day.ordinal() + 1));
    }
    try {
      return new BusinessHours(
          days,
          LocalTime.parse(asked.getBegins()),
          LocalTime.parse(asked.getEnds()),
          ZoneId.of(asked.getZone()));
    } catch (DateTimeException e) {
      throw ApiException.invalidField("onlyDuring.zone", "is no time zone")
          .hint("Name one such as Europe/Berlin or UTC.");
    } catch (IllegalArgumentException e) {
      throw ApiException.invalidField("onlyDuring", String.valueOf(e.getMessage()));
    }
  }
}
