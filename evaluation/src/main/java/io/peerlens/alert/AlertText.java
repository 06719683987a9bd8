package io.peerlens.alert;

import io.peerlens.alert.Around.Beside;
import io.peerlens.api.model.AlertExplanation;
import io.peerlens.api.model.SettingLink;
import io.peerlens.api.model.TextSpan;
import io.peerlens.learning.UnusualPeriodStore.Carrier;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Bound;
import io.peerlens.threshold.Condition;
import io.peerlens.threshold.Level;
import io.peerlens.threshold.Operator;
import io.peerlens.threshold.Threshold;
import io.peerlens.words.Figures;
import io.peerlens.words.MetricNames;
import io.peerlens.words.MetricWords;
import io.peerlens.words.Sentence;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sentences that say why there is an alert: what, against what, how far, how often, since when,
 * what else is part of it, what else goes on near it, and which setting silences it. At most 90
 * words.
 */
final class AlertText {

  private static final int MOST_WORDS = 90;
  private static final int ALSO = 3;
  private static final int NEAR = 2;
  private static final int CARRIERS = 3;
  private static final int LONGEST_NAME = 80;

  private final MetricNames names;
  private final Function<UUID, @Nullable Threshold> thresholds;
  private final ObjectGraph graph;
  private final Raised by;
  private final int subject;
  private final List<Member> members;
  private final Finding finding;
  private final Around around;
  private final Instant tick;
  private final Sentence text = new Sentence();
  private @Nullable TextSpan surroundings;

  AlertText(
      MetricNames names,
      Function<UUID, @Nullable Threshold> thresholds,
      ObjectGraph graph,
      Raised by,
      int subject,
      List<Member> members,
      Finding finding,
      Around around,
      Instant tick) {
    this.names = names;
    this.thresholds = thresholds;
    this.graph = graph;
    this.by = by;
    this.subject = subject;
    this.members = members;
    this.finding = finding;
    this.around = around;
    this.tick = tick;
  }

  AlertExplanation explain() {
    if (members.isEmpty()) {
      text.strong(name(subject)).add(" meets the condition of " + cut(by.name()) + ". ");
      addWhatFits(new Sentence(), new Sentence());
      return made("", by.name(), null);
    }
    Member worst = members.getFirst();
    Finding.Explained explained = finding.explained();
    if (explained != null) {
      text.add(explained.text(), explained.strong(), explained.moments());
      return made(worst.key(), words(worst), worst);
    }
    text.strong(name(subject));
    if (worst.objectId() != subject) {
      text.add(": worst is ").strong(name(worst.objectId())).add(", whose ");
    } else {
      text.add(": ");
    }
    what(worst);
    text.add(". ");
    String who =
        (by.source().equals("threshold") ? "The threshold " : "The alert definition ")
            + cut(by.name())
            + (by.source().equals("threshold") ? setting(worst) : " raises this.");
    addWhatFits(carriers().add(also(worst)), new Sentence().add(who));
    return made(worst.key(), words(worst), worst);
  }

  /**
   * Adds a sentence, what is around and the last sentence, each while there is room for the last.
   */
  private void addWhatFits(Sentence first, Sentence last) {
    addIfFits(first, last);
    int from = text.text().length();
    addIfFits(near(), last);
    addIfFits(before(), last);
    int to = text.text().stripTrailing().length();
    surroundings = to > from ? new TextSpan(from, to) : null;
    addIfFits(last, new Sentence());
  }

  private void addIfFits(Sentence sentence, Sentence last) {
    if (text.words() + sentence.words() + last.words() <= MOST_WORDS) {
      text.add(sentence);
    }
  }

  /** The metrics that carry an anomaly score, and which of them changed first. */
  private Sentence carriers() {
    Sentence said = new Sentence();
    List<Carrier> carriers = Objects.requireNonNull(around.carriers());
    if (carriers.isEmpty()) {
      return said;
    }
    int shown = Math.min(CARRIERS, carriers.size());
    int more = carriers.size() - shown;
    said.add("Carried by ");
    for (int i = 0; i < shown; i++) {
      said.add(i == 0 ? "" : i == shown - 1 && more == 0 ? " and " : ", ");
      said.strong(metric(carriers.get(i)));
    }
    said.add(more == 0 ? "" : " and " + Figures.number(more) + " more");
    Carrier first = null;
    Instant began = Instant.MAX;
    for (Carrier one : carriers) {
      if (one.began() != null && one.began().isBefore(began)) {
        first = one;
        began = one.began();
      }
    }
    if (first != null) {
      said.add("; " + metric(first) + " changed first, at ");
      said.moment(began, Figures.time(began, tick));
    }
    return said.add(". ");
  }

