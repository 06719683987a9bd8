package io.peerlens.planning;

import io.peerlens.api.model.LoadAccessPattern;
import io.peerlens.api.model.LoadAccesses;
import io.peerlens.api.model.LoadCell;
import io.peerlens.api.model.LoadCluster;
import io.peerlens.api.model.LoadDistribution;
import io.peerlens.api.model.LoadFivePeak;
import io.peerlens.api.model.LoadPeak;
import io.peerlens.api.model.LoadPeakMachine;
import io.peerlens.api.model.LoadProfileGroup;
import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.api.model.LoadProfileSummary;
import io.peerlens.api.model.LoadShare;
import io.peerlens.api.model.LoadSizes;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.planning.LoadProfileAccessStore.Added;
import io.peerlens.planning.LoadProfileStore.Stored;
import io.peerlens.profile.AccessPattern;
import io.peerlens.profile.Distribution;
import io.peerlens.profile.Grid.Bucket;
import io.peerlens.profile.LoadProfile;
import io.peerlens.profile.Mixture;
import io.peerlens.profile.SizeHistogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Load profiles in the API's model. */
final class LoadProfileAnswers {

  private LoadProfileAnswers() {}

  static LoadProfileSummary summary(Stored of, Map<UUID, ObjectRef> ancestors) {
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
    summary.setOnlyDuring(of.request().getOnlyDuring());
    UUID ancestor = of.request().getAncestor();
    summary.setAncestor(ancestor == null ? null : ancestors.get(ancestor));
    return summary;
  }

  static LoadProfileGroup group(LoadProfile of) {
    AccessPattern pattern = of.pattern();
    List<String> unknown = new ArrayList<>();
    if (!pattern.knowsRandomness()) {
      unknown.add("randomness");
    }
    if (Double.isNaN(pattern.workingSet())) {
      unknown.add("working set");
    }
    if (!pattern.knowsSizes()) {
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
    group.setClusters(of.mixture().clusters().stream().map(LoadProfileAnswers::cluster).toList());
    group.setCells(
        of.mixture().cells().stream()
            .map(
                one ->
                    new LoadCell(one.blockSize(), one.readPercent(), one.hours(), one.operations()))
            .toList());
    group.setPeaks(of.peaks().stream().map(LoadProfileAnswers::peak).toList());
    LoadProfile.FivePeak five = of.fivePeak();
    group.setFiveMinuteFactor(five == null ? null : number(five.factor()));
    group.setFivePeak(five == null ? null : fivePeak(five, of));
    group.setPercentilesOf(
        of.iops().bucket() == Bucket.HOUR
            ? LoadProfileGroup.PercentilesOfEnum.HOUR
            : LoadProfileGroup.PercentilesOfEnum.FIVE_MINUTES);
    group.setAccesses(pattern(pattern));
    group.setPerMachine(share(of.shares().machine()));
    group.setPerVcpu(share(of.shares().vcpu()));
    group.setPerMemoryGb(share(of.shares().memoryGb()));
    group.setPerDiskGb(share(of.shares().diskGb()));
    group.setUnknown(unknown);
    group.setRemarks(of.remarks());
    return group;
  }

  private static LoadFivePeak fivePeak(LoadProfile.FivePeak of, LoadProfile profile) {
    return new LoadFivePeak(
        of.value(),
        profile.iops().buckets() == 0 ? "B/s" : "IO/s",
        of.at(),
        of.hours(),
        number(of.factor()),
        number(of.factorOfHours()));
  }

  static LoadAccesses accesses(Added of) {
    LoadAccesses accesses =
        new LoadAccesses(
            of.id(),
            of.run() == null ? LoadAccesses.KindEnum.VSCSI_STATS : LoadAccesses.KindEnum.RUN,
            of.pattern().source(),
            pattern(of.pattern()),
            of.problems(),
            of.at(),
            of.by());
    accesses.setMachine(of.machine());
    accesses.setGroup(of.group());
    accesses.setRun(of.run());
    return accesses;
  }

  private static LoadAccessPattern pattern(AccessPattern of) {
    LoadAccessPattern pattern =
        new LoadAccessPattern(
            number(of.randomShare()),
            number(of.randomReadShare()),
            number(of.randomWriteShare()),
            number(of.workingSet()));
    pattern.setRandomSource(text(of.randomSource()));
    pattern.setWorkingSetSource(text(of.workingSetSource()));
    pattern.setReadSizes(sizes(of.readSizes()));
    pattern.setWriteSizes(sizes(of.writeSizes()));
    pattern.setSizesSource(text(of.sizesSource()));
    return pattern;
  }

  private static @Nullable String text(String of) {
    return of.isEmpty() ? null : of;
  }

  private static @Nullable LoadSizes sizes(@Nullable SizeHistogram of) {
    return of == null
        ? null
        : new LoadSizes(
            Arrays.stream(of.sizes()).boxed().toList(),
            Arrays.stream(of.counts()).boxed().toList());
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

  static LoadPeak peak(LoadProfile.Peak of) {
    LoadPeak peak = new LoadPeak();
    peak.setAt(of.at());
    peak.setIops(number(of.iops()));
    peak.setThroughput(number(of.throughput()));
    peak.setBlockSize(number(of.blockSize()));
    peak.setReadShare(number(of.readShare()));
    peak.setLatencyMillis(number(of.latency()));
    peak.setReporting(of.reporting());
    peak.setMachines(of.machines().stream().map(LoadProfileAnswers::machine).toList());
    return peak;
  }

  private static LoadPeakMachine machine(LoadProfile.PeakMachine of) {
    return new LoadPeakMachine(of.name(), number(of.iops()), number(of.throughput()), of.share())
        .object(new ObjectRef(UUID.fromString(of.id()), "VMWARE", "VirtualMachine", of.name()));
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

  static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
