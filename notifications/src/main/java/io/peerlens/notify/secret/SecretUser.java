package io.peerlens.notify.secret;

import java.util.List;

/** Something that names secrets; what is in use cannot be deleted. */
@FunctionalInterface
public interface SecretUser {

  /** What uses the secret, for people: {@code target "Chat of operations"}; empty = nothing. */
  List<String> usersOf(String secret);
}
