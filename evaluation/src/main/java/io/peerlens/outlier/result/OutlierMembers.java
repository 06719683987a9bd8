package io.peerlens.outlier.result;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierMember;
import io.peerlens.api.model.OutlierMemberMetric;
import io.peerlens.api.model.OutlierMemberPage;
import io.peerlens.api.model.OutlierMemberSort;
import io.peerlens.api.model.OutlierMemberState;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.Mark;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.web.Cursor;
import io.peerlens.web.Doubles;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Members of a group with their values and scores in the last bucket. */
public final class OutlierMembers {

  private final GroupStateQueries states;
  private final OutlierMemberQueries queries;
  private final InstantSource clock;

  OutlierMembers(GroupStateQueries states, OutlierMemberQueries queries, InstantSource clock) {
    this.states = states;
    this.queries = queries;
    this.clock = clock;
  }

  /** Filter and sort order of members. As a text it is the scope of cursors. */
  record Filter(
      List<String> words, List<OutlierMemberState> states, OutlierMemberSort sort, String group) {}

  /** A member on its way to the answer; place -1 = it is excluded. */
  private record Row(
      int id,
      int place,
      ObjectRef object,
      OutlierMemberState state,
      @Nullable String reason,
      double score,
      double value,
      OutlierMemberQueries.@Nullable Open open) {}

  OutlierMemberPage page(
      OutlierGroup group, double opensAt, Filter filter, int limit, @Nullable String cursor) {
    GroupStateQueries.Whole whole = states.whole(List.of(group.id())).get(group.id());
    Map<Integer, Mark> marks = queries.marks(group.id(), clock.instant());
    List<Row> rows = whole == null ? List.of() : rows(group, whole, marks);
    Comparator<Row> order = order(filter.sort());
    List<Row> sorted =
        rows.stream()
            .filter(row -> filter.states().isEmpty() || filter.states().contains(row.state()))
            .filter(
                row -> {
                  String name = row.object().getName().toLowerCase(Locale.ROOT);
                  return filter.words().stream().allMatch(name::contains);
                })
            .sorted(order)
            .toList();
    int start = 0;
    if (cursor != null) {
      int after = Integer.parseInt(Cursor.keys(cursor, filter.toString(), 1).getFirst());
      for (int i = 0; i < sorted.size(); i++) {
        start = sorted.get(i).id() == after ? i + 1 : start;
      }
    }
    List<Row> page = sorted.subList(start, Math.min(sorted.size(), start + limit));
    Instant bucket = whole == null ? null : whole.bucket();
    return new OutlierMemberPage(
        bucket,
        opensAt,
        whole == null || bucket == null ? List.of() : answers(group, whole, bucket, page, marks),
        start + page.size() < sorted.size()
            ? Cursor.after(filter.toString(), Integer.toString(page.getLast().id()))
            : null,
        (long) sorted.size());
  }

  private List<Row> rows(
      OutlierGroup group, GroupStateQueries.Whole whole, Map<Integer, Mark> marks) {
    Map<Integer, OutlierMemberQueries.Open> open = queries.open(group.id());
    Set<Integer> ids = new TreeSet<>();
    for (int id : whole.members()) {
      ids.add(id);
    }
    marks.forEach(
        (id, mark) -> {
          if (mark.excludes()) {
            ids.add(id);
          }
        });
    Map<Integer, ObjectRef> objects = queries.objects(ids);
    List<Row> rows = new ArrayList<>();
    for (int id : ids) {
      ObjectRef object = objects.get(id);
      if (object != null) {
        rows.add(row(id, object, whole, marks.get(id), open.get(id)));
      }
    }
    return rows;
  }

  private static Row row(
      int id,
      ObjectRef object,
      GroupStateQueries.Whole whole,
      @Nullable Mark mark,
      OutlierMemberQueries.@Nullable Open open) {
    int place = Arrays.binarySearch(whole.members(), id);
    if (place < 0 || mark != null && mark.excludes()) {
      return new Row(
          id, -1, object, OutlierMemberState.EXCLUDED, "excluded", Double.NaN, Double.NaN, null);
    }
    double score = whole.score()[place];
    String reason = Double.isNaN(score) ? reason(whole, place) : null;
    OutlierMemberState state =
        open != null
            ? open.unknown() ? OutlierMemberState.UNKNOWN : OutlierMemberState.DEVIANT
            : mark != null
                ? OutlierMemberState.EXPECTED
                : reason != null ? OutlierMemberState.NOT_JUDGED : OutlierMemberState.ALIKE;
    return new Row(
        id, place, object, state, reason, score, whole.values()[whole.at(0, place)], open);
  }

