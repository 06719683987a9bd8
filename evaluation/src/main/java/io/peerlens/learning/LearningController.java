package io.peerlens.learning;

import io.peerlens.api.LearningApi;
import io.peerlens.api.model.AnomalyScore;
import io.peerlens.api.model.Job;
import io.peerlens.api.model.LearnedBounds;
import io.peerlens.api.model.LearnedDay;
import io.peerlens.api.model.LearnedSensitivity;
import io.peerlens.api.model.LearningState;
import io.peerlens.api.model.LearningStatus;
import io.peerlens.api.model.MetricAnomaly;
import io.peerlens.api.model.MetricLearning;
import io.peerlens.api.model.ObjectAnomalies;
import io.peerlens.api.model.ObjectLearning;
import io.peerlens.api.model.UnusualMetric;
import io.peerlens.api.model.UnusualStretch;
import io.peerlens.baselines.BandLearner;
import io.peerlens.baselines.ObjectScore;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.baselines.State;
import io.peerlens.job.JobAnswers;
import io.peerlens.job.Jobs;
import io.peerlens.learning.LearningQueries.Known;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.web.ApiException;
import io.peerlens.web.Doubles;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class LearningController implements LearningApi {

  private static final Duration DEFAULT_WINDOW = Duration.ofHours(24);
  private static final Duration AHEAD = Duration.ofHours(48);
  private static final Duration LONGEST = Duration.ofDays(35);
  private static final Duration LONGEST_SCORED = Duration.ofDays(7);

  private final PastBands bands;
  private final LearningQueries queries;
  private final AnomalousMetrics anomalies;
  private final AnomalyScores scores;
  private final LearningJobs learning;
  private final Jobs jobs;
  private final LearningProperties properties;
  private final InstantSource clock;

  LearningController(
      PastBands bands,
      LearningQueries queries,
      AnomalousMetrics anomalies,
      AnomalyScores scores,
      LearningJobs learning,
      Jobs jobs,
      LearningProperties properties,
      InstantSource clock) {
    this.bands = bands;
    this.queries = queries;
    this.anomalies = anomalies;
    this.scores = scores;
    this.learning = learning;
    this.jobs = jobs;
    this.properties = properties;
    this.clock = clock;
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<LearnedBounds> getLearnedBounds(
      UUID id,
      String key,
      @Nullable String from,
      @Nullable String to,
      @Nullable LearnedSensitivity sensitivity) {
    Known object = object(id);
    Instant now = clock.instant();
    Instant latest = now.plus(AHEAD);
    Instant end = to == null ? latest : Moments.parameter("to", to);
    Instant start = from == null ? now.minus(DEFAULT_WINDOW) : Moments.parameter("from", from);
    if (!start.isBefore(end)) {
      throw ApiException.invalidParameter("to", "is not after from");
    }
    if (end.isAfter(latest)) {
      throw ApiException.invalidParameter("to", "is more than 48 hours ahead");
    }
    if (Duration.between(start, end).compareTo(LONGEST) > 0) {
      throw ApiException.invalidParameter("from", "is more than 35 days before to")
          .hint("Ask for it in parts.");
    }
    // Today is read too, for the state.
    Instant first = start.isBefore(now) ? start : now;
    Instant last = end.isAfter(now) ? end : now.plusMillis(1);
    PastBounds bounds =
        bands.read(object.kind(), key, false, one -> one == object.id(), first, last);
    Hours hours = new Hours(start, end);
    LearnedSensitivity asked = sensitivity == null ? LearnedSensitivity.MEDIUM : sensitivity;
    if (bounds == null || bounds.sets().sets().length == 0) {
      return ResponseEntity.ok(hours.answer(id, key, LearningState.NO_VALUES, 0, asked, Float.NaN));
    }
    double margin = Sensitivity.valueOf(asked.name()).margin();
    for (int i = 0; i < hours.length(); i++) {
      hours.put(i, bounds.at(hours.first + i), margin);
    }
    long today = Days.day(now);
    return ResponseEntity.ok(
        hours.answer(
            id,
            key,
            state(bounds.state(today, 0)),
            bounds.learnedDays(today, 0),
            asked,
            bounds.at(Days.hour(now.toEpochMilli())).spread()[0]));
  }

  /** The hours of an answer. */
  private static final class Hours {
    private final long first;
    private final double[] lower;
    private final double[] usual;
    private final double[] upper;

    Hours(Instant from, Instant to) {
      first = Days.hour(from.toEpochMilli());
      int count = (int) (Days.hour(to.toEpochMilli() - 1) - first + 1);
      lower = new double[count];
      usual = new double[count];
      upper = new double[count];
      Arrays.fill(lower, Double.NaN);
      Arrays.fill(usual, Double.NaN);
      Arrays.fill(upper, Double.NaN);
    }

    int length() {
      return lower.length;
    }

    void put(int hour, BandColumns bounds, double margin) {
      double spread = bounds.spread()[0];
      lower[hour] = bounds.lower()[0] - margin * spread;
      upper[hour] = bounds.upper()[0] + margin * spread;
      usual[hour] = (bounds.lower()[0] + (double) bounds.upper()[0]) / 2;
    }

    LearnedBounds answer(
        UUID object,
        String key,
        LearningState state,
        int days,
        LearnedSensitivity sensitivity,
        double spread) {
      List<Long> times = new ArrayList<>(lower.length);
      for (int i = 0; i < lower.length; i++) {
        times.add((first + i) * Duration.ofHours(1).toMillis());
      }
      return new LearnedBounds(
          object,
          key,
          state,
          days,
          BandLearner.LEARNING_DAYS,
          sensitivity,
          Double.isFinite(spread) ? spread : null,
          times,
          Doubles.of(lower),
          Doubles.of(usual),
          Doubles.of(upper));
    }
  }

  @Override
  public ResponseEntity<ObjectLearning> getObjectLearning(UUID id) {
    Instant today = Days.start(Days.day(clock.instant()));
    List<MetricLearning> items =
        queries.metrics(object(id).id(), today).stream()
            .map(
                metric ->
                    new MetricLearning(
                        metric.key().toString(), state(metric.state()), metric.days()))
            .toList();
    return ResponseEntity.ok(new ObjectLearning(BandLearner.LEARNING_DAYS, items));
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<ObjectAnomalies> getObjectAnomalies(UUID id) {
    Instant end = AnomalyCounts.newest(clock.instant());
    AnomalousMetrics.Found found = anomalies.find(object(id).id(), end);
    List<MetricAnomaly> items =
        found.outside().stream()
            .map(
                one ->
                    new MetricAnomaly(
                        one.key().toString(),
                        one.value(),
                        one.lower(),
                        one.upper(),
                        Double.isFinite(one.beyond()) ? one.beyond() : null))
            .toList();
    return ResponseEntity.ok(
        new ObjectAnomalies(end.minus(AnomalyCounts.WINDOW), end, found.judged(), items));
  }

  @Override
  public ResponseEntity<AnomalyScore> getAnomalyScore(
      UUID id, @Nullable String from, @Nullable String to) {
    Known object = object(id);
    Instant newest = AnomalyCounts.newest(clock.instant());
    Instant wanted = to == null ? newest : Moments.parameter("to", to);
    Instant end = wanted.isAfter(newest) ? newest : wanted;
    Instant start = from == null ? end.minus(DEFAULT_WINDOW) : Moments.parameter("from", from);
    if (!start.isBefore(wanted)) {
      throw ApiException.invalidParameter("to", "is not after from");
    }
    if (Duration.between(start, wanted).compareTo(LONGEST_SCORED) > 0) {
      throw ApiException.invalidParameter("from", "is more than 7 days before to")
          .hint("Ask for it in parts.");
    }
    List<String> keys =
        queries.places(object.id(), ObjectScorer.MOST_METRICS).stream()
            .map(one -> one.key().toString())
            .toList();
    AnomalyScores.Scores found = scores.score(object, keys, start, end);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < found.scores().length; i++) {
      times.add(found.time(i).toEpochMilli());
    }
    List<UnusualStretch> stretches =
        found.periods().stream()
            .map(
                one ->
                    new UnusualStretch(
                        one.from(),
                        one.to(),
                        one.score(),
                        one.carriers().stream().map(UnusualPeriodStore.Carrier::key).toList(),
                        one.carriers().stream()
                            .map(of -> new UnusualMetric(of.key(), of.began()))
                            .toList()))
            .toList();
    return ResponseEntity.ok(
        new AnomalyScore(
            ObjectScore.UNUSUAL, found.metrics(), times, Doubles.of(found.scores()), stretches));
  }

  private Known object(UUID id) {
    return queries.object(id).orElseThrow(() -> ApiException.notFound("object", id));
  }

  private static LearningState state(int code) {
    State state = LearnedBlock.state(code);
    return state == null ? LearningState.NO_VALUES : LearningState.valueOf(state.name());
  }

  @Override
  public ResponseEntity<LearningStatus> getLearning() {
    List<LearnedDay> days =
        queries.days(Days.start(Days.day(clock.instant()))).stream()
            .map(
                day ->
                    new LearnedDay(
                        day.day(),
                        day.learning() + day.learned() + day.fewValued() + day.constant(),
                        day.learning(),
                        day.learned(),
                        day.fewValued(),
                        day.constant(),
                        day.computedAt()))
            .toList();
    LearningStatus status =
        new LearningStatus(
            properties.enabled(),
            properties.zone().getId(),
            properties.historyDays(),
            BandLearner.LEARNING_DAYS,
            days,
            queries.bytes());
    learning.newest().map(JobAnswers::job).ifPresent(status::setJob);
    return ResponseEntity.ok(status);
  }

  @Override
  public ResponseEntity<Job> startLearning() {
    if (!properties.enabled()) {
      throw ApiException.of(ErrorCode.CONFLICT, "Learning is switched off.")
          .hint("Set peerlens.learning.enabled to true.");
    }
    UUID started =
        learning
            .start()
            .orElseThrow(
                () ->
                    ApiException.of(ErrorCode.CONFLICT, "Bounds are being learned already.")
                        .hint("Wait for that job, or cancel it; see GET /api/v1/jobs."));
    return ResponseEntity.accepted()
        .body(
            jobs.find(started)
                .map(JobAnswers::job)
                .orElseThrow(
                    () -> ApiException.of(ErrorCode.UNAVAILABLE, "The job could not be stored.")));
  }
}
