package io.peerlens.source.collect;

import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretValues;
import io.peerlens.notify.secret.UsedSecrets;
import io.peerlens.source.ActiveSource;
import io.peerlens.source.LeaseLostException;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceCollector;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.SourceError;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.definition.Source;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source whose lease this node has. A thread of its own starts the collector, starts it anew when
 * the source changes or the collector ends by itself, and closes it; nothing that a collector does
 * reaches another one.
 */
final class HeldSource {

  private static final Logger log = LoggerFactory.getLogger(HeldSource.class);

  private final Parts parts;
  private final SourceCollectors collectors;

  // Guarded by this.
  private Source wanted;
  private boolean stops;
  private long stopsSince;
  private boolean ended;
  private @Nullable Thread thread;

  private volatile long heldUntil;

  // The thread's own.
  private Duration pause;

  /** How often a collector is asked whether it works, and the lease is looked at; in ms. */
  private final long look;

  /** What all held sources share. */
  record Parts(
      JournalStore journal,
      KafkaOutlets outlets,
      SecretValues secrets,
      LeaseTiming timing,
      String node,
      InstantSource clock) {}

  /**
   * @param heldUntil until when this node has the lease for sure, in the time of {@link
   *     System#nanoTime}
   */
  HeldSource(Parts parts, SourceCollectors collectors, Source source, long heldUntil) {
    this.parts = parts;
    this.collectors = collectors;
    this.wanted = source;
    this.heldUntil = heldUntil;
    this.pause = parts.timing().firstPause();
    this.look = parts.timing().look().toMillis() / 2;
  }

  void start(ExecutorService threads) {
    threads.execute(this::run);
  }

  /** The lease was renewed. */
  void extend(long until) {
    heldUntil = until;
  }

  /** The source as it is now; a collector of another version starts anew. */
  synchronized void want(Source source) {
    if (source.version() != wanted.version()) {
      wanted = source;
      notifyAll();
    }
  }

  /** Ends the collector; {@link #hasEnded} says when it has. */
  synchronized void stop() {
    if (!stops) {
      stops = true;
      stopsSince = System.nanoTime();
      notifyAll();
    }
  }

  /** The lease is another node's: ends the collector, which can note nothing more. */
  void lose() {
    heldUntil = System.nanoTime() - 1;
    stop();
  }

  synchronized boolean stops() {
    return stops;
  }

  synchronized boolean hasEnded() {
    return ended;
  }

  /**
   * Whether it need not be waited for any longer: it has ended, or takes twice as long as it may.
   * After the time that it may take its thread is interrupted.
   */
  synchronized boolean isOver() {
    if (ended) {
      return true;
    }
    if (!stops) {
      return false;
    }
    long late = System.nanoTime() - stopsSince - parts.timing().close().toNanos();
    if (late > 0 && thread != null) {
      thread.interrupt();
    }
    return late > parts.timing().close().toNanos();
  }

  private boolean held() {
    return System.nanoTime() - heldUntil < 0;
  }

  private void run() {
    synchronized (this) {
      thread = Thread.currentThread();
    }
    try {
      Source source = next();
      while (source != null) {
        collect(source);
        source = next();
      }
    } catch (InterruptedException e) {
      log.warn("The collector of source {} was interrupted", name());
    } finally {
      synchronized (this) {
        ended = true;
        notifyAll();
      }
    }
  }

  /** What is to be read now; null = nothing any more. */
  private synchronized @Nullable Source next() {
    if (!held()) {
      stop();
    }
    return stops ? null : wanted;
  }

  private synchronized String name() {
    return wanted.name();
  }

  /** Reads a source until something changes. */
  private void collect(Source source) throws InterruptedException {
    Journal journal = new Journal(source);
    Throwable failure;
    long begun = System.nanoTime();
    try {
      SourceCollector collector =
          collectors.start(active(source), parts.outlets().open(source.id()), journal);
      log.info("Source {} is read", source.name());
      try {
        failure = await(source, collector);
      } finally {
        close(source, collector);
        journal.closed = true;
      }
      log.info("Source {} is no longer read by this node, or anew", source.name());
    } catch (RuntimeException | Error e) { // an error of a library is that of one collector, too
      failure = e;
    }
    if (failure == null || failure instanceof LeaseLostException) {
      return;
    }
    if (System.nanoTime() - begun > parts.timing().longestPause().multipliedBy(2).toNanos()) {
      pause = parts.timing().firstPause();
    }
    report(source, failure);
    rest(source);
    Duration doubled = pause.multipliedBy(2);
    pause =
        doubled.compareTo(parts.timing().longestPause()) < 0
            ? doubled
            : parts.timing().longestPause();
  }

