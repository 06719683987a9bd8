package io.peerlens.standalone.esxtop;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Directory of a few objects, for tests. */
final class FakeDirectory implements ObjectDirectory {

  private record Machine(String host, Found found) {}

  private final List<Found> hosts = new ArrayList<>();
  private final List<Machine> machines = new ArrayList<>();

  FakeDirectory host(String externalId, String name) {
    hosts.add(new Found(externalId, externalId, name, false));
    return this;
  }

  FakeDirectory machine(String host, String externalId, String name) {
    machines.add(new Machine(host, new Found(externalId, externalId, name, false)));
    return this;
  }

  FakeDirectory silentMachine(String host, String externalId, String name) {
    machines.add(new Machine(host, new Found(externalId, externalId, name, true)));
    return this;
  }

  @Override
  public List<Found> hosts(String text) {
    return hosts.stream().filter(host -> holds(host, text)).toList();
  }

  @Override
  public List<Found> machinesOf(String hostId) {
    return machines.stream()
        .filter(machine -> machine.host.equals(hostId))
        .map(Machine::found)
        .toList();
  }

  @Override
  public List<Found> machines(String text) {
    return machines.stream().map(Machine::found).filter(found -> holds(found, text)).toList();
  }

  private static boolean holds(Found found, String text) {
    return found.name().toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }
}
