package io.peerlens.slow.api;

import io.peerlens.api.model.SlowChart;
import io.peerlens.api.model.SlowLine;
import io.peerlens.slow.Band;
import io.peerlens.slow.BandVerdict;
import io.peerlens.slow.Cause;
import io.peerlens.slow.Culprit;
import io.peerlens.slow.Diagnosis;
import io.peerlens.slow.Evidence;
import io.peerlens.slow.Finding;
import io.peerlens.slow.LimitReading;
import io.peerlens.slow.Neighbour;
import io.peerlens.slow.Reading;
import io.peerlens.slow.Signal;
import io.peerlens.slow.Track;
import io.peerlens.slow.Usual;
import io.peerlens.slow.api.WhySlows.Explained;
import io.peerlens.web.Doubles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The chart that proves a verdict. */
final class SlowCharts {

  private final Explained explained;

  SlowCharts(Explained explained) {
    this.explained = explained;
  }

  @Nullable SlowChart chart() {
    Diagnosis found = explained.diagnosis();
    if (!found.findings().isEmpty()) {
      Finding first = found.findings().getFirst();
      LimitReading limit = first.limit();
      if (limit != null) {
        return ofLimit(limit);
      }
      Culprit culprit = first.culprit();
      if (culprit != null) {
        return ofNeighbour(culprit.machine(), first);
      }
      return ofReading(first.reading());
    }
    for (BandVerdict one : found.bands()) {
      if (one.band() == Band.GUEST && one.figure() != null) {
        return ofReading(one.figure());
      }
    }
    return null;
  }

  private SlowChart ofLimit(LimitReading of) {
    String policy = of.disk().policy();
    return chart(
        "IOPS of " + of.disk().disk(),
        "as asked for, counted in 32 KB as the limit does, and as served",
        "/s",
        List.of(
            line(SlowLine.RoleEnum.ASKED, "asked for, in 32 KB", of.asked(), of.disk().counted()),
            line(SlowLine.RoleEnum.SERVED, "real, served", of.served(), of.disk().iops())),
        of.disk().limit(),
        policy == null ? "limit" : "limit, " + policy,
        of.since(),
        "delayed");
  }

  private SlowChart ofNeighbour(Neighbour culprit, Finding finding) {
    boolean cpu = finding.cause() == Cause.NOISY_NEIGHBOUR && finding.band() == Band.HOST;
    double[] values = cpu ? culprit.mhz() : culprit.iops();
    List<SlowLine> lines = new ArrayList<>();
    lines.add(line(SlowLine.RoleEnum.FIGURE, culprit.name(), WhySlows.now(values), values));
    Evidence evidence = explained.evidence();
    if (!cpu) {
      evidence.tracks().stream()
          .filter(one -> one.signal() == Signal.IOPS)
          .findFirst()
          .ifPresent(
              one ->
                  lines.add(
                      line(
                          SlowLine.RoleEnum.PART,
                          evidence.machine(),
                          WhySlows.now(one.values()),
                          one.values())));
    }
    return chart(
        (cpu ? "CPU of " : "Operations of ") + culprit.name(),
        "which shares " + (cpu ? "the host" : "the disks"),
        cpu ? "MHz" : "/s",
        lines,
        Double.NaN,
        null,
        finding.reading().onset(),
        "more");
  }

  private SlowChart ofReading(Reading of) {
    Track track = of.track();
    List<SlowLine> lines = new ArrayList<>();
    lines.add(line(SlowLine.RoleEnum.FIGURE, SlowAnswers.label(track), of.now(), track.values()));
    Reading symptom = explained.diagnosis().symptom();
    if (symptom != null && symptom != of && symptom.signal().unit().equals(track.signal().unit())) {
      lines.add(
          line(
              SlowLine.RoleEnum.PART,
              SlowAnswers.label(symptom.track()),
              symptom.now(),
              symptom.track().values()));
    }
    Usual usual = of.usual();
    if (usual != null) {
      lines.add(level(SlowLine.RoleEnum.USUAL_LOW, "usual, low", usual.low()));
      lines.add(level(SlowLine.RoleEnum.USUAL_HIGH, "usual, high", usual.high()));
    }
    String label = SlowAnswers.label(track);
    return chart(
        Character.toUpperCase(label.charAt(0)) + label.substring(1),
        "5-minute means; the usual range is that of this hour",
        track.signal().unit(),
        lines,
        Double.NaN,
        null,
        of.onset(),
        "above what is usual");
  }

  private SlowChart chart(
      String title,
      String note,
      String unit,
      List<SlowLine> lines,
      double limit,
      @Nullable String limitLabel,
      int since,
      String began) {
    boolean within = since > 0;
    Instant at = within ? explained.from().plus(WhySlows.STEP.multipliedBy(since)) : null;
    return new SlowChart(
        title,
        note,
        unit,
        explained.from().toEpochMilli(),
        (int) WhySlows.STEP.toSeconds(),
        lines,
        SlowAnswers.number(limit),
        limitLabel,
        at,
        within ? began : null);
  }

  private static SlowLine line(SlowLine.RoleEnum role, String label, double last, double[] values) {
    return new SlowLine(role, label, SlowAnswers.number(last), Doubles.of(values));
  }

  private static SlowLine level(SlowLine.RoleEnum role, String label, double value) {
    double[] values = new double[WhySlows.STEPS];
    Arrays.fill(values, value);
    return line(role, label, value, values);
  }
}
