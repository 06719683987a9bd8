package io.peerlens.slow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a machine is slow. A band is to blame whose own figures are beyond what is usual
 * and not merely as its peers always are, that went up with what the machine waits for, and that
 * explains it. What lies behind a figure has to be known: a disk is not blamed while nobody knows
 * whether it has more to do. Without data there is no blame.
 */
public final class SlowJudge {

  /** A second cause explains so much of the latency by itself. */
  private static final double SECOND = 0.35;

  /** The figures of each band, the one that says most in general first. */
  private static final Map<Band, List<Signal>> ORDER =
      Map.of(
          Band.GUEST,
          List.of(
              Signal.READ_LATENCY,
              Signal.WRITE_LATENCY,
              Signal.CPU_WAIT,
              Signal.CPU_USAGE,
              Signal.CPU_LIMITED,
              Signal.MEMORY_WAIT,
              Signal.SWAP_IN,
              Signal.IOPS,
              Signal.BLOCK,
              Signal.OUTSTANDING),
          Band.CLUSTER,
          List.of(
              Signal.CONGESTION,
              Signal.CLUSTER_LATENCY,
              Signal.CLUSTER_OUTSTANDING,
              Signal.CLUSTER_IOPS),
          Band.HOST,
          List.of(
              Signal.KERNEL_LATENCY,
              Signal.HOST_LATENCY,
              Signal.HOST_CPU,
              Signal.HOST_MEMORY,
              Signal.HOST_SWAP,
              Signal.HOST_IOPS),
          Band.DISK_GROUP,
          List.of(Signal.BUFFER, Signal.DEVICE_LATENCY, Signal.LOG_CONGESTION, Signal.DEVICE_IOPS),
          Band.NETWORK,
          List.of(Signal.PACKET_LOSS, Signal.RETRANSMITS, Signal.PACKET_ERRORS));

  /** What a machine may be slow by. */
  private static final Set<Signal> SYMPTOMS =
      EnumSet.of(Signal.READ_LATENCY, Signal.WRITE_LATENCY, Signal.CPU_WAIT, Signal.CPU_USAGE);

  private final Evidence evidence;
  private final SlowWords words;
  private final List<Reading> readings;

  private SlowJudge(Evidence evidence) {
    this.evidence = evidence;
    this.words = new SlowWords(evidence);
    this.readings =
        evidence.tracks().stream()
            .map(track -> Reading.of(track, evidence))
            .filter(Objects::nonNull)
            .toList();
  }

  /** Looks at all bands. */
  public static Diagnosis judge(Evidence evidence) {
    return new SlowJudge(evidence).judge();
  }

  private Diagnosis judge() {
    List<Symptom> disks = Symptom.ofDisks(readings, evidence);
    List<Symptom> compute = Symptom.ofCompute(readings);
    List<LimitReading> limits =
        evidence.limits().stream()
            .map(one -> LimitReading.of(one, evidence, without(one, disks)))
            .sorted(Comparator.comparingDouble(LimitReading::delay).reversed())
            .toList();
    List<Finding> found = new ArrayList<>();
    boolean open = false;
    if (!disks.isEmpty()) {
      DiskCauses causes = new DiskCauses(evidence, readings, disks.getFirst(), words);
      found.addAll(causes.find(limits));
      open = causes.isOpen();
    }
    if (!compute.isEmpty() && found.stream().noneMatch(one -> one.cause() == Cause.OWN_LIMIT)) {
      ComputeCauses causes = new ComputeCauses(evidence, readings, words);
      found.addAll(causes.find(compute));
      open |= causes.isOpen();
    }
    List<Finding> chosen = chosen(found);
    Symptom symptom = worst(disks, compute);
    State state = state(symptom, chosen, open);
    List<BandVerdict> bands = verdicts(chosen, symptom, state);
    Reading shown = symptom == null ? null : symptom.reading();
    return new Diagnosis(
        state,
        chosen,
        bands,
        shown,
        limits,
        evidence.missing(),
        words.phrases(state, chosen, bands, shown, limits));
  }

  /** What the latency of a disk would be without its limit, in ms; NaN = not known. */
  private double without(DiskLimit limit, List<Symptom> disks) {
    Symptom symptom =
        disks.stream()
            .filter(
                one ->
                    limit.instance().isEmpty()
                        || one.reading().track().origin().instance().isEmpty()
                        || limit.instance().equals(one.reading().track().origin().instance()))
            .findFirst()
            .orElse(null);
    if (symptom == null) {
      return Double.NaN;
    }
    double others = 0;
    for (Reading one : readings) {
      if (one.signal() == Signal.DEVICE_LATENCY
          && !evidence.vsan()
          && one.isOdd()
          && symptom.isWith(one, evidence)) {
        others = Math.max(others, one.rise());
      }
    }
    return symptom.reading().reference() + symptom.allowance() + others;
  }

