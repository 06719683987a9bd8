package io.peerlens.evaluation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.peerlens.samples.IngestProgress;
import io.peerlens.samples.IngestProgressQueries;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetric.FormulaProperties;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scheduled task of a shard: evaluates the ticks that are due, and answers when to come back.
 * db-scheduler calls it for a shard on one process at a time; that the ticks are each stored once
 * does not depend on that.
 */
final class ShardTask {

  private static final Logger log = LoggerFactory.getLogger(ShardTask.class);

  /** A run ends after this, so that a long catch-up shows as work in many steps. */
  private static final Duration LONGEST_RUN = Duration.ofSeconds(20);

  private static final Duration RETRY = Duration.ofSeconds(5);

  /** A rule that is stored now may be due before the next tick of those known. */
  private static final Duration LOOK_FOR_RULES = Duration.ofSeconds(5);

  /** How long ticks wait for ingest, which may be away or have too much to do. */
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private static final Duration LOOK_AT_INGEST = Duration.ofSeconds(2);

  private final Evaluation.Stages stages;
  private final EvaluationStore store;
  private final EvaluationProperties properties;
  private final FormulaProperties formulas;
  private final RollUpProperties rollUps;
  private final IngestProgressQueries readings;
  private final InstantSource clock;
  private final MeterRegistry meters;

  /** Since when a shard has been waiting for ingest; none = it need not, epoch = for too long. */
  private final Map<Integer, Instant> waiting = new ConcurrentHashMap<>();

  private final Map<Integer, Evaluation> byShard = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicLong> lags = new ConcurrentHashMap<>();

  ShardTask(
      Evaluation.Stages stages,
      EvaluationStore store,
      EvaluationProperties properties,
      FormulaProperties formulas,
      RollUpProperties rollUps,
      IngestProgressQueries readings,
      InstantSource clock,
      MeterRegistry meters) {
    this.stages = stages;
    this.store = store;
    this.properties = properties;
    this.formulas = formulas;
    this.rollUps = rollUps;
    this.readings = readings;
    this.clock = clock;
    this.meters = meters;
  }

  /**
   * Evaluates what is due.
   *
   * @return when the next tick is due
   */
  Instant run(int shard) {
    try {
      return evaluate(shard);
    } catch (EvaluationStore.Overtaken e) {
      log.info("{}", e.getMessage());
      byShard.remove(shard);
      return clock.instant().plus(RETRY);
    } catch (EvaluationStore.RulesChanged e) {
      log.debug("{}", e.getMessage());
      evaluation(shard).forgetFindings();
      return clock.instant();
    } catch (RuntimeException e) {
      byShard.remove(shard); // what it remembers may be of a transaction that was not stored
      log.error("Shard {} could not be evaluated; it is tried again in {}", shard, RETRY, e);
      meters.counter("peerlens.evaluation.failures").increment();
      store.failed(shard, e.toString());
      return clock.instant().plus(RETRY);
    }
  }

  private Evaluation evaluation(int shard) {
    return byShard.computeIfAbsent(
        shard,
        of ->
            new Evaluation(
                of,
                stages,
                store,
                new SampleWriter(rollUps.lag(), clock),
                properties,
                formulas,
                System::nanoTime));
  }

  private Instant evaluate(int shard) {
    Evaluation evaluation = evaluation(shard);
    Instant started = clock.instant();
    Optional<Instant> at =
        store.lastTick(shard).map(last -> notTooFarBack(shard, last, evaluation));
    while (true) {
      Instant newest = clock.instant().minus(properties.lag());
      Instant before = at.orElse(null);
      Instant tick =
          before == null
              ? evaluation.next(newest.minus(Duration.ofMinutes(1)))
              : evaluation.next(before);
      boolean isDue = !tick.isAfter(newest);
      lag(shard).set(isDue ? Duration.between(tick, newest).toMillis() : 0);
      if (!isDue) {
        Instant due = tick.plus(properties.lag());
        Instant look = clock.instant().plus(LOOK_FOR_RULES);
        return due.isBefore(look) ? due : look;
      }
      IngestProgress reading = readings.at(clock.instant());
      if (waits(shard, tick, reading)) {
        return clock.instant().plus(LOOK_AT_INGEST);
      }
      TickReport report = evaluation.run(before, tick, reading.noticing(tick));
      record(shard, report);
      at = Optional.of(tick);
      if (Duration.between(started, clock.instant()).compareTo(LONGEST_RUN) > 0) {
        return clock.instant();
      }
    }
  }

  /**
   * Whether a tick must wait until ingest has stored what Kafka had at its moment. After both were
   * away there may be much of it, and what is evaluated without it stays wrong.
   */
  private boolean waits(int shard, Instant tick, IngestProgress reading) {
    Instant now = clock.instant();
    if (reading.covers(tick, now)) {
      waiting.remove(shard);
      return false;
    }
    Instant since = waiting.get(shard);
    if (since == null) {
      waiting.put(shard, now);
      log.info("Shard {}: the tick of {} waits for {}", shard, tick, state(reading));
      store.waits(shard, state(reading));
      return true;
    }
    if (now.isBefore(since.plus(LONGEST_WAIT))) {
      return true;
    }
    if (!since.equals(Instant.EPOCH)) {
      waiting.put(shard, Instant.EPOCH);
      log.warn("Shard {} does not wait any longer for {}", shard, state(reading));
    }
    return false;
  }

  private static String state(IngestProgress reading) {
    return reading.until().equals(Instant.MIN)
        ? "ingest, which does not run"
        : "ingest, which has stored what came until " + reading.until();
  }

  private Instant notTooFarBack(int shard, Instant last, Evaluation evaluation) {
    Instant oldest = clock.instant().minus(properties.lag()).minus(properties.catchUp());
    if (!last.isBefore(oldest)) {
      return last;
    }
    Instant to = oldest.truncatedTo(ChronoUnit.SECONDS);
    long ticks = evaluation.ticks(last, to);
    store.skip(shard, last, to, ticks);
    meters.counter("peerlens.evaluation.ticks.skipped").increment(ticks);
    log.warn(
        "Shard {}: {} ticks from {} to {} are left out, evaluators were away for longer than {}",
        shard,
        ticks,
        last,
        to,
        properties.catchUp());
    return to;
  }

  private AtomicLong lag(int shard) {
    return lags.computeIfAbsent(
        shard,
        s -> {
          AtomicLong lag = new AtomicLong();
          Gauge.builder("peerlens.evaluation.lag", lag, millis -> millis.get() / 1e3)
              .baseUnit("seconds")
              .description("How late a tick of the shard was when it was last looked for here")
              .tag("shard", Integer.toString(s))
              .register(meters);
          return lag;
        });
  }

  private void record(int shard, TickReport report) {
    stage("load").record(report.load());
    stage("compute").record(report.compute());
    stage("thresholds").record(report.judge());
    stage("outliers").record(report.outliers());
    stage("alerts").record(report.alerts());
    stage("store").record(report.store());
    meters.counter("peerlens.alerts.transitions").increment(report.transitions());
    meters.counter("peerlens.evaluation.results").increment(report.results());
    meters.counter("peerlens.evaluation.rules.failed").increment(report.failed());
    store.took(shard, report);
  }

  private Timer stage(String name) {
    return Timer.builder("peerlens.evaluation.tick")
        .description("Duration of a tick by stage")
        .tag("stage", name)
        .register(meters);
  }
}
