package io.peerlens.standalone.sample;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The sample datacentre writes about a gigabyte of raw samples a day, for nothing but a look: a new
 * installation that it fills keeps them 3 days instead of 14, and roll-ups of 5 minutes 30 days
 * instead of 90. Roll-ups of an hour keep the whole history.
 *
 * <p>This is the ordinary setting, as if somebody had changed it. It is touched only while the
 * database knows no object at all, so no data of the user's own are ever cut short by it, and not
 * when anybody has set it.
 */
public final class SampleRetention {

  /** How long raw samples are kept, in the words of the setting. */
  public static final String RAW = "3d";

  private static final String ROLL_UPS = "30d";

  private static final String SHORTEN =
      """
      update setting
      set value = jsonb_set(jsonb_set(value, '{raw}', '"%s"'), '{rollup5m}', '"%s"'), version = version + 1, updated_at = now(),
        updated_by = 'sample datacentre'
      where name = 'retention' and version = 1 and not exists (select from object)
      """
          .formatted(RAW, ROLL_UPS);

  private SampleRetention() {}

  /** Shortens the time of raw samples in an empty database; says whether it did. */
  public static boolean shorten(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(SHORTEN) == 1;
    }
  }
}
