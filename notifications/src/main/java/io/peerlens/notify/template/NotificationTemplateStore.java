package io.peerlens.notify.template;

import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.notify.definition.NotificationVersionStore;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored templates; their documents are texts. Thread-safe. */
final class NotificationTemplateStore
    extends DefinitionStore<NotificationTemplateEdit, NotificationTemplate> {

  NotificationTemplateStore(JdbcClient jdbc, NotificationVersionStore number, int historyKept) {
    super(jdbc, number, StoredForms.NOTIFICATION_TEMPLATE, historyKept);
  }

  @Override
  protected NotificationTemplate read(UUID id, long version, NotificationTemplateEdit edit) {
    return NotificationTemplateReader.read("", edit);
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
