package io.peerlens.outlier;

import static io.peerlens.outlier.Rows.instant;
import static io.peerlens.outlier.Rows.utc;

import io.peerlens.frame.Means;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks up what explanations need, and remembers it for a while. Not thread-safe. */
final class ExplanationQueries implements ExplanationPast {

  private static final int MOST_KEPT = 2_000;

  private static final String BUCKET =
      """
      select metrics, members, centre, values from outlier_bucket where group_id = :group and bucket = :bucket
      """;

  private static final String KNOWN =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.name, l.last_seen
      from object o left join object_liveness l on l.object_id = o.id where o.id = any (:ids)
      """;

  private record Hour(UUID group, String key, int object, Instant hour) {}

  private final JdbcClient jdbc;
  private final Means means;

  /** Only the newest are kept. */
  private final Map<Hour, Double> hours =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Hour, Double> eldest) {
          return size() > MOST_KEPT;
        }
      };

  ExplanationQueries(JdbcClient jdbc, Means means) {
    this.jdbc = jdbc;
    this.means = means;
  }

  @Override
  public Before bucket(UUID group, Instant bucket, String key, int object) {
    return jdbc.sql(BUCKET)
        .param("group", group)
        .param("bucket", utc(bucket))
        .query(
            (row, number) -> {
              int metric = List.of(Rows.texts(row, "metrics")).indexOf(key);
              int[] members = Rows.ints(row, "members");
              int place = Arrays.binarySearch(members, object);
              return metric < 0
                  ? Before.NOTHING
                  : new Before(
                      Rows.doubles(row, "centre")[metric],
                      place < 0
                          ? Double.NaN
                          : Rows.floats(row, "values")[metric * members.length + place]);
            })
        .optional()
        .orElse(Before.NOTHING);
  }

  @Override
  public double hour(OutlierGroup group, String key, int object, Instant moment) {
    Hour wanted = new Hour(group.id(), key, object, moment.truncatedTo(ChronoUnit.HOURS));
    Double known = hours.get(wanted);
    if (known == null) {
      known =
          means.read(
                  List.of(new Means.Wanted(group.kind(), List.of(key), new int[] {object})),
                  wanted.hour(),
                  1,
                  Duration.ofHours(1))
              .getFirst()[0][0][0];
      hours.put(wanted, known);
    }
    return known;
  }

  @Override
  public Map<Integer, Known> known(Collection<Integer> objects) {
    Map<Integer, Known> known = new HashMap<>();
    jdbc.sql(KNOWN)
        .param("ids", objects.toArray(Integer[]::new))
        .query(
            row -> {
              known.put(
                  row.getInt("id"),
                  new Known(
                      row.getObject("uuid", UUID.class),
                      row.getString("adapter_kind"),
                      row.getString("object_kind"),
                      row.getString("name"),
                      instant(row, "last_seen")));
            });
    return known;
  }
}
