package io.peerlens.source.state;

import io.peerlens.source.ProbeRequest;
import io.peerlens.source.ProbeResult;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.SourceError;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.beans.factory.DisposableBean;

/**
 * Looks at sources that take 20 seconds at most for whoever waits, and few of which go on at once,
 * also of those that nobody waits for any more.
 */
final class TimedProbes implements DisposableBean {

  static final Duration LONGEST = Duration.ofSeconds(20);
  private static final int MOST = 8;
  private static final Duration RETRY = Duration.ofSeconds(10);

  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("source-probe-", 0).factory());
  private final Semaphore places = new Semaphore(MOST);
  private final Duration longest;

  TimedProbes() {
    this(LONGEST);
  }

  TimedProbes(Duration longest) {
    this.longest = longest;
  }

  ProbeResult run(SourceCollectors collectors, ProbeRequest request) {
    if (!places.tryAcquire()) {
      throw ApiException.of(
              ErrorCode.UNAVAILABLE, "Too many looks at sources still wait for an answer.")
          .hint("Try again in some seconds.")
          .retryAfter(RETRY);
    }
    Future<ProbeResult> look =
        threads.submit(
            () -> {
              try {
                return collectors.probe(request);
              } finally {
                places.release();
              }
            });
    try {
      return look.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      look.cancel(true);
      return ProbeResult.failed(
          null,
          new SourceError(
              "timeout",
              "It has not answered within %d s.".formatted(longest.toSeconds()),
              "The look at it was given up.",
              "See whether it is up and not overloaded, and whether a firewall swallows packets."));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("The look at a source failed", e.getCause());
    } catch (InterruptedException e) {
      look.cancel(true);
      Thread.currentThread().interrupt();
      throw ApiException.of(ErrorCode.UNAVAILABLE, "The node stops.").retryAfter(RETRY);
    }
  }

  @Override
  public void destroy() {
    threads.shutdownNow();
  }
}
