package io.peerlens.rule;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Changes are made from the version that their author has seen. */
public final class Versions {

  private Versions() {}

  /** The ETag of a version. */
  public static String tag(long version) {
    return "\"" + version + "\"";
  }

  /**
   * Refuses a change of something that was changed since.
   *
   * @param what for instance {@code threshold}
   * @param version that is stored
   * @param updatedBy who made it
   */
  public static void check(String what, @Nullable String ifMatch, long version, String updatedBy) {
    if (ifMatch == null) {
      throw ApiException.of(
              ErrorCode.PRECONDITION_REQUIRED, "A change must name the version it was made from.")
          .hint("Send the ETag of the answer that you edited as If-Match.");
    }
    if (!ifMatch.equals(tag(version))) {
      throw ApiException.of(
              ErrorCode.PRECONDITION_FAILED,
              "The " + what + " was changed by " + updatedBy + " since it was read.")
          .hint("Read it again, compare, and send your change with the new ETag.");
    }
  }
}
