package io.peerlens.benchmarks;

import io.peerlens.Application;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.frame.Frames;
import io.peerlens.job.Progress;
import io.peerlens.learning.LearnedRange;
import io.peerlens.learning.Learning;
import io.peerlens.learning.StoredBands;
import io.peerlens.store.SetPart;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Learns bounds of so many series of so many VMs at a cold start, and then asks for them as ticks
 * do. The history is 28 days of hourly roll-ups, which is what samples every five minutes leave;
 * they are made up here and written as such, the samples themselves are not. Every series has a
 * rhythm of its own by day and week, and noise.
 *
 * <p>Printed are series learned in a second, with the rest that learning takes, processor time of
 * the thread that learns (without the database), the greatest heap (with what waits to be
 * collected, so it depends on {@code -Xmx}), bytes on disk for each series and day, and what an
 * evaluator's {@link StoredBands} need: reading an hour of all series, and holding a value of each
 * against its bounds.
 *
 * <pre>
 * java io.peerlens.benchmarks.LearningLoad JDBC_URL [VMS] [METRICS]
 * </pre>
 *
 * The database must be empty: the program makes the schema and everything in it. A second run on
 * the same day, with the same numbers, learns once more from what the first one made.
 */
public final class LearningLoad {

  private static final int HOURS = 28 * 24;
  private static final int TICKS = 20;
  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  private static final long EPOCH_2000_MICROS = 946_684_800_000_000L;

  private LearningLoad() {}

  /** Prepares the database, learns and prints what it took. */
  public static void main(String[] args) throws Exception {
    if (args.length < 1) {
      System.err.println("usage: LearningLoad JDBC_URL [VMS] [METRICS]");
      System.exit(2);
    }
    String url = args[0];
    int vms = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    int metrics = args.length > 2 ? Integer.parseInt(args[2]) : 10;
    Instant now = InstantSource.system().instant();
    Instant today = now.truncatedTo(ChronoUnit.DAYS);
    Flyway.configure().dataSource(url, null, null).load().migrate();
    try (Connection connection = DriverManager.getConnection(url)) {
      if (isEmpty(connection)) {
        long started = System.nanoTime();
        inventory(connection, vms, metrics, today);
        cells(connection, vms, metrics, today.minus(Duration.ofDays(1)));
        try (Statement sql = connection.createStatement()) {
          sql.execute("vacuum analyze");
        }
        print(
            "%,d rows of hourly roll-ups written in %.0f s%n", (long) vms * HOURS, since(started));
      }
      ConfigurableApplicationContext context =
          SpringApplication.run(
              Application.class,
              "--peerlens.roles=api",
              "--spring.datasource.url=" + url,
              "--spring.datasource.username=",
              "--spring.datasource.password=",
              "--logging.level.root=warn",
              "--server.port=0",
              "--server.address=127.0.0.1");
      try {
        learn(context, connection, now);
        ask(context, today, metrics);
      } finally {
        context.close();
      }
    }
  }

