package io.peerlens.alert;

/** Factory of alert stages, one for each shard. */
@FunctionalInterface
public interface AlertStages {

  /** A stage that knows no rules yet. */
  AlertStage create();
}
