package io.peerlens.outlier.preview;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierPart;
import io.peerlens.api.model.OutlierTraitKind;
import io.peerlens.api.model.OutlierWarning;
import io.peerlens.api.model.OutlierWarningCode;
import io.peerlens.outlier.explain.AttributeQueries;
import io.peerlens.outlier.explain.AttributeQueries.Attribute;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Method;
import io.peerlens.web.Durations;
import io.peerlens.words.MetricWords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Warnings about a group before it is saved. */
public final class PreviewWarnings {

  private static final int MOST_OBJECTS = 20;
  private static final int MOST_PARTS = 50;

  /** A member whose usual value is so many times that of the group, or as little, is unlike it. */
  private static final double UNLIKE = 3;

  /** And so many minimum deviations away from it. */
  private static final double UNLIKE_DEVIATIONS = 4;

  private final PreviewQueries queries;
  private final AttributeQueries attributes;

  public PreviewWarnings(PreviewQueries queries, AttributeQueries attributes) {
    this.queries = queries;
    this.attributes = attributes;
  }

  /**
   * Facts known at the end of a preview, from which warnings are made.
   *
   * @param least of each metric, differences below it matter to nobody
   * @param learned how much of the past before the range there was
   * @param wanted how much the method learns from
   */
  record Found(
      OutlierGroup group,
      int[] ids,
      Replayed judged,
      double[] least,
      Duration learned,
      Duration wanted,
      IntFunction<@Nullable ObjectRef> references) {}

  /** Members in scope are too few or too many; null = they are not. */
  static @Nullable OutlierWarning count(int members) {
    if (members < OutlierGroup.FEWEST_MEMBERS) {
      return warning(
          OutlierWarningCode.TOO_FEW,
          members == 0 ? "Nothing is in scope." : "Only %d in scope.".formatted(members),
          "At least %d members are compared: widen the scope."
              .formatted(OutlierGroup.FEWEST_MEMBERS),
          null,
          List.of());
    }
    if (members > OutlierGroup.MOST_MEMBERS) {
      return warning(
          OutlierWarningCode.TOO_MANY,
          "%,d are in scope.".formatted(members),
          "At most %,d members are compared: narrow the scope, or make several groups."
              .formatted(OutlierGroup.MOST_MEMBERS),
          null,
          List.of());
    }
    return null;
  }

  private static OutlierWarning warning(
      OutlierWarningCode code,
      String message,
      @Nullable String hint,
      @Nullable String tag,
      List<ObjectRef> objects) {
    return new OutlierWarning(code, message, hint, tag, objects);
  }

  List<OutlierWarning> of(Found found) {
    List<OutlierWarning> warnings = new ArrayList<>();
    double[][] usual = new double[found.least().length][];
    for (int m = 0; m < usual.length; m++) {
      usual[m] = usual(found.judged(), m);
    }
    boolean split = split(found, usual, warnings);
    if (!split) {
      unlike(found, usual, warnings);
    }
    late(found, warnings);
    boolean[] silent = new boolean[found.ids().length];
    for (int i = 0; i < silent.length; i++) {
      int place = i;
      silent[i] = Arrays.stream(usual).allMatch(one -> Double.isNaN(one[place]));
    }
    objects(
        found,
        OutlierWarningCode.NO_DATA,
        i -> silent[i],
        "has no values in this time",
        "have no values in this time",
        "They are not judged. Exclude them, or choose a metric that they have.",
        warnings);
    if (found.group().method() instanceof Method.Peers
        && found.learned().compareTo(found.wanted()) < 0) {
      warnings.add(
          warning(
              OutlierWarningCode.SHORT_HISTORY,
              "%s stored before this time, the method learns from %s."
                  .formatted(
                      found.learned().isZero() ? "Nothing is" : print(found.learned()) + " are",
                      Durations.print(found.wanted())),
              "Scores of the first days are rougher than later ones.",
              null,
              List.of()));
    }
    return warnings;
  }

  private static String print(Duration duration) {
    return duration.toHours() >= 48
        ? duration.toDays() + " days"
        : duration.toHours() >= 1 ? duration.toHours() + " h" : duration.toMinutes() + " min";
  }

  /** The median of each member over the range; NaN = it has no values. */
  private static double[] usual(Replayed judged, int metric) {
    double[] usual = new double[judged.members()];
    double[] values = new double[judged.buckets()];
    for (int i = 0; i < usual.length; i++) {
      int n = 0;
      for (int b = 0; b < values.length; b++) {
        double value = judged.value(metric, b, i);
        if (!Double.isNaN(value)) {
          values[n++] = value;
        }
      }
      usual[i] = median(values, n);
    }
    return usual;
  }

  /** Sorts the values. */
  private static double median(double[] values, int n) {
    if (n == 0) {
      return Double.NaN;
    }
    Arrays.sort(values, 0, n);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
  }

