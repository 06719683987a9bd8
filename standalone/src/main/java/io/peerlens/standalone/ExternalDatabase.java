package io.peerlens.standalone;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that somebody else runs, named by {@code --database}. User and password come from the
 * environment, or stand in the URL, which then wins.
 */
final class ExternalDatabase {

  private static final Logger LOG = LoggerFactory.getLogger(ExternalDatabase.class);
  private static final int SECONDS_PER_HOST = 10;

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
    login.setProperty("connectTimeout", Integer.toString(SECONDS_PER_HOST));
    login.setProperty("hostRecheckSeconds", "0"); // no host is left out for what it was before
    login.setProperty("loginTimeout", Integer.toString(SECONDS_PER_HOST * hosts(url)));
    try (Connection connection = DriverManager.getConnection(url, login)) {
      LOG.info("Database {}", connection.getMetaData().getDatabaseProductVersion());
    } catch (SQLException e) {
      throw new Refusal(
          "The database " + withoutSecrets(url) + " cannot be used: " + e.getMessage() + hint(e));
    }
  }

  /** How many hosts the URL names; the driver tries one after another. */
  static int hosts(String url) {
    Properties parsed = Driver.parseURL(url, null);
    String hosts = parsed == null ? null : parsed.getProperty("PGHOST");
    return hosts == null ? 1 : hosts.split(",").length;
  }

  private static String hint(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return switch (state) {
      case "28P01", "28000" ->
          "\nSet user and password in PEERLENS_DATABASE_USER and PEERLENS_DATABASE_PASSWORD.";
      case "3D000" -> "\nMake it first: create database NAME owner USER";
      default ->
          state.startsWith("08")
              ? "\nCheck host and port, and that the server listens there; of several hosts, that"
                  + " one is what targetServerType asks for."
              : "";
    };
  }

  /** The URL as it may be shown: its parameters can hold a password. */
  private static String withoutSecrets(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }
}
