package io.peerlens.outlier.explain;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.OutlierEvidence;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.api.model.OutlierNotJudged;
import io.peerlens.api.model.OutlierNotJudgedMember;
import io.peerlens.api.model.SettingLink;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.judge.EventRows;
import io.peerlens.outlier.judge.OutlierExplanations;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Judgement;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.words.MetricNames;
import io.peerlens.words.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Explanations of outlier events by what was judged in their bucket, and by what there was before.
 * One builder makes words and parts. Not thread-safe.
 */
public final class PeerExplanations implements OutlierExplanations {

  private static final Duration WEEK = Duration.ofDays(7);
  private static final int MOST_MISSING = 20;

  private final MetricNames names;
  private final ExplanationPast past;
  private final ZoneId zone;

  /**
   * @param zone by whose clocks hours of the week are counted
   */
  public PeerExplanations(MetricNames names, ExplanationPast past, ZoneId zone) {
    this.names = names;
    this.past = past;
    this.zone = zone;
  }

  @Override
  public void prepare(Collection<Ongoing> events) {
    past.prepare(
        events.stream()
            .map(one -> weekBefore(one.group(), one.key(), one.object(), one.bucket()))
            .toList(),
        events.stream()
            .map(
                one ->
                    new ExplanationPast.Judged(
                        one.group().id(), one.since().minus(one.group().bucket())))
            .toList());
  }

  @Override
  public void judged(OutlierGroup group, Instant bucket, Judgement judgement) {
    Map<String, Double> centres = new HashMap<>();
    for (int m = 0; m < group.metrics().size(); m++) {
      centres.put(group.metrics().get(m).key(), judgement.centre(m));
    }
    past.judged(group.id(), bucket, centres);
  }

  private static ExplanationPast.Hour weekBefore(
      OutlierGroup group, String key, int object, Instant bucket) {
    return new ExplanationPast.Hour(group, key, object, bucket.minus(WEEK));
  }

  @Override
  public OutlierExplanation of(Situation situation) {
    return new Said(situation).explain();
  }

