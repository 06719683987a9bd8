package io.peerlens.notify.definition;

import io.peerlens.definition.ChangeNumberStore;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The number that moves with every change of what notifications are made by: templates, rules,
 * targets, silences and lookup tables. Notifiers watch it; evaluators do not.
 */
public final class NotificationVersionStore extends ChangeNumberStore {

  NotificationVersionStore(JdbcClient jdbc, TransactionTemplate transaction) {
    super(jdbc, transaction, "notification_version");
  }
}
