package io.peerlens.threshold;

import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Profile of each object that a threshold judges: one byte for each object, worked out anew only
 * when {@link io.peerlens.scope.Scopes} gives another answer. Not thread-safe.
 */
final class Assignment {

  private static final byte OUT = -1;

  private final Threshold threshold;
  private final ScopeFlags scopes;
  private final List<Profile> profiles = new ArrayList<>();

  /** Of each override; {@link #OUT} = its objects are not judged. */
  private final byte[] profileOfSpecial;

  private boolean[] @Nullable [] answers = new boolean[0] @Nullable [];
  private int objects = -1;
  private int inScope;

  /** One for each object; null = the first for all. */
  private byte @Nullable [] profileOf;

  /**
   * @param usual null = the threshold has no learned bounds
   */
  Assignment(Threshold threshold, ScopeFlags scopes, @Nullable Usual usual) {
    this.threshold = threshold;
    this.scopes = scopes;
    Condition condition = threshold.condition();
    Operator operator = Objects.requireNonNullElse(condition.operator(), Operator.GT);
    profiles.add(new Profile(operator, condition.levels(), threshold.trigger(), usual));
    profileOfSpecial = new byte[threshold.special().size()];
    for (int i = 0; i < profileOfSpecial.length; i++) {
      Threshold.Special special = threshold.special().get(i);
      profileOfSpecial[i] = special.enabled() ? (byte) profiles.size() : OUT;
      if (special.enabled()) {
        profiles.add(
            new Profile(
                operator,
                Objects.requireNonNullElse(special.levels(), condition.levels()),
                Objects.requireNonNullElse(special.trigger(), threshold.trigger()),
                usual));
      }
    }
  }

  /** That of the threshold first. */
  List<Profile> profiles() {
    return profiles;
  }

  /** The profile of all objects, if all are judged alike; otherwise null. */
  @Nullable Profile single() {
    return profileOf == null ? profiles.getFirst() : null;
  }

  /**
   * Looks at the objects of a moment.
   *
   * @return whether everything is as it was
   */
  boolean at(ObjectGraph graph) {
    int count = graph.count(threshold.kind());
    boolean[] @Nullable [] now = new boolean[profileOfSpecial.length + 1] @Nullable [];
    now[0] = scopes.flags(threshold.scope(), threshold.kind(), graph);
    for (int i = 1; i < now.length; i++) {
      now[i] = scopes.flags(threshold.special().get(i - 1).scope(), threshold.kind(), graph);
    }
    boolean same = count == objects && now.length == answers.length;
    for (int i = 0; i < now.length && same; i++) {
      same = now[i] == answers[i];
    }
    if (!same) {
      answers = now;
      objects = count;
      assign();
    }
    return same;
  }

  private void assign() {
    if (answers.length == 1 && answers[0] == null) {
      profileOf = null;
      inScope = objects;
      return;
    }
    byte[] of = new byte[objects];
    for (int i = 1; i < answers.length; i++) {
      for (int object = 0; object < objects; object++) {
        if (is(answers[i], object)) {
          of[object] = profileOfSpecial[i - 1];
        }
      }
    }
    inScope = 0;
    for (int object = 0; object < objects; object++) {
      of[object] = is(answers[0], object) ? of[object] : OUT;
      inScope += of[object] == OUT ? 0 : 1;
    }
    profileOf = of;
  }

  private static boolean is(boolean @Nullable [] flags, int object) {
    return flags == null || flags[object];
  }

  /** How many objects there are of the kind. */
  int objects() {
    return objects;
  }

  /** How many of them are judged. */
  int inScope() {
    return inScope;
  }

  boolean isOut(int object) {
    return profileOf != null && profileOf[object] == OUT;
  }

  /** Number of the profile of an object that is in scope. */
  int profileNumber(int object) {
    return profileOf == null ? 0 : profileOf[object];
  }

  /** The profile of an object that is in scope. */
  Profile profile(int object) {
    return profiles.get(profileNumber(object));
  }
}
