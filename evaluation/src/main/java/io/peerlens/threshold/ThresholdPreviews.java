package io.peerlens.threshold;

import io.peerlens.api.model.LearnedSensitivity;
import io.peerlens.api.model.LearningObjects;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PreviewEpisode;
import io.peerlens.api.model.PreviewFirings;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.api.model.SensitivityPoint;
import io.peerlens.api.model.SweepPoint;
import io.peerlens.api.model.ThresholdPreview;
import io.peerlens.api.model.ThresholdPreviewRequest;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.learning.PastBands;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.scope.Scopes;
import io.peerlens.series.Step;
import io.peerlens.supermetric.PastSuperMetrics;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Episodes.Episode;
import io.peerlens.threshold.PastAlerts.Acknowledged;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Preview of a threshold over the past, judged by the classes that judge the present: what it would
 * have found, beside what the stored one would have, and how often with other bounds. Nothing is
 * stored. Few previews are computed at a time, each within limits. Thread-safe.
 */
final class ThresholdPreviews {

  private static final Duration SHORT = Duration.ofMinutes(5);
  private static final int MOST_FIRINGS = 200;
  private static final int MOST_EPISODES = 100;
  private static final int MOST_LEARNING = 20;

  /** A severity that rises again after a fall so often goes up and down around a bound. */
  private static final int MANY_RETURNS = 3;

  private static final UUID NOBODY = new UUID(0, 0);

  private final ThresholdService service;
  private final ThresholdStore store;
  private final ThresholdChecks checks;
  private final Frames frames;
  private final ScopeFlags scopes;
  private final ObjectLookup queries;
  private final PastAlerts alerts;
  private final ThresholdProperties properties;
  private final Duration metricAge;
  private final PreviewLimits limits;
  private final PastBands bands;
  private final PastSuperMetrics superMetrics;

  ThresholdPreviews(
      ThresholdService service,
      ThresholdStore store,
      ThresholdChecks checks,
      Frames frames,
      Scopes scopes,
      ObjectLookup queries,
      PastAlerts alerts,
      ThresholdProperties properties,
      FrameProperties frameProperties,
      PastBands bands,
      PastSuperMetrics superMetrics,
      InstantSource clock) {
    this.service = service;
    this.store = store;
    this.checks = checks;
    this.frames = frames;
    this.scopes = scopes;
    this.queries = queries;
    this.alerts = alerts;
    this.properties = properties;
    this.metricAge = frameProperties.metricAge();
    this.limits = new PreviewLimits(clock, System::nanoTime, properties.previewTime());
    this.bands = bands;
    this.superMetrics = superMetrics;
  }

  ThresholdPreview preview(ThresholdPreviewRequest request) {
    UUID id = Objects.requireNonNullElse(request.getId(), NOBODY);
    Threshold threshold =
        ThresholdReader.read(
            id, 0, "threshold.", service.normal("threshold.", request.getThreshold()));
    Threshold saved =
        request.getId() == null ? null : store.find(id).orElseThrow(() -> service.notFound(id));
    List<Sweep.Variant> variants =
        request.getSweep() == null ? List.of() : Sweep.variants(threshold, request.getSweep());
    Set<Integer> only =
        request.getObjects() == null || request.getObjects().isEmpty()
            ? null
            : queries.ids(request.getObjects());
    Window window =
        window(
            request,
            threshold,
            only == null ? frames.objects().count(threshold.kind()) : only.size());
    try {
      return new Run(threshold, saved, variants, window, only).answer();
    } catch (Frames.TooManyValuesException e) {
      throw ApiException.of(ErrorCode.TOO_MANY_POINTS, Objects.requireNonNull(e.getMessage()))
          .hint("Shorten the time range.");
    }
  }

  /** Moments to be judged. */
  private record Window(Instant from, Instant to, Duration step) {
    double days() {
      return Duration.between(from, to).toMillis() / 864e5;
    }
  }

  private Window window(ThresholdPreviewRequest request, Threshold threshold, int objects) {
    PreviewLimits.Range range = limits.range(request.getFrom(), request.getTo());
    Duration length = Duration.between(range.from(), range.to());
    Duration step = step(length, threshold.interval(), properties.moments(objects));
    long width = step.toMillis();
    return new Window(
        Instant.ofEpochMilli(Math.ceilDiv(range.from().toEpochMilli(), width) * width),
        range.to(),
        step);
  }

  /**
   * The threshold's interval, or as much wider as it takes.
   *
   * @param most how many moments there may be
   */
  static Duration step(Duration length, Duration interval, int most) {
    for (long step : Step.USUAL) {
      long wide = Math.max(step, interval.toMillis());
      if (length.toMillis() / wide < most) {
        return Duration.ofMillis(wide);
      }
    }
    throw ApiException.of(
            ErrorCode.TOO_MANY_POINTS,
            "There are more than %,d moments, whatever the step.".formatted(most))
        .hint("Shorten the time range, or raise peerlens.thresholds.preview-moments.");
  }

  /** One preview. */
  private final class Run {

