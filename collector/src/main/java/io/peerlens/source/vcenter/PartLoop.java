package io.peerlens.source.vcenter;

import io.peerlens.source.LeaseLostException;
import io.peerlens.source.Part;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceJournal;
import io.peerlens.vcenter.vim.VimClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread that reads one part of a vCenter, session after session. When a session fails, it reports
 * why and tries again after a while.
 */
final class PartLoop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PartLoop.class);
  private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final String source;
  private final Part part;
  private final SignIn signIn;
  private final Session session;
  private final SourceJournal journal;
  private final String account;
  private final InstantSource clock;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable VimClient client;
  private volatile @Nullable Throwable failure;

  /** What is done with a session, until it fails or is interrupted. */
  @FunctionalInterface
  interface Session {
    /**
     * @param works to be called after a round that went well: failures before are forgotten
     */
    void run(VimClient client, Runnable works) throws Exception;
  }

  PartLoop(
      String source,
      Part part,
      String account,
      SignIn signIn,
      Session session,
      SourceJournal journal,
      InstantSource clock) {
    this.source = source;
    this.part = part;
    this.account = account;
    this.signIn = signIn;
    this.session = session;
    this.journal = journal;
    this.clock = clock;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("vcenter-" + source + "-" + part.label())
            .unstarted(this::run);
  }

  PartLoop start() {
    thread.start();
    return this;
  }

  /** Why it ended by itself; null = it has not. */
  @Nullable Throwable failure() {
    return failure;
  }

  private void run() {
    Duration wait = FIRST_WAIT;
    boolean[] worked = new boolean[1];
    while (!closed && journal.held()) {
      Instant since = clock.instant();
      worked[0] = false;
      try (VimClient signedIn = signIn.client()) {
        client = signedIn;
        if (!closed) {
          session.run(signedIn, () -> worked[0] = true);
        }
      } catch (InterruptedException e) {
        return;
      } catch (LeaseLostException e) {
        log.info("{}: another node reads {} now", source, part.label());
        return;
      } catch (Exception e) {
        if (closed) {
          return;
        }
        if (worked[0]) {
          wait = FIRST_WAIT;
        }
        report(e, since);
        log.debug("{}: reading {} failed", source, part.label(), e);
      } catch (Error e) {
        failure = e;
        throw e;
      } finally {
        client = null;
      }
      if (!pause(wait)) {
        return;
      }
      Duration longer = wait.multipliedBy(2);
      wait = longer.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : longer;
    }
  }

  private void report(Exception e, Instant since) {
    Instant now = clock.instant();
    try {
      journal.report(
          new RoundReport(part, now, Duration.between(since, now), 0, 0, Errors.of(e, account)));
    } catch (LeaseLostException lost) {
      log.info("{}: another node reads {} now", source, part.label());
    } catch (RuntimeException journalFailed) {
      log.warn("{}: what went wrong could not be noted: {}", source, e.toString(), journalFailed);
    }
  }

  private boolean pause(Duration wait) {
    try {
      Thread.sleep(wait);
      return !closed;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Signs out and ends the thread; what is being waited for is broken off. */
  @Override
  public void close() {
    closed = true;
    VimClient open = client;
    if (open != null) {
      open.close();
    }
    thread.interrupt();
    try {
      if (!thread.join(Duration.ofSeconds(8))) {
        log.warn("{}: reading {} does not end", source, part.label());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
