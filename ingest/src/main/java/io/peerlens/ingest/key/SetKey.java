package io.peerlens.ingest.key;

/**
 * A metric set: one group of one object and instance; what one sample row holds.
 *
 * @param group name of the metric group of the object's kind
 * @param instance empty for the aggregate
 */
public record SetKey(ObjectKey object, String group, String instance) {

  public GroupKey groupKey() {
    return new GroupKey(object.adapterKind(), object.objectKind(), group);
  }
}
