package io.peerlens.standalone;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that somebody else runs, named by {@code --database}. User and password come from the
 * environment, or stand in the URL, which then wins.
 */
final class ExternalDatabase {

  private static final Logger LOG = LoggerFactory.getLogger(ExternalDatabase.class);
  private static final String LOGIN_TIMEOUT_SECONDS = "10";

  private ExternalDatabase() {}

  /**
   * Tries the database before anything is started for it.
   *
   * @throws Refusal saying which database as whom, what is wrong and how to mend it
   */
  static void check(String url, Map<String, String> environment) {
    Properties login = new Properties();
    login.setProperty("user", environment.getOrDefault("PEERLENS_DATABASE_USER", "peerlens"));
    login.setProperty(
        "password", environment.getOrDefault("PEERLENS_DATABASE_PASSWORD", "peerlens"));
    login.setProperty("loginTimeout", LOGIN_TIMEOUT_SECONDS);
    login.setProperty("connectTimeout", LOGIN_TIMEOUT_SECONDS);
    try (Connection connection = DriverManager.getConnection(url, login)) {
      LOG.info("Database {}", connection.getMetaData().getDatabaseProductVersion());
    } catch (SQLException e) {
      throw new Refusal(
          "The database " + withoutSecrets(url) + " cannot be used: " + e.getMessage() + hint(e));
    }
  }

  private static String hint(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return switch (state) {
      case "28P01", "28000" ->
          "\nSet user and password in PEERLENS_DATABASE_USER and PEERLENS_DATABASE_PASSWORD.";
      case "3D000" -> "\nMake it first: create database NAME owner USER";
      default ->
          state.startsWith("08") ? "\nCheck host and port, and that the server listens there." : "";
    };
  }

  /** The URL as it may be shown: its parameters can hold a password. */
  private static String withoutSecrets(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }
}
