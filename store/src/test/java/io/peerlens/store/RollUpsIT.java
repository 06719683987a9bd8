package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.job.Progress;
import io.peerlens.support.SampleData;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RollUpsIT {
  private static final Instant START = Instant.parse("2026-11-01T10:17:00Z");
  private static final Duration LAG = Duration.ofMinutes(10);
  private static final Duration NOTED_BEFORE = LAG.minusMinutes(2);
  private static final int WIDTH = 4;
  private static final int MOST_PARTS = 4;

  private SampleData data;
  private int groupId;

  @BeforeAll
  void createDatabase() {
    data = SampleData.create();
    data.dataSource()
        .setMaximumPoolSize(3 * MOST_PARTS); // each reads, reads raw samples, and writes
    groupId = data.group("VMWARE", "VirtualMachine", "cpu", List.of("a", "b", "c", "d"));
  }

  @AfterAll
  void close() {
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql("truncate sample, sample_5m, sample_1h, rollup_dirty, level_part");
    data.sql("update level_state set rolled_until = null, kept_from = '-infinity'");
    data.sql("delete from object");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void equalsNaiveRecomputationAfterGapsLateSamplesAndKills(long seed) throws Exception {
    equalsNaiveRecomputation(new Random(seed), () -> 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13, 14})
  void equalsItInPartsWhoseNumberChanges(long seed) throws Exception {
    Random parts = new Random(-seed);
    equalsNaiveRecomputation(new Random(seed), () -> 1 + parts.nextInt(MOST_PARTS));
  }

  /**
   * @param parts in how many parts the next run is made
   */
  private void equalsNaiveRecomputation(Random random, IntSupplier parts) throws Exception {
    int[] sets = new int[6];
    for (int i = 0; i < sets.length; i++) {
      sets[i] = data.set(data.object("VMWARE", "VirtualMachine", "vm" + i), groupId, "");
    }
    Map<Integer, TreeMap<Instant, double[]>> truth = new HashMap<>();
    for (int set : sets) {
      truth.put(set, new TreeMap<>());
    }
    Written written = new Written();
    Instant now = START;
    for (int round = 0; round < 14; round++) {
      Instant end = now.plus(Duration.ofMinutes(5 + random.nextInt(90)));
      boolean gap = random.nextInt(5) == 0;
      for (Instant time = now; time.isBefore(end) && !gap; time = time.plusSeconds(20)) {
        for (int set : sets) {
          if (random.nextInt(10) > 0) {
            written.add(truth, set, time, values(random), end);
          }
        }
      }
      now = end;
      for (int late = random.nextInt(20); late > 0; late--) {
        long back = random.nextLong(Duration.between(START, now).toSeconds()) + 1;
        Instant time = now.minusSeconds(back).plusMillis(random.nextInt(1000));
        written.add(truth, sets[random.nextInt(sets.length)], time, values(random), now);
      }
      written.commit();
      for (int kills = random.nextInt(4); kills > 0; kills--) {
        runAndDie(random, now, parts.getAsInt());
      }
      if (random.nextInt(3) == 0) {
        runParts(data.dataSource(), now, parts.getAsInt());
      }
    }
    Instant later = now.plus(Duration.ofHours(2));
    int last = parts.getAsInt();
    runParts(data.dataSource(), later, last);

    assertThat(stored("sample_5m")).isNotEmpty();
    assertSame(stored("sample_5m"), naive(truth, Level.FIVE_MINUTES), "5m");
    assertSame(stored("sample_1h"), naive(truth, Level.ONE_HOUR), "1h");
    assertThat(assertSketches(truth)).isPositive();
    assertThat(count("rollup_dirty")).isZero();
    assertThat(runParts(data.dataSource(), later, last)).containsOnly(new RollUps.Result(0, 0, 0));
  }

  @Test
  void aPartLeavesTheOthersToOthers() {
    int[] sets = new int[4];
    for (int i = 0; i < sets.length; i++) {
      sets[i] = data.set(data.object("VMWARE", "VirtualMachine", "vm" + i), groupId, "");
      data.sample(START.plusSeconds(10), sets[i], i);
    }
    Instant now = START.plus(Duration.ofHours(3));
    SetPart part = new SetPart(1, 2);
    part(data.dataSource(), part).run(now, Progress.NONE);
    assertThat(sets("sample_1h"))
        .containsExactlyElementsOf(
            Arrays.stream(sets).filter(set -> set % 2 == 1).boxed().toList());
    assertThat(rolledUntil("1h")).as("what all parts have reached").isNull();
    part(data.dataSource(), new SetPart(0, 2)).run(now, Progress.NONE);
    assertThat(sets("sample_1h")).hasSize(4);
    assertThat(rolledUntil("1h")).isEqualTo(Instant.parse("2026-11-01T13:00:00Z"));
    assertThat(rolledUntil("5m")).isNotNull();
  }

  @Test
  void whoeverHasAnotherNumberOfPartsBeginsWhereTheLastOneWas() {
    int[] sets = new int[4];
    for (int i = 0; i < sets.length; i++) {
      sets[i] = data.set(data.object("VMWARE", "VirtualMachine", "vm" + i), groupId, "");
      data.sample(START.plusSeconds(10), sets[i], i);
    }
    Instant now = START.plus(Duration.ofHours(3));
    part(data.dataSource(), new SetPart(1, 2)).run(now, Progress.NONE);
    data.sql(
        "insert into rollup_dirty (bucket, part, noted_at) values ('2026-10-01', 0, '2026-10-01')");
    runParts(data.dataSource(), now, 3);
    assertThat(sets("sample_1h")).hasSize(4);
    assertThat(count("level_part")).isEqualTo(6);
    assertThat(count("rollup_dirty")).isZero();
    runParts(data.dataSource(), now, 1);
    assertThat(count("level_part")).isZero();
  }

  private List<Integer> sets(String table) {
    return data.jdbc()
        .sql("select set_id from " + table + " order by set_id")
        .query(Integer.class)
        .list();
  }

  private @Nullable Instant rolledUntil(String level) {
    return new LevelStates(data.jdbc()).of(level).rolledUntil();
  }

  @Test
  void aRollUpWaitsForTheLagAndTheEndOfItsBucket() {
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), groupId, "");
    Instant hour = Instant.parse("2026-11-01T10:00:00Z");
    data.sample(hour.plusSeconds(10), set, 1);
    RollUps rollUps = rollUps(data.dataSource());

    rollUps.run(hour.plusSeconds(15 * 60 - 1), Progress.NONE);
    assertThat(count("sample_5m")).isZero();
    rollUps.run(hour.plusSeconds(15 * 60), Progress.NONE);
    assertThat(count("sample_5m")).isOne();
    rollUps.run(hour.plusSeconds(70 * 60 - 1), Progress.NONE);
    assertThat(count("sample_1h")).isZero();
    rollUps.run(hour.plusSeconds(70 * 60), Progress.NONE);
    assertThat(count("sample_1h")).isOne();
  }

  @Test
  void aBucketOfOneSampleStoresNothingBesidesTheSample() {
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), groupId, "");
    data.sample(START, set, 1.5, Double.NaN, -3);
    rollUps(data.dataSource()).run(START.plus(Duration.ofHours(2)), Progress.NONE);

    assertThat(
            data.jdbc()
                .sql(
                    """
                    select count(*) from sample_5m
                    where samples = 1 and avg = array[1.5, null, -3]::float8[]
                      and counts is null and min is null and max is null and last is null
                    """)
                .query(Long.class)
                .single())
        .isOne();
  }

  @Test
  void aLateSampleNeverReplacesARollUpWhoseSamplesAreGone() {
    int first = data.set(data.object("VMWARE", "VirtualMachine", "vm1"), groupId, "");
    int second = data.set(data.object("VMWARE", "VirtualMachine", "vm2"), groupId, "");
    Instant hour = Instant.parse("2026-11-01T10:00:00Z");
    for (int i = 0; i < 180; i++) {
      data.sample(hour.plusSeconds(i * 20L), first, i);
    }
    Instant now = hour.plus(Duration.ofHours(3));
    rollUps(data.dataSource()).run(now, Progress.NONE);
    data.sql("delete from sample");
    data.sql("update level_state set kept_from = '2026-11-01T11:00:00Z' where level = 'raw'");

    data.sample(hour.plusSeconds(5), first, 1000);
    data.sample(hour.plusSeconds(5), second, 7);
    data.sql(
        "insert into rollup_dirty (bucket, noted_at) values ('2026-11-01T10:00:00Z', '2026-11-01')");
    rollUps(data.dataSource()).run(now, Progress.NONE);

    Map<String, Row> rows = stored("sample_5m");
    assertThat(row(rows, first, hour).samples()).isEqualTo(15);
    assertThat(row(rows, first, hour).max()[0]).isEqualTo(14);
    assertThat(row(rows, second, hour).avg()[0]).isEqualTo(7);
    assertThat(count("rollup_dirty")).isZero();
  }

  @Test
  void aLateSampleRebuildsTheSketchOfItsHour() {
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), groupId, "");
    Instant hour = Instant.parse("2026-11-01T10:00:00Z");
    data.sample(hour, set, 1, 5, 7);
    data.sample(hour.plusSeconds(20), set, 1, 6, Double.NaN);
    Instant now = hour.plus(Duration.ofHours(3));
    rollUps(data.dataSource()).run(now, Progress.NONE);
    assertThat(sketch(set, hour, 0)).as("of equal values").isNull();
    assertThat(sketch(set, hour, 2)).as("of one value").isNull();
    assertThat(Objects.requireNonNull(sketch(set, hour, 1)).count()).isEqualTo(2);

    data.sample(hour.plusSeconds(30), set, 100, 400, 7, 9);
    data.sql(
        "insert into rollup_dirty (bucket, noted_at) values ('2026-11-01T10:00:00Z', '2026-11-01')");
    rollUps(data.dataSource()).run(now, Progress.NONE);

    assertThat(Objects.requireNonNull(sketch(set, hour, 0)).atRank(3)).isEqualTo(100);
    ValueSketch second = Objects.requireNonNull(sketch(set, hour, 1));
    assertThat(second.count()).isEqualTo(3);
    assertThat(second.atRank(2)).isCloseTo(6, within(0.06));
    assertThat(second.atRank(3)).isEqualTo(400);
    assertThat(sketch(set, hour, 2)).as("of equal values").isNull();
  }

  @Test
  void anHourWhoseRawSamplesAreGoneKeepsItsSketchesUntilItChanges() {
    int first = data.set(data.object("VMWARE", "VirtualMachine", "vm1"), groupId, "");
    int second = data.set(data.object("VMWARE", "VirtualMachine", "vm2"), groupId, "");
    Instant hour = Instant.parse("2026-11-01T10:00:00Z");
    for (int i = 0; i < 90; i++) {
      data.sample(hour.plusSeconds(i * 20L), first, i);
      data.sample(hour.plusSeconds(i * 20L), second, i);
    }
    Instant now = hour.plus(Duration.ofHours(3));
    rollUps(data.dataSource()).run(now, Progress.NONE);
    data.sql("delete from sample");
    data.sql("update level_state set kept_from = '2026-11-01T11:00:00Z' where level = 'raw'");

    // The second half of the hour comes late for one of the two.
    data.sample(hour.plusSeconds(3000), second, 7);
    data.sql(
        "insert into rollup_dirty (bucket, noted_at) values ('2026-11-01T10:50:00Z', '2026-11-01')");
    rollUps(data.dataSource()).run(now, Progress.NONE);

    Map<String, Row> rows = stored("sample_1h");
    assertThat(row(rows, first, hour).samples()).isEqualTo(90);
    assertThat(Objects.requireNonNull(sketch(first, hour, 0)).count()).isEqualTo(90);
    assertThat(row(rows, second, hour).samples()).isEqualTo(91);
    assertThat(sketch(second, hour, 0)).as("of 90 of 91 values").isNull();
  }

  @Test
  void changedBucketsWaitUntilTheyAreQuiet() {
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), groupId, "");
    Instant hour = Instant.parse("2026-11-01T10:00:00Z");
    data.sample(hour, set, 1);
    Instant now = hour.plus(Duration.ofHours(2));
    RollUps patient =
        new RollUps(
            data.dataSource(),
            new SampleReader(data.dataSource()),
            LAG,
            Duration.ofSeconds(30),
            SetPart.WHOLE);
    patient.run(now, Progress.NONE);
    data.sample(hour.plusSeconds(1), set, 3);
    data.jdbc()
        .sql("insert into rollup_dirty (bucket, noted_at) values (?, ?)")
        .params(SampleData.time(hour), SampleData.time(now))
        .update();

    patient.run(now.plusSeconds(29), Progress.NONE);
    assertThat(row(stored("sample_5m"), set, hour).samples()).isEqualTo(1);
    patient.run(now.plusSeconds(30), Progress.NONE);
    assertThat(row(stored("sample_5m"), set, hour).samples()).isEqualTo(2);
    assertThat(row(stored("sample_1h"), set, hour).avg()[0]).isEqualTo(2);
  }

  @Test
  void aCancelledRollUpStopsAndContinuesLater() {
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), groupId, "");
    for (int i = 0; i < 48; i++) {
      data.sample(START.plus(Duration.ofMinutes(5L * i)), set, i);
    }
    Instant now = START.plus(Duration.ofHours(6));
    Progress oneStep =
        new Progress() {
          private long done;

          @Override
          public void total(long total) {}

          @Override
          public void done(long done) {
            this.done = done;
          }

          @Override
          public void detail(String detail) {}

          @Override
          public boolean cancelled() {
            return done > 0;
          }
        };
    RollUps rollUps = rollUps(data.dataSource());
    assertThat(rollUps.run(now, oneStep).buckets()).isEqualTo(12);
    assertThat(count("sample_5m")).isEqualTo(12);
    rollUps.run(now, Progress.NONE);
    assertThat(count("sample_5m")).isEqualTo(48);
  }

  // ---- as the writing side does it ------------------------------------------------------------

  /** Samples that come in the same round, and notes of the late ones. */
  private final class Written {
    private final SampleData.Samples rows = data.samples();
    private final List<String> notes = new ArrayList<>();

    void add(
        Map<Integer, TreeMap<Instant, double[]>> truth,
        int set,
        Instant time,
        double[] values,
        Instant now) {
      if (truth.computeIfAbsent(set, key -> new TreeMap<>()).putIfAbsent(time, values) != null) {
        return;
      }
      rows.add(time, set, values);
      Instant bucket = Level.instant(Level.FIVE_MINUTES.floor(Level.micros(time)));
      if (bucket.plus(Duration.ofMinutes(5)).isBefore(now.minus(NOTED_BEFORE))) {
        notes.add(bucket.toString());
      }
    }

    void commit() {
      rows.flush();
      data.jdbc()
          .sql("insert into rollup_dirty (bucket) select unnest(?::timestamptz[])")
          .param(notes.toArray(String[]::new))
          .update();
      notes.clear();
    }
  }

  private static double[] values(Random random) {
    double[] values = new double[1 + random.nextInt(WIDTH)];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (random.nextInt(6)) {
            case 0 -> Double.NaN;
            case 1 -> 0.1;
            default -> random.nextGaussian() * 1000;
          };
    }
    values[0] = Double.isNaN(values[0]) ? 1 : values[0];
    return values;
  }

  private RollUps rollUps(DataSource dataSource) {
    return part(dataSource, SetPart.WHOLE);
  }

  /**
   * All parts at once, as several nodes do it; a part that dies leaves its work to the next run.
   */
  private List<RollUps.Result> runParts(DataSource dataSource, Instant now, int parts)
      throws DataAccessException {
    ExecutorService nodes = Executors.newFixedThreadPool(parts);
    try {
      List<Future<RollUps.Result>> running = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        RollUps part = part(dataSource, new SetPart(i, parts));
        running.add(nodes.submit(() -> part.run(now, Progress.NONE)));
      }
      List<RollUps.Result> results = new ArrayList<>();
      DataAccessException died = null;
      for (Future<RollUps.Result> one : running) {
        try {
          results.add(one.get());
        } catch (ExecutionException e) {
          died = (DataAccessException) e.getCause();
        }
      }
      if (died != null) {
        throw died;
      }
      return results;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      nodes.shutdown();
    }
  }

  private RollUps part(DataSource dataSource, SetPart part) {
    // The notes carry the clock of the database, so no note would be quiet to a clock of
    // 2026-11-01.
    data.sql("update rollup_dirty set noted_at = '2026-10-01' where level = '5m'");
    return new RollUps(dataSource, new SampleReader(dataSource), LAG, Duration.ZERO, part);
  }

  private void runAndDie(Random random, Instant now, int parts) {
    try {
      runParts(new DyingDataSource(data.dataSource(), random), now, parts);
    } catch (DataAccessException expected) {
      // the point of it
    }
  }

  /** Connections that break after some calls, before or after the server has done the last one. */
  private static final class DyingDataSource extends DelegatingDataSource {
    private final Random random;
    private int callsLeft;

    DyingDataSource(DataSource target, Random random) {
      super(target);
      this.random = random;
      callsLeft = 1 + random.nextInt(60);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                boolean closing = method.getName().equals("close");
                boolean dies = !closing && --callsLeft <= 0;
                if (dies && random.nextBoolean()) {
                  connection.abort(Runnable::run);
                }
                try {
                  Object result = method.invoke(connection, arguments);
                  if (dies) {
                    connection.abort(Runnable::run);
                    throw new SQLException("killed after " + method.getName());
                  }
                  return result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  // ---- the same, naively ----------------------------------------------------------------------

  private record Row(
      int samples, int[] counts, double[] avg, double[] min, double[] max, double[] last) {}

  private static Map<String, Row> naive(
      Map<Integer, TreeMap<Instant, double[]>> truth, Level level) {
    Map<String, List<double[]>> grouped = new TreeMap<>();
    truth.forEach(
        (set, samples) ->
            samples.forEach(
                (time, values) -> {
                  long seconds = level.width().toSeconds();
                  Instant bucket = Instant.ofEpochSecond(time.getEpochSecond() / seconds * seconds);
                  grouped.computeIfAbsent(set + " " + bucket, key -> new ArrayList<>()).add(values);
                }));
    Map<String, Row> rows = new TreeMap<>();
    grouped.forEach(
        (key, samples) -> {
          Row row =
              new Row(
                  samples.size(),
                  new int[WIDTH],
                  new double[WIDTH],
                  new double[WIDTH],
                  new double[WIDTH],
                  new double[WIDTH]);
          for (int i = 0; i < WIDTH; i++) {
            double sum = 0;
            row.min()[i] = Double.NaN;
            row.max()[i] = Double.NaN;
            row.last()[i] = Double.NaN;
            for (double[] values : samples) {
              if (i < values.length && !Double.isNaN(values[i])) {
                row.counts()[i]++;
                sum += values[i];
                row.min()[i] =
                    Double.isNaN(row.min()[i]) ? values[i] : Math.min(row.min()[i], values[i]);
                row.max()[i] =
                    Double.isNaN(row.max()[i]) ? values[i] : Math.max(row.max()[i], values[i]);
                row.last()[i] = values[i];
              }
            }
            row.avg()[i] = sum / row.counts()[i];
          }
          rows.put(key, row);
        });
    return rows;
  }

  private Map<String, Row> stored(String table) {
    Map<String, Row> rows = new TreeMap<>();
    data.jdbc()
        .sql("select * from " + table)
        .query(
            (ResultSet row) -> {
              int samples = row.getInt("samples");
              double[] avg = doubles(row, "avg", new double[0]);
              int[] counts = new int[WIDTH];
              double[] stored = doubles(row, "counts", new double[0]);
              for (int i = 0; i < WIDTH; i++) {
                boolean present = !Double.isNaN(avg[i]);
                counts[i] =
                    row.getArray("counts") != null ? (int) stored[i] : present ? samples : 0;
              }
              rows.put(
                  row.getInt("set_id") + " " + row.getTimestamp("time").toInstant(),
                  new Row(
                      samples,
                      counts,
                      avg,
                      doubles(row, "min", avg),
                      doubles(row, "max", avg),
                      doubles(row, "last", avg)));
            });
    return rows;
  }

  /** Every stored sketch is near the samples of its hour; returns how many there are. */
  private int assertSketches(Map<Integer, TreeMap<Instant, double[]>> truth) {
    int[] found = {0};
    stored("sample_1h")
        .forEach(
            (key, row) -> {
              int set = Integer.parseInt(key.split(" ")[0]);
              Instant hour = Instant.parse(key.split(" ")[1]);
              for (int i = 0; i < WIDTH; i++) {
                int position = i;
                double[] values =
                    Objects.requireNonNull(truth.get(set))
                        .subMap(hour, hour.plus(Duration.ofHours(1)))
                        .values()
                        .stream()
                        .mapToDouble(of -> position < of.length ? of[position] : Double.NaN)
                        .filter(value -> !Double.isNaN(value))
                        .sorted()
                        .toArray();
                ValueSketch sketch = sketch(set, hour, i);
                if (values.length < 2 || values[0] == values[values.length - 1]) {
                  assertThat(sketch).as(key).isNull();
                } else {
                  assertThat(Objects.requireNonNull(sketch).count()).isEqualTo(values.length);
                  for (int rank = 1; rank <= values.length; rank++) {
                    double exact = values[rank - 1];
                    assertThat(sketch.atRank(rank))
                        .as(key)
                        .isCloseTo(exact, within(Math.abs(exact) * 0.0100001));
                  }
                  found[0]++;
                }
              }
            });
    return found[0];
  }

  private @Nullable ValueSketch sketch(int set, Instant hour, int position) {
    @Nullable ValueSketch[] found = {null};
    long from = Level.micros(hour);
    new SampleReader(data.dataSource())
        .read(
            Level.ONE_HOUR,
            new int[] {set},
            new int[] {position},
            EnumSet.allOf(SampleReader.Part.class),
            from,
            from + 1,
            row -> {
              byte[] sketch = row.sketch(0);
              if (sketch != null) {
                ValueSketch stored = new ValueSketch();
                stored.add(sketch, row.min(0), row.max(0));
                found[0] = stored;
              }
            });
    return found[0];
  }

  private static Row row(Map<String, Row> rows, int set, Instant time) {
    return Objects.requireNonNull(rows.get(set + " " + time));
  }

  private static double[] doubles(ResultSet row, String column, double[] otherwise)
      throws SQLException {
    if (row.getArray(column) == null) {
      return otherwise;
    }
    Object[] boxed = (Object[]) row.getArray(column).getArray();
    double[] values = new double[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      values[i] =
          i < boxed.length && boxed[i] != null ? ((Number) boxed[i]).doubleValue() : Double.NaN;
    }
    return values;
  }

  private static void assertSame(Map<String, Row> actual, Map<String, Row> expected, String what) {
    assertThat(actual.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (key, row) -> {
          Row other = Objects.requireNonNull(actual.get(key));
          String where = what + " " + key;
          assertThat(other.samples()).as(where).isEqualTo(row.samples());
          assertThat(other.counts()).as(where).isEqualTo(row.counts());
          assertThat(other.min()).as(where).isEqualTo(row.min());
          assertThat(other.max()).as(where).isEqualTo(row.max());
          assertThat(other.last()).as(where).isEqualTo(row.last());
          for (int i = 0; i < WIDTH; i++) {
            if (Double.isNaN(row.avg()[i])) {
              assertThat(other.avg()[i]).as(where).isNaN();
            } else {
              assertThat(other.avg()[i]).as(where).isCloseTo(row.avg()[i], within(1e-9));
            }
          }
        });
  }

  private long count(String table) {
    return data.jdbc().sql("select count(*) from " + table).query(Long.class).single();
  }
}
