package io.peerlens.planning;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.run.read.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Store of files with results of benchmarks, as they came. Thread-safe. */
final class BenchmarkImportStore {

  private static final JsonMapper JSON = JsonMapper.shared();

  private static final int PART = 1 << 20;

  private static final String BEGIN =
      """
      insert into benchmark_import (id, job_id, file_name, size, state, imported_at, imported_by)
      values (:id, :job, :name, :size, 'reading', :at, :by)
      """;

  private static final String IMPORT =
      """
      select i.*, (select count(*) from benchmark_run r where r.import_id = i.id) as runs
      from benchmark_import i where i.id = :id
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  BenchmarkImportStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** A file with results. */
  record Origin(
      UUID id, UUID jobId, String fileName, long size, Instant importedAt, String importedBy) {}

  /** An import and how far it is. */
  record Import(Origin origin, String state, List<Problem> problems, int runs) {}

  /** Stores a file before it is read. */
  void begin(Origin origin, Path file) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql(BEGIN)
              .param("id", origin.id())
              .param("job", origin.jobId())
              .param("name", origin.fileName())
              .param("size", origin.size())
              .param("at", utc(origin.importedAt()))
              .param("by", origin.importedBy())
              .update();
          try (InputStream in = Files.newInputStream(file)) {
            int part = 0;
            for (byte[] some = in.readNBytes(PART); some.length > 0; some = in.readNBytes(PART)) {
              jdbc.sql("insert into benchmark_import_part values (?, ?, ?)")
                  .params(origin.id(), part++, some)
                  .update();
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Writes a file as it came. */
  void copy(UUID id, OutputStream out) throws IOException {
    for (int part = 0; ; part++) {
      Optional<byte[]> some =
          jdbc.sql("select content from benchmark_import_part where import_id = ? and part = ?")
              .params(id, part)
              .query((row, number) -> row.getBytes(1))
              .optional();
      if (some.isEmpty()) {
        return;
      }
      out.write(some.get());
    }
  }

  /** Notes that a file was read, or could not be. */
  void end(UUID id, List<Problem> problems, String state) {
    jdbc.sql(
            "update benchmark_import set state = :state, problems = :problems::jsonb where id = :id")
        .param("id", id)
        .param("state", state)
        .param("problems", JSON.writeValueAsString(problems))
        .update();
  }

  /** Imports whose node has died do not end by themselves. */
  void failAbandoned() {
    jdbc.sql(
            """
            update benchmark_import i set state = 'failed' where state = 'reading'
              and not exists (select from job j where j.id = i.job_id and j.finished_at is null)
            """)
        .update();
  }

  Optional<Import> find(UUID id) {
    return jdbc.sql(IMPORT)
        .param("id", id)
        .query(
            (row, number) ->
                new Import(
                    origin(row),
                    row.getString("state"),
                    JSON.readValue(
                        row.getString("problems"), new TypeReference<List<Problem>>() {}),
                    row.getInt("runs")))
        .optional();
  }

  private static Origin origin(ResultSet row) throws SQLException {
    return new Origin(
        row.getObject("id", UUID.class),
        row.getObject("job_id", UUID.class),
        row.getString("file_name"),
        row.getLong("size"),
        instant(row, "imported_at"),
        row.getString("imported_by"));
  }
}
