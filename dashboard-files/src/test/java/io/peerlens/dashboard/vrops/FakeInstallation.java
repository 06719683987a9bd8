package io.peerlens.dashboard.vrops;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An installation in memory: what it has is put in. */
final class FakeInstallation implements Installation {

  final Map<String, Integer> objects = new HashMap<>();
  final Map<String, Integer> reporting = new HashMap<>();
  final Map<String, String> superMetrics = new LinkedHashMap<>();
  final Map<String, String> views = new LinkedHashMap<>();
  final Map<String, String> dashboards = new LinkedHashMap<>();
  final Map<String, List<String>> names = new HashMap<>();
  List<String> groups = List.of();

  /**
   * An installation with objects of the kinds of vCenter, that reports what its collector sends.
   */
  static FakeInstallation withVCenter() {
    FakeInstallation made = new FakeInstallation();
    CollectorKeys keys = CollectorKeys.shipped();
    for (String kind : keys.kinds()) {
      made.objects.put(kind, 10);
      keys.of(kind).forEach((key, sent) -> made.reporting.put(kind + " " + key, 10));
    }
    return made;
  }

  FakeInstallation reports(String kind, String key, int count) {
    objects.merge(kind, count, Math::max);
    reporting.put(kind + " " + key, count);
    return this;
  }

  @Override
  public int objects(String kind) {
    return objects.getOrDefault(kind, 0);
  }

  @Override
  public int reporting(String kind, String key, boolean property) {
    return reporting.getOrDefault(kind + " " + key, 0);
  }

  @Override
  public Optional<Here> superMetric(String idOrName) {
    return find(superMetrics, idOrName);
  }

  @Override
  public List<String> superMetrics() {
    return List.copyOf(superMetrics.values());
  }

  @Override
  public Optional<Here> object(String kind, String name) {
    return names(kind).contains(name)
        ? Optional.of(new Here(kind + "/" + name, name))
        : Optional.empty();
  }

  @Override
  public List<String> names(String kind) {
    return names.getOrDefault(kind, List.of());
  }

  @Override
  public Optional<Here> view(String idOrName) {
    return find(views, idOrName);
  }

  @Override
  public List<String> views() {
    return List.copyOf(views.values());
  }

  @Override
  public Optional<Here> dashboard(String idOrName) {
    return find(dashboards, idOrName);
  }

  @Override
  public List<String> groups() {
    return groups;
  }

  private static Optional<Here> find(Map<String, String> all, String idOrName) {
    return all.entrySet().stream()
        .filter(it -> it.getKey().equals(idOrName) || it.getValue().equals(idOrName))
        .map(it -> new Here(it.getKey(), it.getValue()))
        .findFirst();
  }
}
