package io.peerlens.web;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Optimistic locking: changes are made from the version that their author has seen. */
public final class Versions {

  private Versions() {}

  /** The ETag of a version. */
  public static String tag(long version) {
    return "\"" + version + "\"";
  }

  /**
   * Refuses a change of something that was changed since its author read it.
   *
   * @param what for instance {@code threshold}
   * @param ifMatch the header; null = it was not sent
   * @param version that is stored
   * @param updatedBy who made it
   * @throws ApiException 428 without the header, 412 if it names another version
   */
  public static void check(String what, @Nullable String ifMatch, long version, String updatedBy) {
    check(ifMatch, tag(version), "The " + what + " was changed by " + updatedBy);
  }

  /**
   * The same for what has a tag of its own.
   *
   * @param tag the ETag of what is stored
   * @param changed what is said before "since it was read."
   * @throws ApiException 428 without the header, 412 if it names another version
   */
  public static void check(@Nullable String ifMatch, String tag, String changed) {
    if (ifMatch == null) {
      throw ApiException.of(
              ErrorCode.PRECONDITION_REQUIRED, "A change must name the version it was made from.")
          .hint("Send the ETag of the answer that you edited as If-Match.");
    }
    if (!names(ifMatch, tag)) {
      throw stale(changed);
    }
  }

  /** The refusal of a change that was made from an older version. */
  public static ApiException stale(String changed) {
    return ApiException.of(ErrorCode.PRECONDITION_FAILED, changed + " since it was read.")
        .hint("Read it again, compare, and send your change with the new ETag.");
  }

  /**
   * Whether a header names a version: it may hold several, and {@code *} is any version there is
   * (RFC 9110, section 13.1.1).
   */
  private static boolean names(String ifMatch, String tag) {
    String given = ifMatch.strip();
    return given.equals("*")
        || Arrays.stream(given.split(",")).map(String::strip).anyMatch(tag::equals);
  }
}