  /** Waits for a reason to close the collector; null = it does what it should. */
  private @Nullable Throwable await(Source source, SourceCollector collector)
      throws InterruptedException {
    while (goesOn(source, look)) {
      Optional<Throwable> failure = collector.failure();
      if (failure.isPresent()) {
        return failure.get();
      }
    }
    return null;
  }

  /** Waits a moment; whether the same source is still to be read then. */
  private synchronized boolean goesOn(Source source, long millis) throws InterruptedException {
    if (!stops && wanted.version() == source.version() && held()) {
      wait(millis);
    }
    return !stops && wanted.version() == source.version() && held();
  }

  private void rest(Source source) throws InterruptedException {
    long until = System.nanoTime() + pause.toNanos();
    while (System.nanoTime() - until < 0) {
      long left = Math.max(1, (until - System.nanoTime()) / 1_000_000);
      if (!goesOn(source, Math.min(look, left))) {
        return;
      }
    }
  }

  private static void close(Source source, SourceCollector collector) {
    try {
      collector.close();
    } catch (RuntimeException | Error e) {
      log.warn("The collector of source {} did not end in order", source.name(), e);
    }
  }

  private ActiveSource active(Source source) {
    return new ActiveSource(
        source.id(),
        source.name(),
        source.address(),
        source.username(),
        () -> parts.secrets().value(source.password()),
        source.trust(),
        source.reads(),
        source.options(),
        source.version());
  }

  private void report(Source source, Throwable failure) {
    String reason =
        failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    SourceError error =
        redacted(
            source,
            new SourceError(
                "collector-failed",
                "Its collector has ended: " + reason,
                "It is started again in %d s.".formatted(pause.toSeconds()),
                "If it goes on like this, look into the log of the node " + parts.node() + "."));
    log.warn("Source {}: {} {}", source.name(), error.what(), error.whatNow());
    log.debug("Source {}", source.name(), failure);
    try {
      parts.journal().ended(source.id(), parts.clock().instant(), error);
    } catch (LeaseLostException e) {
      lose();
    } catch (RuntimeException e) {
      log.warn("The error of source {} could not be stored: {}", source.name(), e.getMessage());
    }
  }

  /** The error without the password, should a library or the source have repeated it. */
  private SourceError redacted(Source source, SourceError error) {
    UsedSecrets used = new UsedSecrets(parts.secrets());
    try {
      used.value(source.password());
    } catch (SecretException e) {
      return error; // nobody knows it
    }
    return new SourceError(
        error.code(),
        used.redact(error.what()),
        used.redact(error.whatNow()),
        used.redact(error.whatToDo()));
  }

  /** Journal of one collector, until it is closed. */
  private final class Journal implements SourceJournal {

    private final Source source;
    private volatile boolean closed;

    private Journal(Source source) {
      this.source = source;
    }

    @Override
    public Optional<String> position(String part) {
      return parts.journal().position(source.id(), part);
    }

    @Override
    public void position(String part, String value) {
      requireHeld();
      guarded(() -> parts.journal().position(source.id(), part, value, parts.clock().instant()));
    }

    @Override
    public void about(String text) {
      requireHeld();
      guarded(() -> parts.journal().about(source.id(), text, parts.clock().instant()));
    }

    @Override
    public void report(RoundReport report) {
      requireHeld();
      SourceError error = report.error();
      RoundReport clean =
          error == null
              ? report
              : new RoundReport(
                  report.part(),
                  report.at(),
                  report.took(),
                  report.objects(),
                  report.samples(),
                  redacted(source, error));
      guarded(() -> parts.journal().report(source.id(), clean));
    }

    @Override
    public boolean held() {
      return !closed && HeldSource.this.held();
    }

    private void requireHeld() {
      if (!held()) {
        throw new LeaseLostException(
            "This node no longer has the lease of the source " + source.name());
      }
    }

    private void guarded(Runnable write) {
      try {
        write.run();
      } catch (LeaseLostException e) {
        lose();
        throw e;
      }
    }
  }
}
