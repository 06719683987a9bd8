package io.peerlens.notify.render;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Types and sub-types of alerts in one spelling. vRealize Operations shows {@code
 * Virtualization/Hypervisor} and sends {@code ALERT_TYPE_VIRTUALIZATION_PROBLEM}; contexts hold the
 * word in the middle, {@code VIRTUALIZATION}, and what vRealize Operations does not know as its
 * author wrote it.
 */
public final class AlertTypes {

  private static final Map<String, String> TYPES =
      Map.of(
          "APPLICATION", "APPLICATION",
          "VIRTUALIZATION/HYPERVISOR", "VIRTUALIZATION",
          "VIRTUALIZATION", "VIRTUALIZATION",
          "HARDWARE (OSI)", "HARDWARE",
          "HARDWARE", "HARDWARE",
          "STORAGE", "STORAGE",
          "NETWORK", "NETWORK");

  private static final Set<String> SUB_TYPES =
      Set.of("AVAILABILITY", "PERFORMANCE", "CAPACITY", "COMPLIANCE", "CONFIGURATION");

  private AlertTypes() {}

  /** A type as contexts hold it. */
  public static String type(String written) {
    return TYPES.getOrDefault(written.strip().toUpperCase(Locale.ROOT), written);
  }

  /** A sub-type as contexts hold it. */
  public static String subType(String written) {
    String word = written.strip().toUpperCase(Locale.ROOT);
    return SUB_TYPES.contains(word) ? word : written;
  }
}
