package io.peerlens.rule;

import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The number that moves with every change of any rule: groups, thresholds, alert definitions and
 * what else they need. Readers keep what they have read until it moves; writers follow one another
 * by locking it. Thread-safe.
 */
public final class RuleStore {

  private static final String VERSION = "select version from rule_version";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  RuleStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** The number now. */
  public long version() {
    return jdbc.sql(VERSION).query(Long.class).single();
  }

  /** Reads rules in one transaction with the number, so that they belong together. */
  public <T> T read(LongFunction<T> reader) {
    return transaction.execute(
        status -> {
          jdbc.sql("set transaction isolation level repeatable read").update();
          return reader.apply(version());
        });
  }

  /**
   * Does something that changes rules, alone: all of it takes place or nothing. A write inside a
   * write is part of it.
   */
  public <T> T write(Supplier<T> change) {
    return transaction.execute(
        status -> {
          jdbc.sql(VERSION + " for update").query(Long.class).single();
          return change.get();
        });
  }

  /**
   * Whether this thread is within {@link #write}. What it reads then is not to be kept: it may yet
   * be undone.
   */
  public boolean isWriting() {
    return TransactionSynchronizationManager.isActualTransactionActive();
  }
}
