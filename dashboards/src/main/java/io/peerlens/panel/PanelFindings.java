package io.peerlens.panel;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.ChangePage;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierEventPage;
import io.peerlens.api.model.OutlierGroup;
import io.peerlens.api.model.OutlierGroupPage;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelCapacity;
import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import io.peerlens.api.model.PanelImpact;
import io.peerlens.api.model.PanelIndex;
import io.peerlens.api.model.PanelJudgedChange;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelOutliers;
import io.peerlens.api.model.PanelPeerGroup;
import io.peerlens.api.model.PanelRulePart;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.capacity.CapacityAnswers;
import io.peerlens.dashboard.file.Select;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.impact.ChangeImpacts;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.talker.FlowCondition;
import io.peerlens.talker.FlowEndFilter;
import io.peerlens.talker.TalkerQuestion;
import io.peerlens.web.ApiException;
import io.peerlens.web.Doubles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Panels of what Peerlens finds out by itself: outliers, talkers, what changes did, and what fills
 * up. The figures are those that the operations of these things give.
 */
final class PanelFindings {

  private static final int ROWS = 20;
  private static final int MOST = 500;
  private static final int GROUPS = 50;

  /** So many changes are judged; each is a comparison of its own. */
  private static final int JUDGED = 10;

  /** The mean of so many objects has an index. */
  private static final int INDEXED = 10;

  private static final Duration SHORTEST_INDEX = Duration.ofDays(2);

  private final PanelInput input;
  private final PanelAnswer answer;
  private final Selection selection;
  private final PanelObjectQueries queries;
  private final Findings findings;
  private final PanelRun run;

  PanelFindings(
      PanelInput input,
      PanelAnswer answer,
      Selection selection,
      PanelObjectQueries queries,
      Findings findings,
      PanelRun run) {
    this.input = input;
    this.answer = answer;
    this.selection = selection;
    this.queries = queries;
    this.findings = findings;
    this.run = run;
  }

  void run() {
    switch (input.panel().type()) {
      case OUTLIERS -> outliers();
      case TALKERS -> talkers();
      case IMPACT -> impact();
      case CAPACITY -> capacity();
      default -> throw new IllegalStateException(input.panel().type() + " is no finding");
    }
  }

  // ------------------------------------------------------------------------------------- objects

  /** Whether the panel names no objects, so that it is about all. */
  private boolean isOfAll() {
    return input.question().kinds().isEmpty()
        && input.question().select() == null
        && input.panel().subject() == null;
  }

  /** The objects of the panel; of a subject without a kind also those below it. */
  private int[] withBelow() {
    int[] ids = run.selectMeeting().ids();
    if (input.panel().subject() == null || !input.question().kinds().isEmpty()) {
      return ids;
    }
    int[] below = selection.reach(ids, new Select.Step(Select.Direction.DESCENDANTS, List.of(), 0));
    int[] all = IntStream.concat(Arrays.stream(ids), Arrays.stream(below)).distinct().toArray();
    if (all.length <= Selection.MOST) {
      return all;
    }
    run.note(
        "objects-left-out", "the first %,d of %,d objects".formatted(Selection.MOST, all.length));
    return Arrays.copyOf(all, Selection.MOST);
  }

  private List<UUID> uuids(int[] ids) {
    Map<Integer, ObjectRef> references = queries.references(ids);
    return Arrays.stream(ids)
        .mapToObj(references::get)
        .filter(Objects::nonNull)
        .map(ObjectRef::getId)
        .toList();
  }

  private int limit(int usual) {
    return Math.min(input.rows(usual), MOST);
  }

  /** Says what does not fit; nothing if all does. */
  private void leftOut(int shown, long total, String what) {
    if (total > shown) {
      run.note("rows-left-out", "%,d of %,d %s".formatted(shown, total, what));
    }
  }

  private void objects(int matched, int shown) {
    answer.setObjects(new PanelObjects(matched, shown, matched));
  }

  // ------------------------------------------------------------------------------------ outliers

