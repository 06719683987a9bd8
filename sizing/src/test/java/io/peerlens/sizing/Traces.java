package io.peerlens.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.profile.BusinessHours;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.ToDoubleFunction;

/** Made traces: 28 days from a Monday on, in Amsterdam, every 5 minutes. */
final class Traces {

  static final ZoneId ZONE = ZoneId.of("Europe/Amsterdam");
  static final BusinessHours HOURS = hours(ZONE);
  static final long MONDAY = Instant.parse("2026-06-01T00:00:00+02:00").getEpochSecond();
  static final int DAY = 288;
  static final Grid GRID = grid(28);

  private Traces() {}

  /** Monday to Friday from 8 to 18 h. */
  static BusinessHours hours(ZoneId zone) {
    return BusinessHours.weekdays(LocalTime.of(8, 0), LocalTime.of(18, 0), zone);
  }

  static Grid grid(int days) {
    return new Grid(MONDAY, 300, days * DAY, HOURS);
  }

  static double[] trace(Grid grid, ToDoubleFunction<ZonedDateTime> value) {
    double[] column = new double[grid.length()];
    for (int i = 0; i < column.length; i++) {
      column[i] = value.applyAsDouble(Instant.ofEpochSecond(MONDAY + 300L * i).atZone(ZONE));
    }
    return column;
  }

  static double[] trace(ToDoubleFunction<ZonedDateTime> value) {
    return trace(GRID, value);
  }

  static double[] all(double value) {
    return trace(at -> value);
  }

  static boolean atWork(ZonedDateTime at) {
    return at.getDayOfWeek().getValue() <= 5 && at.getHour() >= 8 && at.getHour() < 18;
  }

  static <T> T known(Answer<T> answer) {
    assertThat(answer).isInstanceOf(Answer.Known.class);
    return ((Answer.Known<T>) answer).figures();
  }

  static String because(Answer<?> answer) {
    assertThat(answer).isInstanceOf(Answer.NotKnown.class);
    return ((Answer.NotKnown<?>) answer).because();
  }
}
