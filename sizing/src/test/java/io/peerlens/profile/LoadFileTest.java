package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.profile.Distribution.At;
import io.peerlens.profile.Made.Kind;
import io.peerlens.profile.Workload.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadFileTest {

  private static final LoadTarget TWO =
      new LoadTarget(
          List.of("/dev/sdb", "/dev/sdc"),
          10L << 30,
          2,
          8,
          Duration.ofMinutes(5),
          Duration.ofMinutes(30));

  @TempDir private Path folder;

  private static LoadProfile profile() {
    return new LoadProfiler(ProfileOptions.of(Made.YEAR))
        .add(
            Made.machine("cluster \"A\"\n[global]"),
            Made.mixture(
                Made.YEAR, 5, new Kind(2_000, 8_192, 0.7, 0.6), new Kind(500, 65_536, 0.2, 0.4)),
            null);
  }

  private static Workload oltp() {
    LoadProfile profile = profile();
    return Workload.of(profile, profile.mixture().clusters().getFirst(), At.P95);
  }

  private static AccessPattern random(double share) {
    double no = Double.NaN;
    return new AccessPattern(share, no, no, 20L << 30, null, null, "given", "told", "");
  }

  @Test
  void aProfileOfHoursIsALoadOfItsSizesAtItsRate() {
    Workload load = oltp();
    assertThat(load.streams()).hasSize(2);
    assertThat(load.streams()).allMatch(it -> it.blockSize() == 8_192);
    assertThat(load.readShare()).isCloseTo(0.7, within(0.01));
    // Operations are even from 1,000 to 3,000.
    assertThat(load.iops()).isCloseTo(2_900, within(30.0));
    assertThat(load.randomPercent()).isNegative();
  }

  @Test
  void allHoursAreTheMixtureByOperations() {
    Workload load = Workload.of(profile(), At.MEAN);
    assertThat(load.streams()).extracting(Stream::blockSize).contains(8_192L, 65_536L);
    assertThat(load.streams().stream().mapToDouble(Stream::share).sum()).isCloseTo(1, within(1e-9));
    double ofSmall = 0.6 * 2_000 / (0.6 * 2_000 + 0.4 * 500);
    assertThat(
            load.streams().stream()
                .filter(it -> it.blockSize() == 8_192)
                .mapToDouble(Stream::share)
                .sum())
        .isCloseTo(ofSmall, within(0.02));
  }

  @Test
  void anImportedHistogramTakesThePlaceOfMeans() {
    SizeHistogram reads = new SizeHistogram(new long[] {4_096, 262_144}, new double[] {90, 10});
    SizeHistogram writes = new SizeHistogram(new long[] {8_192}, new double[] {5});
    AccessPattern pattern =
        new AccessPattern(
            0.4, Double.NaN, Double.NaN, Double.NaN, reads, writes, "vscsiStats", "", "vscsiStats");
    Workload load = Workload.of(profile().with(pattern), At.P95);
    assertThat(load.streams())
        .extracting(Stream::read, Stream::blockSize)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(true, 4_096L),
            org.assertj.core.groups.Tuple.tuple(true, 262_144L),
            org.assertj.core.groups.Tuple.tuple(false, 8_192L));
    assertThat(load.parts(true))
        .containsExactly(new Workload.Part(4_096, 90), new Workload.Part(262_144, 10));
    assertThat(load.randomPercent()).isEqualTo(40);
  }

  @Test
  void vdbenchGetsSizesByDirection() {
    String one = LoadFile.vdbench(oltp(), TWO);
    assertThat(one)
        .contains("* ASSUMPTION: randomness is not known: set it")
        .contains("* ASSUMPTION: the working set is not known")
        .contains("\nsd=default,openflags=o_direct,threads=16\n")
        .contains("\nsd=sd2,lun=/dev/sdc,size=10737418240\n")
        .contains("\nwd=wd1,sd=sd*,rdpct=70,xfersize=8k,seekpct=100\n")
        .containsPattern(
            "\nrd=run1,wd=wd\\*,iorate=2\\d\\d\\d,elapsed=1800,warmup=300,interval=5\n");
    // Names of objects become no lines of their own.
    assertThat(one.lines()).allMatch(it -> it.matches("(\\* |sd=|wd=|rd=).*"));
    String all = LoadFile.vdbench(Workload.of(profile(), At.P50).with(random(0.8)), TWO);
    assertThat(all)
        .doesNotContain("ASSUMPTION: randomness", "ASSUMPTION: the working set")
        .contains("* ASSUMPTION: outstanding operations are not known")
        .contains("* Randomness: given")
        .contains("* Working set: told")
        .containsPattern(
            "wd=wd1,sd=sd\\*,rdpct=100,xfersize=\\(8k,9\\d,64k,\\d\\),seekpct=80,skew=6\\d\n")
        .containsPattern(
            "wd=wd2,sd=sd\\*,rdpct=0,xfersize=\\(8k,[67]\\d,64k,[23]\\d\\),seekpct=80,skew=3\\d\n");
  }

  @Test
  void diskSpdGetsALineForEachSize() {
    String one = LoadFile.diskSpd(oltp().with(random(1)), TWO);
    assertThat(one.lines().filter(it -> it.startsWith("diskspd")))
        .singleElement()
        .asString()
        .matches(
            "diskspd -b8192 -w30 -r -t2 -o8 -g7\\d\\di -f10737418240 -W300 -d1800 -Sh -L -Rxml"
                + " \"/dev/sdb\" \"/dev/sdc\"");
    String all = LoadFile.diskSpd(Workload.of(profile(), At.P95).with(random(0.25)), TWO);
    assertThat(all.lines().filter(it -> it.startsWith("diskspd"))).hasSize(2);
    assertThat(all)
        .contains("REM Start all lines at once")
        .contains("diskspd -b65536 -w80 -rs25 ")
        .doesNotContain("%");
    assertThat(LoadFile.diskSpd(oltp().with(random(0)), TWO)).contains(" -w30 -si -t2 ");
  }

  @Test
  void hciBenchGetsItsNamesAndTheRateOfAVm() {
    String text = LoadFile.hciBench(oltp(), 8, 4, 2, 100, 300, 1_800);
    assertThat(text)
        .contains("# ASSUMPTION: randomness is not known")
        .contains("DISK_NUM=4\nWORKING_SET=100\nTHREADS_NUM=2\nBLOCK_SIZE=8k\nREAD_PERCENT=70\n")
        .containsPattern("IO_RATE=36\\d\n")
        .containsPattern(
            "generate-vdb-param-file.sh -n 4 -w 100 -t 2 -b 8k -r 70 -s 100 -e 1800 -m 300 -o 36");
    assertThat(LoadFile.hciBench(Workload.of(profile(), At.P95), 1, 1, 1, 50, 0, 60))
        .contains("# Several sizes");
    assertThatThrownBy(() -> LoadFile.hciBench(oltp(), 0, 1, 1, 50, 0, 60))
        .hasMessageContaining("at least one VM");
    assertThatThrownBy(() -> LoadFile.hciBench(oltp(), 1, 1, 1, 0, 0, 60))
        .hasMessageContaining("give 1 to 100");
  }

  @Test
  void fioTakesAllJobFiles() throws Exception {
    List<Workload> loads =
        List.of(
            oltp(),
            oltp().with(random(0)),
            Workload.of(profile(), At.PEAK).with(random(0.3)),
            only(true),
            only(false),
            only(true).with(random(0)),
            only(false).with(random(0)));
    for (Workload load : loads) {
      String text = LoadFile.fio(load, TWO);
      assertThat(text.lines())
          .allMatch(it -> it.isEmpty() || it.matches("; .*|\\[\\w+]|[a-z_]+=\\S+"));
      assertThat(fio(text, "--parse-only")).isEmpty();
    }
    assertThat(LoadFile.fio(oltp(), TWO))
        .contains("; ASSUMPTION: randomness is not known")
        .contains("\nrw=randrw\npercentage_random=100\nrwmixread=70\n")
        .contains("\nbssplit=8192/100,8192/100\n")
        .contains("\n[path2]\nfilename=/dev/sdc\n");
  }

  private static Workload only(boolean read) {
    return new Workload(
        "only", 500, List.of(new Stream(read, 16_384, 1)), AccessPattern.UNKNOWN, List.of());
  }

  @Test
  void fioMakesTheLoadThatIsAsked() throws Exception {
    Workload load = Workload.of(profile(), At.MEAN).with(random(0.5));
    LoadTarget target =
        new LoadTarget(List.of("x"), 1L << 30, 2, 4, Duration.ZERO, Duration.ofSeconds(4));
    // Its engine that does nothing makes the operations and no access.
    String text = LoadFile.fio(load, target).replace("ioengine=libaio", "ioengine=null");
    String json = fio(text, "--output-format=json");
    double reads = figure(json, "read", "iops");
    double writes = figure(json, "write", "iops");
    assertThat((reads + writes) / load.iops()).isCloseTo(1, within(0.06));
    assertThat(reads / (reads + writes)).isCloseTo(load.readShare(), within(0.04));
    double bytes = figure(json, "read", "bw_bytes") + figure(json, "write", "bw_bytes");
    assertThat(bytes / (reads + writes) / load.blockSize()).isCloseTo(1, within(0.06));
  }

  private static double figure(String json, String direction, String name) {
    Matcher matcher =
        Pattern.compile(
                "\"" + direction + "\" : \\{[^{}]*?\"" + name + "\" : ([0-9.]+)", Pattern.DOTALL)
            .matcher(json);
    assertThat(matcher.find()).as(json).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  /** What fio prints; the test fails when it does not end well, and is skipped without fio. */
  private String fio(String job, String option) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/fio")), "skipped: install the package fio");
    Path file = Files.writeString(folder.resolve("job.fio"), job);
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder("/usr/bin/fio", option, file.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text + "\n" + job).isZero();
    return text;
  }

  @Test
  void whatIsNotKnownIsTakenFromARun() {
    AccessPattern run =
        AccessPattern.ofRun(Map.of("random_share", "90", "working_set", "1073741824"), "r1");
    assertThat(run.randomShare()).isEqualTo(0.9);
    assertThat(run.workingSet()).isEqualTo(1L << 30);
    assertThat(run.source()).isEqualTo("parameters of run r1");
    assertThat(AccessPattern.ofRun(Map.of("random_share", "90/10"), "r1"))
        .isEqualTo(AccessPattern.UNKNOWN);
    assertThat(AccessPattern.ofRun(Map.of("random_share", "900"), "r1"))
        .isEqualTo(AccessPattern.UNKNOWN);
    assertThat(oltp().with(run).randomPercent()).isEqualTo(90);
    assertThatThrownBy(() -> random(1.1)).hasMessageContaining("it is 0 to 1");
  }

  @Test
  void patternsOfSeveralMachinesAreOneByTheirOperations() {
    AccessPattern busy = measured(0.9, 300, "vscsiStats of a, 1 disk");
    AccessPattern idle = measured(0.1, 100, "vscsiStats of b, 1 disk");
    AccessPattern both = AccessPattern.together(List.of(busy, idle));
    assertThat(both.randomShare()).isCloseTo(0.7, within(1e-9));
    assertThat(both.randomReadShare()).isCloseTo(0.7, within(1e-9));
    assertThat(both.randomWriteShare()).isNaN();
    assertThat(both.readSizes().sizes()).containsExactly(4_096);
    assertThat(both.readSizes().counts()).containsExactly(400);
    assertThat(both.randomSource()).isEqualTo("vscsiStats of a, 1 disk; vscsiStats of b, 1 disk");
    AccessPattern run =
        AccessPattern.ofRun(Map.of("random_share", "5", "working_set", "4096"), "r");
    AccessPattern all = both.orElse(run);
    assertThat(all.randomShare()).isCloseTo(0.7, within(1e-9));
    assertThat(all.workingSet()).isEqualTo(4_096);
    assertThat(all.workingSetSource()).isEqualTo("parameters of run r");
    assertThat(all.randomSource()).doesNotContain("run");
    // Who does not say how many operations it has cannot weigh more or less.
    AccessPattern bare =
        new AccessPattern(0.3, Double.NaN, Double.NaN, Double.NaN, null, null, "x", "", "");
    assertThat(AccessPattern.together(List.of(busy, bare)).randomShare())
        .isCloseTo(0.6, within(1e-9));
  }

  private static AccessPattern measured(double random, double reads, String source) {
    return new AccessPattern(
        random,
        random,
        Double.NaN,
        Double.NaN,
        new SizeHistogram(new long[] {4_096}, new double[] {reads}),
        null,
        source,
        "",
        source);
  }

  @Test
  void whatCannotBeMadeIsRefused() {
    Workload load = oltp();
    assertThatThrownBy(() -> target("/dev/sdb\nrw=read")).hasMessageContaining("cannot be written");
    assertThatThrownBy(() -> target(" ")).hasMessageContaining("cannot be written");
    assertThatThrownBy(() -> LoadFile.vdbench(load, target("/mnt/a b")))
        .hasMessageContaining("vdbench takes \"/mnt/a b\" for something else");
    assertThatThrownBy(() -> LoadFile.fio(load, target("${HOME}/x")))
        .hasMessageContaining("fio takes");
    assertThatThrownBy(() -> LoadFile.diskSpd(load, target("%TEMP%\\x")))
        .hasMessageContaining("a command line of Windows takes");
    assertThat(LoadFile.fio(load, target("E:\\x"))).contains("\nfilename=E\\:\\\\x\n");
    LoadProfile empty =
        new LoadProfiler(ProfileOptions.of(Made.YEAR))
            .add(
                Made.machine("idle"),
                Made.mixture(Made.YEAR, 1, new Kind(0.1, 8_192, 0.5, 1)),
                null);
    assertThatThrownBy(() -> Workload.of(empty, At.P95))
        .hasMessageContaining("idle has no hours whose operations and sizes are known");
  }

  private static LoadTarget target(String path) {
    return new LoadTarget(List.of(path), 1L << 30, 1, 1, Duration.ZERO, Duration.ofSeconds(1));
  }

  @Test
  void wholePerCentAddUp() {
    assertThat(Workload.Shares.percents(new double[] {1, 1, 1})).containsExactly(34, 33, 33);
    assertThat(Workload.Shares.percents(new double[] {0.995, 0.002, 0.003}))
        .containsExactly(100, 0, 0);
    assertThat(Workload.Shares.percents(new double[] {})).isEmpty();
  }
}