  private void outliers() {
    int[] ids = isOfAll() ? null : withBelow();
    OutlierEventPage events =
        findings
            .outliers()
            .during(ids == null ? null : uuids(ids), input.start(), input.to(), limit(ROWS));
    OutlierGroupPage groups = findings.groups().with(ids, GROUPS);
    if (events.getItems().isEmpty() && groups.getItems().isEmpty()) {
      throw new EmptyPanel(
          new PanelEmpty(
              PanelEmptyReason.NOT_ENABLED,
              "Nothing compares these objects",
              ids == null
                  ? "There is no group of peers that is enabled."
                  : "No group of peers that is enabled has one of %,d objects as a member."
                      .formatted(ids.length)),
          ids == null ? selection.graph().size() : ids.length);
    }
    leftOut(events.getItems().size(), events.getTotal(), "events");
    List<PanelPeerGroup> shown = List.of();
    if (input.asOf() == null) {
      if (groups.getTotal() > groups.getItems().size()) {
        run.note(
            "groups-left-out",
            "%,d of %,d groups".formatted(groups.getItems().size(), groups.getTotal()));
      }
      shown = groups.getItems().stream().map(PanelFindings::shown).toList();
    } else {
      run.note(
          "as-of-now",
          "events are those of that time, their scores of now; groups cannot look back");
    }
    answer.setOutliers(new PanelOutliers(events.getItems(), shown));
    Set<UUID> unlike = new HashSet<>();
    events
        .getItems()
        .forEach(
            event -> {
              if (event.getObject() != null) {
                unlike.add(event.getObject().getId());
              }
            });
    objects(ids == null ? selection.graph().size() : ids.length, unlike.size());
  }

  private static PanelPeerGroup shown(OutlierGroup group) {
    return new PanelPeerGroup(
        new RuleRef(group.getId(), group.getName()),
        group.getObjectKind(),
        group.getOpenEvents(),
        group.getNow());
  }

  // ------------------------------------------------------------------------------------- talkers

  private void talkers() {
    int[] ids = isOfAll() ? null : run.selectMeeting().ids();
    String by = Objects.requireNonNullElse(input.panel().by(), "sender");
    TopTalkers talkers =
        findings
            .talkers()
            .top(
                new TalkerQuestion(
                    dimension(by),
                    TalkerMeasure.BYTES,
                    new FlowCondition(
                        null,
                        List.of(),
                        ids == null
                            ? FlowEndFilter.ANY
                            : new FlowEndFilter(uuids(ids), List.of(), List.of(), List.of()),
                        FlowEndFilter.ANY,
                        direction(by)),
                    input.start(),
                    input.to(),
                    false,
                    false,
                    false,
                    true,
                    limit(ROWS)));
    int matched = ids == null ? selection.graph().size() : ids.length;
    if (talkers.getTotal() == 0) {
      Instant newest = findings.talkers().newest();
      if (newest == null) {
        throw new EmptyPanel(
            new PanelEmpty(
                    PanelEmptyReason.NEVER_REPORTED,
                    "Nothing here has sent this yet",
                    "No flow was ever reported. It would come from NetFlow, IPFIX or sFlow.")
                .source("flows"),
            matched);
      }
      if (newest.isBefore(input.start())) {
        throw new EmptyPanel(
            new PanelEmpty(
                    PanelEmptyReason.STOPPED,
                    "No flows in this time",
                    "Flows were reported before, but not in this time.")
                .source("flows")
                .lastSeen(newest.toEpochMilli()),
            matched);
      }
    }
    int others = talkers.getOthers().getTalkers();
    leftOut(talkers.getItems().size(), talkers.getItems().size() + others, "talkers");
    answer.setTalkers(talkers);
    objects(
        matched,
        (int)
            talkers.getItems().stream().filter(one -> one.getTalker().getObject() != null).count());
  }

  private static TalkerDimension dimension(String by) {
    return switch (by) {
      case "pair" -> TalkerDimension.PAIR;
      case "service" -> TalkerDimension.PORT;
      case "network" -> TalkerDimension.NETWORK;
      default -> TalkerDimension.VM;
    };
  }

  private static TalkerDirection direction(String by) {
    return switch (by) {
      case "sender" -> TalkerDirection.SENT;
      case "receiver" -> TalkerDirection.RECEIVED;
      default -> TalkerDirection.BOTH;
    };
  }

  // -------------------------------------------------------------------------------------- impact

  private void impact() {
    int[] ids = isOfAll() ? null : run.selectMeeting().ids();
    ChangePage found =
        findings
            .changes()
            .of(ids == null ? null : uuids(ids), input.start(), input.to(), limit(ROWS));
    leftOut(found.getItems().size(), found.getTotal(), "changes");
    List<PanelJudgedChange> changes = judged(found.getItems());
    PanelImpact impact = new PanelImpact(changes);
    PanelIndex index = index(ids);
    if (index != null) {
      impact.setIndex(index);
    }
    answer.setImpact(impact);
    objects(
        ids == null ? selection.graph().size() : ids.length,
        (int)
            found.getItems().stream().map(change -> change.getObject().getId()).distinct().count());
  }

