package io.peerlens.run.reading;

import io.peerlens.run.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Criteria of acceptance, as {@link CriteriaReader} reads them from a file.
 *
 * @param name of the set, such as {@code acceptance v3}; may be empty
 */
public record Criteria(String name, List<Criterion> criteria) {

  public Criteria {
    criteria = List.copyOf(criteria);
  }

  /** What became of a criterion. */
  public enum Status {
    PASS,
    FAIL,
    /** The runs do not say, which the sentence explains; it is no pass. */
    NOT_KNOWN
  }

  /**
   * Outcome of a criterion. Where several points have to meet it, it is that of the worst.
   *
   * @param value in the criterion's unit; null = not known
   * @param margin by how much it is met, in the criterion's unit: above 0 = better than the limit,
   *     whatever the operator; null = not known
   * @param marginPercent the same, per cent of the limit; null = not known, or the limit is 0
   * @param interval of {@code value} by the scatter of repeats, at 95 %; null = not known
   * @param clear whether all of the interval gives the same answer: true = it passes or fails
   *     beyond the scatter, false = within it; null = the scatter is not known
   * @param judged how many points were judged: runs of other parameters, or curves
   * @param met how many of them met it
   */
  public record Outcome(
      Criterion criterion,
      Status status,
      @Nullable Double value,
      @Nullable Double margin,
      @Nullable Double marginPercent,
      @Nullable Interval interval,
      @Nullable Boolean clear,
      int judged,
      int met,
      String sentence) {}

  /**
   * Outcomes of all criteria.
   *
   * @param sentence 3 of 4 met; p99 fails by 0.3 ms.
   */
  public record Result(List<Outcome> outcomes, String sentence) {
    public Result {
      outcomes = List.copyOf(outcomes);
    }
  }

  /**
   * Judges runs.
   *
   * @param maxima theoretical maxima, for criteria of a share; may be empty
   */
  public Result judge(Collection<Run> runs, Collection<TheoreticalMaximum> maxima) {
    CriteriaJudge judge = new CriteriaJudge(maxima);
    List<Outcome> outcomes = new ArrayList<>();
    for (Criterion criterion : criteria) {
      outcomes.add(judge.judge(criterion, runs.stream().filter(criterion::matches).toList()));
    }
    return new Result(outcomes, sentence(outcomes));
  }

  private static String sentence(List<Outcome> outcomes) {
    List<String> parts = new ArrayList<>();
    long met = outcomes.stream().filter(one -> one.status() == Status.PASS).count();
    parts.add("%d of %d met".formatted(met, outcomes.size()));
    for (Outcome one : outcomes) {
      if (one.status() == Status.FAIL) {
        Double margin = one.margin();
        parts.add(
            one.criterion().name()
                + " fails"
                + (margin == null || margin == 0
                    ? ""
                    : " by " + CriteriaWords.size(one.criterion(), margin)));
      }
    }
    long unknown = outcomes.stream().filter(one -> one.status() == Status.NOT_KNOWN).count();
    if (unknown > 0) {
      parts.add(unknown + " not known");
    }
    return String.join("; ", parts) + ".";
  }
}
