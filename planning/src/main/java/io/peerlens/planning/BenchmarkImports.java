package io.peerlens.planning;

import io.peerlens.database.Uuid7;
import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.planning.BenchmarkImportStore.Origin;
import io.peerlens.planning.BenchmarkRunStore.Tested;
import io.peerlens.run.Run;
import io.peerlens.run.read.Problem;
import io.peerlens.run.read.ResultFiles;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Imports of results of benchmarks: the file is stored as it comes, and read in the background on
 * the node that took it. Thread-safe.
 */
final class BenchmarkImports {

  private static final Logger log = LoggerFactory.getLogger(BenchmarkImports.class);

  /** The longest file in bytes. */
  static final long MOST_BYTES = 256L << 20;

  private final BenchmarkImportStore store;
  private final BenchmarkRunRecords records;
  private final BenchmarkDrift drift;
  private final Jobs jobs;
  private final InstantSource clock;

  /** Files are read one at a time: each may take some hundred megabytes. */
  private final Semaphore reading = new Semaphore(1);

  BenchmarkImports(
      BenchmarkImportStore store,
      BenchmarkRunRecords records,
      BenchmarkDrift drift,
      Jobs jobs,
      InstantSource clock) {
    this.store = store;
    this.records = records;
    this.drift = drift;
    this.jobs = jobs;
    this.clock = clock;
  }

  /**
   * Stores a file and begins to read it.
   *
   * @param tested null = nobody says what was tested
   * @param from when the first run began, where the tool does not say it; null = not known
   * @throws ApiException when the file is too long
   * @throws IOException when it cannot be received
   */
  UUID begin(
      InputStream file,
      String fileName,
      @Nullable Tested tested,
      @Nullable Instant from,
      String note,
      String by)
      throws IOException {
    Instant now = clock.instant();
    UUID id = Uuid7.at(now);
    Path copy = Files.createTempDirectory("peerlens-benchmark-").resolve(plain(fileName));
    JobRun job = null;
    try {
      long size = receive(file, copy);
      JobRun begun =
          jobs.start(JobRecord.Kind.BENCHMARK_RUNS, "Benchmark runs of " + fileName, "runs", false);
      job = begun;
      Origin origin = new Origin(id, begun.id(), fileName, size, now, by);
      store.begin(origin, copy);
      Thread.ofVirtual()
          .name("benchmark-import")
          .start(() -> read(origin, copy, tested, from, note, begun));
      return id;
    } catch (IOException | RuntimeException e) {
      if (job != null) {
        job.fail("The file could not be stored.");
      }
      delete(copy);
      throw e;
    }
  }

  /** A name that any file system takes; runs are named by it. */
  private static String plain(String fileName) {
    String plain = fileName.replaceAll("[^A-Za-z0-9._ -]", "_").replaceAll("^[. ]+", "");
    return plain.isEmpty() ? "results" : plain.substring(Math.max(0, plain.length() - 100));
  }

  private static void delete(Path copy) {
    try {
      Files.deleteIfExists(copy);
      Files.deleteIfExists(copy.getParent());
    } catch (IOException e) {
      log.warn("The temporary file {} could not be deleted", copy, e);
    }
  }

  private static long receive(InputStream file, Path copy) throws IOException {
    long size = 0;
    byte[] buffer = new byte[1 << 16];
    try (var out = Files.newOutputStream(copy)) {
      for (int n = file.read(buffer); n >= 0; n = file.read(buffer)) {
        size += n;
        if (size > MOST_BYTES) {
          throw ApiException.of(
                  ErrorCode.BODY_TOO_LARGE, "The body is longer than " + MOST_BYTES + " bytes.")
              .hint("Import parts of the folder one after another.");
        }
        out.write(buffer, 0, n);
      }
    }
    if (size == 0) {
      throw ApiException.of(ErrorCode.INVALID_BODY, "The body is empty.")
          .hint("Send a ZIP of a result folder, or one result file.");
    }
    return size;
  }

  private void read(
      Origin origin,
      Path copy,
      @Nullable Tested tested,
      @Nullable Instant from,
      String note,
      JobRun job) {
    try (job) {
      reading.acquire();
      try {
        ResultFiles.Result result = ResultFiles.read(copy);
        List<Run> runs = placed(result.runs(), from);
        job.total(runs.size());
        for (int i = 0; i < runs.size(); i++) {
          records.take(origin, i, runs.get(i), tested, note);
          job.done(i + 1L);
        }
        if (tested != null) {
          drift.judge(tested.uuid(), clock.instant());
        }
        List<Problem> problems = problems(origin, result);
        store.end(origin.id(), problems, "done");
        if (!problems.isEmpty()) {
          job.detail(problems.size() + " problems");
        }
        job.finish();
      } finally {
        reading.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed(origin, job, "The node ended.");
    } catch (IOException | RuntimeException e) {
      log.warn("Results of benchmarks in {} could not be imported", origin.fileName(), e);
      failed(origin, job, String.valueOf(e.getMessage()));
    } finally {
      delete(copy);
    }
  }

  /** What was read before stays. */
  private void failed(Origin origin, JobRun job, String why) {
    store.end(
        origin.id(),
        List.of(
            new Problem(
                origin.fileName(),
                0,
                "Reading ended early: " + why,
                "Delete the runs of this import, and import the file again.")),
        "failed");
    job.fail(why);
  }

  /** Where nothing at all was found, that is said, too. */
  private static List<Problem> problems(Origin origin, ResultFiles.Result result) {
    if (!result.runs().isEmpty() || !result.problems().isEmpty()) {
      return result.problems();
    }
    return List.of(
        new Problem(
            origin.fileName(),
            0,
            "There is no result of a tool that is known.",
            "Send the folder as the tool has written it: docs/benchmark-runs.md names the files of each tool."));
  }

  /** Runs without a start follow the one before them. */
  private static List<Run> placed(List<Run> runs, @Nullable Instant from) {
    List<Run> placed = new ArrayList<>();
    Instant next = from;
    for (Run run : runs) {
      Instant start = run.start() == null ? next : run.start();
      placed.add(
          new Run(
              run.tool(),
              run.version(),
              run.name(),
              start,
              run.length(),
              run.parameters(),
              run.series(),
              run.figures(),
              run.latencies(),
              run.remarks()));
      if (start != null && next != null && run.length().compareTo(Duration.ZERO) > 0) {
        next = start.plus(run.length());
      }
    }
    return placed;
  }
}
