package io.peerlens.job;

/** Progress of long work, and whether it should stop. */
public interface Progress {

  /** Tells nobody and is never cancelled. */
  Progress NONE =
      new Progress() {
        @Override
        public void total(long total) {}

        @Override
        public void done(long done) {}

        @Override
        public void detail(String detail) {}

        @Override
        public boolean cancelled() {
          return false;
        }
      };

  /** How much there is to do, in the job's unit; may change on the way. */
  void total(long total);

  /** How much is done so far, in the job's unit. */
  void done(long done);

  /** What is being done now, in a few words. */
  void detail(String detail);

  /** Whether the work should stop at its next safe point. */
  boolean cancelled();
}
