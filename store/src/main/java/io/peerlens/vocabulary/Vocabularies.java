package io.peerlens.vocabulary;

import io.peerlens.supermetrics.formula.Vocabulary;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The kinds and keys of this installation, read again when they are asked for and older than {@code
 * peerlens.super-metrics.vocabulary-age}. The first who asks waits, and who asks after a long
 * pause, while nothing was known yet, or when a kind or a group of metrics is new; otherwise the
 * old ones are given while a virtual thread reads the new ones, so typing in an editor never waits
 * for the database. Thread-safe.
 */
public final class Vocabularies {

  private static final Logger log = LoggerFactory.getLogger(Vocabularies.class);

  /** What is so many times as old as it may be is given to nobody. */
  private static final int TOO_OLD = 5;

  /** How often it is asked whether there is a new kind, or a new group of metrics. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /**
   * Vocabulary as it was read.
   *
   * @param newestGroup of metrics, by its id; a kind that is new comes with one
   */
  private record Read(InstallationVocabulary vocabulary, int newestGroup, Instant at) {}

  private final VocabularyQueries queries;
  private final InstantSource clock;
  private final Duration age;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile @Nullable Read newest;
  private volatile Instant looked = Instant.MIN;

  public Vocabularies(VocabularyQueries queries, InstantSource clock, Duration age) {
    this.queries = queries;
    this.clock = clock;
    this.age = age;
  }

  /** The kinds and keys that are known now. */
  public Vocabulary known() {
    return current();
  }

  public InstallationVocabulary current() {
    Read known = newest;
    Instant now = clock.instant();
    if (known == null
        || known.vocabulary().adapterKinds().isEmpty()
        || known.at().plus(age.multipliedBy(TOO_OLD)).isBefore(now)) {
      return read().vocabulary();
    }
    if (looked.plus(LOOK).isBefore(now)) {
      looked = now;
      if (queries.newestGroup() != known.newestGroup()) {
        return read().vocabulary();
      }
    }
    if (known.at().plus(age).isBefore(now) && reading.compareAndSet(false, true)) {
      Thread.ofVirtual().name("super-metric-vocabulary").start(this::readAgain);
    }
    return known.vocabulary();
  }

  /** What exists now, for those who would rather wait, such as an import. */
  public InstallationVocabulary fresh() {
    return read().vocabulary();
  }

  private Read read() {
    Instant now = clock.instant();
    int newestGroup = queries.newestGroup();
    Read read = new Read(queries.read(), newestGroup, now);
    newest = read;
    looked = now;
    return read;
  }

  private void readAgain() {
    try {
      read();
    } catch (DataAccessException e) {
      log.warn("Kinds and keys could not be read: {}", e.getMessage());
    } finally {
      reading.set(false);
    }
  }
}
