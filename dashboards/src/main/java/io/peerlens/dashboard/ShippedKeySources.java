package io.peerlens.dashboard;

import io.peerlens.dashboard.vrops.CollectorKeys;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collectors that Peerlens brings or knows, by the keys that they send. */
final class ShippedKeySources implements KeySources {

  private final CollectorKeys keys = CollectorKeys.shipped();

  @Override
  public List<String> of(List<ObjectKind> kinds, List<String> wanted, boolean property) {
    Set<String> found = new LinkedHashSet<>();
    for (ObjectKind kind : kinds) {
      for (String key : wanted) {
        CollectorKeys.Sent sent = keys.sent(kind.toString(), Keys.withoutInstances(key));
        if (sent != null && (property ? sent.property() : sent.metric())) {
          found.addAll(sent.collectors());
        }
      }
    }
    return List.copyOf(found);
  }

  @Override
  public String title(String name) {
    return CollectorKeys.title(name);
  }
}
