package io.peerlens.outlier.preview;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;

import io.peerlens.outlier.group.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Late and marked members, for previews. */
public final class PreviewQueries {

  private static final String LATE =
      "select object_id from object_liveness where object_id = any (:ids) and delay_s > :delay";

  private static final String MARKED =
      "select object_id, at, until from outlier_exception where group_id = :id order by at, object_id";

  private final JdbcClient jdbc;

  public PreviewQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Those that report later than this. */
  Set<Integer> late(int[] ids, Duration delay) {
    return new HashSet<>(
        jdbc.sql(LATE)
            .param("ids", Arrays.stream(ids).boxed().toArray(Integer[]::new))
            .param("delay", (double) delay.toSeconds())
            .query(Integer.class)
            .list());
  }

  /** Member that was marked as an outlier, and since when. */
  record Marked(int object, Instant at, Mark mark) {}

  /** Those that somebody has marked, the earliest first. */
  List<Marked> marked(UUID group) {
    return jdbc.sql(MARKED)
        .param("id", group)
        .query(
            (row, number) ->
                new Marked(
                    row.getInt("object_id"),
                    instant(row, "at"),
                    new Mark(instantOrNull(row, "until"))))
        .list();
  }
}
