package io.peerlens.suiteapi;

import io.peerlens.api.HealthApi;
import io.peerlens.api.model.Badge;
import io.peerlens.api.model.ObjectHealth;
import io.peerlens.api.model.ObjectHealthList;
import io.peerlens.api.model.ObjectHealthQuery;
import io.peerlens.api.model.Severity;
import io.peerlens.suiteapi.ResourceFilter.Related;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The vendor's form of resources. Health and badges are ours: what the open alerts say. */
final class ResourceForm {

  private static final int MINUTES = 5;
  private static final double WHOLE = 100;
  private static final double STEP = 25;

  private final ResourceQueries queries;
  private final RelationQueries relations;
  private final HealthApi health;

  ResourceForm(ResourceQueries queries, RelationQueries relations, HealthApi health) {
    this.queries = queries;
    this.relations = relations;
    this.health = health;
  }

  /** Badges of some resources by id. */
  Map<UUID, ObjectHealth> health(Collection<UUID> ids) {
    Map<UUID, ObjectHealth> found = new HashMap<>();
    if (!ids.isEmpty()) {
      ObjectHealthQuery query = new ObjectHealthQuery();
      query.setIds(new ArrayList<>(ids));
      ObjectHealthList answer = Objects.requireNonNull(health.queryObjectHealth(query).getBody());
      answer.getItems().forEach(one -> found.put(one.getObject().getId(), one));
    }
    return found;
  }

  /** The colour of a resource's health. */
  static String colour(boolean silent, @Nullable ObjectHealth health) {
    if (health == null || silent && health.getHealth().getSeverity() == null) {
      return "GREY";
    }
    return colour(health.getHealth());
  }

  private static String colour(Badge badge) {
    Severity severity = badge.getSeverity();
    if (severity == null) {
      return "GREEN";
    }
    return switch (severity) {
      case INFORMATION -> "GREEN";
      case WARNING -> "YELLOW";
      case IMMEDIATE -> "ORANGE";
      case CRITICAL -> "RED";
    };
  }

  private static double steps(String colour) {
    return switch (colour) {
      case "YELLOW" -> 1;
      case "ORANGE" -> 2;
      case "RED" -> 3;
      default -> 0;
    };
  }

  /** Resources, in their order. */
  List<Object> all(List<Resource> resources, Related related, boolean links) {
    Map<UUID, ObjectHealth> badges = health(resources.stream().map(Resource::uuid).toList());
    List<Integer> ids = resources.stream().map(Resource::id).toList();
    Set<Integer> maintained = queries.maintained(ids);
    Map<String, UUID> instances = queries.instances();
    Map<Integer, List<UUID>> relatives =
        related == Related.NONE
            ? Map.of()
            : relations.direct(ids, related.parents(), related.children());
    List<Object> all = new ArrayList<>(resources.size());
    for (Resource one : resources) {
      all.add(
          one(
              one,
              badges.get(one.uuid()),
              maintained.contains(one.id()),
              instances.getOrDefault(one.source(), Adapters.standIn(one.adapterKind())),
              relatives.getOrDefault(one.id(), List.of()),
              links));
    }
    return all;
  }

  /** One resource. */
  Object one(Resource resource) {
    return all(List.of(resource), Related.NONE, true).getFirst();
  }

  private Object one(
      Resource resource,
      @Nullable ObjectHealth badges,
      boolean maintained,
      UUID instance,
      List<UUID> related,
      boolean links) {
    boolean silent = resource.silent() || resource.removed();
    String colour = colour(silent, badges);
    String state =
        resource.removed() ? "NOT_EXISTING" : maintained ? "MAINTAINED_MANUAL" : "STARTED";
    return Json.object(
        "creationTime",
        resource.firstSeen().toEpochMilli(),
        "resourceKey",
        key(resource),
        "resourceStatusStates",
        List.of(
            Json.object(
                "adapterInstanceId",
                instance,
                "resourceStatus",
                resource.status(),
                "resourceState",
                state,
                "statusMessage",
                "")),
        "resourceHealth",
        colour,
        "resourceHealthValue",
        colour.equals("GREY") ? -1.0 : WHOLE - STEP * steps(colour),
        "dtEnabled",
        true,
        "monitoringInterval",
        MINUTES,
        "badges",
        badges == null ? List.of() : badges(badges, colour),
        "relatedResources",
        related,
        "identifier",
        resource.uuid(),
        "links",
        links ? links(resource.uuid()) : null);
  }

  private static List<Object> badges(ObjectHealth badges, String health) {
    String risk = colour(badges.getRisk());
    String efficiency = colour(badges.getEfficiency());
    return List.of(
        badge("HEALTH", health, health.equals("GREY") ? -1 : WHOLE - STEP * steps(health)),
        badge("RISK", risk, STEP * steps(risk)),
        badge("EFFICIENCY", efficiency, WHOLE - STEP * steps(efficiency)));
  }

  private static Object badge(String type, String colour, double score) {
    return Json.object("type", type, "color", colour, "score", score);
  }

  private static List<Object> links(UUID id) {
    String base = "/suite-api/api/resources/" + id;
    return List.of(
        link(base, "SELF", "linkToSelf"),
        link(base + "/relationships", "RELATED", "relationsOfResource"),
        link(base + "/properties", "RELATED", "propertiesOfResource"),
        link("/suite-api/api/alerts?resourceId=" + id, "RELATED", "alertsOfResource"),
        link(base + "/stats/latest", "RELATED", "latestStatsOfResource"));
  }

  private static Object link(String href, String rel, String name) {
    return Json.object("href", href, "rel", rel, "name", name);
  }

  /** The key of a resource. */
  Object key(Resource resource) {
    return key(
        resource.name(), resource.adapterKind(), resource.objectKind(), resource.identifiers());
  }

  static Object key(
      String name, String adapterKind, String resourceKind, Map<String, String> identifiers) {
    List<Object> all = new ArrayList<>();
    identifiers.forEach(
        (key, value) ->
            all.add(
                Json.object(
                    "identifierType",
                    Json.object(
                        "name",
                        key,
                        "dataType",
                        "STRING",
                        "isPartOfUniqueness",
                        Resource.isUnique(key)),
                    "value",
                    value)));
    return Json.object(
        "name",
        name,
        "adapterKindKey",
        adapterKind,
        "resourceKindKey",
        resourceKind,
        "resourceIdentifiers",
        all);
  }
}
