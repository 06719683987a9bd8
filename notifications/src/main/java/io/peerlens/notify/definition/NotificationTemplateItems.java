package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.StoredRule;
import jakarta.validation.Validator;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Templates in rules files, with their documents as objects; built-in ones are left out. */
final class NotificationTemplateItems implements RuleItems {

  private final NotificationTemplateStore store;
  private final NotificationTemplateService service;
  private final Validator validator;

  NotificationTemplateItems(
      NotificationTemplateStore store, NotificationTemplateService service, Validator validator) {
    this.store = store;
    this.service = service;
    this.validator = validator;
  }

  @Override
  public String section() {
    return "notificationTemplates";
  }

  @Override
  public int order() {
    return 11;
  }

  /** Rules name the id that people see. */
  @Override
  public boolean isReferredToByName() {
    return true;
  }

  @Override
  public List<Stored> stored() {
    return store.byId().values().stream()
        .sorted(Comparator.comparing(StoredRule::name))
        .map(one -> new Stored(one.id(), one.name(), service.tree(one.edit()), one.pack()))
        .toList();
  }

  /** Examples are run when it is stored: they may need tables of the same file. */
  @Override
  public Item read(String path, JsonNode item) {
    NotificationTemplateEdit edit =
        NotificationTemplateService.asText(
            path + ".",
            Definitions.of(
                path, Definitions.withoutId(item), NotificationTemplateEdit.class, validator));
    String id = NotificationTemplateReader.read(path + ".", edit).id();
    return new Item(NotificationTemplate.key(id), id, service.tree(edit));
  }

  @Override
  public void put(UUID id, Item item, @Nullable String pack, Instant now, String by) {
    NotificationTemplateEdit edit =
        service.normal(
            section() + "." + item.name() + ".",
            Definitions.of(item.definition(), NotificationTemplateEdit.class));
    service.importItem(NotificationTemplate.key(item.name()), edit, pack, now, by);
  }
}
