package io.peerlens.source.vcenter;

import io.peerlens.source.Outlet;
import io.peerlens.source.Part;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.Topic;
import io.peerlens.vcenter.events.Alarm;
import io.peerlens.vcenter.events.CloudEvents;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.PropertySpec;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.VimException;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reading of vCenter's own alarms: those that are triggered anywhere below the root folder. What
 * was told is a position of the source, so that an alarm that ends while nobody reads ends here.
 */
final class AlarmsSession {

  private static final Duration ROUND = Duration.ofSeconds(5);
  private static final Duration REPORT = Duration.ofSeconds(20);
  private static final String POSITION = "alarms";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final String vcenter;
  private final Outlet outlet;
  private final SourceJournal journal;
  private final InstantSource clock;
  private final CloudEvents cloudEvents;

  /** An alarm on an object. */
  private record Key(Moref entity, Moref alarm) {}

  /** Alarms that were told and have not ended. */
  record Open(List<Alarm> alarms) {}

  AlarmsSession(String vcenter, Outlet outlet, SourceJournal journal, InstantSource clock) {
    this.vcenter = vcenter;
    this.outlet = outlet;
    this.journal = journal;
    this.clock = clock;
    this.cloudEvents = new CloudEvents(vcenter, Outlet.MAX_VALUE_BYTES);
  }

  void run(VimClient client, Runnable works) throws VimException, InterruptedException {
    new Reading(client, works).run();
  }

  private final class Reading {
    private final VimClient client;
    private final Runnable works;

    /** Names and descriptions of definitions, read once in a session. */
    private final Map<Moref, XmlValue> definitions = new HashMap<>();

    private Instant reported = Instant.MIN;
    private long sent;

    Reading(VimClient client, Runnable works) {
      this.client = client;
      this.works = works;
    }

    void run() throws VimException, InterruptedException {
      Map<Key, Alarm> told = stored();
      while (journal.held()) {
        Instant since = clock.instant();
        Map<Key, Alarm> now = read(told);
        tell(told, now);
        told = now;
        works.run();
        Instant end = clock.instant();
        if (!end.isBefore(reported.plus(REPORT))) {
          reported = end;
          journal.report(
              new RoundReport(
                  Part.ALARMS, end, Duration.between(since, end), now.size(), sent, null));
          sent = 0;
        }
        Thread.sleep(ROUND);
      }
    }

    private Map<Key, Alarm> stored() {
      Map<Key, Alarm> open = new LinkedHashMap<>();
      journal
          .position(POSITION)
          .ifPresent(
              text -> {
                try {
                  JSON.readValue(text, Open.class)
                      .alarms()
                      .forEach(alarm -> open.put(new Key(alarm.entity(), alarm.alarm()), alarm));
                } catch (JacksonException e) {
                  // All that are open are told again.
                }
              });
      return open;
    }

    private Map<Key, Alarm> read(Map<Key, Alarm> before) throws VimException {
      XmlValue states = client.property(client.content().rootFolder(), "triggeredAlarmState");
      if (states == null) {
        return Map.of();
      }
      Map<Key, XmlValue> found = new LinkedHashMap<>();
      for (XmlValue state : states.children()) {
        Optional<Moref> entity = state.moref("entity");
        Optional<Moref> alarm = state.moref("alarm");
        if (entity.isPresent() && alarm.isPresent()) {
          found.put(new Key(entity.get(), alarm.get()), state);
        }
      }
      Set<Moref> unnamed = new LinkedHashSet<>();
      for (Key key : found.keySet()) {
        if (!before.containsKey(key)) {
          unnamed.add(key.entity());
        }
      }
      Map<Moref, String> names = names(unnamed);
      Map<Key, Alarm> alarms = new LinkedHashMap<>();
      for (Map.Entry<Key, XmlValue> entry : found.entrySet()) {
        Key key = entry.getKey();
        Alarm old = before.get(key);
        String name =
            old != null ? old.entityName() : names.getOrDefault(key.entity(), key.entity().value());
        alarms.put(key, alarm(key, name, entry.getValue(), old));
      }
      return alarms;
    }

    private Alarm alarm(Key key, String entityName, XmlValue state, @Nullable Alarm old)
        throws VimException {
      XmlValue time = state.at("time");
      Instant at = time == null ? clock.instant() : time.time().orElseGet(clock::instant);
      String name;
      String description;
      if (old != null) {
        name = old.name();
        description = old.description();
      } else {
        XmlValue definition = definition(key.alarm());
        name = definition == null ? key.alarm().value() : definition.text("name");
        description = definition == null ? "" : definition.text("description");
      }
      return new Alarm(
          key.entity(),
          entityName,
          key.alarm(),
          name,
          description,
          state.text("overallStatus"),
          at,
          state.isTrue("acknowledged"),
          state.text("acknowledgedByUser"));
    }

    private @Nullable XmlValue definition(Moref alarm) throws VimException {
      XmlValue known = definitions.get(alarm);
      if (known == null) {
        try {
          known = client.property(alarm, "info");
        } catch (VimException.Fault e) {
          return null; // It was deleted at this moment, or may not be seen: its id is its name.
        }
        if (known != null) {
          definitions.put(alarm, known);
        }
      }
      return known;
    }

    private Map<Moref, String> names(Set<Moref> entities) throws VimException {
      Map<Moref, String> names = new HashMap<>();
      Set<Moref> left = new LinkedHashSet<>(entities);
      while (!left.isEmpty()) {
        List<PropertySpec> specs =
            left.stream()
                .map(Moref::type)
                .distinct()
                .map(type -> new PropertySpec(type, List.of("name")))
                .toList();
        try {
          client.retrieveProperties(
              left,
              specs,
              update ->
                  update.changes().stream()
                      .map(PropertyChange::value)
                      .filter(Objects::nonNull)
                      .forEach(value -> names.put(update.object(), value.text())));
          return names;
        } catch (VimException.Fault e) {
          // One that was deleted meanwhile: its id is its name.
          if (!e.type().equals("ManagedObjectNotFound")
              || !left.removeIf(entity -> entity.value().equals(e.object()))) {
            throw e;
          }
        }
      }
      return names;
    }

    private void tell(Map<Key, Alarm> before, Map<Key, Alarm> now) {
      List<Alarm> news = new ArrayList<>();
      now.forEach(
          (key, alarm) -> {
            if (!alarm.equals(before.get(key))) {
              news.add(alarm);
            }
          });
      before.forEach(
          (key, alarm) -> {
            if (!now.containsKey(key)) {
              news.add(alarm.ended(clock.instant()));
            }
          });
      if (news.isEmpty()) {
        return;
      }
      for (Alarm alarm : news) {
        outlet.send(Topic.EVENTS, vcenter, cloudEvents.alarm(alarm));
      }
      outlet.flush();
      journal.position(POSITION, JSON.writeValueAsString(new Open(List.copyOf(now.values()))));
      sent += news.size();
    }
  }
}
