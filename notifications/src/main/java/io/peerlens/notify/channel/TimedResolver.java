package io.peerlens.notify.channel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Look-up of names with a limit of time. A look-up of the system cannot be interrupted, so it runs
 * in a thread that is left behind when it takes too long; so many of them there may be at once.
 */
final class TimedResolver implements HostResolver {

  private final HostResolver resolver;
  private final Duration limit;
  private final ThreadPoolExecutor threads;

  /**
   * @param most look-ups that may go on at once
   */
  TimedResolver(HostResolver resolver, Duration limit, int most) {
    this.resolver = resolver;
    this.limit = limit;
    this.threads =
        new ThreadPoolExecutor(
            0,
            most,
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("resolver-", 0).factory());
  }

  @Override
  public List<InetAddress> resolve(String name) throws UnknownHostException {
    try {
      Future<List<InetAddress>> asked = threads.submit(() -> resolver.resolve(name));
      return asked.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw failed(name, "too many look-ups wait for the name service", e);
    } catch (TimeoutException e) {
      throw failed(name, "the name service did not answer within " + limit.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      throw failed(name, String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(name, "interrupted", e);
    }
  }

  private static UnknownHostException failed(String name, String reason, Exception cause) {
    UnknownHostException failure = new UnknownHostException(name + ": " + reason);
    failure.initCause(cause);
    return failure;
  }
}
