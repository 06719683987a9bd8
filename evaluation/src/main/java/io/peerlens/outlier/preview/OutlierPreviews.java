package io.peerlens.outlier.preview;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierGridStep;
import io.peerlens.api.model.OutlierGroupStep;
import io.peerlens.api.model.OutlierMetric;
import io.peerlens.api.model.OutlierPreview;
import io.peerlens.api.model.OutlierPreviewRequest;
import io.peerlens.api.model.OutlierResults;
import io.peerlens.api.model.OutlierWarning;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupReader;
import io.peerlens.outlier.group.OutlierProperties;
import io.peerlens.outlier.group.ProposedDeviation;
import io.peerlens.outlier.judge.PeerValues;
import io.peerlens.outlier.preview.SensitivityGrid.Step;
import io.peerlens.outlier.result.ConfigurationAnswers;
import io.peerlens.outlier.result.OutlierGroupAnswers;
import io.peerlens.outlier.result.ResultFold;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.outliers.Replay;
import io.peerlens.outliers.Settings;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Preview of an outlier group: its past is judged by the classes that judge the present, for its
 * sensitivity and for others. Nothing is stored. Thread-safe.
 */
public final class OutlierPreviews {

  private static final int POINTS = 600;
  private static final int MEMBERS = 200;
  private static final Duration LEAST_LEARNED = Duration.ofDays(1);

  private final PreviewMembers members;
  private final PreviewShifts shifts;
  private final PeerValues past;
  private final ObjectLookup objects;
  private final PreviewWarnings warnings;
  private final OutlierGroupAnswers answers;
  private final ConfigurationAnswers configurations;
  private final OutlierProperties properties;
  private final PreviewLimits limits;

  OutlierPreviews(
      PreviewMembers members,
      PreviewShifts shifts,
      PeerValues past,
      ObjectLookup objects,
      PreviewWarnings warnings,
      OutlierGroupAnswers answers,
      ConfigurationAnswers configurations,
      OutlierProperties properties,
      InstantSource clock) {
    this.members = members;
    this.shifts = shifts;
    this.past = past;
    this.objects = objects;
    this.warnings = warnings;
    this.answers = answers;
    this.configurations = configurations;
    this.properties = properties;
    this.limits = new PreviewLimits(clock, System::nanoTime, properties.previewTime());
  }

  OutlierPreview preview(OutlierPreviewRequest request) {
    UUID id = request.getGroup().getId();
    OutlierGroup group =
        OutlierGroupReader.read(id == null ? new UUID(0, 0) : id, 0, "group.", request.getGroup());
    PreviewLimits.Range range = limits.range(request.getFrom(), request.getTo());
    return new Run(
            group,
            range,
            requireNonNullElse(request.getPoints(), POINTS),
            requireNonNullElse(request.getMembers(), MEMBERS))
        .answer();
  }

  /**
   * Cost of a preview.
   *
   * @param reading values, in nanoseconds
   * @param computing scores, events and the answer, in nanoseconds
   */
  public record Cost(long reading, long computing) {}

  private volatile Cost last = new Cost(0, 0);

  /** What the last preview took, for measurements. */
  public Cost cost() {
    return last;
  }

  /** One preview. */
  private final class Run {
    private final OutlierGroup group;
    private final int points;
    private final int listed;
    private final long width;
    private final Instant from;
    private final int asked;
    private final long start = System.nanoTime();
    private final PreviewLimits.Deadline deadline = limits.deadline();

    Run(OutlierGroup group, PreviewLimits.Range range, int points, int listed) {
      this.group = group;
      this.points = points;
      this.listed = listed;
      width = group.bucket().toMillis();
      long first = Math.ceilDiv(range.from().toEpochMilli(), width);
      asked = (int) Math.max(0, Math.floorDiv(range.to().toEpochMilli(), width) - first);
      from = Instant.ofEpochMilli(first * width);
      if (asked == 0) {
        throw ApiException.invalidField("from", "there is no whole bucket between from and to")
            .hint("Give a longer range.");
      }
    }

