package io.peerlens.standalone;

import io.peerlens.notify.secret.KeyRing;
import io.peerlens.standalone.esxtop.ObjectDirectory;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/** The launcher's commands that look at a running instance or talk to it. */
final class Commands {

  private static final int NOT_RUNNING = 3;
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(2);

  private Commands() {}

  /** Prints what runs; exit code 3 when nothing does. */
  static int status(Options options, Console console) throws InterruptedException {
    DataDirectory data = DataDirectory.look(options.data());
    URI url = options.url();
    if (url == null) {
      Optional<DataDirectory.Run> running = data.running();
      if (running.isEmpty()) {
        console.line(
            data.isLocked()
                ? "Peerlens is starting on " + data.root()
                : "Peerlens does not run on " + data.root());
        return NOT_RUNNING;
      }
      DataDirectory.Run run = running.get();
      url = URI.create(run.url());
      console.line("Peerlens runs: " + run.url());
      Duration up = Duration.ofMillis(System.currentTimeMillis() - run.startedEpochMs());
      console.line("  process   " + run.pid() + ", up " + words(up));
      console.line("  data      " + data.root());
      console.line("  Kafka     " + run.kafka());
    }
    try {
      JsonNode totals = new ApiClient(url, ApiClient.token(data)).ingestStatus().path("totals");
      if (options.url() != null) {
        console.line("Peerlens runs: " + url);
      }
      JsonNode lag = totals.path("lag");
      JsonNode age = totals.path("newestSampleAgeSeconds");
      console.line(
          String.format(
              Locale.ROOT,
              "  ingest    %,.0f points/s, lag %s, newest sample %s",
              totals.path("pointsPerSecond").asDouble(0),
              lag.isNumber()
                  ? String.format(Locale.ROOT, "%,d records", lag.asLong())
                  : "not known",
              age.isNumber()
                  ? words(Duration.ofMillis((long) (age.asDouble() * 1000))) + " old"
                  : "none yet"));
      long rejected = totals.path("rejectedLastHour").asLong(0);
      if (rejected > 0) {
        console.line(String.format(Locale.ROOT, "  rejected  %,d in the last hour", rejected));
      }
      return 0;
    } catch (ApiClient.ApiFailure e) {
      console.line("  ingest    not known: " + e.getMessage());
      return options.url() == null ? 0 : 1;
    } catch (IOException e) {
      console.line(
          options.url() == null
              ? "  The process runs, but the pages do not answer; see " + data.logFile()
              : "Nothing answers at " + url);
      return options.url() == null ? 1 : NOT_RUNNING;
    }
  }

