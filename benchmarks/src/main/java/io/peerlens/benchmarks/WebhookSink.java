package io.peerlens.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of webhooks on the loopback interface that notes when something came first. Each path
 * is a receiver of its own; one of them may be dead, which then takes requests and answers none.
 */
final class WebhookSink implements AutoCloseable {

  /** When something came first, by what it is about. */
  record Heard(Map<String, Long> nanos, Map<String, Integer> repeated) {}

  private final HttpServer server;
  private final Function<String, @Nullable String> about;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();
  private final CountDownLatch revived = new CountDownLatch(1);
  private final String dead;

  /**
   * Begins to receive.
   *
   * @param about what a body is about; null = nothing that counts
   * @param dead path of the one that is dead until {@link #revive}; empty = none
   */
  WebhookSink(Function<String, @Nullable String> about, String dead) throws IOException {
    this.about = about;
    this.dead = dead;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::take);
    server.start();
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  Heard at(String path) {
    return heard.computeIfAbsent(
        path, key -> new Heard(new ConcurrentHashMap<>(), new ConcurrentHashMap<>()));
  }

  /** The dead one lives again. */
  void revive() {
    revived.countDown();
  }

  private void take(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    long now = System.nanoTime();
    if (path.equals(dead) && revived.getCount() > 0) {
      try {
        revived.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    String what = about.apply(body);
    if (what != null && at(path).nanos().putIfAbsent(what, now) != null) {
      at(path).repeated().merge(what, 1, Integer::sum);
    }
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  @Override
  public void close() {
    revive();
    server.stop(0);
  }
}
