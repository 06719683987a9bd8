package io.peerlens.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StaticFieldsTest {

  private static final class Holder {
    static final Object SHARED = new Object();
    static @Nullable Object world = new Object();
    static int count = 7;
  }

  @Test
  void fieldsOfATestClassAreClearedExceptSharedOnes() {
    assertThat(Holder.world).isNotNull();
    StaticFields.empty(Holder.class);
    assertThat(Holder.world).isNull();
    assertThat(Holder.SHARED).isNotNull();
    assertThat(Holder.count).isEqualTo(7);
  }
}
