package io.peerlens.outlier;

/** Makes the outlier stage of a shard. */
@FunctionalInterface
public interface OutlierStages {

  /** A stage that knows no groups yet. */
  OutlierStage create();
}
