package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What tokens, sessions and waiting screens of an installation become that kept them together. */
class PairingUpgradeIT {

  @Test
  void aWaitingScreenIsPairedAfterTheUpdateAndOthersContinue() {
    TestDatabase database = TestDatabase.create();
    DriverManagerDataSource dataSource =
        new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    Flyway.configure().dataSource(dataSource).target("34").load().migrate();
    JdbcClient jdbc = JdbcClient.create(dataSource);
    Secret admin = Secret.random("plt_");
    Secret session = Secret.random("pls_");
    Secret screen = Secret.random("plp_");
    UUID adminId = token(jdbc, admin, "admin", "admin", "first start", false);
    token(jdbc, Secret.random("plt_"), "gone", "viewer", "admin", true);
    String mark = "pairing " + UUID.nameUUIDFromBytes("K7QX4M2P".getBytes(StandardCharsets.UTF_8));
    token(jdbc, screen, "screen", "viewer", mark, true);
    jdbc.sql(
            "insert into browser_session values (:hash, :token, now(), now() + interval '1 d', now())")
        .param("hash", session.hash())
        .param("token", adminId)
        .update();

    try (PeerlensServer server = PeerlensServer.start(database, Set.of(Role.API))) {
      assertThat(server.adminToken()).isNull();
      var byToken = server.anonymous().with("Authorization", "Bearer " + admin.value());
      var byCookie = server.anonymous().with("Cookie", "peerlens_session=" + session.value());
      assertThat(byCookie.get("/sessions").json().at("/items/0/own").asBoolean()).isTrue();
      assertThat(byToken.get("/tokens").json().at("/items/0/expiresAt").isNull()).isTrue();
      assertThat(byToken.get("/tokens?revoked=true").json().path("items").valueStream())
          .extracting(t -> t.path("name").asString())
          .containsExactlyInAnyOrder("admin", "gone");
      String collect = "{\"secret\":\"" + screen.value() + "\"}";
      assertThat(
              server
                  .anonymous()
                  .post("/session/pairings/collect", collect)
                  .json()
                  .path("paired")
                  .asBoolean())
          .isFalse();
      assertThat(
              byToken
                  .post("/session/pairings/approve", "{\"code\":\"k7qx-4m2p\",\"name\":\"Hall\"}")
                  .status())
          .isEqualTo(204);
      assertThat(
              server
                  .anonymous()
                  .post("/session/pairings/collect", collect)
                  .json()
                  .at("/session/name")
                  .asString())
          .isEqualTo("Hall");
    }
  }

  private static UUID token(
      JdbcClient jdbc, Secret secret, String name, String role, String by, boolean revoked) {
    UUID id = UUID.randomUUID();
    OffsetDateTime now = OffsetDateTime.now();
    jdbc.sql(
            """
            insert into api_token (id, name, role, secret_hash, created_at, created_by, expires_at, revoked_at)
            values (:id, :name, :role, :hash, :now, :by, case when :by like 'pairing %' then :now + interval '10 min' end,
              case when :revoked then :now end)
            """)
        .param("id", id)
        .param("name", name)
        .param("role", role)
        .param("hash", secret.hash())
        .param("now", now)
        .param("by", by)
        .param("revoked", revoked)
        .update();
    return id;
  }
}