  /** Stops the instance of the data directory and returns when it has stopped. */
  static int stop(Options options, Console console) throws InterruptedException {
    DataDirectory data = DataDirectory.look(options.data());
    Optional<DataDirectory.Run> running = data.running();
    if (running.isEmpty()) {
      if (data.isLocked()) {
        throw new Refusal(
            "Peerlens is still starting on " + data.root() + ". Try again when it is ready.");
      }
      throw new Refusal(NOT_RUNNING, "Peerlens does not run on " + data.root());
    }
    ProcessHandle process =
        ProcessHandle.of(running.get().pid())
            .orElseThrow(
                () -> new Refusal("Process " + running.get().pid() + " cannot be seen from here."));
    if (!process.destroy()) {
      throw new Refusal(
          "Process "
              + process.pid()
              + " cannot be stopped by "
              + System.getProperty("user.name")
              + ".");
    }
    try {
      process.onExit().get(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new Refusal(
          "Process "
              + process.pid()
              + " has not stopped within "
              + words(STOP_TIMEOUT)
              + "; see "
              + data.logFile());
    }
    console.line("Peerlens has stopped.");
    return 0;
  }

  /**
   * Makes a new key for the secrets of notifications, has everything sealed with it, and drops the
   * keys of before. Of a server elsewhere the key file is the administrator's business, so there
   * everything is only sealed with the first key of it.
   */
  static int rotateSecrets(Options options, Console console) throws InterruptedException {
    DataDirectory data = DataDirectory.look(options.data());
    URI url = url(options, data);
    Path file = data.secretsKeyFile();
    boolean ours = options.url() == null && Files.exists(file);
    try {
      if (ours) {
        data.writeSecret(file, KeyRing.newKeyText(Files.readString(file)));
      }
      JsonNode done = new ApiClient(url, ApiClient.token(data)).rotateSecrets();
      console.line(
          "%d secrets are sealed with the key %s now."
              .formatted(done.path("rotated").asInt(), done.path("keyId").asString("")));
      List<String> unopenable =
          done.path("unopenable").valueStream().map(name -> name.asString("")).toList();
      if (!unopenable.isEmpty()) {
        console.line(
            "These cannot be opened with any key and have to be set again: "
                + String.join(", ", unopenable));
      } else if (ours) {
        data.writeSecret(file, KeyRing.firstKeyText(Files.readString(file)));
        console.line("The keys of before are gone from " + file + ".");
      }
      return 0;
    } catch (IOException e) {
      throw new Refusal(
          "The secrets were not encrypted again: "
              + describe(e, url)
              + (ours ? "\nThe new key is the first in " + file + "; try again." : ""));
    }
  }

  /** Prints a new token and nothing else. */
  static int createToken(Options options, Console console) throws InterruptedException {
    DataDirectory data = DataDirectory.look(options.data());
    URI url = url(options, data);
    String role = Objects.requireNonNull(options.role());
    String name =
        options.tokenName() != null
            ? options.tokenName()
            : role + " made by " + System.getProperty("user.name");
    try {
      console.line(new ApiClient(url, ApiClient.token(data)).createToken(name, role));
      return 0;
    } catch (IOException e) {
      throw new Refusal("No token was made: " + describe(e, url));
    }
  }

  /** Feeds captures into Kafka. */
  static int replay(Options options, Console console) throws InterruptedException {
    DataDirectory data = DataDirectory.look(options.data());
    Optional<DataDirectory.Run> running = data.running();
    String bootstrap = options.kafka();
    if (bootstrap == null) {
      bootstrap =
          running
              .map(DataDirectory.Run::kafka)
              .orElseThrow(
                  () ->
                      new Refusal(
                          NOT_RUNNING,
                          "Peerlens does not run on "
                              + data.root()
                              + ". Start it with 'peerlens start', or name a broker with --kafka."));
    }
    Replay replay =
        new Replay(
            options.files(),
            bootstrap,
            options.speed(),
            options.shift(),
            new Replay.Esxtop(options.esxtop(), () -> directory(options, data)),
            InstantSource.system(),
            console);
    if (options.follow()) {
      replay.follow(() -> true);
      return 0;
    }
    long lines = replay.send();
    boolean stored =
        (options.url() != null || running.isPresent())
            && replay.awaitStored(url(options, data), ApiClient.token(data));
    console.line(
        String.format(
            Locale.ROOT,
            "%,d %s sent%s.",
            lines,
            lines == 1 ? "line" : "lines",
            stored ? " and stored" : ""));
    return 0;
  }

  /** The objects of the service; none when none are asked for. */
  private static ObjectDirectory directory(Options options, DataDirectory data) {
    URI url = options.esxtop().create() ? URI.create("http://localhost") : url(options, data);
    return new ApiDirectory(new ApiClient(url, ApiClient.token(data)), url);
  }

  static URI url(Options options, DataDirectory data) {
    if (options.url() != null) {
      return options.url();
    }
    return data.running()
        .map(run -> URI.create(run.url()))
        .orElseThrow(
            () ->
                new Refusal(
                    NOT_RUNNING,
                    "Peerlens does not run on "
                        + data.root()
                        + ". Start it with 'peerlens start', or name a server with --url."));
  }

  static String describe(IOException e, URI url) {
    return e instanceof ApiClient.ApiFailure
        ? String.valueOf(e.getMessage())
        : "nothing answers at " + url;
  }

  static String words(Duration duration) {
    if (duration.toDays() > 0) {
      return duration.toDays() + " d " + duration.toHoursPart() + " h";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    if (duration.toMinutes() > 0) {
      return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }
    return duration.toSeconds() + " s";
  }
}
