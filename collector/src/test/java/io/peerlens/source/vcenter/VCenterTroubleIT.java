package io.peerlens.source.vcenter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.peerlens.source.ActiveSource;
import io.peerlens.source.Part;
import io.peerlens.source.SourceError;
import io.peerlens.support.Vcsim;
import io.peerlens.vcenter.vim.Certificates;
import io.peerlens.vcenter.vim.HostAddresses;
import io.peerlens.vcenter.vim.Trust;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A vCenter that hangs, resets, answers 503, ends sessions, changes its certificate, is away. */
@Timeout(180)
class VCenterTroubleIT {

  private static final HostAddresses ANYWHERE =
      (host, port) -> List.of(InetAddress.getAllByName(host));
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private static VCenterCollector collector(Told into, int port, String pin, Set<Part> parts) {
    return new VCenterCollector(
        new ActiveSource(
            UUID.randomUUID(),
            "vc",
            URI.create("https://127.0.0.1:" + port),
            Vcsim.USERNAME,
            () -> Vcsim.PASSWORD,
            io.peerlens.source.Trust.Authorities.OF_THE_SYSTEM,
            parts,
            Map.of("identity", "vc"),
            1),
        ANYWHERE,
        new Trust.Pinned(pin),
        into,
        into,
        vcenter -> Map.of(),
        InstantSource.system());
  }

  private static String pin(int port) throws Exception {
    return Certificates.sha256(
        Certificates.shownBy(
                "127.0.0.1", port, List.of(InetAddress.getLoopbackAddress()), Duration.ofSeconds(5))
            .getFirst());
  }

  private static void awaitObjects(Told told) {
    await().atMost(Duration.ofSeconds(60)).until(() -> told.last(Part.CONFIGURATION).isPresent());
  }

