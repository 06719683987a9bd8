package io.peerlens.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.standalone.esxtop.EsxtopChoice;
import io.peerlens.standalone.esxtop.EsxtopText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Batch output of esxtop on its way into the objects that Telegraf reports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EsxtopIT {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss").withZone(ZoneOffset.UTC);

  /** The newest value of a metric, and how many rows its set has. */
  private static final String VALUE =
      """
      select s.values[array_position(g.metrics, '%s')], count(*) over ()
      from sample s
      join metric_set m on m.id = s.set_id
      join metric_group g on g.id = m.group_id
      join object o on o.id = m.object_id
      where o.name = '%s' and g.name = '%s' and m.instance = '%s'
        and s.values[array_position(g.metrics, '%1$s')] is not null
      order by s.time desc
      """;

  private static final EsxtopText OF_WEB1 = of("web1");
  private static final EsxtopText OF_WEB2 = of("web2");

  private static EsxtopText of(String machine) {
    return new EsxtopText(
        "esx1",
        "Group Cpu(1:system)\\% Ready",
        "Group Cpu(7:" + machine + ")\\% Ready",
        "Vcpu(7:%s:71:vmx-vcpu-0:%1$s)\\%% Ready".formatted(machine),
        "Group Memory(7:" + machine + ")\\Numa Local MBytes",
        "Group Memory(7:" + machine + ")\\Numa Remote MBytes",
        "Numa Node(" + machine.substring(3) + ")\\Free MBytes",
        "Physical Disk SCSI Device(naa." + machine + ")\\Average Driver MilliSec/Command",
        "Physical Disk SCSI Device(naa." + machine + ")\\Queued Commands");
  }

  @TempDir static Path parent;

  private Path data;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(600);
  private StandaloneServer server;
  private String kafka;

  @BeforeAll
  void startWithAHostAndAMachineOfTelegraf() throws Exception {
    data = parent.resolve("data");
    int kafkaPort = Ports.anyFree();
    kafka = "127.0.0.1:" + kafkaPort;
    server =
        StandaloneServer.start(
            Options.parse(
                List.of(
                    "start",
                    "--no-sample",
                    "--data",
                    data.toString(),
                    "--port",
                    Integer.toString(Ports.anyFree()),
                    "--kafka-port",
                    Integer.toString(kafkaPort))),
            console());
    Path capture = parent.resolve("telegraf.lp");
    long nanos = start.toEpochMilli() * 1_000_000;
    Files.writeString(
        capture,
        """
        vsphere_host_cpu,vcenter=vc.example,moid=host-1,esxhostname=esx1.lab,dcname=dc,clustername=c usage_average=7 %1$d
        vsphere_vm_cpu,vcenter=vc.example,moid=vm-2,vmname=web2,esxhostname=esx1.lab,dcname=dc,clustername=c usage_average=5 %1$d
        vsphere_vm_cpu,vcenter=vc.example,moid=vm-1,vmname=web1,esxhostname=esx1.lab,dcname=dc,clustername=c ready_summation=300,usage_average=5 %1$d
        """
            .formatted(nanos));
    assertThat(replay(EsxtopChoice.NONE, capture).send()).isEqualTo(3);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        numbers(
                            "select count(*) from relation r join object o on o.id = r.child_id where o.name in ('web1', 'web2')"))
                    .containsExactly(2));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void valuesJoinTheObjectsAndMetricsOfTelegrafExactlyOnce() throws Exception {
    int objects = numbers("select count(*) from object").getFirst();
    Path file = parent.resolve("esx1.csv.gz");
    try (var gzip = new GZIPOutputStream(Files.newOutputStream(file))) {
      gzip.write(OF_WEB1.header().getBytes(UTF_8));
      for (int i = 1; i <= 3; i++) {
        gzip.write(line(10 * i, i).getBytes(UTF_8));
      }
    }
    for (int round = 0; round < 2; round++) {
      Replay replay = replay(EsxtopChoice.NONE, file);
      assertThat(replay.send()).isEqualTo(3);
      assertThat(replay.awaitStored(URI.create(server.url()), token())).isTrue();
      // Telegraf's sample and three of esxtop, in one series.
      assertThat(numbers(VALUE.formatted("ready_summation", "web1", "cpu", "")))
          .containsExactly(600, 4);
      assertThat(numbers(VALUE.formatted("ready_summation", "web1", "cpu", "0")))
          .containsExactly(600, 3);
      assertThat(numbers(VALUE.formatted("numaRemote_latest", "web1", "mem", "")))
          .containsExactly(3 * 1024, 3);
      assertThat(numbers(VALUE.formatted("freeMemory_latest", "esx1.lab", "numa", "1")))
          .containsExactly(3 * 1024, 3);
      assertThat(numbers(VALUE.formatted("deviceLatency_average", "esx1.lab", "disk", "naa.web1")))
          .containsExactly(3, 3);
      assertThat(numbers(VALUE.formatted("queued_latest", "esx1.lab", "esxtop|device", "naa.web1")))
          .containsExactly(3, 3);
    }
    assertThat(numbers("select count(*) from object")).containsExactly(objects);
    assertThat(numbers("select count(*) from dead_letter")).containsExactly(0);
    assertThat(
            numbers(
                """
                select count(*) from metric_group
                where object_kind = 'HostSystem'
                  and (name, units[array_position(metrics, 'freeMemory_latest')]) = ('numa', 'KB')
                """))
        .containsExactly(1);
  }

  @Test
  void aFileIsFollowedAcrossItsRotation() throws Exception {
    Path file = parent.resolve("growing.csv");
    AtomicBoolean goesOn = new AtomicBoolean(true);
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    replay(EsxtopChoice.NONE, file).follow(goesOn::get);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    Files.writeString(file, OF_WEB2.header() + line(101, 11));
    awaitRemote(11 * 1024);
    Files.writeString(file, line(102, 12), StandardOpenOption.APPEND);
    awaitRemote(12 * 1024);
    Files.move(file, parent.resolve("growing.csv.1"));
    Files.writeString(file, OF_WEB2.header() + line(103, 13));
    awaitRemote(13 * 1024);
    goesOn.set(false);
    thread.join(Duration.ofSeconds(20));
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void aCompressedFileIsNotFollowed() {
    assertThatThrownBy(
            () -> replay(EsxtopChoice.NONE, parent.resolve("x.csv.gz")).follow(() -> true))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("x.csv.gz is compressed");
  }

  @Test
  void aHostThatNobodyReportsIsRefusedAndMadeOnRequest() throws Exception {
    Path file = parent.resolve("lonely.csv");
    EsxtopText lonely =
        new EsxtopText("lonely", "Vcpu(7:x:71:vmx-vcpu-0:x)\\% Ready", "Memory\\Free MBytes");
    Files.writeString(file, lonely.header() + lonely.line(TIME.format(start), 1, 2));
    assertThatThrownBy(() -> replay(EsxtopChoice.NONE, file).send())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("No host is called lonely");
    assertThat(replay(new EsxtopChoice(null, null, true), file).send()).isEqualTo(1);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        numbers(
                            """
                            select count(*) from relation r
                            join object p on p.id = r.parent_id join object c on c.id = r.child_id
                            where p.external_id = 'lonely' and c.external_id = 'lonely/x' and c.name = 'x'
                            """))
                    .containsExactly(1));
  }

  private String line(int second, int value) {
    return OF_WEB1.line(
        TIME.format(start.plusSeconds(second)), 50, value, value, 9, value, value, value, value);
  }

  private void awaitRemote(int expected) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(numbers(VALUE.formatted("numaRemote_latest", "web2", "mem", "")))
                    .first()
                    .isEqualTo(expected));
  }

  private Replay replay(EsxtopChoice choice, Path file) {
    URI url = URI.create(server.url());
    return new Replay(
        List.of(file),
        kafka,
        0,
        false,
        new Replay.Esxtop(choice, () -> new ApiDirectory(new ApiClient(url, token()), url)),
        InstantSource.system(),
        console());
  }

  private String token() {
    try {
      return Files.readString(data.resolve("admin-token")).strip();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Console console() {
    return new Console(new PrintStream(out, true, UTF_8), false);
  }

  /** The first row, as whole numbers; empty when there is none. */
  private List<Integer> numbers(String sql) throws IOException, SQLException {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(data.resolve("database.properties"))) {
      properties.load(reader);
    }
    try (Connection connection =
            DriverManager.getConnection(
                properties.getProperty("url"),
                properties.getProperty("user"),
                properties.getProperty("password"));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      if (!result.next()) {
        return List.of();
      }
      return java.util.stream.IntStream.rangeClosed(1, result.getMetaData().getColumnCount())
          .mapToObj(
              column -> {
                try {
                  return (int) Math.round(result.getDouble(column));
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              })
          .toList();
    }
  }
}
