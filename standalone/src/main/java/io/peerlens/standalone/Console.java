package io.peerlens.standalone;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Console output for the user. Everything else goes to the log file. Bars are redrawn in place on a
 * terminal and written as a few whole lines elsewhere.
 */
public final class Console {

  private static final int BAR_WIDTH = 24;
  private static final int STEPS_ELSEWHERE = 5;

  private final PrintStream out;
  private final boolean terminal;
  private boolean barOpen;
  private int lastStep = -1;

  Console(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  static Console ofProcess() {
    java.io.Console console = System.console();
    return new Console(System.out, console != null && console.isTerminal());
  }

  /** Prints a line of its own. */
  public synchronized void line(String text) {
    if (barOpen) {
      out.println();
      barOpen = false;
    }
    out.println(text);
    out.flush();
  }

  /** One step of the start: what, how it went, how long it took. */
  void step(String what, String result, Duration took) {
    line(
        String.format(
            Locale.ROOT, "  %-12s %-44s %5.1f s", what, result, took.toMillis() / 1000.0));
  }

  /**
   * Draws a bar.
   *
   * @param fraction 0 to 1; 1 ends the bar
   */
  public synchronized void bar(String title, double fraction, String detail) {
    double part = Math.clamp(fraction, 0, 1);
    if (terminal) {
      int full = (int) Math.round(part * BAR_WIDTH);
      out.printf(
          Locale.ROOT,
          "\r  %-12s [%s%s] %3.0f %%  %s\u001b[K",
          title,
          "=".repeat(full),
          " ".repeat(BAR_WIDTH - full),
          Math.floor(part * 100), // 100 % means that nothing is left
          detail);
      barOpen = part < 1;
      if (!barOpen) {
        out.println();
      }
      out.flush();
      return;
    }
    int step = (int) (part * STEPS_ELSEWHERE);
    if (step != lastStep) {
      line(
          String.format(
              Locale.ROOT, "  %-12s %3.0f %%  %s", title, Math.floor(part * 100), detail));
    }
    lastStep = part >= 1 ? -1 : step;
  }
}
