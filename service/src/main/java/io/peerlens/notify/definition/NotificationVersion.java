package io.peerlens.notify.definition;

import io.peerlens.rule.ChangeNumber;
import io.peerlens.rule.ChangeNumberStore;

/**
 * The number that moves with every change of what notifications are made by: templates, rules,
 * targets, silences and lookup tables. Notifiers watch it; evaluators do not.
 */
public final class NotificationVersion extends ChangeNumber {

  NotificationVersion(ChangeNumberStore store) {
    super(store);
  }
}
