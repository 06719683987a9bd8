package io.peerlens.planning;

import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.planning.BenchmarkRunStore.Tested;
import io.peerlens.profile.LoadProfile;
import io.peerlens.profile.Mixture;
import io.peerlens.run.Run;
import io.peerlens.run.reading.ProfileMatch;
import io.peerlens.web.ApiException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs beside load profiles: how many hours really look like a test. Thread-safe. */
final class BenchmarkProfiles {

  private static final int WHOLE = 100;

  private final LoadProfileStore profiles;

  BenchmarkProfiles(LoadProfileStore profiles) {
    this.profiles = profiles;
  }

  /**
   * A run beside a profile.
   *
   * @param profile null = there is none to compare with, or it is not computed
   * @param group part of the profile that is compared
   */
  record Beside(
      ProfileMatch match, LoadProfileStore.@Nullable Stored profile, @Nullable LoadProfile group) {}

  /**
   * Puts a run beside a profile.
   *
   * @param wanted null = the newest that is of the tested object
   * @throws ApiException when the wanted one does not exist
   */
  Beside match(Stored run, @Nullable UUID wanted) {
    Tested tested = run.tested();
    UUID id =
        wanted == null && tested != null ? profiles.newest(tested.uuid()).orElse(null) : wanted;
    if (id == null) {
      return new Beside(match(run.run(), null), null, null);
    }
    LoadProfileStore.Stored profile =
        profiles.find(id).orElseThrow(() -> ApiException.notFound("load profile", id));
    List<LoadProfile> groups = profiles.groups(id).orElse(List.of());
    // One of all machines that is by cluster has a group of the name of the tested cluster.
    LoadProfile group =
        groups.stream()
            .filter(
                one ->
                    tested != null
                        && profile.request().getAncestor() == null
                        && one.name().equals(tested.name()))
            .findFirst()
            .orElse(groups.isEmpty() ? null : groups.getFirst());
    return new Beside(match(run.run(), group), profile, group);
  }

  /**
   * A run beside the hours of a group.
   *
   * @param group null = there is none
   */
  static ProfileMatch match(Run run, @Nullable LoadProfile group) {
    List<Mixture.Cell> cells = group == null ? List.of() : group.mixture().cells();
    return ProfileMatch.of(
        run,
        cells.stream().mapToDouble(Mixture.Cell::blockSize).toArray(),
        cells.stream().mapToDouble(one -> Math.min(WHOLE, one.readPercent())).toArray(),
        cells.stream().mapToDouble(Mixture.Cell::hours).toArray());
  }
}
