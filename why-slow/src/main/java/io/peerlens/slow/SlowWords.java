package io.peerlens.slow;

import io.peerlens.slow.Reading.Likeness;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sentences of a diagnosis. */
final class SlowWords {

  private final Evidence evidence;

  SlowWords(Evidence evidence) {
    this.evidence = evidence;
  }

  // ---- reasons ----------------------------------------------------------------------------------

  String limit(LimitReading limit, Symptom symptom) {
    String without =
        figure(Math.max(0, limit.latency() - limit.delay()), "ms")
            + (Double.isNaN(limit.block())
                ? ""
                : ", as usual for blocks of " + number(limit.block()) + " KB");
    return "%s of %s are delay by its IOPS limit. Without it %s."
        .formatted(figure(limit.delay(), "ms"), figure(symptom.reading().now(), "ms"), without);
  }

  String network(Reading one) {
    return "%s: %s, %s.%s It began with the latency."
        .formatted(name(one), figure(one), usual(one), peers(one));
  }

  String buffer(Reading one) {
    return one.signal() == Signal.BUFFER
        ? "The buffer of %s is %s full, %s.%s"
            .formatted(one.track().origin().name(), figure(one), usual(one), peers(one))
        : "The log of %s is congested: %s, %s.%s"
            .formatted(one.track().origin().name(), figure(one), usual(one), peers(one));
  }

  String device(Reading one) {
    return "%s takes %s, %s, and has no more to do than before.%s"
        .formatted(placed(one), figure(one), usual(one), peers(one));
  }

  Culprit diskNeighbour(Load load, Reading proof) {
    return new Culprit(
        Objects.requireNonNull(load.by()),
        "asks for %s operations a second (before %s)"
            .formatted(number(load.now()), number(load.before())),
        "%s is %s, %s".formatted(name(proof), figure(proof), usual(proof)));
  }

  Culprit cpuNeighbour(Load load, Reading host) {
    return new Culprit(
        Objects.requireNonNull(load.by()),
        "takes %s MHz (before %s)".formatted(number(load.now()), number(load.before())),
        "the host's CPU is at %s, %s".formatted(figure(host), usual(host)));
  }

  static String neighbour(Culprit by) {
    return "%s %s; %s.".formatted(by.machine().name(), by.takes(), by.effect());
  }

  String ownLoad(Load load, Reading proof) {
    return "It asks for %s operations a second, before %s; that alone makes %s %s, %s."
        .formatted(
            number(load.now()), number(load.before()), name(proof), figure(proof), usual(proof));
  }

  String manyAsk(Load load, Reading proof) {
    return "The machines ask for %s operations a second together, before %s; %s is %s, %s."
        .formatted(
            number(load.now()), number(load.before()), name(proof), figure(proof), usual(proof));
  }

  String queue(Reading one) {
    return "%s of the latency are spent within the host, %s.%s The device is as usual."
        .formatted(figure(one), usual(one), peers(one));
  }

  String congestion(Reading one) {
    return "%s is %s, %s, and no disk group is to blame."
        .formatted(name(one), figure(one), usual(one));
  }

  String ownQueue(Reading one) {
    return "It has %s %s, %s; host and device are as usual."
        .formatted(figure(one), one.signal().label(), usual(one));
  }

  String cpuLimit(Reading one) {
    return "Its CPU limit holds it back %s of the time, %s.".formatted(figure(one), usual(one));
  }

  String cpuWait(Reading wait, Reading host) {
    return "Its processors wait %s of the time, %s; the host's CPU is at %s, %s."
        .formatted(figure(wait), usual(wait), figure(host), usual(host));
  }

  String fullCpu(Reading cpu, Reading wait) {
    return "Its CPU is at %s, %s, and it does not wait for the host (ready %s)."
        .formatted(figure(cpu), usual(cpu), figure(wait));
  }

  String memory(Reading wait, Reading proof) {
    return "It waits for memory (%s %s, %s); %s is %s, %s."
        .formatted(
            wait.signal().label(),
            figure(wait),
            usual(wait),
            "the host's " + proof.signal().label(),
            figure(proof),
            usual(proof));
  }

