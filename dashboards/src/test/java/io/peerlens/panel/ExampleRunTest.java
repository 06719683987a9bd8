package io.peerlens.panel;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.lint.Finding;
import io.peerlens.series.Percentile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ExampleRunTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static Bundle bundle(String json) {
    BundleReader.Result<Bundle> result =
        BundleReader.bundle(JSON.readTree(json.replace('\'', '"')));
    assertThat(result.mistakes()).isEmpty();
    return Objects.requireNonNull(result.value());
  }

  /** A file with a view of hosts, a dashboard with one panel of machines, and one test. */
  private static Bundle file(String columns, String panel, String test) {
    return bundle(
        """
        {'format': 'peerlens-dashboards', 'version': 1,
         'views': [{'name': 'Hosts', 'kind': 'VMWARE/HostSystem', 'columns': [%s]}],
         'dashboards': [{'name': 'One', 'time': {'last': '6h'},
           'variables': [
             {'name': 'cluster', 'type': 'object', 'kind': 'VMWARE/ClusterComputeResource'},
             {'name': 'env', 'type': 'tag', 'key': 'env', 'default': 'prod'}],
           'panels': {'p': %s},
           'layout': [{'items': [{'panel': 'p', 'x': 1, 'y': 1, 'w': 6, 'h': 4}]}]}],
         'tests': [%s]}
        """
            .formatted(columns, panel, test));
  }

  private static final String NAME = "{'name': 'name', 'attribute': 'name'}";
  private static final String MACHINES =
      "{'type': 'table', 'title': 'M', 'kind': 'VMWARE/VirtualMachine', 'subject': '$cluster', 'columns': [%s]}"
          .formatted(NAME);

  private static List<String> texts(Bundle bundle) {
    return ExampleRun.of(bundle).stream().map(Finding::text).toList();
  }

  private static String metric(String name, String transform) {
    return "{'name': '%s', 'metric': {'any': ['cpu|usage_average']}, 'transform': %s}"
        .formatted(name, transform);
  }

  // ------------------------------------------------------------------------------------ comparison

  @Test
  void aFindingSaysWhichTestRowAndColumnDiffersAndHow() {
    Bundle bundle =
        file(
            NAME + "," + metric("cpu", "'avg'"),
            MACHINES,
            """
            {'name': 'two', 'objects': [
               {'name': 'a', 'kind': 'VMWARE/HostSystem', 'metrics': {'cpu|usage_average': [['5m', 1], ['6m', 2]]}},
               {'name': 'b', 'kind': 'VMWARE/HostSystem', 'metrics': {'cpu|usage_average': 40}}],
             'expect': [
               {'view': 'Hosts', 'rows': [{'object': 'a', 'cells': {'cpu': 1.5}}, {'object': 'b', 'cells': {'cpu': 41}}]},
               {'view': 'Hosts', 'rows': [{'object': 'a'}, {'object': 'c'}]},
               {'view': 'Hosts', 'rows': [{'object': 'a', 'cells': {'gone': 1}}]},
               {'view': 'Hosts', 'rows': [{'object': 'a', 'cells': {'cpu': null}}, {'object': 'b', 'cells': {'name': 'B'}}]},
               {'view': 'Hosts', 'empty': 'no-kind'},
               {'dashboard': 'One', 'panel': 'p', 'rows': [{'object': 'a'}]},
               {'dashboard': 'One', 'panel': 'p', 'empty': 'choose'},
               {'view': 'Nowhere', 'empty': 'no-kind'},
               {'dashboard': 'One', 'panel': 'q', 'empty': 'no-kind'},
               {'dashboard': 'Two', 'panel': 'p', 'empty': 'no-kind'}]}
            """);
    List<Finding> findings = ExampleRun.of(bundle);
    assertThat(findings).extracting(Finding::code).containsOnly("test-failed");
    assertThat(findings)
        .extracting(Finding::path)
        .startsWith("tests[0].expect[0]", "tests[0].expect[1]", "tests[0].expect[2]");
    assertThat(findings)
        .extracting(Finding::text)
        .containsExactly(
            "Test \"two\", view \"Hosts\", row 2 (b), column cpu: 41 is expected, 40 is found.",
            "Test \"two\", view \"Hosts\", row 2: c is expected, b is found.",
            "Test \"two\", view \"Hosts\": there is no column gone to be compared; there are: name, cpu.",
            "Test \"two\", view \"Hosts\": 1 row is expected, 2 found: a, b.",
            "Test \"two\", view \"Hosts\", row 1 (a), column cpu: no value is expected, 1.5 is found.",
            "Test \"two\", view \"Hosts\", row 2 (b), column name: \"B\" is expected, \"b\" is found.",
            "Test \"two\", view \"Hosts\": no-kind is expected, and it shows 2 rows.",
            "Test \"two\", panel p of \"One\": 1 row is expected, and it is empty (no-kind): Nothing here is of the kind VMWARE/VirtualMachine; a vCenter collector has them.",
            "Test \"two\", panel p of \"One\": choose is expected, no-kind is found: Nothing here is of the kind VMWARE/VirtualMachine; a vCenter collector has them.",
            "Test \"two\", view \"Nowhere\": the file has no view \"Nowhere\", or that one has mistakes.",
            "Test \"two\", panel q of \"One\": the dashboard has no panel q; there are: p.",
            "Test \"two\", panel p of \"Two\": the file has no such dashboard, or that one has mistakes.");
    assertThat(findings).extracting(Finding::hint).allMatch(hint -> hint.startsWith("Mend "));
  }

  @Test
  void numbersMayDifferByABillionthAndNoMore() {
    String test =
        """
        {'name': 't', 'objects': [
           {'name': 'a', 'kind': 'VMWARE/HostSystem', 'metrics': {'cpu|usage_average': 1000000}}],
         'expect': [{'view': 'Hosts', 'rows': [{'object': 'a', 'cells': {'cpu': %s}}]}]}
        """;
    String columns = metric("cpu", "'avg'");
    assertThat(texts(file(columns, MACHINES, test.formatted("1000000.0009")))).isEmpty();
    assertThat(texts(file(columns, MACHINES, test.formatted("1000000.0011")))).hasSize(1);
  }

  @Test
  void manyDifferencesOfOneExpectationAreCounted() {
    String rows =
        IntStream.range(0, 9)
            .mapToObj("{'object': 'a%d', 'cells': {'name': 'x'}}"::formatted)
            .collect(Collectors.joining(","));
    String objects =
        IntStream.range(0, 9)
            .mapToObj("{'name': 'a%d', 'kind': 'VMWARE/HostSystem'}"::formatted)
            .collect(Collectors.joining(","));
    List<String> texts =
        texts(
            file(
                NAME,
                MACHINES,
                "{'name': 't', 'objects': [%s], 'expect': [{'view': 'Hosts', 'rows': [%s]}]}"
                    .formatted(objects, rows)));
    assertThat(texts).hasSize(6);
    assertThat(texts.getLast()).isEqualTo("Test \"t\", view \"Hosts\": 4 more differences.");
  }

  // -------------------------------------------------------------------------------------- the
  // engine

  @Test
  void eachTransformOfAnExampleIsWhatItsSamplesMake() {
    Random random = new Random(7);
    double[] values = new double[501];
    List<String> samples = new ArrayList<>();
    for (int minute = 1; minute <= values.length; minute++) {
      values[minute - 1] = random.nextInt(100_000) / 64.0;
      samples.add("['%dm', %s]".formatted(minute, values[minute - 1]));
    }
    double[] sorted = Arrays.stream(values).sorted().toArray();
    String cells =
        "'avg': %s, 'min': %s, 'max': %s, 'sum': %s, 'count': %d, 'last': %s, 'first': %s, 'now': %s, 'p50': %s, 'p999': %s"
            .formatted(
                Arrays.stream(values).average().orElseThrow(),
                sorted[0],
                sorted[sorted.length - 1],
                Arrays.stream(values).sum(),
                values.length,
                values[0],
                values[values.length - 1],
                values[0],
                Percentile.of(50).in(sorted),
                Percentile.of(99.9).in(sorted));
    List<String> columns = new ArrayList<>();
    for (String plain : List.of("avg", "min", "max", "sum", "count", "last", "first")) {
      columns.add(metric(plain, "'" + plain + "'"));
    }
    columns.add(metric("now", "'current'"));
    columns.add(metric("p50", "{'percentile': 50}"));
    columns.add(metric("p999", "{'percentile': 99.9}"));
    assertThat(
            texts(
                file(
                    String.join(",", columns),
                    MACHINES,
                    """
                    {'name': 't', 'objects': [
                       {'name': 'a', 'kind': 'VMWARE/HostSystem', 'metrics': {'cpu|usage_average': [%s]}}],
                     'expect': [{'view': 'Hosts', 'rows': [{'object': 'a', 'cells': {%s}}]}]}
                    """
                        .formatted(String.join(",", samples), cells))))
        .isEmpty();
  }

  @Test
  void aSampleOfNowCountsAndOneBeforeTheWindowDoesNot() {
    assertThat(
            texts(
                file(
                    metric("cpu", "'sum'") + "," + metric("now", "'current'"),
                    MACHINES,
                    """
                    {'name': 't', 'objects': [
                       {'name': 'a', 'kind': 'VMWARE/HostSystem',
                        'metrics': {'cpu|usage_average': [['0s', 1], ['24h', 10], ['1441m', 100]]}}],
                     'expect': [{'view': 'Hosts', 'rows': [{'object': 'a', 'cells': {'cpu': 11, 'now': 1}}]}]}
                    """)))
        .isEmpty();
  }

  @Test
  void objectsAreSelectedByNameTagPropertyGroupAndAncestor() {
    String objects =
        """
        {'name': 'c1', 'kind': 'VMWARE/ClusterComputeResource'},
        {'name': 'c2', 'kind': 'VMWARE/ClusterComputeResource'},
        {'name': 'Tier 1', 'kind': 'Container/Environment'},
        {'name': 'esx', 'kind': 'VMWARE/HostSystem', 'parents': ['c1']},
        {'name': 'web-1', 'kind': 'VMWARE/VirtualMachine', 'parents': ['esx', 'Tier 1'], 'tags': {'env': 'prod'}, 'properties': {'os': 'x'}},
        {'name': 'web-2', 'kind': 'VMWARE/VirtualMachine', 'parents': ['esx'], 'tags': {'env': 'test'}},
        {'name': 'db-1', 'kind': 'VMWARE/VirtualMachine', 'parents': ['c2', 'Tier 1'], 'tags': {'env': 'prod'}, 'properties': {'os': 'y'}}
        """;
    record Case(String scope, String variables, String rows) {}
    for (Case one :
        List.of(
            new Case("{'name': 'WEB-*'}", "{}", "web-1 web-2"),
            new Case("{'tags': ['env=$env']}", "{}", "db-1 web-1"),
            new Case("{'tags': ['env=$env']}", "{'env': 'test'}", "web-2"),
            new Case("{'tags': ['env']}", "{}", "db-1 web-1 web-2"),
            new Case("{'properties': ['os=x']}", "{}", "web-1"),
            new Case("{'properties': ['os']}", "{}", "db-1 web-1"),
            new Case("{'groups': ['Tier 1']}", "{}", "db-1 web-1"),
            new Case("{'ancestors': ['$cluster']}", "{'cluster': 'c1'}", "web-1 web-2"),
            new Case("{'ancestors': ['$cluster']}", "{'cluster': 'c2'}", "db-1"),
            new Case("{'exclude': [{'name': 'web-1'}]}", "{}", "db-1 web-2"))) {
      String rows =
          Arrays.stream(one.rows().split(" "))
              .map("{'object': '%s'}"::formatted)
              .collect(Collectors.joining(","));
      Bundle bundle =
          file(
              NAME,
              "{'type': 'table', 'title': 'M', 'kind': 'VMWARE/VirtualMachine', 'select': {'scope': %s}, 'columns': [%s]}"
                  .formatted(one.scope(), NAME),
              "{'name': 't', 'variables': %s, 'objects': [%s], 'expect': [{'dashboard': 'One', 'panel': 'p', 'rows': [%s]}]}"
                  .formatted(one.variables(), objects, rows));
      assertThat(texts(bundle)).as(one.scope() + " with " + one.variables()).isEmpty();
    }
  }

  @Test
  void aVariableNamesAnObjectAndOneThatIsNotThereIsAFinding() {
    String objects =
        """
        {'name': 'c1', 'kind': 'VMWARE/ClusterComputeResource'},
        {'name': 'vm', 'kind': 'VMWARE/VirtualMachine', 'parents': ['c1']}
        """;
    String test =
        "{'name': 't', %s 'objects': [%s], 'expect': [{'panel': 'p', 'rows': [{'object': 'vm'}]}]}";
    assertThat(
            texts(file(NAME, MACHINES, test.formatted("'variables': {'cluster': 'c1'},", objects))))
        .isEmpty();
    assertThat(
            texts(file(NAME, MACHINES, test.formatted("'variables': {'cluster': 'vm'},", objects))))
        .containsExactly(
            "Test \"t\", panel p: its variable cluster is vm, and the example has no such object of the kind VMWARE/ClusterComputeResource.");
    assertThat(texts(file(NAME, MACHINES, test.formatted("", objects))))
        .singleElement()
        .asString()
        .startsWith("Test \"t\", panel p: 1 row is expected, and it is empty (choose): ");
  }

  @Test
  void aSuperMetricHasTheValuesThatAreGivenByItsName() {
    String column =
        "{'name': 'busy', 'metric': {'any': ['Super metric:Busy']}, 'transform': 'avg'}";
    assertThat(
            texts(
                file(
                    column,
                    MACHINES,
                    """
                    {'name': 't', 'objects': [
                       {'name': 'a', 'kind': 'VMWARE/HostSystem', 'metrics': {'Super metric:Busy': 7}}],
                     'expect': [{'view': 'Hosts', 'rows': [{'object': 'a', 'cells': {'busy': 7}}]}]}
                    """)))
        .isEmpty();
  }

  @Test
  void whatOnlyReportedBeforeHasStopped() {
    assertThat(
            texts(
                file(
                    metric("cpu", "'avg'"),
                    MACHINES,
                    """
                    {'name': 't', 'objects': [
                       {'name': 'a', 'kind': 'VMWARE/HostSystem', 'metrics': {'cpu|usage_average': [['3d', 1]]}}],
                     'expect': [{'view': 'Hosts', 'empty': 'stopped'}]}
                    """)))
        .isEmpty();
  }

  @Test
  void chartsDistributionsPropertiesAndRelationsAreComparedTooAndTextsAreNot() {
    String objects =
        """
        {'name': 'c1', 'kind': 'VMWARE/ClusterComputeResource', 'properties': {'b': 2, 'a': 'x'}},
        {'name': 'vm-1', 'kind': 'VMWARE/VirtualMachine', 'parents': ['c1'], 'tags': {'env': 'prod'}, 'metrics': {'cpu|usage_average': [['1m', 5], ['3h', 1]]}},
        {'name': 'vm-2', 'kind': 'VMWARE/VirtualMachine', 'parents': ['c1'], 'tags': {'env': 'prod'}, 'metrics': {'cpu|usage_average': 2}}
        """;
    record Case(String panel, String rows) {}
    for (Case one :
        List.of(
            new Case(
                "{'type': 'chart', 'title': 'T', 'kind': 'VMWARE/VirtualMachine', 'columns': [%s]}"
                    .formatted(metric("cpu", "'avg'")),
                "{'object': 'vm-1', 'cells': {'cpu': 5}}, {'object': 'vm-2', 'cells': {'cpu': 2}}"),
            new Case(
                "{'type': 'distribution', 'title': 'T', 'kind': 'VMWARE/VirtualMachine', 'columns': [{'name': 'env', 'tag': 'env'}]}",
                "{'object': 'prod', 'cells': {'count': 2}}"),
            new Case(
                "{'type': 'properties', 'title': 'T', 'subject': '$cluster'}",
                "{'object': 'a', 'cells': {'value': 'x'}}, {'object': 'b', 'cells': {'value': 2}}"),
            new Case(
                "{'type': 'relations', 'title': 'T', 'subject': '$cluster'}",
                "{'object': 'c1', 'cells': {'level': 0}}, {'object': 'vm-1', 'cells': {'level': 1}}, {'object': 'vm-2'}"))) {
      assertThat(
              texts(
                  file(
                      NAME,
                      one.panel(),
                      "{'name': 't', 'variables': {'cluster': 'c1'}, 'objects': [%s], 'expect': [{'panel': 'p', 'rows': [%s]}]}"
                          .formatted(objects, one.rows()))))
          .as(one.panel())
          .isEmpty();
    }
    assertThat(
            texts(
                file(
                    NAME,
                    "{'type': 'text', 'markdown': 'Hello'}",
                    "{'name': 't', 'objects': [], 'expect': [{'panel': 'p', 'rows': []}]}")))
        .containsExactly(
            "Test \"t\", panel p: a panel of the type text has no rows that can be compared.");
  }

  // ------------------------------------------------------------------------------------- the
  // bounds

  @Test
  void testsThatTakeTooLongEndAndSayHowManyWereRun() {
    String test =
        "{'name': 't%d', 'objects': [], 'expect': [{'view': 'Hosts', 'empty': 'no-kind'}]}";
    Bundle bundle =
        file(
            NAME,
            MACHINES,
            IntStream.range(0, 200).mapToObj(test::formatted).collect(Collectors.joining(",")));
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // it may turn over
    List<Finding> findings = ExampleRun.of(bundle, () -> now.getAndAdd(100_000_000));
    assertThat(findings)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.code()).isEqualTo("tests-not-run");
              assertThat(one.text())
                  .matches("The tests did not come to their end within 10 s: \\d+ of 200 did\\.");
            });
    assertThat(ExampleRun.of(bundle)).isEmpty();
  }

  @Test
  void anExampleOfAThousandObjectsIsAnsweredInItsTime() {
    String objects =
        IntStream.range(0, 1000)
            .mapToObj(
                i ->
                    "{'name': 'h%03d', 'kind': 'VMWARE/HostSystem', 'metrics': {'cpu|usage_average': %d}}"
                        .formatted(i, i))
            .collect(Collectors.joining(","));
    String rows =
        IntStream.range(0, 500)
            .mapToObj(i -> "{'object': 'h%03d', 'cells': {'cpu': %d, 'p': %d}}".formatted(i, i, i))
            .collect(Collectors.joining(","));
    assertThat(
            texts(
                file(
                    metric("cpu", "'avg'") + "," + metric("p", "{'percentile': 95}"),
                    MACHINES,
                    "{'name': 't', 'objects': [%s], 'expect': [{'view': 'Hosts', 'rows': [%s]}]}"
                        .formatted(objects, rows))))
        .isEmpty();
  }
}
