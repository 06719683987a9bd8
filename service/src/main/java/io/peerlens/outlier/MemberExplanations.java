package io.peerlens.outlier;

import io.peerlens.alert.Figures;
import io.peerlens.alert.Sentence;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEvidence;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.api.model.SettingLink;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Judgement;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains events by what was judged in their bucket alone. */
final class MemberExplanations implements OutlierExplanations {

  private static final int LONGEST_NAME = 80;

  @Override
  public OutlierExplanation of(Situation situation) {
    return new Said(situation).explain();
  }

  private static String cut(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 1) + "…";
  }

  /** One explanation. */
  private static final class Said {
    private final Situation it;
    private final Judgement judgement;
    private final Event event;
    private final OutlierEventMetric lead;
    private final int metric;
    private final double[] peers;
    private final Sentence text = new Sentence();

    Said(Situation situation) {
      it = situation;
      judgement = it.judgement();
      event = it.event();
      lead = it.metrics().getFirst();
      metric = it.group().keys().indexOf(lead.getKey());
      peers = peers();
    }

    /** Values of the others that were judged, ascending. */
    private double[] peers() {
      double[] values = new double[judgement.members()];
      int count = 0;
      for (int i = 0; i < values.length; i++) {
        if (i != it.member() && !Double.isNaN(judgement.score(metric, i))) {
          values[count++] = judgement.value(metric, i);
        }
      }
      double[] sorted = Arrays.copyOf(values, count);
      Arrays.sort(sorted);
      return sorted;
    }

    OutlierExplanation explain() {
      if (it.member() < 0) {
        group();
      } else {
        member();
      }
      return made();
    }

    private void group() {
      long part = Math.round(Math.abs(event.score()) * 100);
      text.strong(cut(it.group().name()))
          .add(": ")
          .strong(part + " % of the members")
          .add(event.high() ? " rose" : " fell")
          .add(" together, since " + since() + ", so it is the group and none of them alone.");
    }

    private void member() {
      text.strong(name(it.member())).add(": " + cut(lead.getName()) + " is ");
      text.strong(figure(lead.getValue()));
      if (peers.length > 0) {
        text.add(
            ". The other %d judged members are at %s to %s, median %s"
                .formatted(
                    peers.length,
                    figure(peers[0]),
                    figure(peers[peers.length - 1]),
                    figure(lead.getCentre())));
        Double factor = lead.getFactor();
        if (factor != null && Math.abs(factor - 1) >= 0.05) {
          text.add(": ").strong(Figures.number(factor) + " × the group");
        }
      }
      text.add(
          ". %s robust deviations, %s the limit of %s in %d of the last %d %s buckets, since %s."
              .formatted(
                  Figures.number(Math.round(Math.abs(event.score()) * 10) / 10.0),
                  "beyond",
                  Figures.number(it.settings().threshold()),
                  event.violations(),
                  event.of(),
                  io.peerlens.web.Durations.print(it.group().bucket()),
                  since()));
      switch (event.evidence()) {
        case SUSTAINED -> text.add(" Each value could be chance, but they stay on one side.");
        case SWINGS -> text.add(" Its values swing more than those of its peers.");
        case STUCK -> text.add(" Its value stands still while those of its peers move.");
        case LEVEL -> {}
      }
      for (OutlierEventMetric also : it.metrics().subList(1, it.metrics().size())) {
        text.add(" Also %s (%s).".formatted(cut(also.getName()), figure(also.getValue(), also)));
      }
      int missing = judgement.members() - judgement.judged();
      if (missing > 0) {
        text.add(" %d member%s not judged.".formatted(missing, missing == 1 ? "" : "s"));
      }
      if (event.floorDecided()) {
        text.add(" The minimum deviation sets this limit, as the group is tighter than that.");
      }
    }

    private String since() {
      return Figures.time(
          Instant.ofEpochMilli(event.since()).minus(it.group().bucket()), it.bucket());
    }

    private String name(int member) {
      ObjectGraph objects = it.objects();
      int id = judgement.id(member);
      ObjectKind kind = it.group().kind();
      int number = objects.number(kind, id);
      return number < 0 ? "An object" : cut(objects.name(kind, number));
    }

    private String figure(@Nullable Double value) {
      return figure(value, lead);
    }

    private static String figure(@Nullable Double value, OutlierEventMetric of) {
      return value == null
          ? "not known"
          : Figures.withUnit(value, of.getUnit(), of.getKey().startsWith("net"));
    }

    private OutlierExplanation made() {
      List<OutlierEventMetric> others =
          it.metrics().size() > 1
              ? new ArrayList<>(it.metrics().subList(1, it.metrics().size()))
              : List.of();
      OutlierExplanation made = new OutlierExplanation();
      made.setText(text.text());
      made.setStrong(text.strong());
      made.setKey(lead.getKey());
      made.setMetricName(lead.getName());
      made.setUnit(lead.getUnit());
      made.setValue(lead.getValue());
      made.setCentre(lead.getCentre());
      made.setLower(lead.getLower());
      made.setUpper(lead.getUpper());
      made.setPeersLow(peers.length == 0 ? null : peers[0]);
      made.setPeersHigh(peers.length == 0 ? null : peers[peers.length - 1]);
      made.setFactor(lead.getFactor());
      made.setScore(EventRows.number(event.score()));
      made.setLimit(it.settings().threshold());
      made.setEvidence(OutlierEvidence.fromValue(event.evidence().name().toLowerCase(Locale.ROOT)));
      made.setViolations(event.violations());
      made.setOf(event.of());
      made.setSince(Instant.ofEpochMilli(event.since()).minus(it.group().bucket()));
      made.setJudged(peers.length);
      made.setNotJudged(List.of());
      made.setNotJudgedCount(judgement.members() - judgement.judged());
      made.setWeekAgo(null);
      made.setFloorDecided(event.floorDecided());
      made.setGroupMoved(it.member() < 0);
      made.setOthers(others);
      made.setSetting(new SettingLink(it.group().name(), "/outliers/" + it.group().id()));
      return made;
    }
  }
}
