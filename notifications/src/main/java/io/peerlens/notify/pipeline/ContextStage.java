package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.Moment;
import io.peerlens.notify.flow.Arrival;
import io.peerlens.notify.match.InScope;
import io.peerlens.scope.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds out what there is to know of the alerts of a batch: one query for each need. */
final class ContextStage {

  private final Alerts alerts;
  private final BiFunction<Scope, Collection<UUID>, Set<UUID>> scopes;
  private final Set<String> speakingKinds;

  /**
   * The stage.
   *
   * @param scopes which of some objects a scope holds
   * @param speakingKinds kinds, such as {@code VMWARE/HostSystem}, whose alerts speak for those
   *     below
   */
  ContextStage(
      Alerts alerts,
      BiFunction<Scope, Collection<UUID>, Set<UUID>> scopes,
      Set<String> speakingKinds) {
    this.alerts = alerts;
    this.scopes = scopes;
    this.speakingKinds = Set.copyOf(speakingKinds);
  }

  void describe(Batch batch) {
    due(batch);
    own(batch);
    List<ObjectNode> foreign = new ArrayList<>();
    for (Item item : batch.items) {
      if (item.context != null && !item.context.path("source").asString("").equals("peerlens")) {
        item.context.put("now", batch.now.toEpochMilli());
        foreign.add(item.context);
      }
    }
    alerts.enrich(foreign, batch.inForce.wanted(), batch.now);
    batch.scopes = inScope(batch);
    batch.above = alerts.openOf(above(batch));
    // An alert that speaks for others is looked at before those; steps of one alert stay in order.
    batch.items.sort(Comparator.comparing(item -> !speaks(item.context)));
  }

  /** What is due is looked at as it is now; what is over meanwhile is told so. */
  private void due(Batch batch) {
    Set<UUID> ids = new HashSet<>();
    batch.items.stream().filter(Item::isDue).forEach(item -> ids.add(item.alert));
    if (ids.isEmpty()) {
      return;
    }
    Map<UUID, Alerts.Present> foreign = alerts.present(ids);
    Set<UUID> open = alerts.open(ids);
    for (Item item : batch.items) {
      if (item.isDue()) {
        Alerts.Present present = foreign.get(item.alert);
        if (present != null) {
          item.context = present.context().deepCopy();
        }
        if (present == null ? !open.contains(item.alert) : !present.open()) {
          item.arrival = new Arrival(Arrival.Kind.CANCEL, "canceled");
        }
      }
    }
  }

  private void own(Batch batch) {
    List<Item> own =
        batch.items.stream().filter(item -> item.context == null && !item.foreign).toList();
    List<Moment> moments = own.stream().map(ContextStage::moment).toList();
    List<@Nullable ObjectNode> made = alerts.contexts(moments, batch.inForce.wanted(), batch.now);
    for (int i = 0; i < own.size(); i++) {
      Item item = own.get(i);
      item.context = made.get(i);
      if (item.context == null) {
        item.context = alerts.last(item.alert, batch.now);
      }
    }
  }

  private static Moment moment(Item item) {
    if (!item.isDue()) {
      return Moment.of(item.alert, item.history, item.arrival.change());
    }
    return item.isLook()
        ? Moment.now(item.alert, "UPDATE", "look")
        : Moment.now(item.alert, "CANCEL", "canceled");
  }

  private InScope inScope(Batch batch) {
    Set<UUID> objects = new HashSet<>();
    for (Item item : batch.items) {
      UUID object = object(item.context);
      if (object != null) {
        objects.add(object);
      }
    }
    Map<Scope, Set<UUID>> known = new HashMap<>();
    return (scope, object) ->
        known.computeIfAbsent(scope, one -> scopes.apply(one, objects)).contains(object);
  }

  private static @Nullable UUID object(@Nullable ObjectNode context) {
    String id = context == null ? "" : context.path("object").path("id").asString("");
    try {
      return id.isEmpty() ? null : UUID.fromString(id);
    } catch (IllegalArgumentException e) {
      return null; // a relay may call its objects as it likes
    }
  }

  private Set<UUID> above(Batch batch) {
    Set<UUID> above = new HashSet<>();
    for (Item item : batch.items) {
      if (item.context != null) {
        above.addAll(speaking(item.context));
      }
    }
    return above;
  }

  /** The objects above that of an alert whose alerts speak for it. */
  List<UUID> speaking(JsonNode context) {
    List<UUID> speaking = new ArrayList<>();
    JsonNode object = context.path("object");
    String adapter = object.path("adapterKind").asString("");
    object
        .path("ancestors")
        .properties()
        .forEach(
            entry -> {
              if (speakingKinds.contains(adapter + "/" + entry.getKey())) {
                speaking.add(UUID.fromString(entry.getValue().path("id").asString("")));
              }
            });
    return speaking;
  }

  private boolean speaks(@Nullable JsonNode context) {
    JsonNode object = context == null ? null : context.get("object");
    return object != null
        && speakingKinds.contains(
            object.path("adapterKind").asString("") + "/" + object.path("kind").asString(""));
  }
}