  /** Changes that people recorded are judged first, then the newest of the others. */
  private List<PanelJudgedChange> judged(List<Change> changes) {
    List<Change> wanted =
        changes.stream()
            .filter(change -> change.getId() != null)
            .sorted(Comparator.comparing((Change change) -> change.getRecorded() == null))
            .limit(JUDGED)
            .toList();
    List<PanelJudgedChange> judged = new ArrayList<>();
    for (Change change : changes) {
      PanelJudgedChange one = new PanelJudgedChange(change);
      if (wanted.contains(change)) {
        ChangeImpacts.Judged impact = findings.impacts().judge(change, input.to());
        if (impact.comparison() != null) {
          one.setComparison(impact.comparison());
        }
        if (impact.reason() != null) {
          one.setReason(impact.reason());
        }
      }
      judged.add(one);
    }
    if (wanted.size() < changes.size()) {
      run.note("not-judged", "%,d of %,d changes judged".formatted(wanted.size(), changes.size()));
    }
    return judged;
  }

  private @Nullable PanelIndex index(int @Nullable [] ids) {
    if (Duration.between(input.start(), input.to()).compareTo(SHORTEST_INDEX) < 0) {
      run.note("index-left-out", "the index needs at least two days");
      return null;
    }
    if (ids == null || ids.length > INDEXED) {
      run.note("index-left-out", "the index is that of at most %d objects".formatted(INDEXED));
      return null;
    }
    Map<Integer, ObjectRef> references = queries.references(ids);
    List<ObjectRef> objects =
        Arrays.stream(ids).mapToObj(references::get).filter(Objects::nonNull).toList();
    ChangeImpacts.Index index;
    try {
      index = findings.impacts().index(objects, input.start(), input.to());
    } catch (ApiException e) {
      run.note("index-left-out", "no index: " + e.errors().getFirst().getReason());
      return null;
    }
    if (index == null) {
      run.note(
          "index-left-out",
          "no index: no two steps have enough values of its metrics to be compared");
      return null;
    }
    return new PanelIndex(
        index.goal(),
        objects,
        index.from().toEpochMilli(),
        index.from().plus(index.step()).toEpochMilli(),
        index.step().toMillis(),
        index.starts().stream().map(Instant::toEpochMilli).toList(),
        Doubles.of(index.values()));
  }

  // ------------------------------------------------------------------------------------ capacity

  private void capacity() {
    int[] ids = isOfAll() ? everything() : withBelow();
    List<CapacityAnswers.OfObject> found = findings.capacity().of(ids, input.asOf());
    if (found.isEmpty()) {
      throw nothingFillsUp(ids);
    }
    int limit = limit(ROWS);
    List<CapacityAnswers.OfObject> some = found.stream().limit(limit).toList();
    Map<Integer, ObjectRef> references =
        queries.references(
            some.stream().mapToInt(CapacityAnswers.OfObject::object).distinct().toArray());
    List<PanelCapacity> shown = new ArrayList<>();
    for (CapacityAnswers.OfObject one : some) {
      ObjectRef reference = references.get(one.object());
      if (reference != null) {
        shown.add(new PanelCapacity(reference, one.forecast()));
      }
    }
    leftOut(shown.size(), found.size(), "forecasts");
    answer.setCapacity(shown);
    int reporting =
        (int) found.stream().mapToInt(CapacityAnswers.OfObject::object).distinct().count();
    answer.setObjects(new PanelObjects(ids.length, references.size(), reporting));
  }

  /** The objects that are known to fill up. */
  private int[] everything() {
    int[] all =
        selection.graph().kinds().stream()
            .filter(kind -> CapacityAnswers.key(kind) != null)
            .flatMapToInt(
                kind ->
                    IntStream.range(0, selection.graph().count(kind))
                        .map(number -> selection.graph().id(kind, number)))
            .toArray();
    if (all.length <= Selection.MOST) {
      return all;
    }
    run.note(
        "objects-left-out", "the first %,d of %,d objects".formatted(Selection.MOST, all.length));
    return Arrays.copyOf(all, Selection.MOST);
  }

  private EmptyPanel nothingFillsUp(int[] ids) {
    for (int id : ids) {
      ObjectKind kind = selection.graph().kindOf(id);
      String key = kind == null ? null : CapacityAnswers.key(kind);
      if (kind != null && key != null) {
        String source = KeySources.ofKey(kind, key);
        PanelEmpty empty =
            new PanelEmpty(
                    PanelEmptyReason.NEVER_REPORTED,
                    "Nothing is known to fill up",
                    "Of %,d objects none has %s of at least a week, up to the last days."
                        .formatted(ids.length, key))
                .key(key);
        if (source != null) {
          empty.setSource(source);
        }
        return new EmptyPanel(empty, ids.length);
      }
    }
    return Selection.noMatch(
        "Of %,d objects none is of a kind that fills up, such as datastores and hosts."
            .formatted(ids.length),
        PanelRulePart.KIND);
  }
}
