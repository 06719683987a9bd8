package io.peerlens.report;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ReportPart;
import io.peerlens.api.model.ReportRun;
import io.peerlens.api.model.ReportRunState;
import io.peerlens.api.model.TalkerReportDelivery;
import io.peerlens.database.Uuid7;
import io.peerlens.definition.Definitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Store of the runs of reports. Thread-safe. */
final class ReportRunStore {

  /** Since when each is to be looked at: its schedule was made, or it was due last. */
  private static final String PROGRESS =
      """
      select s.report_id, greatest(s.scheduled_since, r.last) as since, r.last
      from report_state s
      left join (select report_id, max(due_at) as last from report_run where asked_by is null group by report_id) r
        on r.report_id = s.report_id
      """;

  /** Whoever comes second writes nothing; of a report that is gone there is nothing to write. */
  private static final String TAKE =
      """
      insert into report_run (id, report_id, due_at, ran_at, asked_by, state, reason, parts, panels, failed, data, size)
      select :id, r.id, :due, :now, :by, :state, :reason, :parts, :panels, :failed, :data, :size
      from report r where r.id = :report
      on conflict do nothing
      """;

  private static final String SENT =
      "update report_run set deliveries = :deliveries::jsonb where id = :id";

  private static final String TOO_MANY =
      """
      delete from report_run where report_id = :report and id in (
        select id from report_run where report_id = :report order by due_at desc, id desc offset :kept)
      """;

  private static final String TOO_OLD =
      """
      delete from report_run r where due_at < :before
        and exists (select from report_run n where n.report_id = r.report_id and n.due_at > r.due_at)
      """;

  private static final String COLUMNS =
      "id, due_at, ran_at, asked_by, state, reason, parts, panels, failed, size, deliveries";

  private static final String PAGE =
      "select "
          + COLUMNS
          + """
           from report_run where report_id = :report and (due_at, id) < (:before, :id)
          order by due_at desc, id desc limit :limit
          """;

  private static final String NEWEST =
      "select n.* from report r cross join lateral (select report_id, "
          + COLUMNS
          + " from report_run where report_id = r.id order by due_at desc, id desc limit 1) n";

  private static final String ONE =
      "select " + COLUMNS + ", data from report_run where report_id = :report and id = :id";

  private static final String COUNT = "select count(*) from report_run where report_id = :report";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final int kept;
  private final Duration keep;

