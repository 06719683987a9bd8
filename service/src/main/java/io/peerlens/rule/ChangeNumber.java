package io.peerlens.rule;

import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A number that moves with every change of any of the definitions that share it; triggers move it.
 * Readers keep what they have read until it moves; writers follow one another by locking it.
 * Thread-safe.
 */
public abstract class ChangeNumber {

  private final ChangeNumberStore store;

  protected ChangeNumber(ChangeNumberStore store) {
    this.store = store;
  }

  /** The number now. */
  public final long version() {
    return store.version();
  }

  /** Reads definitions in one transaction with the number, so that they belong together. */
  public final <T> T read(LongFunction<T> reader) {
    return store.read(reader);
  }

  /**
   * Does something that changes definitions, alone: all of it takes place or nothing. A write
   * inside a write is part of it.
   */
  public final <T> T write(Supplier<T> change) {
    return store.write(change);
  }

  /**
   * Whether this thread is within {@link #write}, or any other transaction. What it reads then is
   * not to be kept: it may yet be undone.
   */
  public final boolean isWriting() {
    return store.isWriting();
  }
}
