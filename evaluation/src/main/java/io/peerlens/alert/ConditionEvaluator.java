package io.peerlens.alert;

import io.peerlens.alert.AlertCondition.All;
import io.peerlens.alert.AlertCondition.Any;
import io.peerlens.alert.AlertCondition.Not;
import io.peerlens.alert.AlertCondition.OfThreshold;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.ObjectGraph.Related;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Symptom;
import io.peerlens.threshold.Symptoms;
import io.peerlens.threshold.Threshold;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Evaluator of the condition of an alert definition at one tick. An object that may meet it is one
 * that some open symptom leads to, so the search begins at symptoms and follows relations back;
 * only where a condition holds because something is absent, every object is looked at.
 */
final class ConditionEvaluator {

  private final Symptoms symptoms;
  private final ObjectGraph graph;
  private final Function<UUID, Threshold> thresholds;

  /**
   * Conditions at one tick.
   *
   * @param thresholds by id; all that conditions name
   */
  ConditionEvaluator(Symptoms symptoms, ObjectGraph graph, Function<UUID, Threshold> thresholds) {
    this.symptoms = symptoms;
    this.graph = graph;
    this.thresholds = thresholds;
  }

  /**
   * Objects that may meet a condition, by number within their kind; all others do not, or it is
   * unknown.
   *
   * @throws ObjectGraph.TooManyObjects if relations touch too many objects
   */
  BitSet candidates(AlertCondition condition, ObjectKind kind) {
    BitSet found = possible(condition, kind);
    if (found == null) {
      found = new BitSet();
      found.set(0, graph.count(kind));
    }
    return found;
  }

  /** Null = all of them. */
  private @Nullable BitSet possible(AlertCondition condition, ObjectKind kind) {
    return switch (condition) {
      case OfThreshold one -> behind(one, kind);
      case Not not -> null;
      case Any any -> {
        BitSet union = new BitSet();
        for (AlertCondition one : any.conditions()) {
          BitSet found = possible(one, kind);
          if (found == null) {
            yield null;
          }
          union.or(found);
        }
        yield union;
      }
      case All all -> {
        BitSet common = null;
        for (AlertCondition one : all.conditions()) {
          BitSet found = possible(one, kind);
          if (found != null && common != null) {
            common.and(found);
          } else if (found != null) {
            common = found;
          }
        }
        yield common;
      }
    };
  }

  /** Objects that the open symptoms of a threshold are on, or are related to. */
  private BitSet behind(OfThreshold condition, ObjectKind kind) {
    ObjectKind of = kindOf(condition);
    BitSet found = new BitSet();
    Related back =
        condition.on() == SymptomPlace.SELF
            ? null
            : graph.related(of, kind, -condition.on().depth());
    for (Symptom symptom : symptoms.open(condition.threshold())) {
      if (symptom.severity().compareTo(condition.minimum()) < 0) {
        continue;
      }
      if (back == null) {
        int number = graph.number(kind, symptom.objectId());
        if (number >= 0) {
          found.set(number);
        }
        continue;
      }
      int number = graph.number(of, symptom.objectId());
      if (number >= 0) {
        for (int i = back.offsets()[number]; i < back.offsets()[number + 1]; i++) {
          found.set(back.members()[i]);
        }
      }
    }
    return found;
  }

  private ObjectKind kindOf(OfThreshold condition) {
    ObjectKind kind = condition.kind();
    return kind == null ? thresholds.apply(condition.threshold()).kind() : kind;
  }

  /**
   * Whether an object meets a condition.
   *
   * @param number of the object within its kind
   * @param members where symptoms are added that led to a yes; by what they are, so each comes once
   */
  Truth test(
      AlertCondition condition, ObjectKind kind, int number, Map<Member.Key, Member> members) {
    return switch (condition) {
      case OfThreshold one -> ofThreshold(one, kind, number, members);
      case Not not -> test(not.condition(), kind, number, new LinkedHashMap<>()).not();
      case All all -> {
        Truth truth = Truth.YES;
        Map<Member.Key, Member> found = new LinkedHashMap<>();
        for (AlertCondition one : all.conditions()) {
          truth = truth.and(test(one, kind, number, found));
          if (truth == Truth.NO) {
            break;
          }
        }
        if (truth == Truth.YES) {
          members.putAll(found);
        }
        yield truth;
      }
      case Any any -> {
        Truth truth = Truth.NO;
        for (AlertCondition one : any.conditions()) {
          truth = truth.or(test(one, kind, number, members)); // all of them, for their members
        }
        yield truth;
      }
    };
  }

  private Truth ofThreshold(
      OfThreshold condition, ObjectKind kind, int number, Map<Member.Key, Member> members) {
    if (condition.on() == SymptomPlace.SELF) {
      int id = graph.id(kind, number);
      Truth truth = on(condition, id);
      if (truth == Truth.YES) {
        add(condition, id, members);
      }
      return truth;
    }
    ObjectKind of = kindOf(condition);
    Related related = graph.related(kind, of, condition.on().depth());
    int yes = 0;
    int unknown = 0;
    int all = 0;
    List<Integer> found = new ArrayList<>();
    for (int i = related.offsets()[number]; i < related.offsets()[number + 1]; i++) {
      int id = graph.id(of, related.members()[i]);
      if (symptoms.inScope(condition.threshold(), id)) {
        all++;
      }
      switch (on(condition, id)) {
        case YES -> {
          yes++;
          found.add(id);
        }
        case UNKNOWN -> unknown++;
        case NO -> {}
      }
    }
    Truth truth = condition.population().of(yes, unknown, Math.max(all, yes + unknown));
    if (truth == Truth.YES) {
      found.forEach(id -> add(condition, id, members));
    }
    return truth;
  }

  private Truth on(OfThreshold condition, int id) {
    Symptom worst = symptoms.worst(condition.threshold(), id);
    if (worst != null && worst.severity().compareTo(condition.minimum()) >= 0) {
      return worst.unknown() ? Truth.UNKNOWN : Truth.YES;
    }
    return symptoms.unknown(condition.threshold(), id) ? Truth.UNKNOWN : Truth.NO;
  }

  private void add(OfThreshold condition, int id, Map<Member.Key, Member> members) {
    Threshold threshold = thresholds.apply(condition.threshold());
    for (Symptom symptom : symptoms.of(condition.threshold(), id)) {
      if (symptom.severity().compareTo(condition.minimum()) >= 0) {
        Member member = Members.of(threshold, symptom);
        members.put(member.identity(), member);
      }
    }
  }

  /** The worst severity of members; information where a condition holds without any. */
  static Severity worst(Iterable<Member> members) {
    Severity worst = Severity.INFORMATION;
    for (Member member : members) {
      worst = member.severity().compareTo(worst) > 0 ? member.severity() : worst;
    }
    return worst;
  }
}
