package io.peerlens.planning;

import io.peerlens.api.model.LoadAccessesRequest;
import io.peerlens.database.Uuid7;
import io.peerlens.planning.LoadProfileAccessStore.Added;
import io.peerlens.planning.LoadProfileAccessStore.Named;
import io.peerlens.planning.LoadProfileMembers.Group;
import io.peerlens.profile.AccessPattern;
import io.peerlens.profile.LoadProfile;
import io.peerlens.profile.VscsiStats;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What history does not say of accesses: added from vscsiStats or a run, and put into the profiles
 * of the groups that it holds for. Thread-safe.
 */
final class LoadProfileAccesses {

  /** So many are kept with a profile. */
  private static final int MOST = 200;

  private final LoadProfileAccessStore store;
  private final LoadProfileStore profiles;
  private final BenchmarkRunStore runs;
  private final InstantSource clock;

  LoadProfileAccesses(
      LoadProfileAccessStore store,
      LoadProfileStore profiles,
      BenchmarkRunStore runs,
      InstantSource clock) {
    this.store = store;
    this.profiles = profiles;
    this.runs = runs;
    this.clock = clock;
  }

  /** What was added to a profile, newest first. */
  List<Added> of(UUID profile) {
    return store.of(profile);
  }

  /**
   * Adds from a source.
   *
   * @param groups names of the groups of the profile
   * @throws ApiException it makes no sense
   */
  Added add(UUID profile, List<String> groups, LoadAccessesRequest asked, String by) {
    if ((asked.getVscsiStats() == null) == (asked.getRun() == null)) {
      throw ApiException.invalidField("vscsiStats", "and run: give exactly one of them");
    }
    if (asked.getMachine() != null && asked.getGroup() != null) {
      throw ApiException.invalidField("machine", "and group: give at most one of them");
    }
    String group = asked.getGroup();
    if (group != null && !groups.contains(group)) {
      throw ApiException.invalidField("group", "there is no group \"" + group + "\"");
    }
    Named machine = machine(profile, asked.getMachine());
    List<Added> there = store.of(profile);
    if (there.size() >= MOST) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "The profile has %d additions of accesses.".formatted(MOST))
          .hint("Remove some, or give the output of several machines together.");
    }
    Instant now = clock.instant();
    String text = asked.getVscsiStats();
    AccessPattern pattern;
    List<String> problems = List.of();
    if (text != null) {
      VscsiStats stats = parsed(text);
      String of = machine != null ? machine.object().getName() : group == null ? "" : group;
      pattern = stats.pattern(Objects.requireNonNullElse(asked.getRandomBeyond(), 128), of);
      problems = stats.problems();
      if (!pattern.knowsRandomness() && !pattern.knowsSizes()) {
        throw ApiException.invalidField("vscsiStats", "has no operations")
            .hint("Let vscsiStats collect while the machine works: vscsiStats -s -w WORLD.");
      }
    } else {
      pattern = ofRun(Objects.requireNonNull(asked.getRun()));
    }
    Added added =
        new Added(
            Uuid7.at(now),
            LoadProfileComputation.ALL.equals(group) ? null : group,
            machine == null ? null : machine.id(),
            machine == null ? null : machine.object(),
            asked.getRun(),
            pattern,
            problems,
            now,
            by);
    UUID id = store.put(profile, added);
    return store.of(profile).stream().filter(it -> it.id().equals(id)).findFirst().orElse(added);
  }

  private @Nullable Named machine(UUID profile, @Nullable UUID asked) {
    if (asked == null) {
      return null;
    }
    Named machine = store.machine(asked).orElse(null);
    LoadProfileMembers members = profiles.members(profile).orElse(null);
    if (machine == null
        || members == null
        || members
            .group(LoadProfileComputation.ALL)
            .filter(all -> members.holds(all, machine.id()))
            .isEmpty()) {
      throw ApiException.invalidField("machine", "is none of the machines of this profile")
          .hint("Give the id of a virtual machine that it was computed of, or leave it out.");
    }
    return machine;
  }

  private static VscsiStats parsed(String text) {
    try {
      return VscsiStats.parse(new StringReader(text), "The text");
    } catch (IllegalArgumentException e) {
      throw ApiException.invalidField("vscsiStats", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private AccessPattern ofRun(UUID id) {
    BenchmarkRunStore.Stored run =
        runs.run(id).orElseThrow(() -> ApiException.invalidField("run", "there is no run " + id));
    AccessPattern pattern = AccessPattern.ofRun(run.run().parameters(), run.run().name());
    if (!pattern.knowsRandomness() && Double.isNaN(pattern.workingSet())) {
      throw ApiException.invalidField(
              "run", "says neither random_share nor working_set as a single number")
          .hint("Give it these parameters: PATCH /api/v1/benchmark-runs/" + id + ".");
    }
    return pattern;
  }

  /** Whether there was such an addition. */
  boolean remove(UUID profile, UUID id) {
    return store.delete(profile, id);
  }

  /** Profiles with what was added. */
  List<LoadProfile> applied(UUID profile, List<LoadProfile> groups) {
    List<Added> added = store.of(profile);
    if (added.isEmpty()) {
      return groups;
    }
    LoadProfileMembers members = profiles.members(profile).orElse(null);
    return groups.stream().map(one -> one.with(pattern(one.name(), added, members))).toList();
  }

  /**
   * What is known of a group: measured on it or its machines before a run of it, and both before
   * what is of all.
   */
  private static AccessPattern pattern(
      String name, List<Added> added, @Nullable LoadProfileMembers members) {
    Group group = members == null ? null : members.group(name).orElse(null);
    Predicate<Added> own =
        it ->
            name.equals(it.group())
                || (it.machineId() != null
                    && members != null
                    && group != null
                    && members.holds(group, it.machineId()));
    return known(added.stream().filter(own).toList())
        .orElse(known(added.stream().filter(Added::isOfAll).toList()));
  }

  private static AccessPattern known(List<Added> of) {
    List<AccessPattern> measured =
        of.stream().filter(it -> it.run() == null).map(Added::pattern).toList();
    AccessPattern known =
        measured.isEmpty() ? AccessPattern.UNKNOWN : AccessPattern.together(measured);
    for (Added one : of) {
      known = one.run() == null ? known : known.orElse(one.pattern());
    }
    return known;
  }
}
