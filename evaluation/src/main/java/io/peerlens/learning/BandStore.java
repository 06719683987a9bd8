package io.peerlens.learning;

import static io.peerlens.database.Times.utc;

import io.peerlens.baselines.State;
import io.peerlens.store.SetPart;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Storage of bands, block by block, and the list of those that are missing. Thread-safe. */
final class BandStore {

  private static final String LOCK = "select pg_advisory_xact_lock(hashtext('peerlens learning'))";

  /**
   * A block is used by ticks that begin so much later than it was written, about, so that all
   * evaluators find it at the same tick.
   */
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private static final String GROUPS =
      """
      select id, adapter_kind, object_kind, name, metrics from metric_group
      where cardinality(metrics) > 0 and (:id::int is null or id = :id) order by id
      """;

  private static final String INCOMPLETE =
      """
      with learned as (
        select set_id, max(until) as until from (
          select unnest(set_ids || empty_ids) as set_id, first_position + width as until
          from learned_block where day = :day) b
        group by set_id)
      select distinct s.group_id
      from metric_set s
      join metric_group g on g.id = s.group_id
      left join learned l on l.set_id = s.id
      where coalesce(l.until, 0) < cardinality(g.metrics)
      """;

  private static final String LAST_BLOCK =
      "select coalesce(max(id), 0) from learned_block where day = :day and group_id = :group";

  // How far the metrics of a set are learned; sets that lack some, those that lack the same ones
  // together.
  private static final String MISSING =
      """
      with learned as (
        select set_id, max(until) as until from (
          select unnest(set_ids || empty_ids) as set_id, first_position + width as until
          from learned_block where day = :day and group_id = :group) b
        group by set_id)
      select s.id, s.object_id, s.instance, coalesce(l.until, 0) as until
      from metric_set s left join learned l on l.set_id = s.id
      where s.group_id = :group and s.id % :parts = :part and coalesce(l.until, 0) < :width
      order by until, s.id
      """;

  // Blocks that came since are few, so their sets may be compared.
  private static final String OVERTAKEN =
      """
      select exists (
        select 1 from learned_block
        where day = :day and group_id = :group and id > :last
          and first_position < :until and first_position + width > :first
          and (set_ids || empty_ids) && :sets)
      """;

  private static final String INSERT_BLOCK =
      """
      insert into learned_block
        (group_id, day, first_position, width, sets, set_ids, empty_ids, state, days, spread,
         learning, learned, few_valued, constant, computed_at, since)
      values (:group, :day, :first, :width, :sets, :setIds, :emptyIds, :state, :days, :spread,
        :learning, :learned, :fewValued, :constant, :now, :since)
      returning id
      """;

  private static final String INSERT_BAND =
      "insert into learned_band (block_id, hour, lower, upper) values (:block, :hour, :lower,"
          + " :upper)";

  // Blocks of today and later without any bounds, by which nothing was judged.
  private static final String UNLEARNED = "day >= :day and learned + few_valued + constant = 0";

  // A roll-up of half a day of buckets at once is one of history. What is noted for later only gets
  // its sketches then; V60.
  private static final String HISTORY_ADDED =
      """
      select exists (
          select 1 from job j
          where (j.kind in ('back-fill', 'replay') or j.kind = 'roll-up' and j.done >= 144) and j.state = 'done'
            and j.finished_at > (select min(computed_at) from learned_block where %s))
        and not exists (
          select 1 from rollup_dirty
          where bucket < :day::timestamptz - interval '1 day' and noted_at <= now())
      """
          .formatted(UNLEARNED);

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final InstantSource clock;