    OutlierPreview answer() {
      PreviewMembers.Members compared = members.of(group);
      int[] ids = compared.ids();
      OutlierWarning count = PreviewWarnings.count(ids.length);
      List<OutlierMetric> metrics = answers.metrics(group);
      List<@Nullable String> units = new ArrayList<>();
      metrics.forEach(metric -> units.add(metric.getUnit()));
      Settings settings = group.settings(units);
      if (count != null) {
        return answer(
            compared,
            settings,
            results(metrics, settings.threshold(), ids, null, place -> null),
            List.of(),
            List.of(),
            Map.of(),
            List.of(count));
      }
      int learning = learning(ids.length);
      Instant begin = from.minusMillis(learning * width);
      long reading = System.nanoTime();
      double[][][] values =
          past.read(group.kind(), group.keys(), ids, begin, learning + asked, group.bucket());
      long computing = System.nanoTime();
      deadline.check(
          () -> "values of %,d members were read".formatted(ids.length),
          "Shorten the time range, or narrow the scope.");
      PeerGroup engine = new PeerGroup(settings, ids);
      Replay replay =
          Replay.run(
              engine, begin.toEpochMilli() + width, values, learning, compared.expecting(engine));
      SensitivityGrid grid =
          new SensitivityGrid(settings, group.keys(), replay, from.toEpochMilli() + asked * width);
      List<Step> steps = grid.steps();
      Step own =
          steps.stream()
              .filter(step -> step.threshold() == settings.threshold())
              .findFirst()
              .orElseThrow();
      Map<Sensitivity, ShiftReplay.Found> shifted =
          shifts.of(
              group,
              group.basis(units),
              settings,
              replay,
              learning,
              from,
              from.plusMillis(asked * width),
              own.events());
      OutlierGroup.GroupEvent groupEvent = group.groupEvent();
      Replayed judged =
          new Replayed(
              replay,
              learning,
              group.metrics().size(),
              width,
              own.threshold(),
              own.events(),
              groupEvent,
              groupEvent == null ? null : shifted.get(groupEvent.sensitivity()));
      Map<Integer, ObjectRef> references = objects.references(Arrays.stream(ids).boxed().toList());
      IntFunction<@Nullable ObjectRef> byPlace = place -> references.get(ids[place]);
      OutlierResults results = results(metrics, own.threshold(), ids, judged, byPlace);
      double days = asked * width / 864e5;
      List<OutlierGridStep> grids =
          steps.stream()
              .map(
                  step ->
                      grid.answer(
                          step,
                          days,
                          member -> {
                            ObjectRef found = references.get(member);
                            return found == null ? null : found.getId();
                          }))
              .toList();
      List<OutlierGroupStep> groupSteps =
          shifted.entrySet().stream()
              .map(one -> grid.answer(one.getKey(), one.getValue(), days))
              .toList();
      Map<Integer, ObjectRef> named = new HashMap<>();
      for (int member : SensitivityGrid.listed(steps)) {
        ObjectRef reference = references.get(member);
        if (reference != null) {
          named.put(member, reference);
        }
      }
      List<OutlierWarning> found =
          warnings.of(
              new PreviewWarnings.Found(
                  group,
                  ids,
                  judged,
                  least(units),
                  learned(values, learning),
                  properties.learnFrom(),
                  byPlace));
      OutlierPreview made = answer(compared, settings, results, grids, groupSteps, named, found);
      last = new Cost(computing - reading, System.nanoTime() - computing);
      return made;
    }

    /** How many buckets before the range are learned from: as many as the limit leaves room for. */
    private int learning(int members) {
      long each = (long) members * group.metrics().size();
      long most = properties.previewValues() / each;
      int least = (int) LEAST_LEARNED.dividedBy(group.bucket());
      if (asked + least > most) {
        throw ApiException.of(
                ErrorCode.TOO_MANY_POINTS,
                "%,d buckets of %,d members are %,d values, %,d are computed at most."
                    .formatted(
                        asked + least, members, (asked + least) * each, properties.previewValues()))
            .hint("Shorten the time range, or narrow the scope.");
      }
      return (int) Math.min(properties.learnFrom().dividedBy(group.bucket()), most - asked);
    }

    /** How much of what is learned from has any values. */
    private Duration learned(double[][][] values, int learning) {
      for (int b = 0; b < learning; b++) {
        for (double[][] metric : values) {
          for (double value : metric[b]) {
            if (!Double.isNaN(value)) {
              return b == 0 ? properties.learnFrom() : group.bucket().multipliedBy(learning - b);
            }
          }
        }
      }
      return Duration.ZERO;
    }

    private double[] least(List<@Nullable String> units) {
      double[] least = new double[units.size()];
      for (int m = 0; m < least.length; m++) {
        Double given = group.metrics().get(m).minDeviation();
        least[m] = given == null ? ProposedDeviation.of(units.get(m)).least() : given;
      }
      return least;
    }

    /** The chart. */
    private OutlierResults results(
        List<OutlierMetric> metrics,
        double threshold,
        int[] ids,
        @Nullable Replayed judged,
        IntFunction<@Nullable ObjectRef> references) {
      List<ObjectRef> named = new ArrayList<>();
      int[] places =
          judged == null
              ? new int[0]
              : Arrays.stream(judged.farthest(listed))
                  .filter(place -> references.apply(place) != null)
                  .toArray();
      for (int place : places) {
        named.add(requireNonNull(references.apply(place)));
      }
      ResultFold fold =
          new ResultFold(
              from, from.plusMillis(asked * width), width, points, metrics.size(), places.length);
      if (judged != null) {
        judged.fold(fold, metrics.size(), places);
      }
      return fold.results(
          metrics, named, ids.length, threshold, judged != null && group.groupEvent() != null);
    }

    private OutlierPreview answer(
        PreviewMembers.Members compared,
        Settings settings,
        OutlierResults results,
        List<OutlierGridStep> grid,
        List<OutlierGroupStep> groupSteps,
        Map<Integer, ObjectRef> named,
        List<OutlierWarning> found) {
      OutlierPreview answer =
          new OutlierPreview(
              compared.ids().length,
              settings.threshold(),
              Settings.LOW,
              Settings.MEDIUM,
              Settings.HIGH,
              results,
              grid,
              groupSteps,
              List.copyOf(named.values()),
              found,
              OutlierPreviews.this.answers.issues(group),
              Math.rint((System.nanoTime() - start) / 1e4) / 100);
      if (group.configuration().compares()) {
        answer.setConfiguration(configurations.of(group, compared.ids(), compared.marks()));
      }
      return answer;
    }
  }
}
