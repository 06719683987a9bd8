package io.peerlens.planning;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.LoadPeakAround;
import io.peerlens.api.model.LoadProfileHours;
import io.peerlens.api.model.LoadProfileQuestion;
import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelNote;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelRecord;
import io.peerlens.api.model.TopTalker;
import io.peerlens.planning.LoadProfileComputation.Computed;
import io.peerlens.profile.LoadProfile;
import io.peerlens.profile.LoadProfile.Peak;
import io.peerlens.profile.LoadProfile.PeakMachine;
import io.peerlens.profile.Mixture.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A load profile as tables of a report: figures of its groups, the profiles that their hours fall
 * into, and the highest peaks with what went on then. It is computed each time. Thread-safe.
 */
public final class LoadProfileReport {

  /** The period of a report that names none. */
  public static final Duration USUAL = LoadProfileRequests.USUAL;

  /** More groups are no table that anybody reads. */
  private static final int MOST_GROUPS = 200;

  private static final int SHOWN = 3;
  private static final double MEGABYTE = 1e6;
  private static final double KIB = 1024;
  private static final double PERCENT = 100;

  private final LoadProfileRequests requests;
  private final LoadProfileStore store;
  private final LoadProfiles profiles;
  private final LoadProfilePeaks peaks;
  private final InstantSource clock;

  LoadProfileReport(
      LoadProfileRequests requests,
      LoadProfileStore store,
      LoadProfiles profiles,
      LoadProfilePeaks peaks,
      InstantSource clock) {
    this.requests = requests;
    this.store = store;
    this.profiles = profiles;
    this.peaks = peaks;
    this.clock = clock;
  }

  /** A table under its name. */
  public record Panel(String name, PanelAnswer answer) {}

  /**
   * Refuses a question that makes no sense.
   *
   * @throws io.peerlens.web.ApiException it names what
   */
  public void check(LoadProfileQuestion question) {
    Instant now = clock.instant();
    Objects.requireNonNull(requests.complete(request(question, now.minus(USUAL), now)));
  }

  private static LoadProfileRequest request(
      LoadProfileQuestion question, Instant from, Instant to) {
    LoadProfileRequest request = new LoadProfileRequest();
    request.setAncestor(question.getAncestor());
    request.setFrom(from.toString());
    request.setTo(to.toString());
    request.setBy(LoadProfileRequest.ByEnum.fromValue(by(question).getValue()));
    request.setTag(question.getTag());
    request.setOnlyDuring(question.getOnlyDuring());
    return request;
  }

  private static LoadProfileQuestion.ByEnum by(LoadProfileQuestion question) {
    return Objects.requireNonNullElse(question.getBy(), LoadProfileQuestion.ByEnum.CLUSTER);
  }

  /** What is asked for, for people. */
  public List<String> words(LoadProfileQuestion question) {
    List<String> words = new ArrayList<>();
    UUID ancestor = question.getAncestor();
    if (ancestor != null) {
      ObjectRef object = store.objects(List.of(ancestor)).get(ancestor);
      words.add("Machines below " + (object == null ? ancestor : object.getName()));
    }
    words.add(
        switch (by(question)) {
          case CLUSTER -> "By cluster";
          case HOST -> "By host";
          case VM -> "By machine";
          case TAG -> "By the tag " + question.getTag();
        });
    LoadProfileHours hours = question.getOnlyDuring();
    if (hours != null) {
      words.add(
          "Only %s, %s to %s, %s"
              .formatted(
                  hours.getDays().stream()
                      .map(LoadProfileHours.DaysEnum::getValue)
                      .collect(Collectors.joining(", ")),
                  hours.getBegins(),
                  hours.getEnds(),
                  hours.getZone()));
    }
    return words;
  }

