package io.peerlens.run.read;

import static io.peerlens.run.read.Results.figure;
import static io.peerlens.run.read.Results.only;
import static io.peerlens.run.read.Results.read;
import static io.peerlens.run.read.Results.series;
import static io.peerlens.run.read.Results.value;
import static io.peerlens.run.read.Results.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Figure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders as HCIBench's parsers write and read them; no real one is public. */
class HciBenchTest {

  private static final String FIO = "fio-8vmdk-100ws-4k-100rdpct-100randompct-4threads-1700000000";
  private static final String VDBENCH =
      "vdb-2vmdk-50ws-4k-70rdpct-100randompct-2threads-1700000000";

  @TempDir Path folder;

  /** Documents of a VM: one while it runs, and the last. Latency is all in one bin, at middle. */
  private static String fio(int ops, long middle, boolean bins) {
    return document(ops / 2, middle, bins, 2, 5) + document(ops, middle, bins, 0, 10);
  }

  private static String document(int ops, long middle, boolean bins, int eta, int seconds) {
    return """
        {
          "fio version" : "fio-3.30",
          "timestamp" : %d,
          "jobs" : [
            {
              "jobname" : "job0", "groupid" : 0, "eta" : %d, "elapsed" : %d,
              "job options" : {"iodepth" : "4", "ioengine" : "libaio", "bs" : "4k", "rw" : "randread"},
              "read" : {
                "io_bytes" : %d, "io_kbytes" : 1, "bw" : %d, "bw_bytes" : %d, "iops" : %s,
                "runtime" : %d, "total_ios" : %d,
                "lat_ns" : {
                  "min" : 1, "max" : %d, "mean" : %d, "N" : %d,
                  "percentile" : {"95.000000" : %d}%s
                }
              },
              "write" : {
                "io_bytes" : 0, "io_kbytes" : 0, "bw" : 0, "iops" : 0.0, "runtime" : 0,
                "total_ios" : 0, "lat_ns" : {"min" : 0, "max" : 0, "mean" : 0.0, "N" : 0}
              }
            }
          ]
        }
        """
        .formatted(
            1_700_000_100 + seconds,
            eta,
            seconds,
            ops * 4096L,
            ops * 4 / seconds,
            ops * 4096L / seconds,
            (double) ops / seconds,
            seconds * 1000,
            ops,
            middle,
            middle,
            ops,
            middle,
            bins ? ", \"bins\" : {\"%d\" : %d}".formatted(middle, ops) : "");
  }

  private void fioFolder(boolean bins) throws IOException {
    write(folder, FIO + "/hci-fio-ds-1-10.0.0.1.json", fio(1_000, 1_003_520, bins));
    write(folder, FIO + "/hci-fio-ds-1-10.0.0.2.json", fio(9_000, 10_027_008, bins));
    write(
        folder,
        FIO + "/resource_usage.info",
        "{\"cluster\": {\"cpu.usage\": 41.5, \"mem.usage\": \"60.25%\"}}");
    write(
        folder,
        FIO + "-res.txt",
        """
        Datastore     = vsanDatastore
        =============================
        JOB_NAME\t= job0
        VMs\t\t= 2
        IOPS\t\t= 1000.00 IO/S
        THROUGHPUT\t= 3.00 MB/s
        R_LATENCY\t= 5.5153 ms
        W_LATENCY\t= 0.0000 ms
        95%tile_R_LAT\t= 5.5153 ms
        95%tile_W_LAT\t= 0.0000 ms
        =============================
        Resource Usage:
        +---------+
        """);
  }

  @Test
  void latencyOfFioIsWeightedAndPercentilesAreOfAddedBins() throws IOException {
    fioFolder(true);
    Run run = only(read(folder));
    assertThat(run.tool()).isEqualTo("hcibench");
    assertThat(run.name()).isEqualTo(FIO);
    assertThat(figure(run, "iops")).isEqualTo(Figure.of("iops", "IO/s", 1000));
    // HCIBench rounds the throughput down to whole MB: no difference.
    assertThat(figure(run, "throughput").toolValue()).isNull();
    assertThat(value(run, "throughput")).isEqualTo(4_096_000);

    Figure mean = figure(run, "read_latency");
    assertThat(mean.value()).isCloseTo(0.1 * 1.00352 + 0.9 * 10.027008, within(1e-9));
    assertThat(mean.toolValue()).isEqualTo(5.5153);
    assertThat(mean.reason()).contains("mean of the VMs' means");

    Figure percentile = figure(run, "read_latency_p95");
    assertThat(percentile.value()).isCloseTo(10.027, within(0.08));
    assertThat(percentile.toolValue()).isEqualTo(5.5153);
    assertThat(percentile.reason()).contains("mean of the VMs' 95th");
  }

