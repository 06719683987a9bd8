package io.peerlens.notify.dispatch;

import io.peerlens.notify.dispatch.AlertSource.OpenAlert;
import io.peerlens.notify.render.Contexts;
import io.peerlens.notify.render.EventType;
import io.peerlens.notify.render.Moment;
import io.peerlens.notify.render.NotificationContext;
import io.peerlens.notify.render.Wanted;
import io.peerlens.threshold.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Alerts in the course of a simulation: each as its last step left it. For one thread. */
final class SimulatedAlerts implements AlertSource {

  private static final int AT_A_TIME = 500;

  private final Contexts stored;
  private final Wanted wanted;
  private final Instant today;
  private final List<Simulation.Step> steps;
  private int read;
  private final Map<Long, ObjectNode> ofStep = new HashMap<>();
  private final Map<Long, ObjectNode> happened = new HashMap<>();
  private final Map<UUID, Life> lives = new HashMap<>();

  /** State of an alert during a simulation. */
  private static final class Life {
    boolean open;
    boolean acknowledged;
    boolean suspended;
    boolean suppressed;
    @Nullable ObjectNode context;

    void step(String change) {
      switch (change) {
        case "opened", "reopened" -> {
          open = true;
          acknowledged = false;
        }
        case "canceled" -> open = false;
        case "acknowledged", "assigned" -> acknowledged = true;
        case "unacknowledged", "released" -> acknowledged = false;
        case "suspended" -> suspended = true;
        case "resumed" -> suspended = false;
        case "suppressed" -> suppressed = true;
        case "unsuppressed" -> suppressed = false;
        default -> {}
      }
    }

    String control() {
      return suppressed
          ? "SUPPRESSED"
          : suspended ? "SUSPENDED" : acknowledged ? "ASSIGNED" : "OPEN";
    }
  }

  /**
   * Alerts of the past.
   *
   * @param steps all that will happen, in order
   * @param today what objects and metrics are like then is taken for what they were like
   */
  SimulatedAlerts(Contexts stored, Wanted wanted, List<Simulation.Step> steps, Instant today) {
    this.stored = stored;
    this.wanted = wanted;
    this.steps = steps;
    this.today = today;
  }

  /** A step happens. */
  void happens(Simulation.Step step) {
    Life life = lives.computeIfAbsent(step.alert(), alert -> new Life());
    life.step(step.change());
    ObjectNode context = context(step);
    if (context != null) {
      life.context = context;
      happened.put(step.history(), context);
    }
  }

  /** Contexts are read ahead, many by one query. */
  private @Nullable ObjectNode context(Simulation.Step step) {
    while (!ofStep.containsKey(step.history()) && read < steps.size()) {
      List<Simulation.Step> some = steps.subList(read, Math.min(read + AT_A_TIME, steps.size()));
      read += some.size();
      List<@Nullable ObjectNode> found =
          stored.of(
              some.stream()
                  .map(one -> Moment.of(one.alert(), one.history(), one.change()))
                  .toList(),
              wanted,
              today);
      for (int i = 0; i < some.size(); i++) {
        ofStep.put(some.get(i).history(), found.get(i));
      }
    }
    return ofStep.remove(step.history());
  }

  /** The alerts of elsewhere have no history. */
  @Override
  public Map<UUID, Present> present(Collection<UUID> ids) {
    return Map.of();
  }

  @Override
  public Set<UUID> open(Collection<UUID> ids) {
    Set<UUID> open = new HashSet<>();
    for (UUID id : ids) {
      Life life = lives.get(id);
      if (life != null && life.open) {
        open.add(id);
      }
    }
    return open;
  }

  @Override
  public Map<UUID, List<OpenAlert>> openOf(Collection<UUID> objects) {
    Map<UUID, List<OpenAlert>> open = new HashMap<>();
    Set<String> wantedObjects = new HashSet<>();
    objects.forEach(object -> wantedObjects.add(object.toString()));
    lives.forEach(
        (id, life) -> {
          ObjectNode context = life.context;
          boolean speaks = life.open && !life.suspended && !life.suppressed;
          if (speaks
              && context != null
              && wantedObjects.contains(context.path("object").path("id").asString(""))) {
            JsonNode alert = context.path("alert");
            open.computeIfAbsent(
                    UUID.fromString(context.path("object").path("id").asString("")),
                    object -> new ArrayList<>())
                .add(
                    new OpenAlert(
                        id,
                        alert.path("number").asLong(0),
                        alert.path("name").asString(""),
                        context.path("object").path("name").asString(""),
                        alert.path("impact").asString(""),
                        Severity.level(alert.path("criticality").asString(""))));
          }
        });
    open.values().forEach(of -> of.sort(Comparator.comparingInt(OpenAlert::severity).reversed()));
    return open;
  }

  /** What has just happened as it was then, all else as its last step left it. */
  @Override
  public List<@Nullable NotificationContext> contexts(
      List<Moment> moments, Wanted asked, Instant now) {
    List<@Nullable NotificationContext> contexts = new ArrayList<>();
    for (Moment moment : moments) {
      Life life = lives.get(moment.alert());
      ObjectNode ofMoment = happened.remove(moment.history());
      ObjectNode context = ofMoment != null || life == null ? ofMoment : life.context;
      if (life == null || context == null) {
        contexts.add(null);
        continue;
      }
      ObjectNode copy = context.deepCopy();
      copy.put("event", moment.event().name());
      copy.put("change", moment.change());
      copy.put("now", now.toEpochMilli());
      ObjectNode alert = (ObjectNode) copy.path("alert");
      boolean over = moment.event() == EventType.CANCEL;
      alert.put("status", over ? "CANCELED" : "ACTIVE");
      alert.put("controlState", life.control());
      if (over && alert.path("cancelTime").isNull()) {
        alert.put("cancelTime", now.toEpochMilli());
      } else if (!over) {
        alert.putNull("cancelTime");
      }
      contexts.add(new NotificationContext(copy));
    }
    return contexts;
  }

  @Override
  public @Nullable NotificationContext last(UUID alert, Instant now) {
    return null;
  }

  @Override
  public void enrich(List<NotificationContext> contexts, Wanted asked, Instant now) {
    // They come from here alone, whole.
  }
}
