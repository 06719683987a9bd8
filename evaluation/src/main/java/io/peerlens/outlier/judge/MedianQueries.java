package io.peerlens.outlier.judge;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.peerlens.database.Rows;
import io.peerlens.outlier.judge.UsualLearner.Shifted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Medians of groups by the hour, and the times when they were not as usual, to learn from. */
public final class MedianQueries {

  private static final String HOURS =
      """
      select h.group_id, h.hour, h.low, h.mean, h.high
        from unnest(:ids::uuid[], :bases::text[]) as w(id, basis) join outlier_hour h on h.group_id = w.id and h.basis = w.basis
      where h.hour >= :from and h.hour < :until
      """;

  private static final String EVENTS =
      """
      select group_id, since, opened_at, closed_at from outlier_event
      where group_id = any (:ids) and object_id is null and opened_at <= :until and (closed_at is null or closed_at > :from)
      """;

  private final JdbcClient jdbc;

  public MedianQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A group whose past is wanted.
   *
   * @param basis what it is judged by; hours of another one are not its own
   */
  public record Of(UUID group, String basis, int metrics) {}

  /** Medians of groups from an hour to another, one stretch for each group. */
  public Map<UUID, MedianHours> hours(Collection<Of> groups, long from, long until) {
    Map<UUID, MedianHours> found = new HashMap<>();
    for (Of one : groups) {
      found.put(one.group(), new MedianHours(from, (int) (until - from), one.metrics()));
    }
    jdbc.sql(HOURS)
        .param("ids", groups.stream().map(Of::group).toArray(UUID[]::new))
        .param("bases", groups.stream().map(Of::basis).toArray(String[]::new))
        .param("from", utc(begin(from)))
        .param("until", utc(begin(until)))
        .query(
            row -> {
              requireNonNull(found.get(row.getObject("group_id", UUID.class)))
                  .put(
                      instant(row, "hour").getEpochSecond() / 3600,
                      Rows.floats(row, "low"),
                      Rows.floats(row, "mean"),
                      Rows.floats(row, "high"));
            });
    return found;
  }

  /** Events of groups as a whole that were open in a stretch of hours and had opened by its end. */
  public Map<UUID, List<Shifted>> events(Collection<UUID> groups, long from, long until) {
    Map<UUID, List<Shifted>> found = new HashMap<>();
    jdbc.sql(EVENTS)
        .param("ids", groups.toArray(UUID[]::new))
        .param("from", utc(begin(from)))
        .param("until", utc(begin(until)))
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getObject("group_id", UUID.class), id -> new ArrayList<>())
                  .add(
                      new Shifted(
                          instant(row, "since"),
                          instant(row, "opened_at"),
                          requireNonNullElse(instantOrNull(row, "closed_at"), Instant.MAX)));
            });
    return found;
  }

  private static Instant begin(long hour) {
    return Instant.ofEpochSecond(hour * 3600);
  }
}
