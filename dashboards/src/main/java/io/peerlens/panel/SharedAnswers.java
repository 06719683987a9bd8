package io.peerlens.panel;

import io.peerlens.api.model.PanelAnswer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that several readers share. Who asks while the same question is being answered waits for
 * that answer, and gets it if it is young enough. Thread-safe.
 */
final class SharedAnswers {

  /** Beyond this age nobody is given an answer. */
  private static final Duration OLDEST = Duration.ofSeconds(100);

  /** So many are kept; an answer may have some megabytes. */
  private static final int MOST = 48;

  private record Kept(Instant at, CompletableFuture<PanelAnswer> answer) {}

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
    forget(now);
    CompletableFuture<PanelAnswer> mine = new CompletableFuture<>();
    Kept one =
        kept.compute(
            question,
            (key, known) ->
                known != null && !known.at().plus(maxAge).isBefore(now)
                    ? known
                    : new Kept(now, mine));
    if (one.answer() != mine) {
      return joined(one.answer());
    }
    try {
      PanelAnswer answer = compute.get();
      mine.complete(answer);
      return answer;
    } catch (RuntimeException | Error e) {
      kept.remove(question, one);
      mine.completeExceptionally(e);
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

  private void forget(Instant now) {
    kept.values().removeIf(one -> one.at().plus(OLDEST).isBefore(now));
    while (kept.size() >= MOST) {
      Map.@Nullable Entry<Object, Kept> oldest =
          kept.entrySet().stream()
              .min(Comparator.comparing(entry -> entry.getValue().at()))
              .orElse(null);
      if (oldest == null || !kept.remove(oldest.getKey(), oldest.getValue())) {
        return;
      }
    }
  }
}
