package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.SampleData;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricViewsIT {
  private static final Instant TIME = Instant.parse("2026-11-20T12:00:00Z");

  private SampleData data;
  private MetricViews views;

  @BeforeAll
  void createDatabase() {
    data = SampleData.create();
    views =
        new MetricViews(
            data.jdbc(),
            new TransactionTemplate(new DataSourceTransactionManager(data.dataSource())));
  }

  @AfterAll
  void close() {
    data.close();
  }

  private List<@Nullable String> columns(String view) {
    return data.jdbc()
        .sql(
            """
            select column_name from information_schema.columns
            where table_schema = 'views' and table_name = ? order by ordinal_position
            """)
        .param(view)
        .query(String.class)
        .list();
  }

  @Test
  void aKindGetsAViewThatGrowsWithItsGroup() throws Exception {
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), group, "0");
    data.sample(TIME, set, 42.5);
    views.refresh();
    assertThat(columns("VirtualMachine_cpu"))
        .containsExactly("time", "object_id", "object", "instance", "usage_average");

    data.sql(
        "update metric_group set metrics = metrics || 'ready'::text, units = units || null::text where name = 'cpu'");
    try (Connection reader = data.database().connect();
        Statement statement = reader.createStatement();
        ResultSet row =
            statement.executeQuery("select usage_average from views.\"VirtualMachine_cpu\"")) {
      assertThat(row.next()).isTrue();
      assertThat(views.refresh()).isOne();
      assertThat(row.getDouble(1)).isEqualTo(42.5);
    }
    assertThat(columns("VirtualMachine_cpu"))
        .containsExactly("time", "object_id", "object", "instance", "usage_average", "ready");
    assertThat(columns("VirtualMachine_cpu_1h"))
        .containsExactly(
            "time", "object_id", "object", "instance", "samples", "usage_average", "ready");
    assertThat(views.refresh()).isZero();
    assertThat(
            data.jdbc()
                .sql(
                    """
                    select object || instance || usage_average from views."VirtualMachine_cpu" where ready is null
                    """)
                .query(String.class)
                .list())
        .containsExactly("vm042.5");
  }

  @Test
  void aReaderInATransactionOnlyDelaysTheRefresh() throws Exception {
    data.group("VMWARE", "Busy", "cpu", List.of("a"));
    views.refresh();
    data.sql("update metric_group set metrics = array['a', 'b'] where object_kind = 'Busy'");
    try (Connection reader = data.database().connect();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("select * from views.\"Busy_cpu\"");
      views.refresh();
      assertThat(columns("Busy_cpu")).doesNotContain("b");
      reader.commit();
    }
    views.refresh();
    assertThat(columns("Busy_cpu")).contains("a", "b");
  }

  @Test
  void namesAreQuotedAndUnique() {
    String evil = "x\"; drop table sample; --";
    data.group("A", "Host", "net_5m", List.of("time", "a", "a", evil, ""));
    data.group("B", "Host", "net", List.of("a"));
    data.group("C", "Host", "net", List.of("a"));
    data.group("A", evil, "Größe".repeat(40), List.of("é".repeat(100), "é".repeat(100) + "2"));
    views.refresh();
    assertThat(columns("Host_net_5m"))
        .containsExactly(
            "time", "object_id", "object", "instance", "time_2", "a", "a_2", evil, "value");
    List<@Nullable String> names =
        data.jdbc().sql("select name from metric_view").query(String.class).list();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(
            data.jdbc()
                .sql("select count(*) from information_schema.views where table_schema = 'views'")
                .query(Integer.class)
                .single())
        .isEqualTo(3 * names.size());
    assertThat(
            data.jdbc()
                .sql(
                    "select count(*) from metric_group g left join metric_view v on v.group_id = g.id where v.name is null")
                .query(Integer.class)
                .single())
        .isZero();
  }

  @Test
  void theMetricViewGivesOneRowForEachValue() {
    int group = data.group("VMWARE", "Datastore", "disk", List.of("used", "free"));
    int set = data.set(data.object("VMWARE", "Datastore", "ds"), group, "");
    data.sample(TIME, set, Double.NaN, 7);
    data.sample(TIME.plusSeconds(20), set, 3);
    List<String> rows = new ArrayList<>();
    JdbcClient jdbc = data.jdbc();
    jdbc.sql(
            "select time, object, kind, \"group\", instance, metric, value, unit from metric where kind = 'Datastore' order by time")
        .query(
            row -> {
              rows.add(
                  row.getString(2)
                      + " "
                      + row.getString(4)
                      + "|"
                      + row.getString(6)
                      + " "
                      + row.getDouble(7)
                      + " "
                      + row.getString(8));
            });
    assertThat(rows).containsExactly("ds disk|free 7.0 null", "ds disk|used 3.0 unit0");
  }

  @Test
  void aFilterOnTimeReachesTheSamples() {
    int group = data.group("VMWARE", "Filter", "cpu", List.of("a"));
    int set = data.set(data.object("VMWARE", "Filter", "f"), group, "");
    data.sample(TIME.minusSeconds(5 * 86_400), set, 1);
    String plan =
        String.join(
            "\n",
            data.jdbc()
                .sql(
                    """
                    explain select * from metric
                    where time >= '2026-11-20T11:00:00Z' and time < '2026-11-20T13:00:00Z' and kind = 'Filter'
                    """)
                .query(String.class)
                .list());
    // The condition stands at the scan of the samples (or of their chunks), not above the join.
    assertThat(plan).containsPattern("(Index Cond|Recheck Cond|Filter): .*\"?time\"? >= ");
    if (data.database().timescale()) {
      assertThat(plan.lines().filter(line -> line.contains("_hyper_1_")))
          .hasSizeLessThanOrEqualTo(3);
    }
  }
}
