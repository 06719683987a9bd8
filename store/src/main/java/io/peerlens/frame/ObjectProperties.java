package io.peerlens.frame;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Properties of objects as they are now. While the inventory does not change, {@link
 * Frames#properties} gives the same. Thread-safe.
 */
public interface ObjectProperties {

  /** The objects; columns have their order. */
  ObjectGraph graph();

  /**
   * Names of all properties that objects of a kind have, instances and all, in no order. One that
   * the last object lost may be among them for some hours.
   */
  List<String> propertyKeys(ObjectKind kind);

  /** Properties of all objects of a kind; one that none of them has is left out. */
  Map<String, Column> columns(ObjectKind kind, Collection<String> keys);
}