  /**
   * Why a band is not to blame.
   *
   * @param figure its figure
   * @param with whether this went up with the symptom
   * @param found whether a cause was found elsewhere
   */
  String notHere(Band band, Reading figure, List<Reading> others, boolean with, boolean found) {
    StringBuilder text = new StringBuilder();
    if (!figure.isJudged()) {
      text.append("What is usual is not known yet.");
    } else if (!figure.isBeyond()) {
      text.append(figure.usual() == null ? "As its peers." : "As usual.");
    } else if (band == Band.GUEST) {
      text.append(
          found
              ? "It waits for something else."
              : "It waits; nothing that is its own explains it.");
    } else if (figure.likeness() == Likeness.ALIKE) {
      text.append("Above what is usual, but as its peers.");
    } else if (!with) {
      text.append("Above what is usual, but it did not rise with the latency.");
    } else if (found) {
      text.append("Above what is usual too, but what was found explains the latency.");
    } else {
      text.append("Above what is usual; alone it does not explain the latency.");
    }
    others.stream()
        .filter(one -> one.signal() != figure.signal() && one.usual() != null)
        .max(Comparator.comparingDouble(Reading::severity))
        .ifPresent(one -> text.append(' ').append(beside(one)));
    return text.toString();
  }

  /**
   * How another figure of a band stands, such as "CPU usage 24 % is within its usual 3 to 45 %."
   */
  private static String beside(Reading one) {
    Usual usual = Objects.requireNonNull(one.usual());
    String how =
        one.isBeyond()
            ? "above"
            : one.now() < usual.low() ? "below" : one.now() > usual.high() ? "near" : "within";
    return "%s %s is %s its %s.".formatted(capital(name(one)), figure(one), how, usual(one));
  }

  String larger(Reading latency, Symptom symptom, @Nullable Reading block) {
    return "Its blocks are larger%s: %s more are usual for that."
        .formatted(
            block == null
                ? ""
                : " (%s, before %s)".formatted(figure(block), figure(block.reference(), "KB")),
            figure(symptom.allowance(), "ms"));
  }

  // ---- the whole --------------------------------------------------------------------------------

  List<Phrase> phrases(
      State state,
      List<Finding> findings,
      List<BandVerdict> bands,
      @Nullable Reading symptom,
      List<LimitReading> limits) {
    List<Phrase> all = new ArrayList<>();
    switch (state) {
      case FOUND -> {
        String both = both(findings);
        if (both == null) {
          for (Finding finding : findings) {
            all.add(Phrase.strong(title(finding) + " "));
            all.addAll(reason(finding));
          }
        } else {
          all.add(Phrase.strong(title(findings.getFirst()) + " "));
          all.add(Phrase.plain(both + " "));
        }
      }
      case NOT_SLOW -> {
        all.add(Phrase.strong(evidence.machine() + " is as usual. "));
        limits.stream().filter(LimitReading::binds).findFirst().ifPresent(one -> held(one, all));
      }
      case NO_DATA ->
          all.add(
              Phrase.strong(
                  "Whether "
                      + evidence.machine()
                      + " is slow is not known: nothing of it is measured. "));
      case NOT_KNOWN -> all.add(Phrase.strong("The cause is not known. "));
      case NOT_EXPLAINED -> all.add(Phrase.strong("Nothing that is measured explains it. "));
    }
    if (symptom != null && state != State.FOUND && symptom.isBeyond()) {
      all.add(Phrase.plain(capital(name(symptom)) + " is "));
      all.add(Phrase.bad(figure(symptom)));
      all.add(Phrase.plain(", " + usual(symptom) + ". "));
    }
    if (state != State.NO_DATA && state != State.NOT_SLOW) {
      String calm = list(bands, Verdict.NOT_HERE, true);
      if (!calm.isEmpty()) {
        all.add(
            Phrase.plain(
                capital(calm) + (calm.contains(" and ") ? " are" : " is") + " as usual. "));
      }
    }
    Map<Band, Set<String>> needed = new EnumMap<>(Band.class);
    evidence.missing().stream()
        .filter(Missing::needed)
        .forEach(
            one ->
                needed.computeIfAbsent(one.band(), any -> new LinkedHashSet<>()).add(one.what()));
    String unknown =
        needed.entrySet().stream()
            .map(one -> one.getKey().word() + " (" + String.join(", ", one.getValue()) + ")")
            .collect(Collectors.joining(", "));
    if (!unknown.isEmpty() && state != State.NOT_SLOW) {
      all.add(Phrase.plain("Not known: " + unknown + ". "));
    }
    return all;
  }

  private static String list(List<BandVerdict> bands, Verdict verdict, boolean calm) {
    List<String> words =
        bands.stream()
            .filter(one -> one.verdict() == verdict && one.band() != Band.GUEST)
            .filter(one -> !calm || (one.figure() != null && !one.figure().isBeyond()))
            .map(one -> one.band().word())
            .toList();
    return joined(words);
  }

  /** Such as "host, disk group and network". */
  private static String joined(List<String> words) {
    return words.size() < 2
        ? String.join("", words)
        : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
  }

  /** What is not measured, and who sends it. */
  static String missing(List<String> what, String collector) {
    return "%s: no data; %s %s."
        .formatted(capital(joined(what)), collector, what.size() == 1 ? "sends it" : "sends them");
  }

