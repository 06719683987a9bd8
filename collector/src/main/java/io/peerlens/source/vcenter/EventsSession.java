package io.peerlens.source.vcenter;

import io.peerlens.source.Outlet;
import io.peerlens.source.Part;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.Topic;
import io.peerlens.vcenter.events.CloudEvents;
import io.peerlens.vcenter.events.TaskDurations;
import io.peerlens.vcenter.inventory.PropertyTable;
import io.peerlens.vcenter.vim.History;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.VimException;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reading of events and of tasks that have ended. It goes on where it stopped, two minutes earlier,
 * since vCenter may store an event a little later than one with a later time; whoever reads the
 * topic knows an event by its id.
 */
final class EventsSession {

  private static final Duration ROUND = Duration.ofSeconds(2);
  private static final Duration TASKS = Duration.ofSeconds(5);
  private static final Duration REPORT = Duration.ofSeconds(20);
  private static final Duration OVERLAP = Duration.ofMinutes(2);

  /** What happened before somebody looked for the first time. */
  private static final Duration FIRST_LOOK = Duration.ofHours(24);

  /** So long one history is read, before another one is begun from a later time. */
  private static final Duration HISTORY = Duration.ofMinutes(10);

  private static final String EVENTS = "events";
  private static final String ENDED_TASKS = "tasks";

  private final String vcenter;
  private final String account;
  private final Outlet outlet;
  private final SourceJournal journal;
  private final InstantSource clock;
  private final CloudEvents cloudEvents;
  private final TaskDurations durations;

  private final ChangerSignIns signIns = new ChangerSignIns();

  /** Whether sign-ins of the hour before were looked at. */
  private boolean knowsSignIns;

  /** Ids that were told, with their times. */
  private final Map<String, Instant> told = new HashMap<>();

  EventsSession(
      String vcenter, String account, Outlet outlet, SourceJournal journal, InstantSource clock) {
    this.vcenter = vcenter;
    this.account = account;
    this.outlet = outlet;
    this.journal = journal;
    this.clock = clock;
    this.cloudEvents = new CloudEvents(vcenter, Outlet.MAX_VALUE_BYTES);
    this.durations = new TaskDurations(vcenter, PropertyTable.shipped());
  }

  void run(VimClient client, Runnable works) throws VimException, InterruptedException {
    new Reading(client, works).run();
  }

  private final class Reading {
    private final VimClient client;
    private final Runnable works;
    private @Nullable History events;
    private Instant eventsFrom = Instant.MIN;
    private Instant eventsUntil = Instant.MIN;
    private Instant tasksNext = Instant.MIN;
    private Instant reported = Instant.MIN;
    private long sent;

    Reading(VimClient client, Runnable works) {
      this.client = client;
      this.works = works;
    }

    void run() throws VimException, InterruptedException {
      while (journal.held()) {
        Instant since = clock.instant();
        readEvents(since);
        if (!since.isBefore(tasksNext)) {
          tasksNext = since.plus(TASKS);
          readTasks();
        }
        works.run();
        report(since);
        Thread.sleep(ROUND);
      }
    }

    private void readEvents(Instant since) throws VimException {
      History open = events;
      if (open != null && !since.isBefore(eventsUntil)) {
        events = null;
        open.close();
        open = null;
      }
      if (open == null) {
        eventsFrom = from(EVENTS);
        open = client.events(knowsSignIns ? eventsFrom : eventsFrom.minus(ChangerSignIns.WITHIN));
        knowsSignIns = true;
        events = open;
        signIns.forget(eventsFrom);
        eventsUntil = since.plus(HISTORY);
      }
      List<XmlValue> page;
      do {
        page = open.next();
        Instant newest = Instant.MIN;
        for (XmlValue event : page) {
          Optional<Instant> at = CloudEvents.time(event);
          if (at.isPresent()) {
            newest = newest.isBefore(at.get()) ? at.get() : newest;
            if (!CloudEvents.isOwnSession(event, account)) {
              tell(event, at.get());
            }
          }
        }
        remember(EVENTS, newest);
      } while (page.size() >= History.PAGE);
    }

    private void tell(XmlValue event, Instant at) {
      signIns.note(event, at);
      if (!at.isBefore(eventsFrom) && isNew("event " + CloudEvents.id(event, at), at)) {
        signIns.ofEvent(event, at).ifPresent(this::tell);
        outlet.send(Topic.EVENTS, vcenter, cloudEvents.event(event, at));
        sent++;
      }
    }

    private void tell(ChangerSignIns.Telling signIn) {
      outlet.send(
          Topic.EVENTS, vcenter, cloudEvents.signIn(signIn.event(), signIn.at(), signIn.object()));
      sent++;
    }

    private void readTasks() throws VimException {
      try (History tasks = client.endedTasks(from(ENDED_TASKS))) {
        List<XmlValue> page;
        Instant newest = Instant.MIN;
        do {
          page = tasks.next();
          for (XmlValue task : page) {
            Optional<Instant> at = CloudEvents.ended(task);
            if (at.isPresent()) {
              newest = newest.isBefore(at.get()) ? at.get() : newest;
              if (isNew("task " + CloudEvents.id(task, at.get()), at.get())) {
                send(task, at.get());
              }
            }
          }
        } while (page.size() >= History.PAGE);
        // Tasks come in the order of their begin: only after the last one is it known what was
        // read.
        remember(ENDED_TASKS, newest);
      }
    }

    private void send(XmlValue task, Instant at) {
      signIns.ofTask(task, at).ifPresent(this::tell);
      outlet.send(Topic.EVENTS, vcenter, cloudEvents.task(task, at));
      sent++;
      TaskDurations.Sample sample = durations.of(task, at);
      if (sample != null) {
        outlet.send(Topic.METRICS, sample.object(), sample.value());
        sent++;
      }
    }

    private boolean isNew(String id, Instant at) {
      return told.putIfAbsent(id, at) == null;
    }

    private void report(Instant since) {
      Instant now = clock.instant();
      if (!now.isBefore(reported.plus(REPORT))) {
        reported = now;
        journal.report(
            new RoundReport(Part.EVENTS, now, Duration.between(since, now), 1, sent, null));
        sent = 0;
      }
    }

    private Instant from(String part) throws VimException {
      Instant now = client.currentTime();
      Instant from =
          journal
              .position(part)
              .map(text -> Instant.parse(text).minus(OVERLAP))
              .orElse(now.minus(FIRST_LOOK));
      return from.isAfter(now) ? now.minus(OVERLAP) : from;
    }
  }

  private void remember(String part, Instant newest) {
    if (newest.equals(Instant.MIN)) {
      return;
    }
    try {
      outlet.flush();
    } catch (RuntimeException e) {
      told.clear(); // what of it arrived is not known
      throw e;
    }
    Optional<Instant> before = journal.position(part).map(Instant::parse);
    if (before.isEmpty() || before.get().isBefore(newest)) {
      journal.position(part, newest.toString());
    }
    Instant forget = newest.minus(OVERLAP).minus(HISTORY).minus(HISTORY);
    told.values().removeIf(forget::isAfter);
  }
}
