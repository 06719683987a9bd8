package io.peerlens.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.notify.render.PagesAddressQueries;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class SettingsIT {

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final ApiClient API = SERVER.admin();
  private static final JdbcClient JDBC = SERVER.context().getBean(JdbcClient.class);

  @Test
  void aChangeNeedsTheVersionItWasMadeFrom() {
    String body = "{\"raw\":\"2d\",\"rollup5m\":\"30d\",\"rollup1h\":null}";
    Answer read = API.get("/settings/retention");
    assertThat(read.header("ETag")).isNotEmpty();

    Answer without = API.put("/settings/retention", body);
    assertThat(without.status()).isEqualTo(428);
    assertThat(without.json().path("code").asString()).isEqualTo("precondition-required");

    Answer changed = API.with("If-Match", read.header("ETag")).put("/settings/retention", body);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.header("ETag")).isNotEqualTo(read.header("ETag"));
    JsonNode now = API.get("/settings/retention").json();
    assertThat(now.path("raw").asString()).isEqualTo("2d");
    assertThat(now.path("rollup1h").isNull()).isTrue();

    Answer late = API.with("If-Match", read.header("ETag")).put("/settings/retention", body);
    assertThat(late.status()).isEqualTo(412);
    assertThat(late.json().path("code").asString()).isEqualTo("precondition-failed");
  }

  @Test
  void linksInNotificationsUseTheConfiguredAddress() {
    Answer before = API.get("/settings/notifications");
    assertThat(before.json().path("urlInForce").isNull()).isTrue();
    assertThat(new PagesAddressQueries(JDBC, "http://as-configured/").get())
        .isEqualTo("http://as-configured");

    Answer wrong =
        API.with("If-Match", before.header("ETag"))
            .put("/settings/notifications", "{\"url\": \"peerlens.example.com\"}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().at("/errors/0/field").asString()).isEqualTo("url");
    assertThat(wrong.json().at("/errors/0/reason").asString()).contains("https://");

    Answer set =
        API.with("If-Match", before.header("ETag"))
            .put("/settings/notifications", "{\"url\": \"https://peerlens.example.com/\"}");
    assertThat(set.status()).as(set.body()).isEqualTo(200);
    assertThat(set.json().path("urlInForce").asString()).isEqualTo("https://peerlens.example.com");
    assertThat(new PagesAddressQueries(JDBC, "http://as-configured/").get())
        .isEqualTo("https://peerlens.example.com");

    Answer back =
        API.with("If-Match", set.header("ETag")).put("/settings/notifications", before.body());
    assertThat(back.status()).as(back.body()).isEqualTo(200);
    assertThat(back.json().path("url").isNull()).isTrue();
    assertThat(new PagesAddressQueries(JDBC, "").get()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"raw\":\"2h\",\"rollup5m\":\"30d\",\"rollup1h\":null}     | raw",
        "{\"raw\":\"31d\",\"rollup5m\":\"30d\",\"rollup1h\":null}    | rollup5m",
        "{\"raw\":null,\"rollup5m\":\"30d\",\"rollup1h\":null}       | rollup5m",
        "{\"raw\":\"1d\",\"rollup5m\":\"30d\",\"rollup1h\":\"29d\"}  | rollup1h",
        "{\"raw\":\"1 day\",\"rollup5m\":\"30d\",\"rollup1h\":null}  | raw",
      })
  void aRetentionThatMakesNoSenseIsRefused(String body, String field) {
    String tag = API.get("/settings/retention").header("ETag");
    Answer answer = API.with("If-Match", tag).put("/settings/retention", body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("errors").path(0).path("field").asString()).isEqualTo(field);
    assertThat(API.get("/settings/retention").header("ETag")).isEqualTo(tag);
  }

  @Test
  void guardsAreChangedAndOtherGuardsStay() {
    Answer first = API.get("/settings/ingest-guards");
    assertThat(first.json().path("maxFuture").asString()).isEqualTo("10m");
    String body =
        """
        {"newObjectsPerMinute": 7, "newMetricNamesPerMinute": 8, "newSetsPerMinute": 9, "maxFuture": "90s", "maxRecordBytes": 2048}
        """;
    Answer changed =
        API.with("If-Match", first.header("ETag")).put("/settings/ingest-guards", body);
    assertThat(changed.status()).isEqualTo(200);
    JDBC.sql(
            "update setting set value = value || '{\"maxNameLength\": 99}' where name = 'ingest-guards'")
        .update();
    Answer again =
        API.with("If-Match", changed.header("ETag"))
            .put("/settings/ingest-guards", body.replace("90s", "3600s"));
    assertThat(again.status()).isEqualTo(200);
    assertThat(API.get("/settings/ingest-guards").json().path("maxFuture").asString())
        .isEqualTo("1h");
    assertThat(
            JDBC.sql("select value ->> 'maxNameLength' from setting where name = 'ingest-guards'")
                .query(String.class)
                .single())
        .isEqualTo("99");
    assertThat(
            JDBC.sql("select updated_by from setting where name = 'ingest-guards'")
                .query(String.class)
                .single())
        .isEqualTo("admin");
  }

  @Test
  void theStatusReportsVersionAndRoles() {
    JsonNode status = API.get("/status").json();
    assertThat(status.path("roles").valueStream().map(JsonNode::asString).toList())
        .isEqualTo(List.of("api"));
    assertThat(status.path("standalone").asBoolean()).isFalse();
    assertThat(status.path("version").asString()).isNotEmpty();
    assertThat(status.path("database").path("postgresqlVersion").asString()).matches("\\d+\\.\\d+");
    assertThat(status.path("database").path("edition").asString().startsWith("timescaledb"))
        .isEqualTo(SERVER.database().timescale());
    assertThat(status.path("database").path("sizeBytes").asLong()).isPositive();
    JsonNode totals = API.get("/ingest/status").json().path("totals");
    for (String field : List.of("pointsPerSecond", "rejectedTotal", "rejectedLastHour")) {
      assertThat(status.path("ingest").path(field)).isEqualTo(totals.path(field));
    }
  }

  /** Every page asks for it, and what it reads may take seconds. */
  @Test
  void theStateOfIngestIsAnsweredWhileItIsRefreshed() throws SQLException {
    String before = API.get("/ingest/status").json().path("time").asString();
    try (Connection connection = SERVER.database().connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table ingest_node in access exclusive mode");
      // Who waits for the lock gets no answer before it is given up below.
      await()
          .during(Duration.ofSeconds(4))
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> API.get("/ingest/status").status() == 200);
      connection.rollback();
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !API.get("/ingest/status").json().path("time").asString().equals(before));
  }
}
