package io.peerlens.supermetric;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.api.model.FieldChange;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.PolicyRule;
import io.peerlens.api.model.SuperMetricCreation;
import io.peerlens.api.model.SuperMetricEdit;
import io.peerlens.api.model.SuperMetricPolicy;
import io.peerlens.definition.DefinitionAction;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.StoredRule;
import io.peerlens.security.Caller;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.ImportFile;
import io.peerlens.supermetrics.file.ImportPlan.Action;
import io.peerlens.supermetrics.file.ImportPlan.Item;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Super metrics as people change them, one by one or by importing a file. */
final class SuperMetricService extends DefinitionService<StoredSuperMetric, SuperMetricRule> {

  private final SuperMetricStore store;
  private final SuperMetricVersionStore number;
  private final InstantSource clock;

  SuperMetricService(
      SuperMetricStore store,
      SuperMetricVersionStore number,
      InstantSource clock,
      SuperMetricProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "super metric",
            "/api/v1/super-metrics",
            properties.maxCount(),
            "peerlens.super-metrics.max-count"),
        List::of);
    this.store = store;
    this.number = number;
    this.clock = clock;
  }

  @Override
  public ApiException notFound(UUID id) {
    return unknown(id);
  }

  /** 404: there is none of this id. */
  static ApiException unknown(UUID id) {
    return ApiException.notFound("super metric", id)
        .hint(
            "GET /api/v1/super-metrics lists those that are stored, with state=deleted those that"
                + " were.");
  }

  @Override
  protected List<FieldChange> changes(
      StoredRule<StoredSuperMetric, SuperMetricRule> before,
      StoredRule<StoredSuperMetric, SuperMetricRule> after) {
    return SuperMetricAnswers.changes(before, after);
  }

  /** Stores a new super metric, and answers its id. */
  UUID create(SuperMetricCreation wanted) {
    UUID id = requireNonNullElseGet(wanted.getId(), UUID::randomUUID);
    Caller caller = Caller.current();
    SuperMetric definition =
        new SuperMetric(
            id,
            kinds(wanted.getKinds(), List.of()),
            clock.instant().toEpochMilli(),
            name(wanted.getName()),
            text("formula", wanted.getFormula()),
            requireNonNullElse(textOrNull("description", wanted.getDescription()), ""),
            requireNonNullElse(textOrNull("unitId", wanted.getUnitId()), ""),
            caller.tokenId().toString(),
            Map.of());
    String owner = textOrNull("owner", wanted.getOwner());
    add(
        id,
        new StoredSuperMetric(
            definition,
            tags(wanted.getTags()),
            owner == null ? caller.name() : owner,
            new Policy(!Boolean.FALSE.equals(wanted.getEnabled()), List.of()),
            Durations.interval(
                "interval", wanted.getInterval(), StoredSuperMetric.USUAL_INTERVAL)));
    return id;
  }

  /** Changes a super metric, also one that cannot be read; its policy stays. */
  void change(UUID id, SuperMetricEdit wanted, @Nullable String ifMatch) {
    String name = name(wanted.getName());
    String formula = text("formula", wanted.getFormula());
    String description = textOrNull("description", wanted.getDescription());
    String unitId = textOrNull("unitId", wanted.getUnitId());
    String owner = textOrNull("owner", wanted.getOwner());
    List<String> tags = tags(wanted.getTags());
    replace(
        id,
        ifMatch,
        DefinitionAction.CHANGED,
        stored -> {
          StoredSuperMetric before = stored == null ? unreadable(id) : stored.edit();
          SuperMetric old = before.definition();
          return new StoredSuperMetric(
              known(
                  new SuperMetric(
                      id,
                      kinds(wanted.getKinds(), old.assignedTo()),
                      clock.instant().toEpochMilli(),
                      name,
                      formula,
                      absentOr(description, old.description()),
                      absentOr(unitId, old.unitId()),
                      Caller.current().tokenId().toString(),
                      old.other())),
              tags,
              owner,
              before.policy(),
              Durations.interval("interval", wanted.getInterval(), before.intervalSeconds()));
        });
  }

  /** Stands for one that cannot be read, for which another is stored. */
  private static StoredSuperMetric unreadable(UUID id) {
    return new StoredSuperMetric(
        new SuperMetric(id, List.of(), null, "unknown", "", "", "", null, Map.of()),
        List.of(),
        null,
        Policy.ALL,
        StoredSuperMetric.USUAL_INTERVAL);
  }

  /** Changes the policy of a super metric, and nothing else of it. */
  void changePolicy(UUID id, SuperMetricPolicy wanted, @Nullable String ifMatch) {
    Policy policy = policy(wanted);
    replace(
        id,
        ifMatch,
        DefinitionAction.POLICY,
        before -> {
          if (before == null) {
            throw missing(id);
          }
          return before.edit().with(policy);
        });
  }

  // --------------------------------------------------------------------------------------- import

  /** What would be done with each item of a file. */
  List<Item> plan(ImportFile file, ImportChoice choice) {
    return choice.plan(
        file, store.byId().values().stream().map(stored -> stored.edit().definition()).toList());
  }

  /** Imports a file, all of it or nothing. */
  List<Item> importFile(ImportFile file, ImportChoice choice) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    return number.write(
        () -> {
          List<Item> items = plan(file, choice);
          carryOut(items, Map.copyOf(store.byId()), choice, now, by);
          return items;
        });
  }

  private void carryOut(
      List<Item> items,
      Map<UUID, StoredRule<StoredSuperMetric, SuperMetricRule>> current,
      ImportChoice choice,
      Instant now,
      String by) {
    Set<UUID> overwritten = new HashSet<>();
    for (Item item : items) {
      SuperMetric stored = item.stored();
      if (item.action() == Action.OVERWRITE && stored != null) {
        overwritten.add(stored.id());
        if (!stored.id().equals(item.found().definition().id())) {
          remove(stored.id(), now, by);
        }
      }
    }
    for (Item item : items) {
      if (item.action() == Action.SKIP) {
        continue;
      }
      SuperMetric definition = item.found().definition();
      StoredRule<StoredSuperMetric, SuperMetricRule> before =
          item.action() == Action.OVERWRITE && item.stored() != null
              ? current.get(item.stored().id())
              : null;
      importItem(
          definition.id(),
          before == null
              ? new StoredSuperMetric(
                  definition,
                  List.of(),
                  null,
                  new Policy(choice.enable(), List.of()),
                  choice.interval())
              : new StoredSuperMetric(
                  definition,
                  before.edit().tags(),
                  before.edit().owner(),
                  before.edit().policy(),
                  before.edit().intervalSeconds()),
          choice.pack() != null || before == null ? choice.pack() : before.pack(),
          overwritten,
          now,
          by);
    }
  }

  // ------------------------------------------------------------------------------------- requests

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
