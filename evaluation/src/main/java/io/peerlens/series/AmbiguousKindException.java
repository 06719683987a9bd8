package io.peerlens.series;

import java.util.List;

/** Several adapter kinds have an object kind of this name with this metric. */
public final class AmbiguousKindException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AmbiguousKindException(String objectKind, List<String> adapterKinds) {
    super(
        "%s exists in several adapter kinds: %s"
            .formatted(objectKind, String.join(", ", adapterKinds)),
        null,
        false,
        false);
  }
}