  /** Why a member has no score at all. */
  private static String reason(GroupStateQueries.Whole whole, int place) {
    boolean any = false;
    boolean groupJudged = false;
    for (int m = 0; m < whole.metrics().size(); m++) {
      boolean has = Float.isFinite(whole.values()[whole.at(m, place)]);
      any |= has;
      groupJudged |=
          has && OutlierGroupState.fromValue(whole.states()[m]) == OutlierGroupState.ALIKE;
    }
    return !any ? "no-data" : groupJudged ? "new" : "group";
  }

  private static Comparator<Row> order(OutlierMemberSort sort) {
    Comparator<Row> byName =
        Comparator.comparing((Row row) -> row.object().getName().toLowerCase(Locale.ROOT));
    Comparator<Row> byScore = Comparator.comparingDouble(row -> -orLeast(Math.abs(row.score())));
    Comparator<Row> first =
        switch (sort) {
          case STATE ->
              Comparator.<Row>comparingInt(row -> rank(row.state())).thenComparing(byScore);
          case NAME -> byName;
          case NAME_DESC -> byName.reversed();
          case SCORE_DESC -> byScore;
          case VALUE_DESC -> Comparator.comparingDouble(row -> -orLeast(row.value()));
          case VALUE -> Comparator.comparingDouble(row -> orLeast(row.value()));
        };
    return first.thenComparing(byName).thenComparingInt(Row::id);
  }

  private static double orLeast(double number) {
    return Double.isNaN(number) ? Double.NEGATIVE_INFINITY : number;
  }

  private static int rank(OutlierMemberState state) {
    return switch (state) {
      case DEVIANT -> 0;
      case UNKNOWN -> 1;
      case NOT_JUDGED -> 2;
      case EXPECTED -> 3;
      case ALIKE -> 4;
      case EXCLUDED -> 5;
    };
  }

  // Answers -------------------------------------------------------------------------------------

  private List<OutlierMember> answers(
      OutlierGroup group,
      GroupStateQueries.Whole whole,
      Instant bucket,
      List<Row> page,
      Map<Integer, Mark> marks) {
    Map<Integer, List<ObjectRef>> parents = queries.parents(page.stream().map(Row::id).toList());
    OutlierMemberQueries.Recent recent =
        queries.recent(group.id(), bucket, group.bucket().toMillis());
    return page.stream()
        .map(
            row -> {
              Mark mark = marks.get(row.id());
              OutlierMemberQueries.Open open = row.open();
              double[] scores = recent.scores().get(row.id());
              return new OutlierMember(
                  row.object(),
                  parents.getOrDefault(row.id(), List.of()),
                  row.state(),
                  row.reason(),
                  Rows.finite(row.score()),
                  open == null ? null : open.side(),
                  open == null ? null : open.since(),
                  open == null ? null : open.id(),
                  mark == null ? null : mark.until(),
                  recent.lastValue().get(row.id()),
                  metrics(group, whole, row.place()),
                  Doubles.of(scores == null ? OutlierMemberQueries.none() : scores));
            })
        .toList();
  }

  private static List<OutlierMemberMetric> metrics(
      OutlierGroup group, GroupStateQueries.Whole whole, int place) {
    List<OutlierMemberMetric> metrics = new ArrayList<>();
    for (String key : group.keys()) {
      int m = whole.metrics().indexOf(key);
      if (place < 0 || m < 0) {
        metrics.add(new OutlierMemberMetric(key, null, null, null, null, null, null));
        continue;
      }
      int at = whole.at(m, place);
      Double value = Rows.finite(whole.values()[at]);
      Double expected = Rows.finite(whole.expected()[at]);
      metrics.add(
          new OutlierMemberMetric(
              key,
              value,
              expected,
              Rows.finite(whole.low()[at]),
              Rows.finite(whole.high()[at]),
              value == null || expected == null ? null : value - expected,
              Rows.finite(whole.scores()[at])));
    }
    return metrics;
  }
}