  @Test
  void partsOfTheNameAreParameters() throws IOException {
    fioFolder(true);
    Run run = only(read(folder));
    assertThat(run.parameters())
        .containsEntry(Parameter.DISKS, "8")
        .containsEntry("working_set_percent", "100")
        .containsEntry(Parameter.BLOCK_SIZE, "4096")
        .containsEntry(Parameter.READ_SHARE, "100")
        .containsEntry(Parameter.RANDOM_SHARE, "100")
        .containsEntry(Parameter.THREADS, "4")
        .containsEntry(Parameter.MACHINES, "2")
        .containsEntry(Parameter.OUTSTANDING, "64")
        .containsEntry("generator", "fio 3.30")
        .containsEntry("datastore", "vsanDatastore")
        .doesNotContainKey(Parameter.QUEUE_DEPTH);
    assertThat(value(run, "resource|cluster|cpu.usage")).isEqualTo(41.5);
    assertThat(value(run, "resource|cluster|mem.usage")).isEqualTo(60.25);
    assertThat(run.start()).isEqualTo(Instant.ofEpochSecond(1_700_000_100));
  }

  @Test
  void eachVmHasItsSeries() throws IOException {
    fioFolder(true);
    Run run = only(read(folder));
    assertThat(series(run, "iops", "hci-fio-ds-1-10.0.0.2").values()).containsExactly(900, 900);
    assertThat(series(run, "iops", "").values()).containsExactly(1000, 1000);
    assertThat(series(run, "read_latency", "").values()[1]).isCloseTo(9.1247, within(1e-3));
  }

  @Test
  void withoutBinsThePercentileIsUnknownAndTheToolsStandsBeside() throws IOException {
    fioFolder(false);
    Figure percentile = figure(only(read(folder)), "read_latency_p95");
    assertThat(percentile.value()).isNaN();
    assertThat(percentile.toolValue()).isEqualTo(5.5153);
    assertThat(percentile.reason()).contains("percentile of nothing", "json+");
  }

  @Test
  void aVmThatEndedEarlyIsCounted() throws IOException {
    fioFolder(true);
    write(folder, FIO + "/hci-fio-ds-1-10.0.0.3.json", document(1_000, 1_003_520, true, 99, 10));
    write(
        folder,
        FIO + "-res.txt",
        """
        Datastore     = vsanDatastore
        There are 1 VMs finished testing early, those VMs are not used for summarizing results
        =============================
        JOB_NAME\t= job0
        VMs\t\t= 2
        IOPS\t\t= 1000.00 IO/S
        =============================
        """);
    Run run = only(read(folder));
    Figure iops = figure(run, "iops");
    assertThat(iops.value()).isEqualTo(1100);
    assertThat(iops.toolValue()).isEqualTo(1000);
    assertThat(iops.reason()).contains("leaves VMs out");
    assertThat(run.remarks()).anyMatch(one -> one.contains("was stopped"));
  }

  private static String vdbench(int rate, double latency) {
    return """
        Vdbench distribution: vdbench50406 Wed July 20 15:49:52 MDT 2016
        14:00:03.003 Starting RD=run1; I/O rate: Uncontrolled MAX; elapsed=3; For loops: None

        Nov 27, 2026  interval        i/o   MB/sec   bytes   read     resp     read    write     resp     resp queue  cpu%%  cpu%%
                                     rate  1024**2     i/o    pct     time     resp     resp      max   stddev depth sys+u   sys
        14:00:04.050         1   %1$d.00    10.00    4096 100.00   %2$.3f   %2$.3f    0.000   50.000    1.000   4.0   5.0   2.0
        14:00:05.050         2   %1$d.00    10.00    4096 100.00   %2$.3f   %2$.3f    0.000   50.000    1.000   4.0   5.0   2.0
        14:00:06.050         3   %1$d.00    10.00    4096 100.00   %2$.3f   %2$.3f    0.000   50.000    1.000   4.0   5.0   2.0
        14:00:06.060   avg_2-3   %1$d.00    10.00    4096 100.00   %2$.3f   %2$.3f    0.000   50.000    1.000   4.0   5.0   2.0
        """
        .formatted(rate, latency);
  }

