package io.peerlens.outlier.explain;

import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierNotJudgedMember;
import io.peerlens.outliers.Evidence;
import io.peerlens.words.Figures;
import io.peerlens.words.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sentences that say why a member is unlike its peers: who and how much; the others, in what range;
 * how many times; how sure, how often and since when; a week ago; what else is out and what is not;
 * whether the group moved; who was not judged; the minimum deviation, if it decided; and what
 * silences it. Pages, notifications and the API all show these words, at most {@value #MOST_WORDS}
 * of them.
 */
final class PeerSentence {

  static final int MOST_WORDS = 90;

  private static final int LONGEST_NAME = 60;
  private static final int MOST_NAME_WORDS = 6;
  private static final int MOST_NAMED = 3;
  private static final List<String> NUMBERS =
      List.of("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten");

  private final PeerFacts facts;
  private final Sentence text = new Sentence();

  private PeerSentence(PeerFacts facts) {
    this.facts = facts;
  }

  /** The sentences, with the places that are bold. */
  static Sentence of(PeerFacts facts) {
    PeerSentence said = new PeerSentence(facts);
    if (facts.subject() == null && facts.evidence() == Evidence.UNUSUAL) {
      said.shift();
    } else if (facts.subject() == null) {
      said.group();
    } else {
      said.member(facts.subject());
    }
    said.rest();
    return said.text;
  }

  private void group() {
    OutlierEventMetric lead = facts.lead();
    text.strong(cut(facts.group()))
        .add(": ")
        .strong(Math.round(facts.share() * 100) + " % of the judged members")
        .add(" are %s at once, since ".formatted(facts.high() ? "high" : "low"));
    moment(text, facts.since()).add(".");
    if (lead.getCentre() != null) {
      text.add(
          " The median of %s is %s."
              .formatted(cut(lead.getName()), figure(lead.getCentre(), lead)));
    }
    text.add(" So it is the group, and none of them alone.");
  }

  private void shift() {
    OutlierEventMetric lead = facts.lead();
    text.strong(cut(facts.group()))
        .add(": the whole group is at ")
        .strong(figure(lead.getCentre(), lead))
        .add(
            " in %s where %s is usual for %s, since "
                .formatted(cut(lead.getName()), usual(lead), facts.hour()));
    moment(text, facts.since())
        .add(". That is the median of its members, so it is the group, and none of them alone.");
  }

  /** {@code 20 to 45 %}; of what is never below 0 only how much. */
  private static String usual(OutlierEventMetric lead) {
    String low = figure(lead.getLower(), lead);
    String high = figure(lead.getUpper(), lead);
    Double lower = lead.getLower();
    Double centre = lead.getCentre();
    if (lower != null && lower <= 0 && centre != null && centre >= 0) {
      return "up to " + high;
    }
    return low.equals(high) ? high : sameUnit(low, high) + " to " + high;
  }

  private void member(String subject) {
    OutlierEventMetric lead = facts.lead();
    text.strong(cut(subject)).add(": " + cut(lead.getName()) + " is ");
    String value = lead.getValue() == null ? "not known" : figure(lead.getValue(), lead);
    text.strong(value).add(".");
    if (facts.judged() > 0 && lead.getCentre() != null) {
      others(lead);
    } else {
      text.add(" ");
    }
    text.add(sure()).add(", since ");
    moment(text, facts.since()).add(".");
    String why = why(facts.evidence());
    if (!why.isEmpty()) {
      text.add(" " + why);
    }
  }

  private void others(OutlierEventMetric lead) {
    String median = figure(lead.getCentre(), lead);
    String low = figure(facts.peersLow(), lead);
    String high = figure(facts.peersHigh(), lead);
    text.add(
        facts.judged() == 1
            ? " The other judged member is"
            : " The other %d judged members are".formatted(facts.judged()));
    text.add(
        low.equals(high)
            ? " all at " + high
            : " at %s to %s, median %s"
                .formatted(sameUnit(low, high), high, sameUnit(median, high)));
    String factor = factor(lead.getFactor());
    if (factor != null) {
      text.add(": ").strong(factor + " ×").add(" the group");
    }
    text.add(", ");
  }

  /** The figure alone if it has the unit of the other one. */
  private static String sameUnit(String figure, String other) {
    int space = figure.indexOf(' ');
    int otherSpace = other.indexOf(' ');
    return space > 0
            && otherSpace > 0
            && figure.substring(space).equals(other.substring(otherSpace))
        ? figure.substring(0, space)
        : figure;
  }

  private String sure() {
    String score = Figures.number(Math.rint(Math.abs(facts.score()) * 10) / 10);
    String side = facts.high() ? "" : " low";
    String times =
        facts.of() > 1
            ? " in %d of the last %d %s buckets".formatted(facts.violations(), facts.of(), width())
            : " in the last %s bucket".formatted(width());
    return "%s robust deviations%s, above the limit %s%s"
        .formatted(score, side, Figures.number(facts.limit()), times);
  }

  private String width() {
    long seconds = facts.bucket().toSeconds();
    return seconds % 3600 == 0
        ? count(seconds / 3600) + "-hour"
        : seconds % 60 == 0 ? count(seconds / 60) + "-minute" : seconds + "-second";
  }

  private static String count(long number) {
    return number < NUMBERS.size() ? NUMBERS.get((int) number) : Long.toString(number);
  }

  private static String why(Evidence evidence) {
    return switch (evidence) {
      case LEVEL -> "";
      case SUSTAINED -> "Each value could be chance, but they have stayed on one side.";
      case SWINGS -> "Its values swing more than those of its peers.";
      case STUCK -> "Its value stands still while those of its peers move.";
      case SILENT -> "It hardly ever was 0 before, and its peers are not.";
      case UNUSUAL -> "";
    };
  }

  /** A sentence that is left out where there is no room; the least rank goes in first. */
  private record Extra(int rank, Sentence words) {
    Extra(int rank, String words) {
      this(rank, new Sentence().add(words));
    }
  }

  private void rest() {
    List<Extra> extras = new ArrayList<>();
    if (Double.isFinite(facts.weekAgo())) {
      extras.add(
          new Extra(
              3,
              "One week ago at this hour: %s.".formatted(figure(facts.weekAgo(), facts.lead()))));
    }
    if (!facts.alsoOut().isEmpty()) {
      extras.add(new Extra(1, list(facts.alsoOut()) + "."));
    }
    if (!facts.unmoved().isEmpty()) {
      extras.add(
          new Extra(
              6,
              "%s: like the others."
                  .formatted(
                      capital(
                          facts.unmoved().stream()
                              .limit(MOST_NAMED)
                              .map(one -> cut(one.getName()))
                              .collect(Collectors.joining(", "))))));
    }
    if (facts.subject() != null && facts.groupMoved() != null) {
      extras.add(
          new Extra(
              2,
              facts.groupMoved()
                  ? "The group median moved too."
                  : "Group median unchanged, so not a group-wide "
                      + (facts.high() ? "rise." : "fall.")));
    }
    if (facts.missingCount() > 0) {
      extras.add(new Extra(0, missing()));
    }
    if (Double.isFinite(facts.floor())) {
      extras.add(
          new Extra(
              4,
              "The members are so close that the minimum deviation of %s sets the limit."
                  .formatted(figure(facts.floor(), facts.lead()))));
    }
    extras.add(new Extra(5, "The group %s sets this limit.".formatted(cut(facts.group()))));
    List<Extra> chosen = new ArrayList<>();
    int words = text.words();
    for (int rank = 0; rank <= 6; rank++) {
      for (Extra extra : extras) {
        int more = extra.words().words();
        if (extra.rank() == rank && words + more <= MOST_WORDS) {
          chosen.add(extra);
          words += more;
        }
      }
    }
    extras.stream().filter(chosen::contains).forEach(extra -> text.add(" ").add(extra.words()));
  }

  /** {@code Sessions also high (3.1 ×), memory usage also low (0.4 ×)}. */
  private static String list(List<OutlierEventMetric> metrics) {
    return capital(
        metrics.stream()
            .limit(MOST_NAMED)
            .map(
                one -> {
                  String factor = factor(one.getFactor());
                  Double score = one.getScore();
                  return "%s also %s%s"
                      .formatted(
                          cut(one.getName()),
                          score != null && score < 0 ? "low" : "high",
                          factor == null ? "" : " (" + factor + " ×)");
                })
            .collect(Collectors.joining(", ")));
  }

  private Sentence missing() {
    int count = facts.missingCount();
    Sentence missing =
        new Sentence().add("%d member%s not judged".formatted(count, count == 1 ? "" : "s"));
    List<OutlierNotJudgedMember> named = facts.missing().stream().limit(MOST_NAMED).toList();
    String before = ": ";
    for (OutlierNotJudgedMember one : named) {
      missing.add(before + cut(one.getObject().getName()));
      Instant seen = one.getLastValue();
      if (seen != null) {
        moment(missing.add(", no data since "), seen);
      }
      before = "; ";
    }
    int left = count - named.size();
    return missing.add(named.isEmpty() || left == 0 ? "." : " and %d more.".formatted(left));
  }

  private Sentence moment(Sentence said, Instant moment) {
    return said.moment(moment, Figures.time(moment, facts.now()));
  }

  private static String figure(@Nullable Double value, OutlierEventMetric of) {
    return value == null || !Double.isFinite(value)
        ? "not known"
        : Figures.withUnit(value, of.getUnit(), of.getKey().startsWith("net"));
  }

  /** {@code 4.0}, {@code 0.35}, {@code 41}; null where it says nothing. */
  static @Nullable String factor(@Nullable Double factor) {
    if (factor == null || Math.abs(factor - 1) < 0.05) {
      return null;
    }
    return factor >= 10
        ? Figures.number(Math.rint(factor))
        : String.format(Locale.ROOT, factor >= 0.95 ? "%.1f" : "%.2f", factor);
  }

  private static String capital(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** Names are of any length; sentences are not. */
  private static String cut(String name) {
    String[] words = name.strip().split("\\s+");
    String few =
        words.length <= MOST_NAME_WORDS
            ? name.strip()
            : String.join(" ", List.of(words).subList(0, MOST_NAME_WORDS)) + "…";
    return few.length() <= LONGEST_NAME ? few : few.substring(0, LONGEST_NAME - 1) + "…";
  }
}
