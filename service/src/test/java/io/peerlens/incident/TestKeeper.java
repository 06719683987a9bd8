package io.peerlens.incident;

import io.peerlens.alert.AlertStepStore;
import io.peerlens.database.Uuid7;
import io.peerlens.support.SampleData;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Keepers of incidents that run when a test says so. */
public final class TestKeeper {

  private TestKeeper() {}

  /** One of a node of its own. */
  public static IncidentKeeper of(SampleData data) {
    return of(data.dataSource());
  }

  /** One of a node of its own. */
  public static IncidentKeeper of(DataSource source) {
    JdbcClient jdbc = JdbcClient.create(source);
    return new IncidentKeeper(
        new IncidentQueries(jdbc),
        new IncidentStore(jdbc, new AlertStepStore(jdbc)),
        new TransactionTemplate(new JdbcTransactionManager(source)),
        Duration.ofMinutes(5),
        Uuid7::at);
  }
}
