package io.peerlens.suiteapi;

import io.peerlens.audit.AuditedWork;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.ObjectReference.Role;
import io.peerlens.ingest.key.ObjectReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Resources that are removed, and relations that are added, replaced and taken away. Whatever a
 * source reports of its objects it alone takes back.
 */
final class RelationOperations {

  /** Their sources say what there is and how it is related. */
  private static final Set<String> OF_SOURCES =
      Set.of("VMWARE", "VirtualAndPhysicalSANAdapter", "Peerlens");

  private final ResourceOperations resources;
  private final ResourceQueries queries;
  private final RelationQueries relations;
  private final ObjectRecordStore records;
  private final AuditedWork audit;

  RelationOperations(
      ResourceOperations resources,
      ResourceQueries queries,
      RelationQueries relations,
      ObjectRecordStore records,
      AuditedWork audit) {
    this.resources = resources;
    this.queries = queries;
    this.relations = relations;
    this.records = records;
    this.audit = audit;
  }

  /** What is told of a resource. */
  private record Told(Resource of, ObjectReport report) {}

  void addTo(Routes routes) {
    routes
        .delete("/api/resources/{id}", this::remove)
        .push("/api/resources/{id}/relationships/{type}", this::add)
        .put("/api/resources/{id}/relationships/{type}", this::replace)
        .delete("/api/resources/{id}/relationships/{type}/{related}", this::takeAway);
  }

  private static boolean isOfSource(Resource resource) {
    return OF_SOURCES.contains(resource.adapterKind());
  }

  private static ObjectKey key(Resource resource) {
    return new ObjectKey(resource.adapterKind(), resource.objectKind(), resource.externalId());
  }

  private Answer remove(Call call) {
    Resource resource = resources.resource(call);
    if (isOfSource(resource)) {
      throw SuiteException.of(
          400,
          "%s %s comes from a source of the kind %s, which says itself what it has removed. Resources that were pushed can be deleted."
              .formatted(resource.objectKind(), resource.uuid(), resource.adapterKind()));
    }
    tell(
        call,
        "deleteResource",
        resource,
        List.of(
            new Told(
                resource,
                new ObjectReport(
                    ObjectReport.Source.RECORD,
                    ObjectAttributes.NONE,
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    true))));
    return Answer.empty(204);
  }

  private void tell(Call call, String operation, Resource of, List<Told> told) {
    audit.run(
        call.request(),
        operation,
        "objects",
        of.uuid().toString(),
        () -> {
          told.forEach(one -> records.tell(key(one.of()), one.report()));
          return told.size();
        });
  }

  // ------------------------------------------------------------------------------------- relations

  private static Role role(Call call) {
    String type = call.variable("type").toUpperCase(Locale.ROOT);
    return switch (type) {
      case "PARENT", "PARENTS" -> Role.PARENT;
      case "CHILD", "CHILDREN" -> Role.CHILD;
      default ->
          throw SuiteException.invalid(
              "relationshipType",
              "\"" + type + "\" cannot be changed: relations are to a PARENT or to a CHILD");
    };
  }

  private List<Resource> given(Call call, Resource of) {
    List<UUID> ids = call.json().uuids("uuids", "uuid");
    List<Resource> found =
        queries.byUuids(ids).stream().filter(resource -> !resource.removed()).toList();
    Set<UUID> known = found.stream().map(Resource::uuid).collect(Collectors.toSet());
    for (UUID id : ids) {
      if (!known.contains(id)) {
        throw SuiteException.notFound("resource", id);
      }
    }
    if (known.contains(of.uuid())) {
      throw SuiteException.invalid("uuids", "names the resource itself");
    }
    return found;
  }

  private Answer add(Call call) {
    Resource of = resources.resource(call);
    List<Resource> added = given(call, of);
    if (added.isEmpty()) {
      throw SuiteException.invalid("uuids", "is missing");
    }
    change(call, of, role(call), added, List.of());
    return Answer.empty(204);
  }

