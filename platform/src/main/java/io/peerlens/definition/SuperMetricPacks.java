package io.peerlens.definition;

/** Packs of super metrics, which packs of rules read. */
public interface SuperMetricPacks {

  /** Installs a pack; what of it is stored already stays as it is. */
  void install(String name);
}
