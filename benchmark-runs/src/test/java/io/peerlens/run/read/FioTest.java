package io.peerlens.run.read;

import static io.peerlens.run.read.Results.figure;
import static io.peerlens.run.read.Results.only;
import static io.peerlens.run.read.Results.read;
import static io.peerlens.run.read.Results.resource;
import static io.peerlens.run.read.Results.series;
import static io.peerlens.run.read.Results.value;
import static io.peerlens.run.read.Results.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Latencies;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Series;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FioTest {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** What 2.x wrote, with places of the list of percentiles that were not filled. */
  private static final String OLD =
      """
      fio: this platform does not support process shared mutexes, forcing use of threads.
      {
        "fio version" : "fio-2.1.3",
        "jobs" : [
          {
            "jobname" : "old",
            "groupid" : 0,
            "error" : 0,
            "read" : {
              "io_bytes" : 40960,
              "bw" : 4096,
              "iops" : 1024,
              "runtime" : 10000,
              "slat" : {"min" : 1, "max" : 9, "mean" : 2.00, "stddev" : 1.00},
              "clat" : {
                "min" : 100, "max" : 9000, "mean" : 498.00, "stddev" : 1.00,
                "percentile" : {
                  "50.000000" : 450, "95.000000" : 900, "99.000000" : 1500, "99.900000" : 2000,
                  "0.00" : 0, "0.00" : 0, "0.00" : 0
                }
              },
              "lat" : {"min" : 102, "max" : 9100, "mean" : 500.00, "stddev" : -nan},
              "bw_min" : 0
            },
            "write" : {
              "io_bytes" : 0, "bw" : 0, "iops" : 0, "runtime" : 0,
              "clat" : {"min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00},
              "lat" : {"min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00}
            }
          }
        ]
      }
      fio: done
      """;

  @TempDir Path folder;

  private static JsonNode json(String name) throws IOException {
    return MAPPER.readTree(Files.readString(resource(name)));
  }

  @Test
  void jobsWithBinsAddUp() throws IOException {
    Run run = only(read(resource("fio/two-jobs.json")));
    JsonNode jobs = json("fio/two-jobs.json").get("jobs");
    assertThat(jobs).hasSize(2);

    double iops = 0;
    double bytes = 0;
    double ops = 0;
    double weighted = 0;
    for (JsonNode job : jobs) {
      JsonNode reads = job.get("read");
      iops += reads.get("iops").doubleValue();
      bytes += reads.get("bw_bytes").doubleValue();
      ops += reads.get("total_ios").doubleValue();
      weighted +=
          reads.get("total_ios").doubleValue() * reads.at("/lat_ns/mean").doubleValue() / 1e6;
    }
    assertThat(value(run, "iops")).isCloseTo(iops, within(1e-6));
    assertThat(value(run, "read_iops")).isCloseTo(iops, within(1e-6));
    assertThat(value(run, "throughput")).isEqualTo(bytes);
    assertThat(value(run, "latency")).isCloseTo(weighted / ops, within(1e-9));
    assertThat(value(run, "write_iops")).isZero();
    assertThat(run.figure("write_latency")).isNull();

    Latencies all =
        run.latencies().stream()
            .filter(one -> one.direction() == Direction.BOTH)
            .findFirst()
            .orElseThrow();
    assertThat(all.count()).isEqualTo(ops);
    assertThat(value(run, "latency_p99"))
        .isBetween(
            Math.min(own(jobs.get(0), "99.000000"), own(jobs.get(1), "99.000000")) * 0.98,
            Math.max(own(jobs.get(0), "99.000000"), own(jobs.get(1), "99.000000")) * 1.02);
    assertThat(run.parameters())
        .containsEntry(Parameter.BLOCK_SIZE, "8192")
        .containsEntry(Parameter.READ_SHARE, "100")
        .containsEntry(Parameter.RANDOM_SHARE, "100")
        .containsEntry(Parameter.THREADS, "2")
        .containsEntry(Parameter.QUEUE_DEPTH, "1")
        .containsEntry(Parameter.OUTSTANDING, "2")
        .containsEntry(Parameter.WORKING_SET, "33554432")
        .containsEntry("ioengine", "psync");
    assertThat(run.version()).isEqualTo("3.33");
  }

  private static double own(JsonNode job, String percentile) {
    return job.at("/read/clat_ns/percentile").get(percentile).doubleValue() / 1e6;
  }

  @Test
  void percentilesOfBinsAreThoseOfTheToolWithinABin() throws IOException {
    Run run = only(read(resource("fio/grouped.json")));
    JsonNode writes = json("fio/grouped.json").at("/jobs/0/write");
    assertThat(value(run, "write_iops")).isEqualTo(writes.get("iops").doubleValue());
    for (String percentile : List.of("50", "95", "99", "99.9")) {
      String key = percentile + (percentile.contains(".") ? "00000" : ".000000");
      double tool = writes.at("/clat_ns/percentile").get(key).doubleValue() / 1e6;
      // A bin is at most a 64th wide.
      assertThat(value(run, "write_latency_p" + percentile))
          .as(percentile)
          .isCloseTo(tool, Percentage.withPercentage(1.6));
    }
    assertThat(run.parameters())
        .containsEntry(Parameter.THREADS, "2")
        .containsEntry(Parameter.OUTSTANDING, "8")
        .containsEntry(Parameter.QUEUE_DEPTH, "4");
    assertThat(run.remarks()).anyMatch(one -> one.contains("clat"));
  }

  @Test
  void binsOfTheWholeLatencyComeFirst() throws IOException {
    Run run = only(read(resource("fio/lat.json")));
    double tool =
        json("fio/lat.json").at("/jobs/0/read/lat_ns/percentile/95.000000").doubleValue() / 1e6;
    assertThat(value(run, "read_latency_p95")).isCloseTo(tool, Percentage.withPercentage(1.6));
    assertThat(run.remarks()).noneMatch(one -> one.contains("clat"));
  }

  @Test
  void documentsOfAStatusIntervalAreOneRunWithSeries() throws IOException {
    Run run = only(read(resource("fio/status.json")));
    String text = Files.readString(resource("fio/status.json"), StandardCharsets.UTF_8);
    JsonNode last = MAPPER.readTree(text.substring(text.lastIndexOf("\n{\n") + 1));
    assertThat(value(run, "read_iops")).isEqualTo(last.at("/jobs/0/read/iops").doubleValue());
    assertThat(value(run, "write_latency"))
        .isCloseTo(last.at("/jobs/0/write/lat_ns/mean").doubleValue() / 1e6, within(1e-9));
    assertThat(value(run, "iops")).isEqualTo(value(run, "read_iops") + value(run, "write_iops"));

    Series iops = series(run, "iops", "");
    assertThat(iops.values()).hasSize(4);
    // What was done in the intervals is what was done in all.
    double ops = 0;
    double before = 0;
    for (int i = 0; i < iops.values().length; i++) {
      ops += iops.values()[i] * (iops.seconds()[i] - before);
      before = iops.seconds()[i];
    }
    double all =
        last.at("/jobs/0/read/total_ios").doubleValue()
            + last.at("/jobs/0/write/total_ios").doubleValue();
    assertThat(ops).isCloseTo(all, Percentage.withPercentage(0.5));
    assertThat(run.length()).isBetween(Duration.ofMillis(2900), Duration.ofMillis(3200));
    // The first document was written so long after the start as its jobs had run.
    JsonNode first = MAPPER.readTree(text.substring(0, text.indexOf("\n}\n") + 2));
    assertThat(run.start())
        .isEqualTo(
            Instant.ofEpochMilli(
                first.get("timestamp_ms").longValue()
                    - first.at("/jobs/0/read/runtime").longValue()));

    // A single job: reads and writes have its own percentiles, together they have none.
    assertThat(value(run, "read_latency_p95"))
        .isEqualTo(last.at("/jobs/0/read/clat_ns/percentile/95.000000").doubleValue() * 1e-6);
    assertThat(value(run, "latency_p95")).isNaN();
    assertThat(figure(run, "latency_p95").reason()).contains("json+");
  }

  @Test
  void logsBesideBecomeSeries() throws IOException {
    Run run =
        only(read(copy("status.json", "mixed_iops.1.log", "mixed_bw.1.log", "mixed_lat.1.log")));
    Series reads = series(run, "read_iops", "");
    List<String> lines = Files.readAllLines(resource("fio/mixed_iops.1.log"));
    double[] first =
        lines.stream()
            .map(one -> one.split(", "))
            .filter(one -> one[2].equals("0"))
            .mapToDouble(one -> Double.parseDouble(one[1]))
            .toArray();
    assertThat(reads.values()).containsExactly(first);
    assertThat(reads.seconds()[0]).isEqualTo(0.5);
    assertThat(series(run, "iops", "").values()[0])
        .isEqualTo(first[0] + series(run, "write_iops", "").values()[0]);
    assertThat(series(run, "read_throughput", "").values()[0])
        .isBetween(first[0] * 4000, first[0] * 4200);
    assertThat(series(run, "read_latency", "").values()[0]).isBetween(0.01, 10.0);
  }

  private Path copy(String... names) throws IOException {
    for (String name : names) {
      Files.copy(resource("fio/" + name), folder.resolve(name));
    }
    return folder;
  }

  @Test
  void jobsAfterAStonewallAreARunOfTheirOwn() {
    List<Run> runs = read(resource("fio/stonewall.json")).runs();
    assertThat(runs).extracting(Run::name).containsExactly("stonewall/first", "stonewall/second");
    assertThat(runs.get(0).parameters()).containsEntry(Parameter.BLOCK_SIZE, "4096");
    assertThat(runs.get(1).parameters())
        .containsEntry(Parameter.BLOCK_SIZE, "65536")
        .containsEntry(Parameter.RANDOM_SHARE, "0");
    assertThat(value(runs.get(0), "write_iops")).isZero();
    assertThat(value(runs.get(1), "read_iops")).isZero();
    assertThat(runs.get(1).start()).isAfter(runs.get(0).start());
  }

  @Test
  void groupsThatRanAtTheSameTimeAreOneRun() throws IOException {
    // Two seconds in all cannot hold one second each, one after another, and what is before them.
    String text = Files.readString(resource("fio/stonewall.json"));
    write(folder, "new-group.json", text.replaceAll("\"elapsed\" : \\d+", "\"elapsed\" : 2"));
    Run run = only(read(folder));
    JsonNode jobs = json("fio/stonewall.json").get("jobs");
    assertThat(value(run, "iops"))
        .isEqualTo(jobs.at("/0/read/iops").doubleValue() + jobs.at("/1/write/iops").doubleValue());
    assertThat(run.parameters()).containsEntry(Parameter.BLOCK_SIZE, "4096 + 65536");
  }

  @Test
  void unifiedReportsHaveNoDirections() throws IOException {
    Run run = only(read(resource("fio/unified.json")));
    assertThat(value(run, "iops"))
        .isEqualTo(json("fio/unified.json").at("/jobs/0/mixed/iops").doubleValue());
    assertThat(run.figure("read_iops")).isNull();
    assertThat(value(run, "latency_p95")).isPositive();
  }

  @Test
  void clientsAreCountedWithoutTheirSum() throws IOException {
    Run run = only(read(resource("fio/client.json")));
    String text = Files.readString(resource("fio/client.json"));
    JsonNode all = MAPPER.readTree(text.substring(text.indexOf('{'))).get("client_stats");
    JsonNode sum = all.get(all.size() - 1);
    assertThat(sum.get("jobname").asString()).isEqualTo("All clients");
    assertThat(value(run, "read_iops")).isEqualTo(sum.at("/read/iops").doubleValue());
    assertThat(value(run, "write_iops")).isEqualTo(sum.at("/write/iops").doubleValue());
    assertThat(run.parameters())
        .containsEntry(Parameter.MACHINES, "1")
        .containsEntry(Parameter.OUTSTANDING, "8");
  }

  @Test
  void oldVersionsHaveMicrosecondsAndKibibytes() throws IOException {
    Run run = only(read(write(folder, "old.json", OLD)));
    assertThat(run.version()).isEqualTo("2.1.3");
    assertThat(value(run, "throughput")).isEqualTo(4096.0 * 1024);
    assertThat(value(run, "latency")).isCloseTo(0.5, within(1e-12));
    assertThat(value(run, "latency_p95")).isCloseTo(0.9, within(1e-12));
    assertThat(run.parameters())
        .containsEntry(Parameter.BLOCK_SIZE, "4096")
        .containsEntry(Parameter.READ_SHARE, "100");
  }

  @Test
  void bucketsOfOldVersionsAreNumbered() throws IOException {
    // Bucket 100 is 100 us; bucket 200 begins at (64 + 8) x 4 us and is 4 us wide.
    String bins =
        """
        "clat" : {"bins" : {"FIO_IO_U_PLAT_BITS" : 6, "FIO_IO_U_PLAT_VAL" : 64, "99" : 0,
                            "100" : 500, "200" : 500},""";
    Run run = only(read(write(folder, "old.json", OLD.replaceFirst("\"clat\" : \\{", bins))));
    assertThat(value(run, "read_latency_p50")).isCloseTo(0.1, within(1e-9));
    assertThat(value(run, "read_latency_p99.9")).isBetween(0.288, 0.292);
  }

  @Test
  void aSumOfClientsThatStandsAloneIsTaken() throws IOException {
    String text =
        "{\n\"fio version\" : \"fio-2.6\", \"client_stats\" : [{\"jobname\" : \"All clients\","
            + " \"mixed\" : {\"io_bytes\" : 400, \"bw\" : 40, \"iops\" : 10.0, \"runtime\" : 10000,"
            + " \"total_ios\" : 100}}]}\n";
    Run run = only(read(write(folder, "sum.json", text)));
    assertThat(value(run, "iops")).isEqualTo(10);
    assertThat(value(run, "throughput")).isEqualTo(40 * 1024.0);
  }

  @Test
  void aDocumentThatIsCutOffLeavesThoseBefore() throws IOException {
    String whole = Files.readString(resource("fio/status.json"));
    write(folder, "cut.json", whole.substring(0, whole.length() - 5_000));
    ResultFiles.Result result = read(folder);
    assertThat(result.runs()).hasSize(1);
    assertThat(result.runs().getFirst().length())
        .isBetween(Duration.ofMillis(2500), Duration.ofMillis(3200));
    assertThat(result.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.what()).contains("begins in line", "cut off");
              assertThat(problem.line()).isGreaterThan(890);
            });
  }

  @Test
  void documentsOfSeveralCallsAreSeveralRuns() throws IOException {
    String second =
        OLD.replace("\"total_ios\"", "\"x\"")
            .replace("\"old\"", "\"other\"")
            .replace("1024,", "512,");
    List<Run> runs = read(write(folder, "both.json", OLD + second)).runs();
    assertThat(runs).extracting(Run::name).containsExactly("both/old", "both/other");
    assertThat(value(runs.get(1), "iops")).isEqualTo(512);
  }

  @Test
  void anEndlessLogIsThinnedOut() throws IOException {
    StringBuilder log = new StringBuilder();
    // Each operation is logged: 20 a second of 4 KiB, for more than four hours.
    for (int i = 0; i < 300_000; i++) {
      log.append(i * 50L).append(", ").append(1_000_000 + i % 2).append(", 0, 4096, 0\n");
    }
    write(folder, "each_lat.1.log", log.toString());
    Run run = only(read(folder));
    Series latency = series(run, "read_latency", "");
    assertThat(latency.values().length).isBetween(1_000, 20_000);
    assertThat(Arrays.stream(latency.values()).average().orElseThrow())
        .isCloseTo(1.0000005, within(1e-6));
    assertThat(latency.seconds()).isSorted();
  }

  @Test
  void operationsThatAreLoggedOneByOneBecomeRates() throws IOException {
    StringBuilder iops = new StringBuilder();
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      iops.append(i * 2).append(", 1, 1, 4096, 0\n");
      bytes.append(i * 2).append(", 99999, 1, 4096, 0\n");
    }
    write(folder, "each_iops.1.log", iops.toString());
    write(folder, "each_bw.1.log", bytes.toString());
    Run run = only(read(folder));
    assertThat(series(run, "write_iops", "").values()).containsOnly(500);
    assertThat(series(run, "write_throughput", "").values()).containsOnly(500 * 4096.0);
  }

  @Test
  void timesSince1970BecomeTimesSinceTheStart() throws IOException {
    write(
        folder,
        "e_iops.1.log",
        "1700000000500, 100, 0, 0, 0, 0x0001\n1700000001000, 110, 0, 0, 0, 0x0001\n");
    assertThat(series(only(read(folder)), "read_iops", "").seconds()).containsExactly(0, 0.5);
  }

  @Test
  void jobsOfALogAddUp() throws IOException {
    write(folder, "j_iops.1.log", "500, 100, 0, 0\n1000, 110, 0, 0\n1500, 120, 0, 0\n");
    write(folder, "j_iops.2.log", "501, 300, 0, 0\n1002, 310, 0, 0\n1499, 320, 0, 0\nbroken\n");
    write(folder, "j_lat.1.log", "500, 1000000, 0, 0\n1000, 1000000, 0, 0\n1500, 1000000, 0, 0\n");
    write(folder, "j_lat.2.log", "500, 3000000, 0, 0\n1000, 3000000, 0, 0\n1500, 3000000, 0, 0\n");
    ResultFiles.Result result = read(folder);
    Run run = result.runs().getFirst();
    assertThat(series(run, "read_iops", "").values()).containsExactly(400, 420, 440);
    assertThat(series(run, "read_iops", "job 2").values()).containsExactly(300, 310, 320);
    assertThat(series(run, "read_latency", "").values()[0]).isCloseTo(2.5, within(1e-9));
    assertThat(result.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.file()).isEqualTo("j_iops.2.log");
              assertThat(problem.line()).isEqualTo(4);
            });
  }

  @Test
  void aDocumentOfTooManyValuesIsAProblem() throws IOException {
    String many = "1,".repeat(2_000_000) + "1";
    write(folder, "a.json", "{\n\"fio version\" : \"fio-3.1\", \"jobs\" : [" + many + "]}\n");
    ResultFiles.Result result = read(folder);
    assertThat(result.runs()).isEmpty();
    assertThat(result.problems()).hasSize(1);
  }

  @Test
  void textForPeopleIsNamedAsSuch() throws IOException {
    write(
        folder,
        "out.txt",
        "fio-3.33\nStarting 1 process\n\nrr: (groupid=0, jobs=1): err= 0: pid=1: Fri Nov 27\n");
    assertThat(read(folder).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.remedy()).contains("json+"));
  }

  @Test
  void jsonMayFollowALongText() throws IOException {
    String text =
        "rr: (groupid=0, jobs=1): err= 0: pid=1: Fri Nov 27\n"
            + "  read: IOPS=1, BW=1KiB/s\n".repeat(4_000)
            + Files.readString(resource("fio/grouped.json"));
    assertThat(only(read(write(folder, "both.txt", text))).name()).isEqualTo("both");
  }
}
