package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.baselines.compare.PeriodVerdict;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is said of 27 real runs of vdbench, of one NVMe server with two RAID levels
 * (masakioui/vdb_nvme). The test cuts the columns of flatfile.html itself; parameters are those in
 * the names of the folders.
 */
class RealRunsTest {

  private static final Path CORPUS =
      Path.of("../../shared/corpus/benchmark-runs/masakioui__vdb_nvme");

  private static final Pattern NAME =
      Pattern.compile("nvme_1vm_(raid\\d)_(?:read_seq_ran_)?(\\d+)([kM])_(\\d+)t_.*");

  private static List<Run> runs() throws IOException {
    assumeTrue(Files.isDirectory(CORPUS), "no " + CORPUS);
    List<Run> runs = new ArrayList<>();
    try (Stream<Path> folders = Files.list(CORPUS)) {
      for (Path folder : folders.sorted().toList()) {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        if (name.matches()) {
          runs.add(run(folder, name));
        }
      }
    }
    return runs;
  }

  private static Run run(Path folder, Matcher name) throws IOException {
    List<String> columns = List.of();
    List<double[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("flatfile.html"))) {
      String[] words = line.strip().split("\\s+");
      if (words[0].equals("tod")) {
        columns = Arrays.asList(words);
      } else if (!columns.isEmpty() && words.length == columns.size()) {
        String interval = words[columns.indexOf("Interval")];
        if (interval.matches("\\d+")) {
          rows.add(
              new double[] {
                Double.parseDouble(interval),
                Double.parseDouble(words[columns.indexOf("Rate")]),
                Double.parseDouble(words[columns.indexOf("Resp")])
              });
        }
      }
    }
    double[] seconds = rows.stream().mapToDouble(row -> row[0]).toArray();
    double[] iops = rows.stream().mapToDouble(row -> row[1]).toArray();
    double[] latency = rows.stream().mapToDouble(row -> row[2]).toArray();
    long size = Long.parseLong(name.group(2)) * (name.group(3).equals("k") ? 1024 : 1 << 20);
    TreeMap<String, String> parameters = new TreeMap<>();
    parameters.put(Parameter.BLOCK_SIZE, Long.toString(size));
    parameters.put(Parameter.THREADS, name.group(4));
    parameters.put(Parameter.OUTSTANDING, name.group(4));
    parameters.put(Parameter.READ_SHARE, "100");
    parameters.put("raid", name.group(1));
    parameters.put("output", folder.getFileName().toString());
    return new Run(
        "vdbench",
        "50407",
        folder.getFileName().toString(),
        null,
        Duration.ofSeconds(rows.size()),
        parameters,
        List.of(
            new Series("iops", "", "IO/s", seconds, iops),
            new Series("latency", "", "ms", seconds, latency)),
        List.of(
            Figure.of("iops", "IO/s", Arrays.stream(iops).average().orElse(0)),
            Figure.of("latency", "ms", Arrays.stream(latency).average().orElse(0))),
        List.of(),
        List.of());
  }

  @Test
  void sweepsOfBlockSizeAndOutstandingAreFound() throws IOException {
    List<Sweep> sweeps = Sweeps.find(runs()).sweeps();

    Sweep sizes = sweeps.getFirst();
    assertThat(sizes.parameter()).isEqualTo(Parameter.BLOCK_SIZE);
    assertThat(sizes.fixed()).containsEntry("raid", "raid5").containsEntry("threads", "32");
    assertThat(sizes.sentence()).isEqualTo("10 runs differ in block size only, from 4K to 2M.");
    assertThat(sweeps)
        .filteredOn(one -> one.parameter().equals(Parameter.OUTSTANDING))
        .extracting(one -> one.fixed().get("raid") + " " + one.title() + ": " + one.points().size())
        .containsExactlyInAnyOrder(
            "raid0 1M, all reads: 4",
            "raid0 4K, all reads: 3",
            "raid0 8K, all reads: 2",
            "raid5 4K, all reads: 3",
            "raid5 8K, all reads: 3");
    assertThat(sweeps).filteredOn(one -> one.parameter().equals("raid")).hasSize(6);
  }

  @Test
  void aLimitIsReadBetweenMeasuredRuns() throws IOException {
    Sweep sweep =
        Sweeps.find(runs()).sweeps().stream()
            .filter(one -> one.title().equals("1M, all reads"))
            .filter(one -> one.parameter().equals(Parameter.OUTSTANDING))
            .findFirst()
            .orElseThrow();

    assertThat(Reading.of(Curve.of(sweep, Curve.Load.IOPS, Curve.Latency.MEAN), 0.5, 1).sentence())
        .isEqualTo(
            "25,400 IOPS at 0.5 ms (mean) or less, 25,400 per node; between measured 0.298 and 1.19 ms.");
  }

  @Test
  void runsOfAMinuteAreSeldomShownToBeSteady() throws IOException {
    List<SteadyState> states = runs().stream().map(SteadyState::of).toList();

    assertThat(states).hasSize(27);
    assertThat(states)
        .filteredOn(one -> one.judgement() == SteadyState.Judgement.STEADY)
        .hasSizeBetween(3, 8);
    assertThat(states)
        .filteredOn(one -> one.judgement() == SteadyState.Judgement.NOT_STEADY)
        .hasSizeBetween(5, 10);
    assertThat(states)
        .extracting(SteadyState::sentence)
        .noneMatch(one -> one.contains("NaN") || one.contains("Infinity"));
  }

  @Test
  void theTwoRunsOfTheSameNameAreRepeatsThatDiffer() throws IOException {
    Sweeps.Repeats repeats = Sweeps.find(runs()).repeats().getFirst();

    assertThat(repeats.runs()).hasSize(2);
    RunComparison comparison =
        RunComparison.of(repeats.runs().getFirst(), repeats.runs().getLast(), null);
    assertThat(comparison.judgement()).isEqualTo(PeriodVerdict.WORSE);
    assertThat(comparison.metrics().getFirst().interval().low()).isGreaterThanOrEqualTo(-100);
  }
}
