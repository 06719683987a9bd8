package io.peerlens.supermetrics.formula;

import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of objects of an installation, and their keys. With it the checker says which names of a
 * formula lead nowhere here; none of that is an error, since data may come tomorrow.
 *
 * <p>{@code *} as an object kind stands for all kinds of the adapter. Kinds and keys are compared
 * letter by letter.
 */
public interface Vocabulary {

  /** Adapter kinds that have objects. */
  Collection<String> adapterKinds();

  /** Object kinds of an adapter kind. */
  Collection<String> objectKinds(String adapterKind);

  /**
   * Names of metrics and properties of a kind, without instances: {@code net|usage_average} for
   * {@code net:vmnic0|usage_average}.
   */
  Collection<String> keys(String adapterKind, String objectKind);

  /** Whether a key without an instance occurs with instances. */
  boolean hasInstances(String adapterKind, String objectKind, String key);

  /** The id of the super metric of a name; null = there is none, or nobody knows. */
  default @Nullable UUID superMetric(String name) {
    return null;
  }
}
