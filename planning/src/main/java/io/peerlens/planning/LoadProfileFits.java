package io.peerlens.planning;

import io.peerlens.api.model.LoadFit;
import io.peerlens.api.model.LoadFits;
import io.peerlens.frame.Frames;
import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.planning.BenchmarkRunStore.Tested;
import io.peerlens.planning.LoadProfileMembers.Group;
import io.peerlens.profile.Distribution;
import io.peerlens.profile.Fits;
import io.peerlens.profile.Fits.Capacity;
import io.peerlens.profile.Fits.Fit;
import io.peerlens.profile.LoadProfile;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.reading.ProfileMatch;
import io.peerlens.run.reading.SteadyState;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How many machines of a load profile fit into what a run of a benchmark measured. Thread-safe. */
final class LoadProfileFits {

  private static final int MOST_HOSTS = 10_000;

  /** Hours that look like the test are fewer than this: it measured another load. */
  private static final double ALIKE = 5;

  /** Fewer machines than this say little of the next ones. */
  private static final int FEW = 10;

  private final BenchmarkRunStore runs;
  private final BenchmarkReadings readings;
  private final Frames frames;

  LoadProfileFits(BenchmarkRunStore runs, BenchmarkReadings readings, Frames frames) {
    this.runs = runs;
    this.readings = readings;
    this.frames = frames;
  }

  /**
   * How many fit.
   *
   * @param hosts that the run was on; null = those of the tested object
   * @param failures of hosts that are to be borne
   * @throws ApiException there is no such run, or it does not say its capacity
   */
  LoadFits of(
      LoadProfile profile,
      LoadProfileMembers members,
      Group group,
      UUID runId,
      @Nullable Integer hosts,
      int failures) {
    Stored stored =
        runs.run(runId)
            .orElseThrow(() -> ApiException.invalidParameter("run", "there is no run " + runId));
    Run run = stored.run();
    double iops = figure(run, "iops");
    if (!(iops > 0)) {
      throw ApiException.invalidParameter("run", "does not say how many operations it did");
    }
    int on = hosts != null ? hosts : hosts(stored.tested());
    Capacity capacity = capacity(iops, on, failures);
    List<LoadFit> fits = new ArrayList<>();
    Fit safe = null;
    for (Distribution.At at :
        List.of(Distribution.At.MEAN, Distribution.At.P50, Distribution.At.P95)) {
      safe = Fits.of(members.column(group, at), capacity);
      fits.add(fit(at, safe));
    }
    LoadFits answer =
        new LoadFits(
            profile.name(),
            runId,
            run.name(),
            iops,
            LoadProfileAnswers.number(figure(run, "latency")),
            on,
            failures,
            capacity.left(),
            profile.machines(),
            fits,
            sentence(safe, capacity),
            new ArrayList<>());
    alike(answer, profile, run);
    remark(answer.getRemarks(), stored, safe);
    return answer;
  }

  private static Capacity capacity(double iops, int hosts, int failures) {
    try {
      return new Capacity(iops, hosts, failures);
    } catch (IllegalArgumentException e) {
      throw ApiException.invalidParameter("failures", String.valueOf(e.getMessage()));
    }
  }

  /** Hosts of what was tested now. */
  private int hosts(@Nullable Tested tested) {
    if (tested != null && tested.objectKind().equals(LoadProfileComputation.HOST)) {
      return 1;
    }
    if (tested != null) {
      ObjectGraph graph = frames.objects();
      long hosts =
          Arrays.stream(graph.children(tested.id(), MOST_HOSTS))
              .filter(it -> isHost(graph.kindOf(it)))
              .count();
      if (hosts > 0) {
        return (int) hosts;
      }
    }
    throw ApiException.invalidParameter(
            "hosts", "is missing: nothing says on how many hosts the run was")
        .hint("Give the number of hosts, or let the run name the cluster that it tested.");
  }

  private static boolean isHost(@Nullable ObjectKind kind) {
    return kind != null && kind.objectKind().equals(LoadProfileComputation.HOST);
  }

  private static double figure(Run run, String name) {
    Run.Figure figure = run.figure(name);
    return figure == null ? Double.NaN : figure.value();
  }

  private static LoadFit fit(Distribution.At at, Fit of) {
    return new LoadFit(
        LoadFit.AtEnum.valueOf(at.name()),
        of.machines(),
        LoadProfileAnswers.number(of.demand()),
        LoadProfileAnswers.number(of.vms()),
        LoadProfileAnswers.number(of.low()),
        LoadProfileAnswers.number(of.high()));
  }

  private static String sentence(@Nullable Fit fit, Capacity capacity) {
    if (fit == null || Double.isNaN(fit.vms())) {
      return "Operations of no machine are known, so nothing can be said.";
    }
    return String.format(
        Locale.ROOT,
        "%,.0f machines (%,.0f to %,.0f) of %,.0f IO/s each fit, by the 95th percentile of each, into the %,.0f IO/s that are left %s.",
        fit.vms(),
        fit.low(),
        fit.high(),
        fit.demand(),
        capacity.left(),
        capacity.failures() == 0
            ? "as long as no host fails"
            : "when %d of %d hosts %s"
                .formatted(
                    capacity.failures(),
                    capacity.hosts(),
                    capacity.failures() == 1 ? "fails" : "fail"));
  }

  /** How many hours look like the test. */
  private static void alike(LoadFits answer, LoadProfile profile, Run run) {
    ProfileMatch match = BenchmarkProfiles.match(run, profile);
    if (match.test() == null) {
      answer.getRemarks().add("The run does not say its block size and share of reads.");
      return;
    }
    Double percent = match.percent();
    if (percent == null) {
      return;
    }
    answer.setAlike(percent / 100);
    answer.setAlikeSentence(match.sentence());
    if (percent < ALIKE) {
      answer
          .getRemarks()
          .add(
              "Few hours look like the test: what it measured need not hold for this load. Test with the parameters of the profile.");
    }
  }

  private static double number(@Nullable String text) {
    return text == null || !text.strip().matches("[0-9]{1,18}(\\.[0-9]{1,9})?")
        ? Double.NaN
        : Double.parseDouble(text.strip());
  }

  private void remark(List<String> remarks, Stored stored, @Nullable Fit fit) {
    if (number(stored.run().parameters().get(Parameter.RATE_LIMIT)) > 0) {
      remarks.add("The rate of the run was limited: more may be possible.");
    }
    if (readings.alone(stored.id()).shape().steady().judgement()
        == SteadyState.Judgement.NOT_STEADY) {
      remarks.add("The run had not settled when it ended: what lasts may be less.");
    }
    if (fit != null && fit.machines() > 0 && fit.machines() < FEW) {
      remarks.add(
          "Only %d %s known: the next ones may differ more than the interval says."
              .formatted(fit.machines(), fit.machines() == 1 ? "machine is" : "machines are"));
    }
  }
}
