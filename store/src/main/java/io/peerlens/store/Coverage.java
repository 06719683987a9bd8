package io.peerlens.store;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Coverage of time by the levels, and the plan to read a window completely from them: coarse where
 * that is enough, fine where buckets are not rolled up yet or do not lie wholly in the window,
 * coarse again where the finer samples are gone.
 */
public final class Coverage {
  /** Older than anything, and safe to round and to subtract from. */
  static final long ALWAYS = Long.MIN_VALUE / 4;

  /** Of raw samples only, none of which was removed. */
  public static final Coverage RAW_ONLY = new Coverage(Map.of(), Map.of());

  private final Map<Level, Long> keptFrom;
  private final Map<Level, Long> rolledUntil;

  /**
   * @param keptFrom from when each level is kept, in microseconds; absent = from always
   * @param rolledUntil up to when each level is rolled up, in microseconds; absent = not at all
   */
  Coverage(Map<Level, Long> keptFrom, Map<Level, Long> rolledUntil) {
    this.keptFrom = new EnumMap<>(Level.class);
    this.rolledUntil = new EnumMap<>(Level.class);
    this.keptFrom.putAll(keptFrom);
    this.rolledUntil.putAll(rolledUntil);
  }

  /** Whether nothing of the level was removed from this moment on. */
  public boolean isKept(Level level, long from) {
    return from >= kept(level);
  }

  /** From when nothing of the level was removed, in microseconds; far below zero if nothing is. */
  public long keptFrom(Level level) {
    return kept(level);
  }

  /** Up to when a level is rolled up, in microseconds; far below zero where nothing is. */
  public long rolledUntil(Level level) {
    return rolledUntil.getOrDefault(level, ALWAYS);
  }

  /**
   * The stretches that together make up {@code [from, to)}, oldest first, without overlap. Where
   * only buckets are left that reach over an edge of the window, those that begin in it are taken.
   *
   * @param preferred the coarsest level to be used where finer ones are there too
   */
  public List<Segment> plan(Level preferred, long from, long to) {
    List<Segment> plan = new ArrayList<>();
    cover(preferred, from, to, plan);
    return plan;
  }

  private void cover(Level level, long from, long to, List<Segment> plan) {
    if (from >= to) {
      return;
    }
    long kept = kept(level);
    if (from < kept) {
      older(level, from, Math.min(kept, to), plan);
      cover(level, kept, to, plan);
      return;
    }
    Level finer = level.source();
    if (finer == null) {
      plan.add(new Segment(level, from, to));
      return;
    }
    long begin = level.ceil(from);
    long end = Math.min(level.floor(to), rolledUntil(level));
    if (begin >= end) {
      cover(finer, from, to, plan);
      return;
    }
    cover(finer, from, begin, plan);
    plan.add(new Segment(level, begin, end));
    cover(finer, end, to, plan);
  }

  /** Reads from coarser levels what the level no longer holds. */
  private void older(Level level, long from, long to, List<Segment> plan) {
    if (level == Level.ONE_HOUR || from >= to) {
      return;
    }
    Level coarser = level == Level.RAW ? Level.FIVE_MINUTES : Level.ONE_HOUR;
    long begin = coarser.ceil(Math.max(from, kept(coarser)));
    older(coarser, from, Math.min(begin, to), plan);
    if (begin < to) {
      plan.add(new Segment(coarser, begin, to));
    }
  }

  private long kept(Level level) {
    return keptFrom.getOrDefault(level, ALWAYS);
  }
}