    private final Window window;
    private final Threshold threshold;
    private final @Nullable Set<Integer> only;
    private final List<Sweep.Variant> variants;
    private final Episodes wanted;
    private final @Nullable Episodes saved;
    private final List<Episodes> swept = new ArrayList<>();
    private final Map<Sensitivity, Episodes> bySensitivity = new EnumMap<>(Sensitivity.class);
    private final ScopeFlags members;
    private final PreviewLimits.Deadline deadline;
    private int moments;
    private long judgedPlaces;
    private long allPlaces;
    private @Nullable Instant knownFrom;
    private @Nullable ObjectGraph objects;

    Run(
        Threshold threshold,
        @Nullable Threshold saved,
        List<Sweep.Variant> variants,
        Window window,
        @Nullable Set<Integer> only) {
      this.threshold = threshold;
      this.window = window;
      this.only = only;
      this.variants = variants;
      this.members = new FixedScopes(scopes, only);
      Learned learned = learned(threshold);
      this.wanted = episodes(threshold, learned);
      boolean isOfTheSame =
          saved != null
              && saved.kind().equals(threshold.kind())
              && saved.scope().equals(threshold.scope());
      this.saved = saved == null ? null : episodes(saved, isOfTheSame ? learned : learned(saved));
      variants.forEach(variant -> swept.add(episodes(variant.threshold(), learned)));
      if (threshold.condition().isLearned()) {
        for (Sensitivity one : Sensitivity.values()) {
          bySensitivity.put(one, episodes(Sweep.at(one, threshold), learned));
        }
      }
      this.deadline = limits.deadline();
    }

    private Learned learned(Threshold one) {
      return BandsOfScope.during(window.from(), window.to(), bands, one, members);
    }

    private Episodes episodes(Threshold one, Learned learned) {
      return new Episodes(new Tracker(one, members, learned, metricAge, properties.staleAfter()));
    }

    ThresholdPreview answer() {
      Set<Input> inputs = new HashSet<>(wanted.tracker().inputs());
      swept.forEach(one -> inputs.addAll(one.tracker().inputs()));
      if (saved != null) {
        inputs.addAll(saved.tracker().inputs());
      }
      PastSuperMetrics.Run computed = superMetrics.of(inputs, window.from(), window.step());
      if (computed != null) {
        inputs.addAll(computed.inputs());
      }
      frames.each(
          inputs,
          window.from(),
          window.to(),
          window.step(),
          frame -> take(computed == null ? frame : computed.over(frame)));
      List<SweepPoint> points = new ArrayList<>();
      for (int i = 0; i < variants.size(); i++) {
        int total = swept.get(i).all().size();
        points.add(new SweepPoint(variants.get(i).value(), total, perDay(total)));
      }
      List<Episode> all = wanted.all();
      List<Acknowledged> acknowledged = saved == null ? List.of() : acknowledged();
      return new ThresholdPreview(
              window.from(),
              window.to(),
              Durations.print(window.step()),
              moments == 0 ? 0 : wanted.tracker().judge().inScope(),
              firings(),
              all.size(),
              perDay(all.size()),
              saved == null ? null : saved.all().size(),
              (int) all.stream().filter(Run::isShort).count(),
              saved == null ? null : acknowledged.size(),
              saved == null ? null : kept(acknowledged),
              points,
              sensitivities(),
              learning(),
              issues())
          .severityChanges(wanted.severityChanges())
          .knownShare(knownShare())
          .knownFrom(knownFrom)
          .computedUntil(computed == null ? null : computed.until());
    }

    /** Part of the objects and moments that could be judged; 0 where there is none. */
    private double knownShare() {
      return allPlaces == 0 ? 0 : (double) judgedPlaces / allPlaces;
    }

    /** What is odd about the threshold, and that its severity goes up and down, if it does. */
    private List<RuleIssue> issues() {
      List<RuleIssue> issues =
          new ArrayList<>(
              checks.issues(List.of(threshold)).getOrDefault(threshold.id(), List.of()));
      int returns = wanted.severityReturns();
      if (returns >= MANY_RETURNS) {
        issues.add(
            new RuleIssue(
                "trigger.clearAfter",
                "the severity of open symptoms would have changed %,d times, %,d of them up again after a fall, and each sends an update"
                    .formatted(wanted.severityChanges(), returns),
                hasClear()
                    ? "Set clear farther from the bound, or raise trigger.clearAfter."
                    : "Give the levels a clear value on the good side of their bound, or raise"
                        + " trigger.clearAfter."));
      }
      return issues;
    }

    private boolean hasClear() {
      return threshold.condition().levels().stream().allMatch(level -> level.clear() != null);
    }

    private List<SensitivityPoint> sensitivities() {
      List<SensitivityPoint> points = new ArrayList<>();
      bySensitivity.forEach(
          (sensitivity, episodes) ->
              points.add(
                  new SensitivityPoint(
                      LearnedSensitivity.valueOf(sensitivity.name()),
                      episodes.all().size(),
                      perDay(episodes.all().size()))));
      return points;
    }

