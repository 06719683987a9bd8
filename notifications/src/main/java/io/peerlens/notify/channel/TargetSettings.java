package io.peerlens.notify.channel;

import java.time.Duration;
import java.util.Set;

/** Settings of a target; one record per type of target. Secrets are names. */
public sealed interface TargetSettings permits WebhookSettings, EmailSettings, SnmpSettings {

  /** The type of target. */
  TargetType type();

  /** How long an attempt may take in all. */
  Duration timeout();

  /** Names of all secrets that are needed. */
  Set<String> secrets();
}
