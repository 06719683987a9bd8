package io.peerlens.planning.sizing;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonJudgement;
import io.peerlens.frame.Frames;
import io.peerlens.impact.ChangeImpacts;
import io.peerlens.impact.RecordedChangeStore;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.planning.sizing.OutcomeStore.Noticed;
import io.peerlens.planning.sizing.OutcomeStore.Outcome;
import io.peerlens.sizing.Sign.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What comes of recommendations: a change of a size that a collector notices becomes a recorded
 * change, is judged a week later by change impact and by the hours in which the machine was full,
 * and counts as put back when the former size returns. Thread-safe.
 */
final class Outcomes {

  private static final String SORT = "right-sizing";
  private static final String AUTHOR = "Peerlens";
  private static final Duration WEEK = Duration.ofDays(7);

  /** A comparison needs half an hour of values after a change, and some time to get them. */
  private static final Duration MARGIN = Duration.ofMinutes(40);

  /** A former size that returns later is another decision. */
  private static final Duration PUT_BACK = Duration.ofDays(90);

  /** Full for more hours a week than this is harm. */
  private static final double HARM = 1;

  private final OutcomeStore store;
  private final RecordedChangeStore changes;
  private final ChangeQueries recorded;
  private final ChangeImpacts impacts;
  private final HistoryReader reader;
  private final Frames frames;
  private final TransactionTemplate transaction;

  Outcomes(
      OutcomeStore store,
      RecordedChangeStore changes,
      ChangeQueries recorded,
      ChangeImpacts impacts,
      HistoryReader reader,
      Frames frames,
      TransactionTemplate transaction) {
    this.store = store;
    this.changes = changes;
    this.recorded = recorded;
    this.impacts = impacts;
    this.reader = reader;
    this.frames = frames;
    this.transaction = transaction;
  }

  /** Notices what was carried out and put back, and judges what is old enough. */
  void look(Instant now) {
    for (Noticed noticed : store.noticed()) {
      boolean smaller = noticed.after() < noticed.before();
      boolean larger = noticed.after() > noticed.before();
      if (noticed.kind().equals(Found.TOO_LARGE) ? smaller : larger) {
        transaction.executeWithoutResult(status -> store.insert(noticed, record(noticed)));
      }
    }
    store.notePutBack(now, PUT_BACK);
    for (Outcome outcome : store.due(now.minus(WEEK).minus(MARGIN))) {
      judge(outcome, now);
    }
  }

  private @Nullable Long record(Noticed noticed) {
    String unit = noticed.resource().equals(Found.CPU) ? "vCPU" : "GB";
    OptionalLong change =
        changes.insert(
            new RecordedChangeStore.New(
                noticed.uuid(),
                noticed.time(),
                null,
                "Right-sizing: " + Sizes.change(noticed.before(), noticed.after(), unit),
                SORT,
                Objects.requireNonNullElse(noticed.decidedBy(), AUTHOR),
                "Recommended were "
                    + Sizes.number(noticed.recommended())
                    + " "
                    + unit
                    + (noticed.approved() ? ", which was approved. " : ". ")
                    + noticed.reason(),
                null,
                metrics(resource(noticed.resource())),
                null));
    return change.isPresent() ? change.getAsLong() : null;
  }

  /** Metrics that tell whether a machine suffers, as far as machines have them. */
  private List<String> metrics(Resource resource) {
    return SizeEvidence.suffering(resource).stream()
        .map(
            keys ->
                keys.stream()
                    .filter(key -> frames.keySets(HistoryReader.VM, key, false) != null)
                    .findFirst())
        .flatMap(Optional::stream)
        .toList();
  }

  private static Resource resource(String name) {
    return name.equals(Found.CPU) ? Resource.CPU : Resource.MEMORY;
  }

  private void judge(Outcome outcome, Instant now) {
    Instant putBack = outcome.putBackAt();
    Instant until = outcome.changedAt().plus(WEEK);
    if (putBack != null && putBack.isBefore(until)) {
      until = putBack;
    }
    if (until.plus(MARGIN).isAfter(now)) {
      return;
    }
    ComparisonJudgement judgement = ComparisonJudgement.NOT_ENOUGH_DATA;
    String sentence;
    Optional<Change> change =
        outcome.change() == null ? Optional.empty() : recorded.get(outcome.change());
    if (change.isEmpty()) {
      sentence = "The recorded change was deleted.";
    } else {
      // A comparison ends with what there was by the moment that it is asked for.
      ChangeImpacts.Judged judged =
          impacts.judge(change.get(), until.equals(putBack) ? until : now);
      Comparison comparison = judged.comparison();
      if (comparison == null) {
        sentence = Objects.requireNonNullElse(judged.reason(), "It could not be judged.");
      } else {
        judgement = comparison.getJudgement();
        sentence = comparison.getVerdict();
      }
    }
    double before =
        full(outcome, outcome.changedAt().minus(WEEK), outcome.changedAt(), outcome.before());
    double after = full(outcome, outcome.changedAt(), until, outcome.after());
    if (!Double.isNaN(after)) {
      sentence =
          sentence
              + " At its new size it was full for "
              + Sizes.number(after)
              + " h a week"
              + (Double.isNaN(before)
                  ? "."
                  : ", before for " + Sizes.number(before) + " h a week.");
      judgement = judgement(outcome.kind(), judgement, before, after);
    }
    store.judged(outcome, judgement.getValue(), sentence, now);
  }

  /**
   * The verdict with what the hours say. A machine that is too small suffers inside, where neither
   * ready time nor latency shows it.
   *
   * @param before hours a week in which it was full; NaN = not known
   */
  static ComparisonJudgement judgement(
      String kind, ComparisonJudgement measured, double before, double after) {
    if (measured == ComparisonJudgement.WORSE) {
      return measured;
    }
    if (after > HARM && !(after <= before)) {
      return ComparisonJudgement.WORSE;
    }
    if (kind.equals(Found.TOO_SMALL) && before > HARM && after <= before / 2) {
      return ComparisonJudgement.BETTER;
    }
    return measured == ComparisonJudgement.NOT_ENOUGH_DATA ? ComparisonJudgement.SAME : measured;
  }

  /** Hours a week in which the machine was full; NaN = not known for at least a day. */
  private double full(Outcome outcome, Instant from, Instant to, double size) {
    String key = outcome.seriesKey();
    Instant start = from.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
    int hours = (int) Duration.between(start, to).toHours();
    if (key == null || hours < 1) {
      return Double.NaN;
    }
    double[] demand =
        reader
            .columns(HistoryReader.VM, List.of(key), new int[] {outcome.id()}, start, hours)[0][0];
    double[] known =
        Arrays.stream(demand)
            .filter(value -> !Double.isNaN(value))
            .map(value -> value * outcome.seriesFactor())
            .toArray();
    return known.length < 24
        ? Double.NaN
        : SizeEvidence.fullHours(known, resource(outcome.resource()), size);
  }
}
