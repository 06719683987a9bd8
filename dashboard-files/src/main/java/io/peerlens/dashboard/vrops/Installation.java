package io.peerlens.dashboard.vrops;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * What is here: the questions that an import asks of the installation it comes to. An import asks
 * each question once, so an implementation need not remember answers; but it asks {@link
 * #reporting} once for each key.
 */
public interface Installation {

  /**
   * An object, view, super metric or dashboard that is here.
   *
   * @param id id here
   */
  record Here(String id, String name) {}

  /** How many objects of a kind such as {@code VMWARE/HostSystem} are known. */
  int objects(String kind);

  /**
   * How many objects of a kind report a key, or have a property.
   *
   * @param key without instance; of a super metric {@code Super Metric|sm_UUID}, with the id here
   */
  int reporting(String kind, String key, boolean property);

  /** A super metric by its id, or else by its name. */
  Optional<Here> superMetric(String idOrName);

  /** Names of super metrics, to propose the nearest of them. */
  List<String> superMetrics();

  /** An object by its kind and name. */
  Optional<Here> object(String kind, String name);

  /** Names of objects of a kind, to propose the nearest of them; some hundred are enough. */
  List<String> names(String kind);

  /** A stored view by its id, or else by its name. */
  Optional<Here> view(String idOrName);

  /** Names of stored views, to propose the nearest of them. */
  List<String> views();

  /** A stored dashboard by its id, or else by its name. */
  Optional<Here> dashboard(String idOrName);

  /** Names of groups. */
  List<String> groups();

  /** Zone in which business hours are meant; exports do not say it. */
  default ZoneId zone() {
    return ZoneId.of("UTC");
  }
}
