package io.peerlens.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A mail server that answers as it is told, to see what the channel makes of it. */
public final class ScriptedSmtp implements AutoCloseable {

  /** In the place of an answer: none, for ever. */
  public static final String HANG = "HANG";

  /** In the place of an answer: the connection is reset. */
  public static final String RESET = "RESET";

  private final ServerSocket server;
  private final @Nullable SSLContext tls;
  private final boolean fromTheStart;
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final List<String> mails = new CopyOnWriteArrayList<>();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<String> inClear = new CopyOnWriteArrayList<>();
  private final List<List<String>> delivered = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean offersTls;
  private volatile Function<String, String> taking = mail -> "250 2.0.0 queued as 42";
  private volatile Duration drip = Duration.ZERO;

  public ScriptedSmtp(SSLContext tls) {
    this(tls, false);
    offersTls = true;
  }

  /** One that knows no TLS. */
  public static ScriptedSmtp plain() {
    return new ScriptedSmtp(null, false);
  }

  /** One that begins with TLS. */
  public static ScriptedSmtp tls(SSLContext tls) {
    ScriptedSmtp secure = new ScriptedSmtp(tls, true);
    secure.offersTls = true;
    return secure;
  }

  private ScriptedSmtp(@Nullable SSLContext tls, boolean fromTheStart) {
    this.tls = tls;
    this.fromTheStart = fromTheStart;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  /**
   * How commands that begin like this are answered; empty = the greeting, a dot = the mail itself.
   */
  public void answer(String command, String answer) {
    answers.put(command, answer);
  }

  /** How mails are answered that came whole. */
  public void taking(Function<String, String> answer) {
    taking = answer;
  }

  /** Every mail that came whole, whatever was answered. */
  public List<String> mails() {
    return mails;
  }

  public void answerAsUsual() {
    answers.clear();
  }

  public void offerNoTls() {
    offersTls = false;
  }

  /** Every byte of every answer comes after a pause. */
  public void drip(Duration pause) {
    drip = pause;
  }

  public void forget() {
    said.clear();
    inClear.clear();
  }

  /** All commands. */
  public List<String> said() {
    return said;
  }

  /** Commands that anybody on the way could read. */
  public List<String> inClear() {
    return inClear;
  }

  /** Recipients of each mail that was taken. */
  public List<List<String>> delivered() {
    return delivered;
  }

  public int connections() {
    return connections.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket plain) {
    try (plain) {
      Socket socket = fromTheStart ? secure(plain) : plain;
      boolean secure = fromTheStart;
      BufferedReader in = reader(socket);
      say(socket, answerTo("", "220 scripted"));
      List<String> recipients = new ArrayList<>();
      String line;
      while ((line = in.readLine()) != null) {
        said.add(line);
        if (!secure) {
          inClear.add(line);
        }
        String verb = line.split(" ", 2)[0];
        switch (verb) {
          case "EHLO" ->
              say(
                  socket,
                  answerTo(
                      line,
                      "250-scripted\r\n"
                          + (offersTls && !secure ? "250-STARTTLS\r\n" : "")
                          + "250 AUTH PLAIN XOAUTH2"));
          case "STARTTLS" -> {
            say(socket, "220 go");
            socket = secure(socket);
            secure = true;
            in = reader(socket);
          }
          case "AUTH" -> say(socket, answerTo(line, "235 welcome"));
          case "MAIL" -> {
            recipients.clear();
            say(socket, answerTo(line, "250 ok"));
          }
          case "RCPT" -> {
            String answer = answerTo(line, "250 ok");
            if (answer.startsWith("2")) {
              recipients.add(line.replaceAll(".*<(.*)>.*", "$1"));
            }
            say(socket, answer);
          }
          case "DATA" -> {
            String answer = answerTo(line, "354 go");
            say(socket, answer);
            if (answer.startsWith("3")) {
              StringBuilder mail = new StringBuilder();
              String part;
              while ((part = in.readLine()) != null && !part.equals(".")) {
                mail.append(part).append('\n');
              }
              if (part == null) {
                return;
              }
              mails.add(mail.toString());
              String taken = answerTo(".", taking.apply(mail.toString()));
              if (taken.startsWith("2")) {
                delivered.add(List.copyOf(recipients));
              }
              say(socket, taken);
            }
          }
          case "QUIT" -> {
            say(socket, "221 bye");
            return;
          }
          default -> say(socket, "250 ok");
        }
      }
    } catch (IOException e) {
      // The client went away.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(plain);
    }
  }

  private Socket secure(Socket socket) throws IOException {
    SSLSocket secure =
        (SSLSocket)
            Objects.requireNonNull(tls)
                .getSocketFactory()
                .createSocket(socket, "127.0.0.1", port(), true);
    secure.setUseClientMode(false);
    secure.startHandshake();
    return secure;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  private String answerTo(String line, String usual) {
    if (line.isEmpty()) {
      return answers.getOrDefault("", usual);
    }
    return answers.entrySet().stream()
        .filter(entry -> !entry.getKey().isEmpty() && line.startsWith(entry.getKey()))
        .max(java.util.Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue)
        .orElse(usual);
  }

  private void say(Socket socket, String text) throws IOException, InterruptedException {
    if (text.equals(HANG)) {
      closed.await();
      return;
    }
    if (text.equals(RESET)) {
      socket.setSoLinger(true, 0);
      socket.close();
      return;
    }
    OutputStream out = socket.getOutputStream();
    byte[] bytes = (text + "\r\n").getBytes(StandardCharsets.UTF_8);
    if (drip.isZero()) {
      out.write(bytes);
      out.flush();
      return;
    }
    for (byte b : bytes) {
      out.write(b);
      out.flush();
      if (closed.await(drip.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      // Closed as far as it can be.
    }
  }
}
