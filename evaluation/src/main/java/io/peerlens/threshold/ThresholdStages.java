package io.peerlens.threshold;

import io.peerlens.frame.FrameProperties;
import io.peerlens.learning.StoredBands;
import io.peerlens.scope.Scopes;

/** Threshold stages, one for each shard. */
public final class ThresholdStages {

  private final SymptomStore symptoms;
  private final Scopes scopes;
  private final StoredBands.Factory bands;
  private final FrameProperties frames;
  private final ThresholdProperties thresholds;

  ThresholdStages(
      SymptomStore symptoms,
      Scopes scopes,
      StoredBands.Factory bands,
      FrameProperties frames,
      ThresholdProperties thresholds) {
    this.symptoms = symptoms;
    this.scopes = scopes;
    this.bands = bands;
    this.frames = frames;
    this.thresholds = thresholds;
  }

  /** A stage that knows no thresholds yet. */
  public ThresholdStage create() {
    return new ThresholdStage(
        symptoms,
        scopes,
        bands::create,
        frames.metricAge(),
        thresholds.staleAfter(),
        System::nanoTime);
  }
}
