package io.peerlens.dashboard;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;

/** Collectors that would bring keys which nothing here reports. */
interface KeySources {

  /** The name of what brings super metrics of a file: they have to be turned on. */
  String SUPER_METRICS = "super-metrics";

  /**
   * Which collectors send one of some keys.
   *
   * @param kinds of the objects
   * @param keys without instances
   * @param property whether they are properties
   * @return names, the nearest first
   */
  List<String> of(List<ObjectKind> kinds, List<String> keys, boolean property);

  /** How people call a collector. */
  String title(String name);
}
