package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.benchmarks.Headline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of the page, made of small recordings with a spike in each. */
class PartsTest {

  private static final int ROWS = 1500;

  private final List<Scorer> scorers = List.of(new Stream(false), Baseline.THREE_SIGMA.scorer());

  /** Noise of which all metrics are far up in rows 1000 to 1009. */
  private static Labelled recording(String set, String name, int metrics, boolean kept) {
    Random random = new Random(name.hashCode());
    double[][] values = new double[metrics][ROWS];
    long[] seconds = new long[ROWS];
    for (int i = 0; i < ROWS; i++) {
      seconds[i] = 300L * i;
      for (double[] metric : values) {
        metric[i] = 50 + random.nextGaussian() + (i >= 1000 && i < 1010 ? 40 : 0);
      }
    }
    return new Labelled(
        set, name, kept, seconds, values, new int[][] {{1000, 1009}}, Sets.probation(ROWS));
  }

  @Test
  void whatIsPlainIsFoundByThresholdsOfOthers() {
    List<Labelled> machines = new ArrayList<>();
    List<Labelled> single = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      machines.add(recording("one", "m" + k, 4, k == 0));
      machines.add(recording("two", "n" + k, 3, k == 0));
      single.add(recording("series", "s" + k, 1, k == 0));
    }
    EventsPart part = new EventsPart(machines, single, scorers);
    List<EventLine> lines = part.lines(EventsPart.From.SAME_SET);
    assertThat(lines)
        .extracting(EventLine::name)
        .containsExactly(
            "Peerlens, as shipped",
            "Peerlens, carried over",
            "3-sigma",
            "3-sigma, single rows",
            "who always speaks");
    assertThat(lines)
        .extracting(l -> EventScorer.Counts.sum(l.counts()))
        .allMatch(c -> c.found() + c.missed() == 9);
    assertThat(lines.get(3).f1(s -> true)).isEqualTo(1);
    assertThat(lines.getFirst().over(lines.get(3), s -> true).value())
        .isCloseTo(lines.getFirst().f1(s -> true) - 1, within(1e-12));
    assertThat(lines.getLast().f1(s -> true)).isLessThan(0.7);
    assertThat(part.headlines(lines, part.lines(EventsPart.From.SAME_KIND)))
        .extracting(Headline::what)
        .containsExactly(
            "one, two, series: event F1, machines as shipped",
            "one, two, series: event F1, thresholds from others of the same set",
            "the same, only what is kept aside",
            "one, two, series: event F1, thresholds from other machines of all sets",
            "one: event F1 as shipped",
            "two: event F1 as shipped",
            "series: event F1, threshold from others");
    StringBuilder page = new StringBuilder();
    part.carriedOver(page, lines);
    part.otherSets(page);
    part.halves(page);
    assertThat(page.toString().lines().filter(l -> !l.isEmpty()))
        .allMatch(l -> l.startsWith("| ") || l.startsWith("|---"))
        .contains("| 3-sigma | 1.00 | 1.00 |");
  }

  @Test
  void aDetectorWithoutResultsOfAFileIsComparedOverTheOthers(@TempDir Path root)
      throws IOException {
    List<Labelled> files = new ArrayList<>();
    for (String name : new String[] {"things/a.csv", "things/b.csv", "things/c.csv"}) {
      files.add(recording("NAB", name, 1, name.equals("things/b.csv")));
    }
    publish(root, files.get(0), 1000);
    publish(root, files.get(1), 1009);
    NabPart part = new NabPart(files, scorers, Published.all(root));
    assertThat(part.missing()).contains("No results of perfect").contains("things/c.csv");
    List<NabPart.Line> lines = part.lines(false);
    NabPart.Line perfect = lines.stream().filter(NabPart.Line::published).findFirst().orElseThrow();
    assertThat(perfect.files()).isEqualTo(2);
    // One window found at its left edge and one at its right.
    assertThat(perfect.standard()).isBetween(55.0, 95.0);
    assertThat(named(lines, NabPart.PEERLENS).files()).isEqualTo(3);
    NabPart.Line same =
        named(new NabPart(files.subList(0, 2), scorers, List.of()).lines(false), NabPart.PEERLENS);
    assertThat(perfect.lead().value())
        .isCloseTo(same.standard() - perfect.standard(), within(1e-9));
    assertThat(lines)
        .extracting(NabPart.Line::name)
        .containsExactlyInAnyOrder(NabPart.PEERLENS, NabPart.WITHOUT_SILENCE, "3-sigma", "perfect");
    NabPart.Line novelty = named(lines, NabPart.WITHOUT_SILENCE);
    assertThat(NabPart.halves(List.of(novelty)))
        .isEqualTo(
            String.format("%+.1f %s", novelty.halves()[1] - novelty.halves()[0], novelty.name()));
    Headline headline = NabPart.headline("what", lines, NabPart.WITHOUT_SILENCE);
    assertThat(headline.ours()).startsWith(String.format("%.1f (", novelty.standard()));
    assertThat(NabPart.headline("what", lines, NabPart.PEERLENS).lead()).contains(" to ");
  }

  private static NabPart.Line named(List<NabPart.Line> lines, String name) {
    return lines.stream().filter(l -> l.name().equals(name)).findFirst().orElseThrow();
  }

  /** Results of a detector that speaks in one row. */
  private static void publish(Path root, Labelled series, int row) throws IOException {
    Path file = root.resolve("perfect").resolve(series.name().replace("/", "/perfect_") + ".gz");
    Files.createDirectories(file.getParent());
    StringBuilder text = new StringBuilder("timestamp,value,anomaly_score\n");
    for (int i = 0; i < ROWS; i++) {
      String time =
          LocalDateTime.ofEpochSecond(series.seconds()[i], 0, ZoneOffset.UTC)
              .toString()
              .replace('T', ' ');
      text.append(time).append(time.length() == 16 ? ":00" : "");
      text.append(",1,").append(i == row ? 1 : 0).append('\n');
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void boundsAreCountedOverWhatIsForLearningToo() {
    Labelled machine = recording("one", "m", 2, false);
    Labelled learning = machine.learning();
    assertThat(learning.rows()).isEqualTo(machine.judged());
    assertThat(learning.segments()).isEmpty();
    assertThat(learning.judged()).isZero();
    assertThat(learning.metrics()[1])
        .containsExactly(Arrays.copyOf(machine.metrics()[1], machine.judged()));
  }
}
