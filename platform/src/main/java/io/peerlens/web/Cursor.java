package io.peerlens.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Cursor of a list: the sort keys of the last item of this page, after which the next begins. A
 * cursor carries a digest over its keys and over the filters and order it belongs to, so a damaged
 * one, or one used with other filters, is refused rather than giving a wrong page. The digest is no
 * secret; what a forged cursor could name is what the caller may read anyway.
 */
public final class Cursor {

  private static final int DIGEST_BYTES = 9;
  private static final String SEPARATOR = "\u0000";

  private Cursor() {}

  /**
   * The cursor after an item.
   *
   * @param scope filters and order of the list, in any fixed spelling
   * @param keys sort keys of the item, without NUL characters
   */
  public static String after(String scope, String... keys) {
    byte[] payload = String.join(SEPARATOR, keys).getBytes(StandardCharsets.UTF_8);
    byte[] digest = digest(scope, payload);
    byte[] all = Arrays.copyOf(digest, digest.length + payload.length);
    System.arraycopy(payload, 0, all, digest.length, payload.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /**
   * The sort keys in a cursor.
   *
   * @param count how many keys the list has
   * @throws ApiException {@code invalid-cursor}
   */
  public static List<String> keys(String cursor, String scope, int count) {
    byte[] all;
    try {
      all = Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
    if (all.length < DIGEST_BYTES) {
      throw invalid();
    }
    byte[] payload = Arrays.copyOfRange(all, DIGEST_BYTES, all.length);
    if (!Arrays.equals(digest(scope, payload), Arrays.copyOf(all, DIGEST_BYTES))) {
      throw invalid();
    }
    List<String> keys = List.of(new String(payload, StandardCharsets.UTF_8).split(SEPARATOR, -1));
    if (keys.size() != count) {
      throw invalid();
    }
    return keys;
  }

  private static byte[] digest(String scope, byte[] payload) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(scope.getBytes(StandardCharsets.UTF_8));
      sha.update((byte) 0);
      return Arrays.copyOf(sha.digest(payload), DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  private static ApiException invalid() {
    return ApiException.of(
            ErrorCode.INVALID_CURSOR, "The cursor is damaged or belongs to other filters.")
        .field("cursor", "does not belong to this request")
        .hint(
            "Use nextCursor as it was given, with the same filters and order; or start again from the first page.");
  }
}
