package io.peerlens.run.read;

import static io.peerlens.run.read.Results.only;
import static io.peerlens.run.read.Results.read;
import static io.peerlens.run.read.Results.series;
import static io.peerlens.run.read.Results.value;
import static io.peerlens.run.read.Results.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherToolsTest {

  private static final String IOMETER_HEAD =
      """
      'Test Type,Test Description
      0,sweep of depths
      'Version
      1.1.0
      'Time Stamp
      2026-11-27 10:00:00:123
      'Access specifications
      'Access specification name,default assignment
      4K 70/30,NONE
      'size,% of size,% reads,% random,delay,burst,align,reply
      4096,100,70,100,0,1,4096,0
      'End access specifications
      """;

  private static final String IOMETER_COLUMNS =
      "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,"
          + "Read IOps,Write IOps,%s,Average Response Time,Average Read Response Time,"
          + "Average Write Response Time,Maximum Response Time,Errors,Read I/Os,Write I/Os,"
          + "Maximum Size,Queue Depth,%% CPU Utilization,0 to 50 uS,50 to 100 uS,0.5 to 1 mS,"
          + "0.5 to 1 S, >= 10 s\n";

  @TempDir Path folder;

  private static String iometer(String throughput, String row) {
    return IOMETER_HEAD
        + "'Results\n"
        + IOMETER_COLUMNS.formatted(throughput)
        + row
        + "MANAGER,host1,4K 70/30,,,,600,420,180,2.34,1.5,1.6,1.4,9,0,1,1,,,20,1,1,1,1,1\n"
        + "'Time Stamp\n2026-11-27 10:01:00:123\n";
  }

  @Test
  void iometersRowOfAllHasTheTotals() throws IOException {
    String row =
        "ALL,All,4K 70/30,1,2,4,1000,700,300,3.90625,2,2.2,1.5,50,0,42000,18000,-2,16,12.5,"
            + "100,200,300,50,0\n";
    Run run = only(read(write(folder, "results.csv", iometer("MBps", row))));
    assertThat(run.name()).isEqualTo("results/4K 70/30");
    assertThat(run.version()).isEqualTo("1.1.0");
    assertThat(value(run, "iops")).isEqualTo(1000);
    assertThat(value(run, "read_iops")).isEqualTo(700);
    assertThat(value(run, "throughput")).isEqualTo(4_096_000);
    assertThat(value(run, "latency")).isEqualTo(2);
    assertThat(value(run, "write_latency")).isEqualTo(1.5);
    assertThat(value(run, "latency_max")).isEqualTo(50);
    assertThat(value(run, "cpu")).isEqualTo(12.5);
    assertThat(run.length()).hasSeconds(60);
    assertThat(run.latencies().getFirst().count()).isEqualTo(650);
    // 600 of 650 are at most 1 ms.
    assertThat(value(run, "latency_p50")).isBetween(0.1, 1.0);
    assertThat(value(run, "latency_p95")).isBetween(1.0, 1000.0);
    assertThat(run.parameters())
        .containsEntry(Parameter.BLOCK_SIZE, "4096")
        .containsEntry(Parameter.READ_SHARE, "70")
        .containsEntry(Parameter.RANDOM_SHARE, "100")
        .containsEntry(Parameter.QUEUE_DEPTH, "16")
        .containsEntry(Parameter.OUTSTANDING, "64")
        .doesNotContainKey(Parameter.WORKING_SET);
    assertThat(series(run, "iops", "manager host1").values()).containsExactly(600);
  }

  @Test
  void iometersDecimalMegabytesAreDecimal() throws IOException {
    String row = "ALL,All,4K 70/30,1,2,4,1000,700,300,4.096,2,2,2,5,0,1,1,0,16,1,1,1,1,1,1\n";
    Run run = only(read(write(folder, "a.csv", iometer("MBps (Decimal)", row))));
    assertThat(value(run, "throughput")).isCloseTo(4_096_000, within(1e-6));
  }

  @Test
  void aFileOfIometerWithoutResultsIsAProblem() throws IOException {
    ResultFiles.Result result = read(write(folder, "a.csv", IOMETER_HEAD));
    assertThat(result.runs()).isEmpty();
    assertThat(result.problems())
        .singleElement()
        .satisfies(p -> assertThat(p.what()).contains("no results"));
  }

  @Test
  void ioblazerIsReadByWhatItSays() throws IOException {
    Run run =
        only(
            read(
                write(
                    folder,
                    "out.txt",
                    """
                    IOBlazer 1.01
                    IO size: 8192
                    Outstanding IOs: 32
                    Number of threads = 4

                    IOPS      Throughput (MB/s)      Avg Latency (us)      Max Latency (us)
                    12000.5   93.75                  2650                  91000
                    """)));
    assertThat(run.version()).isEqualTo("1.01");
    assertThat(value(run, "iops")).isEqualTo(12000.5);
    assertThat(value(run, "throughput")).isEqualTo(93.75 * 1_048_576);
    assertThat(value(run, "latency")).isCloseTo(2.65, within(1e-9));
    assertThat(value(run, "latency_max")).isCloseTo(91, within(1e-9));
    assertThat(run.parameters())
        .containsEntry(Parameter.BLOCK_SIZE, "8192")
        .containsEntry(Parameter.QUEUE_DEPTH, "32")
        .containsEntry(Parameter.THREADS, "4");
  }

  @Test
  void ioblazersFigureWithoutAUnitIsLeftOut() throws IOException {
    ResultFiles.Result result =
        read(write(folder, "out.txt", "IOBlazer 1.01\nIOPS: 100\nLatency: 5\n"));
    assertThat(result.runs())
        .singleElement()
        .satisfies(one -> assertThat(one.figure("latency")).isNull());
    assertThat(result.problems()).singleElement().satisfies(p -> assertThat(p.line()).isEqualTo(3));
  }

  private static final String TEST_RUN =
      """
      {
        "type": "loadTest", "id": "7b7e8a5e-0000-0000-0000-000000000001",
        "started": "2026-11-27T10:00:00Z", "finished": "2026-11-27T11:00:00Z", "counter": 12,
        "testRunConfigurationSnapshot": {"name": "knowledge worker", "numberOfSessions": 200},
        "state": "completed", "result": "completed", "activeSessionCount": 180,
        "productVersion": "6.0.3", "loginCounts": {"successCount": 198, "totalCount": 200},
        "euxScore": {"score": 7.4, "steadyStateScore": 7.9, "baseline": 8.2, "version": "2023", "state": "completed"},
        "vsiMax": {"maxSessions": 163, "version": "2023", "state": "reached"}
      }
      """;

  @Test
  void testRunsOfLoginEnterpriseHaveVsimaxAndScore() throws IOException {
    write(folder, "run.json", TEST_RUN);
    write(
        folder,
        "measurements.json",
        """
        {"items": [
          {"measurementId": "total_login_time", "timestamp": "2026-11-27T10:00:30Z", "duration": 12000},
          {"measurementId": "total_login_time", "timestamp": "2026-11-27T10:00:10Z", "duration": 10000},
          {"measurementId": "connection", "timestamp": "2026-11-27T10:00:20Z", "duration": 500}
        ]}
        """);
    write(folder, "eux.json", "[{\"timestamp\": \"2026-11-27T10:05:00\", \"score\": 8.1}]\n");
    Run run = only(read(folder));
    assertThat(run.tool()).isEqualTo("login-enterprise");
    assertThat(run.name()).isEqualTo("run/knowledge worker 12");
    assertThat(run.start()).isEqualTo(Instant.parse("2026-11-27T10:00:00Z"));
    assertThat(run.length()).hasHours(1);
    assertThat(value(run, "vsimax")).isEqualTo(163);
    assertThat(value(run, "eux_score")).isEqualTo(7.4);
    assertThat(value(run, "eux_score_steady")).isEqualTo(7.9);
    assertThat(value(run, "logins_succeeded")).isEqualTo(198);
    assertThat(run.parameters()).containsEntry("configuration.numberOfSessions", "200");
    assertThat(series(run, "total_login_time", "").seconds()).containsExactly(10, 30);
    assertThat(value(run, "total_login_time")).isEqualTo(11_000);
    assertThat(value(run, "total_login_time_p95")).isEqualTo(12_000);
    assertThat(series(run, "eux_score", "").seconds()).containsExactly(300);
  }

  @Test
  void measurementsWithoutTheirRunAreAProblem() throws IOException {
    write(folder, "eux.json", "[{\"timestamp\": \"2026-11-27T10:05:00Z\", \"score\": 8.1}]\n");
    assertThat(read(folder).problems())
        .singleElement()
        .satisfies(p -> assertThat(p.what()).contains("without the run"));
  }

  @Test
  void severalRunsOfAPageAreSeveral() throws IOException {
    String second =
        TEST_RUN.replace("000001", "000002").replace("\"counter\": 12", "\"counter\": 13");
    List<Run> runs =
        read(write(folder, "runs.json", "{\"items\": [" + TEST_RUN + "," + second + "]}\n")).runs();
    assertThat(runs)
        .extracting(Run::name)
        .containsExactly("runs/knowledge worker 12", "runs/knowledge worker 13");
  }

  private static final String MAPPING =
      """
      {
        "csvMapping": 1, "files": "*.csv", "tool": "own", "separator": ";", "decimal": ",",
        "time": {"column": "Zeit", "format": "dd.MM.yyyy HH:mm:ss", "zone": "Europe/Berlin"},
        "runs": ["Test"], "instance": "Host", "parameters": {"Tiefe": "outstanding"},
        "metrics": [
          {"column": "IO/s", "metric": "iops", "unit": "IO/s"},
          {"column": "us", "metric": "latency", "unit": "ms", "factor": 0.001},
          {"column": "us", "metric": "latency_max", "unit": "ms", "factor": 0.001, "total": "max"}
        ]
      }
      """;

  private static final String CSV =
      """
      Zeit;Test;Host;Tiefe;IO/s;us
      27.11.2026 11:00:00;A;h1;8;1.000,5;1000
            27.11.2026 11:00:00;A;h2;8;3000;2000,0
      27.11.2026 11:00:10;A;h1;8;1000;1000
      27.11.2026 11:00:10;A;h2;8;3000;
      27.11.2026 11:05:00;"B;2";h1;16;500;4000
      morgen;"B;2";h1;16;500;4000
      """;

  @Test
  void aMappingReadsAnyCsv() throws IOException {
    write(folder, "own.mapping.json", MAPPING);
    write(folder, "deeper/run.csv", CSV);
    ResultFiles.Result result = read(folder);
    assertThat(result.runs())
        .extracting(Run::name)
        .containsExactly("deeper/run/A", "deeper/run/B;2");
    Run run = result.runs().getFirst();
    assertThat(run.tool()).isEqualTo("own");
    assertThat(run.start()).isEqualTo(Instant.parse("2026-11-27T10:00:00Z"));
    assertThat(run.length()).hasSeconds(10);
    assertThat(run.parameters()).containsEntry("outstanding", "8");
    assertThat(series(run, "iops", "").values()).containsExactly(4000.5, 4000);
    assertThat(series(run, "iops", "h2").values()).containsExactly(3000, 3000);
    double first = (1000.5 * 1 + 3000 * 2) / 4000.5;
    assertThat(series(run, "latency", "").values()[0]).isCloseTo(first, within(1e-9));
    assertThat(value(run, "latency")).isCloseTo((first * 4000.5 + 1 * 4000) / 8000.5, within(1e-9));
    assertThat(value(run, "latency_max")).isEqualTo(2);
    assertThat(result.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.what()).contains("morgen");
              assertThat(problem.line()).isEqualTo(7);
            });
  }

  @Test
  void aRowPerRunNeedsNoTime() throws IOException {
    write(
        folder,
        "m.json",
        """
        {"csvMapping": 1, "runs": ["depth"], "parameters": {"depth": "outstanding"},
         "metrics": [{"column": "iops", "metric": "iops", "unit": "IO/s"}]}
        """);
    write(folder, "sweep.csv", "depth,iops\n1,100\n2,190\n4,350\n");
    List<Run> runs = read(folder).runs();
    assertThat(runs).hasSize(3);
    assertThat(runs).extracting(one -> value(one, "iops")).containsExactly(100.0, 190.0, 350.0);
    assertThat(runs).allSatisfy(one -> assertThat(one.series()).isEmpty());
  }

  @Test
  void mistakesOfAMappingAreNamed() throws IOException {
    write(folder, "a/m.json", "{\"csvMapping\": 1, \"metric\": []}\n");
    write(
        folder,
        "b/m.json",
        "{\"csvMapping\": 1, \"metrics\": [{\"column\": \"x\", \"metric\": \"iops\"}]}\n");
    write(folder, "b/run.csv", "y\n1\n");
    assertThat(read(folder).problems())
        .extracting(Problem::what)
        .anyMatch(one -> one.contains("unknown key \"metric\""))
        .anyMatch(one -> one.contains("no column \"x\""));
  }
}
