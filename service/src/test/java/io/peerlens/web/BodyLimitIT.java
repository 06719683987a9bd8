package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.PeerlensServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardContext;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Bodies that nobody wants, from those who may send them and from those who may not. */
class BodyLimitIT {

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final int BODY = 64 << 20;

  /** The longest body, and what the sockets of both ends hold by themselves. */
  private static final long MOST_TAKEN = (1 << 20) + (7 << 20);

  private static final Duration SOON = Duration.ofSeconds(20);

  private static final List<String> PATHS =
      List.of(
          "/",
          "/health",
          "/metrics",
          "/explorer",
          "/app/mark.svg",
          "/relay/nobody",
          "/relay/nobody/7",
          "/api/v1/session",
          "/api/v1/session/pairings/collect",
          "/api/v1/objects/query",
          "/api/v1/lookups/x",
          "/api/v1/no/such/path",
          "/%61pi/v1/objects/query",
          "/api/v1/session;x=1");

  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
          "multipart/form-data; boundary=b",
          "text/plain",
          "");

  /** What a client saw. */
  private record Seen(String call, long written, int status, Duration took) {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "TRACE", "BREW"
      })
  void aLargeBodyIsRefusedBeforeItIsRead(String method) throws Exception {
    List<Callable<Seen>> calls = new ArrayList<>();
    for (String path : PATHS) {
      for (String type : TYPES) {
        for (boolean chunked : List.of(true, false)) {
          for (boolean known : List.of(true, false)) {
            calls.add(() -> send(method, path, type, chunked, known));
          }
        }
      }
    }
    try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
      for (Future<Seen> done : clients.invokeAll(calls)) {
        Seen seen = done.get();
        assertThat(seen.status()).as(seen.call()).isBetween(400, 431);
        assertThat(seen.written()).as(seen.call()).isLessThan(MOST_TAKEN);
        assertThat(seen.took()).as(seen.call()).isLessThan(SOON);
      }
    }
  }

  /** Where no token is needed, little is read. */
  @ParameterizedTest
  @CsvSource({"15000, 401", "17000, 413"})
  void aSignInIsShort(int length, int status) throws Exception {
    String body = "{\"token\":\"plt_x\"}" + " ".repeat(length);
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (BodyPublisher publisher :
          List.of(
              BodyPublishers.ofString(body),
              BodyPublishers.ofInputStream(
                  () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(SERVER.url() + "/api/v1/session"))
                .header("Content-Type", "application/json")
                .POST(publisher)
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode())
            .as(publisher.contentLength() < 0 ? "chunked" : "announced")
            .isEqualTo(status);
      }
    }
  }

  /** A client that waits for leave to send its body does not get it without credentials. */
  @Test
  void aRequestThatWillBeRefusedIsNotAskedForItsBody() throws IOException {
    URI uri = URI.create(SERVER.url());
    for (String path : List.of("/api/v1/objects/query", "/relay/nobody", "/health")) {
      try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
        socket.setSoTimeout(10_000);
        socket
            .getOutputStream()
            .write(
                ("POST "
                        + path
                        + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 100\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(answer).as(path).startsWith("HTTP/1.1 4");
      }
    }
  }

  /**
   * What comes before the limit must not read bodies; whoever adds a filter there looks at this.
   */
  @Test
  void noFilterThatReadsBodiesComesBeforeTheLimit() {
    ServletWebServerApplicationContext context =
        (ServletWebServerApplicationContext) SERVER.context();
    TomcatWebServer server = (TomcatWebServer) Objects.requireNonNull(context.getWebServer());
    StandardContext application =
        Stream.of(server.getTomcat().getHost().findChildren())
            .map(StandardContext.class::cast)
            .findFirst()
            .orElseThrow();
    List<String> filters =
        Stream.of(application.findFilterMaps()).map(FilterMap::getFilterName).distinct().toList();
    assertThat(filters).contains("bodyLimit", "springSecurityFilterChain");
    assertThat(filters.subList(0, filters.indexOf("bodyLimit")))
        .isSubsetOf("characterEncodingFilter");
    assertThat(filters.subList(0, filters.indexOf("springSecurityFilterChain")))
        .isSubsetOf(
            "characterEncodingFilter",
            "bodyLimit",
            "requestFilter", // marks the thread
            "auditFilter", // looks at method and path
            "webMvcObservationFilter",
            "requestContextFilter");
    FilterMap limit =
        Stream.of(application.findFilterMaps())
            .filter(map -> map.getFilterName().equals("bodyLimit"))
            .findFirst()
            .orElseThrow();
    assertThat(limit.getURLPatterns()).containsExactly("/*");
  }

  /** Writes as much as the server takes, whatever it answers meanwhile. */
  private static Seen send(String method, String path, String type, boolean chunked, boolean known)
      throws Exception {
    String call =
        method
            + " "
            + path
            + " ["
            + type
            + "]"
            + (chunked ? " chunked" : "")
            + (known ? " known" : "");
    URI uri = URI.create(SERVER.url());
    long since = System.nanoTime();
    try (Socket socket = new Socket()) {
      socket.setSendBufferSize(64 << 10);
      socket.setSoTimeout((int) SOON.toMillis());
      socket.connect(
          new InetSocketAddress(InetAddress.getByName(uri.getHost()), uri.getPort()), 10_000);
      StringBuilder status = new StringBuilder();
      Thread reader = Thread.ofVirtual().start(() -> read(socket, status));
      // Ends a write that the server leaves waiting.
      Thread guard =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      reader.join(SOON);
                      socket.close();
                    } catch (InterruptedException | IOException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      long written = write(socket, request(method, path, type, chunked, known), chunked);
      reader.join(SOON);
      guard.join(SOON);
      String line = status.toString();
      return new Seen(
          call + " -> " + line,
          written,
          line.startsWith("HTTP/1.1 ") ? Integer.parseInt(line.substring(9, 12)) : 0,
          Duration.ofNanos(System.nanoTime() - since));
    }
  }

  private static String request(
      String method, String path, String type, boolean chunked, boolean known) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + (type.isEmpty() ? "" : "Content-Type: " + type + "\r\n")
        + (known ? "Authorization: Bearer " + SERVER.adminToken() + "\r\n" : "")
        + (chunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + BODY + "\r\n")
        + "\r\n";
  }

  private static long write(Socket socket, String request, boolean chunked) {
    byte[] part = new byte[16 << 10];
    Arrays.fill(part, (byte) ' '); // no JSON is wrong before it begins
    long written = 0;
    try {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      while (written < BODY) {
        if (chunked) {
          out.write(
              (Integer.toHexString(part.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        out.write(part);
        written += part.length;
        if (chunked) {
          out.write(new byte[] {'\r', '\n'});
        }
      }
      if (chunked) {
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The server has closed the connection: this is how much it took.
    }
    return written;
  }

  /** Reads the line with the status, and on until the server closes. */
  private static void read(Socket socket, StringBuilder status) {
    boolean line = true;
    try {
      InputStream in = socket.getInputStream();
      for (int c = in.read(); c >= 0; c = in.read()) {
        line &= c != '\r';
        if (line) {
          status.append((char) c);
        }
      }
    } catch (IOException e) {
      // Closed while it wrote.
    }
  }
}
