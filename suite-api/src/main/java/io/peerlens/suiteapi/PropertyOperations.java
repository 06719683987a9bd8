package io.peerlens.suiteapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** Properties of resources. Tags are one of them, as JSON. */
final class PropertyOperations {

  private static final String TAGS = "summary|tagJson";
  private static final String AGGREGATE = ":Aggregate of all instances";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final ResourceQueries resources;

  PropertyOperations(ResourceQueries resources) {
    this.resources = resources;
  }

  void addTo(Routes routes) {
    routes
        .get("/api/resources/{id}/properties", this::ofOne)
        .get("/api/resources/properties", this::ofMany)
        .ask("/api/resources/properties/latest/query", this::latest);
  }

  /** Properties by name, each once. */
  private static Map<String, String> properties(Resource resource) {
    Map<String, String> all = new LinkedHashMap<>();
    resource
        .properties()
        .forEach(
            (name, value) -> {
              if (!name.startsWith(Resource.IDENTIFIER)) {
                all.put(name, value);
              }
            });
    all.put(
        TAGS,
        resource.tags().isEmpty()
            ? "none"
            : JSON.writeValueAsString(
                resource.tags().entrySet().stream()
                    .map(tag -> Json.object("category", tag.getKey(), "name", tag.getValue()))
                    .toList()));
    return all;
  }

  private static Object form(Resource resource) {
    List<Object> all = new ArrayList<>();
    properties(resource)
        .forEach((name, value) -> all.add(Json.object("name", name, "value", value)));
    return Json.object("resourceId", resource.uuid(), "property", all);
  }

  private Answer ofOne(Call call) {
    UUID id = call.id("resource");
    return Answer.ok(
        form(resources.get(id).orElseThrow(() -> SuiteException.notFound("resource", id))));
  }

  private Answer ofMany(Call call) {
    List<UUID> ids = call.query().uuids("resourceId");
    return Answer.ok(
        Json.object(
            "resourcePropertiesList",
            resources.byUuids(ids).stream().map(PropertyOperations::form).toList()));
  }

  private Answer latest(Call call) {
    Given body = call.json();
    List<UUID> ids = body.uuids("resourceIds", "resourceId");
    if (ids.isEmpty()) {
      throw SuiteException.invalid("resourceIds", "is missing");
    }
    Set<String> keys = new LinkedHashSet<>(body.texts("propertyKeys", "propertyKey"));
    List<Object> values = new ArrayList<>();
    for (Resource resource : resources.byUuids(ids)) {
      Map<String, String> all = properties(resource);
      long time =
          (resource.lastSeen() == null ? resource.firstSeen() : resource.lastSeen()).toEpochMilli();
      List<Object> contents = new ArrayList<>();
      for (String key : keys.isEmpty() ? all.keySet() : keys) {
        String value = all.getOrDefault(key, all.get(key.replace(AGGREGATE, "")));
        if (value != null) {
          contents.add(
              Json.object("statKey", key, "timestamps", List.of(time), "values", List.of(value)));
        }
      }
      if (!contents.isEmpty()) {
        values.add(
            Json.object(
                "resourceId",
                resource.uuid(),
                "property-contents",
                Json.object("property-content", contents)));
      }
    }
    return Answer.ok(Json.object("values", values));
  }
}
