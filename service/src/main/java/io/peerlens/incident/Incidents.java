package io.peerlens.incident;

import io.peerlens.api.model.Incident;
import io.peerlens.api.model.IncidentCause;
import io.peerlens.api.model.IncidentConfidence;
import io.peerlens.api.model.IncidentSign;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The incidents among the alerts that are open now; judged anew when an alert has changed. */
final class Incidents {

  /** How long a judgement holds when no alert changes: machines move without a word of alerts. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  /** So many alerts of an incident are named. */
  private static final int NAMED = 1_000;

  private final IncidentQueries queries;
  private final Duration tolerance;
  private final InstantSource clock;
  private final ReentrantLock judging = new ReentrantLock();
  private volatile @Nullable Judged judged;

  /**
   * What was found at a moment.
   *
   * @param version the last change of an alert before it
   */
  record Judged(long version, Instant at, List<Incident> incidents, int alone) {}

  /**
   * @param tolerance how much later than what it explains a cause may have begun
   */
  Incidents(IncidentQueries queries, Duration tolerance, InstantSource clock) {
    this.queries = queries;
    this.tolerance = tolerance;
    this.clock = clock;
  }

  /** One caller judges, the others wait for what he finds. */
  Judged now() {
    long version = queries.version();
    Judged last = judged;
    if (last != null && isFresh(last, version)) {
      return last;
    }
    judging.lock();
    try {
      last = judged;
      if (last == null || !isFresh(last, version)) {
        last = judge();
        judged = last;
      }
      return last;
    } finally {
      judging.unlock();
    }
  }

  private boolean isFresh(Judged last, long version) {
    return last.version() == version
        && Duration.between(last.at(), clock.instant()).compareTo(KEPT) < 0;
  }

  private Judged judge() {
    Instant at = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    long version = queries.version();
    IncidentQueries.Read read = queries.read();
    List<Judgement> found = new CauseJudge(read.topology(), tolerance).judge(read.alerts());
    int together = found.stream().mapToInt(one -> one.alerts().size()).sum();
    return new Judged(
        version,
        at,
        found.stream().map(one -> incident(one, read)).toList(),
        read.alerts().size() - together);
  }

  private static Incident incident(Judgement one, IncidentQueries.Read read) {
    List<OpenAlert> alerts = one.alerts();
    OpenAlert cause = one.cause();
    int objects = (int) alerts.stream().mapToInt(OpenAlert::object).distinct().count();
    ObjectRef place = one.place() == null ? null : read.objects().get(one.place());
    String rule = Objects.requireNonNull(read.names().get(alerts.getFirst().id()));
    Incident incident =
        new Incident(
            cause != null
                ? rule + " on " + object(cause, read).getName()
                : "%s: %,d objects%s"
                    .formatted(rule, objects, place == null ? "" : " in " + place.getName()),
            severity(alerts.stream().mapToInt(OpenAlert::severity).max().orElseThrow()),
            alerts.stream().map(OpenAlert::since).min(Comparator.naturalOrder()).orElseThrow(),
            IncidentConfidence.fromValue(one.confidence().name().toLowerCase(Locale.ROOT)),
            one.signs().stream().sorted().map(Incidents::sign).toList(),
            alerts.stream().limit(NAMED).map(OpenAlert::id).toList(),
            alerts.size(),
            objects);
    if (cause != null) {
      incident.setCause(
          new IncidentCause(
              cause.id(),
              cause.number(),
              rule,
              object(cause, read),
              severity(cause.severity()),
              cause.since()));
    }
    incident.setPlace(place);
    return incident;
  }

  private static ObjectRef object(OpenAlert alert, IncidentQueries.Read read) {
    return Objects.requireNonNull(read.objects().get(alert.object()));
  }

  private static IncidentSign sign(Judgement.Sign sign) {
    return IncidentSign.fromValue(sign.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  private static Severity severity(int level) {
    return Severity.values()[level - 1];
  }
}
