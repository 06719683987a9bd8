package io.peerlens.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.peerlens.dashboard.DashboardPacks.Pack;
import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.lint.Finding;
import io.peerlens.dashboard.lint.Lint;
import io.peerlens.panel.ExampleRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class DashboardPacksTest {

  private static final DashboardPacks PACKS = new DashboardPacks();

  static Stream<String> names() {
    return PACKS.all().stream().map(Pack::name);
  }

  private static JsonNode json(String pack) throws IOException {
    try (InputStream in =
        DashboardPacksTest.class.getResourceAsStream("/dashboard-packs/" + pack + ".json")) {
      return Json.MAPPER.readTree(Objects.requireNonNull(in));
    }
  }

  private static Bundle bundle(String pack) throws IOException {
    BundleReader.Result<Bundle> result = BundleReader.bundle(json(pack));
    assertThat(result.mistakes()).as(pack).isEmpty();
    return Objects.requireNonNull(result.value());
  }

  @Test
  void thereAreTenScreensInFivePacks() throws IOException {
    assertThat(names()).containsExactly("ingest", "network", "outliers", "vsan", "vsphere");
    int screens = 0;
    for (Pack pack : PACKS.all()) {
      screens += pack.file().dashboards().size();
      assertThat(pack.summary()).as(pack.name()).endsWith(".");
    }
    assertThat(screens).isEqualTo(10);
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPackFitsThePublishedSchema(String pack) throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(Path.of("../docs/dashboard.schema.json")));
    assertThat(schema.validate(json(pack).toString(), InputFormat.JSON)).as(pack).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPackNamesNoIdAndNoObjectOfAnInstallation(String pack) throws IOException {
    bundle(pack);
    assertThat(json(pack).findValues("id")).as(pack).isEmpty();
    List<String> found =
        Lint.of(bundle(pack)).stream()
            .filter(one -> !one.code().equals("link-not-included"))
            .map(Finding::toString)
            .toList();
    assertThat(found).as(pack).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aDashboardOfAPackSaysWhatItIsForAndHasAVariableThatARowOrAChoiceSets(String pack)
      throws IOException {
    for (Bundle.Item<Dashboard> one : bundle(pack).dashboards()) {
      Dashboard dashboard = one.read();
      assertThat(dashboard.description()).as(dashboard.name()).isNotEmpty();
      assertThat(dashboard.folder()).as(dashboard.name()).isNotNull();
      assertThat(dashboard.variables()).as(dashboard.name()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPackHasTestsAndMeetsThem(String pack) throws IOException {
    assertThat(bundle(pack).tests()).as(pack).isNotEmpty();
    assertThat(ExampleRun.of(bundle(pack)).stream().map(Finding::toString)).as(pack).isEmpty();
  }

  /** A link leads to a dashboard of any pack, and sets variables that it has. */
  @Test
  void linksLeadToDashboardsThatHaveTheirVariables() throws IOException {
    Map<String, Set<String>> variables = new java.util.HashMap<>();
    for (Pack pack : PACKS.all()) {
      for (Bundle.Item<Dashboard> one : bundle(pack.name()).dashboards()) {
        variables.put(
            one.read().name(),
            one.read().variables().stream()
                .map(variable -> variable.name())
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    }
    int links = 0;
    for (Pack pack : PACKS.all()) {
      for (Bundle.Item<Dashboard> one : bundle(pack.name()).dashboards()) {
        for (Panel panel : one.read().panels().values()) {
          for (Panel.Link link : panel.links()) {
            links++;
            assertThat(variables).containsKey(link.dashboard());
            assertThat(variables.get(link.dashboard())).containsAll(link.variables().keySet());
          }
        }
      }
    }
    assertThat(links).isGreaterThanOrEqualTo(4);
  }
}
