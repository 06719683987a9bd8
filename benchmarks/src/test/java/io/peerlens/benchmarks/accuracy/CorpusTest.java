package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorpusTest {

  private static final Path PUBLIC = Path.of("../../shared/corpus");

  @TempDir Path folder;

  private List<Trace> read(int groups, int days) throws IOException {
    MadeUp made = new MadeUp(folder);
    made.bitbrains("mixed", 99, 6, 10, 72);
    for (int g = 1; g <= groups; g++) {
      made.bitbrains("peer-other" + g, g, 10, 10, 72);
    }
    for (int d = 1; d <= days; d++) {
      made.planetlab("day-" + d, d, 3, 10);
    }
    return new Corpus(folder).read();
  }

  private static Set<String> kept(List<Trace> traces, String set) {
    return traces.stream()
        .filter(t -> t.set().equals(set) && t.kept())
        .map(t -> t.group().replaceAll("/.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1", "3, 1", "5, 2", "7, 2"})
  void twoFifthsOfWhateverFilesThereAreAreKeptAside(int files, int aside) throws IOException {
    List<Trace> traces = read(files, files);
    for (String set : List.of("Bitbrains cpu", "Bitbrains disk", "PlanetLab cpu")) {
      assertThat(kept(traces, set)).as(set).hasSize(aside);
    }
    assertThat(traces.stream().filter(t -> t.set().equals("Bitbrains cpu"))).hasSize(files);
    assertThat(traces.stream().filter(t -> t.set().equals("PlanetLab cpu"))).hasSize(3 * files);
  }

  @Test
  void whatIsCutFromAGroupIsKeptAsideWithIt() throws IOException {
    List<Trace> traces = read(5, 5);
    Map<String, Boolean> kept =
        traces.stream()
            .filter(t -> t.name().equals(t.group()))
            .collect(Collectors.toMap(Trace::group, Trace::kept, (a, b) -> a));
    assertThat(traces).allMatch(t -> kept.get(t.group()) == t.kept());
    assertThat(traces.stream().map(Trace::set).distinct())
        .contains(
            "Bitbrains cpu, 3 to 5 members",
            "Bitbrains cpu, stale groups",
            "PlanetLab cpu, 3 to 5 members",
            "PlanetLab cpu, stale groups");
  }

  @Test
  void threeInTenOfAStaleGroupAreStrangers() throws IOException {
    List<Trace> traces = read(2, 2);
    Map<String, Trace> whole =
        traces.stream()
            .filter(t -> t.set().equals("PlanetLab cpu"))
            .collect(Collectors.toMap(Trace::name, t -> t));
    List<Trace> stale =
        traces.stream().filter(t -> t.set().equals("PlanetLab cpu, stale groups")).toList();
    assertThat(stale).hasSize(6);
    for (Trace trace : stale) {
      Trace of = whole.get(trace.group());
      int replaced = 0;
      for (int i = 0; i < trace.members(); i++) {
        int member = i;
        // Slices are ten apart, so no value of a stranger is one of the member.
        boolean other =
            Arrays.stream(trace.values())
                .allMatch(row -> Math.abs(row[member] - of.values()[0][member]) > 5);
        boolean same =
            Arrays.stream(trace.values())
                .allMatch(row -> Math.abs(row[member] - of.values()[0][member]) < 5);
        assertThat(other || same).isTrue();
        replaced += other ? 1 : 0;
      }
      assertThat(replaced).isEqualTo(3);
    }
  }

  @Test
  void metricsAndMembersAreRead() throws IOException {
    Trace received =
        read(1, 1).stream().filter(t -> t.set().equals("Bitbrains net rx")).findFirst().get();
    assertThat(received.values()[0])
        .containsExactly(1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009);
    assertThat(received.values()[1]).containsOnly(Double.NaN);
    assertThat(received.percent()).isFalse();
    assertThat(received.amplitude()).isBetween(1005.0, 1009.0);
  }

  /** The parts are those of the first measurement, when the names stood in the program. */
  @Test
  void thePartsOfThePublicFilesAreThoseOfTheFirstMeasurement() throws IOException {
    assumeTrue(
        names("bitbrains-rnd")
                .equals(Set.of("mixed", "peer-1", "peer-2", "peer-3", "peer-4", "peer-5"))
            && names("planetlab")
                .equals(Set.of("20110303", "20110306", "20110309", "20110322", "20110325")),
        () -> String.format(Locale.ROOT, "not the public traces: %s", PUBLIC));
    List<Trace> traces = new Corpus(PUBLIC).read();
    for (String set :
        List.of("Bitbrains cpu", "Bitbrains net rx", "Bitbrains net tx", "Bitbrains disk")) {
      assertThat(kept(traces, set)).as(set).containsExactly("peer-1", "peer-5");
    }
    assertThat(kept(traces, "Bitbrains cpu, 3 to 5 members")).containsExactly("peer-1", "peer-5");
    assertThat(kept(traces, "PlanetLab cpu")).containsExactly("20110303", "20110325");
    assertThat(kept(traces, "PlanetLab cpu, 3 to 5 members"))
        .containsExactly("20110303", "20110325");
  }

  private static Set<String> names(String folder) throws IOException {
    Path path = PUBLIC.resolve(folder);
    if (!Files.isDirectory(path)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(".csv.gz"))
          .map(f -> f.replace(".csv.gz", ""))
          .collect(Collectors.toSet());
    }
  }
}
