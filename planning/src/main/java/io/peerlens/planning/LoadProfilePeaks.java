package io.peerlens.planning;

import io.peerlens.api.model.ChangePage;
import io.peerlens.api.model.LoadPeakAround;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.planning.LoadProfileMembers.Group;
import io.peerlens.profile.LoadProfile.Peak;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.talker.FlowCondition;
import io.peerlens.talker.FlowEndFilter;
import io.peerlens.talker.TalkerAnswers;
import io.peerlens.talker.TalkerProperties;
import io.peerlens.talker.TalkerQuestion;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** What else went on at the peaks of a load. Thread-safe. */
final class LoadProfilePeaks {

  private static final Duration BEFORE = Duration.ofHours(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MOST_CHANGES = 50;
  private static final int MOST_TALKERS = 10;

  /** Objects above machines are followed until there are so many. */
  private static final int MOST_OBJECTS = 100_000;

  private static final int MOST_PARENTS = 1000;

  private final Frames frames;
  private final ChangeQueries changes;
  private final TalkerAnswers talkers;
  private final TalkerProperties kept;
  private final ObjectLookup objects;

  LoadProfilePeaks(
      Frames frames,
      ChangeQueries changes,
      TalkerAnswers talkers,
      TalkerProperties kept,
      ObjectLookup objects) {
    this.frames = frames;
    this.changes = changes;
    this.talkers = talkers;
    this.kept = kept;
    this.objects = objects;
  }

  /** The surroundings of a peak of a group. */
  LoadPeakAround around(Peak peak, LoadProfileMembers members, Group group) {
    Instant from = peak.at().minus(BEFORE);
    Instant to = peak.at().plus(HOUR);
    ChangePage found = changes.around(concerned(members, group), from, to, MOST_CHANGES);
    LoadPeakAround around =
        new LoadPeakAround(
            LoadProfileAnswers.peak(peak),
            from,
            to,
            found.getItems(),
            (int) Math.min(Integer.MAX_VALUE, found.getTotal()));
    talk(around, members, group, peak.at(), to);
    return around;
  }

  /** Machines of a group, what is above them now, and what the group is of. */
  private int[] concerned(LoadProfileMembers members, Group group) {
    ObjectGraph graph = frames.objects();
    Set<Integer> seen = new LinkedHashSet<>();
    IntStream.concat(IntStream.of(group.objects()), IntStream.of(members.ids(group)))
        .forEach(seen::add);
    ArrayDeque<Integer> next = new ArrayDeque<>(seen);
    while (!next.isEmpty() && seen.size() < MOST_OBJECTS) {
      for (int parent : graph.parents(next.remove(), MOST_PARENTS)) {
        if (seen.add(parent)) {
          next.add(parent);
        }
      }
    }
    return seen.stream().mapToInt(Integer::intValue).toArray();
  }

  private void talk(
      LoadPeakAround around, LoadProfileMembers members, Group group, Instant from, Instant to) {
    Instant newest = talkers.newest();
    if (newest == null) {
      around.setNoTalkers("No flows come in, so nobody knows who talked.");
      return;
    }
    boolean isEverything =
        group.name().equals(LoadProfileComputation.ALL) && group.objects().length == 0;
    FlowEndFilter ends =
        isEverything
            ? FlowEndFilter.ANY
            : new FlowEndFilter(
                uuids(group.objects().length > 0 ? group.objects() : members.ids(group)),
                List.of(),
                List.of(),
                List.of());
    try {
      TopTalkers top =
          talkers.top(
              new TalkerQuestion(
                  TalkerDimension.VM,
                  TalkerMeasure.BYTES,
                  new FlowCondition(null, List.of(), ends, FlowEndFilter.ANY, TalkerDirection.BOTH),
                  from,
                  to,
                  false,
                  false,
                  false,
                  false,
                  MOST_TALKERS));
      if (top.getFrom().equals(top.getTo())) {
        around.setNoTalkers(
            "No traffic of this hour is kept: by the hour it is kept for %d days, if flows came in then."
                .formatted(kept.keep1h().toDays()));
      } else if (top.getItems().isEmpty()) {
        around.setNoTalkers(
            top.getHint() == null
                ? "No traffic of these machines was seen in this hour."
                : top.getHint());
      } else {
        around.setTalkers(top);
      }
    } catch (ApiException e) {
      around.setNoTalkers(e.detail());
    }
  }

  private List<UUID> uuids(int[] ids) {
    return objects.references(IntStream.of(ids).boxed().toList()).values().stream()
        .map(io.peerlens.api.model.ObjectRef::getId)
        .toList();
  }
}
