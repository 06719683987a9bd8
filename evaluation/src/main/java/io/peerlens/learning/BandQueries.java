package io.peerlens.learning;

import static io.peerlens.database.Times.utc;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of stored bands. Thread-safe. */
final class BandQueries {

  private static final String USABLE =
      """
      select sets_version,
        (select count(*) from learned_block where day = :day and since <= :tick) as blocks
      from inventory_version
      """;

  // The part of a block's column that belongs to one metric; NULL if the block does not have it.
  private static final String PART =
      """
      case when %1$d >= k.first_position and %1$d < k.first_position + k.width
        then substring(%2$s from %3$d * k.sets * (%1$d - k.first_position) + 1 for %3$d * k.sets) end\
      """;

  private static final String HOUR =
      """
      select k.set_ids%s
      from learned_block k join learned_band b on b.block_id = k.id
      where k.group_id = :group and k.day = :day and k.since <= :tick and b.hour = :hour
      """;

  private static final String BLOCKS =
      """
      select k.id, k.day, k.set_ids, k.empty_ids, %s, %s, %s
      from learned_block k
      where k.group_id = :group and k.day between :from and :to
        and :position >= k.first_position and :position < k.first_position + k.width
        and (:all or k.set_ids && :sets or k.empty_ids && :sets)
      order by k.id
      """;

  private static final String BANDS =
      """
      select k.id, b.hour, %s, %s
      from learned_block k join learned_band b on b.block_id = k.id
      where k.id = any (:blocks)
      """;

  /** Blocks are looked for by the sets in them only if these are few. */
  private static final int FEW = 100;

  private final JdbcClient jdbc;

  BandQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Versions that stored bands depend on.
   *
   * @param sets version of metric groups and sets
   * @param blocks how many blocks of the day may be used
   */
  record Usable(long sets, long blocks) {}

  /** As of a tick. */
  Usable usable(Instant tick) {
    return jdbc.sql(USABLE)
        .param("day", utc(Days.start(Days.day(tick))))
        .param("tick", utc(tick))
        .query((row, number) -> new Usable(row.getLong(1), row.getLong(2)))
        .single();
  }

  /**
   * The bounds of some metrics of all sets of a group in one hour.
   *
   * @param positions of the metrics, from 0
   * @param tick which hour, and what was usable by then
   * @return by position
   */
  Map<Integer, BandColumns> hour(int group, Collection<Integer> positions, Instant tick) {
    StringBuilder columns = new StringBuilder();
    for (int position : positions) {
      for (String column : List.of("b.lower", "b.upper", "k.spread")) {
        columns.append(", ").append(part(position, column, Float.BYTES));
      }
    }
    Map<Integer, Parts> parts = HashMap.newHashMap(positions.size());
    positions.forEach(position -> parts.put(position, new Parts()));
    jdbc.sql(HOUR.formatted(columns))
        .param("group", group)
        .param("day", utc(Days.start(Days.day(tick))))
        .param("tick", utc(tick))
        .param("hour", Math.floorMod(Days.hour(tick.toEpochMilli()), Days.HOURS))
        .query(
            row -> {
              int[] sets = ints(row, 1);
              int column = 2;
              for (int position : positions) {
                if (row.getObject(column) != null) {
                  Objects.requireNonNull(parts.get(position))
                      .add(
                          new BandColumns(
                              sets,
                              floats(row, column),
                              floats(row, column + 1),
                              floats(row, column + 2)));
                }
                column += 3;
              }
            });
    Map<Integer, BandColumns> found = HashMap.newHashMap(parts.size());
    parts.forEach((position, of) -> found.put(position, of.joined()));
    return found;
  }

  /** The object of each set of a group, by ids within the database. */
  Map<Integer, Integer> objects(int group) {
    Map<Integer, Integer> objects = new HashMap<>();
    jdbc.sql("select id, object_id from metric_set where group_id = :group")
        .param("group", group)
        .query(
            row -> {
              objects.put(row.getInt(1), row.getInt(2));
            });
    return objects;
  }

  /** The same metric of several blocks. */
  private static final class Parts {
    private final List<BandColumns> parts = new ArrayList<>();
    private int size;

    void add(BandColumns part) {
      parts.add(part);
      size += part.sets().length;
    }

    BandColumns joined() {
      BandColumns all =
          new BandColumns(new int[size], new float[size], new float[size], new float[size]);
      int at = 0;
      for (BandColumns part : parts) {
        int length = part.sets().length;
        System.arraycopy(part.sets(), 0, all.sets(), at, length);
        System.arraycopy(part.lower(), 0, all.lower(), at, length);
        System.arraycopy(part.upper(), 0, all.upper(), at, length);
        System.arraycopy(part.spread(), 0, all.spread(), at, length);
        at += length;
      }
      return all.sorted();
    }
  }

  /**
   * One metric of a stored block.
   *
   * @param sets ids, ascending; the other columns belong to them
   * @param empty ids of sets without any values, ascending
   * @param states as in {@link LearnedBlock#state}
   * @param days whole days that were learned from
   */
  record StoredBlock(
      long id, long day, int[] sets, int[] empty, float[] spread, byte[] states, byte[] days) {}

  /**
   * One metric of the blocks of some days, in the order in which they were stored.
   *
   * @param sets those that matter; other blocks may be left out
   */
  List<StoredBlock> blocks(int group, int position, long firstDay, long lastDay, int[] sets) {
    return jdbc.sql(
            BLOCKS.formatted(
                part(position, "k.spread", Float.BYTES),
                part(position, "k.state", 1),
                part(position, "k.days", 1)))
        .param("group", group)
        .param("position", position)
        .param("from", utc(Days.start(firstDay)))
        .param("to", utc(Days.start(lastDay)))
        .param("all", sets.length > FEW)
        .param("sets", sets.length > FEW ? new int[0] : sets)
        .query(
            (row, number) ->
                new StoredBlock(
                    row.getLong(1),
                    Days.day(row.getObject(2, OffsetDateTime.class).toInstant()),
                    ints(row, 3),
                    ints(row, 4),
                    floats(row, 5),
                    row.getBytes(6),
                    row.getBytes(7)))
        .list();
  }

  /** Receiver of the bounds of one metric in one hour of a day. */
  @FunctionalInterface
  interface BandHandler {
    void take(long block, int hour, float[] lower, float[] upper);
  }

  /** The bounds of one metric in all hours of some blocks, in no particular order. */
  void bands(List<StoredBlock> blocks, int position, BandHandler handler) {
    if (blocks.isEmpty()) {
      return;
    }
    jdbc.sql(
            BANDS.formatted(
                part(position, "b.lower", Float.BYTES), part(position, "b.upper", Float.BYTES)))
        .param("blocks", blocks.stream().mapToLong(StoredBlock::id).toArray())
        .query(
            row -> {
              handler.take(row.getLong(1), row.getInt(2), floats(row, 3), floats(row, 4));
            });
  }

  private static String part(int position, String column, int bytes) {
    return PART.formatted(position, column, bytes);
  }

  private static int[] ints(ResultSet row, int column) throws SQLException {
    Integer[] boxed = (Integer[]) row.getArray(column).getArray();
    return Arrays.stream(boxed).mapToInt(Integer::intValue).toArray();
  }

  private static float[] floats(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    float[] values = new float[bytes.length / Float.BYTES];
    ByteBuffer.wrap(bytes).asFloatBuffer().get(values);
    return values;
  }
}