  BandStore(JdbcClient jdbc, TransactionTemplate transactions, InstantSource clock) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.clock = clock;
  }

  /** All metric groups that have metrics. */
  List<MetricGroup> groups() {
    return groups(null);
  }

  /** A metric group that has metrics. */
  MetricGroup group(int id) {
    return groups(id).getFirst();
  }

  private List<MetricGroup> groups(@Nullable Integer id) {
    return jdbc.sql(GROUPS)
        .param("id", id)
        .query(
            (row, number) ->
                new MetricGroup(
                    row.getInt(1),
                    new ObjectKind(row.getString(2), row.getString(3)),
                    row.getString(4),
                    List.of((String[]) row.getArray(5).getArray())))
        .list();
  }

  /** Moves with every change of what sets and metrics there are. */
  long setsVersion() {
    return jdbc.sql("select sets_version from inventory_version").query(Long.class).single();
  }

  /** Ids of the groups with series of which nothing is stored for a day. */
  Set<Integer> incomplete(long day) {
    return new HashSet<>(
        jdbc.sql(INCOMPLETE).param("day", utc(Days.start(day))).query(Integer.class).list());
  }

  /**
   * The number of the block of a group and day that was written last; 0 = there is none. Read
   * before {@link #missing}, it tells {@link #write} what was known.
   */
  long lastBlock(MetricGroup group, long day) {
    return jdbc.sql(LAST_BLOCK)
        .param("day", utc(Days.start(day)))
        .param("group", group.id())
        .query(Long.class)
        .single();
  }

  /** Series of a group and a part of its sets of which nothing is stored for a day. */
  List<SetRange> missing(MetricGroup group, long day, SetPart part) {
    List<SetRange> ranges = new ArrayList<>();
    Collector collector = new Collector(group, ranges);
    jdbc.sql(MISSING)
        .param("day", utc(Days.start(day)))
        .param("group", group.id())
        .param("width", group.metrics().size())
        .param("parts", part.of())
        .param("part", part.number())
        .query(
            row -> {
              collector.take(row);
            });
    collector.flush();
    return ranges;
  }

  /** Rows that lack the same positions, put together. */
  private static final class Collector {
    private final MetricGroup group;
    private final List<SetRange> ranges;
    private IntStream.Builder sets = IntStream.builder();
    private IntStream.Builder objects = IntStream.builder();
    private List<String> instances = new ArrayList<>();
    private int first = -1;

    Collector(MetricGroup group, List<SetRange> ranges) {
      this.group = group;
      this.ranges = ranges;
    }

    void take(ResultSet row) throws SQLException {
      int from = row.getInt(4);
      if (from != first) {
        flush();
        first = from;
        sets = IntStream.builder();
        objects = IntStream.builder();
        instances = new ArrayList<>();
      }
      sets.add(row.getInt(1));
      objects.add(row.getInt(2));
      String instance = row.getString(3);
      instances.add(instance.isEmpty() ? "" : instance);
    }

    void flush() {
      if (!instances.isEmpty()) {
        ranges.add(
            new SetRange(
                group,
                sets.build().toArray(),
                objects.build().toArray(),
                instances.toArray(String[]::new),
                first,
                group.metrics().size() - first));
      }
    }
  }

  /**
   * Stores a block.
   *
   * @param lastKnown number of the last block of its group and day when it was found to be missing
   * @return false = another process has stored some of it meanwhile, so look again what is missing
   */
  boolean write(LearnedBlock block, long lastKnown) {
    return Boolean.TRUE.equals(
        transactions.execute(
            status -> {
              jdbc.sql(LOCK).query(row -> {});
              if (isOvertaken(block, lastKnown)) {
                return false;
              }
              insert(block);
              return true;
            }));
  }

  private boolean isOvertaken(LearnedBlock block, long lastKnown) {
    return jdbc.sql(OVERTAKEN)
        .param("day", utc(Days.start(block.day())))
        .param("group", block.group().id())
        .param("last", lastKnown)
        .param("first", block.first())
        .param("until", block.first() + block.width())
        .param(
            "sets",
            IntStream.concat(Arrays.stream(block.sets()), Arrays.stream(block.empty())).toArray())
        .query(Boolean.class)
        .single();
  }

  private void insert(LearnedBlock block) {
    Instant now = clock.instant();
    Instant usable = now.truncatedTo(ChronoUnit.MINUTES).plus(AHEAD).plus(AHEAD);
    Instant day = Days.start(block.day());
    long id =
        jdbc.sql(INSERT_BLOCK)
            .param("group", block.group().id())
            .param("day", utc(day))
            .param("first", block.first())
            .param("width", block.width())
            .param("sets", block.size())
            .param("setIds", block.sets())
            .param("emptyIds", block.empty())
            .param("state", block.states())
            .param("days", block.days())
            .param("spread", block.spread())
            .param("learning", block.count(State.LEARNING))
            .param("learned", block.count(State.LEARNED))
            .param("fewValued", block.count(State.FEW_VALUED))
            .param("constant", block.count(State.CONSTANT))
            .param("now", utc(now))
            .param("since", utc(usable.isAfter(day) ? usable : day))
            .query(Long.class)
            .single();
    for (int hour = 0; hour < Days.HOURS && block.hasBounds(); hour++) {
      jdbc.sql(INSERT_BAND)
          .param("block", id)
          .param("hour", hour)
          .param("lower", block.lower(hour))
          .param("upper", block.upper(hour))
          .update();
    }
  }

  /**
   * Whether history was filled in, and rolled up as far as bands are learned from it, since
   * something was found to have too little of it to be learned.
   *
   * @param day today; what was stored for it and later days counts
   */
  boolean isHistoryAdded(long day) {
    return jdbc.sql(HISTORY_ADDED).param("day", utc(Days.start(day))).query(Boolean.class).single();
  }

  /**
   * Forgets the blocks of a day and later ones that have no bounds, so that their series are looked
   * at again. Nothing was judged by them.
   */
  void forgetUnlearned(long day) {
    jdbc.sql("delete from learned_block where " + UNLEARNED)
        .param("day", utc(Days.start(day)))
        .update();
  }

  /** Forgets the bands of the days before one; returns how many blocks these were. */
  int forgetBefore(long day) {
    return jdbc.sql("delete from learned_block where day < :day")
        .param("day", utc(Days.start(day)))
        .update();
  }
}
