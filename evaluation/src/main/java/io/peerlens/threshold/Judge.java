package io.peerlens.threshold;

import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of all values of a kind with one threshold, moment by moment.
 *
 * <p>Nearly all objects are well nearly all of the time, so the judge first runs over the column
 * with two comparisons for each value and notes the few {@link Places} that violate anything; only
 * of those, and of objects whose symptom is not at rest, is anything else asked.
 *
 * <p>Arrays are kept from moment to moment. Not thread-safe.
 */
final class Judge {

  private final Condition condition;
  private final ObjectKind kind;
  private final long metricAge;
  private final boolean texts;
  private final boolean times;
  private final Assignment assignment;

  /** What learned bounds are taken of; null = there are none. */
  private final @Nullable Usual usual;

  /** Since when a sample would have been noticed, in milliseconds. */
  private long noticing = Long.MIN_VALUE;

  // Of the moment
  private final Places places;
  private long tick;
  private int[] violating = {};
  private int count;
  private int judged;
  private final BitSet unknown = new BitSet();

  // Kept while nothing changes
  private double[] low = {};
  private double[] high = {};
  private boolean limitsAreOld = true;

  /** For each profile the level that a text violates. */
  private final Map<String, int[]> overOfText = new HashMap<>();

  private @Nullable Column textsSeen;

  /**
   * @param learned where learned bounds come from
   * @param metricAge a metric that had no sample for longer is not about to become overdue
   */
  Judge(Threshold threshold, ScopeFlags scopes, Learned learned, Duration metricAge) {
    this.condition = threshold.condition();
    this.kind = threshold.kind();
    this.metricAge = metricAge.toMillis();
    this.texts = condition.isText();
    this.times = condition.type() == Condition.Type.NO_DATA;
    this.places = new Places(kind, condition.key(), condition.instances());
    this.usual = condition.isLearned() ? new Usual(learned, kind, condition.key()) : null;
    this.assignment = new Assignment(threshold, scopes, usual);
  }

  /** Columns that a frame must hold. */
  Set<Input> inputs() {
    Set<Input> inputs = new HashSet<>();
    inputs.add(new Input(kind, condition.key(), condition.instances(), false));
    assignment.profiles().forEach(profile -> profile.inputs(kind, inputs));
    return inputs;
  }

  /**
   * Says since when samples would have been noticed; time before that makes nobody silent. Always,
   * unless said otherwise.
   */
  void noticing(Instant since) {
    noticing =
        since.equals(Instant.MIN)
            ? Long.MIN_VALUE
            : since.equals(Instant.MAX) ? Long.MAX_VALUE : since.toEpochMilli();
  }

  /** Judges a moment. All that is asked of the judge until the next is about this one. */
  void judge(Frame frame) {
    tick = frame.time();
    boolean sameScope = assignment.at(frame.objects());
    limitsAreOld |= !sameScope;
    places.at(frame);
    Column column = places.column();
    Instances instances = places.instances();
    if (usual != null && column != null) {
      limitsAreOld |= !usual.at(tick, frame.objects(), instances, column.numbers().length);
    }
    for (Profile profile : assignment.profiles()) {
      profile.prepare(frame, kind);
      limitsAreOld |= usual == null && !profile.isConstant();
    }
    if (texts && sameScope && instances == null && column != null && column == textsSeen) {
      return; // no property of the kind has changed
    }
    textsSeen = column;
    count = 0;
    judged = 0;
    unknown.clear();
    if (column == null) {
      for (int object = 0; object < assignment.objects(); object++) {
        unknown(object);
      }
    } else if (usual != null) {
      runLearned(column, usual);
    } else if (instances != null) {
      runInstances(column, instances.offsets());
    } else if (texts) {
      runTexts(column);
    } else if (times) {
      runTimes(column);
    } else if (assignment.single() != null && assignment.single().isBand()) {
      runBand(column, assignment.single());
    } else {
      runValues(column);
    }
  }

  /** The places of the moment. */
  Places places() {
    return places;
  }

  /** Learns who is in scope; nothing is known of them yet. */
  void look(ObjectGraph objects) {
    assignment.at(objects);
    limitsAreOld = true;
    for (int object = 0; object < assignment.objects(); object++) {
      unknown(object);
    }
  }

  // ------------------------------------------------------------------------------------ the loops

  private void violates(int place) {
    if (count == violating.length) {
      violating = Arrays.copyOf(violating, Math.max(64, count * 2));
    }
    violating[count++] = place;
  }

  private void unknown(int object) {
    if (!assignment.isOut(object)) {
      unknown.set(object);
    }
  }

