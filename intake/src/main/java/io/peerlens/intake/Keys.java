package io.peerlens.intake;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Keys of records. They only have to be equal for what must stay in its order, and short. */
final class Keys {

  private static final int LENGTH = 16;

  private Keys() {}

  /** Of whatever the bytes describe, such as a resource. */
  static byte[] of(ByteBuffer bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes.duplicate());
      return Arrays.copyOf(digest.digest(), LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  static byte[] of(String text) {
    return of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }
}
