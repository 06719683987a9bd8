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
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpdTest {

  @TempDir Path folder;

  private static String document(String computer, String called, int reads, double latency) {
    StringBuilder buckets = new StringBuilder();
    for (String percentile : "0 1 25 50 75 90 95 99 99.9 99.99 100".split(" ")) {
      double ms = latency * (1 + Double.parseDouble(percentile) / 100);
      buckets.append(
          String.format(
              Locale.ROOT,
              "<Bucket><Percentile>%s</Percentile><ReadMilliseconds>%.3f</ReadMilliseconds>"
                  + "<TotalMilliseconds>%.3f</TotalMilliseconds></Bucket>%n",
              percentile,
              ms,
              ms));
    }
    return """
        <Results>
          <System>
            <ComputerName>%s</ComputerName>
            <Tool><Version>2.0.21</Version><VersionDate>2018/9/21</VersionDate></Tool>
            <RunTime>%s</RunTime>
          </System>
          <Profile>
            <TimeSpans>
              <TimeSpan>
                <Duration>10</Duration><Warmup>5</Warmup><ThreadCount>0</ThreadCount>
                <RequestCount>0</RequestCount><RandSeed>%d</RandSeed>
                <Targets>
                  <Target>
                    <Path>D:\\%s.dat</Path><BlockSize>8192</BlockSize><Random>8192</Random>
                    <RequestCount>8</RequestCount><WriteRatio>30</WriteRatio>
                    <Throughput unit="IOPS">500</Throughput><ThreadsPerFile>2</ThreadsPerFile>
                    <DisableOSCache>true</DisableOSCache>
                  </Target>
                </Targets>
              </TimeSpan>
            </TimeSpans>
          </Profile>
          <TimeSpan>
            <TestTimeSeconds>10.00</TestTimeSeconds>
            <ThreadCount>2</ThreadCount>
            <CpuUtilization><Average><UsagePercent>12.50</UsagePercent></Average></CpuUtilization>
            <Latency>
              <AverageReadMilliseconds>%s</AverageReadMilliseconds>
              <AverageTotalMilliseconds>%s</AverageTotalMilliseconds>
              %s
            </Latency>
            <Iops>
              <Bucket SampleMillisecond="1000" Read="%d" Write="0" Total="%d" ReadAvgLatencyMilliseconds="%s" WriteAvgLatencyMilliseconds="0.000"/>
              <Bucket SampleMillisecond="2000" Read="%d" Write="0" Total="%d" ReadAvgLatencyMilliseconds="%s" WriteAvgLatencyMilliseconds="0.000"/>
            </Iops>
            <Thread>
              <Id>0</Id>
              <Target>
                <Path>D:\\x.dat</Path><FileSize>1048576</FileSize>
                <ReadBytes>%d</ReadBytes><ReadCount>%d</ReadCount>
                <WriteBytes>0</WriteBytes><WriteCount>0</WriteCount>
                <Iops><Bucket SampleMillisecond="1000" Read="7" Write="0" Total="7"/></Iops>
              </Target>
            </Thread>
          </TimeSpan>
        </Results>
        """
        .formatted(
            computer,
            called,
            reads,
            computer,
            latency,
            latency,
            buckets,
            reads / 10,
            reads / 10,
            latency,
            reads / 10,
            reads / 10,
            latency,
            reads * 8192L,
            reads);
  }

  /** The document that DiskSpd's own test expects its writer to write. */
  @Test
  void theToolsExpectedDocumentIsRead() throws IOException {
    Path shared = Path.of("..", "shared", "corpus").toAbsolutePath();
    Path beside = Path.of("..", "..", "shared", "corpus").toAbsolutePath().normalize();
    Path source =
        (Files.isDirectory(shared) ? shared : beside)
            .resolve("benchmark-runs/microsoft__diskspd/UnitTests/XmlResultParser")
            .resolve("XmlResultParser.UnitTests.cpp");
    assumeTrue(Files.isRegularFile(source), "shared/corpus is not here");
    String code = Files.readString(source);
    code = code.substring(code.indexOf("\"<Results>"), code.indexOf("</Results>\"") + 11);
    code =
        code.replace("DISKSPD_NUMERIC_VERSION_STRING", "\"2.2\"")
            .replace("DISKSPD_DATE_VERSION_STRING", "\"\"");
    StringBuilder xml = new StringBuilder();
    Matcher literal = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(code);
    while (literal.find()) {
      xml.append(literal.group(1).replace("\\n", "\n").replace("\\\"", "\""));
    }
    Run run = only(read(write(folder, "expected.xml", xml.toString())));
    assertThat(run.version()).isEqualTo("2.2");
    // 6 reads of 4 MiB and 10 writes of 2 MiB in all, in 120 s.
    assertThat(value(run, "read_iops")).isEqualTo(6 / 120.0);
    assertThat(value(run, "iops")).isEqualTo(16 / 120.0);
    assertThat(value(run, "throughput")).isEqualTo(6_291_456 / 120.0);
    assertThat(value(run, "cpu")).isEqualTo(18.33);
    assertThat(run.length()).hasSeconds(120);
    assertThat(run.figure("latency")).isNull();
    assertThat(series(run, "iops", "").values()).hasSize(10).containsOnly(1);
    assertThat(series(run, "read_iops", "thread 0 testfile1.dat").values()).hasSize(10);
    assertThat(run.parameters())
        .containsEntry(Parameter.BLOCK_SIZE, "65536")
        .containsEntry(Parameter.READ_SHARE, "100")
        .containsEntry(Parameter.RANDOM_SHARE, "0")
        .containsEntry(Parameter.OUTSTANDING, "2")
        .containsEntry(Parameter.RATE_LIMIT, "1000")
        .containsEntry(Parameter.WORKING_SET, "10485760")
        .containsEntry(Parameter.WARM_UP, "5");
  }

  @Test
  void percentilesAreTheFiles() throws IOException {
    Run run = only(read(write(folder, "a.xml", document("a", "2026/11/27 10:00:00 UTC", 1000, 1))));
    assertThat(value(run, "read_latency_p50")).isEqualTo(1.5);
    assertThat(value(run, "read_latency_p95")).isEqualTo(1.95);
    assertThat(value(run, "latency_p99")).isEqualTo(1.99);
    assertThat(value(run, "latency_p99.9")).isEqualTo(1.999);
    assertThat(value(run, "latency_max")).isEqualTo(2);
    assertThat(run.start()).isEqualTo(Instant.parse("2026-11-27T10:00:05Z"));
    assertThat(run.latencies().getFirst().percentile(95)).isCloseTo(1.95, within(1e-9));
    assertThat(run.parameters())
        .containsEntry(Parameter.RANDOM_SHARE, "100")
        .containsEntry(Parameter.READ_SHARE, "70")
        .containsEntry(Parameter.OUTSTANDING, "16")
        .containsEntry(Parameter.RATE_LIMIT, "1000");
  }

  @Test
  void machinesOfAFleetAreOneRun() throws IOException {
    write(folder, "result-vm-1.xml", document("vm-1", "2026/11/27 10:00:00 UTC", 1000, 1));
    write(folder, "result-vm-2.xml", document("vm-2", "2026/11/27 10:00:02 UTC", 9000, 10));
    write(folder, "result-later.xml", document("vm-1", "2026/11/27 11:00:00 UTC", 2000, 1));
    ResultFiles.Result result = read(folder);
    assertThat(result.problems()).isEmpty();
    assertThat(result.runs()).hasSize(2);
    Run fleet =
        result.runs().stream()
            .filter(one -> "2".equals(one.parameters().get(Parameter.MACHINES)))
            .findFirst()
            .orElseThrow();
    assertThat(value(fleet, "iops")).isEqualTo(1000);
    assertThat(value(fleet, "latency")).isCloseTo(9.1, within(1e-9));
    // A tenth of all is below 2 ms; the median of all is at 4/9 of the slow machine's.
    assertThat(value(fleet, "latency_p50")).isBetween(14.0, 15.0);
    assertThat(series(fleet, "iops", "").values()).containsExactly(1000, 1000);
    assertThat(series(fleet, "iops", "vm-2").values()).containsExactly(900, 900);
    assertThat(series(fleet, "read_latency", "").values()[0]).isCloseTo(9.1, within(1e-9));
    assertThat(fleet.parameters()).containsEntry(Parameter.OUTSTANDING, "32");
  }

  @Test
  void redirectionsOfPowerShellAreUtf16() throws IOException {
    String text = "\uFEFF" + document("a", "2026/11/27 10:00:00 UTC", 1000, 1);
    Files.write(folder.resolve("a.xml"), text.getBytes(StandardCharsets.UTF_16LE));
    assertThat(value(only(read(folder)), "iops")).isEqualTo(100);
  }

  @Test
  void aDocumentTypeIsRefused() throws IOException {
    write(
        folder,
        "bomb.xml",
        "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]>\n"
            + document("&b;", "", 1000, 1));
    ResultFiles.Result result = read(folder);
    assertThat(result.runs()).isEmpty();
    assertThat(result.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.what()).contains("document type"));
  }

  @Test
  void aFileThatIsCutOffIsAProblemWithItsLine() throws IOException {
    String whole = document("a", "", 1000, 1);
    write(folder, "cut.xml", whole.substring(0, whole.length() / 2));
    ResultFiles.Result result = read(folder);
    assertThat(result.runs()).isEmpty();
    assertThat(result.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.line()).isGreaterThan(20));
  }

  @Test
  void aTestThatWasInterruptedSaysSo() throws IOException {
    String error = "The test was interrupted before the measurements began.";
    write(
        folder,
        "a.xml",
        "<Results>\n<System><ComputerName>a</ComputerName></System>\n<TimeSpan><Error>"
            + error
            + "</Error></TimeSpan></Results>");
    assertThat(read(folder).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.what()).isEqualTo(error));
  }
}
