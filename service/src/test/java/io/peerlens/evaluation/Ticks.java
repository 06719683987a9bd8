package io.peerlens.evaluation;

import com.github.kagkarlsson.scheduler.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Evaluates when it is told to, on a server whose scheduler was stopped. */
public final class Ticks {

  private final ShardTask evaluator;
  private final SettableClock clock;
  private final int shards;

  /** Stops the scheduler of a server for good, as if it had not evaluated anything. */
  public static void stopScheduler(PeerlensServer server, SampleData data) {
    stopScheduler(server);
    data.sql("delete from evaluation_shard"); // it may have evaluated the present minute
  }

  /** Stops the scheduler of a server for good; what it has evaluated stays. */
  public static void stopScheduler(PeerlensServer server) {
    server.context().getBean(Scheduler.class).stop();
  }

  /** Of all shards of a server. */
  public Ticks(PeerlensServer server, Instant now) {
    this.clock = new SettableClock(now);
    this.evaluator = evaluator(server, clock);
    this.shards = server.context().getBean(EvaluationProperties.class).shards();
  }

  /** Evaluates what is due at a moment. */
  public void at(Instant now) {
    clock.set(now);
    for (int shard = 0; shard < shards; shard++) {
      while (!evaluator.run(shard).isAfter(now)) {
        // rules were stored meanwhile, so it is evaluated with them
      }
    }
  }

  static ShardTask evaluator(PeerlensServer server, SettableClock clock) {
    AnnotationConfigApplicationContext beans = new AnnotationConfigApplicationContext();
    beans.setParent(server.context());
    BeanDefinitionCustomizer first = bean -> bean.setPrimary(true);
    beans.registerBean(InstantSource.class, () -> clock, first);
    beans.registerBean(MeterRegistry.class, SimpleMeterRegistry::new, first);
    beans.registerBean(EvaluationStore.class, first);
    beans.registerBean(ShardTask.class, first);
    beans.refresh();
    return beans.getBean(ShardTask.class);
  }
}
