package io.peerlens.source.vcenter;

import io.peerlens.event.mapping.EventRules;
import io.peerlens.vcenter.events.CloudEvents;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sign-ins of those who change something within the hour after. A vCenter tells of all sign-ins,
 * most of them by programs that only read; who came from where matters where something was changed,
 * so a sign-in is told once for each object that its user changed.
 */
final class ChangerSignIns {

  /** Who changes something later than that has worked on for long. */
  static final Duration WITHIN = Duration.ofHours(1);

  private static final int MOST_USERS = 10_000;
  private static final int MOST_OBJECTS = 1_000;
  private static final String SIGN_IN = "UserLoginSessionEvent";

  /** Members of an event that name its object, in the order in which the rules look at them. */
  private static final List<String> OBJECTS =
      List.of(
          "vm.vm",
          "host.host",
          "ds.datastore",
          "dvs.dvs",
          "net.network",
          "computeResource.computeResource",
          "datacenter.datacenter");

  private final EventRules rules = EventRules.shipped();

  /** The newest of each user. */
  private final Map<String, SignIn> byUser = new LinkedHashMap<>();

  private record SignIn(XmlValue event, Instant at, Set<Moref> told) {}

  /**
   * A sign-in that is to be told.
   *
   * @param event of the sign-in
   * @param object that the user changed
   */
  record Telling(XmlValue event, Instant at, Moref object) {}

  /** Notes a sign-in; any other event is of no account. */
  void note(XmlValue event, Instant at) {
    String user = event.text("userName");
    if (!event.type().equals(SIGN_IN) || user.isEmpty()) {
      return;
    }
    String key = CloudEvents.plain(user);
    SignIn before = byUser.get(key);
    if (before != null && !before.at.isBefore(at)) {
      return;
    }
    byUser.remove(key); // the newest are last
    byUser.put(key, new SignIn(event, at, new HashSet<>()));
    if (byUser.size() > MOST_USERS) {
      byUser.remove(byUser.keySet().iterator().next());
    }
  }

  /** The sign-in of who made an event, where it is a change; empty when it is told or none. */
  Optional<Telling> ofEvent(XmlValue event, Instant at) {
    if (!rules.isOfChange(event.type())) {
      return Optional.empty();
    }
    return OBJECTS.stream()
        .map(event::moref)
        .flatMap(Optional::stream)
        .findFirst()
        .flatMap(object -> changed(event.text("userName"), object, at));
  }

  /** The sign-in of who asked for a task, where it is a change; empty when it is told or none. */
  Optional<Telling> ofTask(XmlValue task, Instant ended) {
    if (!rules.isTaskOfChange(task.text("descriptionId"))) {
      return Optional.empty();
    }
    XmlValue queued = task.at("queueTime");
    Instant at = queued == null ? ended : queued.time().orElse(ended);
    return task.moref("entity")
        .flatMap(object -> changed(task.text("reason.userName"), object, at));
  }

  private Optional<Telling> changed(String user, Moref object, Instant at) {
    SignIn signIn = user.isEmpty() ? null : byUser.get(CloudEvents.plain(user));
    if (signIn == null
        || signIn.at.isAfter(at)
        || signIn.at.plus(WITHIN).isBefore(at)
        || signIn.told.size() >= MOST_OBJECTS
        || !signIn.told.add(object)) {
      return Optional.empty();
    }
    return Optional.of(new Telling(signIn.event, signIn.at, object));
  }

  /** Forgets who signed in long ago. */
  void forget(Instant now) {
    Instant before = now.minus(WITHIN).minus(WITHIN);
    byUser.values().removeIf(signIn -> signIn.at.isBefore(before));
  }
}
