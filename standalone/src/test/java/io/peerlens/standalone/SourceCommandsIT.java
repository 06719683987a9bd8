package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.support.Vcsim;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands of sources against a running server and a vCenter simulator. */
@Timeout(300)
class SourceCommandsIT {

  @TempDir Path parent;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Somebody at a terminal, or nobody. */
  private static final class Person implements Terminal {
    private final @Nullable String confirms;
    private final List<String> asked = new ArrayList<>();

    Person(@Nullable String confirms) {
      this.confirms = confirms;
    }

    @Override
    public boolean isThere() {
      return confirms != null;
    }

    @Override
    public @Nullable String answer(String question) {
      asked.add(question);
      return question.startsWith("User") ? Vcsim.USERNAME : confirms;
    }

    @Override
    public @Nullable String hidden(String question) {
      asked.add(question);
      return Vcsim.PASSWORD;
    }

    @Override
    public @Nullable String firstLine() {
      return "not the password";
    }
  }

  private Sources sources(Terminal terminal, StandaloneServer server, Path data, String... words) {
    List<String> all = new ArrayList<>(List.of("source"));
    all.addAll(List.of(words));
    all.addAll(List.of("--data", data.toString()));
    URI url = URI.create(server.url());
    return new Sources(
        Options.parse(all),
        new ApiClient(url, ApiClient.token(DataDirectory.look(data))),
        url,
        terminal,
        InstantSource.system(),
        console());
  }

  private Console console() {
    return new Console(new PrintStream(out, true, StandardCharsets.UTF_8), false);
  }

  private String said() {
    String text = out.toString(StandardCharsets.UTF_8);
    out.reset();
    return text;
  }

  private int run(Path data, String... words) {
    List<String> all = new ArrayList<>(List.of("source"));
    all.addAll(List.of(words));
    all.addAll(List.of("--data", data.toString()));
    return Standalone.run(all, console());
  }

  @Test
  void aVCenterIsAddedListedPausedResumedAndRemoved() throws Exception {
    try (Vcsim vcsim = Vcsim.startOrSkip(parent);
        StandaloneServer server = start(parent.resolve("data"))) {
      Path data = parent.resolve("data");
      String address = vcsim.address().toString();
      out.reset();

      assertThatThrownBy(
              () -> sources(new Person("no"), server, data, "add", "vcenter", address).add())
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("not confirmed");
      assertThat(said()).contains("SHA-256  ").contains("No authority vouches for it");
      assertThatThrownBy(
              () ->
                  sources(
                          new Person(null),
                          server,
                          data,
                          "add",
                          "vcenter",
                          address,
                          "--user",
                          Vcsim.USERNAME)
                      .add())
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("--sha256");
      said();

      Person person = new Person("yes");
      assertThat(sources(person, server, data, "add", "vcenter", address, "--name", "lab").add())
          .isZero();
      String added = said();
      assertThat(added)
          .contains("found    Read-only on the root folder")
          .contains("The source \"lab\" is added")
          .doesNotContain(Vcsim.PASSWORD);
      assertThat(person.asked).hasSize(3);
      String fingerprint =
          added
              .lines()
              .filter(line -> line.matches(" *(SHA-256)? +([0-9A-F]{2}:){15}[0-9A-F]{2}"))
              .map(line -> line.replace("SHA-256", "").strip())
              .reduce((one, other) -> one + ":" + other)
              .orElseThrow();
      assertThat(fingerprint).hasSize(95);

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(run(data, "list")).isZero();
                assertThat(said()).containsPattern("vcenter +lab +fresh");
              });
      assertThat(run(data, "pause", "LAB")).isZero();
      assertThat(run(data, "list")).isZero();
      assertThat(said()).containsPattern("vcenter +lab +paused").contains("Paused by");
      assertThat(run(data, "resume", "lab")).isZero();
      assertThat(run(data, "remove", "lab")).as(() -> said()).isZero();
      assertThat(said()).contains("is removed");
      assertThat(run(data, "remove", "lab")).isEqualTo(1);

      Path password = parent.resolve("password");
      Files.writeString(password, Vcsim.PASSWORD + "\n");
      String[] scripted = {
        "add", "vcenter", address, "--user", Vcsim.USERNAME, "--password-file", password.toString()
      };
      assertThat(run(data, with(scripted, "--sha256", "00".repeat(32)))).isEqualTo(1);
      assertThat(run(data, with(scripted, "--sha256", fingerprint.toLowerCase(Locale.ROOT))))
          .isZero();
      assertThat(said()).contains("The source \"127.0.0.1\" is added");
      assertThatThrownBy(
              () ->
                  sources(
                          new Person(null),
                          server,
                          data,
                          "add",
                          "vcenter",
                          address,
                          "--user",
                          Vcsim.USERNAME,
                          "--name",
                          "second",
                          "--sha256",
                          fingerprint)
                      .add())
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("refuses the account");
      assertThat(run(data, "list")).isZero();
      assertThat(said()).doesNotContain("second");
    }
    assertThat(run(parent.resolve("nothing"), "list")).isEqualTo(3);
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private StandaloneServer start(Path data) throws InterruptedException, IOException {
    return StandaloneServer.start(
        Options.parse(
            List.of(
                "start",
                "--no-sample",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(Ports.anyFree()),
                "--kafka-port",
                Integer.toString(Ports.anyFree()))),
        console());
  }
}