  private String metric(Carrier carrier) {
    return cut(names.words(carrier.key()));
  }

  /** Other symptoms near the object, the worst ones by name. */
  private Sentence near() {
    Sentence near = new Sentence();
    List<Beside> symptoms = around.symptoms();
    int shown = Math.min(NEAR, symptoms.size());
    if (shown == 0) {
      return near;
    }
    near.add("Open near it: ");
    int more = around.symptomCount() - shown;
    for (int i = 0; i < shown; i++) {
      StoredMember symptom = symptoms.get(i).symptom();
      near.add(i == 0 ? "" : i == shown - 1 && more == 0 ? " and " : ", ");
      near.add(cut(symptom.name()));
      if (symptom.object() != subject) {
        near.add(" on " + name(symptom.object()));
      }
      near.add(" (" + symptom.worst().label() + ")");
    }
    return near.add(more == 0 ? ". " : " and " + Figures.number(more) + " more. ");
  }

  /** What was changed last before it began. */
  private Sentence before() {
    Sentence before = new Sentence();
    if (around.changes().isEmpty()) {
      return before;
    }
    StoredChange last = around.changes().getFirst();
    before.add("Changed before: " + changed(last) + " at ");
    before.moment(last.time(), Figures.time(last.time(), tick));
    int more = around.changeCount() - 1;
    return before.add(more == 0 ? ". " : " and " + Figures.number(more) + " more. ");
  }

  private String changed(StoredChange change) {
    String object = name(change.object());
    String from = change.before() == null ? "" : cut(change.before());
    String to = change.after() == null ? "" : cut(change.after());
    return switch (change.kind()) {
      case "new" -> object + " is new";
      case "name" -> object + " was renamed from " + from;
      case "recorded" ->
          object
              + ", "
              + cut(Objects.requireNonNull(change.key()))
              + ": "
              + to
              + (change.author() == null ? "" : ", by " + cut(change.author()));
      case "placement" ->
          object
              + (from.isEmpty()
                  ? " came to " + to
                  : to.isEmpty() ? " left " + from : " moved from " + from + " to " + to);
      default -> {
        String key =
            change.key() == null
                ? change.kind()
                : cut(MetricWords.within(MetricWords.ofProperty(change.key())));
        yield object
            + (from.isEmpty()
                ? " got " + key + " " + to
                : to.isEmpty() ? " lost " + key : ", " + key + " from " + from + " to " + to);
      }
    };
  }

  private String name(int object) {
    ObjectKind kind = graph.kindOf(object);
    int number = kind == null ? -1 : graph.number(kind, object);
    return number < 0 ? "An object" : cut(graph.name(Objects.requireNonNull(kind), number));
  }

  private void what(Member worst) {
    String called = words(worst);
    // Only words that are made of keys have a capital because a name begins with one.
    boolean isName = !called.equals(MetricWords.of(worst.key()));
    String metric = cut(isName ? called : MetricWords.within(called));
    String of = worst.instance().isEmpty() ? "" : " of " + worst.instance();
    String severity = " for " + worst.severity().label();
    if (worst.operator().equals(Condition.NO_DATA)) {
      text.add("no sample of " + metric + of + " for ")
          .strong(Figures.duration(worst.value()))
          .add(", longer than the limit of " + Figures.duration(worst.bound()) + severity);
      return;
    }
    text.add(metric + of + " is ").strong(cut(value(worst)));
    Operator operator = operator(worst.operator());
    text.add(
        isUsual(worst)
            ? againstUsual(worst, operator)
            : worst.text() == null ? against(worst, operator) : which(worst, operator));
    text.add(severity);
    boolean back = isBack(worst, operator);
    Double factor = factor(worst);
    if (!back && factor != null && Math.abs(factor - 1) >= 0.05) {
      text.add(" (").strong(Figures.number(round(factor)) + " ×").add(" the limit)");
    }
    if (worst.of() > 1) {
      text.add(
          ", %sin %d of the last %d samples"
              .formatted(back ? "broken " : "", worst.violations(), worst.of()));
    }
    text.add(", since ").moment(finding.since(), Figures.time(finding.since(), tick));
  }

