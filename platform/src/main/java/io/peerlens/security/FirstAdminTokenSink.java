package io.peerlens.security;

/**
 * Receiver of the first admin token. Without a bean of this type it is printed to standard output,
 * once; an edition that has a better place defines one.
 */
@FunctionalInterface
public interface FirstAdminTokenSink {

  /** Called at most once in the life of a database, before the API answers. */
  void accept(FirstAdminToken token);
}
