package io.peerlens.planning;

import io.peerlens.api.LoadProfilesApi;
import io.peerlens.api.model.LoadCell;
import io.peerlens.api.model.LoadCluster;
import io.peerlens.api.model.LoadDistribution;
import io.peerlens.api.model.LoadPeak;
import io.peerlens.api.model.LoadProfileGroup;
import io.peerlens.api.model.LoadProfilePage;
import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.api.model.LoadProfileSummary;
import io.peerlens.api.model.LoadShare;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
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

  LoadProfilesController(LoadProfileStore store, LoadProfiles profiles) {
    this.store = store;
    this.profiles = profiles;
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
            page.stream().map(LoadProfilesController::summary).toList(),
            more
                ? Cursor.after(
                    ORDER, page.getLast().createdAt().toString(), page.getLast().id().toString())
                : null,
            store.count()));
  }

  @Override
  public ResponseEntity<LoadProfileSummary> createLoadProfile(LoadProfileRequest asked) {
    store.failAbandoned();
    UUID id = profiles.begin(profiles.complete(asked), Caller.current().name());
    return ResponseEntity.accepted().body(summary(stored(id)));
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
            summary(stored),
            store.groups(id).orElse(List.of()).stream()
                .map(LoadProfilesController::group)
                .toList()));
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
    return store
        .groups(id)
        .orElseThrow(
            () ->
                ApiException.of(ErrorCode.CONFLICT, "The load profile is " + stored.state() + ".")
                    .hint("Wait for its job; see GET /api/v1/jobs/" + stored.job() + "."));
  }

  @Override
  public ResponseEntity<String> getLoadProfileLoad(
      UUID id,
      String tool,
      String group,
      @Nullable String cluster,
      String at,
      @Nullable List<String> path) {
    LoadProfile profile =
        computed(id).stream()
            .filter(one -> one.name().equals(group))
            .findFirst()
            .orElseThrow(
                () ->
                    ApiException.invalidParameter("group", "there is no group \"" + group + "\""));
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

  private static LoadProfileSummary summary(Stored of) {
    LoadProfileSummary summary =
        new LoadProfileSummary(
            of.id(),
            of.job(),
            LoadProfileSummary.StateEnum.fromValue(of.state()),
            LoadProfileStore.moment(of.request().getFrom()),
            LoadProfileStore.moment(of.request().getTo()),
            LoadProfileSummary.ByEnum.fromValue(
                Objects.requireNonNullElse(of.request().getBy(), LoadProfileRequest.ByEnum.CLUSTER)
                    .getValue()),
            of.machines(),
            of.createdAt(),
            of.createdBy());
    summary.setError(of.error());
    summary.setTag(of.request().getTag());
    return summary;
  }

  private static LoadProfileGroup group(LoadProfile of) {
    List<String> unknown = new ArrayList<>();
    if (Double.isNaN(of.pattern().randomShare())) {
      unknown.add("randomness");
    }
    if (Double.isNaN(of.pattern().workingSet())) {
      unknown.add("working set");
    }
    if (of.pattern().readSizes() == null && of.pattern().writeSizes() == null) {
      unknown.add("sizes within an hour");
    }
    LoadProfileGroup group = new LoadProfileGroup();
    group.setName(of.name());
    group.setMachines(of.machines());
    group.setHours(of.coverage().hours());
    group.setHoursWithIops(of.coverage().withIops());
    group.setIdleHours(of.coverage().idle());
    group.setIops(distribution(of.iops()));
    group.setReadIops(distribution(of.readIops()));
    group.setWriteIops(distribution(of.writeIops()));
    group.setThroughput(distribution(of.throughput()));
    group.setLatencyMillis(distribution(of.latency()));
    group.setBlockSize(number(of.blockSize()));
    group.setReadBlockSize(number(of.readBlockSize()));
    group.setWriteBlockSize(number(of.writeBlockSize()));
    group.setReadShare(number(of.readShare()));
    group.setClusters(
        of.mixture().clusters().stream().map(LoadProfilesController::cluster).toList());
    group.setCells(
        of.mixture().cells().stream()
            .map(
                one ->
                    new LoadCell(one.blockSize(), one.readPercent(), one.hours(), one.operations()))
            .toList());
    group.setPeaks(of.peaks().stream().map(LoadProfilesController::peak).toList());
    LoadProfile.FivePeak five = of.fivePeak();
    group.setFiveMinuteFactor(five == null ? null : number(five.factor()));
    group.setPerMachine(share(of.shares().machine()));
    group.setPerVcpu(share(of.shares().vcpu()));
    group.setPerMemoryGb(share(of.shares().memoryGb()));
    group.setPerDiskGb(share(of.shares().diskGb()));
    group.setUnknown(unknown);
    group.setRemarks(of.remarks());
    return group;
  }

  private static LoadCluster cluster(Mixture.Cluster of) {
    LoadCluster cluster = new LoadCluster();
    cluster.setName(of.name());
    cluster.setLabel(of.label());
    cluster.setHours(of.hours());
    cluster.setShareOfHours(of.shareOfHours());
    cluster.setShareOfOperations(of.shareOfOperations());
    cluster.setBlockSize(number(of.blockSize()));
    cluster.setReadShare(number(of.readShare()));
    cluster.setIops(distribution(of.iops()));
    return cluster;
  }

  private static LoadPeak peak(LoadProfile.Peak of) {
    LoadPeak peak = new LoadPeak();
    peak.setAt(of.at());
    peak.setIops(number(of.iops()));
    peak.setThroughput(number(of.throughput()));
    peak.setBlockSize(number(of.blockSize()));
    peak.setReadShare(number(of.readShare()));
    peak.setLatencyMillis(number(of.latency()));
    return peak;
  }

  private static LoadShare share(LoadProfile.Share of) {
    LoadShare share = new LoadShare();
    share.setMean(number(of.mean()));
    share.setP95(number(of.p95()));
    share.setPeak(number(of.peak()));
    share.setKnown(of.known());
    return share;
  }

  private static LoadDistribution distribution(Distribution of) {
    LoadDistribution distribution = new LoadDistribution();
    distribution.setMean(number(of.mean()));
    distribution.setP50(number(of.p50()));
    distribution.setP95(number(of.p95()));
    distribution.setP99(number(of.p99()));
    distribution.setPeak(number(of.peak()));
    distribution.setPeakAt(of.peakAt());
    return distribution;
  }

  private static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
