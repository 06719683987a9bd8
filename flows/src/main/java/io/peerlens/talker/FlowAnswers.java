package io.peerlens.talker;

import io.peerlens.api.model.Flow;
import io.peerlens.api.model.FlowPage;
import io.peerlens.flow.rank.FlowSums;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.talker.FlowListQueries.FlowList;
import io.peerlens.talker.FlowListQueries.FlowRow;
import io.peerlens.talker.TalkerNameQueries.End;
import io.peerlens.web.ApiException;
import io.peerlens.web.Cursor;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pages of flows for the API. Thread-safe. */
final class FlowAnswers {

  /** So many flows can be paged through. */
  static final int MOST = 10_000;

  private static final int CURSOR_KEYS = 9;

  private final EndQueries ends;
  private final FlowListQueries flows;
  private final TalkerNames names;

  FlowAnswers(EndQueries ends, FlowListQueries flows, TalkerNames names) {
    this.ends = ends;
    this.flows = flows;
    this.names = names;
  }

  /**
   * Question for flows.
   *
   * @param search text in the name or address of one end; null = any
   * @param scope of the cursor: the question in any fixed spelling, without the window
   */
  record Question(
      FlowCondition condition,
      @Nullable String search,
      Instant from,
      Instant to,
      TalkerMeasure sort,
      int limit,
      String scope) {}

  /**
   * Start of a page: after a flow, in the window of the first page, which does not move on with the
   * clock.
   */
  private record Start(Instant from, Instant to, @Nullable FlowRow after, int given) {}

  /** One page. */
  FlowPage page(Question question, @Nullable String cursor) {
    Start start =
        cursor == null
            ? new Start(question.from, question.to, null, 0)
            : start(question, Cursor.keys(cursor, question.scope, CURSOR_KEYS));
    int most = Math.min(question.limit, MOST - start.given);
    FlowList list;
    try {
      EndQueries.Found found = ends.find(question.condition, question.search);
      list = flows.list(found, start.from, start.to, question.sort, start.after, most + 1);
    } catch (TooExpensiveException e) {
      throw tooExpensive(start.from, start.to);
    }
    List<FlowRow> rows = list.rows();
    boolean more = rows.size() > most;
    if (more) {
      rows = rows.subList(0, most);
    }
    int given = start.given + rows.size();
    String next = more && given < MOST ? cursor(question, start, rows.getLast(), given) : null;
    long total = rows.isEmpty() ? start.given : rows.getFirst().total();
    return new FlowPage(
        items(rows),
        next,
        total,
        list.from().toEpochMilli(),
        list.to().toEpochMilli(),
        TalkerAnswers.level(list.seconds()));
  }

  private static String cursor(Question question, Start start, FlowRow last, int given) {
    return Cursor.after(
        question.scope,
        String.valueOf(start.from.toEpochMilli()),
        String.valueOf(start.to.toEpochMilli()),
        String.valueOf(given),
        String.valueOf(last.get(question.sort)),
        String.valueOf(last.src()),
        String.valueOf(last.dst()),
        String.valueOf(last.port()),
        String.valueOf(last.protocol()),
        String.valueOf(last.towardsService()));
  }

  private static Start start(Question question, List<String> keys) {
    long[] sums = new long[TalkerMeasure.values().length];
    sums[question.sort.ordinal()] = Long.parseLong(keys.get(3));
    return new Start(
        Instant.ofEpochMilli(Long.parseLong(keys.get(0))),
        Instant.ofEpochMilli(Long.parseLong(keys.get(1))),
        new FlowRow(
            Integer.parseInt(keys.get(4)),
            Integer.parseInt(keys.get(5)),
            Integer.parseInt(keys.get(6)),
            Integer.parseInt(keys.get(7)),
            Boolean.parseBoolean(keys.get(8)),
            0,
            sums,
            0),
        Integer.parseInt(keys.get(2)));
  }

  private List<Flow> items(List<FlowRow> rows) {
    List<Integer> endpoints = new ArrayList<>();
    for (FlowRow row : rows) {
      endpoints.add(row.src());
      if (!FlowSums.isOther(row.dst())) {
        endpoints.add(row.dst());
      }
    }
    Map<Integer, End> ends = names.endpoints(endpoints);
    return rows.stream().map(row -> item(row, ends)).toList();
  }

  private static Flow item(FlowRow row, Map<Integer, End> ends) {
    boolean folded = FlowSums.isOther(row.dst());
    boolean internal = folded ? row.dst() == FlowSums.OTHER_INTERNAL : internal(row.dst(), ends);
    Flow flow =
        new Flow(
            TalkerNames.endpoint(row.src(), ends),
            io.peerlens.api.model.TrafficType.valueOf(
                TrafficType.of(internal(row.src(), ends), internal).name()),
            row.get(TalkerMeasure.BYTES),
            row.get(TalkerMeasure.PACKETS),
            row.get(TalkerMeasure.SESSIONS),
            row.get(TalkerMeasure.FLOWS),
            row.get(TalkerMeasure.RESETS),
            row.get(TalkerMeasure.DROPS),
            row.get(TalkerMeasure.PEAK));
    if (folded) {
      flow.setFolded(row.keys());
    } else {
      flow.setTo(TalkerNames.endpoint(row.dst(), ends));
      flow.setService(TalkerNames.service(row.port(), row.protocol()));
      flow.setTowardsService(row.towardsService());
    }
    return flow;
  }

  private static boolean internal(int endpoint, Map<Integer, End> ends) {
    return TalkerNames.endpoint(endpoint, ends).getInternal();
  }

  static ApiException tooExpensive(Instant from, Instant to) {
    Duration window = Duration.between(from, to);
    return ApiException.of(
            ErrorCode.TOO_EXPENSIVE,
            "Adding up the flows of %s by these filters takes longer than one request may."
                .formatted(
                    window.toHours() >= 48
                        ? window.toDays() + " days"
                        : window.toMinutes() >= 120
                            ? window.toHours() + " hours"
                            : window.toMinutes() + " minutes"))
        .hint("Ask for a shorter window, or narrow it with scope, network or tier.");
  }
}
