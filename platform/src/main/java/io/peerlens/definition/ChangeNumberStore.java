package io.peerlens.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Change number: it moves with every change of any of the definitions that share it. Readers keep
 * what they have read until it moves; writers follow one another by a lock of its name.
 * Thread-safe.
 *
 * <p>It is the only row of a table with the column version; triggers move it, but within {@link
 * #write}.
 */
public abstract class ChangeNumberStore {

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String table;
  private final String select;

  /** Setting by which a transaction tells the triggers that it moves the number itself (V45). */
  private final String late;

  /**
   * @param table a constant of the program
   */
  protected ChangeNumberStore(JdbcClient jdbc, TransactionTemplate transaction, String table) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.table = table;
    this.select = "select version from " + table;
    this.late = "peerlens.late_" + table;
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
   * inside a write is part of it. Ticks, which hold the number while they are stored, wait for the
   * end of a write only: what {@link #atEnd} was given, and the move of the number.
   */
  public final <T> T write(Supplier<T> change) {
    return transaction.execute(
        status -> {
          if (TransactionSynchronizationManager.hasResource(this)) {
            return change.get();
          }
          jdbc.sql(
                  "select pg_advisory_xact_lock(hashtext(:table)), set_config(:late, 'moves',"
                      + " true)")
              .param("table", table)
              .param("late", late)
              .query((row, number) -> number)
              .single();
          Write write = new Write();
          TransactionSynchronizationManager.bindResource(this, write);
          try {
            T result = change.get();
            end(write);
            return result;
          } finally {
            TransactionSynchronizationManager.unbindResource(this);
          }
        });
  }

  private void end(Write write) {
    boolean moved =
        jdbc.sql("select current_setting(:late) = 'moved'")
            .param("late", late)
            .query(Boolean.class)
            .single();
    if (!moved && write.atEnd.isEmpty()) {
      return;
    }
    jdbc.sql(select + " for update").query(Long.class).single();
    write.atEnd.values().forEach(Batch::run);
    jdbc.sql("update " + table + " set version = version + 1").update();
  }

  /**
   * Does something at the end of this thread's write, when no tick is being stored: what changes
   * rows that ticks change, too.
   */
  public final void atEnd(Runnable change) {
    atEnd(change, change, all -> change.run());
  }

  /**
   * The same with all items at once that this write gives for a purpose.
   *
   * @param purpose items of equal purposes go together
   * @param change is given the items in their order; that of the first item counts
   */
  @SuppressWarnings("unchecked") // items of a purpose are of one type
  public final <T> void atEnd(Object purpose, T item, Consumer<List<T>> change) {
    Batch<?> batch =
        write().atEnd.computeIfAbsent(purpose, p -> new Batch<>(new ArrayList<>(), change));
    ((Batch<T>) batch).items().add(item);
  }

  private record Batch<T>(List<T> items, Consumer<List<T>> change) {
    void run() {
      change.accept(items);
    }
  }

  /** Write in progress: what was read within it, and what is to be done at its end. */
  private static final class Write {
    final Map<Object, Object> read = new HashMap<>();
    final Map<Object, Batch<?>> atEnd = new LinkedHashMap<>();
  }

  private Write write() {
    Write write = (Write) TransactionSynchronizationManager.getResource(this);
    if (write == null) {
      throw new IllegalStateException("This thread does not write.");
    }
    return write;
  }

  /**
   * What was read within this write, by who read it: nobody else changes definitions meanwhile, so
   * it need not be read again. Null = this thread is not within a write.
   */
  final @Nullable Map<Object, Object> readInWrite() {
    return TransactionSynchronizationManager.hasResource(this) ? write().read : null;
  }

  /**
   * Whether this thread is within {@link #write}, or any other transaction. What it reads then is
   * not to be kept: it may yet be undone.
   */
  public final boolean isWriting() {
    return TransactionSynchronizationManager.isActualTransactionActive();
  }
}
