package io.peerlens.inventory;

import io.peerlens.api.model.ObjectPage;
import io.peerlens.web.CsvConverter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A page of objects as CSV. */
final class ObjectsCsv extends CsvConverter<ObjectPage> {

  private final JsonMapper json;

  ObjectsCsv(JsonMapper json) {
    super(ObjectPage.class);
    this.json = json;
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "id",
        "name",
        "adapterKind",
        "objectKind",
        "externalId",
        "state",
        "firstSeen",
        "lastSeen",
        "path",
        "tags",
        "properties",
        "removedAt");
  }

  @Override
  protected List<List<@Nullable Object>> lines(ObjectPage page) {
    return page.getItems().stream()
        .map(
            object ->
                line(
                    object.getId(),
                    object.getName(),
                    object.getAdapterKind(),
                    object.getObjectKind(),
                    object.getExternalId(),
                    object.getState(),
                    object.getFirstSeen(),
                    object.getLastSeen(),
                    object.getPath() == null ? null : json.writeValueAsString(object.getPath()),
                    json.writeValueAsString(object.getTags()),
                    json.writeValueAsString(object.getProperties()),
                    object.getRemovedAt()))
        .toList();
  }
}
