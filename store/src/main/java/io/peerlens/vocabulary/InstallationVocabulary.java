package io.peerlens.vocabulary;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Vocabulary;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The kinds and keys that existed here at one moment. */
public final class InstallationVocabulary implements Vocabulary {

  private final Map<String, Set<String>> kinds;
  private final Map<ObjectKind, Set<String>> keys;
  private final Map<ObjectKind, Set<String>> instanced;
  private final Function<String, @Nullable UUID> superMetrics;

  /** Keys of {@code *}, once somebody has asked for them. */
  private final Map<String, Set<String>> everyKey;

  InstallationVocabulary(
      Map<String, Set<String>> kinds,
      Map<ObjectKind, Set<String>> keys,
      Map<ObjectKind, Set<String>> instanced) {
    this(kinds, keys, instanced, name -> null, new ConcurrentHashMap<>());
  }

  private InstallationVocabulary(
      Map<String, Set<String>> kinds,
      Map<ObjectKind, Set<String>> keys,
      Map<ObjectKind, Set<String>> instanced,
      Function<String, @Nullable UUID> superMetrics,
      Map<String, Set<String>> everyKey) {
    this.kinds = kinds;
    this.keys = keys;
    this.instanced = instanced;
    this.superMetrics = superMetrics;
    this.everyKey = everyKey;
  }

  /** The same kinds and keys, and super metrics that are found by their names. */
  public InstallationVocabulary withSuperMetrics(Function<String, @Nullable UUID> named) {
    return new InstallationVocabulary(kinds, keys, instanced, named, everyKey);
  }

  @Override
  public Collection<String> adapterKinds() {
    return kinds.keySet();
  }

  @Override
  public Collection<String> objectKinds(String adapterKind) {
    return kinds.getOrDefault(adapterKind, Set.of());
  }

  @Override
  public Collection<String> keys(String adapterKind, String objectKind) {
    if (objectKind.equals("*")) {
      return everyKey.computeIfAbsent(
          adapterKind,
          adapter -> {
            Set<String> all = new HashSet<>();
            objectKinds(adapter)
                .forEach(kind -> all.addAll(of(keys, new ObjectKind(adapter, kind))));
            return all;
          });
    }
    return of(keys, new ObjectKind(adapterKind, objectKind));
  }

  @Override
  public boolean hasInstances(String adapterKind, String objectKind, String key) {
    return objectKind.equals("*")
        ? objectKinds(adapterKind).stream()
            .anyMatch(kind -> of(instanced, new ObjectKind(adapterKind, kind)).contains(key))
        : of(instanced, new ObjectKind(adapterKind, objectKind)).contains(key);
  }

  @Override
  public @Nullable UUID superMetric(String name) {
    return superMetrics.apply(name);
  }

  private static Set<String> of(Map<ObjectKind, Set<String>> keys, ObjectKind kind) {
    return keys.getOrDefault(kind, Set.of());
  }
}