  static String title(Finding finding) {
    Culprit by = finding.culprit();
    return by == null
        ? finding.cause().title()
        : by.machine().name() + " asks for much more than before.";
  }

  /** That a limit holds it back, although this is nothing new: it may have for all six hours. */
  private static void held(LimitReading limit, List<Phrase> all) {
    all.add(Phrase.plain("Its IOPS limit holds it back all the same: "));
    all.add(Phrase.plain(limit.disk().disk() + " asks for "));
    all.add(Phrase.bad(asked(limit)));
    all.add(Phrase.plain(" of "));
    all.add(Phrase.strong(number(limit.disk().limit())));
    all.add(Phrase.plain(" normalised IOPS. "));
  }

  private static String asked(LimitReading limit) {
    boolean more = limit.asked() > 1.02 * limit.disk().limit();
    return (more ? "" : "at least ") + number(limit.asked());
  }

  /** What one other machine takes in two bands; null = it is not one and the same. */
  private static @Nullable String both(List<Finding> findings) {
    Culprit first = findings.getFirst().culprit();
    Culprit second = findings.getLast().culprit();
    return first == null
            || second == null
            || first == second
            || first.machine().object() != second.machine().object()
        ? null
        : "%s %s and %s; %s, and %s."
            .formatted(
                first.machine().name(),
                first.takes(),
                second.takes(),
                first.effect(),
                second.effect());
  }

  private List<Phrase> reason(Finding finding) {
    LimitReading limit = finding.limit();
    if (limit == null) {
      return List.of(Phrase.plain(finding.reason() + " "));
    }
    List<Phrase> all = new ArrayList<>();
    String policy = limit.disk().policy();
    if (policy == null) {
      all.add(Phrase.plain("Its limit allows " + limit.disk().disk() + " "));
    } else {
      all.add(Phrase.plain("The policy "));
      all.add(Phrase.strong(policy));
      all.add(Phrase.plain(" allows " + limit.disk().disk() + " "));
    }
    all.add(Phrase.strong(number(limit.disk().limit())));
    all.add(Phrase.plain(" normalised IOPS; it asks for "));
    all.add(Phrase.bad(asked(limit)));
    all.add(Phrase.plain(" and waits "));
    all.add(Phrase.bad(figure(limit.delay(), "ms")));
    all.add(Phrase.plain(" of its " + figure(limit.latency(), "ms") + " there. "));
    return all;
  }

  // ---- parts ------------------------------------------------------------------------------------

  private static String peers(Reading one) {
    int count = one.peers().length;
    return switch (one.likeness()) {
      case UNLIKE ->
          " Its %d peers have %s."
              .formatted(count, figure(Robust.quantile(one.peers(), 0.5), one.signal().unit()));
      case COMMON -> " So have most of its %d peers.".formatted(count);
      case ALIKE, UNKNOWN -> "";
    };
  }

  static String usual(Reading one) {
    Usual usual = one.usual();
    if (usual == null) {
      return "what is usual is not known";
    }
    String high = figure(usual.high(), one.signal().unit());
    String low = number(usual.low());
    return low.equals(number(usual.high())) ? "usual " + high : "usual " + low + " to " + high;
  }

  /** What a figure is of, such as "disk 2, read latency". */
  static String name(Reading one) {
    String place = one.track().origin().name();
    String label =
        one.signal() == Signal.READ_LATENCY || one.signal() == Signal.WRITE_LATENCY
            ? one.signal().label() + " latency"
            : one.signal().label();
    return place.isEmpty() ? label : place + ", " + label;
  }

  private static String placed(Reading one) {
    String place = one.track().origin().name();
    return place.isEmpty() ? "The device" : place;
  }

  /** With a capital letter, unless it begins with a name: vSAN, west-main-esx05. */
  static String capital(String text) {
    String first = text.split("[ ,]", 2)[0];
    boolean word = first.chars().allMatch(c -> c >= 'a' && c <= 'z');
    return word && !text.isEmpty()
        ? Character.toUpperCase(text.charAt(0)) + text.substring(1)
        : text;
  }

  static String figure(Reading one) {
    return figure(one.now(), one.signal().unit());
  }

  static String figure(double value, String unit) {
    return number(value) + (unit.isEmpty() ? "" : " " + unit);
  }

  static String number(double value) {
    double size = Math.abs(value);
    if (Double.isNaN(value)) {
      return "not known";
    }
    if (size >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ENGLISH, "%,.0f", value);
    }
    if (size < 0.005) {
      return "<0.01";
    }
    return String.format(Locale.ENGLISH, size >= 1 ? "%.1f" : "%.2f", value);
  }
}
