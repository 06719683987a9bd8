package io.peerlens.notify.channel;

import java.util.Locale;

/** Type of a target: the protocol by which it is reached. */
public enum TargetType {
  /** An HTTP request. */
  WEBHOOK,
  /** A mail by SMTP. */
  EMAIL,
  /** An SNMP trap or inform. */
  SNMP;

  /** As the API and definitions write it. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The built-in template for targets that no rule names. */
  public String usualTemplate() {
    return switch (this) {
      case WEBHOOK -> "generic-json";
      case EMAIL -> "email";
      case SNMP -> "snmp-peerlens";
    };
  }
}
