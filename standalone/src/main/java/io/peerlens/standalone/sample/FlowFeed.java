package io.peerlens.standalone.sample;

import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the flows of the sample datacentre: each minute when it is over, and at the first start a
 * day of history, the newest hour first. More would be of no use, since flows that are older than
 * two days are not taken.
 *
 * <p>It begins when the machines are known with their addresses, so that no flow comes from
 * somebody unknown.
 */
final class FlowFeed {

  static final String TOPIC = "peerlens.flows";

  /** Hours of history. */
  static final int HISTORY_HOURS = 26;

  private static final Logger LOG = LoggerFactory.getLogger(FlowFeed.class);
  private static final long MINUTE = 60;
  private static final long HOUR = 3_600;
  private static final int MINUTES_IN_HOUR = 60;
  private static final long MAX_AHEAD = 20_000;

  /** Until the service has seen the addresses of machines that it knows, and a little more. */
  private static final long ADDRESSES_KNOWN_SECONDS = 15;

  /** An exporter tells of a minute when it is over. */
  private static final long DELAY_SECONDS = 3;

  private final FlowRecords records;
  private final Physics physics;
  private final FeedTopic topic;
  private final FeedTopic metrics;
  private final CountDownLatch machinesSent;
  private final CountDownLatch stop;
  private final InstantSource clock;

  /**
   * A feed that does not run yet.
   *
   * @param metrics the topic of samples
   * @param machinesSent when all machines have been sent once
   */
  FlowFeed(
      FlowRecords records,
      Physics physics,
      FeedTopic topic,
      FeedTopic metrics,
      CountDownLatch machinesSent,
      CountDownLatch stop,
      InstantSource clock) {
    this.records = records;
    this.physics = physics;
    this.topic = topic;
    this.metrics = metrics;
    this.machinesSent = machinesSent;
    this.stop = stop;
    this.clock = clock;
  }

  /**
   * Feeds until it is to stop.
   *
   * @param firstStart end of the history, seconds since 1970
   * @param hoursDone how much of the history was sent before
   * @param note receives how many hours of the history are sent
   */
  void run(long firstStart, int hoursDone, IntConsumer note, Jobs jobs) {
    try {
      machinesSent.await();
      if (!metrics.waitForRoom(0) || stop.await(ADDRESSES_KNOWN_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
      long next = Math.floorDiv(now(), MINUTE) * MINUTE;
      if (hoursDone < HISTORY_HOURS && !history(firstStart, hoursDone, note, jobs)) {
        return;
      }
      while (true) {
        long wait = next + MINUTE + DELAY_SECONDS - now();
        if (stop.await(Math.max(0, wait), TimeUnit.SECONDS)) {
          return;
        }
        if (!topic.isPaused()) {
          write(next);
          topic.flush();
        }
        next += MINUTE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException | UncheckedIOException | KafkaException e) {
      if (stop.getCount() > 0) {
        LOG.error("The flows of the sample datacentre have stopped", e);
      }
    }
  }

  /** Sends what is missing of the history; false when the feed is to stop. */
  private boolean history(long firstStart, int hoursDone, IntConsumer note, Jobs jobs)
      throws InterruptedException, SQLException {
    try (JobRun job =
        jobs.start(JobRecord.Kind.BACK_FILL, "Flows of the sample datacentre", "hours", true)) {
      job.total(HISTORY_HOURS);
      long end = Math.floorDiv(firstStart, HOUR) * HOUR + HOUR;
      // What is older is refused by now, when the history was interrupted for long.
      long oldest = now() - (HISTORY_HOURS + 4) * HOUR;
      for (int hour = hoursDone; hour < HISTORY_HOURS; hour++) {
        long from = end - (hour + 1) * HOUR;
        for (int i = 0; i < MINUTES_IN_HOUR; i++) {
          long minute = from + i * MINUTE;
          if (minute >= oldest && minute < Math.floorDiv(firstStart, MINUTE) * MINUTE) {
            write(minute);
          }
          if (!topic.waitForRoom(MAX_AHEAD)) {
            job.fail("Stopped; it continues at the next start.");
            return false;
          }
        }
        topic.flush();
        note.accept(hour + 1);
        job.done(hour + 1);
        if (job.cancelled()) {
          note.accept(HISTORY_HOURS);
          break;
        }
      }
      job.finish();
      return true;
    }
  }

  private void write(long minute) {
    records.write(
        physics.at(minute + MINUTE / 2),
        minute,
        (exporter, json) -> topic.send(exporter, json, (minute + MINUTE) * 1000));
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
