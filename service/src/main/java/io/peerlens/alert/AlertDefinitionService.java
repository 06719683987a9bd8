package io.peerlens.alert;

import io.peerlens.alert.AlertDefinitionStore.Action;
import io.peerlens.alert.AlertDefinitionStore.Version;
import io.peerlens.api.model.AlertDefinitionCreation;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleStore;
import io.peerlens.rule.Versions;
import io.peerlens.security.Caller;
import io.peerlens.threshold.ThresholdStore;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes alert definitions, as people ask for it. */
final class AlertDefinitionService {

  private final AlertDefinitionStore store;
  private final RuleStore rules;
  private final ThresholdStore thresholds;
  private final InstantSource clock;
  private final int maxCount;

  AlertDefinitionService(
      AlertDefinitionStore store,
      RuleStore rules,
      ThresholdStore thresholds,
      InstantSource clock,
      int maxCount) {
    this.store = store;
    this.rules = rules;
    this.thresholds = thresholds;
    this.clock = clock;
    this.maxCount = maxCount;
  }

  UUID create(AlertDefinitionCreation wanted) {
    UUID id = Objects.requireNonNullElseGet(wanted.getId(), UUID::randomUUID);
    Instant now = clock.instant();
    String by = Caller.current().name();
    AlertDefinitionEdit edit = edit(wanted);
    if (edit.getOwner() == null) {
      edit.setOwner(by);
    }
    AlertDefinition definition = AlertDefinitionReader.read(id, "", edit);
    thresholdsExist(definition);
    rules.write(
        () -> {
          Map<UUID, StoredAlertDefinition> current = store.current();
          if (current.containsKey(id) || thresholds.find(id).isPresent()) {
            throw ApiException.of(ErrorCode.CONFLICT, "There is a rule " + id + " already.")
                .hint("Leave out id, or change that one with PUT.");
          }
          roomForOneMore(current);
          nameIsFree(definition, current);
          store.put(
              new StoredAlertDefinition(
                  id, edit, definition, null, store.newestVersion(id) + 1, now, by, now, by),
              Action.CREATED);
          return id;
        });
    return id;
  }

  /** As the creation, without an id. */
  static AlertDefinitionEdit edit(AlertDefinitionCreation wanted) {
    return Definitions.of(Definitions.tree(wanted), AlertDefinitionEdit.class);
  }

  void change(UUID id, AlertDefinitionEdit wanted, @Nullable String ifMatch) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    AlertDefinition definition = AlertDefinitionReader.read(id, "", wanted);
    thresholdsExist(definition);
    rules.write(
        () -> {
          Map<UUID, StoredAlertDefinition> current = store.current();
          StoredAlertDefinition before = seen(id, current, ifMatch);
          nameIsFree(definition, current);
          store.put(
              new StoredAlertDefinition(
                  id,
                  wanted,
                  definition,
                  before.pack(),
                  before.version() + 1,
                  before.createdAt(),
                  before.createdBy(),
                  now,
                  by),
              Action.CHANGED);
          return id;
        });
  }

  void delete(UUID id, @Nullable String ifMatch) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    rules.write(
        () -> {
          store.delete(seen(id, store.current(), ifMatch), now, by);
          return id;
        });
  }

  /** Brings back a version, also of one that was deleted. */
  void restore(UUID id, long version, @Nullable String ifMatch) {
    Instant now = clock.instant();
    String by = Caller.current().name();
    rules.write(
        () -> {
          Map<UUID, StoredAlertDefinition> current = store.current();
          StoredAlertDefinition old =
              store
                  .version(id, version)
                  .map(Version::definition)
                  .orElseThrow(
                      () ->
                          ApiException.notFound("version " + version + " of alert definition", id));
          StoredAlertDefinition before =
              current.containsKey(id) ? seen(id, current, ifMatch) : null;
          if (before == null) {
            roomForOneMore(current);
          }
          thresholdsExist(old.definition());
          nameIsFree(old.definition(), current);
          store.put(
              new StoredAlertDefinition(
                  id,
                  old.edit(),
                  old.definition(),
                  old.pack(),
                  store.newestVersion(id) + 1,
                  before == null ? now : before.createdAt(),
                  before == null ? by : before.createdBy(),
                  now,
                  by),
              Action.RESTORED);
          return id;
        });
  }

  static ApiException notFound(UUID id) {
    return ApiException.notFound("alert definition", id)
        .hint("GET /api/v1/alert-definitions lists those that are stored.");
  }

  /** Stores an item of a rules file, whose references are known to be good; inside a write. */
  void put(UUID id, AlertDefinitionEdit edit, @Nullable String pack, Instant now, String by) {
    Map<UUID, StoredAlertDefinition> current = store.current();
    StoredAlertDefinition before = current.get(id);
    AlertDefinition definition = AlertDefinitionReader.read(id, "", edit);
    if (before == null) {
      roomForOneMore(current);
    }
    store.put(
        new StoredAlertDefinition(
            id,
            edit,
            definition,
            pack == null && before != null ? before.pack() : pack,
            store.newestVersion(id) + 1,
            before == null ? now : before.createdAt(),
            before == null ? by : before.createdBy(),
            now,
            by),
        Action.IMPORTED);
  }

  private void thresholdsExist(AlertDefinition definition) {
    for (UUID threshold : definition.thresholds()) {
      if (thresholds.find(threshold).isEmpty()) {
        throw ApiException.invalidField(
                "condition", "names the threshold " + threshold + ", which does not exist")
            .hint("GET /api/v1/thresholds lists those that are stored.");
      }
    }
  }

  private void roomForOneMore(Map<UUID, StoredAlertDefinition> current) {
    if (current.size() >= maxCount) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "There are %,d alert definitions already, which is the limit.".formatted(maxCount))
          .hint("Delete some, or raise peerlens.alerts.max-definitions.");
    }
  }

  /** What is stored, if it is the version that the caller has seen. */
  private static StoredAlertDefinition seen(
      UUID id, Map<UUID, StoredAlertDefinition> current, @Nullable String ifMatch) {
    StoredAlertDefinition before = current.get(id);
    if (before == null) {
      throw notFound(id);
    }
    Versions.check("alert definition", ifMatch, before.version(), before.updatedBy());
    return before;
  }

  private static void nameIsFree(
      AlertDefinition definition, Map<UUID, StoredAlertDefinition> current) {
    for (StoredAlertDefinition other : current.values()) {
      if (other.name().equals(definition.name()) && !other.id().equals(definition.id())) {
        throw ApiException.of(
                ErrorCode.CONFLICT,
                "The name \"" + definition.name() + "\" is taken by " + other.id() + ".")
            .field("name", "is taken")
            .hint("Choose another name, or change that alert definition.");
      }
    }
  }
}
