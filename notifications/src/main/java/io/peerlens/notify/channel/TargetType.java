package io.peerlens.notify.channel;

import java.util.Locale;
import java.util.Optional;

/** The kinds of target. */
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

  /** The type with this name in the API, if there is one. */
  public static Optional<TargetType> of(String value) {
    for (TargetType type : values()) {
      if (type.value().equals(value)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
