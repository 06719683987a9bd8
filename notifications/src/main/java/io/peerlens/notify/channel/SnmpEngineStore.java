package io.peerlens.notify.channel;

import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of the one SNMP engine of all nodes. */
final class SnmpEngineStore {

  /**
   * When the clock was set back by more than nodes may differ, a new boot begins: receivers would
   * take what comes now for old otherwise.
   */
  private static final String USE =
      """
      insert into snmp_engine (engine_id, boots, started_at, used_at) values (:id, 1, :now, :now)
      on conflict (one) do update set
        boots = case when :now < snmp_engine.used_at - interval '2 minutes'
          then snmp_engine.boots + 1 else snmp_engine.boots end,
        started_at = case when :now < snmp_engine.used_at - interval '2 minutes'
          then :now else snmp_engine.started_at end,
        used_at = case when :now < snmp_engine.used_at - interval '2 minutes'
          then :now else greatest(:now, snmp_engine.used_at) end
      returning engine_id, boots, started_at
      """;

  private final JdbcClient jdbc;

  SnmpEngineStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * The engine as of now.
   *
   * @param newId its id, should there be none yet
   */
  SnmpEngine use(byte[] newId, Instant now) {
    return jdbc.sql(USE)
        .param("id", newId)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .query(
            (row, number) ->
                new SnmpEngine(
                    row.getBytes("engine_id"),
                    row.getInt("boots"),
                    row.getTimestamp("started_at").toInstant()))
        .single();
  }
}
