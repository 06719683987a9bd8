package io.peerlens.outlier.result;

import io.peerlens.api.OutlierResultsApi;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierConfiguration;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierMetric;
import io.peerlens.api.model.OutlierResults;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupService;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class OutlierResultsController implements OutlierResultsApi {

  private static final long MOST_VALUES = 1_000_000;

  private final OutlierGroupService groups;
  private final OutlierGroupAnswers answers;
  private final ResultQueries queries;
  private final OutlierMemberQueries members;
  private final ConfigurationAnswers configurations;
  private final InstantSource clock;

  OutlierResultsController(
      OutlierGroupService groups,
      OutlierGroupAnswers answers,
      ResultQueries queries,
      OutlierMemberQueries members,
      ConfigurationAnswers configurations,
      InstantSource clock) {
    this.groups = groups;
    this.answers = answers;
    this.queries = queries;
    this.members = members;
    this.configurations = configurations;
    this.clock = clock;
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<OutlierResults> getOutlierResults(
      UUID id,
      @Nullable String from,
      @Nullable String to,
      @Nullable List<String> metric,
      @Nullable List<UUID> object,
      Integer most,
      Integer points) {
    StoredRule<OutlierGroupEdit, OutlierGroup> stored = groups.get(id);
    OutlierGroup group = stored.rule();
    Instant until = to == null ? clock.instant() : Moments.parameter("to", to);
    Instant begin =
        from == null ? until.minus(Duration.ofDays(1)) : Moments.parameter("from", from);
    if (!begin.isBefore(until)) {
      throw ApiException.invalidParameter("from", "is not before to");
    }
    if (begin.isBefore(until.minus(Duration.ofDays(366)))) {
      throw ApiException.invalidParameter("from", "is more than 366 days before to");
    }
    List<OutlierMetric> metrics = metrics(stored, metric);
    List<Integer> all = queries.members(id, begin, until);
    List<Integer> wanted =
        object == null || object.isEmpty()
            ? all.subList(0, Math.min(most, all.size()))
            : queries.numbers(object);
    Map<Integer, ObjectRef> objects = members.objects(wanted);
    List<Integer> listed = wanted.stream().filter(objects::containsKey).toList();
    long values = (long) metrics.size() * listed.size() * points;
    if (values > MOST_VALUES) {
      throw ApiException.of(
              ErrorCode.TOO_MANY_POINTS,
              "%d metrics x %,d members x %,d points are %,d values; the limit is %,d."
                  .formatted(metrics.size(), listed.size(), points, values, MOST_VALUES))
          .hint("Ask for fewer metrics, members or points.");
    }
    ResultFold fold =
        new ResultFold(
            begin, until, group.bucket().toMillis(), points, metrics.size(), listed.size());
    queries.fold(
        id,
        metrics.stream().map(OutlierMetric::getKey).toList(),
        listed,
        group.bucket().toMillis(),
        fold);
    return ResponseEntity.ok(
        fold.results(
            metrics,
            listed.stream().map(objects::get).map(Objects::requireNonNull).toList(),
            all.size(),
            answers.threshold(group),
            group.groupEvent() != null));
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<OutlierConfiguration> getOutlierConfiguration(UUID id) {
    return ResponseEntity.ok(configurations.of(groups.get(id).rule()));
  }

  private List<OutlierMetric> metrics(
      StoredRule<OutlierGroupEdit, OutlierGroup> stored, @Nullable List<String> wanted) {
    List<OutlierMetric> all = answers.metrics(stored.rule());
    if (wanted == null || wanted.isEmpty()) {
      return all;
    }
    List<OutlierMetric> picked = new ArrayList<>();
    for (String key : wanted) {
      picked.add(
          all.stream()
              .filter(one -> one.getKey().equals(key))
              .findFirst()
              .orElseThrow(
                  () ->
                      ApiException.invalidParameter("metric", key + " is none of the group")
                          .hint("It compares " + String.join(", ", stored.rule().keys()) + ".")));
    }
    return picked;
  }
}