  @Override
  public OutlierExplanation of(Differing differing) {
    OutlierEventProperty first = differing.properties().getFirst();
    OutlierGroup group = differing.group();
    Sentence text = ConfigurationSentence.of(differing);
    return new OutlierExplanation(
        text.text(),
        text.strong(),
        text.moments(),
        first.getKey(),
        first.getName(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        OutlierEvidence.CONFIGURATION,
        1,
        1,
        first.getSince(),
        first.getJudged() - 1,
        List.of(),
        0,
        null,
        false,
        false,
        List.of(),
        new SettingLink(group.name(), "/outliers/" + group.id()));
  }

  /** One explanation. */
  private final class Said {
    private final Situation it;
    private final OutlierGroup group;
    private final Judgement judgement;
    private final Event event;
    private final OutlierEventMetric lead;
    private final int metric;
    private final double limit;
    private final double[] peers;

    Said(Situation situation) {
      it = situation;
      group = it.group();
      judgement = it.judgement();
      event = it.event();
      lead = it.metrics().getFirst();
      metric = group.keys().indexOf(lead.getKey());
      OutlierGroup.GroupEvent groupEvent = group.groupEvent();
      limit =
          event.member() == Event.SHIFT && groupEvent != null
              ? groupEvent.rule().margin()
              : it.settings().threshold();
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
      Instant since = Instant.ofEpochMilli(event.since()).minus(group.bucket());
      boolean ofGroup = it.member() < 0;
      List<OutlierEventMetric> others = others();
      List<OutlierNotJudgedMember> missing = missing();
      double weekAgo =
          ofGroup
              ? Double.NaN
              : past.mean(weekBefore(group, lead.getKey(), judgement.id(it.member()), it.bucket()));
      PeerFacts facts =
          new PeerFacts(
              ofGroup ? null : name(it.member()),
              group.name(),
              lead,
              peers.length == 0 ? Double.NaN : peers[0],
              peers.length == 0 ? Double.NaN : peers[peers.length - 1],
              peers.length,
              ofGroup && event.member() != Event.SHIFT ? share() : 0,
              event.member() == Event.SHIFT ? hour() : "",
              event.high(),
              event.score(),
              limit,
              event.evidence(),
              event.violations(),
              event.of(),
              group.bucket(),
              since,
              it.bucket(),
              weekAgo,
              ofGroup ? Boolean.TRUE : moved(since),
              event.floorDecided()
                  ? it.settings().metrics().get(metric).minDeviation()
                  : Double.NaN,
              others.stream().filter(this::isOut).toList(),
              others.stream().filter(one -> !isOut(one)).toList(),
              missing,
              judgement.members() - judgement.judged());
      return made(facts, PeerSentence.of(facts), others);
    }

    /** {@code Sundays 14 to 15 o'clock UTC}. */
    private String hour() {
      ZonedDateTime time = it.bucket().atZone(zone);
      return "%ss %d to %d o'clock %s"
          .formatted(
              time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ROOT),
              time.getHour(),
              time.getHour() + 1,
              zone.getId());
    }

    private String name(int member) {
      ObjectGraph objects = it.objects();
      ObjectKind kind = group.kind();
      int number = objects.number(kind, judgement.id(member));
      return number < 0 ? "An object" : objects.name(kind, number);
    }

    /** Which part of the judged members is beyond the limit on the side of the event. */
    private double share() {
      int out = 0;
      int judged = 0;
      for (int i = 0; i < judgement.members(); i++) {
        double score = judgement.score(i);
        if (!Double.isNaN(score)) {
          judged++;
          out += (event.high() ? score : -score) >= limit ? 1 : 0;
        }
      }
      return judged == 0 ? 0 : (double) out / judged;
    }

    /** Whether the middle of the group is farther from where it was than members may be from it. */
    private @Nullable Boolean moved(Instant since) {
      double before = past.centre(group.id(), since.minus(group.bucket()), lead.getKey());
      double centre = judgement.centre(metric);
      if (Double.isNaN(before) || Double.isNaN(centre)) {
        return null;
      }
      return before < judgement.lower(metric, limit) || before > judgement.upper(metric, limit);
    }

    /** The other metrics of the group, those of the event first. */
    private List<OutlierEventMetric> others() {
      List<OutlierEventMetric> others =
          new ArrayList<>(it.metrics().subList(1, it.metrics().size()));
      if (it.member() < 0) {
        return others;
      }
      List<@Nullable String> units = names.units(group.kind(), group.keys());
      for (int m = 0; m < group.metrics().size(); m++) {
        String key = group.metrics().get(m).key();
        double value = judgement.value(m, it.member());
        if (it.metrics().stream().noneMatch(one -> one.getKey().equals(key))
            && !Double.isNaN(value)) {
          others.add(
              new OutlierEventMetric(
                  key,
                  names.words(key),
                  units.get(m),
                  Rows.finite(value),
                  Rows.finite(judgement.centre(m)),
                  Rows.finite(judgement.lower(m, it.member(), limit)),
                  Rows.finite(judgement.upper(m, it.member(), limit)),
                  Rows.finite(judgement.score(m, it.member())),
                  EventRows.factor(value, judgement.centre(m))));
        }
      }
      return others;
    }

    /** The method decided for those that make the event; others may be out alone. */
    private boolean isOut(OutlierEventMetric one) {
      Double score = one.getScore();
      return it.metrics().stream().anyMatch(made -> made.getKey().equals(one.getKey()))
          || score != null && Math.abs(score) >= limit;
    }

    /** Who was not judged, and why. */
    private List<OutlierNotJudgedMember> missing() {
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i < judgement.members() && places.size() < MOST_MISSING; i++) {
        if (Double.isNaN(judgement.score(i))) {
          places.add(i);
        }
      }
      if (places.isEmpty()) {
        return List.of();
      }
      Map<Integer, ExplanationPast.Known> known =
          past.known(places.stream().map(judgement::id).toList());
      List<OutlierNotJudgedMember> missing = new ArrayList<>();
      for (int place : places) {
        ExplanationPast.Known object = known.get(judgement.id(place));
        if (object != null) {
          Judgement.Reason reason = judgement.reason(metric, place);
          boolean silent = reason == Judgement.Reason.NO_DATA;
          Instant seen = object.seen();
          missing.add(
              new OutlierNotJudgedMember(
                  new ObjectRef(
                      object.id(), object.adapterKind(), object.objectKind(), object.name()),
                  silent
                      ? OutlierNotJudged.NO_DATA
                      : reason == Judgement.Reason.LEARNING
                          ? OutlierNotJudged.NEW
                          : OutlierNotJudged.GROUP,
                  // One that still reports other metrics says nothing of this one.
                  silent && seen != null && seen.isBefore(it.bucket().plus(group.bucket()))
                      ? seen
                      : null));
        }
      }
      return missing;
    }

    private OutlierExplanation made(
        PeerFacts facts, Sentence text, List<OutlierEventMetric> others) {
      return new OutlierExplanation(
          text.text(),
          text.strong(),
          text.moments(),
          lead.getKey(),
          lead.getName(),
          lead.getUnit(),
          lead.getValue(),
          lead.getCentre(),
          lead.getLower(),
          lead.getUpper(),
          Rows.finite(facts.peersLow()),
          Rows.finite(facts.peersHigh()),
          lead.getFactor(),
          Rows.finite(facts.score()),
          limit,
          OutlierEvidence.valueOf(event.evidence().name()),
          facts.violations(),
          facts.of(),
          facts.since(),
          facts.judged(),
          facts.missing(),
          facts.missingCount(),
          Rows.finite(facts.weekAgo()),
          event.floorDecided(),
          Boolean.TRUE.equals(facts.groupMoved()),
          others,
          new SettingLink(group.name(), "/outliers/" + group.id()));
    }
  }
}
