package io.peerlens.store;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Retention periods of the levels: the setting {@code retention}, which the API changes. */
final class RetentionPeriods {
  private static final Pattern PERIOD = Pattern.compile("([1-9][0-9]{0,5})([hd])");
  private static final String READ =
      """
      select value ->> 'raw', value ->> 'rollup5m', value ->> 'rollup1h'
      from setting where name = 'retention'
      """;

  private RetentionPeriods() {}

  /**
   * The periods now; a level that is kept for ever is absent. A damaged setting deletes nothing: it
   * is an error.
   */
  static Map<Level, Duration> read(JdbcClient jdbc) {
    Map<Level, Duration> periods = new EnumMap<>(Level.class);
    jdbc.sql(READ)
        .query(
            row -> {
              for (Level level : Level.values()) {
                String text = row.getString(level.ordinal() + 1);
                Optional.ofNullable(text).ifPresent(one -> periods.put(level, parse(one)));
              }
            });
    return periods;
  }

  static Duration parse(String text) {
    Matcher matcher = PERIOD.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalStateException(
          "Setting retention holds \"%s\", which is no period such as 36h or 14d".formatted(text));
    }
    long number = Long.parseLong(matcher.group(1));
    return matcher.group(2).equals("h") ? Duration.ofHours(number) : Duration.ofDays(number);
  }
}
