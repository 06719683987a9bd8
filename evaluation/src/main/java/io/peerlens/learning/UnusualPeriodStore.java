package io.peerlens.learning;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Storage of the periods in which objects were unusual as a whole. Thread-safe. */
public final class UnusualPeriodStore {

  /** Key of the metric that tells how unusual an object is as a whole. */
  public static final String SCORE_KEY = AnomalyCounts.GROUP + "|anomaly_score";

  /** As long as samples of a day are kept by default. */
  private static final Duration KEPT = Duration.ofDays(400);

  private static final String WRITE =
      """
      with other as (
        delete from unusual_period where object_id = :object and since <> :since and since < :until and until > :since)
      insert into unusual_period (object_id, since, until, score, keys, began)
      select o.id, :since, :until, :score, :keys::text[], :began::text[]::timestamptz[] from object o where o.id = :object
      on conflict (object_id, since) do update
        set until = excluded.until, score = excluded.score, keys = excluded.keys, began = excluded.began
      """;

  private static final String NEWEST =
      """
      select distinct on (object_id) object_id, since, until, score, keys, began from unusual_period
      where object_id = any (:objects::int[]) and until >= :after order by object_id, since desc
      """;

  private static final String FIND =
      """
      select since, until, score, keys, began from unusual_period
      where object_id = :object and since < :to and until > :from order by since
      """;

  private final JdbcClient jdbc;

  UnusualPeriodStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Metric that carries the score.
   *
   * @param began when it first did what is new for it; null = it did more of what it had done
   *     before
   */
  public record Carrier(String key, @Nullable Instant began) {}

  /**
   * Period in which an object was unusual as a whole.
   *
   * @param score the highest
   * @param carriers metrics that add most to the score, at most five, the one that adds most first
   */
  public record Unusual(Instant from, Instant to, double score, List<Carrier> carriers) {

    /** The same, longer. */
    Unusual until(Instant end, double highest) {
      return new Unusual(from, end, highest, carriers);
    }
  }

  /**
   * Periods that have begun, or gone on. Another one of the same time, which a node wrote that had
   * learned from other days, is replaced.
   */
  void write(Map<Integer, Unusual> byObject) {
    byObject.forEach(
        (object, one) ->
            jdbc.sql(WRITE)
                .param("object", object)
                .param("since", utc(one.from()))
                .param("until", utc(one.to()))
                .param("score", one.score())
                .param("keys", one.carriers().stream().map(Carrier::key).toArray(String[]::new))
                .param(
                    "began",
                    one.carriers().stream()
                        .map(of -> Objects.toString(of.began(), null))
                        .toArray(String[]::new))
                .update());
  }

  /** Periods of an object that have a part in a window, in order. */
  List<Unusual> find(int object, Instant from, Instant to) {
    return jdbc.sql(FIND)
        .param("object", object)
        .param("from", utc(from))
        .param("to", utc(to))
        .query((row, number) -> unusual(row))
        .list();
  }

  /**
   * The newest period of each object that has one.
   *
   * @param objects internal ids
   * @param after older ones do not count
   */
  public Map<Integer, Unusual> newest(Collection<Integer> objects, Instant after) {
    Map<Integer, Unusual> newest = new HashMap<>();
    jdbc.sql(NEWEST)
        .param("objects", objects.toArray(Integer[]::new))
        .param("after", utc(after))
        .query(
            row -> {
              newest.put(row.getInt("object_id"), unusual(row));
            });
    return newest;
  }

  private static Unusual unusual(ResultSet row) throws SQLException {
    String[] keys = (String[]) row.getArray("keys").getArray();
    Timestamp[] began = (Timestamp[]) row.getArray("began").getArray();
    return new Unusual(
        instant(row, "since"),
        instant(row, "until"),
        row.getDouble("score"),
        IntStream.range(0, keys.length)
            .mapToObj(i -> new Carrier(keys[i], began[i] == null ? null : began[i].toInstant()))
            .toList());
  }

  /** Removes what is too old. */
  void forget(Instant now) {
    jdbc.sql("delete from unusual_period where until < ?").param(utc(now.minus(KEPT))).update();
  }
}
