package io.peerlens.notify.definition;

import io.peerlens.rule.ChangeNumber;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The number that moves with every change of what notifications are made by: templates, rules,
 * targets, silences and lookup tables. Notifiers watch it; evaluators do not.
 */
public final class NotificationVersion extends ChangeNumber {

  NotificationVersion(JdbcClient jdbc, TransactionTemplate transaction) {
    super(jdbc, transaction, "notification_version");
  }
}
