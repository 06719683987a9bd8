package io.peerlens.vcenter.vim;

import java.util.Collection;
import java.util.List;

/**
 * Which properties of which type of managed objects to read.
 *
 * @param type such as {@code VirtualMachine}
 * @param paths such as {@code config.hardware.numCPU}
 */
public record PropertySpec(String type, List<String> paths) {

  public PropertySpec(String type, Collection<String> paths) {
    this(type, paths.stream().sorted().toList());
  }

  public PropertySpec {
    paths = List.copyOf(paths);
  }

  void write(SoapWriter xml) {
    xml.element(
        "propSet",
        spec -> {
          spec.text("type", type);
          spec.flag("all", false);
          paths.forEach(path -> spec.text("pathSet", path));
        });
  }
}
