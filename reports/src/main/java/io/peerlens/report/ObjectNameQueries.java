package io.peerlens.report;

import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Names of objects. Thread-safe. */
final class ObjectNameQueries {

  private static final String NAME = "select name from object where uuid = :id";

  private final JdbcClient jdbc;

  ObjectNameQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Empty = there is no such object. */
  Optional<String> name(String id) {
    try {
      return jdbc.sql(NAME).param("id", UUID.fromString(id)).query(String.class).optional();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
