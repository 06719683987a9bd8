package io.peerlens.rule;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A number that moves with every change of any of the definitions that share it. Readers keep what
 * they have read until it moves; writers follow one another by locking it. Thread-safe.
 *
 * <p>It is the only row of a table with the column version; triggers move it.
 */
public abstract class ChangeNumberStore {

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String select;

  /**
   * @param table a constant of the program
   */
  protected ChangeNumberStore(JdbcClient jdbc, TransactionTemplate transaction, String table) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.select = "select version from " + table;
  }

  /** The number now. */
  public final long version() {
    return jdbc.sql(select).query(Long.class).single();
  }

  /** Reads definitions in one transaction with the number, so that they belong together. */
  public final <T> T read(LongFunction<T> reader) {
    return transaction.execute(
        status -> {
          jdbc.sql("set transaction isolation level repeatable read").update();
          return reader.apply(version());
        });
  }

  /**
   * Does something that changes definitions, alone: all of it takes place or nothing. A write
   * inside a write is part of it.
   */
  public final <T> T write(Supplier<T> change) {
    return transaction.execute(
        status -> {
          jdbc.sql(select + " for update").query(Long.class).single();
          if (TransactionSynchronizationManager.hasResource(this)) {
            return change.get();
          }
          TransactionSynchronizationManager.bindResource(this, new HashMap<>());
          try {
            return change.get();
          } finally {
            TransactionSynchronizationManager.unbindResource(this);
          }
        });
  }

  /**
   * What was read within this write, by who read it: nobody else changes definitions meanwhile, so
   * it need not be read again. Null = this thread is not within a write.
   */
  @SuppressWarnings("unchecked") // bound above
  final @Nullable Map<Object, Object> readInWrite() {
    return (Map<Object, Object>) TransactionSynchronizationManager.getResource(this);
  }

  /**
   * Whether this thread is within {@link #write}, or any other transaction. What it reads then is
   * not to be kept: it may yet be undone.
   */
  public final boolean isWriting() {
    return TransactionSynchronizationManager.isActualTransactionActive();
  }
}
