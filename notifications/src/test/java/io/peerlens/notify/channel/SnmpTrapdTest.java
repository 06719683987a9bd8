package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.Message.SyntaxType;
import io.peerlens.alerttemplates.Message.VarBind;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.support.Programs;
import io.peerlens.support.SettableClock;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What Net-SNMP's receiver makes of our notifications. */
class SnmpTrapdTest {

  private static final byte[] ENGINE = HexFormat.of().parseHex("80007ed9050102030405060708");
  private static final byte[] RESTARTED = HexFormat.of().parseHex("80007ed9050807060504030201");
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Map<String, String> SECRETS =
      Map.of(
          "community", "c0mmunity",
          "auth", "authpass12345",
          "priv", "privpass12345",
          "wrong", "wrongpass12345",
          "short", "short");

  @TempDir private static Path folder;
  private static Process daemon;
  private static Path output;
  private static int port;

  private final SettableClock clock = new SettableClock(START.plusSeconds(500));
  private SnmpEngine engine = new SnmpEngine(ENGINE, 3, START);
  private final SnmpChannel channel =
      new SnmpChannel(
          name -> {
            String value = SECRETS.get(name);
            if (value == null) {
              throw new SecretException("The secret " + name + " does not exist");
            }
            return value;
          },
          new AddressGuard(
              new EgressProperties(List.of("127.0.0.1"), List.of(), List.of()),
              HostResolver.SYSTEM),
          new SnmpEngines((id, now) -> engine, clock),
          clock);

