package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.definition.StoredRule;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of templates; their documents are texts. Thread-safe. */
final class NotificationTemplateStore
    extends DefinitionStore<NotificationTemplateEdit, NotificationTemplate> {

  NotificationTemplateStore(
      JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    super(jdbc, number, StoredForms.NOTIFICATION_TEMPLATE, properties.history());
  }

  @Override
  protected NotificationTemplate read(UUID id, long version, NotificationTemplateEdit edit) {
    return NotificationTemplateReader.read("", edit);
  }

  /** Ids of the templates that look values up in a table. */
  List<String> using(String table) {
    return byId().values().stream()
        .filter(one -> one.rule().template().needs().lookups().contains(table))
        .map(StoredRule::name)
        .toList();
  }

  @Override
  protected String name(NotificationTemplate template) {
    return template.id();
  }

  @Override
  protected boolean isEnabled(NotificationTemplate template) {
    return true;
  }
}
