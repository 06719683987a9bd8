package io.peerlens.suiteapi;

import io.peerlens.api.model.ObjectHealth;
import io.peerlens.suiteapi.ResourceFilter.Condition;
import io.peerlens.suiteapi.ResourceFilter.Conditions;
import io.peerlens.suiteapi.ResourceFilter.Related;
import io.peerlens.suiteapi.ResourceQueries.Candidate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Resources: lists, queries, one by id, and how they are related. */
final class ResourceOperations {

  private static final List<String> TYPES =
      List.of("PARENT", "CHILD", "ALL", "PARENTS", "CHILDREN", "DESCENDANT", "ANCESTOR");
  private static final int USUAL_DEPTH = 10;
  private static final int MOST_DEPTH = 20;

  private final ResourceQueries queries;
  private final RelationQueries relations;
  private final ResourceForm form;
  private final StatReads stats;

  ResourceOperations(
      ResourceQueries queries, RelationQueries relations, ResourceForm form, StatReads stats) {
    this.queries = queries;
    this.relations = relations;
    this.form = form;
    this.stats = stats;
  }

  void addTo(Routes routes) {
    routes
        .get("/api/resources", call -> page(call, ResourceFilter.of(call.query())))
        .ask("/api/resources/query", call -> page(call, ResourceFilter.of(body(call))))
        .get("/api/resources/{id}", call -> Answer.ok(form.one(resource(call))))
        .get(
            "/api/adapterkinds/{ak}/resources",
            call -> page(call, ResourceFilter.of(call.query()).ofKind(call.variable("ak"), null)))
        .get(
            "/api/adapterkinds/{ak}/resourcekinds/{rk}/resources",
            call ->
                page(
                    call,
                    ResourceFilter.of(call.query())
                        .ofKind(call.variable("ak"), call.variable("rk"))))
        .get("/api/adapters/{id}/resources", call -> ofAdapter(call))
        .get("/api/resources/{id}/relationships", this::related)
        .get("/api/resources/{id}/relationships/{type}", this::related)
        .ask("/api/resources/bulk/relationships", this::bulk);
  }

  private static Given body(Call call) {
    return call.body() == null ? Given.of(null, "") : call.json();
  }

  /** The resource of the path; one that was removed is there no more. */
  Resource resource(Call call) {
    UUID id = call.id("resource");
    return queries
        .get(id)
        .filter(found -> !found.removed())
        .orElseThrow(() -> SuiteException.notFound("resource", id));
  }

  private Answer ofAdapter(Call call) {
    UUID id = call.id("adapter instance");
    return page(call, ResourceFilter.of(call.query()).ofAdapter(id));
  }