  @BeforeAll
  static void startReceiver() throws IOException {
    Path snmptrapd = Programs.need("snmptrapd", "Debian package snmptrapd");
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path configuration = folder.resolve("snmptrapd.conf");
    StringBuilder users = new StringBuilder();
    for (String auth : List.of("SHA-224", "SHA-256", "SHA-384", "SHA-512")) {
      for (String priv : List.of("AES-128", "AES-192", "AES-256")) {
        String words = auth + " authpass12345 " + priv + " privpass12345\n";
        String name = name(auth, priv);
        users.append(
            "createUser -e 0x" + HexFormat.of().formatHex(ENGINE) + " t" + name + " " + words);
        users.append("createUser i" + name + " " + words);
        users.append("authUser log t" + name + " priv\nauthUser log i" + name + " priv\n");
      }
    }
    users.append(
        "createUser -e 0x%s restarted SHA-256 authpass12345 AES-128 privpass12345\nauthUser log restarted priv\n"
            .formatted(HexFormat.of().formatHex(RESTARTED)));
    Files.writeString(
        configuration,
        """
        disableAuthorization no
        authCommunity log c0mmunity
        format2 TRAP %%V|%%v\\n
        %s
        """
            .formatted(users));
    output = folder.resolve("traps.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            snmptrapd.toString(),
            "-f",
            "-Lf",
            output.toString(),
            "-On",
            "-C",
            "-c",
            configuration.toString(),
            "-M",
            PeerlensMibTest.BASE + ":" + PeerlensMibTest.MIB.getParent(),
            "-m",
            "SNMPv2-MIB:" + PeerlensMibTest.MIB,
            "udp:127.0.0.1:" + port);
    builder.environment().put("SNMP_PERSISTENT_DIR", folder.toString());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("console.log").toFile());
    daemon = builder.start();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> Files.exists(output) && Files.readString(output).contains("NET-SNMP"));
  }

  private static String name(String auth, String priv) {
    return (auth + priv).replace("-", "").toLowerCase(java.util.Locale.ROOT);
  }

  @AfterAll
  static void stopReceiver() throws InterruptedException {
    if (daemon != null) {
      daemon.destroy();
      daemon.waitFor(10, TimeUnit.SECONDS);
    }
  }

  @AfterEach
  void close() {
    channel.close();
  }

  private static ActiveTarget target(String snmp) {
    return ActiveTarget.read(
        UUID.randomUUID(),
        "",
        Definitions.of(
            JsonMapper.shared()
                .readTree(
                    "{\"name\": \"T\", \"type\": \"snmp\", \"snmp\": {\"host\": \"127.0.0.1\", \"port\": %d, %s}}"
                        .formatted(port, snmp.replace('\'', '"'))),
            NotificationTargetEdit.class));
  }

  private static ActiveTarget v2c(String community, boolean inform) {
    return target(
        "'version': 'v2c', 'community': {'secret': '%s'}, 'inform': %s, 'timeout': '3s'"
            .formatted(community, inform));
  }

  private static ActiveTarget v3(
      String user, String auth, String authSecret, String priv, String privSecret, boolean inform) {
    return target(
        """
        'version': 'v3', 'user': '%s', 'authProtocol': '%s', 'authPassword': {'secret': '%s'},
        'privProtocol': '%s', 'privPassword': {'secret': '%s'}, 'inform': %s, 'timeout': '3s'
        """
            .formatted(user, auth, authSecret, priv, privSecret, inform));
  }

  private static Message.Trap trap(String id, String info) {
    return new Message.Trap(
        "1.3.6.1.4.1.32473.1.0.1",
        List.of(
            new VarBind("1.3.6.1.4.1.32473.1.1.1.0", SyntaxType.OCTET_STRING, id),
            new VarBind("1.3.6.1.4.1.32473.1.1.2.0", SyntaxType.GAUGE, "42"),
            new VarBind("1.3.6.1.4.1.32473.1.1.4.0", SyntaxType.INTEGER, "4"),
            new VarBind("1.3.6.1.4.1.32473.1.1.9.0", SyntaxType.OCTET_STRING, info)));
  }

  private Exchange send(Message message, ActiveTarget target) {
    return channel.send(
        message, target, new Attempt(UUID.randomUUID(), UUID.randomUUID(), 1, 1, clock.instant()));
  }

  private static String received(String id) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                Files.readString(output)
                    .lines()
                    .filter(line -> line.contains(id))
                    .findFirst()
                    .orElse(""),
            line -> !line.isEmpty());
  }

  @Test
  void aTrapOfVersion2ArrivesWithItsVariablesInOrder() {
    Exchange exchange = send(trap("id-v2c-trap", "on fire"), v2c("community", false));
    assertThat(exchange.verdict()).isEqualTo(new Verdict.DeliveredUnconfirmed());
    assertThat(exchange.answer()).isNull();
    assertThat(received("id-v2c-trap"))
        .matches(
            "TRAP \\.1\\.3\\.6\\.1\\.2\\.1\\.1\\.3\\.0 = Timeticks: \\(50000\\)"
                + " 0:08:20\\.00\\|\\.1\\.3\\.6\\.1\\.6\\.3\\.1\\.1\\.4\\.1\\.0 = OID:"
                + " \\.1\\.3\\.6\\.1\\.4\\.1\\.32473\\.1\\.0\\.1\\|\\.1\\.3\\.6\\.1\\.4\\.1\\.32473\\.1\\.1\\.1\\.0"
                + " = STRING: id-v2c-trap\\|\\.1\\.3\\.6\\.1\\.4\\.1\\.32473\\.1\\.1\\.2\\.0 ="
                + " Gauge32: 42\\|\\.1\\.3\\.6\\.1\\.4\\.1\\.32473\\.1\\.1\\.4\\.0 = INTEGER:"
                + " critical\\(4\\)\\|\\.1\\.3\\.6\\.1\\.4\\.1\\.32473\\.1\\.1\\.9\\.0 = STRING: on"
                + " fire");
    assertThat(exchange.sent().line()).isEqualTo("SNMP v2c trap to 127.0.0.1:" + port);
    assertThat(exchange.sent().header("community")).isEqualTo("secret community");
    assertThat(exchange.sent().body()).contains("32473.1.1.9.0 = OCTET STRING: on fire");
    assertThat(exchange.toString()).doesNotContain("c0mmunity");
  }

  @Test
  void anInformIsConfirmed() {
    Exchange exchange = send(trap("id-v2c-inform", "on fire"), v2c("community", true));
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(exchange.answer()).isNotNull();
    received("id-v2c-inform");
  }

  @Test
  void anUnconfirmedInformIsRetried() {
    Exchange exchange = send(trap("id-unknown", "x"), v2c("wrong", true));
    assertThat(exchange.verdict())
        .isInstanceOfSatisfying(
            Verdict.Retry.class, retry -> assertThat(retry.reason()).contains("was not confirmed"));
    assertThat(exchange.took()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(10));
  }

  @Test
  void version3WorksWithEveryProtocolOffered() {
    List<String> ids = new ArrayList<>();
    for (String auth : List.of("SHA-224", "SHA-256", "SHA-384", "SHA-512")) {
      for (String priv : List.of("AES-128", "AES-192", "AES-256")) {
        String id = "id-" + name(auth, priv);
        assertThat(
                send(
                        trap(id + "-trap", "x"),
                        v3("t" + name(auth, priv), auth, "auth", priv, "priv", false))
                    .verdict())
            .isEqualTo(new Verdict.DeliveredUnconfirmed());
        ids.add(id + "-trap");
      }
      String id = "id-" + name(auth, "AES-128") + "-inform";
      assertThat(
              send(
                      trap(id, "x"),
                      v3("i" + name(auth, "AES-128"), auth, "auth", "AES-128", "priv", true))
                  .verdict())
          .isEqualTo(new Verdict.Delivered());
      ids.add(id);
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(Files.readString(output)).contains(ids));
  }

  @Test
  void aSenderThatWasRestartedIsStillHeard() {
    ActiveTarget target = v3("restarted", "SHA-256", "auth", "AES-128", "priv", false);
    engine = new SnmpEngine(RESTARTED, 3, START);
    Exchange exchange = send(trap("id-before-restart", "x"), target);
    assertThat(exchange.sent().header("engine id")).isEqualTo("0x80007ed9050807060504030201");
    received("id-before-restart");
    // Another process, a minute later: the same engine, the same boots, later time.
    clock.set(clock.instant().plusSeconds(60));
    try (SnmpChannel other =
        new SnmpChannel(
            SECRETS::get,
            new AddressGuard(
                new EgressProperties(List.of("127.0.0.1"), List.of(), List.of()),
                HostResolver.SYSTEM),
            new SnmpEngines((id, now) -> engine, clock),
            clock)) {
      other.send(
          trap("id-after-restart", "x"),
          target,
          new Attempt(UUID.randomUUID(), UUID.randomUUID(), 1, 1, clock.instant()));
      received("id-after-restart");
      // The clock was set back by a day, so a new boot began.
      clock.set(clock.instant().minus(Duration.ofDays(1)));
      engine = new SnmpEngine(RESTARTED, 4, clock.instant());
      other.send(
          trap("id-after-clock", "x"),
          target,
          new Attempt(UUID.randomUUID(), UUID.randomUUID(), 1, 1, clock.instant()));
      received("id-after-clock");
    }
  }

  /**
   * Reports of them are not authenticated, so anybody could send one: they must not pause a target.
   */
  @Test
  void wrongCredentialsOfVersion3AreTriedAgainWithAHint() {
    for (ActiveTarget target :
        List.of(
            v3("isha256aes128", "SHA-256", "wrong", "AES-128", "priv", true),
            v3("isha256aes128", "SHA-256", "auth", "AES-128", "wrong", true),
            v3("nobody", "SHA-256", "auth", "AES-128", "priv", true))) {
      assertThat(send(trap("id-wrong", "x"), target).verdict())
          .isInstanceOfSatisfying(
              Verdict.Retry.class,
              retry -> assertThat(retry.reason()).contains("does not accept our credentials"));
    }
  }

  @Test
  void aPasswordThatIsTooShortPausesTheTarget() {
    assertThat(
            send(
                    trap("id-short", "x"),
                    v3("isha256aes128", "SHA-256", "short", "AES-128", "priv", true))
                .verdict())
        .isInstanceOfSatisfying(
            Verdict.Unauthorized.class,
            verdict -> assertThat(verdict.reason()).contains("shorter than 8"));
  }

  @Test
  void aLongNotificationIsCutAndStillArrivesWhole() throws IOException {
    List<VarBind> binds = new ArrayList<>(trap("id-long", "ä".repeat(2000)).varBinds());
    binds.add(new VarBind("1.3.6.1.4.1.32473.1.1.14.0", SyntaxType.OCTET_STRING, "y".repeat(2000)));
    binds.add(new VarBind("1.3.6.1.4.1.32473.1.1.22.0", SyntaxType.OCTET_STRING, "the end"));
    Message.Trap trap = new Message.Trap("1.3.6.1.4.1.32473.1.0.1", binds);
    assertThat(send(trap, v2c("community", false)).verdict().delivered()).isTrue();
    assertThat(received("id-long")).contains("...").contains("the end");
    assertThat(
            send(trap, v3("tsha512aes256", "SHA-512", "auth", "AES-256", "priv", false))
                .verdict()
                .delivered())
        .isTrue();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> Files.readString(output).lines().filter(l -> l.contains("the end")).count() == 2);
  }

  @Test
  void anInvalidNotificationIsRefused() {
    assertThat(
            send(
                    new Message.Trap(
                        "1.3.6.1", List.of(new VarBind("1.3.6.1.1", SyntaxType.INTEGER, "x"))),
                    v2c("community", false))
                .verdict())
        .isInstanceOf(Verdict.Refused.class);
    assertThat(send(new Message.Trap("nonsense", List.of()), v2c("community", false)).verdict())
        .isInstanceOf(Verdict.Refused.class);
    assertThat(
            send(new Message.Mail("s", "t", null, List.of(), false), v2c("community", false))
                .verdict())
        .isInstanceOf(Verdict.Refused.class);
  }
}