  /**
   * Computes a profile, and waits for one that is being computed.
   *
   * @throws io.peerlens.web.ApiException the question makes no sense, or another profile takes too
   *     long
   */
  public List<Panel> answer(LoadProfileQuestion question, Instant from, Instant to) {
    LoadProfileRequest request = requests.complete(request(question, from, to));
    Computed computed = profiles.now(request);
    Instant begin = LoadProfileStore.moment(request.getFrom());
    Instant end = LoadProfileStore.moment(request.getTo());
    List<LoadProfile> all = computed.profiles();
    List<LoadProfile> shown = all.subList(0, Math.min(MOST_GROUPS, all.size()));
    PanelAnswer figures = table("Load", begin, end, FIGURES);
    PanelAnswer mixture = table("Profiles that hours fall into", begin, end, MIXTURE);
    PanelAnswer highest = table("Highest peaks of all machines", begin, end, PEAKS);
    List<PanelRecord> clusters = new ArrayList<>();
    List<PanelRecord> hours = new ArrayList<>();
    for (LoadProfile one : shown) {
      clusters.add(figures(one));
      one.mixture().clusters().forEach(cluster -> hours.add(mixture(one, cluster)));
    }
    figures.setRecords(clusters);
    mixture.setRecords(hours);
    LoadProfile whole =
        all.stream()
            .filter(one -> one.name().equals(LoadProfileComputation.ALL))
            .findFirst()
            .orElse(null);
    highest.setRecords(
        whole == null
            ? List.of()
            : whole.peaks().stream().map(peak -> peak(peak, computed)).toList());
    notes(figures, all.size(), whole);
    mixture
        .getNotes()
        .add(
            note(
                "hourly-means",
                "Block size is the mean of an hour: half 4K and half 256K looks like 130K"));
    return List.of(
        new Panel("load", figures), new Panel("profiles", mixture), new Panel("peaks", highest));
  }

  private static void notes(PanelAnswer figures, int groups, @Nullable LoadProfile whole) {
    List<PanelNote> notes = figures.getNotes();
    if (groups > MOST_GROUPS) {
      notes.add(
          note("rows-left-out", "%,d more groups are left out".formatted(groups - MOST_GROUPS)));
    }
    notes.add(note("percentile-from", "Percentiles and peaks are exact over means of an hour"));
    if (whole == null) {
      notes.add(note("no-machines", "There are no virtual machines"));
      return;
    }
    LoadProfile.FivePeak five = whole.fivePeak();
    if (five != null && !Double.isNaN(five.factor())) {
      notes.add(
          note(
              "five-minutes",
              String.format(
                  Locale.ROOT,
                  "The highest five minutes of the last seven days are %.2f times its highest hour",
                  five.factor())));
    }
    notes.add(
        note("unknown", "Randomness, working set and sizes within an hour are not in the history"));
    whole.remarks().forEach(one -> notes.add(note("remark", one.replaceFirst("\\.$", ""))));
  }

  private static PanelNote note(String code, String text) {
    return new PanelNote(code, text);
  }

  // ---------------------------------------------------------------------------------------- tables

  private static final List<PanelColumn> FIGURES =
      List.of(
          text("group", "Group"),
          number("machines", "Machines", ""),
          number("mean", "Mean", "IO/s"),
          number("p50", "p50", "IO/s"),
          number("p95", "p95", "IO/s"),
          number("p99", "p99", "IO/s"),
          number("peak", "Peak", "IO/s"),
          time("peakAt", "Peak at"),
          number("throughput", "Throughput p95", "MB/s"),
          number("blockSize", "Block size", "KB"),
          number("reads", "Reads", "%"),
          number("latency", "Latency p95", "ms"));

  private static final List<PanelColumn> MIXTURE =
      List.of(
          text("group", "Group"),
          text("profile", "Profile"),
          number("hours", "Hours", ""),
          number("share", "Of hours", "%"),
          number("operations", "Of operations", "%"),
          number("p95", "p95", "IO/s"),
          number("peak", "Peak", "IO/s"));

  private static final List<PanelColumn> PEAKS =
      List.of(
          time("at", "Hour from"),
          number("iops", "Load", "IO/s"),
          number("throughput", "Throughput", "MB/s"),
          number("blockSize", "Block size", "KB"),
          number("reads", "Reads", "%"),
          number("latency", "Latency", "ms"),
          text("machines", "Most of it"),
          text("changes", "Changes from an hour before"),
          text("talkers", "Most traffic"));