  /** The first, and a second of another band if it explains much by itself. */
  private static List<Finding> chosen(List<Finding> found) {
    List<Finding> byShare =
        found.stream().sorted(Comparator.comparingDouble(Finding::weight).reversed()).toList();
    List<Finding> chosen = new ArrayList<>();
    for (Finding one : byShare) {
      boolean another = chosen.stream().noneMatch(first -> first.band() == one.band());
      if (chosen.isEmpty() || (chosen.size() == 1 && another && one.weight() >= SECOND)) {
        chosen.add(one);
      }
    }
    return chosen;
  }

  private static @Nullable Symptom worst(List<Symptom> disks, List<Symptom> compute) {
    if (disks.isEmpty() || compute.isEmpty()) {
      return disks.isEmpty() ? (compute.isEmpty() ? null : compute.getFirst()) : disks.getFirst();
    }
    return disks.getFirst().reading().severity() >= compute.getFirst().reading().severity()
        ? disks.getFirst()
        : compute.getFirst();
  }

  private State state(@Nullable Symptom symptom, List<Finding> chosen, boolean open) {
    if (!chosen.isEmpty()) {
      return State.FOUND;
    }
    if (symptom == null) {
      boolean known =
          readings.stream().anyMatch(one -> SYMPTOMS.contains(one.signal()) && one.isJudged());
      return known ? State.NOT_SLOW : State.NO_DATA;
    }
    boolean missing = evidence.missing().stream().anyMatch(Missing::needed);
    return open || missing ? State.NOT_KNOWN : State.NOT_EXPLAINED;
  }

  // ---- verdicts ---------------------------------------------------------------------------------

  private List<BandVerdict> verdicts(List<Finding> chosen, @Nullable Symptom symptom, State state) {
    Map<Band, Finding> byBand = new EnumMap<>(Band.class);
    chosen.forEach(one -> byBand.putIfAbsent(one.band(), one));
    List<BandVerdict> verdicts = new ArrayList<>();
    for (Band band : Band.values()) {
      verdicts.add(verdict(band, byBand.get(band), symptom, state));
    }
    return verdicts;
  }

  private BandVerdict verdict(
      Band band, @Nullable Finding finding, @Nullable Symptom symptom, State state) {
    List<Reading> own = ordered(band);
    if (finding != null) {
      Reading figure = finding.reading();
      return new BandVerdict(
          band,
          Verdict.HERE,
          figure,
          own.stream().filter(one -> one != figure).toList(),
          finding,
          finding.reason());
    }
    if (own.isEmpty()) {
      String missing = missing(band);
      return new BandVerdict(
          band,
          Verdict.NO_DATA,
          null,
          own,
          null,
          missing.isEmpty()
              ? "Nothing was reported in this time: its source may have stopped."
              : missing);
    }
    Reading figure = band == Band.GUEST && symptom != null ? symptom.reading() : own.getFirst();
    List<Reading> others = own.stream().filter(one -> one != figure).toList();
    if (own.stream().noneMatch(Reading::isJudged)) {
      return new BandVerdict(
          band,
          Verdict.NO_USUAL,
          figure,
          others,
          null,
          "What is usual is not known yet, and there are too few peers.");
    }
    boolean with = symptom != null && symptom.isWith(figure, evidence);
    String reason = words.notHere(band, figure, others, with, state == State.FOUND);
    if (band == Band.GUEST && symptom == null && figure.isBeyond()) {
      double allowance = Symptom.allowance(figure, readings, evidence);
      if (allowance > 0) {
        reason =
            words.larger(
                figure,
                new Symptom(figure, 0, allowance),
                own.stream().filter(one -> one.signal() == Signal.BLOCK).findFirst().orElse(null));
      }
    }
    String unknown = missing(band);
    return new BandVerdict(
        band,
        Verdict.NOT_HERE,
        figure,
        others,
        null,
        unknown.isEmpty() ? reason : reason + " " + unknown);
  }

  private String missing(Band band) {
    Map<String, List<String>> byCollector = new LinkedHashMap<>();
    for (Missing one : evidence.missing()) {
      if (one.band() == band) {
        byCollector.computeIfAbsent(one.collector(), any -> new ArrayList<>()).add(one.what());
      }
    }
    return byCollector.entrySet().stream()
        .map(one -> SlowWords.missing(one.getValue(), one.getKey()))
        .collect(Collectors.joining(" "));
  }

  /** Readings of a band, those beyond what is usual first. */
  private List<Reading> ordered(Band band) {
    List<Signal> order = Objects.requireNonNull(ORDER.get(band));
    return readings.stream()
        .filter(one -> one.signal().band() == band)
        .sorted(
            Comparator.comparingDouble((Reading one) -> one.isOdd() ? -one.severity() : 0)
                .thenComparingInt(one -> order.indexOf(one.signal()))
                .thenComparingDouble(one -> -one.now()))
        .toList();
  }
}
