package io.peerlens.outlier.judge;

/** Factory of outlier stages, one for each shard. */
@FunctionalInterface
public interface OutlierStages {

  /** A stage that knows no groups yet. */
  OutlierStage create();
}
