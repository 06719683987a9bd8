package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.peerlens.support.SampleData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The page about SQL: its role is made as it says, and reads everything that it shows. */
class SqlViewsDocumentIT {

  private static final Path PAGE = Path.of("..", "docs", "sql-views.md");
  private static final Pattern BLOCK = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);

  /** Of this run alone, because roles belong to all databases of a server. */
  private final String role = "grafana_" + UUID.randomUUID().toString().substring(0, 8);

  @Test
  void theRoleOfThePageRunsAllItsStatements() throws IOException, SQLException {
    List<String> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(PAGE));
    while (block.find()) {
      blocks.add(block.group(1));
    }
    assertThat(blocks).hasSizeGreaterThan(8);
    try (SampleData data = SampleData.create()) {
      data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready_summation"));
      new MetricViews(
              data.jdbc(),
              new TransactionTemplate(new DataSourceTransactionManager(data.dataSource())))
          .refresh();
      try {
        run(data, data.database().user(), data.database().password(), blocks.getFirst());
        for (String query : blocks.subList(1, blocks.size())) {
          assertThatCode(() -> run(data, role, "secret", query))
              .as(query)
              .doesNotThrowAnyException();
        }
        run(data, role, "secret", "select * from metric_view; select * from networks");
      } finally {
        data.sql("drop owned by " + role);
        data.sql("drop role " + role);
      }
    }
  }

  /** Runs statements as somebody, with the words of Grafana and of the page filled in. */
  private void run(SampleData data, String user, String password, String sql) throws SQLException {
    String filled =
        sql.replace("grafana", role)
            .replace("'...'", "'secret'")
            .replace("$__timeGroupAlias(time, $__interval)", "date_trunc('minute', time) as time")
            .replace("$__timeFilter(time)", "time >= now() - interval '1 hour'")
            .replace("$vm", "'shop-web-03'");
    try (Connection connection =
            DriverManager.getConnection(data.database().jdbcUrl(), user, password);
        Statement statement = connection.createStatement()) {
      statement.execute(filled);
    }
  }
}