  ReportRunStore(JdbcClient jdbc, TransactionTemplate transaction, ReportProperties properties) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.kept = properties.runs();
    this.keep = properties.keep();
  }

  /** How many runs of each report are kept. */
  int kept() {
    return kept;
  }

  /**
   * Progress of a report through the moments at which it is due.
   *
   * @param since nothing up to this moment is due any more
   * @param last when it was due last; null = never
   */
  record Progress(Instant since, @Nullable Instant last) {}

  /** How far all of them have come. */
  Map<UUID, Progress> progress() {
    Map<UUID, Progress> progress = new HashMap<>();
    jdbc.sql(PROGRESS)
        .query(
            row -> {
              OffsetDateTime last = row.getObject("last", OffsetDateTime.class);
              progress.put(
                  row.getObject("report_id", UUID.class),
                  new Progress(
                      row.getObject("since", OffsetDateTime.class).toInstant(),
                      last == null ? null : last.toInstant()));
            });
    return progress;
  }

  /**
   * Result of a run.
   *
   * @param parts empty = there is nothing to see
   * @param reason why there is nothing, or why it came late; null = all is well
   */
  record Result(ReportRunState state, List<ReportPart> parts, @Nullable String reason) {
    Result {
      parts = List.copyOf(parts);
    }

    static Result missed() {
      return new Result(
          ReportRunState.MISSED,
          List.of(),
          "Nothing was there to answer it before it was due again.");
    }
  }

  /**
   * Notes a run and what was missed before it, and sends it, in one transaction, unless another
   * node has done so.
   *
   * @param missed moments before
   * @param askedBy null = its schedule
   * @param send queues messages in the transaction and says what it did, of the run's id
   * @return id of the run; empty = it was another node
   */
  Optional<UUID> take(
      UUID report,
      List<Instant> missed,
      Instant due,
      @Nullable String askedBy,
      Result result,
      Instant now,
      Function<UUID, List<TalkerReportDelivery>> send) {
    UUID id = Uuid7.at(now);
    return Optional.ofNullable(
        transaction.execute(
            status -> {
              if (put(id, report, due, askedBy, result, now) == 0) {
                return null;
              }
              for (Instant moment : missed) {
                put(Uuid7.at(now), report, moment, null, Result.missed(), now);
              }
              jdbc.sql(SENT)
                  .param("id", id)
                  .param("deliveries", Definitions.write(send.apply(id)))
                  .update();
              jdbc.sql(TOO_MANY).param("report", report).param("kept", kept).update();
              return id;
            }));
  }

  /** Forgets runs that are too old, but for the newest of each report. */
  int forget(Instant now) {
    return jdbc.sql(TOO_OLD).param("before", utc(now.minus(keep))).update();
  }

  private int put(
      UUID id, UUID report, Instant due, @Nullable String askedBy, Result result, Instant now) {
    RunData.Packed data = result.parts().isEmpty() ? null : RunData.pack(result.parts());
    return jdbc.sql(TAKE)
        .param("id", id)
        .param("report", report)
        .param("due", utc(due))
        .param("now", utc(now))
        .param("by", askedBy, Types.VARCHAR)
        .param("state", result.state().getValue())
        .param("reason", result.reason(), Types.VARCHAR)
        .param("parts", result.parts().size())
        .param("panels", result.parts().stream().mapToInt(one -> one.getPanels().size()).sum())
        .param(
            "failed",
            (int)
                result.parts().stream()
                    .flatMap(one -> one.getPanels().stream())
                    .filter(one -> one.getReason() != null)
                    .count())
        .param("data", data == null ? null : data.bytes(), Types.BINARY)
        .param("size", data == null ? 0 : data.size())
        .update();
  }

  /** Runs before one, newest first. */
  List<ReportRun> page(UUID report, Instant before, UUID id, int limit) {
    return jdbc.sql(PAGE)
        .param("report", report)
        .param("before", utc(before))
        .param("id", id)
        .param("limit", limit)
        .query((row, number) -> run(row))
        .list();
  }

  /** The newest run of each report, without what it showed. */
  Map<UUID, ReportRun> newest() {
    Map<UUID, ReportRun> newest = new HashMap<>();
    jdbc.sql(NEWEST)
        .query(
            row -> {
              newest.put(row.getObject("report_id", UUID.class), run(row));
            });
    return newest;
  }

  long count(UUID report) {
    return jdbc.sql(COUNT).param("report", report).query(Long.class).single();
  }

  /** A run with what it showed. */
  Optional<ReportRun> find(UUID report, UUID id) {
    return jdbc.sql(ONE)
        .param("report", report)
        .param("id", id)
        .query(
            (row, number) -> {
              ReportRun run = run(row);
              byte[] data = row.getBytes("data");
              run.setContent(data == null ? List.of() : RunData.unpack(data));
              return run;
            })
        .optional();
  }

  private static ReportRun run(ResultSet row) throws SQLException {
    ReportRun run =
        new ReportRun(
            row.getObject("id", UUID.class),
            row.getObject("due_at", OffsetDateTime.class).toInstant(),
            row.getObject("ran_at", OffsetDateTime.class).toInstant(),
            ReportRunState.fromValue(row.getString("state")),
            row.getInt("parts"),
            row.getInt("panels"),
            row.getInt("failed"),
            row.getLong("size"),
            List.of(Definitions.read(row.getString("deliveries"), TalkerReportDelivery[].class)));
    run.setAskedBy(row.getString("asked_by"));
    run.setReason(row.getString("reason"));
    return run;
  }
}
