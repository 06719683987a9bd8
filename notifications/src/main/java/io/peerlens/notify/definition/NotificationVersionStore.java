package io.peerlens.notify.definition;

import io.peerlens.definition.ChangeNumberStore;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Change number of the definitions of notifications; it moves with every change of templates,
 * rules, targets, silences and lookup tables. Notifiers watch it; evaluators do not.
 */
public final class NotificationVersionStore extends ChangeNumberStore {

  NotificationVersionStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    super(jdbc, new TransactionTemplate(transactions), "notification_version");
  }
}
