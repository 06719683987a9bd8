package io.peerlens.inventory;

import io.peerlens.api.model.ObjectSort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sort order of objects, total, because the internal id is its last key.
 *
 * @param keys SQL of the keys before the id
 * @param cast what makes a key of the text in a cursor
 */
record ObjectOrder(List<String> keys, String cast, boolean descending) {

  private static final String NAME = "lower(o.name) collate \"C\"";
  private static final String KIND = "lower(o.object_kind) collate \"C\"";
  private static final String LAST_SEEN = "coalesce(l.last_seen, o.first_seen)";

  static ObjectOrder of(ObjectSort sort) {
    return switch (sort) {
      case NAME -> new ObjectOrder(List.of(NAME), "text", false);
      case NAME_DESC -> new ObjectOrder(List.of(NAME), "text", true);
      case OBJECT_KIND -> new ObjectOrder(List.of(KIND, NAME), "text", false);
      case OBJECT_KIND_DESC -> new ObjectOrder(List.of(KIND, NAME), "text", true);
      case FIRST_SEEN -> new ObjectOrder(List.of("o.first_seen"), "timestamptz", false);
      case FIRST_SEEN_DESC -> new ObjectOrder(List.of("o.first_seen"), "timestamptz", true);
      case LAST_SEEN -> new ObjectOrder(List.of(LAST_SEEN), "timestamptz", false);
      case LAST_SEEN_DESC -> new ObjectOrder(List.of(LAST_SEEN), "timestamptz", true);
    };
  }

  String select() {
    StringBuilder select = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      select.append(", (").append(keys.get(i)).append(")::text as key").append(i);
    }
    return select.append('\n').toString();
  }

  String by() {
    String direction = descending ? " desc" : "";
    return " order by " + String.join(direction + ", ", keys) + direction + ", o.id" + direction;
  }

  String after(List<String> values, Map<String, Object> parameters) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      names.add(":after" + i + "::" + cast);
      parameters.put("after" + i, values.get(i));
    }
    parameters.put("afterId", Integer.parseInt(values.getLast()));
    return "("
        + String.join(", ", keys)
        + ", o.id) "
        + (descending ? "<" : ">")
        + " ("
        + String.join(", ", names)
        + ", :afterId)";
  }
}