  private Answer replace(Call call) {
    Resource of = resources.resource(call);
    Role role = role(call);
    List<Resource> wanted = given(call, of);
    Set<UUID> kept = wanted.stream().map(Resource::uuid).collect(Collectors.toSet());
    List<Resource> now =
        queries.byIds(relations.of(of.id(), role == Role.PARENT, role == Role.CHILD));
    Set<UUID> there = now.stream().map(Resource::uuid).collect(Collectors.toSet());
    change(
        call,
        of,
        role,
        wanted.stream().filter(one -> !there.contains(one.uuid())).toList(),
        now.stream().filter(one -> !kept.contains(one.uuid())).toList());
    return Answer.empty(204);
  }

  private Answer takeAway(Call call) {
    Resource of = resources.resource(call);
    Role role = role(call);
    String given = call.variable("related");
    Resource related =
        queries.byIds(relations.of(of.id(), role == Role.PARENT, role == Role.CHILD)).stream()
            .filter(one -> one.uuid().toString().equalsIgnoreCase(given))
            .findFirst()
            .orElseThrow(
                () -> SuiteException.notFound(role.name().toLowerCase(Locale.ROOT), given));
    change(call, of, role, List.of(), List.of(related));
    return Answer.empty(204);
  }

  private void change(
      Call call, Resource of, Role role, List<Resource> added, List<Resource> removed) {
    for (Resource other : both(added, removed)) {
      if (isOfSource(of) && isOfSource(other)) {
        throw SuiteException.of(
            400,
            "How %s and %s are related is what their source says. Relations with resources that were pushed can be changed."
                .formatted(of.uuid(), other.uuid()));
      }
    }
    if (added.isEmpty() && removed.isEmpty()) {
      return;
    }
    Role opposite = role == Role.CHILD ? Role.PARENT : Role.CHILD;
    List<Told> told = new ArrayList<>();
    // Either of two may have told of the other.
    List<Resource> own = removed.stream().filter(one -> names(of, role, one)).toList();
    boolean ofSource = isOfSource(of);
    if (ofSource) { // then the others were pushed, and tell of it
      added.forEach(one -> told.add(report(one, opposite, List.of(of), List.of())));
    }
    List<Resource> more = ofSource ? List.of() : added;
    if (!more.isEmpty() || !own.isEmpty()) {
      told.add(report(of, role, more, own));
    }
    for (Resource other : removed) {
      if (names(other, opposite, of)) {
        told.add(report(other, opposite, List.of(), List.of(of)));
      }
    }
    tell(call, "changeRelations", of, told);
  }

  private static List<Resource> both(List<Resource> some, List<Resource> others) {
    List<Resource> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  /** Whether a resource tells of another that it is its parent, or its child. */
  private boolean names(Resource of, Role role, Resource other) {
    return !Collections.disjoint(relations.references(of.id()), references(role, other));
  }

  /** All relatives of the kinds of which any comes or goes, since they are told together. */
  private Told report(Resource of, Role role, List<Resource> added, List<Resource> removed) {
    Set<String> kinds =
        both(added, removed).stream().map(Resource::objectKind).collect(Collectors.toSet());
    Set<ObjectReference> references = new HashSet<>();
    for (ObjectReference one : relations.references(of.id())) {
      if (one.role() == role && kinds.contains(one.objectKind())) {
        references.add(one);
      }
    }
    removed.forEach(one -> references.removeAll(references(role, one)));
    added.forEach(one -> references.add(reference(role, one, one.externalId())));
    Set<String> none = new HashSet<>(kinds);
    references.forEach(one -> none.remove(one.objectKind()));
    return new Told(
        of,
        new ObjectReport(
            ObjectReport.Source.RECORD,
            new ObjectAttributes("", null, Map.of(), Map.of(), references),
            Set.of(),
            Set.of(),
            role == Role.PARENT ? none : Set.of(),
            role == Role.CHILD ? none : Set.of(),
            false));
  }

  /** All that others may call a resource. */
  private Set<ObjectReference> references(Role role, Resource other) {
    Set<ObjectReference> all = new HashSet<>();
    all.add(reference(role, other, other.externalId()));
    String locator = relations.locators(List.of(other.id())).get(other.uuid());
    if (locator != null) {
      all.add(reference(role, other, locator));
    }
    return all;
  }

  private static ObjectReference reference(Role role, Resource other, String locator) {
    return new ObjectReference(role, other.adapterKind(), other.objectKind(), locator);
  }
}
