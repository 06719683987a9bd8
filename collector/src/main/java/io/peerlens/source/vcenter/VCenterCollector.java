package io.peerlens.source.vcenter;

import io.peerlens.source.ActiveSource;
import io.peerlens.source.Outlet;
import io.peerlens.source.Part;
import io.peerlens.source.SourceCollector;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.definition.VCenterOptions;
import io.peerlens.vcenter.performance.CounterSet;
import io.peerlens.vcenter.vim.HostAddresses;
import io.peerlens.vcenter.vim.Trust;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Collector of one vCenter: a thread and a session for each part that is read. */
final class VCenterCollector implements SourceCollector {

  private final List<PartLoop> parts = new ArrayList<>();

  VCenterCollector(
      ActiveSource source,
      HostAddresses addresses,
      Trust trust,
      Outlet outlet,
      SourceJournal journal,
      KnownObjects known,
      InstantSource clock) {
    SignIn signIn = new SignIn(source, addresses, trust, clock);
    String vcenter =
        source.options().getOrDefault(VCenterOptions.IDENTITY, signIn.address().identity());
    if (source.reads().contains(Part.CONFIGURATION)) {
      ConfigurationSession configuration =
          new ConfigurationSession(
              source.name(),
              vcenter,
              source.username(),
              source.password(),
              outlet,
              journal,
              known,
              clock);
      add(source, Part.CONFIGURATION, signIn, configuration::run, journal, clock);
    }
    if (source.reads().contains(Part.PERFORMANCE)) {
      PerformanceSession performance =
          new PerformanceSession(
              source.name(),
              vcenter,
              CounterSet.shipped().with(source.options().getOrDefault(VCenterOptions.COUNTERS, "")),
              outlet,
              journal,
              clock);
      add(source, Part.PERFORMANCE, signIn, performance::run, journal, clock);
    }
    if (source.reads().contains(Part.EVENTS)) {
      EventsSession events = new EventsSession(vcenter, source.username(), outlet, journal, clock);
      add(source, Part.EVENTS, signIn, events::run, journal, clock);
    }
    if (source.reads().contains(Part.ALARMS)) {
      AlarmsSession alarms = new AlarmsSession(vcenter, outlet, journal, clock);
      add(source, Part.ALARMS, signIn, alarms::run, journal, clock);
    }
  }

  private void add(
      ActiveSource source,
      Part part,
      SignIn signIn,
      PartLoop.Session session,
      SourceJournal journal,
      InstantSource clock) {
    parts.add(
        new PartLoop(
                source.name(),
                part,
                source.username(),
                signIn,
                (client, works) -> {
                  journal.about(client.content().productAndBuild());
                  session.run(client, works);
                },
                journal,
                clock)
            .start());
  }

  @Override
  public Optional<Throwable> failure() {
    return parts.stream().map(PartLoop::failure).filter(Objects::nonNull).findFirst();
  }

  @Override
  public void close() {
    List<Thread> closing =
        parts.stream().map(part -> Thread.ofVirtual().start(part::close)).toList();
    for (Thread one : closing) {
      try {
        one.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
