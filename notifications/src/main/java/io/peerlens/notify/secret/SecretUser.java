package io.peerlens.notify.secret;

import io.peerlens.definition.DefinitionStore;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** User of secrets, by name; what is in use cannot be deleted. */
@FunctionalInterface
public interface SecretUser {

  /** What uses the secret, for people: {@code target "Chat of operations"}; empty = nothing. */
  List<String> usersOf(String secret);

  /**
   * The definitions of a store that name secrets.
   *
   * @param noun before their names, for instance {@code target}
   * @param secrets names of the secrets that one uses
   */
  static <R> SecretUser of(
      String noun, DefinitionStore<?, R> store, Function<R, Set<String>> secrets) {
    return secret ->
        store.byId().values().stream()
            .filter(one -> secrets.apply(one.rule()).contains(secret))
            .map(one -> noun + " \"" + one.name() + "\"")
            .sorted()
            .toList();
  }
}
