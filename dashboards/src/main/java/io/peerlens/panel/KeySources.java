package io.peerlens.panel;

import io.peerlens.supermetrics.formula.ObjectKind;
import org.jspecify.annotations.Nullable;

/** Sources that send objects of a kind and values of a key. */
final class KeySources {

  private KeySources() {}

  /** The source of a kind's objects; null = nobody knows. */
  static @Nullable String ofKind(ObjectKind kind) {
    return switch (kind.adapterKind()) {
      case "VMWARE", "VirtualAndPhysicalSANAdapter" -> "vcenter";
      case "OpenTelemetry" -> "otlp";
      case "Peerlens" -> "flows";
      default -> null;
    };
  }

  /** The source of values of a key; null = nobody knows. */
  static @Nullable String ofKey(ObjectKind kind, String key) {
    return key.startsWith("flow|") || key.startsWith("flows|") ? "flows" : ofKind(kind);
  }

  /** For sentences. */
  static String words(String source) {
    return switch (source) {
      case "vcenter" -> "a vCenter collector";
      case "otlp" -> "an OpenTelemetry collector";
      default -> "an exporter of flows";
    };
  }
}
