package io.peerlens.alert;

import io.peerlens.alert.AlertEventQueries.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;

/**
 * A client that listens. Its events wait in a queue; a virtual thread writes them, which lives only
 * while there is something to write, so a slow client keeps nobody waiting. One that is too slow is
 * cut off. Thread-safe.
 */
final class AlertListener {

  private static final int LONGEST_QUEUE = 5000;
  private static final MediaType TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8);

  private final SseEmitter emitter;
  private final @Nullable String lastEventId;
  private final Place since;
  private final Consumer<AlertListener> gone;
  private final Queue<SseEventBuilder> queue = new ArrayDeque<>(); // guarded by this
  private boolean writing; // guarded by this
  private boolean ended; // guarded by this
  private volatile boolean isNew = true;

  /**
   * Begins to listen.
   *
   * @param lastEventId of the last event that it received; null = it begins now
   * @param since where the stream was when it came
   */
  AlertListener(
      SseEmitter emitter, @Nullable String lastEventId, Place since, Consumer<AlertListener> gone) {
    this.emitter = emitter;
    this.lastEventId = lastEventId;
    this.since = since;
    this.gone = gone;
    emitter.onCompletion(this::leave);
    emitter.onError(e -> leave());
    emitter.onTimeout(this::end);
  }

  /** Whether no event was sent to it yet. */
  boolean isNew() {
    return isNew;
  }

  void begun() {
    isNew = false;
  }

  @Nullable String lastEventId() {
    return lastEventId;
  }

  Place since() {
    return since;
  }

  void tell(String id, String name, String json) {
    tell(SseEmitter.event().id(id).name(name).data(json, TEXT));
  }

  /** What it has missed is not known any more: it has to read everything again. */
  void reset() {
    tell(SseEmitter.event().name("reset").data("{}", TEXT));
  }

  void comment(String text) {
    tell(SseEmitter.event().comment(text));
  }

  private void tell(SseEventBuilder event) {
    boolean tooSlow;
    synchronized (this) {
      if (ended) {
        return;
      }
      queue.add(event);
      tooSlow = queue.size() > LONGEST_QUEUE;
      if (!tooSlow && !writing) {
        writing = true;
        Thread.ofVirtual().name("alert-listener").start(this::write);
      }
    }
    if (tooSlow) {
      end();
    }
  }

  private void write() {
    while (true) {
      SseEventBuilder event;
      synchronized (this) {
        event = queue.poll();
        if (event == null || ended) {
          writing = false;
          return;
        }
      }
      try {
        emitter.send(event);
      } catch (IOException | IllegalStateException e) {
        leave(); // the client has gone; the container ends the request
        return;
      }
    }
  }

  private void leave() {
    synchronized (this) {
      ended = true;
      queue.clear();
    }
    gone.accept(this);
  }

  /** Ends the connection. */
  void end() {
    leave();
    emitter.complete();
  }
}
