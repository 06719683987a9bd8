package io.peerlens.notify.definition;

import io.peerlens.api.model.UserRole;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.Set;
import java.util.TreeSet;

/**
 * Role checks for secrets: who decides where one goes. A template can put a secret into a message,
 * and a rule sends that to a target, so both are an administrator's business as soon as a secret is
 * in play.
 */
public final class AdminOnly {

  private AdminOnly() {}

  /**
   * Refuses it to anybody but an administrator.
   *
   * @param what for instance {@code A target}
   */
  public static void require(String what) {
    if (Caller.current().role() != UserRole.ADMIN) {
      throw ApiException.of(ErrorCode.FORBIDDEN, what + " is changed by the role admin only.")
          .hint("Ask an administrator, or use a token of that role.");
    }
  }

  /**
   * Refuses new uses of secrets to anybody but an administrator.
   *
   * @param secrets names that are used now
   * @param before names that were used before
   */
  public static void requireForSecrets(Set<String> secrets, Set<String> before) {
    Set<String> more = new TreeSet<>(secrets);
    more.removeAll(before);
    if (!more.isEmpty() && Caller.current().role() != UserRole.ADMIN) {
      throw ApiException.of(
              ErrorCode.FORBIDDEN,
              "Only the role admin decides where secrets go; it names: "
                  + String.join(", ", more)
                  + ".")
          .hint("Ask an administrator to store it, or leave the secrets out.");
    }
  }
}
