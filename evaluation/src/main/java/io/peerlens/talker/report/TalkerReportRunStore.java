package io.peerlens.talker.report;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.TalkerReportDelivery;
import io.peerlens.api.model.TalkerReportRun;
import io.peerlens.api.model.TalkerReportRunState;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.definition.Definitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Store of the runs of talker reports and of their results. Thread-safe. */
public final class TalkerReportRunStore {

  /** Since when each is to be looked at: its schedule was made, or it was due last. */
  private static final String SINCE =
      """
      select s.report_id, greatest(s.scheduled_since, r.last) as since, r.last
      from talker_report_state s
      left join (select report_id, max(due_at) as last from talker_report_run group by report_id) r
        on r.report_id = s.report_id
      """;

  private static final String ROLLED_UP =
      "select rolled_until from flow_level_state where level = '5m'";

  /** Whoever comes second writes nothing; of a report that is gone there is nothing to write. */
  private static final String TAKE =
      """
      insert into talker_report_run (report_id, due_at, ran_at, answer, over_share, state, reason)
      select id, :due, :now, :answer::jsonb, :over, :state, :reason from talker_report where id = :report
      on conflict do nothing
      """;

  private static final String SENT =
      """
      update talker_report_run set deliveries = :deliveries::jsonb where report_id = :report and due_at = :due
      """;

  private static final String FORGET =
      """
      delete from talker_report_run where report_id = :report and due_at < (
        select min(due_at) from (
          select due_at from talker_report_run where report_id = :report order by due_at desc limit :kept) newest)
      """;

  private static final String PAGE =
      """
      select due_at, ran_at, answer, over_share, state, reason, deliveries from talker_report_run
      where report_id = :report and due_at < :before order by due_at desc limit :limit
      """;

  private static final String COUNT =
      "select count(*) from talker_report_run where report_id = :report";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final int kept;

  TalkerReportRunStore(JdbcClient jdbc, TransactionTemplate transaction, int kept) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.kept = kept;
  }

  /** How many runs of each report are kept. */
  public int kept() {
    return kept;
  }

  /**
   * Progress of a report through the moments at which it is due.
   *
   * @param since nothing up to this moment is due any more
   * @param last when it was due last; null = never
   */
  public record Progress(Instant since, @Nullable Instant last) {}

  /** How far all of them have come. */
  public Map<UUID, Progress> progress() {
    Map<UUID, Progress> progress = new HashMap<>();
    jdbc.sql(SINCE)
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

  /** Up to where flows are rolled up; empty = there are none. */
  public Optional<Instant> rolledUp() {
    return jdbc.sql(ROLLED_UP)
        .query((row, number) -> row.getObject(1, OffsetDateTime.class))
        .optional()
        .map(OffsetDateTime::toInstant);
  }

  /**
   * Result of a run.
   *
   * @param reason why there is no answer; null = there is one
   */
  public record Result(
      TalkerReportRunState state,
      @Nullable TopTalkers answer,
      boolean overShare,
      @Nullable String reason) {

    static Result missed() {
      return new Result(
          TalkerReportRunState.MISSED,
          null,
          false,
          "Nothing was there to answer it before it was due again.");
    }
  }

  /**
   * Notes a run and what was missed before it, and sends it, in one transaction, unless another
   * node has done so.
   *
   * @param missed moments before
   * @param send queues messages in the transaction and says what it did
   * @return whether it was this call
   */
  public boolean take(
      UUID report,
      List<Instant> missed,
      Instant due,
      Result result,
      Instant now,
      Supplier<List<TalkerReportDelivery>> send) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              if (put(report, due, result, now) == 0) {
                return false;
              }
              missed.forEach(moment -> put(report, moment, Result.missed(), now));
              jdbc.sql(SENT)
                  .param("report", report)
                  .param("due", utc(due))
                  .param("deliveries", Definitions.write(send.get()))
                  .update();
              jdbc.sql(FORGET).param("report", report).param("kept", kept).update();
              return true;
            }));
  }

  private int put(UUID report, Instant due, Result result, Instant now) {
    TopTalkers answer = result.answer();
    return jdbc.sql(TAKE)
        .param("report", report)
        .param("due", utc(due))
        .param("now", utc(now))
        .param("answer", answer == null ? null : Definitions.write(answer), Types.VARCHAR)
        .param("over", result.overShare())
        .param("state", result.state().getValue())
        .param("reason", result.reason(), Types.VARCHAR)
        .update();
  }

  /** Runs before a moment, newest first. */
  public List<TalkerReportRun> page(UUID report, Instant before, int limit) {
    return jdbc.sql(PAGE)
        .param("report", report)
        .param("before", utc(before))
        .param("limit", limit)
        .query((row, number) -> run(row))
        .list();
  }

  public long count(UUID report) {
    return jdbc.sql(COUNT).param("report", report).query(Long.class).single();
  }

  private static TalkerReportRun run(ResultSet row) throws SQLException {
    String answer = row.getString("answer");
    TalkerReportRun run =
        new TalkerReportRun(
            row.getObject("due_at", OffsetDateTime.class).toInstant(),
            row.getObject("ran_at", OffsetDateTime.class).toInstant(),
            TalkerReportRunState.fromValue(row.getString("state")),
            row.getBoolean("over_share"),
            List.of(Definitions.read(row.getString("deliveries"), TalkerReportDelivery[].class)));
    run.setReason(row.getString("reason"));
    run.setResult(answer == null ? null : Definitions.read(answer, TopTalkers.class));
    return run;
  }
}
