package io.peerlens.panel;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBand;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelLine;
import io.peerlens.api.model.PanelMoments;
import io.peerlens.api.model.PanelPlace;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that several readers share. Who asks while the same question is being answered waits for
 * that answer, and gets it if it is young enough. What is kept is bounded by the values that all
 * answers have together. Thread-safe.
 */
final class SharedAnswers {

  /** Beyond this age nobody is given an answer. */
  private static final Duration OLDEST = Duration.ofSeconds(100);

  /** So many are kept: a hundred walls with ten panels each. */
  private static final int MOST = 1_000;

  /** Values of all that are kept; one takes about 24 bytes. */
  static final long MOST_VALUES = 2_000_000;

  /** What an answer weighs beside its values, and an object in it. */
  private static final int OBJECT = 20;

  private static final class Kept {
    final Instant at;
    final CompletableFuture<PanelAnswer> answer = new CompletableFuture<>();

    /** 0 = it is still being computed. */
    volatile long values;

    Kept(Instant at) {
      this.at = at;
    }
  }

  private final Map<Object, Kept> kept = new ConcurrentHashMap<>();
  private final InstantSource clock;

  SharedAnswers(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * An answer that is young enough, or a new one.
   *
   * @param question what is asked; equal ones have equal answers
   */
  PanelAnswer of(Object question, Duration maxAge, Supplier<PanelAnswer> compute) {
    Instant now = clock.instant();
    kept.values().removeIf(one -> one.at.plus(OLDEST).isBefore(now));
    Kept mine = new Kept(now);
    Kept one =
        kept.compute(
            question,
            (key, known) -> known != null && !known.at.plus(maxAge).isBefore(now) ? known : mine);
    if (one != mine) {
      return joined(one.answer);
    }
    try {
      PanelAnswer answer = compute.get();
      mine.values = values(answer);
      mine.answer.complete(answer);
      makeRoom();
      return answer;
    } catch (RuntimeException | Error e) {
      kept.remove(question, mine);
      mine.answer.completeExceptionally(e);
      throw e;
    }
  }

  private static PanelAnswer joined(CompletableFuture<PanelAnswer> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Drops the oldest until the others have room; one that has none by itself goes first. */
  private void makeRoom() {
    kept.values().removeIf(one -> one.values > MOST_VALUES / 2);
    long values = kept.values().stream().mapToLong(one -> one.values).sum();
    while (kept.size() > MOST || values > MOST_VALUES) {
      Map.@Nullable Entry<Object, Kept> oldest =
          kept.entrySet().stream()
              .filter(entry -> entry.getValue().values > 0)
              .min(Comparator.comparing(entry -> entry.getValue().at))
              .orElse(null);
      if (oldest == null || !kept.remove(oldest.getKey(), oldest.getValue())) {
        return;
      }
      values -= oldest.getValue().values;
    }
  }

  /** How many answers are kept. */
  int size() {
    return kept.size();
  }

  /** How many values an answer has, roughly. */
  static long values(PanelAnswer answer) {
    long values = OBJECT + sizeOf(answer.getTimes());
    for (PanelRow row : orNone(answer.getRows())) {
      values += OBJECT + sizeOf(row.getCells()) + sizeOf(row.getCompared());
      values += lines(row.getSparklines());
      for (PanelPlace place : orNone(row.getPlaces())) {
        values += OBJECT + (place == null ? 0 : sizeOf(place.getValues()));
      }
    }
    for (PanelSeries series : orNone(answer.getSeries())) {
      PanelBand usual = series.getUsual();
      values += OBJECT + sizeOf(series.getValues()) + sizeOf(series.getCompared());
      values += usual == null ? 0 : 2L * sizeOf(usual.getLower());
    }
    PanelMoments moments = answer.getMoments();
    if (moments != null) {
      values += 2L * sizeOf(moments.getTimes()) + lines(moments.getValues());
    }
    for (PanelLane lane : orNone(answer.getLanes())) {
      values += OBJECT + 4L * sizeOf(lane.getSegments());
    }
    return values
        + (long) OBJECT
            * (sizeOf(answer.getGroups())
                + sizeOf(answer.getChanges())
                + sizeOf(answer.getBuckets())
                + sizeOf(answer.getProperties())
                + sizeOf(answer.getAlerts())
                + sizeOf(answer.getTree()));
  }

  private static long lines(@Nullable List<PanelLine> lines) {
    long values = 0;
    for (PanelLine line : orNone(lines)) {
      values += line == null ? 0 : sizeOf(line.getValues());
    }
    return values;
  }

  private static <T> List<T> orNone(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  private static int sizeOf(@Nullable List<?> list) {
    return list == null ? 0 : list.size();
  }
}