  private Answer page(Call call, ResourceFilter filter) {
    Call.Page page = call.page();
    long total;
    List<Resource> found;
    if (filter.isPlain()) {
      total = queries.count(filter);
      found = page.offset() >= total ? List.of() : queries.find(filter, page.offset(), page.size());
    } else {
      List<Integer> ids = ids(filter);
      total = ids.size();
      found = queries.byIds(page.of(ids));
    }
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, total),
            "links",
            call.links(page, total),
            "resourceList",
            form.all(found, filter.related(), page.links())));
  }

  /** Ids within the database of all that match, in their order. */
  List<Integer> ids(ResourceFilter filter) {
    List<Candidate> found = queries.candidates(filter);
    if (filter.names().isEmpty() && !filter.regexes().isEmpty()) {
      found =
          found.stream()
              .filter(one -> filter.regexes().stream().anyMatch(regex -> regex.matches(one.name())))
              .toList();
    }
    if (!filter.healths().isEmpty()) {
      Map<UUID, ObjectHealth> badges = form.health(found.stream().map(Candidate::uuid).toList());
      found =
          found.stream()
              .filter(
                  one ->
                      filter
                          .healths()
                          .contains(ResourceForm.colour(one.silent(), badges.get(one.uuid()))))
              .toList();
    }
    Conditions conditions = filter.stats();
    if (conditions != null) {
      found = byStats(found, conditions);
    }
    return found.stream().map(Candidate::id).toList();
  }

  private List<Candidate> byStats(List<Candidate> found, Conditions conditions) {
    List<Set<Integer>> each = new ArrayList<>();
    List<Integer> ids = found.stream().map(Candidate::id).toList();
    for (Condition condition : conditions.all()) {
      Map<Integer, Double> newest = stats.newest(ids, condition.key());
      Set<Integer> holds = new HashSet<>();
      for (Integer id : ids) {
        if (holds(condition, newest.get(id))) {
          holds.add(id);
        }
      }
      each.add(holds);
    }
    return found.stream()
        .filter(
            one ->
                conditions.any()
                    ? each.stream().anyMatch(set -> set.contains(one.id()))
                    : each.stream().allMatch(set -> set.contains(one.id())))
        .toList();
  }

  private static boolean holds(Condition condition, @Nullable Double value) {
    if (condition.operator().equals("EXISTS") || condition.operator().equals("NOT_EXISTS")) {
      return (value != null) == condition.operator().equals("EXISTS");
    }
    Double number = condition.number();
    if (number == null) {
      throw SuiteException.invalid("statConditions", condition.key() + " has no doubleValue");
    }
    if (value == null) {
      return condition.operator().equals("NOT_EQ");
    }
    int order = Double.compare(value, number);
    return switch (condition.operator()) {
      case "EQ" -> order == 0;
      case "NOT_EQ" -> order != 0;
      case "LT" -> order < 0;
      case "GT" -> order > 0;
      case "LT_EQ" -> order <= 0;
      case "GT_EQ" -> order >= 0;
      default ->
          throw SuiteException.invalid(
              "statConditions", condition.operator() + " is for texts, not for values");
    };
  }

  // ------------------------------------------------------------------------------------- relations

  private Answer related(Call call) {
    Resource resource = resource(call);
    String given = call.variables().get("type");
    String type =
        given == null
            ? call.query().word("relationshipType", "ALL", TYPES)
            : given.toUpperCase(Locale.ROOT);
    if (!TYPES.contains(type)) {
      throw SuiteException.invalid(
          "relationshipType", "\"" + type + "\" is none of PARENT, CHILD, ALL");
    }
    List<Integer> ids =
        switch (type) {
          case "PARENT", "PARENTS" -> relations.of(resource.id(), true, false);
          case "CHILD", "CHILDREN" -> relations.of(resource.id(), false, true);
          case "DESCENDANT" -> around(List.of(resource.id()), true, false);
          case "ANCESTOR" -> around(List.of(resource.id()), false, true);
          default -> relations.of(resource.id(), true, true);
        };
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, ids.size()),
            "links",
            call.links(page, ids.size()),
            "relationshipType",
            type.equals("PARENTS") ? "PARENT" : type.equals("CHILDREN") ? "CHILD" : type,
            "resourceList",
            form.all(queries.byIds(page.of(ids)), Related.NONE, page.links())));
  }

  private List<Integer> around(Collection<Integer> ids, boolean below, boolean above) {
    return new ArrayList<>(
        new TreeMap<>(relations.around(ids, below, above, USUAL_DEPTH)).keySet());
  }

  /** Ids within the database of all resources below some. */
  List<Integer> below(Collection<Integer> ids) {
    return around(ids, true, false);
  }

  private Answer bulk(Call call) {
    Given body = call.json();
    String type =
        body.word(
            "relationshipType", "ALL", List.of("DESCENDANT", "ANCESTOR", "PARENT", "CHILD", "ALL"));
    List<UUID> wanted = body.uuids("resourceIds", "resourceId");
    ResourceFilter filter = ResourceFilter.of(body.in("resourceQuery", "resource-query"));
    int depth = (int) body.whole("hierarchyDepth", USUAL_DEPTH, -1, Integer.MAX_VALUE);
    depth = depth < 1 ? USUAL_DEPTH : Math.min(depth, MOST_DEPTH);
    Map<UUID, Integer> known = queries.idsOf(wanted);
    Set<Integer> starts = new HashSet<>(known.values());
    Map<Integer, UUID> standIns = standIns(wanted, starts);
    if (starts.isEmpty() && standIns.isEmpty()) {
      throw SuiteException.of(404, "None of the resources exists.");
    }
    boolean direct = type.equals("PARENT") || type.equals("CHILD");
    Map<Integer, Set<UUID>> related =
        new TreeMap<>(
            relations.around(
                starts,
                type.equals("CHILD") || type.equals("DESCENDANT") || type.equals("ALL"),
                type.equals("PARENT") || type.equals("ANCESTOR") || type.equals("ALL"),
                direct ? 1 : depth));
    if (!type.equals("PARENT") && !type.equals("ANCESTOR")) {
      standIns.forEach((id, of) -> related.computeIfAbsent(id, i -> new LinkedHashSet<>()).add(of));
    }
    if (!filter.isEmpty()) {
      related.keySet().retainAll(new HashSet<>(ids(filter)));
    }
    List<Integer> ids = new ArrayList<>(related.keySet());
    Call.Page page = call.page();
    List<Resource> found = queries.byIds(page.of(ids));
    List<Object> forms = form.all(found, Related.NONE, page.links());
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      all.add(
          Json.object(
              "resource",
              forms.get(i),
              "relatedResources",
              related.getOrDefault(found.get(i).id(), Set.of())));
    }
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, ids.size()),
            "links",
            call.links(page, ids.size()),
            "relationshipType",
            type,
            "resourcesRelations",
            all));
  }

  /** Resources below the stand-ins of adapters that are asked for. */
  private Map<Integer, UUID> standIns(List<UUID> wanted, Set<Integer> starts) {
    Map<Integer, UUID> found = new TreeMap<>();
    if (starts.size() < wanted.size()) {
      Set<UUID> objects = queries.idsOf(wanted).keySet();
      for (UUID id : wanted) {
        if (!objects.contains(id)) {
          queries
              .candidates(ResourceFilter.of(Given.of(null, "")).ofAdapter(id))
              .forEach(one -> found.putIfAbsent(one.id(), id));
        }
      }
    }
    return found;
  }
}
