package io.peerlens.outlier.result;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierComparedProperty;
import io.peerlens.api.model.OutlierConfiguration;
import io.peerlens.api.model.OutlierDiffering;
import io.peerlens.api.model.OutlierPropertyState;
import io.peerlens.frame.Frames;
import io.peerlens.outlier.group.Mark;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.judge.ConfigurationComparison;
import io.peerlens.outliers.Drift;
import io.peerlens.outliers.Majority;
import io.peerlens.words.MetricWords;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Properties of the members of groups as they are now, by the rule of the evaluation. */
public final class ConfigurationAnswers {

  private static final int MOST_DIFFERING = 100;

  private final Frames frames;
  private final GroupStateQueries states;
  private final OutlierMemberQueries members;
  private final DifferenceQueries differences;
  private final InstantSource clock;

  ConfigurationAnswers(
      Frames frames,
      GroupStateQueries states,
      OutlierMemberQueries members,
      DifferenceQueries differences,
      InstantSource clock) {
    this.frames = frames;
    this.states = states;
    this.members = members;
    this.differences = differences;
    this.clock = clock;
  }

  /** Of a stored group, with the members of its last bucket. */
  OutlierConfiguration of(OutlierGroup group) {
    GroupStateQueries.Whole whole = states.whole(List.of(group.id())).get(group.id());
    return of(
        group,
        whole == null ? new int[0] : whole.members(),
        members.marks(group.id(), clock.instant()),
        differences.known(group.id()));
  }

  /**
   * Of a group that is being written.
   *
   * @param ids its members, ascending
   * @param marks what is said of them, by object
   */
  public OutlierConfiguration of(OutlierGroup group, int[] ids, Map<Integer, Mark> marks) {
    return of(group, ids, marks, DifferenceQueries.Known.NOTHING);
  }

  private OutlierConfiguration of(
      OutlierGroup group, int[] ids, Map<Integer, Mark> marks, DifferenceQueries.Known known) {
    Set<Integer> expected = new HashSet<>();
    Instant now = clock.instant();
    for (int id : ids) {
      Mark mark = marks.get(id);
      Instant until = mark == null ? null : mark.until();
      if (until != null && until.isAfter(now)) {
        expected.add(id);
      }
    }
    if (!group.configuration().compares()) {
      return new OutlierConfiguration(ids.length, expected.size(), List.of(), 0);
    }
    ConfigurationComparison found =
        ConfigurationComparison.of(group, ids, expected, frames.properties());
    Set<Integer> differing = new HashSet<>();
    found
        .compared()
        .forEach(one -> one.majority().differing().forEach(place -> differing.add(ids[place])));
    Map<Integer, ObjectRef> objects = members.objects(differing);
    List<OutlierComparedProperty> properties = new ArrayList<>();
    for (Drift.Compared one : found.compared()) {
      properties.add(property(group, ids, one, objects, known));
    }
    properties.sort(
        comparing(OutlierComparedProperty::getState)
            .thenComparing(OutlierComparedProperty::getKey));
    return new OutlierConfiguration(ids.length, expected.size(), properties, found.more());
  }

  private static OutlierComparedProperty property(
      OutlierGroup group,
      int[] ids,
      Drift.Compared compared,
      Map<Integer, ObjectRef> objects,
      DifferenceQueries.Known known) {
    Majority majority = compared.majority();
    List<OutlierDiffering> differing = new ArrayList<>();
    for (int place : majority.differing()) {
      ObjectRef object = objects.get(ids[place]);
      if (object != null) {
        Instant since = known.since().get(new DifferenceQueries.Place(ids[place], compared.key()));
        UUID event = known.events().get(ids[place]);
        differing.add(
            new OutlierDiffering(
                object,
                requireNonNull(compared.values().get(place)),
                since == null ? null : since.minus(group.bucket()),
                event));
      }
    }
    differing.sort(comparing(one -> one.getObject().getName().toLowerCase(Locale.ROOT)));
    return new OutlierComparedProperty(
        compared.key(),
        MetricWords.ofProperty(compared.key()),
        OutlierPropertyState.valueOf(majority.state().name()),
        majority.common(),
        majority.agree(),
        majority.judged(),
        List.copyOf(new TreeSet<>(group.configuration().accepted(compared.key()))),
        List.copyOf(differing.subList(0, Math.min(MOST_DIFFERING, differing.size()))),
        differing.size());
  }
}
