package io.peerlens.impact;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static io.peerlens.database.Times.utcOrNull;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Changes that other systems tell of, as recorded changes. What is told again changes nothing, and
 * what two tell of, such as a task and the event that it made, is one change: it has the times of
 * the task and the words of the event, whichever came first.
 *
 * <p>Everything happens in the caller's transaction, which takes {@link #lock} first.
 */
public final class ToldChangeStore {

  /** Author of what nobody is named for. */
  public static final String NOBODY = "vCenter";

  /** Tells of one change are at most this far apart, unless the source says that they are one. */
  static final Duration NEAR = Duration.ofMinutes(5);

  /** A task whose end is not known may have gone on for so long. */
  private static final Duration LONGEST_TASK = Duration.ofHours(6);

  private static final Duration LONGEST_CHAIN = Duration.ofDays(1);

  private static final String LOCK = "select pg_advisory_xact_lock(7401)";

  private static final String KNOWN =
      """
      select s.change_id, s.teller, r.until,
        exists (select from change_source e where e.change_id = s.change_id and e.teller = 'event') as by_event
      from change_source s join recorded_change r on r.change_id = s.change_id
      where s.source = :source and s.source_id = :sourceId
      """;

  private static final String SIMILAR =
      """
      select c.id, c.time, r.until, bool_or(s.teller = 'event') as by_event, bool_or(s.teller = 'task') as by_task,
        bool_or(s.teller = 'failed') as failed, bool_or(s.chain = :chain) as same_chain
      from object_change c join recorded_change r on r.change_id = c.id
      join change_source s on s.change_id = c.id and s.source = :source
      where c.object_id = :object and c.kind = 'recorded' and c.key = :sort and c.time between :from and :to
      group by c.id, c.time, r.until
      """;

  private static final String INSERT =
      """
      with one as (
        insert into object_change (time, object_id, kind, key, new_value)
        values (:time, :object, 'recorded', :sort, :title)
        returning id)
      insert into recorded_change (change_id, until, author, note, tells)
      select id, :until, :author, :note, :tells from one
      returning change_id
      """;

  private static final String TELL =
      """
      insert into change_source (source, source_id, change_id, teller, chain)
      values (:source, :sourceId, :change, :teller, :chain)
      """;

  private static final String SAY =
      "update object_change set time = coalesce(:time, time), new_value = coalesce(:title, new_value) where id = :change";

  private static final String ADD =
      """
      update recorded_change
      set until = coalesce(:until, until), author = case when author = :nobody then :author else author end,
        note = coalesce(note, :note), tells = array(select distinct t from unnest(tells || :tells::text[]) as u(t) order by t)
      where change_id = :change
      """;

  private static final String TELLER =
      "update change_source set teller = :teller where source = :source and source_id = :sourceId";

  private final JdbcClient jdbc;

  public ToldChangeStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Who tells of a change. */
  public enum Teller {
    EVENT,
    /** A task that goes on, or has done what it was to do. */
    TASK,
    /** A task that failed, so no event belongs to it. */
    FAILED;

    private String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What became of what was told. */
  public enum Outcome {
    /** It is a change of its own. */
    RECORDED,
    /** It belongs to a change that somebody else told of. */
    MERGED,
    /** The end of a task that was known. */
    COMPLETED,
    /** It was told before. */
    KNOWN
  }

  /**
   * A change as it is told.
   *
   * @param sourceId what the source calls it
   * @param chain what belongs together at the source; null = it does not say
   * @param until null = it was done at once, or goes on
   * @param author null = nobody is named
   * @param tells other changes of the object that it tells as well, {@code KIND/KEY/VALUE}, where
   *     VALUE may be {@code *}
   */
  public record Told(
      int object,
      String source,
      String sourceId,
      Teller teller,
      @Nullable Long chain,
      Instant time,
      @Nullable Instant until,
      String sort,
      String title,
      @Nullable String author,
      @Nullable String note,
      List<String> tells) {

    public Told {
      tells = List.copyOf(tells);
    }

    private boolean isTask() {
      return teller != Teller.EVENT;
    }

    private Instant end() {
      return until == null ? time : until;
    }
  }

  private record Known(long change, String teller, @Nullable Instant until, boolean byEvent) {}

  private record Similar(
      long change,
      Instant time,
      @Nullable Instant until,
      boolean byEvent,
      boolean byTask,
      boolean failed,
      boolean sameChain) {

    /** How far away it is; null = it is another change. */
    @Nullable Duration distance(Told told) {
      if (sameChain) {
        return Duration.ZERO;
      }
      if (failed
          || told.teller == Teller.FAILED
          || told.teller == Teller.EVENT && byEvent
          || told.teller == Teller.TASK && byTask) {
        return null;
      }
      Instant end = until != null ? until : byTask ? time.plus(LONGEST_TASK) : time;
      Duration gap =
          told.time.isAfter(end)
              ? Duration.between(end, told.time)
              : told.end().isBefore(time) ? Duration.between(told.end(), time) : Duration.ZERO;
      return gap.compareTo(NEAR) > 0 ? null : gap;
    }
  }

