package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.EventStream;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Web servers whose CPU goes up and down together, bucket by bucket, and evaluators that run when
 * they are told to. Everything follows from a seed and from what is told.
 */
final class OutlierWorld implements AutoCloseable {

  static final Duration BUCKET = Duration.ofMinutes(5);

  /** The same group in every world, so that worlds can be compared. */
  static final String GROUP = "3f4ec0de-0000-4000-8000-000000000001";

  private static final int DAYS = 3;

  final SampleData data = SampleData.create();
  final PeerlensServer server;
  final ApiClient api;
  final Instant begin;
  private final int shards;
  private final int days;
  private final List<Integer> vms = new ArrayList<>();
  private final List<Integer> sets = new ArrayList<>();
  private final List<Random> noise = new ArrayList<>();
  private final SettableClock clock;
  private List<ShardTask> evaluators = new ArrayList<>();
  private Instant bucket;
  private int turn;

  /**
   * @param begin the first bucket that is told; before it lie three days of history
   */
  OutlierWorld(Instant begin, int members, int shards) {
    this(begin, members, shards, true);
  }

  /**
   * @param past whether the history is there from the beginning; see {@link #history}
   */
  OutlierWorld(Instant begin, int members, int shards, boolean past) {
    this(begin, members, shards, past, DAYS);
  }

