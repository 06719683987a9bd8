package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SettableClock;
import io.peerlens.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Screens on walls over many days, by a clock that the test moves. */
class ScreenLifeIT {

  private static final Instant START = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final SettableClock CLOCK = new SettableClock(START);
  private static final Pattern MAX_AGE = Pattern.compile("Max-Age=(\\d+)");

  private static PeerlensServer server;

  @BeforeAll
  static void start() {
    server = PeerlensServer.start(TestDatabase.migrated(), Set.of(Role.API), CLOCK);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void begin() {
    CLOCK.set(START);
  }

  /** The browser of a screen: it keeps its cookie for as long as the server says. */
  private static final class Screen {
    private @Nullable String cookie;
    private Instant until = Instant.MIN;
    private int renewed;

    Answer get(String path) {
      Answer answer =
          cookie == null || !CLOCK.instant().isBefore(until)
              ? server.anonymous().get(path)
              : server.anonymous().with("Cookie", cookie).get(path);
      if (!answer.header("Set-Cookie").isEmpty()) {
        keep(answer);
        renewed++;
      }
      return answer;
    }

    void keep(Answer answer) {
      String set = answer.header("Set-Cookie");
      assertThat(set).contains("HttpOnly", "SameSite=Strict");
      Matcher age = MAX_AGE.matcher(set);
      assertThat(age.find()).as(set).isTrue();
      cookie = set.replaceFirst(";.*", "");
      until = CLOCK.instant().plusSeconds(Long.parseLong(age.group(1)));
    }
  }

  private static Screen paired(String name) {
    JsonNode waiting = server.anonymous().post("/session/pairings", "").json();
    assertThat(
            server
                .admin()
                .post(
                    "/session/pairings/approve",
                    "{\"code\":\"%s\",\"name\":\"%s\"}"
                        .formatted(waiting.path("code").asString(), name))
                .status())
        .isEqualTo(204);
    Screen screen = new Screen();
    screen.keep(
        server
            .anonymous()
            .post(
                "/session/pairings/collect",
                "{\"secret\":\"%s\"}".formatted(waiting.path("secret").asString())));
    return screen;
  }

  private static JsonNode token(String name) {
    return server
        .admin()
        .get("/tokens")
        .json()
        .path("items")
        .valueStream()
        .filter(one -> one.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aScreenThatAsksEveryHourReadsForThirtyDays() {
    Screen screen = paired("hourly");
    for (int hour = 1; hour <= 30 * 24; hour++) {
      CLOCK.set(START.plus(Duration.ofHours(hour)));
      assertThat(screen.get("/summary").status()).as("hour %d", hour).isEqualTo(200);
    }
    assertThat(screen.renewed).isBetween(28, 30);
    assertThat(Instant.parse(token("hourly").path("expiresAt").asString()))
        .isAfter(CLOCK.instant().plus(Duration.ofDays(5)))
        .isBefore(CLOCK.instant().plus(Duration.ofDays(8)));
  }

  @Test
  void aScreenThatIsOffOverAWeekendGoesOn() {
    Screen screen = paired("weekend");
    Instant monday = START.plus(Duration.ofDays(3));
    CLOCK.set(monday);
    assertThat(screen.get("/summary").status()).isEqualTo(200);
    CLOCK.set(monday.plus(Duration.ofDays(6)));
    assertThat(screen.get("/summary").status()).isEqualTo(200);
  }

  @Test
  void aScreenThatWasOffForAWeekHasToBePairedAgain() {
    Screen screen = paired("gone");
    CLOCK.set(START.plus(Duration.ofDays(7)).plusSeconds(1));
    String cookie = screen.cookie;
    assertThat(screen.get("/summary").status()).isEqualTo(401);
    // A copy of the cookie that is kept longer is of no use either.
    assertThat(
            server
                .anonymous()
                .with("Cookie", Objects.requireNonNull(cookie))
                .get("/summary")
                .status())
        .isEqualTo(401);
  }

  @Test
  void aScreenThatIsRevokedEndsWhenItWouldBeRenewed() {
    Screen screen = paired("revoked");
    CLOCK.set(START.plus(Duration.ofDays(5)));
    assertThat(screen.get("/summary").status()).isEqualTo(200);
    assertThat(server.admin().delete("/tokens/" + token("revoked").path("id").asString()).status())
        .isEqualTo(204);
    CLOCK.set(START.plus(Duration.ofDays(7)));
    Answer answer = screen.get("/summary");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("Set-Cookie")).isEmpty();
  }

  @Test
  void sessionsOfPeopleAreNotRenewed() {
    JsonNode made =
        server.admin().post("/tokens", "{\"name\":\"person\",\"role\":\"viewer\"}").json();
    Answer in =
        server
            .anonymous()
            .post("/session", "{\"token\":\"%s\"}".formatted(made.path("secret").asString()));
    ApiClient person =
        server.anonymous().with("Cookie", in.header("Set-Cookie").replaceFirst(";.*", ""));
    for (int hour = 6; hour < 7 * 24; hour += 6) {
      CLOCK.set(START.plus(Duration.ofHours(hour)));
      Answer answer = person.get("/summary");
      assertThat(answer.status()).as("hour %d", hour).isEqualTo(200);
      assertThat(answer.header("Set-Cookie")).isEmpty();
    }
    CLOCK.set(START.plus(Duration.ofDays(7)).plusSeconds(1));
    assertThat(person.get("/summary").status()).isEqualTo(401);
  }
}
