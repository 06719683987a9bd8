package io.peerlens.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A client that reads the stream of events of alerts and outliers until it is closed. */
public final class EventStream implements AutoCloseable {

  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpResponse<InputStream> response;
  private final List<String> ids = new CopyOnWriteArrayList<>();
  private final List<Message> messages = new CopyOnWriteArrayList<>();
  private final List<String> comments = new CopyOnWriteArrayList<>();

  /**
   * Message of the stream.
   *
   * @param name of the event, such as {@code alert}
   * @param data JSON
   */
  public record Message(String name, String data) {}

  /**
   * Begins to listen.
   *
   * @param lastEventId what was heard last before; null = nothing
   */
  public EventStream(String url, @Nullable String token, @Nullable String lastEventId) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + ApiClient.BASE + "/alerts/events"));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    try {
      response = http.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    String name = "";
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id:")) {
          ids.add(line.substring(3).strip());
        } else if (line.startsWith("event:")) {
          name = line.substring(6).strip();
        } else if (line.startsWith("data:")) {
          messages.add(new Message(name, line.substring(5).strip()));
        } else if (line.startsWith(":")) {
          comments.add(line.substring(1).strip());
        }
      }
    } catch (IOException e) {
      // closed
    }
  }

  /** Status of the answer, and what else its headers say. */
  public HttpResponse<InputStream> response() {
    return response;
  }

  /** Ids of what was heard, in order. */
  public List<String> ids() {
    return ids;
  }

  /** What was heard, in order. */
  public List<Message> messages() {
    return messages;
  }

  /** Names of what was heard, in order. */
  public List<String> names() {
    return messages.stream().map(Message::name).toList();
  }

  /** What keeps the connection open. */
  public List<String> comments() {
    return comments;
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      http.shutdownNow();
    }
  }
}
