package io.peerlens.alert;

/** Makes the alert stage of a shard. */
@FunctionalInterface
public interface AlertStages {

  /** A stage that knows no rules yet. */
  AlertStage create();
}
