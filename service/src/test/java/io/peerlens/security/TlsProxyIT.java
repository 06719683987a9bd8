package io.peerlens.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.Programs;
import io.peerlens.support.TestCertificates;
import io.peerlens.support.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Peerlens behind TLS proxies that run with the files of the documentation. */
class TlsProxyIT {

  private static final Path FILES = Path.of("..", "docker", "tls");
  private static final Duration STARTS = Duration.ofSeconds(30);

  @TempDir static Path folder;

  private static PeerlensServer server;
  private static TestCertificates certificates;
  private static int port;

  private Process proxy;
  private HttpClient http;

  @BeforeAll
  static void start() throws IOException {
    server =
        PeerlensServer.start(
            TestDatabase.create(),
            Set.of(Role.API),
            "server.forward-headers-strategy=native",
            "peerlens.security.sign-in-attempts=3");
    certificates = TestCertificates.make(folder, "CN=localhost", "dns:localhost,ip:127.0.0.1");
    Files.writeString(folder.resolve("peerlens.pem"), certificates.certificatePem());
    Files.writeString(folder.resolve("peerlens.key"), certificates.keyPem());
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @AfterEach
  void stopProxy() throws InterruptedException {
    if (http != null) {
      http.shutdownNow();
    }
    if (proxy != null) {
      proxy.descendants().forEach(ProcessHandle::destroy);
      proxy.destroy();
      assertThat(proxy.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void theDocumentationShowsTheFilesAsTheyAre() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "tls.md"));
    for (String file : List.of("nginx.conf", "Caddyfile")) {
      assertThat(page).contains(Files.readString(FILES.resolve(file)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "caddy"})
  void headersOfAProxyGiveClientAddressAndScheme(String kind) throws Exception {
    proxy = kind.equals("nginx") ? nginx() : caddy();
    http = client("127.0.0.1");
    awaitStart();

    // The cookie is for this host and https alone.
    String body = "{\"token\":\"" + server.adminToken() + "\"}";
    HttpResponse<String> signedIn = post(http, "/api/v1/session", body);
    assertThat(signedIn.statusCode()).isEqualTo(200);
    String cookie = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie)
        .startsWith("__Host-peerlens_session=pls_")
        .contains("Secure", "HttpOnly", "SameSite=Strict", "Path=/")
        .doesNotContain("Domain");
    assertThat(signedIn.headers().firstValue("Strict-Transport-Security").orElse(""))
        .contains("max-age=31536000");
    String pair = cookie.replaceFirst(";.*", "");
    assertThat(get(http, "/api/v1/session", "Cookie", pair).statusCode()).isEqualTo(200);
    assertThat(get(http, "/api/v1/session", "Cookie", pair.replace("__Host-", "")).statusCode())
        .as("a cookie that another host of the domain could have set")
        .isEqualTo(401);

    // The address is that of the browser, whatever the browser says.
    try (HttpClient other = client("127.0.0.4")) {
      assertThat(
              post(other, "/api/v1/session", body, "X-Forwarded-For", "203.0.113.9").statusCode())
          .isEqualTo(200);
    }
    JsonNode sessions =
        JsonMapper.shared().readTree(get(http, "/api/v1/sessions", "Cookie", pair).body());
    assertThat(sessions.path("items").valueStream().map(s -> s.path("address").asString()))
        .contains("127.0.0.1", "127.0.0.4")
        .doesNotContain("203.0.113.9");

    // Wrong tokens of one address do not count for another.
    String guesser = kind.equals("nginx") ? "127.0.0.2" : "127.0.0.5";
    String wrong = "{\"token\":\"plt_wrong\"}";
    try (HttpClient bad = client(guesser);
        HttpClient good = client("127.0.0.3")) {
      for (int i = 0; i < 3; i++) {
        assertThat(post(bad, "/api/v1/session", wrong).statusCode()).isEqualTo(401);
      }
      assertThat(
              post(bad, "/api/v1/session", wrong, "X-Forwarded-For", "203.0.113." + port % 250)
                  .statusCode())
          .isEqualTo(429);
      if (kind.equals("nginx")) {
        assertThat(post(good, "/api/v1/session", wrong).statusCode()).isEqualTo(401);
      }
      assertThat(post(good, "/api/v1/session", body).statusCode()).isEqualTo(200);
    }

    // Events come as they happen: the first long before the next, which is 15 s away.
    HttpResponse<InputStream> events =
        http.send(
            request("/api/v1/alerts/events", "Cookie", pair).GET().build(),
            BodyHandlers.ofInputStream());
    assertThat(events.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(events.body(), UTF_8))) {
      String first =
          CompletableFuture.supplyAsync(
                  () -> {
                    try {
                      return lines.readLine();
                    } catch (IOException e) {
                      return String.valueOf(e);
                    }
                  })
              .get(10, TimeUnit.SECONDS);
      assertThat(first).contains("listening");
    }

    // Files pass up to the limit, and what is longer does not.
    assertThat(importOf(pair, signedIn, 20 << 20)).as("20 MB").isEqualTo(400);
    assertThat(importOf(pair, signedIn, 33 << 20)).as("33 MB").isIn(413, 0);
  }

  /** Status of an import that is no JSON; 0 = the connection was closed while it was sent. */
  private int importOf(String cookie, HttpResponse<String> signedIn, int length)
      throws InterruptedException {
    String csrf = JsonMapper.shared().readTree(signedIn.body()).path("csrfToken").asString();
    HttpRequest request =
        request("/api/v1/rules/import", "Cookie", cookie, "X-CSRF-Token", csrf)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(new byte[length]))
            .build();
    try {
      return http.send(request, BodyHandlers.ofString()).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  private Process nginx() throws IOException {
    Path program = Programs.need("nginx", "Debian package nginx-light");
    String site =
        replaced(Files.readString(FILES.resolve("nginx.conf")))
            .replace("listen 80;", "listen 127.0.0.1:" + freePort() + ";")
            .replace("listen 443 ssl http2;", "listen 127.0.0.1:" + port + " ssl http2;");
    String all =
        """
        daemon off;
        pid %1$s/nginx.pid;
        error_log stderr warn;
        events {}
        http {
          access_log off;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
        %2$s
        }
        """
            .formatted(folder, site);
    if (System.getProperty("user.name").equals("root")) {
      all = "user root;\n" + all;
    }
    Path file = Files.writeString(folder.resolve("nginx.conf"), all);
    return run("nginx", program.toString(), "-p", folder.toString(), "-c", file.toString());
  }

  private Process caddy() throws IOException {
    Path program = Programs.need("caddy", "Debian package caddy");
    String site =
        "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
            + replaced(Files.readString(FILES.resolve("Caddyfile")))
                .replace("localhost {", "localhost:" + port + " {");
    Path file = Files.writeString(folder.resolve("Caddyfile"), site);
    return run(
        "caddy", program.toString(), "run", "--adapter", "caddyfile", "--config", file.toString());
  }

  /**
   * The file with what everybody has to change: the name, the certificate and where Peerlens is.
   */
  private static String replaced(String text) {
    assertThat(text).contains("peerlens.example.com", "/etc/ssl/peerlens.pem", "127.0.0.1:8080");
    return text.replace("peerlens.example.com", "localhost")
        .replace("/etc/ssl/", folder + "/")
        .replace("127.0.0.1:8080", URI.create(server.url()).getAuthority());
  }

  private static Process run(String name, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("XDG_DATA_HOME", folder.resolve("data").toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    return builder.start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private void awaitStart() {
    Awaitility.await()
        .atMost(STARTS)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(proxy.isAlive()).as(() -> "the proxy runs: " + logs()).isTrue();
              assertThat(get(http, "/health").statusCode()).isEqualTo(200);
            });
  }

  private static String logs() {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("nginx.log", "caddy.log")) {
      try {
        text.append(Files.readString(folder.resolve(name)));
      } catch (IOException e) {
        // That proxy did not run.
      }
    }
    return text.toString();
  }

  private static HttpClient client(String address) throws IOException {
    return HttpClient.newBuilder()
        .sslContext(certificates.context(certificates))
        .localAddress(InetAddress.getByName(address))
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(10))
        .build();
  }

  private static HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
            .timeout(Duration.ofSeconds(60));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request;
  }

  private static HttpResponse<String> get(HttpClient http, String path, String... headers)
      throws IOException, InterruptedException {
    return http.send(request(path, headers).GET().build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(
      HttpClient http, String path, String json, String... headers)
      throws IOException, InterruptedException {
    return http.send(
        request(path, headers)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build(),
        BodyHandlers.ofString());
  }
}
