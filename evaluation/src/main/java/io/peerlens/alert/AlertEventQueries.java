package io.peerlens.alert;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Change feed of alerts and outlier events, whose history rows are numbered together. Rows become
 * visible when their transaction ends, not in the order of their ids, so the place in the stream is
 * (transaction, row), and only what is below the oldest transaction that still runs is read:
 * nothing can appear before a place that was passed.
 */
final class AlertEventQueries {

  private static final String NOW =
      "select pg_snapshot_xmin(pg_current_snapshot())::text as xid, 0::bigint as id";

  private static final String AFTER =
      """
      select s.xid::text as xid, s.id, s.source, s.about
      from (
        (select h.xid, h.id, 'alert' as source, h.alert_id as about from alert_history h
         where (h.xid, h.id) > (:xid::xid8, :id) and h.xid < pg_snapshot_xmin(pg_current_snapshot())
         order by h.xid, h.id limit :limit)
        union all
        (select h.xid, h.id, 'outlier', h.event_id from outlier_event_history h
         where (h.xid, h.id) > (:xid::xid8, :id) and h.xid < pg_snapshot_xmin(pg_current_snapshot())
         order by h.xid, h.id limit :limit)) s
      order by s.xid, s.id limit :limit
      """;

  private static final String KNOWN =
      """
      select exists (select from alert_history where xid = :xid::xid8 and id = :id)
        or exists (select from outlier_event_history where xid = :xid::xid8 and id = :id)
      """;

  private static final Pattern PLACE = Pattern.compile("([0-9]{1,19})-([0-9]{1,18})");

  private final JdbcClient jdbc;

  AlertEventQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A place in the stream of all changes. */
  record Place(String xid, long id) {

    /** Reads what {@link #toString} writes; null = it is none. */
    static @Nullable Place parse(String text) {
      Matcher matcher = PLACE.matcher(text);
      return matcher.matches()
          ? new Place(matcher.group(1), Long.parseLong(matcher.group(2)))
          : null;
    }

    @Override
    public String toString() {
      return xid + "-" + id;
    }
  }

  /**
   * A change.
   *
   * @param source {@code alert}, or what else is followed
   */
  record Step(Place place, String source, UUID about) {}

  /** Before everything that has not been visible yet. */
  Place now() {
    return jdbc.sql(NOW).query((row, number) -> place(row)).single();
  }

  /** A place that somebody was at, if it is known and nothing after it was forgotten. */
  Optional<Place> known(String text) {
    return Optional.ofNullable(Place.parse(text))
        .filter(
            place ->
                jdbc.sql(KNOWN)
                    .param("xid", place.xid())
                    .param("id", place.id())
                    .query(Boolean.class)
                    .single());
  }

  /** What comes after a place, in order. */
  List<Step> after(Place place, int limit) {
    return jdbc.sql(AFTER)
        .param("xid", place.xid())
        .param("id", place.id())
        .param("limit", limit)
        .query(
            (row, number) ->
                new Step(place(row), row.getString("source"), row.getObject("about", UUID.class)))
        .list();
  }

  private static Place place(ResultSet row) throws SQLException {
    return new Place(row.getString("xid"), row.getLong("id"));
  }
}
