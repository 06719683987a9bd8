package io.peerlens.definition;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Definitions that refer to rules by their ids. */
@FunctionalInterface
public interface RuleUser {

  /** Names of what refers to a rule. */
  List<String> users(UUID rule);

  /**
   * Refuses to delete what others refer to.
   *
   * @param what for instance {@code group}
   */
  static void refuseIfUsed(Collection<RuleUser> all, String what, UUID rule) {
    List<String> names =
        all.stream().flatMap(user -> user.users(rule).stream()).distinct().toList();
    if (!names.isEmpty()) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The %s is used by %s%s."
                  .formatted(
                      what,
                      String.join(", ", names.stream().limit(5).toList()),
                      names.size() > 5 ? " and %d more".formatted(names.size() - 5) : ""))
          .hint("Change these first.");
    }
  }
}