  private boolean split(Found found, double[][] usual, List<OutlierWarning> warnings) {
    for (int m = 0; m < usual.length; m++) {
      boolean[] upper = Parting.bands(usual[m], found.least()[m]);
      if (upper != null) {
        List<Integer> objects = Arrays.stream(found.ids()).boxed().toList();
        Map<Attribute, Map<Integer, String>> known = attributes.of(objects);
        Attribute by = Parting.by(upper, found.ids(), known);
        int high = (int) IntStream.range(0, upper.length).filter(i -> upper[i]).count();
        boolean fewerAreHigh = high * 2 <= upper.length;
        OutlierWarning parting =
            warning(
                OutlierWarningCode.SPLIT,
                "Members are in two bands of %s: %d low, %d high."
                    .formatted(called(found.group().keys().get(m)), upper.length - high, high),
                by == null ? "No tag or property tells them apart." : parted(by, known.get(by)),
                by == null ? null : by.key(),
                named(found, i -> upper[i] == fewerAreHigh));
        if (by != null && by.kind() == OutlierTraitKind.TAG) {
          parting.parts(parts(known.getOrDefault(by, Map.of())));
        }
        warnings.add(parting);
        return true;
      }
    }
    if (found.judged().share(OutlierGroupState.SPLIT) > 0.5) {
      warnings.add(
          warning(
              OutlierWarningCode.SPLIT,
              "Members are in two bands most of the time, but not the same ones.",
              "No member is judged then: compare members that do the same work.",
              null,
              List.of()));
      return true;
    }
    return false;
  }

  /** A metric in words; the name of a super metric is not at hand here. */
  private static String called(String key) {
    return key.startsWith("Super Metric|") ? "the super metric" : MetricWords.of(key);
  }

  private static List<OutlierPart> parts(Map<Integer, String> values) {
    Map<String, Integer> counts = new TreeMap<>();
    values.values().forEach(value -> counts.merge(value, 1, Integer::sum));
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(MOST_PARTS)
        .map(part -> new OutlierPart(part.getKey(), part.getValue()))
        .toList();
  }

  private static String parted(Attribute by, @Nullable Map<Integer, String> values) {
    Map<String, Integer> counts = new TreeMap<>();
    if (values != null) {
      values.values().forEach(value -> counts.merge(value, 1, Integer::sum));
    }
    String what =
        by.kind() == OutlierTraitKind.TAG
            ? "The tag " + by.key()
            : by.kind() == OutlierTraitKind.PARENT
                ? "Their " + by.key()
                : "The property " + by.key();
    return counts.size() <= 3
        ? "%s tells them apart (%s): make one group for each value."
            .formatted(what, String.join(", ", counts.keySet()))
        : what + " tells them apart: make one group for each value.";
  }

  /** Members that are always far from the others, which the method forgives as their habit. */
  private void unlike(Found found, double[][] usual, List<OutlierWarning> warnings) {
    boolean interchangeable =
        found.group().method() instanceof Method.Peers peers && peers.interchangeable();
    boolean[] unlike = new boolean[found.ids().length];
    for (int m = 0; m < usual.length; m++) {
      double[] present = Arrays.stream(usual[m]).filter(Double::isFinite).toArray();
      double centre = median(present, present.length);
      for (int i = 0; i < unlike.length; i++) {
        double value = usual[m][i];
        boolean far = Math.abs(value - centre) > UNLIKE_DEVIATIONS * found.least()[m];
        double low = Math.min(Math.abs(value), Math.abs(centre));
        double high = Math.max(Math.abs(value), Math.abs(centre));
        unlike[i] |= far && high >= UNLIKE * low;
      }
    }
    objects(
        found,
        OutlierWarningCode.UNLIKE_SIZE,
        i -> unlike[i],
        "usually shows at least three times what the others do, or a third",
        "usually show at least three times what the others do, or a third",
        interchangeable
            ? "Members of an interchangeable group are compared with each other as they are:"
                + " exclude those, or take this off."
            : "The usual offset of a member is subtracted. Make a group of their own for those that"
                + " do other work.",
        warnings);
  }

  private void late(Found found, List<OutlierWarning> warnings) {
    if (found.group().metrics().stream().allMatch(metric -> metric.flow() != null)) {
      return; // they come when the bucket is counted, whatever the member reports
    }
    Set<Integer> late = queries.late(found.ids(), found.group().delay());
    objects(
        found,
        OutlierWarningCode.LATE,
        i -> late.contains(found.ids()[i]),
        "reports later than the evaluation delay of " + Durations.print(found.group().delay()),
        "report later than the evaluation delay of " + Durations.print(found.group().delay()),
        "A late member is not judged: lengthen evaluationDelay.",
        warnings);
  }

  private static void objects(
      Found found,
      OutlierWarningCode code,
      IntPredicate which,
      String one,
      String several,
      String hint,
      List<OutlierWarning> warnings) {
    long count = IntStream.range(0, found.ids().length).filter(which).count();
    if (count == 0) {
      return;
    }
    List<ObjectRef> named = named(found, which);
    String first = named.isEmpty() ? "One" : named.getFirst().getName();
    warnings.add(
        warning(
            code,
            count == 1 ? first + " " + one + "." : "%,d members %s.".formatted(count, several),
            hint,
            null,
            named));
  }

  private static List<ObjectRef> named(Found found, IntPredicate which) {
    List<ObjectRef> named = new ArrayList<>();
    for (int i = 0; i < found.ids().length && named.size() < MOST_OBJECTS; i++) {
      ObjectRef reference = which.test(i) ? found.references().apply(i) : null;
      if (reference != null) {
        named.add(reference);
      }
    }
    return named;
  }
}