  /** All objects are in scope and alike. */
  private void runBand(Column values, Profile profile) {
    double[] numbers = values.numbers();
    if (!profile.isConstant()) {
      limits();
      runLimits(numbers);
      return;
    }
    double lowest = profile.low(0);
    double highest = profile.high(0);
    for (int place = 0; place < numbers.length; place++) {
      double value = numbers[place];
      if (value < lowest || value > highest) {
        violates(place);
      } else if (Double.isNaN(value)) {
        unknown.set(place);
      }
    }
    judged = numbers.length - unknown.cardinality();
  }

  private void runValues(Column values) {
    double[] numbers = values.numbers();
    if (assignment.profiles().getFirst().isBand()) {
      limits();
      runLimits(numbers);
      return;
    }
    for (int place = 0; place < numbers.length; place++) {
      if (assignment.isOut(place)) {
        continue;
      }
      if (!isKnown(place, place)) {
        unknown.set(place);
        continue;
      }
      judged++;
      if (over(place, place) > 0) {
        violates(place);
      }
    }
  }

  /** Each object has its own limits; they are infinite for one that is out of scope. */
  private void runLimits(double[] numbers) {
    for (int place = 0; place < numbers.length; place++) {
      double value = numbers[place];
      if (value < low[place] || value > high[place]) {
        violates(place);
      } else if (Double.isNaN(value) || Double.isNaN(low[place]) || Double.isNaN(high[place])) {
        unknown(place);
      }
    }
    judged = assignment.inScope() - unknown.cardinality();
  }

  private void limits() {
    if (!limitsAreOld) {
      return;
    }
    limitsAreOld = false;
    int objects = assignment.objects();
    if (low.length != objects) {
      low = new double[objects];
      high = new double[objects];
    }
    for (int object = 0; object < objects; object++) {
      boolean out = assignment.isOut(object);
      low[object] = out ? Double.NEGATIVE_INFINITY : assignment.profile(object).low(object);
      high[object] = out ? Double.POSITIVE_INFINITY : assignment.profile(object).high(object);
    }
  }

  /**
   * Limits are the narrower ones of two hours; of the few values that may be beyond them it is
   * looked up which hour's count.
   */
  private void runLearned(Column values, Usual of) {
    double[] numbers = values.numbers();
    learnedLimits(numbers.length, of);
    for (int object = 0; object < assignment.objects(); object++) {
      if (assignment.isOut(object)) {
        continue;
      }
      int before = judged;
      int end = places.first(object + 1);
      for (int place = places.first(object); place < end; place++) {
        double value = numbers[place];
        if (value >= low[place] && value <= high[place]) {
          judged++;
        } else {
          runOne(place, object);
        }
      }
      unknown.set(object, judged == before);
    }
  }

  /** One for each place; NaN = nothing is learned for one of the hours. */
  private void learnedLimits(int size, Usual of) {
    if (!limitsAreOld) {
      return;
    }
    limitsAreOld = false;
    if (low.length != size) {
      low = new double[size];
      high = new double[size];
    }
    for (int object = 0; object < assignment.objects(); object++) {
      if (assignment.isOut(object)) {
        continue;
      }
      Profile profile = assignment.profile(object);
      for (int place = places.first(object); place < places.first(object + 1); place++) {
        low[place] = Math.max(profile.low(place), profile.low(of.earlier(place)));
        high[place] = Math.min(profile.high(place), profile.high(of.earlier(place)));
      }
    }
  }

  private void runTexts(Column values) {
    overOfText.clear();
    for (int place = 0; place < values.numbers().length; place++) {
      runOne(place, place);
    }
  }

  private void runTimes(Column values) {
    long[] sampled = values.times();
    for (int place = 0; place < values.numbers().length; place++) {
      if (assignment.isOut(place)) {
        continue;
      }
      long age = sampled == null || sampled[place] == 0 ? metricAge : tick - sampled[place];
      if (age >= metricAge || isMissed(age, place)) {
        unknown.set(place);
      } else {
        judged++;
        if (age > assignment.profile(place).firstAge()) {
          violates(place);
        }
      }
    }
  }

  /** Whether an object seems to be silent, but was not listened to for long enough to say so. */
  private boolean isMissed(long age, int object) {
    long longest = assignment.profile(object).firstAge();
    return age > longest && noticing >= tick - longest;
  }

  private void runInstances(Column values, int[] offsets) {
    overOfText.clear();
    for (int object = 0; object < assignment.objects(); object++) {
      if (assignment.isOut(object)) {
        continue;
      }
      int before = judged;
      for (int place = offsets[object]; place < offsets[object + 1]; place++) {
        runOne(place, object);
      }
      unknown.set(object, judged == before);
    }
  }

