package io.peerlens.run.read;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Dates as vdbench prints them, with months in the language of where it ran. */
final class VdbenchDates {

  private static final Pattern DATE = Pattern.compile("(\\S+) (\\d{1,2}),? (\\d{4})");
  private static final Pattern TIMESTAMP = Pattern.compile("(\\d\\d)/(\\d\\d)/(\\d{4})-.*");
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private VdbenchDates() {}

  /**
   * The date of {@code Apr 11, 2019} or {@code 5月 10, 2023}.
   *
   * @return null = it is none, or of a language in which months have names of their own
   */
  static @Nullable LocalDate date(String text) {
    Matcher date = DATE.matcher(text);
    if (!date.matches()) {
      return null;
    }
    int month = MONTHS.indexOf(date.group(1));
    double number = Numbers.of(date.group(1).replaceAll("[^0-9]", ""));
    if (date.group(1).length() == 3 && month >= 0 && month % 3 == 0) {
      number = month / 3 + 1.0;
    }
    return of(date.group(3), number, date.group(2));
  }

  /** The date of a flatfile's {@code 04/11/2019-15:07:29-ICT}; null = it is none. */
  static @Nullable LocalDate ofTimestamp(String text) {
    Matcher date = TIMESTAMP.matcher(text);
    return date.matches() ? of(date.group(3), Numbers.of(date.group(1)), date.group(2)) : null;
  }

  private static @Nullable LocalDate of(String year, double month, String day) {
    if (!(month >= 1 && month <= 12)) {
      return null;
    }
    try {
      return LocalDate.of(Integer.parseInt(year), (int) month, Integer.parseInt(day));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
