package io.peerlens.notify.rule;

import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.notify.definition.NotificationVersionStore;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored notification rules. Thread-safe. */
public final class NotificationRuleStore
    extends DefinitionStore<NotificationRuleEdit, NotificationRule> {

  NotificationRuleStore(JdbcClient jdbc, NotificationVersionStore number, int historyKept) {
    super(jdbc, number, StoredForms.NOTIFICATION_RULE, historyKept);
  }

  /** Those that are tried, in the order in which they are. */
  public List<NotificationRule> inOrder() {
    return enabled().stream()
        .sorted(
            Comparator.comparingInt(NotificationRule::order)
                .thenComparing(NotificationRule::name)
                .thenComparing(NotificationRule::id))
        .toList();
  }

  @Override
  protected NotificationRule read(UUID id, long version, NotificationRuleEdit edit) {
    return NotificationRuleReader.read(id, "", edit);
  }

  @Override
  protected String name(NotificationRule rule) {
    return rule.name();
  }

  @Override
  protected boolean isEnabled(NotificationRule rule) {
    return rule.enabled();
  }
}