  private void runOne(int place, int object) {
    if (assignment.isOut(object)) {
      return;
    }
    if (!isKnown(place, object) || (times && age(place) >= metricAge)) {
      unknown.set(object);
      return;
    }
    judged++;
    if (over(place, object) > 0) {
      violates(place);
    }
  }

  // --------------------------------------------------------------------------- of all at a moment

  /** How many places violate the threshold. */
  int violating() {
    return count;
  }

  /** A place that violates it. */
  int violating(int i) {
    return violating[i];
  }

  /** Number of judged values. */
  int judged() {
    return judged;
  }

  /** How many objects are in scope. */
  int inScope() {
    return assignment.inScope();
  }

  /** How many objects in scope nothing is known of. */
  int unknown() {
    return unknown.cardinality();
  }

  /** Whether an object is in scope. */
  boolean isInScope(int object) {
    return object >= 0 && object < assignment.objects() && !assignment.isOut(object);
  }

  /** Whether an object is in scope and nothing is known of it. */
  boolean isUnknown(int object) {
    return object >= 0 && unknown.get(object);
  }

  /** Numbers of the objects in scope that have values of which nothing is learned. */
  List<Integer> learning() {
    List<Integer> learning = new ArrayList<>();
    Column values = places.column();
    if (usual == null || values == null) {
      return learning;
    }
    for (int object = 0; object < assignment.objects(); object++) {
      boolean isLearning = false;
      for (int place = places.first(object);
          place < places.first(object + 1) && !isLearning;
          place++) {
        isLearning =
            !assignment.isOut(object)
                && !Double.isNaN(values.numbers()[place])
                && !assignment.profile(object).isKnown(place);
      }
      if (isLearning) {
        learning.add(object);
      }
    }
    return learning;
  }

  // ------------------------------------------------------------------------------ of one place

  /** Whether there is a value and, at this moment, all that it is held against. */
  boolean isKnown(int place, int object) {
    Column values = places.column();
    if (values == null || place < 0) {
      return false;
    }
    if (texts) {
      return text(place) != null;
    }
    if (times) {
      return values.times() != null && values.times()[place] != 0 && !isMissed(age(place), object);
    }
    return !Double.isNaN(values.numbers()[place])
        && assignment.profile(object).isKnown(bounds(place, object));
  }

  /** Level of the worst severity that a known value violates. */
  int over(int place, int object) {
    String text = text(place);
    if (text != null) {
      return over(text, assignment.profileNumber(object));
    }
    Profile profile = assignment.profile(object);
    return times ? profile.overdue(age(place)) : profile.over(value(place), bounds(place, object));
  }

  private int over(String text, int profile) {
    int[] levels = overOfText.get(text);
    if (levels == null) {
      levels = new int[assignment.profiles().size()];
      Arrays.fill(levels, -1);
      overOfText.put(text, levels);
    }
    if (levels[profile] < 0) {
      levels[profile] = assignment.profiles().get(profile).over(text);
    }
    return levels[profile];
  }

  /** Level of the worst severity that a known value holds. */
  int held(int place, int object) {
    return texts || times
        ? over(place, object)
        : assignment.profile(object).held(value(place), bounds(place, object));
  }

  Trigger trigger(int object) {
    return assignment.profile(object).trigger();
  }

  /** When the sample of a place was taken; what has no samples is as new as the moment. */
  long sample(int place) {
    long taken = times ? 0 : places.time(place);
    return taken == 0 ? tick : taken;
  }

  /** Since when what a place says holds: missing data since the last sample. */
  long start(int place) {
    return times ? places.time(place) : sample(place);
  }

  private long age(int place) {
    return tick - places.time(place);
  }

  /** The number of a place; the age of its newest sample, in seconds, if that is what is judged. */
  double value(int place) {
    if (times) {
      return age(place) / 1e3;
    }
    Column values = places.column();
    return values == null || texts ? Double.NaN : values.numbers()[place];
  }

  /** The text of a place; null = there is none, or numbers are judged. */
  @Nullable String text(int place) {
    return texts ? places.text(place) : null;
  }

  /** The bound of a severity, the lower one of a range; NaN = there is none. */
  double bound(int severity, int place, int object) {
    return assignment.profile(object).bound(severity, bounds(place, object));
  }

  /** The upper bound of a severity's range; NaN = there is none. */
  double upper(int severity, int place, int object) {
    return assignment.profile(object).upper(severity, bounds(place, object));
  }

  /** Where the bounds of a place are among those of all. */
  private int bounds(int place, int object) {
    return usual == null ? object : usual.index(place, places.time(place));
  }
}
