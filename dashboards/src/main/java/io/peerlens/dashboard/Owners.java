package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.UserRole;
import io.peerlens.definition.DefinitionAction;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Rights on dashboards and views: a private one is its owner's, a shared one is read by everybody
 * and changed by operators, one of a pack is changed by nobody. Administrators may do what owners
 * may. A screen reads shared ones, a link the one that it is bound to while that is shared; what
 * they are called gives them nothing.
 */
final class Owners {

  private Owners() {}

  /** Whose a stored definition is. */
  static String of(Edit stored) {
    return requireNonNullElse(stored.owner(), "");
  }

  static boolean isAdmin(Caller caller) {
    return caller.role() == UserRole.ADMIN;
  }

  /** Whether a caller may know of it. */
  static boolean sees(Caller caller, Owned one) {
    return switch (caller.role()) {
      case LINK -> one.shared() && one.id().equals(caller.boundTo());
      case SCREEN -> one.shared();
      default -> one.shared() || isOwn(caller, one);
    };
  }

  private static boolean isOwn(Caller caller, Owned one) {
    return one.owner().equals(caller.name()) || isAdmin(caller);
  }

  /**
   * Refuses a change that a caller may not make.
   *
   * @param what for instance {@code dashboard}
   * @param before null = there was none
   * @param pack of the one before
   * @param now null = it is deleted
   */
  static void authorise(
      Caller caller,
      String what,
      @Nullable Owned before,
      @Nullable String pack,
      @Nullable Owned now,
      DefinitionAction action) {
    if (pack != null && action != DefinitionAction.DELETED) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The %s belongs to the pack %s, which an update would bring back as it was."
                  .formatted(what, pack))
          .hint("Make a copy with POST, which names this one as its origin, and change that.");
    }
    boolean shares = (before != null && before.shared()) || (now != null && now.shared());
    if (shares && caller.role() != UserRole.OPERATOR && !isAdmin(caller)) {
      throw ApiException.of(
              ErrorCode.FORBIDDEN,
              before != null && before.shared()
                  ? "A shared %s is changed by the role operator.".formatted(what)
                  : "A %s is shared by the role operator.".formatted(what))
          .hint("Store it as a private one, or ask an operator.");
    }
    if (now == null || isAdmin(caller)) {
      return;
    }
    if (action != DefinitionAction.RESTORED) {
      String owner = before == null ? caller.name() : before.owner();
      if (!now.owner().equals(owner)) {
        throw ApiException.of(ErrorCode.FORBIDDEN, "Another owner is named by the role admin only.")
            .field("owner", "is not " + owner)
            .hint("Leave owner out, or ask an administrator.");
      }
    }
    if (!now.shared() && !now.owner().equals(caller.name())) {
      throw ApiException.of(
              ErrorCode.FORBIDDEN,
              "A %s of somebody else is made private by its owner or an administrator."
                  .formatted(what))
          .hint("Leave it shared, or ask its owner, " + now.owner() + ".");
    }
  }
}
