package io.peerlens.suiteapi;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Version, state of the node and its services. */
final class SystemOperations {

  /** The release whose API this is. */
  private static final int MAJOR = 8;

  private static final int MINOR = 18;

  /** When the build of that release came out, in epoch milliseconds. */
  private static final Instant RELEASED = Instant.parse("2024-07-23T00:00:00Z");

  private static final DateTimeFormatter READABLE =
      DateTimeFormatter.ofPattern("EEEE, MMMM d, yyyy h:mm:ss a 'UTC'", Locale.ENGLISH);

  private final SystemQueries queries;
  private final InstantSource clock;
  private final Instant started;

  SystemOperations(SystemQueries queries, InstantSource clock) {
    this.queries = queries;
    this.clock = clock;
    this.started = clock.instant();
  }

  void addTo(Routes routes) {
    routes
        .get("/api/versions/current", call -> Answer.ok(version()))
        .get("/api/versions", call -> Answer.ok(Json.object("values", List.of(version()))))
        .get("/api/deployment/node/status", call -> status())
        .get("/api/deployment/node/services/info", call -> services());
  }

  private static Object version() {
    return Json.object(
        "releaseName",
        "Peerlens, as VMware Aria Operations " + MAJOR + "." + MINOR + ".0",
        "major",
        MAJOR,
        "minor",
        MINOR,
        "minorMinor",
        0,
        "patch",
        0,
        "buildNumber",
        0,
        "releasedDate",
        RELEASED.toEpochMilli(),
        "humanlyReadableReleaseDate",
        readable(RELEASED),
        "description",
        "Peerlens answers the API of this release.");
  }

  private static String readable(Instant moment) {
    return READABLE.format(moment.atOffset(ZoneOffset.UTC));
  }

  private Answer status() {
    Instant now = clock.instant();
    boolean online = queries.answers();
    return new Answer.Whole(
        online ? 200 : 503,
        Json.object(
            "status",
            online ? "ONLINE" : "OFFLINE",
            "systemTime",
            now.toEpochMilli(),
            "humanlyReadableSystemTime",
            readable(now),
            "details",
            online ? "The node and its database answer." : "The database does not answer."));
  }

  /** Services by the names that the contract has for them. */
  private Answer services() {
    Instant now = clock.instant();
    List<Object> services = new ArrayList<>();
    boolean database = queries.answers();
    services.add(
        service(
            "API",
            database ? "OK" : "ERROR",
            database ? "Success" : "The database does not answer",
            now));
    if (database) {
      services.add(
          service(
              "COLLECTOR",
              queries.isIngestAlive(now) ? "OK" : "WARNING",
              queries.isIngestAlive(now) ? "Success" : "No node has stored samples lately",
              now));
      services.add(
          service(
              "ANALYTICS",
              queries.isEvaluationAlive(now) ? "OK" : "WARNING",
              queries.isEvaluationAlive(now) ? "Success" : "No tick was evaluated lately",
              now));
    }
    return Answer.ok(Json.object("service", services));
  }

  private Object service(String name, String health, String details, Instant now) {
    return Json.object(
        "name",
        name,
        "health",
        health,
        "details",
        details,
        "uptime",
        now.toEpochMilli() - started.toEpochMilli(),
        "startedOn",
        started.toEpochMilli());
  }
}
