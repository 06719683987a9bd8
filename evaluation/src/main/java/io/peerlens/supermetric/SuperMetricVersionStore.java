package io.peerlens.supermetric;

import io.peerlens.definition.ChangeNumberStore;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Change number of all super metrics. */
final class SuperMetricVersionStore extends ChangeNumberStore {

  SuperMetricVersionStore(JdbcClient jdbc, TransactionTemplate transaction) {
    super(jdbc, transaction, "super_metric_version");
  }
}
