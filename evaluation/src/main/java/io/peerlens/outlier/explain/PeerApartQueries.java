package io.peerlens.outlier.explain;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Rows;
import io.peerlens.outlier.event.Apart;
import io.peerlens.outlier.explain.AttributeQueries.Attribute;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.Settings;
import io.peerlens.words.MetricNameQueries;
import io.peerlens.words.MetricNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Differences between a member and the peers that were judged with it. */
public final class PeerApartQueries implements Apart {

  /** Of more peers so many stand for all. */
  private static final int MOST_PEERS = 1_000;

  /** Other metrics are means over so many buckets at most. */
  private static final int BUCKETS = 3;

  private static final String PEERS =
      """
      select members, score from outlier_bucket
      where group_id = :group and bucket <= :bucket and bucket > :bucket - interval '1 day' order by bucket desc limit 1
      """;

  private final JdbcClient jdbc;
  private final AttributeQueries attributes;
  private final NearbyChangeQueries changes;
  private final OtherMetricQueries metrics;

  public PeerApartQueries(
      JdbcClient jdbc,
      AttributeQueries attributes,
      NearbyChangeQueries changes,
      OtherMetricQueries metrics) {
    this.jdbc = jdbc;
    this.attributes = attributes;
    this.changes = changes;
    this.metrics = metrics;
  }

  @Override
  public Found of(Subject subject) {
    OutlierGroup group = subject.group();
    int[] peers = peers(group.id(), subject.object(), subject.bucket());
    NearbyChangeQueries.Found nearby =
        changes.find(
            group,
            subject.object(),
            subject.since(),
            subject.since().plus(group.bucket().multipliedBy(2)));
    if (peers.length == 0) {
      return new Found(List.of(), 0, nearby.all(), List.of());
    }
    Map<Attribute, Map<Integer, String>> known =
        attributes.of(
            Stream.concat(Stream.of(subject.object()), Arrays.stream(peers).boxed())
                .collect(Collectors.toList()));
    Traits.Found traits = Traits.find(subject.object(), peers, known, nearby::of);
    Duration width = group.bucket();
    Instant since =
        subject.bucket().minus(width.multipliedBy(BUCKETS - 1)).isBefore(subject.since())
            ? subject.since()
            : subject.bucket().minus(width.multipliedBy(BUCKETS - 1));
    int buckets =
        Math.clamp(Duration.between(since, subject.bucket()).dividedBy(width) + 1, 1, BUCKETS);
    double limit = group.method() instanceof Method.Peers ? group.sensitivity() : Settings.MEDIUM;
    return new Found(
        traits.traits(),
        traits.equal(),
        nearby.all(),
        metrics.find(
            new MetricNames(new MetricNameQueries(jdbc)),
            group.kind(),
            subject.object(),
            peers,
            group.keys(),
            since,
            buckets,
            width,
            limit));
  }

  /**
   * Those that were judged in a bucket, or in the last one of the day before it; all members where
   * none was, as with configuration, which is compared while metrics are still being learned.
   */
  private int[] peers(UUID group, int object, Instant bucket) {
    return jdbc.sql(PEERS)
        .param("group", group)
        .param("bucket", utc(bucket))
        .query(
            (row, number) -> {
              int[] members = Rows.ints(row, "members");
              float[] score = Rows.floats(row, "score");
              int[] judged =
                  IntStream.range(0, members.length)
                      .filter(i -> !Float.isNaN(score[i]) && members[i] != object)
                      .map(i -> members[i])
                      .toArray();
              int[] peers =
                  judged.length > 0
                      ? judged
                      : Arrays.stream(members).filter(member -> member != object).toArray();
              int some = Math.min(MOST_PEERS, peers.length);
              return IntStream.range(0, some)
                  .map(i -> peers[(int) ((long) i * peers.length / some)])
                  .toArray();
            })
        .optional()
        .orElse(new int[0]);
  }
}