  /** Waits until nobody else tells of changes, for the rest of the transaction. */
  public void lock() {
    jdbc.sql(LOCK).query(row -> {});
  }

  /** Records a change, or adds what is told to the change that it belongs to. */
  public Outcome tell(Told told) {
    Optional<Known> known = known(told);
    if (known.isPresent()) {
      return again(known.get(), told);
    }
    Similar similar = similar(told);
    long change;
    if (similar == null) {
      change = insert(told);
    } else {
      change = similar.change();
      merge(similar, told);
    }
    jdbc.sql(TELL)
        .param("source", told.source())
        .param("sourceId", told.sourceId())
        .param("change", change)
        .param("teller", told.teller().code())
        .param("chain", told.chain(), Types.BIGINT)
        .update();
    return similar == null ? Outcome.RECORDED : Outcome.MERGED;
  }

  private Optional<Known> known(Told told) {
    return jdbc.sql(KNOWN)
        .param("source", told.source())
        .param("sourceId", told.sourceId())
        .query(
            (row, number) ->
                new Known(
                    row.getLong("change_id"),
                    row.getString("teller"),
                    instantOrNull(row, "until"),
                    row.getBoolean("by_event")))
        .optional();
  }

  /** A task is told of when it starts and when it ends; all else is told once. */
  private Outcome again(Known known, Told told) {
    if (!known.teller().equals(Teller.TASK.code())
        || !told.isTask()
        || told.until() == null
        || known.until() != null) {
      return Outcome.KNOWN;
    }
    boolean failed = told.teller() == Teller.FAILED;
    say(known.change(), told.time(), known.byEvent() && !failed ? null : told.title());
    add(known.change(), told, told.until());
    jdbc.sql(TELLER)
        .param("teller", told.teller().code())
        .param("source", told.source())
        .param("sourceId", told.sourceId())
        .update();
    return Outcome.COMPLETED;
  }

  private @Nullable Similar similar(Told told) {
    return jdbc
        .sql(SIMILAR)
        .param("chain", told.chain(), Types.BIGINT)
        .param("source", told.source())
        .param("object", told.object())
        .param("sort", told.sort())
        .param("from", utc(told.time().minus(LONGEST_CHAIN)))
        .param("to", utc(told.end().plus(LONGEST_CHAIN)))
        .query((row, number) -> similar(row))
        .list()
        .stream()
        .filter(one -> one.distance(told) != null)
        .min(
            Comparator.comparing((Similar one) -> !one.sameChain())
                .thenComparing(one -> one.distance(told))
                .thenComparing(one -> Duration.between(one.time(), told.time()).abs())
                .thenComparing(Similar::change))
        .orElse(null);
  }

  private static Similar similar(ResultSet row) throws SQLException {
    return new Similar(
        row.getLong("id"),
        instant(row, "time"),
        instantOrNull(row, "until"),
        row.getBoolean("by_event"),
        row.getBoolean("by_task"),
        row.getBoolean("failed"),
        row.getBoolean("same_chain"));
  }

  private void merge(Similar similar, Told told) {
    boolean firstTask = told.isTask() && !similar.byTask() && !similar.failed();
    boolean words = told.teller() == Teller.FAILED || !told.isTask() && !similar.byEvent();
    say(similar.change(), firstTask ? told.time() : null, words ? told.title() : null);
    add(similar.change(), told, firstTask ? told.until() : null);
  }

  private long insert(Told told) {
    return jdbc.sql(INSERT)
        .param("time", utc(told.time()))
        .param("object", told.object())
        .param("sort", told.sort())
        .param("title", told.title())
        .param("until", utcOrNull(told.until()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("author", told.author() == null ? NOBODY : told.author())
        .param("note", told.note(), Types.VARCHAR)
        .param("tells", told.tells().toArray(String[]::new))
        .query(Long.class)
        .single();
  }

  private void say(long change, @Nullable Instant time, @Nullable String title) {
    if (time != null || title != null) {
      jdbc.sql(SAY)
          .param("time", utcOrNull(time), Types.TIMESTAMP_WITH_TIMEZONE)
          .param("title", title, Types.VARCHAR)
          .param("change", change)
          .update();
    }
  }

  private void add(long change, Told told, @Nullable Instant until) {
    jdbc.sql(ADD)
        .param("until", utcOrNull(until), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("nobody", NOBODY)
        .param("author", told.author() == null ? NOBODY : told.author())
        .param("note", told.note(), Types.VARCHAR)
        .param("tells", told.tells().toArray(String[]::new))
        .param("change", change)
        .update();
  }
}