  /** With so many days of history, of which groups learn from eight at least. */
  OutlierWorld(Instant begin, int members, int shards, boolean past, int days) {
    this.days = days;
    this.begin = begin.truncatedTo(ChronoUnit.HOURS);
    this.bucket = this.begin;
    this.shards = shards;
    this.clock = new SettableClock(this.begin);
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.EVALUATOR, Role.API),
            "peerlens.evaluation.lag=0s",
            "peerlens.evaluation.shards=" + shards,
            "peerlens.outliers.learn-from=" + Math.max(8, days) + "d",
            "peerlens.alerts.event-poll=200ms",
            "peerlens.scopes.age=1ms");
    Ticks.stopScheduler(server, data);
    api = server.admin();
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    data.sql("update metric_group set units = array['%']");
    for (int i = 0; i < members; i++) {
      vm(group, i);
    }
    data.sql("update object set tags = '{\"tier\": \"web\"}'");
    inventoryChanged();
    if (past) {
      history();
    }
    evaluators(1);
  }

  private void vm(int group, int i) {
    int vm = data.object("VMWARE", "VirtualMachine", name(i));
    vms.add(vm);
    sets.add(data.set(vm, group, ""));
    noise.add(new Random(1000 + i));
    data.jdbc()
        .sql("insert into object_liveness (object_id, last_seen) values (?, ?)")
        .params(vm, SampleData.time(begin.plus(Duration.ofDays(30))))
        .update();
  }

  static String name(int i) {
    return "web-%02d".formatted(i + 1);
  }

  private void inventoryChanged() {
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
  }

  /** How the CPU of all goes: up by day and down by night. */
  private double cpu(int i, Instant at) {
    double hour = at.getEpochSecond() % 86_400 / 3600.0;
    return 35 + 15 * Math.sin((hour - 6) / 24 * 2 * Math.PI) + noise.get(i).nextGaussian() * 1.5;
  }

  /** The history comes in. */
  void history() {
    SampleData.Samples rows = data.samples();
    for (int b = days * 288; b >= 1; b--) {
      Instant at = begin.minus(BUCKET.multipliedBy(b)).plusSeconds(60);
      for (int i = 0; i < vms.size(); i++) {
        rows.add(at, sets.get(i), cpu(i, at));
      }
    }
    rows.flush();
  }

  // The group -----------------------------------------------------------------------------------

  /** Web servers by CPU; more members of the JSON begin with a comma. */
  void group(String more) {
    ApiClient.Answer made =
        api.post(
            "/outlier-groups",
            """
            {"id": "%s", "name": "shop/web", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
             "scope": {"tags": ["tier=web"]}, "metrics": [{"key": "cpu|usage_average"}],
             "alert": {"severity": "immediate", "impact": "health", "recommendations": ["Look at the pool."]}%s}
            """
                .formatted(GROUP, more));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
  }

  JsonNode group() {
    return api.get("/outlier-groups/" + GROUP).json();
  }

  /** Values of the next bucket; NaN = none, negative infinity = as the others. */
  static final double AS_USUAL = Double.NEGATIVE_INFINITY;

  /** A bucket passes in which all members are as usual but one. */
  void pass(int member, double value) {
    pass((i, usual) -> i == member && value != AS_USUAL ? value : usual);
  }

  /** What a member does in a bucket. */
  interface Load {
    /** The value of a member, NaN = none; {@code usual} is what it would be. */
    double of(int member, double usual);
  }

  private void pass(Load load) {
    SampleData.Samples rows = data.samples();
    for (int i = 0; i < vms.size(); i++) {
      Instant at = bucket.plusSeconds(60);
      double now = load.of(i, cpu(i, at)); // noise moves on for all
      if (!Double.isNaN(now)) {
        rows.add(at, sets.get(i), now);
      }
    }
    rows.flush();
    bucket = bucket.plus(BUCKET);
  }

  /** A bucket passes, and evaluators see it. */
  void tick(int member, double value) {
    pass(member, value);
    evaluate();
  }

  void tick() {
    tick(-1, AS_USUAL);
  }

  void tick(Load load) {
    pass(load);
    evaluate();
  }

  /** The tick that is late enough for the last bucket, by the evaluators in turn. */
  void evaluate() {
    clock.set(bucket.plusSeconds(60));
    for (int shard = 0; shard < shards; shard++) {
      evaluators.get((turn + shard) % evaluators.size()).run(shard);
    }
    turn++;
    assertThat(
            data.jdbc()
                .sql("select error from evaluation_shard where error is not null")
                .query(String.class)
                .list())
        .isEmpty();
  }

  Instant bucket() {
    return bucket;
  }

  /** The tag of a member becomes another. */
  void tier(int member, String tier) {
    data.jdbc()
        .sql("update object set tags = jsonb_build_object('tier', ?) where id = ?")
        .params(tier, vms.get(member))
        .update();
    inventoryChanged();
  }

  /** A property of members gets a value, by their numbers; null = they lose it. */
  void property(String key, @Nullable String value, int... members) {
    for (int member : members) {
      data.jdbc()
          .sql(
              """
              update object set properties = case when :value::text is null then properties - :key::text
                else properties || jsonb_build_object(:key::text, :value::text) end
              where id = :id
              """)
          .param("key", key)
          .param("value", value, Types.VARCHAR)
          .param("id", vms.get(member))
          .update();
    }
    inventoryChanged();
  }

  /** The source of a member removes it. */
  void remove(int member) {
    data.jdbc()
        .sql("update object set removed_at = now() where id = ?")
        .params(vms.get(member))
        .update();
    inventoryChanged();
  }

  // Evaluators ----------------------------------------------------------------------------------

  /** So many processes that know nothing yet; those before are gone. */
  void evaluators(int count) {
    List<ShardTask> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(evaluator());
    }
    evaluators = made;
  }

  private ShardTask evaluator() {
    return Ticks.evaluator(server, clock);
  }

  // What is there -------------------------------------------------------------------------------

  List<JsonNode> events(String query) {
    ApiClient.Answer answer = api.get("/outlier-events?sort=number&" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().get("items").valueStream().toList();
  }

  /** What happened to an event, newest first. */
  List<JsonNode> steps(JsonNode event) {
    return api.get("/outlier-events/" + event.get("id").asString() + "/history")
        .json()
        .get("items")
        .valueStream()
        .toList();
  }

  List<String> history(JsonNode event) {
    return steps(event).stream().map(step -> step.get("event").asString()).toList().reversed();
  }

  /** Listens to what happens from now on. */
  EventStream listen() {
    return new EventStream(server.url(), server.adminToken(), null);
  }

  List<JsonNode> alerts(String query) {
    return api.get("/alerts?" + query).json().get("items").valueStream().toList();
  }

  /** Everything that is stored of events and of what was judged, as text. */
  List<String> everything() {
    List<String> all =
        new ArrayList<>(
            data.jdbc()
                .sql(
                    """
                    select to_jsonb(e) - 'number' - 'apart' - 'apart_at' || '{}' as e from outlier_event e order by opened_at, id
                    """)
                .query(String.class)
                .list());
    all.addAll(
        data.jdbc()
            .sql("select to_jsonb(h) - 'id' - 'xid' from outlier_event_history h order by at, id")
            .query(String.class)
            .list());
    all.addAll(
        data.jdbc()
            .sql("select to_jsonb(b)::text from outlier_bucket b order by bucket")
            .query(String.class)
            .list());
    all.addAll(
        data.jdbc()
            .sql(
                """
                select status || ' ' || since || ' ' || opened_at || ' ' || coalesce(canceled_at::text, '') from alert
                order by opened_at
                """)
            .query(String.class)
            .list());
    return all;
  }

  @Override
  public void close() {
    server.close();
    data.close();
  }
}
