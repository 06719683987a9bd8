package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.api.model.RuleRef;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of notification rules. Thread-safe. */
public final class NotificationRuleStore
    extends DefinitionStore<NotificationRuleEdit, NotificationRule> implements NotificationUser {

  NotificationRuleStore(
      JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    super(jdbc, number, StoredForms.NOTIFICATION_RULE, properties.history());
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
  public List<RuleRef> ofTarget(UUID target) {
    return NotificationUser.named(this, rule -> rule.targets().contains(target));
  }

  @Override
  public List<RuleRef> ofTemplate(String template) {
    return NotificationUser.named(this, rule -> rule.template().equals(template));
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
