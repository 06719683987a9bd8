package io.peerlens.notify.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SecretsIT {

  private static final String VALUE = "very-s3cret-välue";

  @Test
  void secretsAreWrittenAndNeverRead(@TempDir Path folder) throws IOException, SQLException {
    Path key = folder.resolve("key");
    Files.writeString(key, KeyRing.newKeyText(""));
    TestDatabase database = TestDatabase.migrated();
    try (PeerlensServer server =
        PeerlensServer.start(database, Set.of(Role.API), "peerlens.secrets.key-file=" + key)) {
      ApiClient admin = server.admin();
      assertThat(admin.put("/secrets/pd-key", "{\"value\": \"" + VALUE + "\"}").status())
          .isEqualTo(204);
      ApiClient.Answer list = admin.get("/secrets");
      assertThat(list.body()).doesNotContain(VALUE);
      JsonNode one = list.json().path("items").get(0);
      assertThat(one.path("name").asString()).isEqualTo("pd-key");
      assertThat(one.path("openable").asBoolean()).isTrue();
      assertThat(admin.put("/secrets/pd-key", "{\"value\": \"abc\"}").status()).isEqualTo(400);
      assertThat(admin.put("/secrets/Bad%20Name", "{\"value\": \"abcd\"}").status()).isEqualTo(400);

      Secrets secrets = server.context().getBean(Secrets.class);
      assertThat(secrets.value("pd-key")).isEqualTo(VALUE);
      assertThat(everything(database)).doesNotContain(VALUE, hex(VALUE));

      // A new key: the old one still opens; after the rotation it is not needed any more.
      String old = Files.readString(key);
      Files.writeString(key, KeyRing.newKeyText(old));
      assertThat(secrets.value("pd-key")).isEqualTo(VALUE);
      JsonNode rotation = admin.post("/secrets/rotate-key", "").json();
      assertThat(rotation.path("rotated").asInt()).isEqualTo(1);
      assertThat(rotation.path("unopenable").size()).isZero();
      Files.writeString(key, KeyRing.firstKeyText(Files.readString(key)));
      assertThat(secrets.value("pd-key")).isEqualTo(VALUE);
      assertThat(admin.post("/secrets/rotate-key", "").json().path("rotated").asInt()).isZero();

      // With a wrong key it cannot be opened, which is said and not hidden.
      Files.writeString(key, old);
      assertThatThrownBy(() -> secrets.value("pd-key"))
          .isInstanceOf(SecretException.class)
          .hasMessageContaining("sealed with the key");
      assertThat(admin.get("/secrets").json().path("items").get(0).path("openable").asBoolean())
          .isFalse();
      assertThat(admin.post("/secrets/rotate-key", "").json().path("unopenable").get(0).asString())
          .isEqualTo("pd-key");

      assertThat(admin.delete("/secrets/pd-key").status()).isEqualTo(204);
      assertThat(admin.delete("/secrets/pd-key").status()).isEqualTo(404);
      assertThatThrownBy(() -> secrets.value("pd-key")).hasMessageContaining("does not exist");
      String generated = secrets.putGenerated("Target: Password", VALUE, "me");
      assertThat(generated).matches("target-password-[0-9a-f]{8}");
    }
  }

  @Test
  void withoutAKeySecretsAreRefusedWithAHint() {
    try (PeerlensServer server = PeerlensServer.start(TestDatabase.migrated(), Set.of(Role.API))) {
      ApiClient.Answer answer = server.admin().put("/secrets/some", "{\"value\": \"abcd\"}");
      assertThat(answer.status()).isEqualTo(409);
      assertThat(answer.json().path("hint").asString()).contains("peerlens.secrets.key-file");
    }
  }

  private static String everything(TestDatabase database) throws SQLException {
    StringBuilder all = new StringBuilder();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select s::text from secret s")) {
      while (rows.next()) {
        all.append(rows.getString(1)).append('\n');
      }
    }
    assertThat(all.toString()).contains("pd-key");
    return all.toString();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