  /** Whether the value is within the limit again, and the alert open until it has cleared. */
  private static boolean isBack(Member worst, Operator operator) {
    double value = worst.value();
    boolean notAbove = value <= (isUsual(worst) ? worst.upper() : worst.bound());
    return switch (operator) {
      case GT -> notAbove;
      case GE -> value < worst.bound();
      case LT -> value >= worst.bound();
      case LE -> value > worst.bound();
      case INSIDE -> value < worst.bound() || value > worst.upper();
      case OUTSIDE -> value >= worst.bound() && value <= worst.upper();
      default -> false;
    };
  }

  private String against(Member worst, Operator operator) {
    String bound = figure(worst, worst.bound());
    if (isBack(worst, operator)) {
      return switch (operator) {
        case INSIDE -> ", back outside the range " + range(worst);
        case OUTSIDE -> ", back inside the range " + range(worst);
        default -> ", back within the limit of " + bound;
      };
    }
    return switch (operator) {
      case GT -> ", above the limit of " + bound;
      case GE -> ", at or above the limit of " + bound;
      case LT -> ", below the limit of " + bound;
      case LE -> ", at or below the limit of " + bound;
      case EQ -> ", which is the value " + bound;
      case NE -> ", not " + bound;
      case INSIDE -> ", inside the range " + range(worst);
      case OUTSIDE -> ", outside the range " + range(worst);
      default -> "";
    };
  }

  /**
   * What is usual has the hour that the newest samples were taken in: at a full hour, the one
   * before.
   */
  private String againstUsual(Member worst, Operator operator) {
    ZonedDateTime hour = tick.minusMillis(1).atZone(ZoneOffset.UTC);
    if (isBack(worst, operator)) {
      return ", back within " + usual(worst, hour);
    }
    String side =
        operator == Operator.GT || worst.value() > worst.upper()
            ? "above"
            : operator == Operator.LT || worst.value() < worst.bound() ? "below" : "outside";
    return ", " + side + " " + usual(worst, hour);
  }

