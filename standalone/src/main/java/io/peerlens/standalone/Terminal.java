package io.peerlens.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** Terminal that questions are asked at, and what is in the input where there is none. */
interface Terminal {

  /** Whether somebody sits there who can answer. */
  boolean isThere();

  /** Asks, and gives the answer; null = there is none. */
  @Nullable String answer(String question);

  /** Asks for what is not shown while it is typed; null = there is none. */
  @Nullable String hidden(String question);

  /** The first line of the input; null = there is none. */
  @Nullable String firstLine() throws IOException;

  /** The terminal of this process. */
  static Terminal ofProcess() {
    java.io.Console console = System.console();
    boolean there = console != null && console.isTerminal();
    return new Terminal() {
      @Override
      public boolean isThere() {
        return there;
      }

      @Override
      public @Nullable String answer(String question) {
        return console == null ? null : console.readLine("%s", question);
      }

      @Override
      public @Nullable String hidden(String question) {
        char[] typed = console == null ? null : console.readPassword("%s", question);
        return typed == null ? null : new String(typed);
      }

      @Override
      public @Nullable String firstLine() throws IOException {
        return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))
            .readLine();
      }
    };
  }
}
