package io.peerlens.notify.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Secret encrypted with AES-256-GCM, as the database holds it: bound to its name, so that a row
 * cannot take the place of another.
 *
 * @param keyId of the key that sealed it
 * @param nonce 12 random bytes
 * @param bytes what was sealed, with 16 bytes that prove it whole
 */
record EncryptedSecret(String keyId, byte[] nonce, byte[] bytes) {

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  static EncryptedSecret seal(String name, String value, KeyRing.Key key) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.ENCRYPT_MODE, key.value(), new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
      return new EncryptedSecret(
          key.id(), nonce, cipher.doFinal(value.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM does not work here", e);
    }
  }

  /**
   * The value.
   *
   * @throws SecretException if it was changed, or belongs to another name
   */
  String open(String name, KeyRing.Key key) {
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.DECRYPT_MODE, key.value(), new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
      return new String(cipher.doFinal(bytes), StandardCharsets.UTF_8);
    } catch (AEADBadTagException e) {
      throw new SecretException("The secret " + name + " is damaged; set it again");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM does not work here", e);
    }
  }

  @Override
  public String toString() {
    return "EncryptedSecret[" + keyId + "]";
  }
}
