package io.peerlens.outlier;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks up what previews need to know of members. */
final class PreviewQueries {

  private static final String LATE =
      "select object_id from object_liveness where object_id = any (:ids) and delay_s > :delay";

  private static final String EXCLUDED =
      "select object_id from outlier_exception where group_id = :id and until is null";

  private final JdbcClient jdbc;

  PreviewQueries(JdbcClient jdbc) {
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

  /** Those that are different for good, so that they are no members. */
  Set<Integer> excluded(UUID group) {
    return new HashSet<>(jdbc.sql(EXCLUDED).param("id", group).query(Integer.class).list());
  }
}