  private static SourceError error(Told told, Part part) {
    return await()
        .atMost(Duration.ofSeconds(100))
        .until(
            () ->
                told.reports.stream()
                    .filter(report -> report.part() == part)
                    .map(report -> report.error())
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null),
            Objects::nonNull);
  }

  private static boolean isOff(Told told, String name) {
    return told.named("VirtualMachine", name)
        .filter(vm -> vm.properties().get("summary|runtime|powerState").equals("Powered Off"))
        .isPresent();
  }

  @Test
  void aHangingVCenterIsReportedAndReadAgainWhenItAnswers() throws Exception {
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-vm", "2", "-host", "1");
        TroubledProxy proxy = new TroubledProxy(vcsim.port())) {
      Told told = new Told();
      try (VCenterCollector unused =
          collector(told, proxy.port(), pin(vcsim.port()), EnumSet.of(Part.CONFIGURATION))) {
        awaitObjects(told);
        proxy.mode(TroubledProxy.Mode.HANG);
        vcsim.govc("vm.power", "-off", "DC0_H0_VM0");
        SourceError error = error(told, Part.CONFIGURATION);
        assertThat(error.code()).isEqualTo("unreachable");
        assertThat(error.what()).isNotBlank();
        assertThat(isOff(told, "DC0_H0_VM0")).isFalse();
        proxy.cut();
        proxy.mode(TroubledProxy.Mode.PASS);
        await().atMost(Duration.ofSeconds(75)).until(() -> isOff(told, "DC0_H0_VM0"));
      }
    }
  }

  @Test
  void connectionsThatAreResetAllTheTimeLoseAndDoubleNothing() throws Exception {
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-vm", "4", "-host", "2");
        TroubledProxy proxy = new TroubledProxy(vcsim.port())) {
      Told told = new Told();
      try (VCenterCollector unused =
          collector(
              told,
              proxy.port(),
              pin(vcsim.port()),
              EnumSet.of(Part.CONFIGURATION, Part.PERFORMANCE))) {
        awaitObjects(told);
        for (int i = 0; i < 8; i++) {
          proxy.cut();
          Thread.sleep(700);
        }
        proxy.mode(TroubledProxy.Mode.RESET);
        proxy.cut();
        vcsim.govc("vm.power", "-off", "DC0_H0_VM1");
        error(told, Part.CONFIGURATION);
        proxy.mode(TroubledProxy.Mode.PASS);
        await().atMost(Duration.ofSeconds(60)).until(() -> isOff(told, "DC0_H0_VM1"));
        int before = told.lines().size();
        await().atMost(Duration.ofSeconds(90)).until(() -> told.lines().size() > before);
        assertEveryMoment(told, "DC0_H0_VM0");
      }
    }
  }

  /** Of one machine, from its first moment on, each moment of 20 seconds is told. */
  private static void assertEveryMoment(Told told, String name) {
    String id = told.named("VirtualMachine", name).orElseThrow().id();
    String moid = id.substring(id.indexOf('/') + 1);
    Set<Long> moments =
        told.lines().stream()
            .filter(line -> line.startsWith("vcenter_vm_cpu,") && line.contains("moid=" + moid))
            .map(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) / 1_000_000_000)
            .collect(Collectors.toSet());
    long first = moments.stream().mapToLong(Long::longValue).min().orElseThrow();
    long last = moments.stream().mapToLong(Long::longValue).max().orElseThrow();
    Set<Long> all = new HashSet<>();
    for (long moment = first; moment <= last; moment += 20) {
      all.add(moment);
    }
    assertThat(moments).containsExactlyInAnyOrderElementsOf(all);
    assertThat(all).hasSizeGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 90})
  void whatWasMissedWhileNobodyReadIsReadFromVCentersOwnBuffer(int minutes) throws Exception {
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-vm", "2", "-host", "1")) {
      Told told = new Told();
      Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      Instant stopped = now.minus(Duration.ofMinutes(minutes));
      Instant begin = now.minus(Duration.ofMinutes(Math.min(minutes, 60))); // a vCenter has an hour
      told.position("performance.20", Long.toString(stopped.toEpochMilli()));
      try (VCenterCollector unused =
          collector(
              told,
              vcsim.port(),
              pin(vcsim.port()),
              EnumSet.of(Part.CONFIGURATION, Part.PERFORMANCE))) {
        awaitObjects(told);
        await().atMost(SOON).until(() -> told.last(Part.PERFORMANCE).isPresent());
        assertEveryMoment(told, "DC0_H0_VM0");
        long oldest =
            told.lines().stream()
                .filter(line -> line.startsWith("vcenter_vm_cpu,"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .min()
                .orElseThrow();
        assertThat(Instant.ofEpochSecond(oldest / 1_000_000_000))
            .isBetween(begin, begin.plusSeconds(45));
      }
    }
  }

  @Test
  void anEndedSessionIsBegunAnew() throws Exception {
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-vm", "2", "-host", "1")) {
      Told told = new Told();
      try (VCenterCollector unused =
          collector(told, vcsim.port(), pin(vcsim.port()), EnumSet.of(Part.CONFIGURATION))) {
        awaitObjects(told);
        int ended = 0;
        for (var session : vcsim.govcJson("session.ls").path("sessionList")) {
          if (session.path("userName").asString("").equals(Vcsim.USERNAME)
              && vcsim.tryGovc("session.rm", session.path("key").stringValue())) {
            ended++;
          }
        }
        assertThat(ended).isPositive();
        vcsim.govc("vm.power", "-off", "DC0_H0_VM1");
        await().atMost(SOON).until(() -> isOff(told, "DC0_H0_VM1"));
      }
    }
  }

  @Test
  void anotherCertificateEndsReadingUntilItIsConfirmed() throws Exception {
    Told told = new Told();
    int port;
    String pin;
    Vcsim first = Vcsim.startOrSkip(folder, "-vm", "2", "-host", "1");
    try {
      port = first.port();
      pin = pin(port);
    } catch (Exception e) {
      first.close();
      throw e;
    }
    try (VCenterCollector unused = collector(told, port, pin, EnumSet.of(Part.CONFIGURATION))) {
      awaitObjects(told);
      first.close();
      certificate(folder);
      try (Vcsim second =
          Vcsim.startOrSkip(
              folder,
              port,
              "-vm",
              "2",
              "-host",
              "1",
              "-tlscert",
              folder.resolve("cert.pem").toString(),
              "-tlskey",
              folder.resolve("key.pem").toString())) {
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () ->
                    told.reports.stream()
                        .anyMatch(
                            r ->
                                r.error() != null
                                    && r.error().code().equals("certificate-not-trusted")));
        second.govc("vm.power", "-off", "DC0_H0_VM0");
        int before = told.reports.size();
        await().atMost(Duration.ofSeconds(60)).until(() -> told.reports.size() > before + 1);
        assertThat(isOff(told, "DC0_H0_VM0")).isFalse();
        assertThat(second.govcJson("session.ls").path("sessionList").valueStream())
            .as("govc's own session is the only one")
            .hasSize(1);
      }
    } finally {
      first.close();
    }
  }

  /** A key pair in PEM, from a store that keytool makes. */
  private static void certificate(Path folder) throws Exception {
    KeyStore store = store(folder);
    char[] password = "changeit".toCharArray();
    java.util.Base64.Encoder base64 = java.util.Base64.getMimeEncoder(64, "\n".getBytes());
    Files.writeString(
        folder.resolve("cert.pem"),
        "-----BEGIN CERTIFICATE-----\n"
            + base64.encodeToString(store.getCertificate("vc").getEncoded())
            + "\n-----END CERTIFICATE-----\n");
    Files.writeString(
        folder.resolve("key.pem"),
        "-----BEGIN PRIVATE KEY-----\n"
            + base64.encodeToString(store.getKey("vc", password).getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
  }

  private static KeyStore store(Path folder) throws Exception {
    Path file = folder.resolve("vc.p12");
    if (!Files.exists(file)) {
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "vc",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=127.0.0.1",
                  "-ext",
                  "san=ip:127.0.0.1",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  file.toString(),
                  "-storepass",
                  "changeit")
              .redirectErrorStream(true)
              .start();
      keytool.getInputStream().readAllBytes();
      assertThat(keytool.waitFor()).isZero();
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, "changeit".toCharArray());
    }
    return store;
  }

  @Test
  void aVCenterThatStartsAnswers503AndIsReportedAsUnreachable() throws Exception {
    KeyStore store = store(folder);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, "changeit".toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "503 Service Unavailable (vpxd is starting)".getBytes();
          exchange.sendResponseHeaders(503, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      int port = server.getAddress().getPort();
      Told told = new Told();
      try (VCenterCollector unused =
          collector(told, port, pin(port), EnumSet.of(Part.EVENTS, Part.ALARMS))) {
        SourceError error = error(told, Part.EVENTS);
        assertThat(error.code()).isEqualTo("unreachable");
        assertThat(error.what()).contains("503");
        assertThat(error(told, Part.ALARMS).code()).isEqualTo("unreachable");
      }
    } finally {
      server.stop(0);
    }
  }
}
