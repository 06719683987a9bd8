package io.peerlens.dashboard.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.BundleReader;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LintTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Findings about a file, in single quotes, as code and path. */
  private static List<String> found(String members) {
    BundleReader.Result<Bundle> result =
        BundleReader.bundle(
            JSON.readTree(
                ("{'format': 'peerlens-dashboards', 'version': 1, " + members + "}")
                    .replace('\'', '"')));
    assertThat(result.mistakes()).isEmpty();
    return Lint.of(Objects.requireNonNull(result.value())).stream()
        .map(one -> one.code() + " " + one.path())
        .toList();
  }

  private static String dashboard(String variables, String panel, int height) {
    return """
    'dashboards': [{'name': 'D', 'variables': [%s], 'panels': {'p': %s},
      'layout': [{'items': [{'panel': 'p', 'x': 1, 'y': 1, 'w': 12, 'h': %d}]}]}]
    """
        .formatted(variables, panel, height);
  }

  private static String panel(String members) {
    return dashboard("", "{'title': 'T', 'kind': 'VMWARE/HostSystem', " + members + "}", 6);
  }

  private static final String CPU = "'metric': {'any': ['cpu|usage_average']}";

  @Test
  void aFileThatWorksEverywhereHasNoFindings() {
    assertThat(found(panel("'type': 'table', 'columns': [{'name': 'cpu', %s}]".formatted(CPU))))
        .isEmpty();
  }

  @Test
  void objectsOfOneInstallationAreFoundWhereverTheyStand() {
    String pinned = "{'name': 'esx-1', 'kind': 'VMWARE/HostSystem'}";
    assertThat(
            found(
                dashboard(
                    "{'name': 'h', 'type': 'object', 'kind': 'VMWARE/HostSystem', 'default': %s}"
                        .formatted(pinned),
                    "{'type': 'relations', 'title': 'T', 'subject': %s}".formatted(pinned),
                    6)))
        .containsExactly(
            "pinned-object dashboards[0].variables[0].default",
            "pinned-object dashboards[0].panels.p.subject");
    assertThat(
            found(
                panel(
                    "'type': 'table', 'columns': [{'name': 'a', 'attribute': 'name'}], 'select': {'scope': {'ancestors': [%s]}}"
                        .formatted(pinned))))
        .containsExactly("pinned-object dashboards[0].panels.p.select.scope.ancestors[0]");
  }

  @Test
  void whatIsNotInTheFileIsFound() {
    assertThat(
            found(
                panel("'type': 'table', 'view': {'name': 'V'}, 'links': [{'dashboard': 'Other'}]")))
        .containsExactly(
            "view-not-included dashboards[0].panels.p.view",
            "link-not-included dashboards[0].panels.p.links[0]");
    String column = "{'name': 'a', 'unit': '%', 'metric': {'any': ['Super metric:Busy']}}";
    String table = "'type': 'table', 'columns': [" + column + "]";
    assertThat(found(panel(table)))
        .containsExactly("super-metric-not-included dashboards[0].panels.p.columns[0]");
    assertThat(
            found(
                "'needs': {'superMetrics': [{'name': 'Busy', 'pack': 'vm-basics'}]}, "
                    + panel(table)))
        .isEmpty();
    assertThat(
            found(
                "'superMetrics': {'7b3c1a90-0000-4000-8000-000000000003': {'name': 'Busy'}}, "
                    + panel(table)))
        .isEmpty();
    String group =
        "'type': 'table', 'columns': [{'name': 'a', 'attribute': 'name'}], 'select': {'from': {'group': 'Shop'}}";
    assertThat(found(panel(group)))
        .containsExactly("group-not-named dashboards[0].panels.p.select.from");
    assertThat(found("'needs': {'groups': [{'name': 'Shop'}]}, " + panel(group))).isEmpty();
  }

  @Test
  void unitsAreMissedWhereTheMetricBringsNone() {
    assertThat(
            found(
                panel(
                    "'type': 'table', 'columns': [{'name': 'a', %s}, {'name': 'b', 'expression': 'a * 2'}]"
                        .formatted(CPU))))
        .containsExactly("no-unit dashboards[0].panels.p.columns[1]");
  }

  @Test
  void cellsWithoutAMeaningAndScreensThatAreTooTallAreFound() {
    String map = "'type': 'heatmap', 'columns': [{'name': 'a', %s%s}]";
    assertThat(found(panel(map.formatted(CPU, ""))))
        .containsExactly("no-colour dashboards[0].panels.p");
    assertThat(found(panel(map.formatted(CPU, ", 'colour': {'bounds': [80]}")))).isEmpty();
    String text = "{'type': 'text', 'markdown': ''}";
    assertThat(found(dashboard("", text, Lint.ROWS_OF_1080P))).isEmpty();
    assertThat(found(dashboard("", text, Lint.ROWS_OF_1080P + 1)))
        .containsExactly("too-tall dashboards[0].layout");
  }
}
