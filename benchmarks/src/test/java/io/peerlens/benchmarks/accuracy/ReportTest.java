package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.benchmarks.Headline;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  @TempDir static Path folder;

  private static Report report;

  /** Two files of each kind, one of which is kept aside. */
  @BeforeAll
  static void report() throws Exception {
    report =
        report(
            folder.resolve("two"),
            2,
            9,
            List.of(new Groups("Peerlens", Groups::defaults), new RobustZ(), new OwnOffset()));
  }

  private static Report report(Path root, int files, int days, List<Detector> detectors)
      throws Exception {
    MadeUp made = new MadeUp(root);
    made.bitbrains("mixed", 99, 6, days, 1);
    for (int f = 1; f <= files; f++) {
      made.bitbrains("peer-" + f, f, 8, days, 1);
      made.planetlab("day-" + f, f, 2, 8);
    }
    Corpus corpus = new Corpus(root);
    Results results = Accuracy.run(corpus.read(), detectors, 2, List.of(false, true));
    List<Report.World> worlds =
        List.of(Accuracy.world("Clean groups", Together.clean().subList(0, 2), detectors));
    Outcome mixed = Lab.run(detectors.getFirst(), "mixed", List.of(corpus.mixed()), 1);
    return new Report(results, worlds, mixed, 2, 1);
  }

  @Test
  void everythingThatWasMeasuredHasAFigure() {
    String page = report.text();
    assertThat(page).doesNotContain("NaN", "TRIALS", "MINUTES", "THRESHOLD", "null");
    assertThat(page).contains("Run in 1 minutes", "2 places", "score of 4.5");
    for (String line : page.lines().filter(l -> l.startsWith("| ")).toList()) {
      boolean tried = !line.contains("drift") && !line.startsWith("| a quarter");
      if (tried && !line.contains("; ")) {
        assertThat(cells(line)).as(line).allMatch(c -> !c.equals("-") && !c.isEmpty());
      }
    }
    List<Headline> headlines = report.headlines();
    assertThat(headlines.stream().map(Headline::what))
        .anyMatch(w -> w.contains("shipped thresholds") && w.endsWith("9 sets, kept aside"))
        .contains("Outliers, PlanetLab cpu, stale groups", "Outliers, Bitbrains cpu, kept aside");
    assertThat(headlines.toString()).doesNotContain("NaN");
  }

  @Test
  void tablesHaveAsManyCellsAsColumns() {
    List<String> lines = report.text().lines().toList();
    int tables = 0;
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).startsWith("|---")) {
        tables++;
        int columns = cells(lines.get(i - 1)).size();
        for (int j = i; j < lines.size() && lines.get(j).startsWith("|"); j++) {
          assertThat(cells(lines.get(j))).as(lines.get(j)).hasSize(columns);
        }
      }
    }
    assertThat(tables).isGreaterThan(12);
  }

  @Test
  void aPartOrSetThatThereIsNoneOfIsLeftOutOrADash() throws Exception {
    Report half =
        report(
            folder.resolve("one"),
            1,
            9,
            List.of(new RobustZ(), new RobustZ("robust z, no minimum", false, 0)));
    assertThat(half.text()).doesNotContain("NaN", ", kept aside |").contains("| -");
    assertThat(half.headlines()).noneMatch(h -> h.what().contains("kept aside"));
  }

  private static List<String> cells(String row) {
    String[] cells = row.replace("\\|", "/").split("\\|", -1);
    return Arrays.stream(cells, 1, cells.length - 1).map(String::trim).toList();
  }
}
