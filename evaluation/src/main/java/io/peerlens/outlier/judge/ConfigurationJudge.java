package io.peerlens.outlier.judge;

import static java.util.Comparator.naturalOrder;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import io.peerlens.alert.Finding;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.frame.ObjectProperties;
import io.peerlens.outlier.group.CloseReason;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Drift;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.words.MetricWords;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Judge of the configuration of the members of one group at the end of a bucket, with the rows that
 * follow from it.
 */
final class ConfigurationJudge {

  private final OutlierExplanations explanations;

  ConfigurationJudge(OutlierExplanations explanations) {
    this.explanations = explanations;
  }

  /** A group at the end of a bucket. */
  private record Moment(
      Watch watch,
      ConfigurationComparison comparison,
      Set<Integer> expected,
      Set<Integer> gone,
      ObjectGraph objects,
      Instant bucket,
      PendingChanges found) {

    OutlierGroup group() {
      return watch.group;
    }

    Instant end() {
      return bucket.plus(watch.width());
    }
  }

  /**
   * Judges a group that compares properties.
   *
   * @param members of the group now, ascending
   * @param gone objects of which nothing was heard for long
   * @param properties as they are now
   * @param objects that are there
   * @param bucket start of the newest bucket
   */
  void judge(
      Watch watch,
      int[] members,
      Set<Integer> gone,
      ObjectProperties properties,
      ObjectGraph objects,
      Instant bucket,
      PendingChanges found) {
    Drift drift = requireNonNull(watch.drift);
    Set<Integer> expected = watch.expected(bucket.plus(watch.width()));
    ConfigurationComparison comparison = watch.comparison(members, expected, properties);
    Moment moment = new Moment(watch, comparison, expected, gone, objects, bucket, found);
    List<Drift.Difference> before = drift.differences();
    List<Drift.Change> changes =
        drift.judge(moment.end().toEpochMilli(), members, comparison.compared());
    differences(watch.group.id(), before, drift.differences(), found);
    for (Drift.Change change : changes) {
      switch (change) {
        case Drift.Change.Opened(int member, List<Drift.Difference> differences) ->
            goesOn(moment, member, differences, null);
        case Drift.Change.Updated(int member, List<Drift.Difference> differences) ->
            goesOn(moment, member, differences, watch.drifted.get(member));
        case Drift.Change.Closed(int member) -> close(moment, member);
      }
    }
  }

  /** What is stored of differences: only those that changed. */
  private static void differences(
      UUID group, List<Drift.Difference> before, List<Drift.Difference> now, PendingChanges found) {
    if (before.equals(now)) {
      return;
    }
    record Place(int member, String key) {}
    Function<Drift.Difference, Place> place = one -> new Place(one.member(), one.key());
    Map<Place, Drift.Difference> known = before.stream().collect(toMap(place, one -> one));
    for (Drift.Difference one : now) {
      if (!one.equals(known.remove(place.apply(one)))) {
        found.differs.add(new OutlierChanges.Differs(group, one));
      }
    }
    known
        .keySet()
        .forEach(
            one -> found.agrees.add(new OutlierChanges.Agrees(group, one.member(), one.key())));
  }

  private void goesOn(
      Moment moment, int member, List<Drift.Difference> differences, @Nullable OpenDrift before) {
    OutlierGroup group = moment.group();
    List<OutlierEventProperty> properties = properties(group, differences);
    OutlierExplanation explanation =
        explanations.of(
            new OutlierExplanations.Differing(
                group, name(moment, member), properties, moment.end()));
    OpenDrift now =
        new OpenDrift(
            before == null ? id(group.id(), member, moment.end()) : before.id(),
            member,
            before == null ? moment.end() : before.openedAt(),
            properties.stream()
                .map(OutlierEventProperty::getSince)
                .min(naturalOrder())
                .orElseThrow(),
            properties,
            new Finding.Explained(
                explanation.getText(), explanation.getStrong(), explanation.getMoments()));
    moment.watch().drifted.put(member, now);
    int members = moment.comparison().members().length;
    moment
        .found()
        .drifted
        .add(
            new OutlierChanges.DriftRow(
                now.id(),
                group,
                member,
                now.openedAt(),
                now.since(),
                moment.bucket(),
                moment.end(),
                members - moment.expected().size(),
                members,
                properties,
                explanation));
    moment.found().steps.add(step(moment, now, before == null ? "opened" : "updated", null));
  }

  /** The id follows from what the event is about, so that it is the same wherever it is found. */
  private static UUID id(UUID group, int member, Instant opened) {
    String name = group + " configuration " + member + " " + opened.toEpochMilli();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Differences as the contract writes them. */
  private static List<OutlierEventProperty> properties(
      OutlierGroup group, List<Drift.Difference> differences) {
    return differences.stream()
        .map(
            one ->
                new OutlierEventProperty(
                    one.key(),
                    MetricWords.ofProperty(one.key()),
                    one.value(),
                    one.common(),
                    one.agree(),
                    one.judged(),
                    Instant.ofEpochMilli(one.since()).minus(group.bucket())))
        .toList();
  }

  private static String name(Moment moment, int member) {
    ObjectKind kind = moment.group().kind();
    int number = moment.objects().number(kind, member);
    return number < 0 ? "An object" : moment.objects().name(kind, number);
  }

  /** The event of a member is over, unless somebody has closed it already. */
  private static void close(Moment moment, int member) {
    OpenDrift before = moment.watch().drifted.remove(member);
    if (before != null) {
      CloseReason reason = reason(moment, before);
      moment.found().closed.add(new OutlierChanges.Closed(before.id(), moment.end(), reason));
      moment.found().steps.add(step(moment, before, "closed", reason.label()));
    }
  }

  private static CloseReason reason(Moment moment, OpenDrift event) {
    int member = event.objectId();
    boolean isMember = Arrays.binarySearch(moment.comparison().members(), member) >= 0;
    if (moment.expected().contains(member)
        || !isMember && moment.watch().marks.containsKey(member)) {
      return CloseReason.EXPECTED;
    }
    if (!isMember) {
      return moment.gone().contains(member) || moment.objects().kindOf(member) == null
          ? CloseReason.OBJECT_GONE
          : CloseReason.LEFT;
    }
    boolean accepted =
        event.properties().stream()
            .anyMatch(
                one ->
                    one.getValue().equals(moment.comparison().value(member, one.getKey()))
                        && moment
                            .group()
                            .configuration()
                            .accepted(one.getKey())
                            .contains(one.getValue()));
    return accepted ? CloseReason.EXPECTED : CloseReason.RETURNED;
  }

  private static OutlierChanges.Step step(
      Moment moment, OpenDrift event, String kind, @Nullable String note) {
    return new OutlierChanges.Step(
        event.id(),
        moment.end(),
        kind,
        null,
        null,
        null,
        null,
        note,
        event.explained().text().isEmpty() ? null : event.explained().text());
  }
}