  private static PanelColumn text(String name, String title) {
    return new PanelColumn(name, title, PanelColumnType.TEXT, null, null);
  }

  private static PanelColumn time(String name, String title) {
    return new PanelColumn(name, title, PanelColumnType.TIME, null, null);
  }

  private static PanelColumn number(String name, String title, String unit) {
    return new PanelColumn(name, title, PanelColumnType.NUMBER, unit.isEmpty() ? null : unit, null);
  }

  private PanelAnswer table(String title, Instant from, Instant to, List<PanelColumn> columns) {
    PanelAnswer answer =
        new PanelAnswer(
            "records",
            from.toEpochMilli(),
            to.toEpochMilli(),
            null,
            null,
            0L,
            null,
            new PanelObjects(0, 0, 0),
            new ArrayList<>());
    answer.setTitle(title);
    answer.setColumns(columns);
    return answer;
  }

  private static PanelRecord figures(LoadProfile of) {
    Instant at = of.iops().peakAt();
    return line(
        of.name(),
        of.machines(),
        of.iops().mean(),
        of.iops().p50(),
        of.iops().p95(),
        of.iops().p99(),
        of.iops().peak(),
        at == null ? null : at.toEpochMilli(),
        of.throughput().p95() / MEGABYTE,
        of.blockSize() / KIB,
        of.readShare() * PERCENT,
        of.latency().p95());
  }

  private static PanelRecord mixture(LoadProfile profile, Cluster of) {
    return line(
        profile.name(),
        of.name(),
        of.hours(),
        of.shareOfHours() * PERCENT,
        of.shareOfOperations() * PERCENT,
        of.iops().p95(),
        of.iops().peak());
  }

  private PanelRecord peak(Peak of, Computed computed) {
    LoadPeakAround around =
        computed
            .members()
            .group(LoadProfileComputation.ALL)
            .map(group -> peaks.around(of, computed.members(), group))
            .orElse(null);
    return line(
        of.at().toEpochMilli(),
        of.iops(),
        of.throughput() / MEGABYTE,
        of.blockSize() / KIB,
        of.readShare() * PERCENT,
        of.latency(),
        of.machines().stream()
            .limit(SHOWN)
            .map(LoadProfileReport::machine)
            .collect(Collectors.joining(", ")),
        around == null ? "" : changes(around),
        around == null ? "" : talkers(around));
  }

  private static String machine(PeakMachine of) {
    return String.format(Locale.ROOT, "%s %.0f %%", of.name(), of.share() * PERCENT);
  }

  private static String changes(LoadPeakAround around) {
    List<String> words = new ArrayList<>();
    around.getChanges().stream().limit(SHOWN).map(LoadProfileReport::change).forEach(words::add);
    int more = around.getChangeCount() - words.size();
    if (more > 0) {
      words.add("%,d more".formatted(more));
    }
    return words.isEmpty() ? "none" : String.join(", ", words);
  }

  private static String change(Change of) {
    String key = of.getKey() == null ? of.getKind().getValue() : of.getKey();
    String what = of.getAuthor() != null && of.getAfter() != null ? of.getAfter() : key;
    return of.getObject().getName() + ": " + what;
  }

  private static String talkers(LoadPeakAround around) {
    if (around.getTalkers() == null) {
      return Objects.requireNonNullElse(around.getNoTalkers(), "");
    }
    return around.getTalkers().getItems().stream()
        .limit(SHOWN)
        .map(LoadProfileReport::talker)
        .collect(Collectors.joining(", "));
  }

  private static String talker(TopTalker of) {
    return String.format(
        Locale.ROOT, "%s %.0f %%", of.getTalker().getName(), of.getShare() * PERCENT);
  }

  private static PanelRecord line(@Nullable Object... cells) {
    return new PanelRecord(
        new ArrayList<>(
            Arrays.stream(cells)
                .map(one -> one instanceof Double number && !Double.isFinite(number) ? null : one)
                .toList()));
  }
}
