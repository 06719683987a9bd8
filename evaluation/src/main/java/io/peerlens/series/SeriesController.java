package io.peerlens.series;

import io.peerlens.api.SeriesApi;
import io.peerlens.api.model.LatestQuery;
import io.peerlens.api.model.LatestResult;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OtherObjects;
import io.peerlens.api.model.PercentileFrom;
import io.peerlens.api.model.Series;
import io.peerlens.api.model.SeriesQuery;
import io.peerlens.api.model.SeriesResult;
import io.peerlens.api.model.SortDirection;
import io.peerlens.api.model.TalkerChange;
import io.peerlens.api.model.TalkerComparison;
import io.peerlens.api.model.TopEntry;
import io.peerlens.api.model.TopQuery;
import io.peerlens.api.model.TopRanking;
import io.peerlens.api.model.TopResult;
import io.peerlens.api.model.TopResults;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.web.ApiException;
import io.peerlens.web.Doubles;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SeriesController implements SeriesApi {
  private static final Duration DEFAULT_WINDOW = Duration.ofHours(24);
  private static final Duration LONGEST_AGE = Duration.ofDays(30);
  private static final Duration LONGEST_STEP = Duration.ofDays(3650);

  private final SeriesService series;
  private final LatestValues latest;
  private final TopObjects top;
  private final SeriesRemarks remarks;
  private final InstantSource clock;

  SeriesController(
      SeriesService series,
      LatestValues latest,
      TopObjects top,
      SeriesRemarks remarks,
      InstantSource clock) {
    this.series = series;
    this.latest = latest;
    this.top = top;
    this.remarks = remarks;
    this.clock = clock;
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<SeriesResult> querySeries(SeriesQuery query) {
    Instant from = Moments.field("from", query.getFrom());
    Instant to = Moments.field("to", query.getTo());
    if (!from.isBefore(to)) {
      throw ApiException.invalidField("to", "is not after from");
    }
    String step = query.getStep() == null ? "auto" : query.getStep();
    SeriesRequest request =
        new SeriesRequest(
            query.getObjects(),
            keys(query.getMetrics()),
            from,
            to,
            step.equals("auto") ? null : duration("step", step, LONGEST_STEP),
            aggregation(query.getAggregation()),
            query.getMaxPoints() == null ? 1000 : query.getMaxPoints(),
            Boolean.TRUE.equals(query.getWithRange()),
            zone(query.getZone()),
            percentile(
                query.getAggregation(),
                query.getPercentile(),
                message -> ApiException.invalidField("percentile", message)));
    try {
      SeriesAnswer answer = series.query(request);
      SeriesResult result = result(request, answer);
      Set<MetricKey> missing = new LinkedHashSet<>(request.metrics());
      answer.lines().forEach(line -> missing.remove(line.metric()));
      if (!missing.isEmpty()) {
        result.setRemarks(remarks.on(missing, request.objects()));
      }
      return ResponseEntity.ok(result);
    } catch (TooManyPointsException e) {
      throw ApiException.of(ErrorCode.TOO_MANY_POINTS, e.detail())
          .field("step", e.reason())
          .hint(e.hint());
    }
  }

  @Override
  public ResponseEntity<LatestResult> latestValues(LatestQuery query) {
    Duration maxAge =
        duration("maxAge", query.getMaxAge() == null ? "1h" : query.getMaxAge(), LONGEST_AGE);
    List<LatestValue> values =
        latest.of(query.getObjects(), keys(query.getMetrics()), maxAge, clock.instant());
    return ResponseEntity.ok(
        new LatestResult(
            values.stream()
                .filter(one -> Double.isFinite(one.value()))
                .map(
                    one ->
                        new io.peerlens.api.model.LatestValue(
                            one.object(),
                            one.metric().toString(),
                            one.unit(),
                            one.time(),
                            one.value()))
                .toList()));
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<TopResult> topObjects(
      String metric,
      String objectKind,
      @Nullable String adapterKind,
      io.peerlens.api.model.Aggregation aggregation,
      @Nullable Double percentile,
      @Nullable String from,
      @Nullable String to,
      Integer limit,
      SortDirection order,
      @Nullable UUID parent,
      @Nullable UUID ancestor,
      Boolean sparkline,
      @Nullable List<TalkerComparison> compare) {
    Instant end = to == null ? clock.instant() : Moments.parameter("to", to);
    Instant start = from == null ? end.minus(DEFAULT_WINDOW) : Moments.parameter("from", from);
    if (!start.isBefore(end)) {
      throw ApiException.invalidParameter("to", "is not after from");
    }
    TopRequest request =
        new TopRequest(
            MetricKey.parse(metric),
            objectKind,
            adapterKind,
            aggregation(aggregation),
            start,
            end,
            limit,
            order == SortDirection.DESC,
            parent,
            ancestor,
            sparkline,
            compare != null && compare.contains(TalkerComparison.BEFORE),
            compare != null && compare.contains(TalkerComparison.WEEK_AGO),
            percentile(
                aggregation,
                percentile,
                message -> ApiException.invalidParameter("percentile", message)));
    try {
      return ResponseEntity.ok(ranking(request));
    } catch (AmbiguousKindException e) {
      throw ApiException.invalidParameter("adapterKind", "is needed, since " + e.getMessage())
          .hint("Add adapterKind to the request.");
    }
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<TopResults> queryTopObjects(TopQuery query) {
    Instant end = query.getTo() == null ? clock.instant() : Moments.field("to", query.getTo());
    Instant start =
        query.getFrom() == null
            ? end.minus(DEFAULT_WINDOW)
            : Moments.field("from", query.getFrom());
    if (!start.isBefore(end)) {
      throw ApiException.invalidField("to", "is not after from");
    }
    List<TopResult> results = new ArrayList<>();
    for (TopRanking one : query.getRankings()) {
      try {
        String where = "rankings[" + results.size() + "].percentile";
        Percentile percentile =
            percentile(
                one.getAggregation(),
                one.getPercentile(),
                message -> ApiException.invalidField(where, message));
        results.add(ranking(one, percentile, query, start, end));
      } catch (AmbiguousKindException e) {
        throw ApiException.invalidField(
                "rankings[" + results.size() + "].adapterKind",
                "is needed, since " + e.getMessage())
            .hint("Add adapterKind to the ranking.");
      }
    }
    return ResponseEntity.ok(new TopResults(results));
  }

  /** By the first of its metrics that has values in the window; none has: by the first. */
  private TopResult ranking(
      TopRanking wanted,
      @Nullable Percentile percentile,
      TopQuery query,
      Instant start,
      Instant end) {
    TopResult first = null;
    for (String metric : wanted.getMetrics()) {
      TopResult result =
          ranking(
              new TopRequest(
                  MetricKey.parse(metric),
                  wanted.getObjectKind(),
                  wanted.getAdapterKind(),
                  aggregation(wanted.getAggregation()),
                  start,
                  end,
                  query.getLimit() == null ? 10 : query.getLimit(),
                  true,
                  null,
                  query.getAncestor(),
                  Boolean.TRUE.equals(query.getSparkline()),
                  false,
                  false,
                  percentile));
      if (!result.getItems().isEmpty()) {
        return result;
      }
      first = first == null ? result : first;
    }
    return Objects.requireNonNull(first);
  }

  private TopResult ranking(TopRequest request) {
    TopAnswer answer = top.top(request);
    List<TopEntry> items =
        answer.entries().stream().map(one -> entry(one, answer.total())).toList();
    TopResult result =
        new TopResult(
            request.metric().toString(),
            answer.unit(),
            io.peerlens.api.model.Aggregation.valueOf(request.aggregation().name()),
            request.from().toEpochMilli(),
            request.to().toEpochMilli(),
            level(answer.level()),
            answer.ranked(),
            finite(answer.total()),
            items,
            others(answer));
    result.setPercentile(percent(request.aggregation(), request.percentile()));
    if (answer.origin() != null) {
      result.setPercentileFrom(from(answer.origin()));
      result.setRelativeError(answer.origin().relativeError());
    }
    if (answer.sparklineTimes() != null) {
      result.setSparklineTimes(longs(answer.sparklineTimes()));
    }
    return result;
  }

  private static TopEntry entry(TopAnswer.Entry one, double total) {
    TopEntry entry =
        new TopEntry(
            one.rank(),
            new ObjectRef(one.id(), one.adapterKind(), one.objectKind(), one.name()),
            one.value(),
            share(one.value(), total),
            one.mean(),
            one.peak());
    entry.setBefore(change(one.value(), one.before()));
    entry.setWeekAgo(change(one.value(), one.weekAgo()));
    if (one.origin() != null) {
      entry.setPercentileFrom(from(one.origin()));
      entry.setRelativeError(one.origin().relativeError());
      entry.setMeansShare(meansShare(one.origin()));
    }
    if (one.sparkline() != null) {
      entry.setSparkline(Doubles.of(one.sparkline()));
    }
    return entry;
  }

  private static OtherObjects others(TopAnswer answer) {
    double value = answer.total();
    for (TopAnswer.Entry entry : answer.entries()) {
      value -= entry.value();
    }
    value = Math.max(0, value); // the rest of a subtraction may be a trifle below
    return new OtherObjects(
        answer.ranked() - answer.entries().size(), finite(value), share(value, answer.total()));
  }

  private static @Nullable Double share(double value, double total) {
    return total == 0 ? null : finite(value / total);
  }

  private static @Nullable TalkerChange change(double now, double then) {
    return Double.isNaN(then)
        ? null
        : new TalkerChange(then, finite((now - then) / Math.abs(then)));
  }

  /** What JSON has a number for. */
  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private static SeriesResult result(SeriesRequest request, SeriesAnswer answer) {
    List<Series> series =
        answer.lines().stream()
            .map(
                line -> {
                  Series one =
                      new Series(
                          line.object(),
                          line.metric().toString(),
                          line.unit(),
                          Doubles.of(line.values()));
                  if (line.min() != null) {
                    one.setMin(Doubles.of(line.min()));
                  }
                  if (line.max() != null) {
                    one.setMax(Doubles.of(line.max()));
                  }
                  if (line.origin() != null) {
                    one.setPercentileFrom(from(line.origin()));
                    one.setRelativeError(line.origin().relativeError());
                    one.setMeansShare(meansShare(line.origin()));
                  }
                  return one;
                })
            .toList();
    SeriesResult result =
        new SeriesResult(
            answer.from(),
            answer.to(),
            Step.text(answer.step()),
            answer.step(),
            level(answer.level()),
            io.peerlens.api.model.Aggregation.valueOf(request.aggregation().name()),
            longs(answer.times()),
            series);
    result.setPercentile(percent(request.aggregation(), request.percentile()));
    return result;
  }

  /**
   * The percentile that a request means; null = none is asked for.
   *
   * @param error the answer to a wrong one
   */
  private static @Nullable Percentile percentile(
      io.peerlens.api.model.@Nullable Aggregation aggregation,
      @Nullable Double percentile,
      Function<String, ApiException> error) {
    boolean asked = aggregation == io.peerlens.api.model.Aggregation.PERCENTILE;
    if (percentile == null) {
      return asked ? Percentile.DEFAULT : null;
    }
    if (!asked) {
      throw error
          .apply("belongs to the aggregation percentile, which is not asked for")
          .hint("Add \"aggregation\": \"percentile\", or leave percentile out.");
    }
    try {
      return Percentile.of(percentile);
    } catch (IllegalArgumentException e) {
      throw error.apply(Objects.requireNonNull(e.getMessage()));
    }
  }

  private static @Nullable Double percent(
      Aggregation aggregation, @Nullable Percentile percentile) {
    return aggregation == Aggregation.PERCENTILE && percentile != null
        ? percentile.percent()
        : null;
  }

  private static PercentileFrom from(PercentileOrigin origin) {
    return PercentileFrom.valueOf(origin.from().name());
  }

  private static @Nullable Double meansShare(PercentileOrigin origin) {
    return origin.from() == PercentileOrigin.From.MEANS ? origin.meansShare() : null;
  }

  private static List<MetricKey> keys(List<String> texts) {
    return texts.stream().map(MetricKey::parse).toList();
  }

  private static Aggregation aggregation(io.peerlens.api.model.@Nullable Aggregation aggregation) {
    return aggregation == null ? Aggregation.AVG : Aggregation.valueOf(aggregation.name());
  }

  private static io.peerlens.api.model.Level level(io.peerlens.store.Level level) {
    return io.peerlens.api.model.Level.fromValue(level.label());
  }

  private static @Nullable ZoneId zone(@Nullable String name) {
    try {
      return name == null ? null : ZoneId.of(name);
    } catch (DateTimeException e) {
      throw ApiException.invalidField("zone", "\"" + name + "\" is no time zone")
          .hint("Give a name of the tz database, such as Europe/Berlin or UTC.");
    }
  }

  /** The contract has checked the form: digits and a unit. */
  private static Duration duration(String field, String text, Duration longest) {
    long number = Long.parseLong(text.substring(0, text.length() - 1));
    Duration duration =
        switch (text.charAt(text.length() - 1)) {
          case 's' -> Duration.ofSeconds(number);
          case 'm' -> Duration.ofMinutes(number);
          case 'h' -> Duration.ofHours(number);
          case 'd' -> Duration.ofDays(number);
          default -> throw ApiException.invalidField(field, "has no unit s, m, h or d");
        };
    if (duration.compareTo(longest) > 0) {
      throw ApiException.invalidField(field, text + " is more than " + longest.toDays() + "d");
    }
    return duration;
  }

  private static List<Long> longs(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
