package io.peerlens.web;

import io.peerlens.support.PeerlensServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Alerts that the evaluator opened once, with all that belongs to them. They are taken away and put
 * back as tests want them, which takes no time, while a tick takes seconds; listeners hear of it as
 * of what the evaluator does.
 */
final class PagesAlerts {

  /** An alert on each of the two hosts, critical. */
  static final String HOSTS = "Hosts are busy";

  /** An alert on each of the seven VMs that report, a warning. */
  static final String VMS = "VMs are busy";

  private static final String KEEP =
      """
      create table kept_alert as table alert;
      create table kept_alert_history as table alert_history;
      """;

  private static final String COLUMNS =
      """
      select string_agg(quote_ident(column_name), ', ') from information_schema.columns
      where table_name = ? and is_identity = 'NO' and is_generated = 'NEVER' and column_name <> 'xid'
      """;

  private static final String PUT =
      """
      with put as (
        insert into alert (%1$s) select %1$s from kept_alert where definition_name = ? returning id)
      insert into alert_history (%2$s)
      select %2$s from kept_alert_history where alert_id in (select id from put) order by id
      """;

  private static final String CANCEL =
      """
      with canceled as (
        update alert set status = 'canceled', canceled_at = now(), updated_at = now(), cancel_reason = 'cleared'
        where definition_name = ? returning id, severity)
      insert into alert_history (alert_id, at, event, severity)
      select id, now(), 'canceled', severity from canceled
      """;

  private final PagesInstallation installation;
  private final String put;
  private final String hostsRule;
  private final String vmsRule;

  private PagesAlerts(
      PagesInstallation installation, String put, String hostsRule, String vmsRule) {
    this.installation = installation;
    this.put = put;
    this.hostsRule = hostsRule;
    this.vmsRule = vmsRule;
  }

  /** Stores the two rules, has them evaluated until their alerts are open, and keeps these. */
  static PagesAlerts open(PagesInstallation installation, PagesRules rules) {
    String hosts = rules.threshold(HOSTS, "HostSystem", 10, "critical");
    String vms = rules.threshold(VMS, "VirtualMachine", 10, "warning");
    try (PeerlensServer ignored = installation.evaluator()) {
      rules.awaitOpen(2 + 7);
    }
    try (Connection connection = installation.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(KEEP);
      String sql =
          PUT.formatted(columns(connection, "alert"), columns(connection, "alert_history"));
      return new PagesAlerts(installation, sql, hosts, vms);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String columns(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  /** The id of the rule behind the alerts on hosts. */
  String hostsRule() {
    return hostsRule;
  }

  /** The id of the rule behind the alerts on VMs. */
  String vmsRule() {
    return vmsRule;
  }

  /** Opens the alerts of these rules as they were. */
  void put(String... definitions) {
    for (String definition : definitions) {
      run(put, definition);
    }
  }

  /** The open alerts of a rule are about another metric of theirs. */
  void about(String definition, String key) {
    run(
        "update alert set members = jsonb_set(members, '{0,key}', to_jsonb('%s'::text)) where definition_name = ?"
            .formatted(key),
        definition);
    run(
        """
        insert into alert_history (alert_id, at, event, severity)
        select id, now(), 'members', severity from alert where definition_name = ?
        """,
        definition);
    installation.judge();
  }

  /** Closes the alerts of a rule, as when its condition is over. */
  void cancel(String definition) {
    run(CANCEL, definition);
  }

  /** There is no alert any more, and there never was one. */
  void forget() {
    try (Connection connection = installation.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("delete from alert");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void run(String sql, String definition) {
    try (Connection connection = installation.connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, definition);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
