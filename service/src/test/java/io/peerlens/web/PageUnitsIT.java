package io.peerlens.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Unit tests of the modules of the pages, which are JavaScript themselves: each file {@code
 * src/test/js/x.test.js} runs in a page of its own, with nothing around it but the modules that it
 * imports. All of them run in two zones, since what a page says must not depend on the browser's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageUnitsIT {

  private static final Path TESTS = Path.of("src/test/js");
  private static final Path PAGES = Path.of("src/main/resources/static");
  private static final List<String> ZONES = List.of("UTC", "Europe/Berlin");

  private final Map<String, BrowserContext> browsers = new HashMap<>();
  private Chromium chromium;
  private HttpServer server;

  @BeforeAll
  void open() throws IOException {
    chromium = Chromium.startOrSkip();
    for (String zone : ZONES) {
      browsers.put(
          zone,
          chromium
              .browser()
              .newContext(new NewContextOptions().setTimezoneId(zone).setLocale("en-GB")));
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.createContext("/", PageUnitsIT::serve);
    server.start();
  }

  @AfterAll
  void close() {
    if (server != null) {
      server.stop(0);
      chromium.close();
    }
  }

  @TestFactory
  Stream<DynamicNode> modules() throws IOException {
    List<String> files;
    try (Stream<Path> all = Files.walk(TESTS)) {
      files =
          all.map(file -> TESTS.relativize(file).toString().replace('\\', '/'))
              .filter(file -> file.endsWith(".test.js"))
              .sorted()
              .toList();
    }
    assertThat(files).as("files with tests in %s", TESTS).isNotEmpty();
    return files.stream()
        .flatMap(
            file ->
                ZONES.stream()
                    .map(
                        zone ->
                            DynamicContainer.dynamicContainer(
                                file + " in " + zone,
                                TESTS.resolve(file).toUri(),
                                run(file, zone))));
  }

  /** The file is part of the name, since reports take two of one name for one that ran twice. */
  private Stream<DynamicNode> run(String file, String zone) {
    return results(file, zone).stream()
        .map(
            result -> {
              Object error = result.get("error");
              return DynamicTest.dynamicTest(
                  "%s (%s, %s)".formatted(result.get("name"), file, zone),
                  () -> {
                    if (error != null) {
                      fail(error.toString());
                    }
                  });
            });
  }

  /** Name and error, null = none, of each test of a file. */
  private List<Map<String, Object>> results(String file, String zone) {
    String url = "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
    try (Page page = browsers.get(zone).newPage()) {
      page.navigate(url);
      @SuppressWarnings("unchecked")
      List<Map<String, Object>> results =
          (List<Map<String, Object>>)
              page.evaluate(
                  "async file => (await import('/test/harness.js')).run('/test/' + file)", file);
      return results;
    } catch (PlaywrightException e) {
      return List.of(Map.of("name", "the file runs", "error", e.getMessage()));
    }
  }

  private static void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = content(path);
    String type =
        path.endsWith(".js")
            ? "text/javascript"
            : path.endsWith(".json") ? "application/json" : "text/html";
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    // The next file imports much of the same.
    exchange.getResponseHeaders().set("Cache-Control", "max-age=600");
    exchange.sendResponseHeaders(
        body == null ? 404 : 200, body == null || body.length == 0 ? -1 : body.length);
    try (exchange) {
      if (body != null) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static byte @Nullable [] content(String path) throws IOException {
    if (path.equals("/")) {
      return "<!doctype html><title>Tests of modules</title>".getBytes(UTF_8);
    }
    if (path.startsWith("/webjars/")) {
      try (InputStream in = PageUnitsIT.class.getResourceAsStream("/META-INF/resources" + path)) {
        return in == null ? null : in.readAllBytes();
      }
    }
    Path file =
        path.startsWith("/test/")
            ? TESTS.resolve(path.substring("/test/".length()))
            : PAGES.resolve(path.substring(1));
    return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
  }
}
