package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.rule.Definitions;
import io.peerlens.rule.RuleStore;
import io.peerlens.rule.RuleUser;
import io.peerlens.rule.Versions;
import io.peerlens.security.Caller;
import io.peerlens.threshold.ThresholdStore.Action;
import io.peerlens.threshold.ThresholdStore.Version;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes thresholds, each change from the version that its author has seen. */
final class ThresholdService {

  private final ThresholdStore store;
  private final RuleStore rules;
  private final InstantSource clock;
  private final int maxCount;
  private final Duration metricAge;

  /** Those who may refer to a threshold; asked late, since they refer to this too. */
  private final Supplier<List<RuleUser>> users;

  ThresholdService(
      ThresholdStore store,
      RuleStore rules,
      InstantSource clock,
      int maxCount,
      Duration metricAge,
      Supplier<List<RuleUser>> users) {
    this.store = store;
    this.rules = rules;
    this.clock = clock;
    this.maxCount = maxCount;
    this.metricAge = metricAge;
    this.users = users;
  }

  /** One that is stored, or 404. */
  StoredThreshold get(UUID id) {
    return stored(id, store.catalogue().byId());
  }

  private static StoredThreshold stored(UUID id, Map<UUID, StoredThreshold> all) {
    StoredThreshold threshold = all.get(id);
    if (threshold == null) {
      throw notFound(id);
    }
    return threshold;
  }

  static ApiException notFound(UUID id) {
    return ApiException.notFound("threshold", id)
        .hint("GET /api/v1/thresholds lists those that are stored.");
  }

  UUID create(ThresholdEdit wanted) {
    UUID id = wanted.getId() == null ? UUID.randomUUID() : wanted.getId();
    Caller caller = Caller.current();
    ThresholdEdit edit = normal("", wanted);
    if (edit.getOwner() == null) {
      edit.owner(caller.name());
    }
    rules.write(
        () -> {
          if (store.current().containsKey(id)) {
            throw ApiException.of(ErrorCode.CONFLICT, "There is a threshold " + id + " already.")
                .hint("Leave out id, or change that one with PUT.");
          }
          put(id, edit, null, Action.CREATED, clock.instant(), caller.name());
          return id;
        });
    return id;
  }

  void change(UUID id, ThresholdEdit wanted, @Nullable String ifMatch) {
    if (wanted.getId() != null && !wanted.getId().equals(id)) {
      throw ApiException.invalidField("id", "is not the id of the path");
    }
    ThresholdEdit edit = normal("", wanted);
    rules.write(
        () -> {
          StoredThreshold before = stored(id, store.current());
          Versions.check("threshold", ifMatch, before.version(), before.updatedBy());
          put(id, edit, before.pack(), Action.CHANGED, clock.instant(), Caller.current().name());
          return id;
        });
  }

  void delete(UUID id, @Nullable String ifMatch) {
    rules.write(
        () -> {
          StoredThreshold before = stored(id, store.current());
          Versions.check("threshold", ifMatch, before.version(), before.updatedBy());
          RuleUser.refuseIfUsed(users.get(), "threshold", id);
          store.delete(before, clock.instant(), Caller.current().name());
          return id;
        });
  }

  /** Brings back a version, also of one that was deleted. */
  void restore(UUID id, long version, @Nullable String ifMatch) {
    rules.write(
        () -> {
          StoredThreshold old =
              store
                  .version(id, version)
                  .map(Version::threshold)
                  .orElseThrow(
                      () -> ApiException.notFound("version " + version + " of threshold", id));
          StoredThreshold before = store.current().get(id);
          if (before != null) {
            Versions.check("threshold", ifMatch, before.version(), before.updatedBy());
          }
          put(
              id,
              old.definition(),
              old.pack(),
              Action.RESTORED,
              clock.instant(),
              Caller.current().name());
          return id;
        });
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the threshold in the body, with a point at its end, or empty
   */
  ThresholdEdit normal(String path, ThresholdEdit wanted) {
    Threshold threshold = ThresholdReader.read(new UUID(0, 0), 0, path, wanted);
    Condition condition = threshold.condition();
    Duration after = condition.levels().getFirst().after();
    if (after != null && after.compareTo(metricAge) >= 0) {
      throw ApiException.invalidField(
              path + "condition.levels",
              "a metric without a sample for "
                  + Durations.print(metricAge)
                  + " counts as unknown, so this can never open")
          .hint("Give the least severity less, or raise peerlens.frames.metric-age.");
    }
    ThresholdEdit edit =
        Definitions.of(Definitions.tree(wanted), ThresholdEdit.class)
            .enabled(threshold.enabled())
            .tags(tags(path, wanted))
            .intervalSeconds((int) threshold.interval().toSeconds());
    edit.getCondition().key(condition.key()).instances(condition.instances());
    if (edit.getScope() == null) {
      edit.scope(new io.peerlens.api.model.Scope());
    }
    Trigger trigger = threshold.trigger();
    edit.trigger(
        new io.peerlens.api.model.ThresholdTrigger()
            .violations(trigger.violations())
            .of(trigger.of())
            .minimumDuration(
                wanted.getTrigger() == null || wanted.getTrigger().getMinimumDuration() == null
                    ? "0s"
                    : wanted.getTrigger().getMinimumDuration())
            .clearAfter(trigger.clearAfter()));
    if (edit.getOverrides() == null) {
      edit.overrides(List.of());
    }
    return edit;
  }

  private static List<String> tags(String path, ThresholdEdit wanted) {
    Set<String> tags = new LinkedHashSet<>();
    for (String tag : wanted.getTags() == null ? List.<String>of() : wanted.getTags()) {
      if (tag.isBlank()) {
        throw ApiException.invalidField(path + "tags[" + tags.size() + "]", "is blank");
      }
      tags.add(io.peerlens.scope.ScopeReader.storable(path + "tags", tag.strip()));
    }
    return List.copyOf(tags);
  }

  /** Stores a definition that is {@link #normal}; inside {@link RuleStore#write}. */
  void put(
      UUID id,
      ThresholdEdit definition,
      @Nullable String pack,
      Action action,
      Instant now,
      String by) {
    Map<UUID, StoredThreshold> current = store.current();
    StoredThreshold before = current.get(id);
    if (before == null && current.size() >= maxCount) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "There would be more than " + maxCount + " thresholds.")
          .hint("Delete some, or raise peerlens.thresholds.max-count.");
    }
    for (StoredThreshold other : current.values()) {
      if (other.name().equals(definition.getName()) && !other.id().equals(id)) {
        throw ApiException.of(
                ErrorCode.CONFLICT,
                "The name \"%s\" is taken by %s.".formatted(other.name(), other.id()))
            .field("name", "is taken")
            .hint("Choose another name, or change that threshold.");
      }
    }
    long version = store.newestVersion(id) + 1;
    store.put(
        new StoredThreshold(
            id,
            definition,
            ThresholdReader.read(id, version, "", definition),
            pack,
            version,
            before == null ? now : before.createdAt(),
            before == null ? by : before.createdBy(),
            now,
            by),
        before,
        action);
  }
}
