package io.peerlens.notify.render;

import io.peerlens.alerttemplates.Message;
import io.peerlens.database.Workload;
import io.peerlens.notify.channel.Pictures;
import io.peerlens.notify.render.AlertCharts.Described;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charts of mails, drawn within a time: a mail with words in the place of its chart is worth more
 * than one that comes late. After a chart that took too long there are none for a while, so that a
 * slow database costs a storm of mails no more than one of them. Thread-safe.
 */
final class Charts implements Pictures, AutoCloseable {

  static final Message.Picture LATE =
      new Message.Picture(null, "The chart is missing, as its values could not be read in time.");

  static final Message.Picture FAILED =
      new Message.Picture(null, "The chart is missing, as it could not be drawn.");

  static final Message.Picture NOTHING = new Message.Picture(null, "");

  private static final Logger log = LoggerFactory.getLogger(Charts.class);

  /** More connections than these are left to others. */
  private static final int AT_ONCE = 2;

  private final Function<UUID, Optional<Described>> source;
  private final Duration limit;
  private final Duration rest;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Workload.NOTIFICATION.threads(Thread.ofVirtual()));
  private final Semaphore running = new Semaphore(AT_ONCE, true);
  private volatile long restsUntil = System.nanoTime();

  /**
   * Charts.
   *
   * @param source what is drawn of an alert
   * @param limit a chart takes no longer
   * @param rest after one that did there are none for so long
   */
  Charts(Function<UUID, Optional<Described>> source, Duration limit, Duration rest) {
    this.source = source;
    this.limit = limit;
    this.rest = rest;
  }

  @Override
  public Message complete(Message message, UUID subject) {
    return message instanceof Message.Mail mail && mail.chart() && mail.picture() == null
        ? mail.with(picture(subject))
        : message;
  }

  private Message.Picture picture(UUID subject) {
    if (System.nanoTime() - restsUntil < 0) {
      return LATE;
    }
    Future<Message.Picture> drawn = threads.submit(() -> draw(subject));
    try {
      return drawn.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      drawn.cancel(true);
      restsUntil = System.nanoTime() + rest.toNanos();
      log.warn("A chart took longer than {}; mails go without for {}", limit, rest);
      return LATE;
    } catch (ExecutionException e) {
      log.warn("The chart of alert {} cannot be drawn", subject, e.getCause());
      return FAILED;
    } catch (InterruptedException e) {
      drawn.cancel(true);
      Thread.currentThread().interrupt();
      return LATE;
    }
  }

  private Message.Picture draw(UUID subject) throws InterruptedException {
    running.acquire();
    try {
      Optional<Described> found = source.apply(subject);
      if (found.isEmpty()) {
        return NOTHING;
      }
      return ChartPng.draw(found.get().chart())
          .map(
              png ->
                  new Message.Picture(Base64.getEncoder().encodeToString(png), found.get().words()))
          .orElse(NOTHING);
    } finally {
      running.release();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
