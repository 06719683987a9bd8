package io.peerlens.evaluation;

import com.github.kagkarlsson.scheduler.Scheduler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.peerlens.alert.AlertStages;
import io.peerlens.alert.AlertStore;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.learning.StoredBands;
import io.peerlens.node.NodeProperties;
import io.peerlens.outlier.OutlierStages;
import io.peerlens.outlier.OutlierStore;
import io.peerlens.scope.Scopes;
import io.peerlens.store.RollUpProperties;
import io.peerlens.supermetric.FormulaProperties;
import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.ResultStore;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import io.peerlens.talker.report.ShareOutcomes;
import io.peerlens.threshold.SymptomStore;
import io.peerlens.threshold.ThresholdProperties;
import java.time.Instant;
import javax.sql.DataSource;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

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
    ApplicationContext beans = server.context();
    return new EvaluationConfiguration()
        .shardTask(
            beans.getBean(ReadRules.Stores.class),
            beans.getBean(Policies.class),
            beans.getBean(Frames.class),
            beans.getBean(FrameProperties.class),
            beans.getBean(Scopes.class),
            beans.getBean(SymptomStore.class),
            beans.getBean(ThresholdProperties.class),
            beans.getBean(StoredBands.Factory.class),
            beans.getBean(OutlierStages.class),
            beans.getBean(ShareOutcomes.class),
            beans.getBean(OutlierStore.class),
            beans.getBean(AlertStages.class),
            beans.getBean(AlertStore.class),
            beans.getBean(ResultStore.class),
            beans.getBean(DataSource.class),
            beans.getBean(JdbcClient.class),
            beans.getBean(EvaluationProperties.class),
            beans.getBean(FormulaProperties.class),
            beans.getBean(RollUpProperties.class),
            beans.getBean(NodeProperties.class),
            clock,
            new SimpleMeterRegistry());
  }
}
