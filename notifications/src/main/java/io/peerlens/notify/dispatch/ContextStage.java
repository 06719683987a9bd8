package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.InScope;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Moment;
import io.peerlens.notify.render.NotificationContext;
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

/** Context: what there is to know of the alerts of a batch, with one query for each need. */
final class ContextStage {

  private final AlertSource alerts;
  private final BiFunction<Scope, Collection<UUID>, Set<UUID>> scopes;
  private final Set<String> inhibitingKinds;

  /**
   * The stage.
   *
   * @param scopes which of some objects a scope holds
   * @param inhibitingKinds kinds, such as {@code VMWARE/HostSystem}, whose alerts inhibit those
   *     below
   */
  ContextStage(
      AlertSource alerts,
      BiFunction<Scope, Collection<UUID>, Set<UUID>> scopes,
      Set<String> inhibitingKinds) {
    this.alerts = alerts;
    this.scopes = scopes;
    this.inhibitingKinds = Set.copyOf(inhibitingKinds);
  }

  void run(Batch batch) {
    due(batch);
    own(batch);
    List<NotificationContext> foreign = new ArrayList<>();
    for (Item item : batch.items) {
      if (item.context != null && !item.context.isOurs()) {
        item.context.tree().put("now", batch.now.toEpochMilli());
        foreign.add(item.context);
      }
    }
    alerts.enrich(foreign, batch.active.wanted(), batch.now);
    batch.scopes = inScope(batch);
    batch.above = alerts.openOf(above(batch));
    // An alert that inhibits others is looked at before those; steps of one alert stay in order.
    batch.items.sort(Comparator.comparing(item -> !inhibits(item.context)));
  }

  /** What is due is looked at as it is now; what is over meanwhile is sent as over. */
  private void due(Batch batch) {
    Set<UUID> ids = new HashSet<>();
    batch.items.stream().filter(Item::isDue).forEach(item -> ids.add(item.alert));
    if (ids.isEmpty()) {
      return;
    }
    Map<UUID, AlertSource.Present> foreign = alerts.present(ids);
    Set<UUID> open = alerts.open(ids);
    for (Item item : batch.items) {
      if (item.isDue()) {
        AlertSource.Present present = foreign.get(item.alert);
        if (present != null) {
          item.context = new NotificationContext(present.context().tree().deepCopy());
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
    List<@Nullable NotificationContext> made =
        alerts.contexts(moments, batch.active.wanted(), batch.now);
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
        ? Moment.now(item.alert, EventType.UPDATE, "look")
        : Moment.now(item.alert, EventType.CANCEL, "canceled");
  }

  private InScope inScope(Batch batch) {
    Set<UUID> objects = new HashSet<>();
    for (Item item : batch.items) {
      UUID object = item.context == null ? null : item.context.objectId();
      if (object != null) {
        objects.add(object);
      }
    }
    Map<Scope, Set<UUID>> known = new HashMap<>();
    return (scope, object) ->
        known.computeIfAbsent(scope, one -> scopes.apply(one, objects)).contains(object);
  }

  private Set<UUID> above(Batch batch) {
    Set<UUID> above = new HashSet<>();
    for (Item item : batch.items) {
      if (item.context != null) {
        above.addAll(inhibiting(item.context));
      }
    }
    return above;
  }

  /** The objects above that of an alert whose alerts inhibit it. */
  List<UUID> inhibiting(NotificationContext context) {
    List<UUID> inhibiting = new ArrayList<>();
    String adapter = context.objectKind().adapterKind();
    context
        .object()
        .path("ancestors")
        .properties()
        .forEach(
            entry -> {
              if (inhibitingKinds.contains(adapter + "/" + entry.getKey())) {
                inhibiting.add(UUID.fromString(entry.getValue().path("id").asString("")));
              }
            });
    return inhibiting;
  }

  private boolean inhibits(@Nullable NotificationContext context) {
    return context != null
        && context.tree().has("object")
        && inhibitingKinds.contains(
            context.objectKind().adapterKind() + "/" + context.objectKind().objectKind());
  }
}
