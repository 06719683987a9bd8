package io.peerlens.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Task that keeps incidents in step with alerts: judges causes when an alert has changed, and once
 * a minute, since machines move. What follows is one transaction under one lock, so whichever node
 * does it, and whatever is killed when, no alert is in two incidents and no incident is there
 * twice.
 */
public final class IncidentKeeper {

  private static final Duration AT_LEAST = Duration.ofMinutes(1);

  private final IncidentQueries queries;
  private final IncidentStore store;
  private final TransactionTemplate transaction;
  private final Duration tolerance;
  private final Function<Instant, UUID> ids;

  private long version = -1;
  private Instant last = Instant.EPOCH;

  /**
   * A keeper.
   *
   * @param tolerance how much later than what it explains a cause may have begun
   */
  IncidentKeeper(
      IncidentQueries queries,
      IncidentStore store,
      TransactionTemplate transaction,
      Duration tolerance,
      Function<Instant, UUID> ids) {
    this.queries = queries;
    this.store = store;
    this.transaction = transaction;
    this.tolerance = tolerance;
    this.ids = ids;
  }

  /** Looks whether there is something to do, and does it. */
  public synchronized void run(Instant now) {
    long present = queries.version();
    if (present == version && now.isBefore(last.plus(AT_LEAST))) {
      return;
    }
    Boolean done = transaction.execute(status -> keep(now));
    if (Boolean.TRUE.equals(done)) {
      version = present;
      last = now;
    }
  }

  private boolean keep(Instant now) {
    if (!store.tryLock()) {
      return false;
    }
    IncidentQueries.Read read = queries.read();
    List<CauseJudgement> judged = new CauseJudge(read.topology(), tolerance).judge(read.alerts());
    List<IncidentState> open = store.open();
    IncidentLife life = new IncidentLife(one -> title(one, read), IncidentKeeper::place, ids);
    List<IncidentState> begun = life.next(open, judged, now);
    List<IncidentState> all = new ArrayList<>(open);
    all.addAll(begun);
    store.put(all, now);
    return true;
  }

  private static @Nullable Integer place(CauseJudgement one) {
    OpenAlert cause = one.cause();
    return cause == null ? one.place() : Integer.valueOf(cause.object());
  }

  private static IncidentTitle title(CauseJudgement one, IncidentQueries.Read read) {
    OpenAlert cause = one.cause();
    if (cause != null) {
      return IncidentTitle.of(
          cause,
          read.topology().kind(cause.object()),
          Objects.requireNonNull(read.objects().get(cause.object())).getName());
    }
    Integer place = one.place();
    long rules = one.alerts().stream().map(OpenAlert::definition).distinct().count();
    return IncidentTitle.common(
        rules == 1 ? one.alerts().getFirst().rule() : "No data",
        (int) one.alerts().stream().mapToInt(OpenAlert::object).distinct().count(),
        place == null ? "" : Objects.requireNonNull(read.objects().get(place)).getName());
  }
}
