package io.peerlens.planning.sizing;

import io.peerlens.api.RightSizingApi;
import io.peerlens.api.model.Job;
import io.peerlens.api.model.Recommendation;
import io.peerlens.api.model.RecommendationAction;
import io.peerlens.api.model.RecommendationActionOutcome;
import io.peerlens.api.model.RecommendationActionRequest;
import io.peerlens.api.model.RecommendationActionResult;
import io.peerlens.api.model.RecommendationCount;
import io.peerlens.api.model.RecommendationDetail;
import io.peerlens.api.model.RecommendationKind;
import io.peerlens.api.model.RecommendationPage;
import io.peerlens.api.model.RecommendationSort;
import io.peerlens.api.model.RecommendationState;
import io.peerlens.api.model.RecommendationTicket;
import io.peerlens.api.model.RecommendationTicketRequest;
import io.peerlens.api.model.RightSizing;
import io.peerlens.api.model.RightSizingCluster;
import io.peerlens.api.model.RightSizingClusters;
import io.peerlens.api.model.RightSizingHitRate;
import io.peerlens.api.model.RightSizingSettings;
import io.peerlens.api.model.ScenarioComparison;
import io.peerlens.api.model.ScenarioRequest;
import io.peerlens.job.JobAnswers;
import io.peerlens.job.Jobs;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.planning.sizing.DatastoreQueries.Listed;
import io.peerlens.planning.sizing.RecommendationQueries.Filter;
import io.peerlens.planning.sizing.RecommendationQueries.Sums;
import io.peerlens.planning.sizing.ResultStore.Run;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import io.peerlens.web.Versions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class RightSizingController implements RightSizingApi {

  private static final Duration LONGEST_IGNORED = Duration.ofDays(3653);

  private final RecommendationQueries recommendations;
  private final ClusterQueries clusters;
  private final DatastoreQueries datastores;
  private final ResultStore results;
  private final DecisionStore decisions;
  private final OutcomeStore outcomes;
  private final Tickets tickets;
  private final SizingSettingsStore settings;
  private final SizingEvaluation evaluation;
  private final Jobs jobs;
  private final InstantSource clock;

  RightSizingController(
      RecommendationQueries recommendations,
      ClusterQueries clusters,
      DatastoreQueries datastores,
      ResultStore results,
      DecisionStore decisions,
      OutcomeStore outcomes,
      Tickets tickets,
      SizingSettingsStore settings,
      SizingEvaluation evaluation,
      Jobs jobs,
      InstantSource clock) {
    this.recommendations = recommendations;
    this.clusters = clusters;
    this.datastores = datastores;
    this.results = results;
    this.decisions = decisions;
    this.outcomes = outcomes;
    this.tickets = tickets;
    this.settings = settings;
    this.evaluation = evaluation;
    this.jobs = jobs;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<RightSizing> getRightSizing(
      @Nullable UUID ancestor, @Nullable List<String> owner) {
    Instant now = clock.instant();
    Filter filter = Filter.inForce(ancestor, Paging.list(owner));
    Run last = results.run().orElse(null);
    Sums sums = recommendations.sums(filter, now);
    List<RecommendationCount> found = recommendations.counts(filter, now);
    List<RecommendationCount> counts = new ArrayList<>();
    for (RecommendationKind kind : RecommendationKind.values()) {
      counts.add(
          found.stream()
              .filter(one -> one.getKind() == kind)
              .findFirst()
              .orElseGet(() -> new RecommendationCount(kind, 0L, 0L, 0L, 0.0, 0.0, 0.0, null))
              .reason(kind == RecommendationKind.ORPHANED_DISK ? notListed() : null));
    }
    return ResponseEntity.ok(
        new RightSizing(
            last == null ? null : last.at(),
            last == null ? null : last.from(),
            last == null ? null : last.to(),
            sums.machines(),
            last == null ? null : Long.valueOf(last.tookMillis()),
            evaluation.running().orElse(null),
            sums.ignored(),
            sums.vcpus(),
            sums.memoryGb(),
            sums.regret(),
            counts,
            recommendations.owners(Filter.inForce(ancestor, List.of()), now)));
  }

  /** Why orphaned disks of some datastores, or of all, are not known; null = they are. */
  private @Nullable String notListed() {
    Listed listed = datastores.listed();
    if (listed.total() == 0) {
      return "No datastore is known. A source that reads a vCenter tells of datastores and lists their files.";
    }
    if (listed.listed() == listed.total()) {
      return null;
    }
    String which =
        listed.listed() == 0
            ? "Files were listed of no datastore"
            : "Files were listed of %d of %d datastores".formatted(listed.listed(), listed.total());
    String trouble = listed.trouble();
    return which
        + " in the three days before the evaluation. "
        + (trouble == null
            ? "A source that reads a vCenter lists them once a day, a few at a time."
            : trouble);
  }

  @Override
  public ResponseEntity<Job> startRightSizing() {
    UUID started =
        evaluation
            .start()
            .orElseThrow(
                () ->
                    ApiException.of(ErrorCode.CONFLICT, "Machines are being evaluated already.")
                        .hint("Wait for that job, or cancel it; see GET /api/v1/jobs."));
    return ResponseEntity.accepted()
        .body(
            jobs.find(started)
                .map(JobAnswers::job)
                .orElseThrow(
                    () -> ApiException.of(ErrorCode.UNAVAILABLE, "The job could not be stored.")));
  }

  @Override
  public ResponseEntity<RecommendationPage> listRecommendations(
      @Nullable List<RecommendationKind> kind,
      @Nullable UUID ancestor,
      @Nullable List<String> owner,
      @Nullable List<RecommendationState> decision,
      @Nullable String q,
      @Nullable RecommendationSort sort,
      Integer limit,
      @Nullable String cursor) {
    List<RecommendationState> states = Paging.list(decision);
    Filter usual = Filter.inForce(ancestor, Paging.list(owner));
    Page<Recommendation> page =
        recommendations.page(
            new Filter(
                Paging.list(kind),
                ancestor,
                usual.owners(),
                states.isEmpty() ? usual.states() : states,
                q),
            sort,
            limit,
            cursor,
            clock.instant());
    return ResponseEntity.ok(new RecommendationPage(page.items(), page.nextCursor(), page.total()));
  }

  @Override
  public ResponseEntity<RecommendationDetail> getRecommendation(UUID id) {
    return ResponseEntity.ok(existing(id).tickets(decisions.tickets(id)));
  }

  private RecommendationDetail existing(UUID id) {
    return recommendations
        .find(id, clock.instant())
        .orElseThrow(
            () ->
                ApiException.notFound("recommendation", id)
                    .hint("It goes when an evaluation no longer finds it."));
  }

  @Override
  public ResponseEntity<RecommendationActionResult> decideRecommendations(
      RecommendationActionRequest request) {
    Instant now = clock.instant();
    Instant until = until(request, now);
    List<UUID> ids = request.getIds();
    String by = Caller.current().name();
    RecommendationAction action = request.getAction();
    Map<UUID, Recommendation> before = recommendations.find(ids, now);
    switch (action) {
      case APPROVE -> decisions.decide(ids, "approved", by, now, null, request.getNote());
      case IGNORE -> decisions.decide(ids, "ignored", by, now, until, request.getNote());
      case REOPEN -> decisions.decide(ids, "open", null, null, null, null);
    }
    Map<UUID, Recommendation> after = recommendations.find(ids, now);
    return ResponseEntity.ok(
        new RecommendationActionResult(
            ids.stream().map(id -> outcome(id, action, before.get(id), after.get(id))).toList()));
  }

  private static @Nullable Instant until(RecommendationActionRequest request, Instant now) {
    String text = request.getUntil();
    if (request.getAction() != RecommendationAction.IGNORE) {
      if (text != null) {
        throw ApiException.invalidField("until", "is for ignore only");
      }
      return null;
    }
    if (text == null) {
      throw ApiException.invalidField("until", "is missing: until when it is to be ignored");
    }
    Instant until = Moments.field("until", text);
    if (!until.isAfter(now)) {
      throw ApiException.invalidField("until", until + " is not in the future");
    }
    if (until.isAfter(now.plus(LONGEST_IGNORED))) {
      throw ApiException.invalidField("until", until + " is more than ten years ahead");
    }
    return until;
  }

  private static RecommendationActionOutcome outcome(
      UUID id,
      RecommendationAction action,
      @Nullable Recommendation before,
      @Nullable Recommendation after) {
    String reason = null;
    if (before == null || after == null) {
      reason = "There is no such recommendation.";
    } else if (before.getDecision().getState() == RecommendationState.DONE) {
      reason = "It was carried out.";
    } else if (action == RecommendationAction.APPROVE
        && before.getKind() == RecommendationKind.NOT_KNOWN) {
      reason = "Nothing is recommended that could be approved.";
    }
    return new RecommendationActionOutcome(
        id, reason == null, reason, after == null ? null : after.getDecision());
  }

  @Heavy(HeavyWork.PROBE)
  @Override
  public ResponseEntity<RecommendationTicket> createRecommendationTicket(
      UUID id, RecommendationTicketRequest request) {
    return ResponseEntity.ok(tickets.send(existing(id), request, Caller.current().name()));
  }

  @Override
  public ResponseEntity<RightSizingHitRate> getRightSizingHitRate() {
    Instant now = clock.instant();
    ZoneId zone = settings.now().zone();
    return ResponseEntity.ok(HitRates.of(outcomes.since(HitRates.since(now, zone)), now, zone));
  }

  @Override
  public ResponseEntity<RightSizingSettings> getRightSizingSettings() {
    SizingSettingsStore.Stored stored = settings.read();
    return ResponseEntity.ok().eTag(Versions.tag(stored.version())).body(stored.settings());
  }

  @Override
  public ResponseEntity<RightSizingSettings> putRightSizingSettings(
      RightSizingSettings wanted, @Nullable String ifMatch) {
    long version = settings.replace(wanted, ifMatch, clock.instant(), Caller.current().name());
    return ResponseEntity.ok().eTag(Versions.tag(version)).body(wanted);
  }

  @Override
  public ResponseEntity<RightSizingClusters> listRightSizingClusters(@Nullable UUID ancestor) {
    return ResponseEntity.ok(
        new RightSizingClusters(
            clusters.all(ancestor).stream()
                .map(ClusterAnswers::answer)
                .sorted(
                    Comparator.comparingInt(
                            (RightSizingCluster one) ->
                                one.getVms() == null ? Integer.MAX_VALUE : one.getVms().getValue())
                        .thenComparing(one -> one.getObject().getName()))
                .toList()));
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<ScenarioComparison> compareScenarios(ScenarioRequest request) {
    ClusterQueries.Named cluster =
        clusters.all(request.getCluster()).stream()
            .filter(one -> one.object().getId().equals(request.getCluster()))
            .findFirst()
            .orElseThrow(
                () ->
                    ApiException.notFound("evaluated cluster", request.getCluster())
                        .hint("Clusters are evaluated once a day; see POST /right-sizing."));
    Instant at = results.run().map(Run::at).orElse(clock.instant());
    LocalDate today = LocalDate.ofInstant(clock.instant(), settings.now().zone());
    return ResponseEntity.ok(
        new ScenarioComparison(
            cluster.object(),
            at,
            new Scenarios(cluster.state(), today).compare(request.getScenarios())));
  }
}
