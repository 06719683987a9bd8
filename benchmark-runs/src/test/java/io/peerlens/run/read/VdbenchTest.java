package io.peerlens.run.read;

import static io.peerlens.run.read.Results.only;
import static io.peerlens.run.read.Results.read;
import static io.peerlens.run.read.Results.series;
import static io.peerlens.run.read.Results.value;
import static io.peerlens.run.read.Results.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VdbenchTest {

  private static final double MB = 1_048_576;

  /** As 50407 prints raw devices, with two columns more than before it. */
  private static final String PRINTED =
      """
      Copyright (c) 2000, 2018, Oracle and/or its affiliates. All rights reserved.
      Vdbench distribution: vdbench50407 Tue June 05  9:49:29 MDT 2018
      For documentation, see 'vdbench.pdf'.

      14:00:00.000 input argument scanned: '-f/tmp/p'
      14:00:03.003 Starting RD=run1; I/O rate: 5000; elapsed=3; For loops: threads=4

      Nov 27, 2026    interval        i/o   MB/sec   bytes   read     resp     read    write     read    write     resp  queue  cpu%  cpu%
                                     rate  1024**2     i/o    pct     time     resp     resp      max      max   stddev  depth sys+u   sys
      14:00:04.050             1    4000.0    15.62    4096  70.00    1.000    1.100    0.800    10.00     8.00    0.500    4.0   5.0   2.0
      14:00:05.050             2    5000.0    19.53    4096  70.00    2.000    2.200    1.500    20.00     9.00    0.600    4.0   6.0   2.5
      14:00:06.050             3    6000.0    23.44    4096  70.00    3.000    3.300    2.300    30.00    10.00    0.700    4.0   7.0   3.0
      14:00:06.060       avg_2-3    5500.0    21.48    4096  70.00    2.545    2.800    1.936    30.00    10.00    0.658    4.0   6.5   2.8
      14:00:06.070 Vdbench execution completed successfully.
      """;

  @TempDir Path folder;

  private static Path corpus() {
    Path shared = Path.of("..", "shared", "corpus").toAbsolutePath();
    Path beside = Path.of("..", "..", "shared", "corpus").toAbsolutePath().normalize();
    Path corpus = (Files.isDirectory(shared) ? shared : beside).resolve("benchmark-runs");
    assumeTrue(Files.isDirectory(corpus), "shared/corpus is not here");
    return corpus;
  }

  /** Every total is the tool's own average line, cell by cell, read here in another way. */
  @Test
  void totalsOfRealRunsAreTheToolsOwn() throws IOException {
    int lines = 0;
    List<Path> flatfiles;
    try (Stream<Path> all = Files.walk(corpus())) {
      flatfiles = all.filter(one -> one.endsWith("flatfile.html")).sorted().toList();
    }
    assertThat(flatfiles).hasSizeGreaterThan(25);
    for (Path flatfile : flatfiles) {
      Path parent = flatfile.getParent();
      List<Run> runs = new ArrayList<>();
      for (Run run : read(parent).runs()) {
        if (!run.name().contains("/")
            && run.remarks().stream().noneMatch(one -> one.contains("stopped"))) {
          runs.add(run);
        }
      }
      List<String> header = new ArrayList<>();
      int at = 0;
      for (String line : Files.readAllLines(flatfile, StandardCharsets.ISO_8859_1)) {
        List<String> cells = Arrays.asList(line.strip().split("\\s+"));
        if (cells.getFirst().equals("tod")) {
          header.clear();
          cells.forEach(one -> header.add(one.toLowerCase(Locale.ROOT)));
        } else if (line.contains(" avg_") && !line.contains("NaN")) {
          Run run = runs.get(at++);
          same(run, "iops", cells, header.indexOf("rate"), 1);
          same(run, "throughput", cells, header.indexOf("mb/sec"), MB);
          same(run, "latency", cells, header.indexOf("resp"), 1);
          same(run, "latency_max", cells, header.indexOf("resp_max"), 1);
          if (run.figure("read_latency") != null) {
            same(run, "read_latency", cells, header.indexOf("read_resp"), 1);
          }
          lines++;
        }
      }
      assertThat(at).as(flatfile.toString()).isEqualTo(runs.size());
    }
    assertThat(lines).isGreaterThan(30);
  }

  private static void same(Run run, String figure, List<String> cells, int column, double factor) {
    assertThat(column).isNotNegative();
    assertThat(value(run, figure))
        .as("%s of %s", figure, run.name())
        .isEqualTo(Double.parseDouble(cells.get(column)) * factor);
  }

  @Test
  void theSummarySaysTheSameAsTheFlatfile() throws IOException {
    Path whole = corpus().resolve("TheOtherOtherOperation__vdbconvert/test");
    List<Run> exact = read(whole).runs();
    Files.copy(whole.resolve("summary.html"), folder.resolve("summary.html"));
    List<Run> rounded = read(folder).runs();
    assertThat(rounded).hasSameSizeAs(exact).hasSize(3);
    for (int i = 0; i < exact.size(); i++) {
      Run one = rounded.get(i);
      assertThat(value(one, "iops")).isCloseTo(value(exact.get(i), "iops"), within(0.005));
      assertThat(value(one, "throughput"))
          .isCloseTo(value(exact.get(i), "throughput"), within(0.0051 * MB));
      assertThat(value(one, "write_latency"))
          .isCloseTo(value(exact.get(i), "write_latency"), within(0.0006));
      assertThat(one.start()).isEqualTo(exact.get(i).start());
    }
  }

  @Test
  void filesOfOneFolderMakeItsRuns() {
    List<Run> runs = read(corpus().resolve("TheOtherOtherOperation__vdbconvert/test")).runs();
    Run run = runs.getFirst();
    assertThat(run.start()).isEqualTo(Instant.parse("2016-04-08T19:49:00.011Z"));
    assertThat(run.parameters())
        .containsEntry(Parameter.MACHINES, "2")
        .containsEntry(Parameter.BLOCK_SIZE, "4096")
        .containsEntry(Parameter.READ_SHARE, "75")
        .containsEntry(Parameter.RANDOM_SHARE, "100")
        .containsEntry(Parameter.RATE_LIMIT, "50")
        .containsEntry(Parameter.WARM_UP, "1")
        .containsEntry(Parameter.OUTSTANDING, "2");
    // The warm-up is left out of series and distributions as of the average: 50.0169/s x 59 s.
    assertThat(series(run, "iops", "").values()).hasSize(59);
    assertThat(run.latencies().getFirst().count()).isEqualTo(2951);
    assertThat(value(run, "latency_p95")).isBetween(20.0, 40.0);
    assertThat(run.length()).hasSeconds(59);
  }

  @Test
  void fileSystemsHaveGroupsOfColumns() throws IOException {
    String name = "masakioui__vdb_nvme/nvme_1vm_raid0_read_seq_ran_1M_32t_w30_f3000_20190411";
    Run exact = only(read(corpus().resolve(name)));
    Files.copy(corpus().resolve(name).resolve("totals.html"), folder.resolve("totals.html"));
    Run rounded = only(read(folder));
    assertThat(value(rounded, "iops")).isCloseTo(value(exact, "iops"), within(1.0));
    assertThat(value(rounded, "read_throughput"))
        .isCloseTo(value(exact, "read_throughput"), within(MB));
    assertThat(value(rounded, "latency")).isCloseTo(value(exact, "latency"), within(0.001));
    assertThat(exact.parameters())
        .containsEntry(Parameter.BLOCK_SIZE, "1048576")
        .containsEntry(Parameter.READ_SHARE, "100")
        .containsEntry(Parameter.RANDOM_SHARE, "0")
        .containsEntry(Parameter.OUTSTANDING, "32");
    assertThat(exact.start()).isEqualTo(Instant.parse("2019-04-12T02:37:28.001Z"));
  }

  @Test
  void columnsOfNewVersionsAreFoundByTheirHeadings() throws IOException {
    Run run = only(read(write(folder, "printed.txt", PRINTED)));
    assertThat(run.version()).isEqualTo("50407");
    assertThat(run.parameters())
        .containsEntry(Parameter.THREADS, "4")
        .containsEntry(Parameter.RATE_LIMIT, "5000");
    assertThat(value(run, "iops")).isEqualTo(5500);
    assertThat(value(run, "latency")).isEqualTo(2.545);
    assertThat(value(run, "read_latency_max")).isEqualTo(30);
    assertThat(value(run, "write_latency_max")).isEqualTo(10);
    assertThat(value(run, "outstanding")).isEqualTo(4);
    assertThat(value(run, "cpu")).isEqualTo(6.5);
    assertThat(series(run, "iops", "").values()).containsExactly(5000, 6000);
    assertThat(series(run, "iops", "").seconds()).containsExactly(2, 3);
  }

  @Test
  void aRunThatWasStoppedHasTheMeanOfItsIntervals() throws IOException {
    String stopped =
        PRINTED.lines().filter(one -> !one.contains("avg_")).reduce("", (a, b) -> a + b + "\n");
    Run run = only(read(write(folder, "printed.txt", stopped)));
    assertThat(value(run, "iops")).isEqualTo(5500);
    assertThat(value(run, "latency")).isCloseTo((2.0 * 5000 + 3.0 * 6000) / 11_000, within(1e-9));
    assertThat(run.remarks()).singleElement().asString().contains("stopped");
  }

  @Test
  void loopsOverAParameterAreRunsOfTheirOwn() throws IOException {
    String header = "tod Run Interval reqrate rate MB/sec bytes/io read% resp xfersize threads\n";
    StringBuilder text = new StringBuilder("<pre>\n* heading\n").append(header);
    for (int threads : new int[] {1, 2}) {
      for (String interval : List.of("1", "2", "3", "avg_2-3")) {
        text.append(
            "10:00:0%s.000 rd1 %s 9999988 %d.0 0.1 4096 100.0 0.5 4096 %d%n"
                .formatted(
                    interval.charAt(0) == 'a' ? "3" : interval, interval, threads * 100, threads));
      }
    }
    text.append("10:00:04.000 rd1 1 99999");
    ResultFiles.Result result = read(write(folder, "flatfile.html", text.toString()));
    assertThat(result.runs()).extracting(Run::name).containsExactly("rd1", "rd1 #2");
    assertThat(result.runs())
        .extracting(one -> one.parameters().get(Parameter.THREADS))
        .containsExactly("1", "2");
    assertThat(value(result.runs().get(1), "iops")).isEqualTo(200);
    assertThat(result.runs().get(1).parameters()).doesNotContainKey(Parameter.RATE_LIMIT);
    assertThat(result.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(12);
              assertThat(problem.what()).contains("4 values under 11 headings");
            });
  }

  @Test
  void aRunThatPreparesIsLeftOutInSilence() throws IOException {
    String format =
        """
        14:00:01.004 Starting RD=SD_format; I/O rate: Uncontrolled MAX; elapsed=(none)

        Nov 27, 2026    interval        i/o   MB/sec   bytes   read     resp     read    write     read    write     resp  queue  cpu%  cpu%
                                       rate  1024**2     i/o    pct     time     resp     resp      max      max   stddev  depth sys+u   sys
        14:00:02.156           1      320.0    40.00  131072   0.00    0.739    0.000    0.739     0.00    32.50    2.466    0.2  36.5  25.0
        14:00:02.181     avg_2-1        0.0     0.00       0   0.00    0.000    0.000    0.000     0.00     0.00    0.000    0.0   NaN   NaN
        """;
    String both = PRINTED.replace("14:00:03.003 Starting", format + "14:00:03.003 Starting");
    Run run = only(read(write(folder, "printed.txt", both)));
    assertThat(run.name()).isEqualTo("printed/run1");
    assertThat(value(run, "iops")).isEqualTo(5500);
  }

  @Test
  void commasOfOtherCountriesAreRead() throws IOException {
    String text =
        """
        tod Run Interval reqrate rate MB/sec bytes/io read% resp
        10:00:01,000 rd1 1 9999988 100,0 0,5 4096 100,0 0,25
        10:00:02,000 rd1 2 9999988 200,0 0,5 4096 100,0 0,25
        10:00:03,000 rd1 avg_2-2 9999988 200,0 0,5 4096 100,0 0,25
        """;
    Run run = only(read(write(folder, "flatfile.html", text)));
    assertThat(value(run, "iops")).isEqualTo(200);
    assertThat(value(run, "latency")).isEqualTo(0.25);
  }

  @Test
  void datesOfOtherLanguagesAreRead() throws IOException {
    String created =
        "Vdbench summary report, created 06:00:01 5月 10 2023 CST (22:00:01 5月 09 2023 UTC)\n\n";
    String text = created + PRINTED.replace("Nov 27, 2026 ", "5月 10, 2023 ");
    Run run = only(read(write(folder, "summary.html", text)));
    assertThat(run.start()).isEqualTo(Instant.parse("2023-05-10T06:00:03.003Z"));
    assertThat(value(run, "iops")).isEqualTo(5500);
  }

  @Test
  void aLargeFlatfileIsReadInSeconds() throws IOException {
    String tail =
        " 25000.0000 37.0000 0.1445 4096 72.9730 44.0770 59.9303 1.2730 388.7140 91.8051 4096"
            + " 2.0000 75.0000 0.0000 0.0000 100.0000 16.0000 n/a 1.5000 2.0000 1.8284 n/a n/a n/a"
            + " n/a n/a\n";
    Path file = folder.resolve("flatfile.html");
    try (var out = Files.newBufferedWriter(file)) {
      out.write(
          "tod Run Interval reqrate rate MB/sec bytes/io read% resp read_resp write_resp resp_max"
              + " resp_std xfersize threads rdpct rhpct whpct seekpct lunsize version compratio"
              + " dedupratio queue_depth cpu_used cpu_user cpu_kernel cpu_wait cpu_idle\n");
      for (int i = 1; i <= 300_000; i++) {
        out.write(
            "%02d:%02d:%02d.000 rd1 %d".formatted(i / 3600 % 24, i / 60 % 60, i % 60, i) + tail);
      }
    }
    long start = System.nanoTime();
    Run run = only(read(file));
    assertThat((System.nanoTime() - start) / 1e9).isLessThan(20);
    assertThat(value(run, "iops")).isCloseTo(37, within(1e-9));
    assertThat(run.length()).isGreaterThan(Duration.ofHours(24));
    // Thinned out, as nobody looks at 300,000 points; what they say stays.
    assertThat(series(run, "iops", "").values().length).isBetween(50_000, 100_000);
    assertThat(series(run, "iops", "").values()).containsOnly(37);
    assertThat(series(run, "latency_max", "").values()).containsOnly(388.714);
  }
}