  private String usual(Member worst, ZonedDateTime hour) {
    return "what is usual on %ss from %d to %d UTC (%s)"
        .formatted(
            hour.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH),
            hour.getHour(),
            hour.getHour() + 1,
            range(worst));
  }

  /** Which setting silences it. */
  private String setting(Member worst) {
    double beyond = Math.max(worst.value() - worst.upper(), worst.bound() - worst.value());
    return isUsual(worst) && beyond > 0
        ? " would be silent with a minimum deviation of " + figure(worst, beyond) + "."
        : " sets this limit" + holds(worst) + ".";
  }

  /** How far the value has to come back, where that is one number for all objects. */
  private String holds(Member worst) {
    if (worst.operator().equals(Condition.NO_DATA)) {
      return "";
    }
    Operator operator = operator(worst.operator());
    boolean above = operator == Operator.GT || operator == Operator.GE;
    if (!above && operator != Operator.LT && operator != Operator.LE) {
      return "";
    }
    for (Level level : levels(worst)) {
      if (level.severity() == worst.severity()
          && level.clear() instanceof Bound.Fixed(double value)
          && value != worst.bound()) {
        return "; it stays %s %s to %s"
            .formatted(worst.severity().label(), above ? "down" : "up", figure(worst, value));
      }
    }
    return "";
  }

  /** Of the worst member's threshold, where they are the same for all objects; otherwise none. */
  private List<Level> levels(Member worst) {
    Threshold threshold = thresholds.apply(worst.threshold());
    return threshold != null && threshold.special().stream().allMatch(s -> s.levels() == null)
        ? threshold.condition().levels()
        : List.of();
  }

  private String range(Member worst) {
    return figure(worst, worst.bound()) + " to " + figure(worst, worst.upper());
  }

  private String which(Member worst, Operator operator) {
    String words =
        operator == Operator.EQ ? "is" : operator == Operator.NE ? "is not" : operator.words();
    return ", which " + words + " " + cut(wanted(worst));
  }

  /** The text that a severity stands for, where it is the same for all objects. */
  private String wanted(Member worst) {
    for (Level level : levels(worst)) {
      if (level.severity() == worst.severity() && level.text() != null) {
        return level.text();
      }
    }
    return "what the threshold says";
  }

  private String value(Member member) {
    if (member.text() != null) {
      return member.text();
    }
    if (Double.isNaN(member.value())) {
      return "not known";
    }
    boolean beyondUpper = member.value() >= member.upper(); // never where there is none
    double limit = beyondUpper ? member.upper() : member.bound();
    return member.operator().equals(Condition.NO_DATA) || Double.isNaN(limit)
        ? figure(member, member.value())
        : Figures.apart(member.value(), limit, member.unit(), member.key().startsWith("net"));
  }

  private String figure(Member member, double value) {
    return member.operator().equals(Condition.NO_DATA)
        ? Figures.duration(value)
        : Figures.withUnit(value, member.unit(), member.key().startsWith("net"));
  }

  /** The members after the worst. */
  private String also(Member worst) {
    int others = finding.members().size() - 1;
    if (others == 0) {
      return "";
    }
    StringBuilder also = new StringBuilder("Also ");
    int shown = Math.min(ALSO, others);
    for (int i = 1; i <= shown; i++) {
      also.append(i == 1 ? "" : i == shown && shown == others ? " and " : ", ");
      also.append(label(members.get(i), worst));
    }
    if (others > shown) {
      also.append(" and ").append(Figures.number(others - shown)).append(" more");
    }
    return also.append(". ").toString();
  }

  private String label(Member member, Member worst) {
    String where =
        member.objectId() != worst.objectId()
            ? name(member.objectId())
            : member.instance().isEmpty() ? "" : member.instance();
    String what = member.threshold().equals(worst.threshold()) ? "" : cut(member.name());
    String both = what.isEmpty() || where.isEmpty() ? what + where : what + " on " + where;
    return (both.isEmpty() ? cut(member.name()) : both) + " (" + cut(value(member)) + ")";
  }

  private @Nullable Double factor(Member member) {
    Operator operator =
        member.operator().equals(Condition.NO_DATA) ? Operator.GT : operator(member.operator());
    boolean says =
        !isUsual(member)
            && (operator == Operator.GT
                || operator == Operator.GE
                || operator == Operator.LT
                || operator == Operator.LE);
    return says && member.bound() > 0 && member.value() > 0
        ? round(member.value() / member.bound())
        : null;
  }

  private static double round(double factor) {
    double scale = factor >= 10 ? 10 : 100;
    return Math.round(factor * scale) / scale;
  }

  private AlertExplanation made(String key, String metricName, @Nullable Member worst) {
    AlertExplanation made = new AlertExplanation();
    made.setText(text.text().strip());
    made.setStrong(text.strong());
    made.setMoments(text.moments());
    made.setAroundSpan(surroundings);
    made.setKey(key);
    made.setMetricName(metricName);
    made.setOperator("");
    made.setViolations(0);
    made.setOf(0);
    if (worst != null) {
      made.setUnit(worst.unit());
      made.setValue(number(worst.value()));
      made.setValueText(worst.text());
      made.setOperator(worst.operator());
      made.setBound(number(worst.bound()));
      made.setUpper(number(worst.upper()));
      made.setFactor(factor(worst));
      made.setViolations(worst.violations());
      made.setOf(worst.of());
    }
    made.setSince(finding.since());
    made.setSetting(new SettingLink(by.name(), by.page()));
    return made;
  }

  /** What a member is called: a property by its own name, a metric by its words. */
  private String words(Member member) {
    Threshold threshold = thresholds.apply(member.threshold());
    boolean isProperty =
        threshold == null
            ? member.text() != null
            : threshold.condition().type() == Condition.Type.PROPERTY;
    return isProperty ? MetricWords.ofProperty(member.key()) : names.words(member.key());
  }

  private static String cut(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 1) + "…";
  }

  /** What a member was compared by; it is not about missing data. */
  private static Operator operator(String comparison) {
    String label = comparison.replace(Condition.USUAL, "");
    return Operator.valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Whether a member was compared with what is usual for it. */
  private static boolean isUsual(Member member) {
    return member.operator().endsWith(Condition.USUAL);
  }

  private static @Nullable Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
