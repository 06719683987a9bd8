package io.peerlens.supermetric;

import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.PolicyRule;
import io.peerlens.api.model.SuperMetricCreation;
import io.peerlens.api.model.SuperMetricEdit;
import io.peerlens.api.model.SuperMetricPolicy;
import io.peerlens.definition.UnreadableDefinitions;
import io.peerlens.definition.UnreadableDefinitions.Unreadable;
import io.peerlens.security.Caller;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetric.SuperMetricStore.Action;
import io.peerlens.supermetric.SuperMetricStore.Version;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Versions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Changes super metrics, each change from the version that its author has seen. */
final class SuperMetricService {

  private final SuperMetricStore store;
  private final InstantSource clock;
  private final int maxCount;

  SuperMetricService(SuperMetricStore store, InstantSource clock, int maxCount) {
    this.store = store;
    this.clock = clock;
    this.maxCount = maxCount;
  }

  /** One that is stored, or 404. */
  Entry get(UUID id) {
    Entry entry = store.catalogue().find(id);
    if (entry == null) {
      throw missing(id);
    }
    return entry;
  }

  UUID create(SuperMetricCreation wanted) {
    UUID id = wanted.getId() == null ? UUID.randomUUID() : wanted.getId();
    Instant now = clock.instant();
    Caller caller = Caller.current();
    SuperMetric definition =
        new SuperMetric(
            id,
            kinds(wanted.getKinds(), List.of()),
            now.toEpochMilli(),
            name(wanted.getName()),
            text("formula", wanted.getFormula()),
            Objects.requireNonNullElse(textOrNull("description", wanted.getDescription()), ""),
            Objects.requireNonNullElse(textOrNull("unitId", wanted.getUnitId()), ""),
            caller.tokenId().toString(),
            Map.of());
    String owner = textOrNull("owner", wanted.getOwner());
    List<String> tags = tags(wanted.getTags());
    store.write(
        () -> {
          Map<UUID, StoredSuperMetric> current = store.current();
          if (current.containsKey(id)) {
            throw ApiException.of(ErrorCode.CONFLICT, "There is a super metric " + id + " already.")
                .hint("Leave out id, or change that one with PUT.");
          }
          if (current.size() >= maxCount) {
            throw Importer.tooMany(maxCount);
          }
          nameIsFree(definition, current);
          store.put(
              new StoredSuperMetric(
                  definition,
                  tags,
                  owner == null ? caller.name() : owner,
                  null,
                  new Policy(!Boolean.FALSE.equals(wanted.getEnabled()), List.of()),
                  interval(wanted.getIntervalSeconds(), StoredSuperMetric.USUAL_INTERVAL),
                  store.newestVersion(id) + 1,
                  now,
                  caller.name(),
                  now,
                  caller.name()),
              Action.CREATED);
          return id;
        });
    return id;
  }

  void change(UUID id, SuperMetricEdit wanted, @Nullable String ifMatch) {
    String name = name(wanted.getName());
    String formula = text("formula", wanted.getFormula());
    String description = textOrNull("description", wanted.getDescription());
    String unitId = textOrNull("unitId", wanted.getUnitId());
    String owner = textOrNull("owner", wanted.getOwner());
    List<String> tags = tags(wanted.getTags());
    Instant now = clock.instant();
    Caller caller = Caller.current();
    store.write(
        () -> {
          Map<UUID, StoredSuperMetric> current = store.current();
          boolean unreadable = store.unreadable(id) != null;
          StoredSuperMetric before = unreadable ? unknown(id) : seen(id, current, ifMatch);
          SuperMetric old = before.definition();
          SuperMetric definition =
              known(
                  new SuperMetric(
                      id,
                      kinds(wanted.getKinds(), old.assignedTo()),
                      now.toEpochMilli(),
                      name,
                      formula,
                      absentOr(description, old.description()),
                      absentOr(unitId, old.unitId()),
                      caller.tokenId().toString(),
                      old.other()));
          nameIsFree(definition, current);
          store.put(
              new StoredSuperMetric(
                  definition,
                  tags,
                  owner,
                  before.pack(),
                  before.policy(),
                  interval(wanted.getIntervalSeconds(), before.intervalSeconds()),
                  before.version() + 1,
                  before.createdAt(),
                  before.createdBy(),
                  now,
                  caller.name()),
              Action.CHANGED);
          return id;
        });
  }

