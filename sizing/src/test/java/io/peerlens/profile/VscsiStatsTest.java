package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.profile.VscsiStats.Commands;
import io.peerlens.profile.VscsiStats.Histogram;
import io.peerlens.profile.VscsiStats.Kind;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class VscsiStatsTest {

  private static final String LENGTHS = "512,1024,2048,4095,4096,8191,8192,65536,524288,524288";
  private static final String DISTANCES = "-500000,-128,-1,0,1,128,500000,500000";

  private static String histogram(String title, String disk, String limits, int... counts) {
    StringBuilder text = new StringBuilder();
    text.append("Histogram: ").append(title).append(",virtual machine worldGroupID,2099979,");
    text.append("virtual disk handleID,").append(disk).append("\nmin,1\nmax,700000\nmean,5\n");
    text.append("count,").append(Arrays.stream(counts).sum());
    text.append("\nFrequency,Histogram Bucket Limit\n");
    String[] each = limits.split(",");
    for (int i = 0; i < each.length; i++) {
      text.append(counts[i]).append(',').append(each[i]).append('\n');
    }
    return text.toString();
  }

  private static String disk(String disk) {
    return histogram("IO lengths of commands", disk, LENGTHS, 2, 0, 0, 2, 60, 0, 30, 0, 4, 2)
        + histogram("IO lengths of Read commands", disk, LENGTHS, 0, 0, 0, 0, 60, 0, 10, 0, 0, 0)
        + histogram("IO lengths of Write commands", disk, LENGTHS, 2, 0, 0, 2, 0, 0, 20, 0, 4, 2)
        + histogram(
            "distance (in LBNs) between successive commands",
            disk,
            DISTANCES,
            30,
            5,
            5,
            0,
            40,
            5,
            5,
            10)
        + histogram(
            "distance (in LBNs) between successive Read commands",
            disk,
            DISTANCES,
            20,
            0,
            0,
            0,
            50,
            0,
            0,
            0)
        + histogram(
            "distance (in LBNs) between each command from the closest of previous 16",
            disk,
            DISTANCES,
            5,
            5,
            0,
            0,
            80,
            0,
            0,
            10)
        + histogram("latency of IOs in Microseconds (us)", disk, "1,10,100,100", 1, 2, 3, 4)
        + histogram(
            "number of outstanding IOs when a new IO is issued", disk, "1,2,4,4", 9, 1, 0, 0)
        + histogram(
            "latency of IO interarrival time in Microseconds (us)", disk, "1,10,10", 1, 2, 3);
  }

  private static VscsiStats parse(String text) throws IOException {
    return VscsiStats.parse(new StringReader(text), "stats.csv");
  }

  @Test
  void histogramsAreReadWithWhatIsAboveTheLastLimit() throws IOException {
    VscsiStats stats = parse(disk("8194 (scsi0:0)"));
    assertThat(stats.problems()).isEmpty();
    assertThat(stats.disks()).containsExactly("2099979 / 8194 (scsi0:0)");
    assertThat(stats.histograms())
        .extracting(Histogram::kind)
        .containsExactly(
            Kind.LENGTH,
            Kind.LENGTH,
            Kind.LENGTH,
            Kind.DISTANCE,
            Kind.DISTANCE,
            Kind.DISTANCE_OF_16,
            Kind.LATENCY,
            Kind.OUTSTANDING,
            Kind.INTERARRIVAL);
    Histogram writes = stats.histograms().get(2);
    assertThat(writes.commands()).isEqualTo(Commands.WRITES);
    assertThat(writes.limits()).endsWith(65_536, 524_288).hasSize(9);
    assertThat(writes.counts()).endsWith(4, 2).hasSize(10);
    assertThat(writes.count()).isEqualTo(30);
    assertThat(writes.max()).isEqualTo(700_000);
  }

  @Test
  void accessesAreSizesAndWhatIsFarAway() throws IOException {
    AccessPattern pattern = parse(disk("8194 (scsi0:0)") + disk("8195 (scsi0:1)")).pattern(128, "");
    // From the nearest of 16: 5 + 5 + 10 of 100.
    assertThat(pattern.randomShare()).isCloseTo(0.2, within(1e-9));
    assertThat(pattern.randomReadShare()).isCloseTo(20 / 70.0, within(1e-9));
    assertThat(pattern.randomWriteShare()).isNaN();
    assertThat(pattern.workingSet()).isNaN();
    assertThat(pattern.source()).containsOnlyOnce("2 disks").contains("128 blocks");
    SizeHistogram reads = Objects.requireNonNull(pattern.readSizes());
    assertThat(reads.sizes()).containsExactly(4_096, 8_192);
    assertThat(reads.counts()).containsExactly(120, 20);
    assertThat(reads.mean()).isCloseTo((120 * 4_096 + 20 * 8_192) / 140.0, within(1e-9));
    // 2,049 to 4,095 stands for 3,072; above 512K the highest that was seen, in sectors.
    assertThat(Objects.requireNonNull(pattern.writeSizes()).sizes())
        .containsExactly(512, 3_072, 8_192, 524_288, 699_904);
    // Disks whose highest differ have one size there, or many disks would have too many sizes.
    AccessPattern two =
        parse(disk("8194 (scsi0:0)") + disk("8195 (scsi0:1)").replace("700000", "600000"))
            .pattern(128, "db-1");
    assertThat(Objects.requireNonNull(two.writeSizes()).sizes())
        .containsExactly(512, 3_072, 8_192, 524_288, 699_904);
    assertThat(two.sizesSource()).isEqualTo("vscsiStats of db-1, 2 disks");
  }

  @Test
  void whatEsxiPrintedHasItsOwnTotals() throws IOException {
    VscsiStats stats;
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(
                VscsiStatsTest.class.getResourceAsStream("vscsistats/sample.csv")),
            StandardCharsets.UTF_8)) {
      stats = VscsiStats.parse(reader, "sample.csv");
    }
    // Every count is that of its buckets.
    assertThat(stats.problems()).isEmpty();
    assertThat(stats.histograms()).hasSize(16);
    assertThat(stats.disks()).containsExactly("2099979 / 8194 (scsi0:0)");
    for (Kind kind : Kind.values()) {
      if (kind != Kind.DISTANCE_OF_16) {
        assertThat(stats.histograms().stream().filter(it -> it.kind() == kind))
            .extracting(Histogram::count)
            .containsExactly(793.0, 4.0, 789.0);
      }
    }
    AccessPattern pattern = stats.pattern(128, "");
    assertThat(pattern.randomShare()).isCloseTo(321 / 793.0, within(1e-9));
    // The means that ESXi itself says. A bucket stands for its limit, so ours may be higher.
    assertThat(Objects.requireNonNull(pattern.writeSizes()).mean() / 5_229).isBetween(1.0, 1.03);
    assertThat(Objects.requireNonNull(pattern.readSizes()).mean()).isEqualTo(25_600);
  }

  @Test
  void aBoundThatIsNoLimitWorksAsTheNextHigherOne() throws IOException {
    VscsiStats stats = parse(disk("1"));
    assertThat(stats.pattern(129, "").randomShare())
        .isEqualTo(stats.pattern(500_000, "").randomShare());
    assertThat(stats.pattern(1, "").randomShare()).isCloseTo(0.2, within(1e-9));
    assertThatThrownBy(() -> stats.pattern(0, "")).hasMessageContaining("give at least 1");
  }

  @Test
  void countsThatGoOnAreNotCountedTwiceAndResetOnesAreAdded() throws IOException {
    String first = histogram("IO lengths of Read commands", "1", "512,4096,4096", 1, 2, 0);
    String goesOn = histogram("IO lengths of Read commands", "1", "512,4096,4096", 3, 2, 0);
    String reset = histogram("IO lengths of Read commands", "1", "512,4096,4096", 1, 1, 0);
    assertThat(parse(first + goesOn).histograms().getFirst().counts()).containsExactly(3, 2, 0);
    assertThat(parse(first + "Fri Nov 27 22:00:00\n" + reset).histograms().getFirst().counts())
        .containsExactly(2, 3, 0);
  }

  @Test
  void otherSpellingsAreRead() throws IOException {
    VscsiStats stats =
        parse(
            "\uFEFFStarting collection, wait\r\n"
                + "\"Histogram: IO lengths of commands\",\"virtual machine worldGroupID : 118739\","
                + "\"virtual disk handleID : 8199 (scsi0:0)\"\r\nmin,1,,\r\n\r\nmax,2\r\n"
                + "count,4\r\nFrequency,Histogram Bucket Limit,\r\n1, 512,\r\n2,4096\r\n0,4096\r\n"
                + "Histogram: temperature of disks,x\nFrequency,Histogram Bucket Limit\n1,2\n3,4\n");
    assertThat(stats.disks()).containsExactly("118739 / 8199 (scsi0:0)");
    assertThat(stats.histograms().getFirst().counts()).containsExactly(1, 2, 0);
    assertThat(stats.problems())
        .hasSize(2)
        .anyMatch(it -> it.contains("line 2 says 4 commands, and its buckets have 3"))
        .anyMatch(it -> it.contains("line 11 is of a histogram that is not known"));
  }

  @Test
  void aHistogramOfNoDiskIsDoubtful() throws IOException {
    assertThat(
            parse("Histogram: IO lengths of commands\nFrequency,Histogram Bucket Limit\n1,2\n3,4\n")
                .problems())
        .singleElement()
        .asString()
        .contains("line 1 does not say which disk it is of");
  }

  @Test
  void brokenFilesAreRefusedWithTheirLine() {
    assertThatThrownBy(() -> parse("a,b\n"))
        .hasMessageContaining("stats.csv has no histogram of vscsiStats");
    assertThatThrownBy(() -> parse("Histogram: IO lengths of commands : {\n"))
        .hasMessageContaining("line 1 is of the form for people");
    assertThatThrownBy(() -> parse("Histogram: IO lengths of commands,x\nmin,5\n"))
        .hasMessageContaining("line 1 begins a histogram that has no buckets");
    String title = "Histogram: IO lengths of commands,x\nFrequency,Histogram Bucket Limit\n";
    assertThatThrownBy(() -> parse(title + "1,512\n1,500\n"))
        .hasMessageContaining("do not ascend at 500");
    assertThatThrownBy(() -> parse(title + "1,512\n1,12345678901234567890123\n"))
        .hasMessageContaining("line 4 is not a line of a histogram");
    assertThatThrownBy(() -> parse(title + "x".repeat(5_000)))
        .hasMessageContaining("line 3 is longer than 4096");
    StringBuilder many = new StringBuilder(title);
    for (int i = 0; i < 300; i++) {
      many.append("1,").append(i).append('\n');
    }
    assertThatThrownBy(() -> parse(many.toString()))
        .hasMessageContaining("is bucket 201 of a histogram");
  }
}
