package io.peerlens.outlier.explain;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static java.util.Comparator.naturalOrder;
import static java.util.stream.Collectors.groupingBy;

import io.peerlens.database.Rows;
import io.peerlens.frame.Means;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Past values for explanations, from the database. What events that are open will ask for is looked
 * up at once when a tick begins, and what stays the same is remembered, so that an open event costs
 * no query a bucket. Not thread-safe.
 */
public final class ExplanationQueries implements ExplanationPast {

  /** So many hours are looked up one by one in a tick; others are there in the next. */
  private static final int MOST_ALONE = 10;

  private static final int MOST_CENTRES = 10_000;

  /** The least and the greatest say which chunks there is nothing in. */
  private static final String CENTRES =
      """
      select b.group_id, b.bucket, b.metrics, b.centre
      from unnest(:groups::uuid[], :buckets::timestamptz[]) as w(id, bucket)
        join outlier_bucket b on b.group_id = w.id and b.bucket = w.bucket
      where b.bucket >= :least and b.bucket <= :greatest
      """;

  private static final String KNOWN =
      """
      select o.id, o.uuid, o.adapter_kind, o.object_kind, o.name, l.last_seen
      from object o left join object_liveness l on l.object_id = o.id where o.id = any (:ids)
      """;

  private record Mean(UUID group, String key, int object, Instant hour) {
    static Mean of(Hour hour) {
      return new Mean(
          hour.group().id(),
          hour.key(),
          hour.object(),
          hour.moment().truncatedTo(ChronoUnit.HOURS));
    }
  }

  private final JdbcClient jdbc;
  private final Means means;
  private Map<Mean, Double> hours = new HashMap<>();
  private final Map<Integer, Known> members = new HashMap<>();
  private int alone;

  /** Only those that were asked for or judged last are kept. */
  private final Map<Judged, Map<String, Double>> centres =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Judged, Map<String, Double>> eldest) {
          return size() > MOST_CENTRES;
        }
      };

  public ExplanationQueries(JdbcClient jdbc, Means means) {
    this.jdbc = jdbc;
    this.means = means;
  }

  @Override
  public void prepare(Collection<Hour> wanted, Collection<Judged> buckets) {
    alone = 0;
    look(buckets.stream().filter(one -> !centres.containsKey(one)).distinct().toList());
    buckets.forEach(one -> centres.putIfAbsent(one, Map.of())); // nobody will judge it any more
    members.clear(); // when they were heard of last is another time in each tick
    Map<Mean, Double> kept = new HashMap<>();
    Set<Hour> missing = new LinkedHashSet<>();
    for (Hour hour : wanted) {
      Double known = hours.get(Mean.of(hour));
      if (known == null) {
        missing.add(hour);
      } else {
        kept.put(Mean.of(hour), known);
      }
    }
    hours = kept;
    missing.stream()
        .collect(groupingBy(hour -> Mean.of(hour).hour()))
        .forEach((begin, some) -> read(begin, some));
  }

  private void read(Instant begin, List<Hour> some) {
    List<Means.Wanted> wanted = new ArrayList<>();
    for (Hour hour : some) {
      wanted.add(
          new Means.Wanted(hour.group().kind(), List.of(hour.key()), new int[] {hour.object()}));
    }
    List<double[][][]> values = means.read(wanted, begin, 1, Duration.ofHours(1));
    for (int i = 0; i < some.size(); i++) {
      hours.put(Mean.of(some.get(i)), values.get(i)[0][0][0]);
    }
  }

  @Override
  public double mean(Hour hour) {
    Mean mean = Mean.of(hour);
    if (!hours.containsKey(mean) && alone < MOST_ALONE) {
      alone++;
      read(mean.hour(), List.of(hour));
    }
    return hours.getOrDefault(mean, Double.NaN);
  }

  @Override
  public void judged(UUID group, Instant bucket, Map<String, Double> found) {
    centres.put(new Judged(group, bucket), found);
  }

  @Override
  public double centre(UUID group, Instant bucket, String key) {
    Judged judged = new Judged(group, bucket);
    if (!centres.containsKey(judged)) {
      look(List.of(judged));
    }
    return centres.getOrDefault(judged, Map.of()).getOrDefault(key, Double.NaN);
  }

  private void look(List<Judged> buckets) {
    if (buckets.isEmpty()) {
      return;
    }
    jdbc.sql(CENTRES)
        .param("groups", buckets.stream().map(Judged::group).toArray(UUID[]::new))
        .param(
            "buckets", buckets.stream().map(one -> one.bucket().toString()).toArray(String[]::new))
        .param("least", utc(buckets.stream().map(Judged::bucket).min(naturalOrder()).orElseThrow()))
        .param(
            "greatest", utc(buckets.stream().map(Judged::bucket).max(naturalOrder()).orElseThrow()))
        .query(
            row -> {
              String[] keys = Rows.texts(row, "metrics");
              double[] centre = Rows.doubles(row, "centre");
              Map<String, Double> found = new HashMap<>();
              for (int m = 0; m < keys.length; m++) {
                found.put(keys[m], centre[m]);
              }
              centres.put(
                  new Judged(row.getObject("group_id", UUID.class), instant(row, "bucket")), found);
            });
  }

  @Override
  public Map<Integer, Known> known(Collection<Integer> objects) {
    List<Integer> others = objects.stream().filter(id -> !members.containsKey(id)).toList();
    if (!others.isEmpty()) {
      jdbc.sql(KNOWN)
          .param("ids", others.toArray(Integer[]::new))
          .query(
              row -> {
                members.put(
                    row.getInt("id"),
                    new Known(
                        row.getObject("uuid", UUID.class),
                        row.getString("adapter_kind"),
                        row.getString("object_kind"),
                        row.getString("name"),
                        instantOrNull(row, "last_seen")));
              });
    }
    return members;
  }
}
