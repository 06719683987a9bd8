package io.peerlens.planning;

import io.peerlens.api.LoadProfilesApi;
import io.peerlens.api.model.LoadAccesses;
import io.peerlens.api.model.LoadAccessesRequest;
import io.peerlens.api.model.LoadFits;
import io.peerlens.api.model.LoadPeakAround;
import io.peerlens.api.model.LoadProfilePage;
import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.api.model.LoadProfileSummary;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.planning.LoadProfileStore.Stored;
import io.peerlens.profile.Distribution;
import io.peerlens.profile.LoadFile;
import io.peerlens.profile.LoadProfile;
import io.peerlens.profile.LoadTarget;
import io.peerlens.profile.Mixture;
import io.peerlens.profile.ProfileCsv;
import io.peerlens.profile.Workload;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Cursor;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class LoadProfilesController implements LoadProfilesApi {

  private static final String ORDER = "load-profiles";
  private static final List<String> NO_PATH = List.of("/path/to/test-file");
  private static final long BYTES_EACH = 10L << 30;
  private static final int THREADS = 4;
  private static final int DEPTH = 8;
  private static final Duration WARM_UP = Duration.ofMinutes(5);
  private static final Duration LENGTH = Duration.ofMinutes(30);
  private static final int VMS = 4;
  private static final int DISKS = 4;
  private static final int WORKING_SET_PERCENT = 100;

  private final LoadProfileStore store;
  private final LoadProfiles profiles;
  private final LoadProfileRequests requests;
  private final LoadProfileAccesses accesses;
  private final LoadProfilePeaks peaks;
  private final LoadProfileFits fits;

  LoadProfilesController(
      LoadProfileStore store,
      LoadProfiles profiles,
      LoadProfileRequests requests,
      LoadProfileAccesses accesses,
      LoadProfilePeaks peaks,
      LoadProfileFits fits) {
    this.store = store;
    this.profiles = profiles;
    this.requests = requests;
    this.accesses = accesses;
    this.peaks = peaks;
    this.fits = fits;
  }

  @Override
  public ResponseEntity<LoadProfilePage> listLoadProfiles(Integer limit, @Nullable String cursor) {
    store.failAbandoned();
    Instant before = null;
    UUID beforeId = null;
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, ORDER, 2);
      before = Instant.parse(keys.get(0));
      beforeId = UUID.fromString(keys.get(1));
    }
    List<Stored> found = store.page(before, beforeId, limit + 1);
    boolean more = found.size() > limit;
    List<Stored> page = more ? found.subList(0, limit) : found;
    return ResponseEntity.ok(
        new LoadProfilePage(
            summaries(page),
            more
                ? Cursor.after(
                    ORDER, page.getLast().createdAt().toString(), page.getLast().id().toString())
                : null,
            store.count()));
  }

  @Override
  public ResponseEntity<LoadProfileSummary> createLoadProfile(LoadProfileRequest asked) {
    store.failAbandoned();
    UUID id = profiles.begin(requests.complete(asked), Caller.current().name());
    return ResponseEntity.accepted().body(summaries(List.of(stored(id))).getFirst());
  }

  private List<LoadProfileSummary> summaries(List<Stored> of) {
    Map<UUID, ObjectRef> ancestors =
        store.objects(
            of.stream().map(it -> it.request().getAncestor()).filter(Objects::nonNull).toList());
    return of.stream().map(it -> LoadProfileAnswers.summary(it, ancestors)).toList();
  }

  private Stored stored(UUID id) {
    return store.find(id).orElseThrow(() -> ApiException.notFound("load profile", id));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.LoadProfile> getLoadProfile(UUID id) {
    store.failAbandoned();
    Stored stored = stored(id);
    return ResponseEntity.ok(
        new io.peerlens.api.model.LoadProfile(
            summaries(List.of(stored)).getFirst(),
            accesses.applied(id, store.groups(id).orElse(List.of())).stream()
                .map(LoadProfileAnswers::group)
                .toList(),
            accesses.of(id).stream().map(LoadProfileAnswers::accesses).toList()));
  }

  @Override
  public ResponseEntity<Void> deleteLoadProfile(UUID id) {
    if (!store.delete(id)) {
      throw ApiException.notFound("load profile", id);
    }
    return ResponseEntity.noContent().build();
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<String> getLoadProfileCsv(UUID id, String table) {
    List<LoadProfile> groups = computed(id);
    return ResponseEntity.ok()
        .contentType(new MediaType("text", "csv", StandardCharsets.UTF_8))
        .body(
            switch (table) {
              case "clusters" -> ProfileCsv.clusters(groups);
              case "histogram" -> ProfileCsv.histogram(groups);
              case "peaks" -> ProfileCsv.peaks(groups);
              default -> ProfileCsv.profiles(groups);
            });
  }

  private List<LoadProfile> computed(UUID id) {
    Stored stored = stored(id);
    List<LoadProfile> groups =
        store
            .groups(id)
            .orElseThrow(
                () ->
                    ApiException.of(
                            ErrorCode.CONFLICT, "The load profile is " + stored.state() + ".")
                        .hint(
                            stored.state().equals("failed")
                                ? "Ask for a new one."
                                : "Wait for its job; see GET /api/v1/jobs/" + stored.job() + "."));
    return accesses.applied(id, groups);
  }

  private LoadProfile computed(UUID id, String group) {
    return computed(id).stream()
        .filter(one -> one.name().equals(group))
        .findFirst()
        .orElseThrow(
            () -> ApiException.invalidParameter("group", "there is no group \"" + group + "\""));
  }

  private LoadProfileMembers members(UUID id) {
    return store
        .members(id)
        .orElseThrow(
            () ->
                ApiException.of(
                        ErrorCode.CONFLICT, "It is not kept which machines the profile is of.")
                    .hint("Compute it anew."));
  }

  private static LoadProfileMembers.Group in(LoadProfileMembers members, String group) {
    return members
        .group(group)
        .orElseThrow(
            () ->
                ApiException.invalidParameter(
                    "group", "it is not kept which machines \"" + group + "\" has"));
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<LoadPeakAround> getLoadProfilePeak(UUID id, String group, String at) {
    Instant moment = Moments.parameter("at", at);
    LoadProfile profile = computed(id, group);
    LoadProfile.Peak peak =
        profile.peaks().stream()
            .filter(one -> one.at().equals(moment))
            .findFirst()
            .orElseThrow(
                () ->
                    ApiException.invalidParameter("at", "no peak of this group begins then")
                        .hint(
                            "They begin at "
                                + profile.peaks().stream()
                                    .map(one -> one.at().toString())
                                    .collect(Collectors.joining(", "))
                                + "."));
    LoadProfileMembers members = members(id);
    return ResponseEntity.ok(peaks.around(peak, members, in(members, group)));
  }

  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<LoadFits> getLoadProfileFits(
      UUID id, UUID run, String group, @Nullable Integer hosts, Integer failures) {
    LoadProfile profile = computed(id, group);
    LoadProfileMembers members = members(id);
    return ResponseEntity.ok(fits.of(profile, members, in(members, group), run, hosts, failures));
  }

  @Override
  public ResponseEntity<LoadAccesses> addLoadProfileAccesses(
      UUID id, LoadAccessesRequest loadAccessesRequest) {
    List<String> groups = computed(id).stream().map(LoadProfile::name).toList();
    return ResponseEntity.ok(
        LoadProfileAnswers.accesses(
            accesses.add(id, groups, loadAccessesRequest, Caller.current().name())));
  }

  @Override
  public ResponseEntity<Void> removeLoadProfileAccesses(UUID id, UUID added) {
    stored(id);
    if (!accesses.remove(id, added)) {
      throw ApiException.notFound("addition of accesses", added);
    }
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<String> getLoadProfileLoad(
      UUID id,
      String tool,
      String group,
      @Nullable String cluster,
      String at,
      @Nullable List<String> path) {
    LoadProfile profile = computed(id, group);
    Distribution.At rate = Distribution.At.valueOf(at.toUpperCase(Locale.ROOT));
    try {
      Workload load =
          cluster == null
              ? Workload.of(profile, rate)
              : Workload.of(profile, named(profile, cluster), rate);
      return ResponseEntity.ok()
          .contentType(new MediaType("text", "plain", StandardCharsets.UTF_8))
          .body(text(tool, load, target(load, path)));
    } catch (IllegalArgumentException e) {
      throw ApiException.invalidParameter("group", String.valueOf(e.getMessage()));
    }
  }

  private static LoadTarget target(Workload load, @Nullable List<String> path) {
    List<String> paths = path == null || path.isEmpty() ? NO_PATH : path;
    double set = load.pattern().workingSet();
    long each = set > 0 ? (long) (set / paths.size()) : BYTES_EACH;
    return new LoadTarget(paths, Math.max(1 << 20, each), THREADS, DEPTH, WARM_UP, LENGTH);
  }

  private static String text(String tool, Workload load, LoadTarget target) {
    return switch (tool) {
      case "fio" -> LoadFile.fio(load, target);
      case "vdbench" -> LoadFile.vdbench(load, target);
      case "diskspd" -> LoadFile.diskSpd(load, target);
      default ->
          LoadFile.hciBench(
              load,
              VMS,
              DISKS,
              THREADS,
              WORKING_SET_PERCENT,
              (int) WARM_UP.toSeconds(),
              (int) LENGTH.toSeconds());
    };
  }

  private static Mixture.Cluster named(LoadProfile profile, String cluster) {
    return profile.mixture().clusters().stream()
        .filter(one -> one.name().equals(cluster))
        .findFirst()
        .orElseThrow(
            () ->
                ApiException.invalidParameter(
                        "cluster", "there is no profile \"" + cluster + "\" in this group")
                    .hint(
                        "It has: "
                            + String.join(
                                ", ",
                                profile.mixture().clusters().stream()
                                    .map(Mixture.Cluster::name)
                                    .toList())
                            + "."));
  }
}