  private static String histogram(int low, int high) {
    return """
        Total response time histogram.
        14:00:03.003 Starting RD=run1; I/O rate: Uncontrolled MAX

        Reads and writes:
          min(ms) <     max(ms)        count       %%%%    cum%%%%  '+': Individual%%%%

            0.000 <       1.000       %,7d  10.0000  10.0000  +
            1.000 <       2.000             0  10.0000  10.0000  +
            2.000 <       4.000             0  10.0000  10.0000  +
            4.000 <         max       %,7d  90.0000 100.0000  +
        """
        .formatted(low, high);
  }

  private void vdbenchFolder() throws IOException {
    write(folder, VDBENCH + "/hci-vdb-ds-1-10.0.0.1.txt", vdbench(1000, 1));
    write(folder, VDBENCH + "/hci-vdb-ds-1-10.0.0.2.txt", vdbench(3000, 5));
    write(
        folder,
        VDBENCH + "-res.txt",
        """
        Datastore     = vsanDatastore
        =============================
        Version:\tvdbench50406
        Run Def:\tRD=run1; I/O rate: Uncontrolled MAX
        VMs\t\t= 2
        IOPS\t\t= 4000.0 IO/S
        THROUGHPUT\t= 20.0 MB/s
        LATENCY\t\t= 3.0 ms
        R_LATENCY\t= 3.0 ms
        W_LATENCY\t= 0.0 ms
        95%tile_LAT\t= 4.65 ms
        =============================
        Resource Usage:
        """);
  }

  @Test
  void percentileOfVdbenchIsNoMultipleOfTheDeviation() throws IOException {
    vdbenchFolder();
    write(folder, VDBENCH + "/10.0.0.1/histogram.html", histogram(2_000, 0));
    write(folder, VDBENCH + "/10.0.0.2/histogram.html", histogram(3_000, 5_000));
    Run run = only(read(folder));
    assertThat(value(run, "iops")).isEqualTo(4000);
    assertThat(value(run, "throughput")).isEqualTo(20 * 1_048_576.0);
    Figure mean = figure(run, "latency");
    assertThat(mean.value()).isEqualTo(4);
    assertThat(mean.toolValue()).isEqualTo(3);
    // Half of the operations are in a bucket without an upper bound: at least 4 ms.
    Figure percentile = figure(run, "latency_p95");
    assertThat(percentile.value()).isEqualTo(4);
    assertThat(percentile.toolValue()).isEqualTo(4.65);
    assertThat(percentile.reason()).contains("1.645");
    assertThat(value(run, "latency_p50")).isCloseTo(1.0, within(1e-9));
    assertThat(series(run, "iops", "").values()).containsExactly(4000, 4000);
    assertThat(run.parameters())
        .containsEntry(Parameter.MACHINES, "2")
        .containsEntry(Parameter.OUTSTANDING, "8")
        .containsEntry("generator", "vdbench 50406");
  }

  @Test
  void withoutHistogramsThePercentileOfVdbenchIsUnknown() throws IOException {
    vdbenchFolder();
    Figure percentile = figure(only(read(folder)), "latency_p95");
    assertThat(percentile.value()).isNaN();
    assertThat(percentile.toolValue()).isEqualTo(4.65);
    assertThat(percentile.reason()).contains("1.645", "histogram.html of 0 of 2 VMs");
  }

  @Test
  void aSummaryAloneIsTheToolsWord() throws IOException {
    vdbenchFolder();
    Path alone = folder.resolve("alone");
    Files.createDirectories(alone);
    Files.move(folder.resolve(VDBENCH + "-res.txt"), alone.resolve(VDBENCH + "-res.txt"));
    Run run = only(read(alone));
    assertThat(value(run, "iops")).isEqualTo(4000);
    assertThat(value(run, "latency")).isNaN();
    assertThat(figure(run, "latency").toolValue()).isEqualTo(3);
    assertThat(value(run, "latency_p95")).isNaN();
    assertThat(run.parameters()).containsEntry(Parameter.MACHINES, "2");
  }

  @Test
  void aZipOfTheFolderItselfHasItsName() throws IOException {
    byte[] zip =
        Results.zip(
            Map.of("a.json", fio(1_000, 1_003_520, true), "b.json", fio(9_000, 10_027_008, true)));
    List<Run> runs = ResultFiles.readZip(new ByteArrayInputStream(zip), FIO + ".zip").runs();
    assertThat(runs).singleElement().satisfies(run -> assertThat(run.name()).isEqualTo(FIO));
    assertThat(runs.getFirst().parameters()).containsEntry(Parameter.OUTSTANDING, "64");
  }
}
