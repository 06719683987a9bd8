package io.peerlens.assistant;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.Programs;
import io.peerlens.support.PythonEnvironment;
import io.peerlens.support.SampleData;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The official client in Python against the live server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PythonClientIT {

  private static final Path SCRIPTS = Path.of("src/test/python/assistant");

  private SampleData data;
  private PeerlensServer server;
  private Path python;

  @BeforeAll
  void start() {
    python = PythonEnvironment.with(SCRIPTS.resolve("requirements.txt"));
    data = SampleData.create();
    data.object("VMWARE", "VirtualMachine", "web-17");
    data.object("VMWARE", "VirtualMachine", "db-1");
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
      data.close();
    }
  }

  @Test
  void theOfficialPythonClientFindsToolsAndCallsThem() {
    JsonNode got = ask(Objects.requireNonNull(server.adminToken()));
    assertThat(got.get("tools").size()).isEqualTo(16);
    assertThat(got.get("readOnly").asBoolean()).isTrue();
    assertThat(got.get("isError").asBoolean()).isFalse();
    assertThat(got.at("/structured/objects/0/name").asString()).isEqualTo("web-17");
    assertThat(got.at("/structured/objects").size()).isOne();
    assertThat(JsonMapper.shared().readTree(got.get("text").asString()))
        .isEqualTo(got.get("structured"));
    assertThat(got.get("wrongIsError").asBoolean()).isTrue();
    assertThat(got.at("/wrong/error").asString()).contains("no object matches");
    assertThat(got.get("unknown").asString()).isEqualTo("error");
  }

  @Test
  void theOfficialPythonClientSaysWhyAWrongTokenIsRefused() {
    Programs.Result result = run("plt_wrong");
    assertThat(result.exitCode()).as(result.output()).isNotZero();
    assertThat(result.output()).contains("The token is unknown, revoked or expired.");
  }

  private JsonNode ask(String token) {
    Programs.Result result = run(token);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return JsonMapper.shared().readTree(result.output().lines().toList().getLast());
  }

  private Programs.Result run(String token) {
    return Programs.run(
        Map.of("PEERLENS_TOKEN", token),
        List.of(python.toString(), SCRIPTS.resolve("client.py").toString(), server.url() + "/mcp"));
  }
}
