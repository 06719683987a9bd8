package io.peerlens.rule;

import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A {@link ChangeNumber} in the database: the only row of a table with the column version. */
public final class ChangeNumberStore {

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String select;

  /**
   * @param table a constant of the program
   */
  public ChangeNumberStore(JdbcClient jdbc, TransactionTemplate transaction, String table) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.select = "select version from " + table;
  }

  long version() {
    return jdbc.sql(select).query(Long.class).single();
  }

  <T> T read(LongFunction<T> reader) {
    return transaction.execute(
        status -> {
          jdbc.sql("set transaction isolation level repeatable read").update();
          return reader.apply(version());
        });
  }

  <T> T write(Supplier<T> change) {
    return transaction.execute(
        status -> {
          jdbc.sql(select + " for update").query(Long.class).single();
          return change.get();
        });
  }

  boolean isWriting() {
    return TransactionSynchronizationManager.isActualTransactionActive();
  }
}