  private static double since(long started) {
    return (System.nanoTime() - started) / 1e9;
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format, values);
  }

  // The past ------------------------------------------------------------------------------------

  /** Whether there is no past; what was learned by an earlier run is removed. */
  private static boolean isEmpty(Connection connection) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.execute("truncate learned_block cascade");
      try (ResultSet row = sql.executeQuery("select not exists (select from metric_set)")) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private static void inventory(Connection connection, int vms, int metrics, Instant today)
      throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.executeUpdate(
          """
          insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
          select gen_random_uuid(), 'VMWARE', 'VirtualMachine', 'vm-' || i, 'vm-' || i, now(), now()
          from generate_series(1, %d) i
          """
              .formatted(vms));
      sql.executeUpdate(
          """
          insert into metric_group (adapter_kind, object_kind, name, metrics)
          select 'VMWARE', 'VirtualMachine', 'cpu', array_agg('metric' || i order by i) from generate_series(0, %d) i
          """
              .formatted(metrics - 1));
      sql.executeUpdate(
          "insert into metric_set (object_id, group_id) select o.id, g.id from object o, metric_group g order by o.id");
    }
    try (PreparedStatement sql =
        connection.prepareStatement("update level_state set rolled_until = ? where level = '1h'")) {
      sql.setObject(1, today.atOffset(ZoneOffset.UTC));
      sql.executeUpdate();
    }
  }

  /** Hour by hour, as roll-ups are written. */
  private static void cells(Connection connection, int vms, int metrics, Instant until)
      throws SQLException {
    int firstSet;
    try (Statement sql = connection.createStatement();
        ResultSet row = sql.executeQuery("select min(id) from metric_set")) {
      row.next();
      firstSet = row.getInt(1);
    }
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn(
                "copy sample_1h (time, set_id, samples, avg, min, max) from stdin (format binary)");
    ByteBuffer buffer = ByteBuffer.allocate((1 << 16) + 3 * (24 + 12 * metrics) + 100);
    buffer.put(Arrays.copyOf("PGCOPY\n\u00ff\r\n".getBytes(StandardCharsets.ISO_8859_1), 11));
    buffer.putInt(0).putInt(0);
    double[] values = new double[metrics];
    for (int hour = HOURS; hour > 0; hour--) {
      Instant time = until.minus(Duration.ofHours(hour));
      for (int vm = 0; vm < vms; vm++) {
        for (int metric = 0; metric < metrics; metric++) {
          values[metric] = value(vm, metric, time.getEpochSecond() / 3600);
        }
        buffer.putShort((short) 6);
        buffer.putInt(8).putLong(time.getEpochSecond() * 1_000_000 - EPOCH_2000_MICROS);
        buffer.putInt(4).putInt(firstSet + vm);
        buffer.putInt(4).putInt(12);
        array(buffer, values, 0);
        array(buffer, values, -3);
        array(buffer, values, 4);
        if (buffer.position() >= 1 << 16) {
          copy.writeToCopy(buffer.array(), 0, buffer.position());
          buffer.clear();
        }
      }
    }
    buffer.putShort((short) -1);
    copy.writeToCopy(buffer.array(), 0, buffer.position());
    copy.endCopy();
  }

  private static void array(ByteBuffer buffer, double[] values, double shift) {
    buffer.putInt(20 + values.length * 12).putInt(1).putInt(0).putInt(701);
    buffer.putInt(values.length).putInt(1);
    for (double value : values) {
      buffer.putInt(8).putDouble(value + shift);
    }
  }

  /** Busy by day and less on weekends, at an hour that differs from VM to VM, with noise. */
  private static double value(int vm, int metric, long hour) {
    long noise = (hour * 0x9e3779b97f4a7c15L ^ (vm * 31L + metric) * 0xbf58476d1ce4e5b9L) >>> 40;
    double day = Math.abs((hour + vm) % 24 - 12) / 12.0;
    double week = (hour / 24 + 4) % 7 < 5 ? 1 : 0.4;
    return 20 + metric + 30 * day * week + noise % 1000 / 100.0;
  }

  // Learning ------------------------------------------------------------------------------------

  private static void learn(
      ConfigurableApplicationContext context, Connection connection, Instant now)
      throws SQLException {
    List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    System.gc();
    long before = heap.stream().mapToLong(pool -> pool.getUsage().getUsed()).sum();
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long started = System.nanoTime();
    Learning.Result result = context.getBean(Learning.class).run(now, Progress.NONE, SetPart.WHOLE);
    double seconds = since(started);
    double worked = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9;
    long peak = heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    print(
        "%,d series learned in %.1f s, %,.0f a second; %.1f s of the processor here; heap %,d MB before, %,d MB at most%n",
        result.series(), seconds, result.series() / seconds, worked, before >> 20, peak >> 20);
    try (Statement sql = connection.createStatement();
        ResultSet row =
            sql.executeQuery(
                """
                select pg_total_relation_size('learned_block') + pg_total_relation_size('learned_band'),
                  (select sum(learned) from learned_block)
                """)) {
      row.next();
      print(
          "%,d bytes on disk, %.0f for each series and day; %,d have bounds that follow the hour of the week%n",
          row.getLong(1), row.getLong(1) / (double) result.series(), row.getLong(2));
    }
    try (Statement sql = connection.createStatement()) {
      sql.execute("update learned_block set since = day"); // asked for at once
    }
  }

  private static void ask(ConfigurableApplicationContext context, Instant today, int metrics) {
    ObjectGraph objects = context.getBean(Frames.class).objects();
    StoredBands bands = context.getBean(StoredBands.Factory.class).create();
    int vms = objects.count(VM);
    double[] values = new double[vms];
    for (int hour = 0; hour < 4; hour++) {
      Instant tick = today.plus(Duration.ofHours(hour));
      long started = System.nanoTime();
      for (int metric = 0; metric < metrics; metric++) {
        range(bands, metric, objects, tick);
      }
      print(
          "hour %d: %,d series read in %.0f ms%s%n",
          hour,
          (long) vms * metrics,
          since(started) * 1e3,
          hour == 0 ? ", one query for each metric" : ", one query");
      double[] millis = new double[TICKS];
      long outside = 0;
      for (int i = 0; i < TICKS; i++) {
        Instant next = tick.plusSeconds(60L * (i + 1));
        for (int vm = 0; vm < vms; vm++) {
          values[vm] = value(vm, 0, next.getEpochSecond() / 3600);
        }
        long from = System.nanoTime();
        for (int metric = 0; metric < metrics; metric++) {
          LearnedRange range = range(bands, metric, objects, next);
          outside += outside(values, range, Sensitivity.MEDIUM.margin());
        }
        millis[i] = since(from) * 1e3;
      }
      Arrays.sort(millis);
      print(
          "  a tick of %,d values: median %.2f ms, least %.2f ms (%,d outside)%n",
          (long) vms * metrics, millis[TICKS / 2], millis[0], outside / TICKS);
    }
  }

  private static LearnedRange range(
      StoredBands bands, int metric, ObjectGraph objects, Instant tick) {
    return Objects.requireNonNull(
        bands.at(VM, "cpu|metric" + metric, objects, tick.toEpochMilli()));
  }

  private static int outside(double[] values, LearnedRange range, double margin) {
    int outside = 0;
    for (int i = 0; i < values.length; i++) {
      double reach = margin * range.spread()[i];
      if (values[i] > range.upper()[i] + reach || values[i] < range.lower()[i] - reach) {
        outside++;
      }
    }
    return outside;
  }
}
