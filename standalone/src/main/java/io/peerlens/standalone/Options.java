package io.peerlens.standalone;

import io.peerlens.standalone.esxtop.EsxtopChoice;
import io.peerlens.standalone.size.SizeWords;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A parsed command line.
 *
 * @param data where everything is kept
 * @param port of the pages and the API
 * @param https where https is spoken too; null = nowhere
 * @param kafkaPort of the embedded broker
 * @param database JDBC URL of a database elsewhere; null = the embedded one
 * @param kafka bootstrap servers of a Kafka elsewhere; null = the embedded broker
 * @param sample whether the sample datacentre runs
 * @param url of a server elsewhere; null = the one that runs on {@code data}
 * @param speed of a replay in multiples of real time; 0 = as fast as possible
 * @param shift whether a replay moves its newest sample to now
 * @param files of a replay
 * @param follow whether a replay goes on while its file grows
 * @param esxtop whose samples batch output of esxtop holds
 * @param role of a new token
 * @param tokenName of a new token
 * @param source what a command of sources is about; null = it is another command
 * @param run what is said of imported results of benchmarks
 * @param size what an installation is to hold whose size is asked for
 */
record Options(
    Command command,
    boolean detach,
    Path data,
    int port,
    Https.@Nullable HttpsAddress https,
    int kafkaPort,
    @Nullable String database,
    @Nullable String kafka,
    boolean sample,
    @Nullable URI url,
    double speed,
    boolean shift,
    List<Path> files,
    boolean follow,
    EsxtopChoice esxtop,
    @Nullable String role,
    @Nullable String tokenName,
    @Nullable SourceWords source,
    RunWords run,
    SizeWords size) {

  /**
   * Words of a command of sources.
   *
   * @param target address of a new one, or name of a stored one
   * @param name of a new one; null = the host of its address
   * @param user that it is read as; null = it is asked for
   * @param sha256 fingerprint of its certificate that was compared already; null = it is asked for
   * @param passwordFile file with its password; null = it is asked for, or is in the input
   */
  record SourceWords(
      String target,
      @Nullable String name,
      @Nullable String user,
      @Nullable String sha256,
      @Nullable Path passwordFile) {}

  /**
   * What is said of imported results of benchmarks.
   *
   * @param object name or id of what was tested; null = nobody says it
   * @param from when the first run began; null = the tool says it, or nobody does
   * @param note null = none
   */
  record RunWords(@Nullable String object, @Nullable String from, @Nullable String note) {}

  static final int DEFAULT_PORT = 8080;
  static final int DEFAULT_KAFKA_PORT = 9092;

  enum Command {
    START,
    STATUS,
    STOP,
    REPLAY,
    IMPORT_RUN,
    SIZE,
    TOKEN_CREATE,
    SECRETS_ROTATE,
    SOURCE_ADD,
    SOURCE_LIST,
    SOURCE_PAUSE,
    SOURCE_RESUME,
    SOURCE_REMOVE,
    HELP;

    /** Whether it is about one source, which it names. */
    boolean namesSource() {
      return this == SOURCE_ADD
          || this == SOURCE_PAUSE
          || this == SOURCE_RESUME
          || this == SOURCE_REMOVE;
    }

    /** As it is typed. */
    String words() {
      return this == IMPORT_RUN ? "import-run" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * Reads a command line; no words at all mean {@code start}.
   *
   * @throws Refusal saying which word is wrong
   */
  static Options parse(List<String> words) {
    return new Parser(words).parse();
  }

  private static final class Parser {
    private final List<String> words;
    private boolean detach;
    private Path data = Path.of("data");
    private int port = DEFAULT_PORT;
    private Https.@Nullable HttpsAddress https;
    private int kafkaPort = DEFAULT_KAFKA_PORT;
    private @Nullable String database;
    private @Nullable String kafka;
    private boolean sample = true;
    private @Nullable URI url;
    private double speed;
    private boolean shift;
    private final List<Path> files = new ArrayList<>();
    private boolean follow;
    private @Nullable String host;
    private @Nullable String vcenter;
    private boolean create;
    private @Nullable String role;
    private @Nullable String tokenName;
    private @Nullable String target;
    private @Nullable String user;
    private @Nullable String sha256;
    private @Nullable Path passwordFile;
    private @Nullable String object;
    private @Nullable String from;
    private @Nullable String note;
    private final SizeWords size = new SizeWords();

    Parser(List<String> words) {
      this.words = words;
    }

    Options parse() {
      List<String> rest = new ArrayList<>(words);
      if (rest.contains("--help") || rest.contains("-h")) {
        return options(Command.HELP);
      }
      Command command = command(rest);
      Iterator<String> it = rest.iterator();
      boolean onlyFiles = false;
      while (it.hasNext()) {
        String word = it.next();
        if (onlyFiles || word.equals("-") || !word.startsWith("-")) {
          if (command == Command.REPLAY || command == Command.IMPORT_RUN) {
            files.add(Path.of(word));
          } else if (command.namesSource() && target == null) {
            target = word;
          } else {
            throw Refusal.usage("'" + word + "' is not understood here.");
          }
        } else if (word.equals("--")) {
          onlyFiles = true;
        } else {
          option(command, word, it);
        }
      }
      if (command == Command.REPLAY && files.isEmpty()) {
        throw Refusal.usage("replay needs at least one file: peerlens replay FILE...");
      }
      if (command == Command.IMPORT_RUN && files.size() != 1) {
        throw Refusal.usage(
            "import-run needs one folder, ZIP or file: peerlens import-run FOLDER.");
      }
      if (follow && (files.size() > 1 || shift || speed > 0)) {
        throw Refusal.usage("--follow takes one file, and neither --shift nor --speed.");
      }
      if (command == Command.TOKEN_CREATE && role == null) {
        throw Refusal.usage("token create needs --role viewer, operator, admin or ingest.");
      }
      if (command.namesSource() && target == null) {
        throw Refusal.usage(
            command == Command.SOURCE_ADD
                ? "source add needs a kind and an address: source add vcenter https://HOST."
                : command.words() + " needs the name of a source: " + command.words() + " NAME.");
      }
      if (command == Command.START && kafka == null && port == kafkaPort) {
        throw Refusal.usage("--port and --kafka-port are both " + port + "; they must differ.");
      }
      if (https != null && (https.port() == port || kafka == null && https.port() == kafkaPort)) {
        throw Refusal.usage(
            "--https names port " + https.port() + ", which --port or --kafka-port has already.");
      }
      return options(command);
    }

    private static Command command(List<String> rest) {
      if (rest.isEmpty() || rest.getFirst().startsWith("-")) {
        return Command.START;
      }
      String word = rest.removeFirst();
      return switch (word) {
        case "start" -> Command.START;
        case "status" -> Command.STATUS;
        case "stop" -> Command.STOP;
        case "replay" -> Command.REPLAY;
        case "import-run" -> Command.IMPORT_RUN;
        case "size" -> Command.SIZE;
        case "help" -> {
          rest.clear();
          yield Command.HELP;
        }
        case "token" -> {
          if (rest.isEmpty() || !rest.removeFirst().equals("create")) {
            throw Refusal.usage("token knows one thing: token create --role ROLE.");
          }
          yield Command.TOKEN_CREATE;
        }
        case "secrets" -> {
          if (rest.isEmpty() || !rest.removeFirst().equals("rotate")) {
            throw Refusal.usage("secrets knows one thing: secrets rotate.");
          }
          yield Command.SECRETS_ROTATE;
        }
        case "source" -> source(rest);
        default -> throw Refusal.usage("There is no command '" + word + "'.");
      };
    }

    private static Command source(List<String> rest) {
      return switch (rest.isEmpty() ? "" : rest.removeFirst()) {
        case "add" -> {
          if (rest.isEmpty() || !rest.removeFirst().equals("vcenter")) {
            throw Refusal.usage("source add knows one kind: source add vcenter https://HOST.");
          }
          yield Command.SOURCE_ADD;
        }
        case "list" -> Command.SOURCE_LIST;
        case "pause" -> Command.SOURCE_PAUSE;
        case "resume" -> Command.SOURCE_RESUME;
        case "remove" -> Command.SOURCE_REMOVE;
        default ->
            throw Refusal.usage(
                "source knows: add vcenter ADDRESS, list, pause NAME, resume NAME, remove NAME.");
      };
    }

    private void option(Command command, String word, Iterator<String> it) {
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      Optional<String> given =
          equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1));
      boolean known =
          switch (command) {
            case START ->
                switch (name) {
                  case "--detach" -> {
                    flag(name, given);
                    detach = true;
                    yield true;
                  }
                  case "--no-sample" -> {
                    flag(name, given);
                    sample = false;
                    yield true;
                  }
                  case "--port" -> {
                    port = port(name, value(name, given, it));
                    yield true;
                  }
                  case "--https" -> {
                    https = https(value(name, given, it));
                    yield true;
                  }
                  case "--kafka-port" -> {
                    kafkaPort = port(name, value(name, given, it));
                    yield true;
                  }
                  case "--database" -> {
                    database = jdbcUrl(value(name, given, it));
                    yield true;
                  }
                  case "--kafka" -> {
                    kafka = value(name, given, it);
                    yield true;
                  }
                  default -> false;
                };
            case REPLAY ->
                switch (name) {
                  case "--shift" -> {
                    flag(name, given);
                    shift = true;
                    yield true;
                  }
                  case "--follow" -> {
                    flag(name, given);
                    follow = true;
                    yield true;
                  }
                  case "--create" -> {
                    flag(name, given);
                    create = true;
                    yield true;
                  }
                  case "--host" -> {
                    host = value(name, given, it);
                    yield true;
                  }
                  case "--vcenter" -> {
                    vcenter = value(name, given, it);
                    yield true;
                  }
                  case "--speed" -> {
                    speed = speed(value(name, given, it));
                    yield true;
                  }
                  case "--kafka" -> {
                    kafka = value(name, given, it);
                    yield true;
                  }
                  default -> false;
                };
            case IMPORT_RUN ->
                switch (name) {
                  case "--object" -> {
                    object = value(name, given, it);
                    yield true;
                  }
                  case "--from" -> {
                    from = value(name, given, it);
                    yield true;
                  }
                  case "--note" -> {
                    note = value(name, given, it);
                    yield true;
                  }
                  default -> false;
                };
            case SIZE -> sizeOption(name, given, it);
            case TOKEN_CREATE ->
                switch (name) {
                  case "--role" -> {
                    role = role(value(name, given, it));
                    yield true;
                  }
                  case "--name" -> {
                    tokenName = value(name, given, it);
                    yield true;
                  }
                  default -> false;
                };
            case SOURCE_ADD ->
                switch (name) {
                  case "--name" -> {
                    tokenName = value(name, given, it);
                    yield true;
                  }
                  case "--user" -> {
                    user = value(name, given, it);
                    yield true;
                  }
                  case "--sha256" -> {
                    sha256 = fingerprint(value(name, given, it));
                    yield true;
                  }
                  case "--password-file" -> {
                    passwordFile = Path.of(value(name, given, it));
                    yield true;
                  }
                  case "--password" ->
                      throw Refusal.usage(
                          "A password is no argument, since other users of this machine see those."
                              + " Give --password-file FILE, or enter it when it is asked for.");
                  default -> false;
                };
            case STATUS,
                STOP,
                SECRETS_ROTATE,
                SOURCE_LIST,
                SOURCE_PAUSE,
                SOURCE_RESUME,
                SOURCE_REMOVE,
                HELP ->
                false;
          };
      if (known) {
        return;
      }
      if (command == Command.SIZE) {
        throw Refusal.usage("'" + name + "' is not an option of size.");
      }
      switch (name) {
        case "--data" -> data = Path.of(value(name, given, it));
        case "--url" -> {
          if (command == Command.START || command == Command.STOP) {
            throw Refusal.usage(
                "--url names a server elsewhere; start and stop work on --data only.");
          }
          url = url(value(name, given, it));
        }
        default ->
            throw Refusal.usage("'" + name + "' is not an option of " + command.words() + ".");
      }
    }

    private boolean sizeOption(String name, Optional<String> given, Iterator<String> it) {
      if (name.equals("--explain")) {
        flag(name, given);
        size.explainIt();
        return true;
      }
      try {
        return size.take(name, () -> value(name, given, it));
      } catch (IllegalArgumentException e) {
        throw Refusal.usage(String.valueOf(e.getMessage()));
      }
    }

    private static void flag(String name, Optional<String> given) {
      if (given.isPresent()) {
        throw Refusal.usage(name + " takes no value.");
      }
    }

    private static String value(String name, Optional<String> given, Iterator<String> it) {
      if (given.isPresent()) {
        return given.get();
      }
      if (!it.hasNext()) {
        throw Refusal.usage(name + " needs a value.");
      }
      return it.next();
    }

    private static int port(String name, String text) {
      try {
        int port = Integer.parseInt(text);
        if (port >= 1 && port <= 65535) {
          return port;
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
      throw Refusal.usage(name + " is '" + text + "'; it must be a number from 1 to 65535.");
    }

    /** A port, or an address and a port. */
    private static Https.HttpsAddress https(String text) {
      int colon = text.lastIndexOf(':');
      String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
      if (host.startsWith("[") && host.endsWith("]")) {
        host = host.substring(1, host.length() - 1);
      } else if (host.contains(":") || host.isEmpty()) {
        throw Refusal.usage(
            "--https is '" + text + "'; it must be PORT, HOST:PORT or [IPV6]:PORT.");
      }
      return new Https.HttpsAddress(host, port("--https", text.substring(colon + 1)));
    }

    private static double speed(String text) {
      try {
        double speed = Double.parseDouble(text);
        if (speed > 0 && Double.isFinite(speed)) {
          return speed;
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
      throw Refusal.usage(
          "--speed is '"
              + text
              + "'; it must be a number above 0: 1 = real time, 60 = a minute"
              + " in a second.");
    }

    private static String jdbcUrl(String text) {
      if (!text.startsWith("jdbc:postgresql:")) {
        throw Refusal.usage(
            "--database is '"
                + text
                + "'; it must look like jdbc:postgresql://HOST:5432/peerlens.");
      }
      return text;
    }

    private static String role(String text) {
      return switch (text) {
        case "viewer", "operator", "admin", "ingest" -> text;
        default ->
            throw Refusal.usage(
                "--role is '" + text + "'; it must be viewer, operator, admin or ingest.");
      };
    }

    /** In capital letters, with colons between the bytes. */
    private static String fingerprint(String text) {
      String digits = text.replace(":", "").strip();
      if (!digits.matches("[0-9a-fA-F]{64}")) {
        throw Refusal.usage(
            "--sha256 is '"
                + text
                + "'; it must be a SHA-256 fingerprint: 64 hexadecimal digits, with or without"
                + " colons between the pairs.");
      }
      return digits.toUpperCase(Locale.ROOT).replaceAll("(..)(?!$)", "$1:");
    }

    private static URI url(String text) {
      try {
        URI uri = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        if (uri.getHost() != null
            && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
          return uri;
        }
      } catch (IllegalArgumentException e) {
        // Said below.
      }
      throw Refusal.usage("--url is '" + text + "'; it must look like http://HOST:8080.");
    }

    private Options options(Command command) {
      return new Options(
          command,
          detach,
          data,
          port,
          https,
          kafkaPort,
          database,
          kafka,
          sample,
          url,
          speed,
          shift,
          List.copyOf(files),
          follow,
          new EsxtopChoice(host, vcenter, create),
          role,
          tokenName,
          target == null ? null : new SourceWords(target, tokenName, user, sha256, passwordFile),
          new RunWords(object, from, note),
          size);
    }
  }
}
