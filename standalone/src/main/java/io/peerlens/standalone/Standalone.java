package io.peerlens.standalone;

import io.peerlens.Application;
import io.peerlens.standalone.size.Estate;
import io.peerlens.standalone.size.PlanText;
import io.peerlens.standalone.size.Planner;
import java.util.List;

/** The entry point of {@code ./peerlens}: one command each time, exit code 0 only on success. */
public final class Standalone {

  private Standalone() {}

  /** Runs the command that the words name; {@code start} when there are none. */
  public static void main(String[] words) {
    System.exit(run(List.of(words), Console.ofProcess()));
  }

  /**
   * Runs one command to its end.
   *
   * @return the process's exit code: 0 success, 1 failure, 2 wrong words, 3 not running
   */
  static int run(List<String> words, Console console) {
    try {
      Options options = Options.parse(words);
      if (options.command() != Options.Command.START || options.detach()) {
        System.setProperty("logback.configurationFile", "logback-client.xml");
      }
      return switch (options.command()) {
        case START -> {
          if (options.detach()) {
            yield Detached.start(options, console);
          }
          Application.shareProcessor();
          StandaloneServer.runUntilStopped(options, console);
          yield 0;
        }
        case STATUS -> Commands.status(options, console);
        case STOP -> Commands.stop(options, console);
        case REPLAY -> Commands.replay(options, console);
        case IMPORT_RUN -> RunImport.run(options, console);
        case SIZE -> size(options, console);
        case TOKEN_CREATE -> Commands.createToken(options, console);
        case SECRETS_ROTATE -> Commands.rotateSecrets(options, console);
        case SOURCE_ADD -> Sources.of(options, console).add();
        case SOURCE_LIST -> Sources.of(options, console).list();
        case SOURCE_PAUSE -> Sources.of(options, console).pause();
        case SOURCE_RESUME -> Sources.of(options, console).resume();
        case SOURCE_REMOVE -> Sources.of(options, console).remove();
        case HELP -> {
          console.line(Help.TEXT.stripTrailing());
          yield 0;
        }
      };
    } catch (Refusal refusal) {
      System.err.println(refusal.getMessage());
      return refusal.exitCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  /** Prints what an installation needs; asks nothing of one that runs. */
  private static int size(Options options, Console console) {
    Estate estate;
    try {
      estate = options.size().estate();
    } catch (IllegalArgumentException e) {
      throw Refusal.usage(String.valueOf(e.getMessage()));
    }
    PlanText.lines(Planner.plan(estate), options.size().explain()).forEach(console::line);
    return 0;
  }
}