    private LearningObjects learning() {
      ObjectGraph graph = objects;
      if (graph == null) {
        return new LearningObjects(0, List.of());
      }
      List<Integer> all = wanted.tracker().judge().learning();
      List<Integer> first =
          all.stream()
              .sorted(Comparator.comparing(object -> graph.name(threshold.kind(), object)))
              .limit(MOST_LEARNING)
              .map(object -> graph.id(threshold.kind(), object))
              .toList();
      Map<Integer, ObjectRef> references = queries.references(first);
      return new LearningObjects(
          all.size(), first.stream().map(references::get).filter(Objects::nonNull).toList());
    }

    /** Alerts that people found worth their attention. */
    private List<Acknowledged> acknowledged() {
      return alerts.acknowledged(threshold.id(), window.from(), window.to()).stream()
          .filter(one -> only == null || only.contains(one.objectId()))
          .toList();
    }

    /**
     * How many of them the wanted threshold would have raised as well. An episode has begun at some
     * time after the moment before its first one; an alert is about an object with all its
     * instances.
     */
    private int kept(List<Acknowledged> acknowledged) {
      Map<Integer, List<Episode>> byObject = new HashMap<>();
      for (Episode episode : wanted.all()) {
        byObject.computeIfAbsent(episode.objectId, object -> new ArrayList<>()).add(episode);
      }
      return (int)
          acknowledged.stream()
              .filter(
                  alert ->
                      byObject.getOrDefault(alert.objectId(), List.of()).stream()
                          .anyMatch(episode -> overlaps(episode, alert)))
              .count();
    }

    private boolean overlaps(Episode episode, Acknowledged alert) {
      Instant to = alert.to();
      return (to == null || episode.from - window.step().toMillis() < to.toEpochMilli())
          && episode.to > alert.from().toEpochMilli();
    }

    private static boolean isShort(Episode episode) {
      return episode.isOver() && episode.to - episode.from < SHORT.toMillis();
    }

    private double perDay(int count) {
      return window.days() == 0 ? 0 : Math.round(count / window.days() * 100) / 100.0;
    }

    private void take(Frame frame) {
      deadline.check(
          () -> "%,d moments were judged".formatted(moments),
          "Shorten the time range, choose objects, or try fewer values.");
      wanted.run(frame);
      Judge judge = wanted.tracker().judge();
      int known = judge.inScope() - judge.unknown();
      allPlaces += judge.inScope();
      judgedPlaces += Math.max(0, known);
      if (known > 0 && knownFrom == null) {
        knownFrom = Instant.ofEpochMilli(frame.time());
      }
      swept.forEach(one -> one.run(frame));
      bySensitivity.values().forEach(one -> one.run(frame));
      if (saved != null) {
        saved.run(frame);
      }
      objects = frame.objects();
      moments++;
    }

    // -------------------------------------------------------------------------------- the answer

    private record Place(int objectId, String instance) {}

    private List<PreviewFirings> firings() {
      Map<Place, List<Episode>> now = byPlace(wanted);
      Map<Place, List<Episode>> before = saved == null ? Map.of() : byPlace(saved);
      Set<Place> places = new HashSet<>(now.keySet());
      places.addAll(before.keySet());
      List<Place> chosen =
          places.stream()
              .sorted(
                  Comparator.comparing((Place place) -> -count(now, place))
                      .thenComparing(place -> -count(before, place))
                      .thenComparing(Place::objectId)
                      .thenComparing(Place::instance))
              .limit(MOST_FIRINGS)
              .toList();
      Map<Integer, ObjectRef> references =
          queries.references(chosen.stream().map(Place::objectId).toList());
      List<PreviewFirings> firings = new ArrayList<>();
      for (Place place : chosen) {
        ObjectRef object = references.get(place.objectId());
        if (object != null) {
          firings.add(
              new PreviewFirings(
                  object,
                  place.instance().isEmpty() ? "" : Places.name(place.instance()),
                  answers(now.get(place)),
                  answers(before.get(place))));
        }
      }
      return firings;
    }

    private static Map<Place, List<Episode>> byPlace(Episodes episodes) {
      Map<Place, List<Episode>> byPlace = new LinkedHashMap<>();
      for (Episode episode : episodes.all()) {
        byPlace
            .computeIfAbsent(
                new Place(episode.objectId, episode.instance), place -> new ArrayList<>())
            .add(episode);
      }
      return byPlace;
    }

    private static int count(Map<Place, List<Episode>> episodes, Place place) {
      List<Episode> found = episodes.get(place);
      return found == null ? 0 : found.size();
    }

    private static List<PreviewEpisode> answers(@Nullable List<Episode> episodes) {
      return episodes == null
          ? List.of()
          : episodes.stream()
              .limit(MOST_EPISODES)
              .map(
                  one ->
                      new PreviewEpisode(
                          Instant.ofEpochMilli(one.from),
                          one.isOver() ? Instant.ofEpochMilli(one.to) : null,
                          io.peerlens.api.model.Severity.valueOf(
                              Objects.requireNonNull(Severity.of(one.severity)).name()),
                          Double.isNaN(one.peak) ? null : one.peak))
              .toList();
    }
  }
}
