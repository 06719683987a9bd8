package io.peerlens.source.vcenter;

import io.peerlens.vcenter.inventory.StoragePolicies;
import io.peerlens.vcenter.vim.AutomationApi;
import io.peerlens.vcenter.vim.AutomationApi.OfMachine;
import io.peerlens.vcenter.vim.AutomationApi.StoragePolicy;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.VimException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reading of the storage policies of machines and disks, once an hour: a request for each policy
 * tells its machines, and one for a hundred machines whether they comply. vCenter does not tell the
 * machines of a policy that more than a thousand have; those are asked for one by one, some every
 * five minutes.
 */
final class StoragePolicyReading {

  private static final Duration EVERY = Duration.ofHours(1);

  /** Machines in one request for compliance; their ids stand in its address. */
  private static final int AT_ONCE = 100;

  /** Machines that are asked for one by one in a round. */
  static final int ALONE = 200;

  private final AutomationApi automation;
  private final Map<String, String> names = new HashMap<>();
  private final Map<Moref, OfMachine> policies = new HashMap<>();
  private final Map<Moref, OfMachine> compliance = new HashMap<>();

  private final Queue<Moref> toAsk = new ArrayDeque<>();
  private Instant next = Instant.MIN;

  StoragePolicyReading(AutomationApi automation) {
    this.automation = automation;
  }

  /**
   * One round.
   *
   * @param machines all that there are
   * @return the policies of all machines that have any, as far as they are known
   */
  Map<Moref, StoragePolicies> round(Instant now, Collection<Moref> machines) throws VimException {
    Set<Moref> there = new HashSet<>(machines);
    Set<Moref> told = new TreeSet<>(java.util.Comparator.comparing(Moref::value));
    if (!now.isBefore(next)) {
      told.addAll(everything(machines));
      next = now.plus(EVERY);
    }
    for (int i = 0; i < ALONE && !toAsk.isEmpty(); i++) {
      Moref machine = toAsk.remove();
      OfMachine has = there.contains(machine) ? automation.policiesOf(machine) : null;
      if (has == null) {
        policies.remove(machine);
      } else {
        policies.put(machine, has);
        told.add(machine);
      }
    }
    comply(List.copyOf(told));
    policies.keySet().retainAll(there);
    compliance.keySet().retainAll(policies.keySet());
    Map<Moref, StoragePolicies> all = new HashMap<>();
    policies.forEach((machine, has) -> all.put(machine, joined(machine, has)));
    all.values().removeIf(has -> has.home().isEmpty() && has.disks().isEmpty());
    return all;
  }

  private Set<Moref> everything(Collection<Moref> machines) throws VimException {
    List<StoragePolicy> all = automation.storagePolicies();
    names.clear();
    all.forEach(policy -> names.put(policy.id(), policy.name()));
    Map<Moref, OfMachine> listed = new LinkedHashMap<>();
    boolean complete = true;
    for (StoragePolicy policy : all) {
      Map<Moref, OfMachine> of = automation.machinesOf(policy);
      if (of == null) {
        complete = false;
      } else {
        of.forEach((machine, has) -> listed.merge(machine, has, StoragePolicyReading::and));
      }
    }
    listed.keySet().retainAll(new HashSet<>(machines));
    toAsk.clear();
    if (complete) {
      policies.clear();
    } else {
      toAsk.addAll(machines); // also one of a list may have a disk with the policy that has none
    }
    policies.putAll(listed);
    return listed.keySet();
  }

  private static OfMachine and(OfMachine one, OfMachine other) {
    Map<String, String> disks = new HashMap<>(one.disks());
    disks.putAll(other.disks());
    return new OfMachine(one.home().isEmpty() ? other.home() : one.home(), disks);
  }

  private void comply(List<Moref> machines) throws VimException {
    for (int from = 0; from < machines.size(); from += AT_ONCE) {
      List<Moref> some =
          new ArrayList<>(machines.subList(from, Math.min(machines.size(), from + AT_ONCE)));
      Map<Moref, OfMachine> statuses = automation.compliance(some);
      some.forEach(machine -> compliance.remove(machine));
      compliance.putAll(statuses);
    }
  }

  private StoragePolicies joined(Moref machine, OfMachine has) {
    OfMachine complies = compliance.getOrDefault(machine, new OfMachine("", Map.of()));
    Map<String, StoragePolicies.Disk> disks = new HashMap<>();
    has.disks()
        .forEach(
            (disk, policy) ->
                disks.put(
                    disk,
                    new StoragePolicies.Disk(
                        name(policy), words(complies.disks().getOrDefault(disk, "")))));
    return new StoragePolicies(name(has.home()), words(complies.home()), disks);
  }

  private String name(String policy) {
    return Objects.requireNonNull(names.getOrDefault(policy, policy));
  }

  /** {@code Non compliant} of {@code NON_COMPLIANT}. */
  private static String words(String status) {
    return status.isEmpty()
        ? ""
        : status.charAt(0) + status.substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
