package io.peerlens.outlier.result;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.database.Rows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Results of a group over time. */
public final class ResultQueries {

  /** So many values are read at once. */
  private static final int VALUES_AT_ONCE = 2_000_000;

  private static final String DEVIANTS =
      """
      select object_id from outlier_event
      where group_id = :id and object_id is not null and evidence <> 'configuration' and since < :to and (closed_at is null or closed_at > :from)
      group by object_id order by max(abs(peak_score)) desc, object_id
      """;

  private static final String LAST =
      """
      select members, score from outlier_bucket where group_id = :id and bucket >= :from and bucket < :to
      order by bucket desc limit 1
      """;

  private static final String LEFT =
      """
      select distinct object_id from outlier_membership
      where group_id = :id and kind = 'left' and at > :from and at < :to order by 1
      """;

  private static final String BUCKETS =
      """
      select bucket, state, judged, metrics, members, centre, lower, upper, values, scores, usual_lower, usual_upper
      from outlier_bucket
      where group_id = :id and bucket >= :from and bucket < :to order by bucket
      """;

  private static final String NUMBERS = "select id, uuid from object where uuid = any (:ids)";

  private final JdbcClient jdbc;

  ResultQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Members in a window, those that differed first, then by their scores at its end. */
  List<Integer> members(UUID group, Instant from, Instant to) {
    Set<Integer> members =
        new LinkedHashSet<>(
            jdbc.sql(DEVIANTS)
                .param("id", group)
                .param("from", utc(from))
                .param("to", utc(to))
                .query(Integer.class)
                .list());
    jdbc.sql(LAST)
        .param("id", group)
        .param("from", utc(from))
        .param("to", utc(to))
        .query(
            row -> {
              int[] ids = Rows.ints(row, "members");
              float[] score = Rows.floats(row, "score");
              IntStream.range(0, ids.length)
                  .boxed()
                  .sorted(
                      (a, b) -> {
                        int order = Float.compare(farness(score[b]), farness(score[a]));
                        return order != 0 ? order : Integer.compare(ids[a], ids[b]);
                      })
                  .forEach(i -> members.add(ids[i]));
            });
    members.addAll(
        jdbc.sql(LEFT)
            .param("id", group)
            .param("from", utc(from))
            .param("to", utc(to))
            .query(Integer.class)
            .list());
    return new ArrayList<>(members);
  }

  private static float farness(float score) {
    return Float.isNaN(score) ? -1 : Math.abs(score);
  }

  /** Numbers of objects, in the order of their ids; unknown ones are left out. */
  List<Integer> numbers(List<UUID> objects) {
    Map<UUID, Integer> numbers = new HashMap<>();
    jdbc.sql(NUMBERS)
        .param("ids", objects.toArray(UUID[]::new))
        .query(
            row -> {
              numbers.put(row.getObject(2, UUID.class), row.getInt(1));
            });
    return objects.stream().distinct().filter(numbers::containsKey).map(numbers::get).toList();
  }

  /**
   * Folds what was judged.
   *
   * @param keys of the metrics, in the order of the fold
   * @param listed members, in the order of the fold
   */
  void fold(
      UUID group, List<String> keys, List<Integer> listed, long widthMillis, ResultFold fold) {
    int[] ids = listed.stream().mapToInt(Integer::intValue).toArray();
    long at = fold.from().toEpochMilli();
    long end = fold.to().toEpochMilli();
    int size = Math.max(1, size(group, fold.from(), fold.to()));
    long stretch = Math.max(1, VALUES_AT_ONCE / size) * widthMillis;
    for (long begin = at; begin < end; begin += stretch) {
      jdbc.sql(BUCKETS)
          .param("id", group)
          .param("from", utc(Instant.ofEpochMilli(begin)))
          .param("to", utc(Instant.ofEpochMilli(Math.min(end, begin + stretch))))
          .query(
              row -> {
                String[] metrics = Rows.texts(row, "metrics");
                int[] members = Rows.ints(row, "members");
                float[] values = Rows.floats(row, "values");
                float[] scores = Rows.floats(row, "scores");
                int[] places = new int[ids.length];
                for (int i = 0; i < ids.length; i++) {
                  places[i] = Arrays.binarySearch(members, ids[i]);
                }
                int[] of = new int[keys.size()];
                for (int m = 0; m < of.length; m++) {
                  of[m] = List.of(metrics).indexOf(keys.get(m));
                }
                fold.add(
                    instant(row, "bucket"),
                    OutlierGroupState.fromValue(row.getString("state")),
                    row.getInt("judged"),
                    pick(Rows.doubles(row, "centre"), of),
                    pick(Rows.doubles(row, "lower"), of),
                    pick(Rows.doubles(row, "upper"), of),
                    pick(Rows.doublesOrNone(row, "usual_lower"), of),
                    pick(Rows.doublesOrNone(row, "usual_upper"), of),
                    (m, i) -> cell(values, of[m], places[i], members.length),
                    (m, i) -> cell(scores, of[m], places[i], members.length));
              });
    }
  }

  private int size(UUID group, Instant from, Instant to) {
    @Nullable Integer size =
        jdbc.sql(
                """
                select max(cardinality(values)) from outlier_bucket
                where group_id = :id and bucket >= :from and bucket < :to
                """)
            .param("id", group)
            .param("from", utc(from))
            .param("to", utc(to))
            .query((row, number) -> row.getInt(1))
            .single();
    return size == null ? 0 : size;
  }

  private static double[] pick(double[] of, int[] places) {
    double[] picked = new double[places.length];
    for (int i = 0; i < picked.length; i++) {
      picked[i] = places[i] < 0 || places[i] >= of.length ? Double.NaN : of[places[i]];
    }
    return picked;
  }

  private static double cell(float[] of, int metric, int member, int members) {
    return metric < 0 || member < 0 ? Double.NaN : of[metric * members + member];
  }
}
