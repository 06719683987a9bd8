package io.peerlens.source.state;

import io.peerlens.api.model.SourceState;
import io.peerlens.source.SourceError;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Condition of a source.
 *
 * @param since since when it is not fresh; null = it is, or that is not known
 * @param reason why it is not fresh, in words; null = it is
 * @param problem what is wrong; null = nothing that anybody told of
 */
record Condition(
    SourceState state,
    @Nullable Instant since,
    @Nullable String reason,
    @Nullable SourceError problem) {

  static final Condition FRESH = new Condition(SourceState.FRESH, null, null, null);

  static Condition of(SourceState state, @Nullable Instant since, String reason) {
    return new Condition(state, since, reason, null);
  }

  static Condition of(SourceState state, @Nullable Instant since, SourceError problem) {
    return new Condition(state, since, problem.what(), problem);
  }
}
