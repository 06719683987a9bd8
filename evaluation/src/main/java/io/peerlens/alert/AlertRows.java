package io.peerlens.alert;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static java.util.Objects.requireNonNull;

import io.peerlens.maintenance.Maintenance;
import io.peerlens.threshold.Severity;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;

/** Rows of the tables {@code alert} and {@code alert_pending} as the state machine's values. */
final class AlertRows {

  /** Columns that {@link #state} reads. */
  static final String COLUMNS =
      """
      id, definition_id, object_id, status, severity, since, opened_at, canceled_at, cancel_reason, unknown, last_tick,
      quiet, quiet_since, openings, flaps, flapping, maintenance_id, maintenance_name, member_print
      """;

  private AlertRows() {}

  static AlertState state(ResultSet row, int number) throws SQLException {
    String reason = row.getString("cancel_reason");
    UUID window = row.getObject("maintenance_id", UUID.class);
    Timestamp[] openings = (Timestamp[]) row.getArray("openings").getArray();
    return new AlertState(
        row.getObject("id", UUID.class),
        new AlertKey(row.getObject("definition_id", UUID.class), row.getInt("object_id")),
        AlertStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        requireNonNull(Severity.of(row.getInt("severity"))),
        row.getLong("member_print"),
        instant(row, "since"),
        instant(row, "opened_at"),
        instantOrNull(row, "canceled_at"),
        reason == null
            ? null
            : CancelReason.valueOf(reason.toUpperCase(Locale.ROOT).replace('-', '_')),
        row.getBoolean("unknown"),
        instant(row, "last_tick"),
        row.getInt("quiet"),
        instantOrNull(row, "quiet_since"),
        Arrays.stream(openings).map(Timestamp::toInstant).toList(),
        row.getInt("flaps"),
        row.getBoolean("flapping"),
        window == null
            ? null
            : new Maintenance(window, requireNonNull(row.getString("maintenance_name"))));
  }

  static Pending pending(ResultSet row, int number) throws SQLException {
    return new Pending(
        new AlertKey(row.getObject("definition_id", UUID.class), row.getInt("object_id")),
        row.getInt("cycles"),
        instant(row, "last_tick"));
  }
}
