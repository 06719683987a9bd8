package io.peerlens.vcenter.vim;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.peerlens.support.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Automation API of a vCenter that answers what a test says, and 404 to all else. */
public final class ScriptedAutomationApi implements AutoCloseable {

  private final HttpsServer server;
  private final VimTransport transport;
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();

  /** Requests, such as {@code /rest/vcenter/storage/policies}, with their queries. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /**
   * Starts one.
   *
   * @param folder for its certificate, such as a temporary one
   */
  public ScriptedAutomationApi(Path folder) throws Exception {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    TestCertificates certificate = TestCertificates.make(folder, "CN=vcenter", "ip:127.0.0.1");
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context(certificate)));
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          String path = exchange.getRequestURI().getPath();
          String query = exchange.getRequestURI().getRawQuery();
          requests.add(
              query == null ? path : path + "?" + URLDecoder.decode(query, StandardCharsets.UTF_8));
          String answer = answers.getOrDefault(path, "{}");
          int status = statuses.getOrDefault(path, answers.containsKey(path) ? 200 : 404);
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    VimAddress address =
        VimAddress.of(URI.create("https://127.0.0.1:" + server.getAddress().getPort()));
    transport =
        new VimTransport(
            address,
            (host, port) -> List.of(InetAddress.getLoopbackAddress()),
            new Trust.Pinned(certificate.sha256()));
  }

  /** Answers a path with 200 and a JSON text. */
  public ScriptedAutomationApi answer(String path, String json) {
    answers.put(path, json);
    return this;
  }

  /** Answers a path with a status. */
  public ScriptedAutomationApi refuse(String path, int status) {
    statuses.put(path, status);
    return this;
  }

  /** A client of it that has signed in. */
  public AutomationApi client() throws VimException {
    AutomationApi client = new AutomationApi(transport);
    client.login("reader", "secret");
    return client;
  }

  @Override
  public void close() throws IOException {
    transport.close();
    server.stop(0);
  }
}
