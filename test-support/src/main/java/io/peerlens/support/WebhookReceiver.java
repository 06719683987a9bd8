package io.peerlens.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of webhooks on the loopback interface that does as it is told: it answers with a list
 * of replies in turn, and keeps everything that it gets, byte for byte. It speaks HTTP/1.1 over
 * plain sockets, so it can also break off, hang and drip.
 */
public final class WebhookReceiver implements AutoCloseable {

  private final ServerSocket server;
  private final boolean tls;
  private final Deque<Reply> script = new ArrayDeque<>();
  private final Map<String, Function<Received, Reply>> byPath = new ConcurrentHashMap<>();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger mostBusy = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Reply usual = Reply.status(200);

  private WebhookReceiver(ServerSocket server, boolean tls) {
    this.server = server;
    this.tls = tls;
    Thread.ofVirtual().name("webhook-receiver").start(this::accept);
  }

  /** A receiver on a random port. */
  public static WebhookReceiver start() {
    try {
      return new WebhookReceiver(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A receiver with TLS.
   *
   * @param needsClient whether clients must show a certificate that the context trusts
   */
  public static WebhookReceiver startTls(SSLContext context, boolean needsClient) {
    try {
      SSLServerSocket socket =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
      socket.setNeedClientAuth(needsClient);
      return new WebhookReceiver(socket, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A request as it came.
   *
   * @param target path and query
   * @param headers names in lower case; several values of a name are parted by line breaks
   * @param client subject of the client's certificate; empty = none
   */
  public record Received(
      Instant at,
      String method,
      String target,
      Map<String, String> headers,
      byte[] body,
      String client) {

    /** The body as UTF-8. */
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    /** A header, or an empty text. */
    public String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  /** Reply to a request, given once it has come whole. */
  public record Reply(
      int status,
      Map<String, String> headers,
      byte[] body,
      Duration delay,
      Manner manner,
      Duration between,
      Runnable done) {

    private enum Manner {
      WHOLE,
      RESET,
      HANG,
      DRIP,
      BREAK_OFF
    }

    private static final Runnable NOTHING = () -> {};

    /** Answers with a status and no body. */
    public static Reply status(int status) {
      return new Reply(
          status, Map.of(), new byte[0], Duration.ZERO, Manner.WHOLE, Duration.ZERO, NOTHING);
    }

    /** Closes the connection without an answer. */
    public static Reply reset() {
      return new Reply(
          0, Map.of(), new byte[0], Duration.ZERO, Manner.RESET, Duration.ZERO, NOTHING);
    }

    /** Never answers. */
    public static Reply hang() {
      return new Reply(
          0, Map.of(), new byte[0], Duration.ZERO, Manner.HANG, Duration.ZERO, NOTHING);
    }

    /** The same with a header. */
    public Reply header(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(headers);
      more.put(name, value);
      return new Reply(status, more, body, delay, manner, between, done);
    }

    /** The same with a body. */
    public Reply body(String contentType, String text) {
      return new Reply(
              status, headers, text.getBytes(StandardCharsets.UTF_8), delay, manner, between, done)
          .header("Content-Type", contentType);
    }

    /** The same after a while. */
    public Reply after(Duration wait) {
      return new Reply(status, headers, body, wait, manner, between, done);
    }

    /** The same byte by byte, the status line too. */
    public Reply drip(Duration pause) {
      return new Reply(status, headers, body, delay, Manner.DRIP, pause, done);
    }

    /** The same, and something is done as soon as the answer has left. */
    public Reply then(Runnable next) {
      return new Reply(status, headers, body, delay, manner, between, next);
    }

    /** The same, but the connection breaks within the body. */
    public Reply breakOff() {
      return new Reply(status, headers, body, delay, Manner.BREAK_OFF, between, done);
    }
  }

  /** The next requests are answered like this, in order; later ones as usual. */
  public WebhookReceiver script(Reply... replies) {
    synchronized (script) {
      script.addAll(List.of(replies));
    }
    return this;
  }

  /** How requests are answered that no script is for; 200 at first. */
  public WebhookReceiver usually(Reply reply) {
    usual = reply;
    return this;
  }

  /** Requests to a path (without query) are always answered like this. */
  public WebhookReceiver at(String path, Reply reply) {
    return at(path, request -> reply);
  }

  /** Requests to a path (without query) are answered as this says; it may take its time. */
  public WebhookReceiver at(String path, Function<Received, Reply> replies) {
    byPath.put(path, replies);
    return this;
  }

  /** Everything that came, in order. */
  public List<Received> received() {
    return List.copyOf(received);
  }

  /** What came last. */
  public Received last() {
    return received.getLast();
  }

  /** Forgets what came. */
  public void clear() {
    received.clear();
  }

  /** How many connections were made. */
  public int connections() {
    return connections.get();
  }

  /** How many requests were being answered at the same time, at most. */
  public int mostAtOnce() {
    return mostBusy.get();
  }

  /** Its port. */
  public int port() {
    return server.getLocalPort();
  }

  /** A URL that leads here. */
  public String url(String path) {
    return (tls ? "https" : "http") + "://127.0.0.1:" + port() + path;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      String client = "";
      if (socket instanceof SSLSocket secure) {
        secure.startHandshake();
        if (secure.getNeedClientAuth()) {
          client =
              ((X509Certificate) secure.getSession().getPeerCertificates()[0])
                  .getSubjectX500Principal()
                  .getName();
        }
      }
      connections.incrementAndGet();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        Received request = read(in, client);
        if (request == null) {
          return;
        }
        mostBusy.accumulateAndGet(busy.incrementAndGet(), Math::max);
        try {
          received.add(request);
          if (!answer(socket, request)) {
            return;
          }
        } finally {
          busy.decrementAndGet();
        }
      }
    } catch (IOException e) {
      // The client went away, or this receiver was closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  private Reply next(Received request) {
    Function<Received, Reply> ofPath = byPath.get(request.target().replaceFirst("\\?.*", ""));
    if (ofPath != null) {
      return ofPath.apply(request);
    }
    synchronized (script) {
      Reply scripted = script.poll();
      return scripted == null ? usual : scripted;
    }
  }

  /** Says whether the connection goes on. */
  private boolean answer(Socket socket, Received request) throws IOException, InterruptedException {
    Reply reply = next(request);
    if (closed.await(reply.delay().toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " Scripted\r\n");
    reply.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("Content-Length: " + reply.body().length + "\r\n\r\n");
    byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
    OutputStream out = socket.getOutputStream();
    switch (reply.manner()) {
      case WHOLE -> {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(start);
        whole.write(reply.body());
        out.write(whole.toByteArray());
        out.flush();
        reply.done().run();
        return true;
      }
      case RESET -> {
        if (!tls) {
          socket.setSoLinger(true, 0);
        }
        return false;
      }
      case HANG -> {
        closed.await();
        return false;
      }
      case DRIP -> {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(start);
        whole.write(reply.body());
        for (byte b : whole.toByteArray()) {
          out.write(b);
          out.flush();
          if (closed.await(reply.between().toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
          }
        }
        return true;
      }
      case BREAK_OFF -> {
        out.write(start);
        out.write(reply.body(), 0, reply.body().length / 2);
        out.flush();
        return false;
      }
    }
    throw new IllegalStateException();
  }

  /** Null = the connection ended before a request was whole. */
  private static @Nullable Received read(InputStream in, String client) throws IOException {
    String first = line(in);
    if (first == null || first.isEmpty()) {
      return null;
    }
    String[] words = first.split(" ", -1);
    Map<String, String> headers = new LinkedHashMap<>();
    String line;
    while ((line = line(in)) != null && !line.isEmpty()) {
      int colon = line.indexOf(':');
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (a, b) -> a + "\n" + b);
    }
    if (line == null) {
      return null;
    }
    byte[] body;
    if ("chunked".equalsIgnoreCase(headers.getOrDefault("transfer-encoding", ""))) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      int size;
      while ((size = Integer.parseInt(String.valueOf(line(in)), 16)) > 0) {
        all.write(in.readNBytes(size));
        line(in);
      }
      line(in);
      body = all.toByteArray();
    } else {
      int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
      body = in.readNBytes(length);
      if (body.length < length) {
        return null;
      }
    }
    return new Received(Instant.now(), words[0], words[1], headers, body, client);
  }

  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int b;
    while ((b = in.read()) >= 0) {
      if (b == '\n') {
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      line.write(b);
    }
    return null;
  }

  @Override
  public void close() {
    closed.countDown();
    List<Socket> all = new ArrayList<>(open);
    try {
      server.close();
      for (Socket socket : all) {
        socket.close();
      }
    } catch (IOException e) {
      // Closed as far as it can be.
    }
  }
}
