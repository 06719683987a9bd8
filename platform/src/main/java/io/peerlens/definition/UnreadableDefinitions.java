package io.peerlens.definition;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Definitions of a table that this version of the service cannot read. */
public interface UnreadableDefinitions {

  /**
   * A stored definition that this version cannot read, and which therefore does nothing.
   *
   * @param reason a sentence, without values of the definition, which may be secret
   */
  record Unreadable(UUID id, String name, String reason) {}

  /** The table, for instance {@code threshold}. */
  String table();

  /** Those that cannot be read now. Cheap while nothing changes. */
  List<Unreadable> unreadable();

  /** One of them; null = there is none of this id. */
  default @Nullable Unreadable unreadable(UUID id) {
    return unreadable().stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
  }

  /**
   * The answer to somebody who asks for a definition that cannot be read.
   *
   * @param what for instance {@code threshold}
   */
  static ApiException refusal(String what, Unreadable one) {
    return ApiException.of(
            ErrorCode.CONFLICT,
            "The %s \"%s\" is stored, but this version of Peerlens cannot read it, and it does nothing: %s"
                .formatted(what, one.name(), one.reason()))
        .hint("Send it again with PUT, restore an earlier version, or delete it.");
  }
}
