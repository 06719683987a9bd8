package io.peerlens.notify.relay;

import static io.peerlens.database.Times.utc;

import java.time.Instant;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Health of relays: what came through, and what was refused. */
final class RelayHealthStore {

  private static final String RECEIVED =
      """
      insert into relay_line as l (relay_id, received_at, received, events) values (:relay, :now, 1, :events)
      on conflict (relay_id) do update
      set received_at = excluded.received_at, received = l.received + 1, events = l.events + excluded.events
      """;

  private static final String TESTED =
      """
      insert into relay_line (relay_id, tested_at) values (:relay, :now)
      on conflict (relay_id) do update set tested_at = excluded.tested_at
      """;

  private static final String WRONG =
      """
      insert into relay_line as l (relay_id, refused, error, error_at) values (:relay, :refused, :error, :now)
      on conflict (relay_id) do update
      set refused = l.refused + excluded.refused, error = excluded.error, error_at = excluded.error_at
      """;

  private final JdbcClient jdbc;

  RelayHealthStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Alerts were taken; in the transaction that takes them. */
  void received(UUID relay, int events, Instant now) {
    jdbc.sql(RECEIVED)
        .param("relay", relay)
        .param("events", events)
        .param("now", utc(now))
        .update();
  }

  /** The sender tried whether it gets through. */
  void tested(UUID relay, Instant now) {
    jdbc.sql(TESTED).param("relay", relay).param("now", utc(now)).update();
  }

  /** Something was wrong, and the request was refused, or taken all the same. */
  void wrong(UUID relay, boolean refused, String error, Instant now) {
    jdbc.sql(WRONG)
        .param("relay", relay)
        .param("refused", refused ? 1 : 0)
        .param("error", error)
        .param("now", utc(now))
        .update();
  }
}
