package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static io.peerlens.alert.AlertWorld.soon;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

class AlertEventsIT {

  /** A client that reads events until it is closed. */
  private static final class Listener implements AutoCloseable {
    final List<String> ids = new CopyOnWriteArrayList<>();
    final List<String> names = new CopyOnWriteArrayList<>();
    final List<String> data = new CopyOnWriteArrayList<>();
    final List<String> comments = new CopyOnWriteArrayList<>();
    final HttpResponse<InputStream> response;

    Listener(HttpClient http, AlertWorld world, @Nullable String lastEventId) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(world.url() + "/api/v1/alerts/events"))
              .header("Authorization", "Bearer " + world.token());
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
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("id:")) {
            ids.add(line.substring(3).strip());
          } else if (line.startsWith("event:")) {
            names.add(line.substring(6).strip());
          } else if (line.startsWith("data:")) {
            data.add(line.substring(5).strip());
          } else if (line.startsWith(":")) {
            comments.add(line.substring(1).strip());
          }
        }
      } catch (IOException e) {
        // closed
      }
    }

    @Override
    public void close() {
      try {
        response.body().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void listenersHearEveryChangeGoOnWhereTheyWereAndAreForgottenWhenTheyLeave() {
    try (AlertWorld world = new AlertWorld("peerlens.alerts.event-poll=200ms");
        HttpClient http = HttpClient.newHttpClient()) {
      AlertEvents events = world.server().context().getBean(AlertEvents.class);
      assertThat(events.isPolling()).isFalse();
      world.object("HostSystem", "esx-07 ü", "");
      world.threshold("Host CPU is high", "HostSystem", HEALTH);
      String last;
      String id;
      try (Listener listener = new Listener(http, world, null)) {
        assertThat(listener.response.statusCode()).isEqualTo(200);
        assertThat(listener.response.headers().firstValue("Content-Type").orElse(""))
            .startsWith("text/event-stream");
        soon(() -> assertThat(listener.comments).isNotEmpty());
        assertThat(events.isPolling()).isTrue();
        world.cpu("esx-07 ü", 85);
        soon(() -> assertThat(listener.data).hasSize(1));
        assertThat(listener.names).containsExactly("alert");
        assertThat(listener.data.getFirst()).contains("\"severity\":\"warning\"", "esx-07 ü");
        last = listener.ids.getFirst();
        id = world.one("").get("id").asString();
      }
      world.act(id, "acknowledge", "");
      world.act(id, "note", ", \"note\": \"seen\"");
      try (Listener resumed = new Listener(http, world, last)) {
        soon(() -> assertThat(resumed.data).hasSize(1));
        assertThat(resumed.data.getFirst()).contains("\"controlState\":\"acknowledged\"");
        assertThat(resumed.ids).doesNotContain(last);
        world.act(id, "take", "");
        soon(() -> assertThat(resumed.data).hasSize(2));
      }
      try (Listener lost = new Listener(http, world, "1-1")) {
        soon(() -> assertThat(lost.names).containsExactly("reset"));
      }
      // A client that has gone shows when it is written to.
      soon(
          () -> {
            world.act(id, "note", ", \"note\": \"anybody there?\"");
            assertThat(events.listeners()).isZero();
            assertThat(events.isPolling()).isFalse();
          });
      HttpResponse<String> refused =
          http.send(
              HttpRequest.newBuilder(URI.create(world.url() + "/api/v1/alerts/events")).build(),
              BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(401);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