  void changePolicy(UUID id, SuperMetricPolicy wanted, @Nullable String ifMatch) {
    Policy policy = policy(wanted);
    replace(id, ifMatch, Action.POLICY, before -> with(before, before.definition(), policy));
  }

  void delete(UUID id, @Nullable String ifMatch) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    store.write(
        () -> {
          Map<UUID, StoredSuperMetric> current = store.current();
          if (store.unreadable(id) == null) {
            seen(id, current, ifMatch);
          }
          store.delete(id, now, by);
          return id;
        });
  }

  /** Brings back a version, also of one that was deleted. */
  void restore(UUID id, long version, @Nullable String ifMatch) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    store.write(
        () -> {
          Map<UUID, StoredSuperMetric> current = store.current();
          StoredSuperMetric old =
              store
                  .version(id, version)
                  .map(Version::superMetric)
                  .orElseThrow(
                      () -> ApiException.notFound("version " + version + " of super metric", id));
          StoredSuperMetric before = current.containsKey(id) ? seen(id, current, ifMatch) : null;
          if (before == null && current.size() >= maxCount) {
            throw Importer.tooMany(maxCount);
          }
          nameIsFree(old.definition(), current);
          store.put(
              new StoredSuperMetric(
                  old.definition(),
                  old.tags(),
                  old.owner(),
                  old.pack(),
                  old.policy(),
                  old.intervalSeconds(),
                  store.newestVersion(id) + 1,
                  before == null ? now : before.createdAt(),
                  before == null ? by : before.createdBy(),
                  now,
                  by),
              Action.RESTORED);
          return id;
        });
  }

  /** Stands for one that cannot be read, for which another is stored. */
  private StoredSuperMetric unknown(UUID id) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    return new StoredSuperMetric(
        new SuperMetric(id, List.of(), null, "unknown", "", "", "", null, Map.of()),
        List.of(),
        null,
        null,
        new Policy(true, List.of()),
        StoredSuperMetric.USUAL_INTERVAL,
        store.newestVersion(id),
        now,
        by,
        now,
        by);
  }

  private ApiException missing(UUID id) {
    Unreadable one = store.unreadable(id);
    return one == null ? notFound(id) : UnreadableDefinitions.refusal("super metric", one);
  }

  static ApiException notFound(UUID id) {
    return ApiException.notFound("super metric", id)
        .hint(
            "GET /api/v1/super-metrics lists those that are stored, with state=deleted those that"
                + " were.");
  }

  // -----------------------------------------------------------------------------------------------

  private void replace(
      UUID id, @Nullable String ifMatch, Action action, UnaryOperator<StoredSuperMetric> change) {
    store.write(
        () -> {
          store.put(change.apply(seen(id, store.current(), ifMatch)), action);
          return id;
        });
  }

  private StoredSuperMetric with(StoredSuperMetric before, SuperMetric definition, Policy policy) {
    return new StoredSuperMetric(
        definition,
        before.tags(),
        before.owner(),
        before.pack(),
        policy,
        before.intervalSeconds(),
        before.version() + 1,
        before.createdAt(),
        before.createdBy(),
        clock.instant(),
        Caller.current().name());
  }

  /** What is stored, if it is the version that the caller has seen. */
  private StoredSuperMetric seen(
      UUID id, Map<UUID, StoredSuperMetric> current, @Nullable String ifMatch) {
    StoredSuperMetric before = current.get(id);
    if (before == null) {
      throw missing(id);
    }
    Versions.check("super metric", ifMatch, before.version(), before.updatedBy());
    return before;
  }

  private static void nameIsFree(SuperMetric definition, Map<UUID, StoredSuperMetric> current) {
    for (StoredSuperMetric other : current.values()) {
      if (other.definition().name().equals(definition.name())
          && !other.definition().id().equals(definition.id())) {
        throw ApiException.of(
                ErrorCode.CONFLICT,
                "The name \""
                    + definition.name()
                    + "\" is taken by "
                    + other.definition().id()
                    + ".")
            .field("name", "is taken")
            .hint("Choose another name, or change that super metric.");
      }
    }
  }

  /** A member whose odd value is kept in {@code other} goes when the user gives it a value. */
  private static SuperMetric known(SuperMetric it) {
    Map<String, JsonNode> other = new LinkedHashMap<>(it.other());
    other.remove("modificationTime");
    other.remove("modifiedBy");
    other.remove("resourceKinds");
    if (it.description() != null) {
      other.remove("description");
    }
    if (it.unitId() != null) {
      other.remove("unitId");
    }
    return new SuperMetric(
        it.id(),
        it.resourceKinds(),
        it.modificationTime(),
        it.name(),
        it.formula(),
        it.description(),
        it.unitId(),
        it.modifiedBy(),
        other);
  }

  /** Nothing given: absent stays absent, what was there becomes empty. */
  private static @Nullable String absentOr(@Nullable String wanted, @Nullable String before) {
    return wanted != null || before == null ? wanted : "";
  }

  private static List<ResourceKind> kinds(List<ObjectKindRef> wanted, List<ResourceKind> before) {
    List<ResourceKind> kinds = new ArrayList<>();
    Set<ObjectKindRef> seen = new LinkedHashSet<>();
    for (int i = 0; i < wanted.size(); i++) {
      ObjectKindRef kind = wanted.get(i);
      String adapter = text("kinds[" + i + "].adapterKind", kind.getAdapterKind());
      String object = text("kinds[" + i + "].objectKind", kind.getObjectKind());
      if (object.equals("*") || adapter.equals("*")) {
        throw ApiException.invalidField("kinds[" + i + "]", "* is no object kind")
            .hint("A super metric is assigned to each object kind by name.");
      }
      if (seen.add(kind)) {
        kinds.add(
            before.stream()
                .filter(b -> b.adapterKind().equals(adapter) && b.objectKind().equals(object))
                .findFirst()
                .orElseGet(() -> new ResourceKind(adapter, object)));
      }
    }
    return kinds;
  }

  private static Policy policy(SuperMetricPolicy wanted) {
    List<Policy.Rule> rules = new ArrayList<>();
    for (int i = 0; i < wanted.getRules().size(); i++) {
      PolicyRule rule = wanted.getRules().get(i);
      String at = "rules[" + i + "]";
      pair(at + ".tag", rule.getTag());
      pair(at + ".property", rule.getProperty());
      rules.add(
          new Policy.Rule(
              rule.getEnabled(),
              textOrNull(at + ".adapterKind", rule.getAdapterKind()),
              textOrNull(at + ".objectKind", rule.getObjectKind()),
              textOrNull(at + ".tag", rule.getTag()),
              textOrNull(at + ".property", rule.getProperty()),
              textOrNull(at + ".name", rule.getName()),
              rule.getAncestor()));
    }
    return new Policy(wanted.getEnabled(), rules);
  }

  private static void pair(String field, @Nullable String pair) {
    if (pair != null && pair.startsWith("=")) {
      throw ApiException.invalidField(field, "\"" + pair + "\" has no key")
          .hint("Give it as key=value, or as key for any value.");
    }
  }

  private static List<String> tags(@Nullable List<String> wanted) {
    if (wanted == null) {
      return List.of();
    }
    Set<String> tags = new LinkedHashSet<>();
    for (int i = 0; i < wanted.size(); i++) {
      String tag = text("tags[" + i + "]", wanted.get(i)).strip();
      if (tag.isEmpty()) {
        throw ApiException.invalidField("tags[" + i + "]", "is blank");
      }
      tags.add(tag);
    }
    return List.copyOf(tags);
  }

  private static int interval(@Nullable Integer wanted, int otherwise) {
    if (wanted == null) {
      return otherwise;
    }
    if (wanted % 5 != 0) {
      throw ApiException.invalidField("intervalSeconds", wanted + " is no multiple of 5");
    }
    return wanted;
  }

  private static String name(String name) {
    if (name.isBlank()) {
      throw ApiException.invalidField("name", "is blank");
    }
    return text("name", name);
  }

  private static @Nullable String textOrNull(String field, @Nullable String text) {
    return text == null ? null : text(field, text);
  }

  /** Refuses what the database cannot keep. */
  private static String text(String field, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        throw ApiException.invalidField(
            field, "holds U+%04X, which cannot be stored".formatted((int) c));
      }
    }
    return text;
  }
}
