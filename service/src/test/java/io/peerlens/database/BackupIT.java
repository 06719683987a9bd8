package io.peerlens.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.Programs;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestDatabase;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** {@code scripts/backup} on a server with TimescaleDB; StandaloneIT tries the other edition. */
@Timeout(180)
class BackupIT {

  private static final Path SCRIPT = Path.of("..", "scripts", "backup").toAbsolutePath();

  @TempDir @Nullable Path folder;

  @Test
  void aSavedDatabaseIsRestoredWithAllItsRows() throws Exception {
    try (SampleData data = SampleData.create()) {
      assumeThat(data.database().timescale()).as("TimescaleDB").isTrue();
      Instant begin = Instant.now().minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.HOURS);
      int set =
          data.set(
              data.object("TEST", "Sensor", "s"),
              data.group("TEST", "Sensor", "g", List.of("m")),
              "");
      try (SampleData.Samples samples = data.samples()) {
        for (int minute = 0; minute < 3 * 24 * 60; minute++) {
          samples.add(begin.plusSeconds(60L * minute), set, minute);
        }
      }
      String token;
      try (PeerlensServer server = PeerlensServer.start(data.database(), Set.of(Role.API))) {
        token = Objects.requireNonNull(server.adminToken());
        assertThat(
                server
                    .admin()
                    .post(
                        "/groups",
                        "{\"name\": \"Sensors\", \"scope\": {\"objectKinds\": [{\"adapterKind\": \"TEST\", \"objectKind\": \"Sensor\"}]}}")
                    .status())
            .isEqualTo(201);
      }
      Path file = folder().resolve("peerlens.dump");
      run(data.database(), 0, "save", file);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(run(data.database(), 1, "save", file)).contains("is there already");
      assertThat(run(data.database(), 1, "restore", file)).contains("is not empty");

      TestDatabase another = TestDatabase.create();
      run(another, 0, "restore", file);
      assertThat(counts(another)).isEqualTo(counts(data.database()));
      assertThat(counts(another)).containsEntry("sample", 3L * 24 * 60);
      try (PeerlensServer server = PeerlensServer.start(another, Set.of(Role.API))) {
        ApiClient admin = new ApiClient(server.url(), token);
        assertThat(admin.get("/groups").json().path("items").path(0).path("name").asString())
            .isEqualTo("Sensors");
        // Its chunks are parts of a hypertable again, which takes more.
        try (Connection connection = another.connect()) {
          SampleData.sample(connection, Instant.now(), set, 1);
        }
        assertThat(counts(another)).containsEntry("sample", 3L * 24 * 60 + 1);
      }
    }
  }

  @Test
  void aFileThatIsNoBackupIsRefused() throws Exception {
    TestDatabase empty = TestDatabase.create();
    assumeThat(empty.timescale()).as("TimescaleDB").isTrue();
    Path file = folder().resolve("peerlens.dump");
    assertThat(run(empty, 1, "save", file)).contains("holds no Peerlens");
    assertThat(file).doesNotExist();
    assertThat(run(empty, 1, "restore", file)).contains("there is no such file");
    Files.writeString(file, "no dump");
    assertThat(run(empty, 1, "restore", file)).contains("is not a backup of a database");
    assertThat(folder().resolve("peerlens.dump.part")).doesNotExist();
  }

  private Path folder() {
    return Objects.requireNonNull(folder);
  }

  /** Rows of each table; chunks are counted with their hypertable. */
  private static Map<String, Long> counts(TestDatabase database) {
    JdbcClient jdbc =
        JdbcClient.create(
            new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
    Map<String, Long> counts = new TreeMap<>();
    for (String table :
        jdbc.sql(
                "select tablename from pg_tables where schemaname = 'public' and tablename not like 'node%' and tablename not like 'scheduled%'")
            .query(String.class)
            .list()) {
      counts.put(table, jdbc.sql("select count(*) from " + table).query(Long.class).single());
    }
    return counts;
  }

  private static String run(TestDatabase database, int exitCode, String act, Path file) {
    URI url = URI.create(database.jdbcUrl().substring("jdbc:".length()));
    Path docker = Programs.need("docker", "docker.io");
    String container =
        Programs.run(
                Map.of(),
                List.of(docker.toString(), "ps", "-q", "--filter", "publish=" + url.getPort()))
            .output()
            .strip();
    Programs.Result result =
        Programs.run(
            Map.of(
                "CONTAINER",
                container,
                "PGUSER",
                database.user(),
                "PGDATABASE",
                url.getPath().substring(1)),
            List.of("sh", SCRIPT.toString(), act, file.toString()));
    assertThat(result.exitCode()).as(result.output()).isEqualTo(exitCode);
    return result.output();
  }
}
