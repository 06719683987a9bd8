package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.profile.Made.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProfileCsvTest {

  private static LoadProfile profile(String name) {
    return new LoadProfiler(ProfileOptions.of(Made.YEAR))
        .add(
            new Machine("id", name, 4, Double.NaN, 100, Set.of()),
            Made.mixture(
                Made.YEAR, 5, new Kind(2_000, 8_192, 0.7, 0.6), new Kind(500, 65_536, 0.2, 0.4)),
            null);
  }

  @Test
  void aLineHasAsManyCellsAsNamesAndUnknownOnesAreEmpty() {
    String[] lines = ProfileCsv.profiles(List.of(profile("db"))).split("\r\n", -1);
    assertThat(lines).hasSize(3);
    List<String> names = List.of(lines[0].split(",", -1));
    // The names of profiles have commas, and are in quotes.
    assertThat(lines[1]).contains("\"8K 70/30, 59 % of hours; 64K 20/80, 41 % of hours\"");
    List<String> cells = List.of(lines[1].replaceAll("\"[^\"]*\"", "quoted").split(",", -1));
    assertThat(cells).hasSameSizeAs(names);
    assertThat(cells.get(names.indexOf("name"))).isEqualTo("db");
    assertThat(cells.get(names.indexOf("hours"))).isEqualTo("8760");
    assertThat(cells.get(names.indexOf("iopsPerMemoryGb"))).isEmpty();
    assertThat(cells.get(names.indexOf("randomShare"))).isEmpty();
    assertThat(cells.get(names.indexOf("latencyP95"))).isEqualTo("1");
    assertThat(cells.get(names.indexOf("iopsPeakAt"))).matches("2025-\\d\\d-\\d\\dT\\d\\d:00:00Z");
    assertThat(lines[1]).doesNotContain("NaN").doesNotContain("null");
  }

  @Test
  void clustersCellsAndPeaksHaveALineEach() {
    LoadProfile profile = profile("db");
    assertThat(ProfileCsv.clusters(List.of(profile)).lines())
        .hasSize(3)
        .anyMatch(it -> it.startsWith("db,8K 70/30,"));
    assertThat(ProfileCsv.histogram(List.of(profile)).lines())
        .hasSize(1 + profile.mixture().cells().size())
        .anyMatch(it -> it.startsWith("db,65536,20,") && it.endsWith(",64K 20/80"));
    assertThat(ProfileCsv.peaks(List.of(profile)).lines())
        .hasSize(11)
        .anyMatch(it -> it.startsWith("db,1,2025-"));
  }

  @Test
  void namesBecomeNoFormulasAndNoCells() {
    assertThat(ProfileCsv.peaks(List.of(profile("=cmd|' /C calc'!A0"))))
        .contains("\r\n'=cmd|' /C calc'!A0,1,");
    assertThat(ProfileCsv.peaks(List.of(profile("a\"b,\nc")))).contains("\r\n\"a\"\"b,\nc\",1,");
    assertThat(ProfileCsv.peaks(List.of(profile("\n=1")))).contains("\r\n\"'\n=1\",1,");
  }
}
