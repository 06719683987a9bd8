package io.peerlens.report.picture;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.ChangeKind;
import io.peerlens.api.model.ComparedPeriod;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonJudgement;
import io.peerlens.api.model.FlowFilter;
import io.peerlens.api.model.FlowLevel;
import io.peerlens.api.model.Forecast;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.OtherTalkers;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventStatus;
import io.peerlens.api.model.OutlierEvidence;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierNow;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelCapacity;
import io.peerlens.api.model.PanelImpact;
import io.peerlens.api.model.PanelIndex;
import io.peerlens.api.model.PanelJudgedChange;
import io.peerlens.api.model.PanelOutliers;
import io.peerlens.api.model.PanelPeerGroup;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.SettingLink;
import io.peerlens.api.model.Severity;
import io.peerlens.api.model.Talker;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Answers of panels of findings, for tests. */
final class Findings {

  private static final Instant SINCE = Instant.ofEpochMilli(Answers.FROM);
  private static final RuleRef GROUP = new RuleRef(new UUID(5, 5), "web servers");

  private Findings() {}

  static PanelAnswer outliers(int events) {
    PanelAnswer answer = Answers.of("outliers", "Unlike their peers");
    answer.setOutliers(
        new PanelOutliers(
            IntStream.range(0, events).mapToObj(Findings::event).toList(),
            List.of(
                new PanelPeerGroup(
                    GROUP,
                    new ObjectKindRef("VMWARE", "VirtualMachine"),
                    events,
                    new OutlierNow(
                        OutlierGroupState.DEVIANTS, SINCE, 8, 7, List.of(), List.of(), null)))));
    return answer;
  }

  private static OutlierEvent event(int number) {
    OutlierEventMetric metric =
        new OutlierEventMetric(
            "cpu|usage_average", "CPU usage", "%", 71.25, 30.0, 20.5, 40.5, 9.375, 2.4);
    OutlierEvent event =
        new OutlierEvent(
            new UUID(7, number),
            (long) number,
            GROUP,
            OutlierEventStatus.OPEN,
            null,
            null,
            SINCE,
            SINCE,
            SINCE,
            SINCE,
            number == 0 ? null : SINCE.plusSeconds(3600),
            Severity.IMMEDIATE,
            OutlierEvidence.LEVEL,
            9.375,
            12.5,
            SINCE,
            4,
            4,
            7,
            8,
            List.of(metric),
            List.of(),
            0,
            null,
            new OutlierExplanation(
                "x",
                List.of(),
                List.of(),
                "cpu|usage_average",
                "CPU usage",
                "%",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                4.5,
                OutlierEvidence.LEVEL,
                4,
                4,
                SINCE,
                7,
                List.of(),
                0,
                null,
                false,
                false,
                List.of(),
                new SettingLink("web servers", "/")),
            0);
    event.setObject(Answers.object("web-" + number));
    return event;
  }

  static PanelAnswer talkers() {
    PanelAnswer answer = Answers.of("talkers", "Who sends most");
    TopTalker one =
        new TopTalker(
            1,
            new Talker("end-1", "web-1 to cache-3", new FlowFilter()),
            5000.0,
            0.6251,
            1.375,
            666.5,
            0.0);
    one.setSparkline(Arrays.asList(1.0, null, 3.0, 2.0));
    answer.setTalkers(
        new TopTalkers(
            TalkerDimension.PAIR,
            TalkerMeasure.BYTES,
            TalkerDirection.BOTH,
            Answers.FROM,
            Answers.TO,
            FlowLevel.ONE_HOUR,
            "B",
            7999.0,
            0.0,
            0.0,
            0.0,
            0.0,
            List.of(one),
            new OtherTalkers(12, 2999.0, 0.3749)));
    return answer;
  }

  /** Changes of a month, the second of them judged, and the index day by day. */
  static PanelAnswer impact() {
    PanelAnswer answer = Answers.of("impact", "What changes did");
    List<PanelJudgedChange> changes = new ArrayList<>();
    for (int i = 2; i > 0; i--) {
      changes.add(
          new PanelJudgedChange(
              new Change(
                  SINCE.plusSeconds(i * 7200L),
                  ChangeKind.PROPERTY,
                  Answers.object("db"),
                  "config|cores",
                  i + "",
                  i + 1 + "")));
    }
    ComparedPeriod period = new ComparedPeriod(List.of(), SINCE, SINCE);
    changes
        .get(0)
        .setComparison(
            new Comparison(
                "Read latency better: 2.1 to 1.4 ms, certain.",
                ComparisonJudgement.BETTER,
                "certain",
                "balanced",
                71.5,
                period,
                period,
                1L,
                List.of(),
                List.of()));
    changes.get(1).setReason("too few samples before it");
    PanelImpact impact = new PanelImpact(changes);
    impact.setIndex(
        new PanelIndex(
            "balanced",
            List.of(Answers.object("db")),
            Answers.FROM,
            Answers.FROM + 28_800_000,
            86_400_000L,
            List.of(Answers.FROM, Answers.FROM + 28_800_000, Answers.FROM + 57_600_000),
            Arrays.asList(50.0, null, 71.25)));
    answer.setImpact(impact);
    return answer;
  }

  static PanelAnswer capacity() {
    PanelAnswer answer = Answers.of("capacity", "What fills up");
    answer.setCapacity(
        List.of(
            new PanelCapacity(
                Answers.object("ds-1"),
                new Forecast(
                    "disk|used",
                    "days",
                    "GB",
                    1000.0,
                    671.5,
                    SINCE,
                    13.68,
                    12.25,
                    400.0,
                    24.0,
                    22.5,
                    25.5)),
            new PanelCapacity(
                Answers.object("ds-2"),
                new Forecast(
                    "disk|used",
                    "days",
                    "GB",
                    500.0,
                    500.0,
                    SINCE,
                    0.0,
                    0.0,
                    0.0,
                    1.0,
                    1.0,
                    1.0))));
    return answer;
  }
}
