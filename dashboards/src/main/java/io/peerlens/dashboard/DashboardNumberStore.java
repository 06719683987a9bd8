package io.peerlens.dashboard;

import io.peerlens.definition.ChangeNumberStore;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Change number of dashboards and views. A number of their own: evaluators and notifiers do not
 * care when somebody moves a panel.
 */
final class DashboardNumberStore extends ChangeNumberStore {

  DashboardNumberStore(JdbcClient jdbc, TransactionTemplate transaction) {
    super(jdbc, transaction, "dashboard_version");
  }
}
