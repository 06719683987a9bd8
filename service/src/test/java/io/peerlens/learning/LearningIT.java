package io.peerlens.learning;

import static io.peerlens.learning.LearningWorld.CPU;
import static io.peerlens.learning.LearningWorld.KIND;
import static io.peerlens.learning.LearningWorld.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.frame.Frames;
import io.peerlens.job.Progress;
import io.peerlens.node.Role;
import io.peerlens.store.SetPart;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** From hourly roll-ups to bounds: the job, what is left out, what is stored, and who asks. */
@Order(2)
class LearningIT {

  private static final ObjectKind VM = new ObjectKind("VMWARE", KIND);

  /** When what is stored now may be used. */
  private static Instant soon() {
    return Instant.now().plus(Duration.ofMinutes(3));
  }

  private static Learning learning(PeerlensServer server) {
    return server.context().getBean(Learning.class);
  }

  private static void learn(PeerlensServer server, Instant now) {
    learning(server).run(now, Progress.NONE, SetPart.WHOLE);
  }

  /** Bounds without margin of a machine's usage at a moment, as they are stored. */
  private static float[] stored(PeerlensServer server, String machine, Instant moment) {
    ObjectGraph objects = server.context().getBean(Frames.class).objects();
    LearnedRange range =
        server
            .context()
            .getBean(StoredBands.Factory.class)
            .create()
            .at(VM, CPU, objects, moment.toEpochMilli());
    int number = -1;
    for (int i = 0; i < objects.count(VM); i++) {
      number = objects.name(VM, i).equals(machine) ? i : number;
    }
    return range == null
        ? new float[] {Float.NaN, Float.NaN, Float.NaN}
        : new float[] {range.lower()[number], range.upper()[number], range.spread()[number]};
  }

  @Test
  void aColdStartIsAJobWithProgressAndAResult() {
    try (LearningWorld world = new LearningWorld()) {
      world.usual(world.machine("vm-1"), world.daysAgo(40), world.now);
      world.usual(world.machine("vm-2"), world.daysAgo(4), world.now);
      world.machine("silent");
      try (PeerlensServer server = world.server()) {
        ApiClient api = server.admin();
        assertThat(api.get("/learning").json().at("/days/0/computedAt").isNull()).isTrue();
        ApiClient.Answer started = api.post("/learning/jobs", "");
        assertThat(started.status()).as(started.body()).isEqualTo(202);
        assertThat(started.json().get("kind").asString()).isEqualTo("learning");
        String job = "/jobs/" + started.json().get("id").asString();
        await()
            .untilAsserted(
                () -> assertThat(api.get(job).json().get("state").asString()).isEqualTo("done"));
        // Three sets of two metrics, for today and tomorrow.
        assertThat(api.get(job).json().get("total").asInt()).isEqualTo(12);
        assertThat(api.get(job).json().get("done").asInt()).isEqualTo(12);

        JsonNode status = api.get("/learning").json();
        assertThat(status.at("/days/0/day").asString()).isEqualTo(world.daysAgo(0).toString());
        assertThat(status.at("/days/1/series").asInt()).isEqualTo(4);
        assertThat(status.at("/days/0/learned").asInt()).isEqualTo(1);
        assertThat(status.at("/days/0/constant").asInt()).isEqualTo(1);
        assertThat(status.at("/days/0/learning").asInt()).isEqualTo(2);
        assertThat(status.get("bytes").asLong()).isPositive();
        assertThat(status.at("/job/state").asString()).isEqualTo("done");

        // Nothing is left to do, nor is a set looked at again that has nothing.
        assertThat(learning(server).run(world.now, Progress.NONE, SetPart.WHOLE))
            .isEqualTo(new Learning.Result(0, 0));
      }
    }
  }

  @Test
  void historyThatIsFilledInIsLearnedFromAtOnce() {
    try (LearningWorld world = new LearningWorld()) {
      int set = world.machine("vm-1");
      world.usual(set, world.daysAgo(3), world.now);
      try (PeerlensServer server = world.server()) {
        learn(server, world.now);
        assertThat(server.admin().get("/learning").json().at("/days/0/learned").asInt()).isZero();
        world.usual(set, world.daysAgo(40), world.daysAgo(3));
        assertThat(learning(server).run(world.now, Progress.NONE, SetPart.WHOLE).series()).isZero();

        world.data.sql(
            """
            insert into job (id, kind, title, state, unit, cancellable, updated_at, finished_at)
            values (gen_random_uuid(), 'back-fill', 'History', 'done', 'rows', true, now(), now())
            """);
        world.data.sql(
            "insert into rollup_dirty (bucket) values (now()), (now() - interval '3 days')");
        assertThat(learning(server).run(world.now, Progress.NONE, SetPart.WHOLE).series())
            .as("roll-ups are not done yet")
            .isZero();
        world.data.sql("delete from rollup_dirty where bucket < now() - interval '2 days'");
        assertThat(learning(server).run(world.now, Progress.NONE, SetPart.WHOLE).series())
            .isEqualTo(4);
        assertThat(server.admin().get("/learning").json().at("/days/0/learned").asInt())
            .isEqualTo(1);
        assertThat(learning(server).run(world.now, Progress.NONE, SetPart.WHOLE).series()).isZero();
      }
    }
  }

  @Test
  void anEvaluatorLearnsByItselfAtItsStart() {
    try (LearningWorld world = new LearningWorld()) {
      world.usual(world.machine("vm-1"), world.daysAgo(40), world.now);
      try (PeerlensServer server =
          PeerlensServer.start(world.data.database(), Set.of(Role.EVALUATOR))) {
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> assertThat(world.count("learned_block")).isEqualTo(2));
        assertThat(server.context().isActive()).isTrue();
      }
    }
  }

  @Test
  void boundsOfThePastOfTodayAndAheadAreAnswered() {
    try (LearningWorld world = new LearningWorld()) {
      world.usual(world.machine("vm-1"), world.daysAgo(40), world.now);
      try (PeerlensServer server = world.server()) {
        ApiClient api = server.admin();
        learn(server, world.now);
        String path =
            "/objects/%s/bounds?key=%s"
                .formatted(SampleData.uuid(KIND, "vm-1"), "cpu%7Cusage_average");
        JsonNode bounds = api.get(path + "&from=" + world.daysAgo(3).toEpochMilli()).json();
        assertThat(bounds.get("state").asString()).isEqualTo("learned");
        assertThat(bounds.get("learnedDays").asInt()).isEqualTo(28);
        assertThat(bounds.get("sensitivity").asString()).isEqualTo("medium");
        double spread = bounds.get("spread").asDouble();
        assertThat(spread).isPositive();
        int hours = bounds.get("times").size();
        assertThat(bounds.get("times").get(0).asLong()).isEqualTo(world.daysAgo(3).toEpochMilli());
        assertThat(bounds.get("times").get(hours - 1).asLong())
            .isGreaterThanOrEqualTo(world.now.plus(Duration.ofHours(47)).toEpochMilli());
        JsonNode high =
            api.get(path + "&sensitivity=high&from=" + world.daysAgo(3).toEpochMilli()).json();
        for (int i = 0; i < hours; i++) {
          // Every value of the past and of the days to come lies within.
          double wave = world.wave(Instant.ofEpochMilli(bounds.get("times").get(i).asLong()));
          assertThat(bounds.get("lower").get(i).asDouble()).isLessThan(wave);
          assertThat(bounds.get("upper").get(i).asDouble()).isGreaterThan(wave + 3);
          assertThat(bounds.get("usual").get(i).asDouble()).isCloseTo(wave + 1.5, within(4.0));
          assertThat(high.get("upper").get(i).asDouble())
              .isLessThan(bounds.get("upper").get(i).asDouble());
        }

        JsonNode ready = api.get(path.replace("usage_average", "ready_summation")).json();
        assertThat(ready.get("state").asString()).isEqualTo("constant");
        assertThat(ready.get("lower").get(0).asDouble()).isEqualTo(7);
        assertThat(ready.get("upper").get(70).asDouble()).isEqualTo(7);

        JsonNode nothing = api.get(path.replace("usage_average", "no_such")).json();
        assertThat(nothing.get("state").asString()).isEqualTo("no-values");
        assertThat(nothing.get("upper").get(0).isNull()).isTrue();
        assertThat(api.get("/objects/" + new UUID(1, 1) + "/bounds?key=a").status()).isEqualTo(404);
        ApiClient.Answer late =
            api.get(path + "&to=" + world.now.plus(Duration.ofHours(60)).toEpochMilli());
        assertThat(late.status()).isEqualTo(400);
        assertThat(late.body()).contains("48 hours");
        assertThat(api.get(path + "&from=" + world.daysAgo(60).toEpochMilli()).status())
            .isEqualTo(400);
      }
    }
  }

  @Test
  void aMetricIsLearnedForSevenDaysBeforeItHasBounds() {
    try (LearningWorld world = new LearningWorld()) {
      // Today is learned from until the begin of yesterday.
      world.usual(world.machine("new"), world.daysAgo(4), world.now);
      world.machine("silent");
      try (PeerlensServer server = world.server()) {
        learn(server, world.now);
        ApiClient api = server.admin();
        JsonNode metrics = api.get("/objects/" + SampleData.uuid(KIND, "new") + "/learning").json();
        assertThat(metrics.get("neededDays").asInt()).isEqualTo(7);
        assertThat(metrics.get("items").size()).isEqualTo(2);
        JsonNode usage = metrics.get("items").get(1);
        assertThat(usage.get("key").asString()).isEqualTo(CPU);
        assertThat(usage.get("state").asString()).isEqualTo("learning");
        assertThat(usage.get("learnedDays").asInt()).isEqualTo(3);
        JsonNode silent =
            api.get("/objects/" + SampleData.uuid(KIND, "silent") + "/learning").json();
        assertThat(silent.at("/items/0/key").asString()).isEqualTo(READY);
        assertThat(silent.at("/items/0/state").asString()).isEqualTo("no-values");
        JsonNode bounds =
            api.get(
                    "/objects/%s/bounds?key=cpu%%7Cusage_average"
                        .formatted(SampleData.uuid(KIND, "new")))
                .json();
        assertThat(bounds.get("state").asString()).isEqualTo("learning");
        assertThat(bounds.get("learnedDays").asInt()).isEqualTo(3);
        assertThat(bounds.get("upper").get(0).isNull()).isTrue();
        assertThat(stored(server, "new", soon())[1]).isNaN();
      }
    }
  }

  @Test
  void lateDataChangeTheNextDayAndNotWhatIsStored() {
    try (LearningWorld world = new LearningWorld()) {
      int set = world.machine("vm-1");
      world.usual(set, world.daysAgo(40), world.now);
      try (PeerlensServer server = world.server()) {
        learn(server, world.now);
        List<String> before = world.rows();
        float[] today = stored(server, "vm-1", soon());
        world.cells(set, world.daysAgo(20), world.daysAgo(2), "90 + s * 0");
        learn(server, world.now);
        assertThat(world.rows()).isEqualTo(before);
        assertThat(stored(server, "vm-1", soon())).isEqualTo(today);
        // A day later one more day is learned, from what is there then.
        learn(server, world.now.plus(Duration.ofDays(1)));
        float[] later = stored(server, "vm-1", world.now.plus(Duration.ofDays(2)));
        assertThat(later[1]).isGreaterThan(85);
        assertThat(today[1]).isLessThan(75);
      }
    }
  }

  @Test
  void hoursOfAlertsAndOfMaintenanceAreLeftOut() {
    try (LearningWorld world = new LearningWorld()) {
      Instant from = world.daysAgo(12);
      Instant to = world.daysAgo(11);
      List<String> machines = List.of("plain", "alerted", "maintained", "unlike", "other-metric");
      for (String machine : machines) {
        int set = world.machine(machine);
        world.usual(set, world.daysAgo(40), world.now);
        world.cells(set, from, to, "95 + s * 0");
      }
      alert(world, "alerted", CPU, from, to);
      alert(world, "other-metric", READY, from, to);
      outlier(world, "unlike", CPU, from, to);
      try (PeerlensServer server = world.server()) {
        ApiClient.Answer made =
            server
                .admin()
                .post(
                    "/maintenance-windows",
                    """
                    {"name": "w", "scope": {"name": "maintained"}, "oneOff": {"from": "%s", "to": "%s"}}
                    """
                        .formatted(from, to));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        learn(server, world.now);
        Instant at = soon();
        float[] plain = stored(server, "plain", at);
        assertThat(stored(server, "other-metric", at)[1]).isGreaterThan(80);
        assertThat(plain[1]).isGreaterThan(80);
        assertThat(stored(server, "alerted", at)[1]).isLessThan(75);
        assertThat(stored(server, "maintained", at)[1]).isLessThan(75);
        assertThat(stored(server, "unlike", at)[1]).isLessThan(75);
      }
    }
  }

  private static void alert(
      LearningWorld world, String machine, String key, Instant since, Instant until) {
    world
        .data
        .jdbc()
        .sql(
            """
            insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since, opened_at,
              updated_at, canceled_at, last_tick, openings, member_count, members, member_print, explanation, recommendations)
            select gen_random_uuid(), gen_random_uuid(), 'threshold', 'busy', id, 'health', 2, 'canceled', ?, ?, ?, ?, ?, '{}', 1,
              jsonb_build_array(jsonb_build_object('object', id, 'instance', '', 'key', ?)), 0, '{}', '{}'
            from object where name = ?
            """)
        .params(
            SampleData.time(since),
            SampleData.time(since),
            SampleData.time(until),
            SampleData.time(until),
            SampleData.time(until),
            key,
            machine)
        .update();
  }

  private static void outlier(
      LearningWorld world, String machine, String key, Instant since, Instant until) {
    world
        .data
        .jdbc()
        .sql(
            """
            insert into outlier_event (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at, side,
              severity, evidence, peak_score, peak_at, violations, of, judged, members, metrics, explanation, closed_at)
            select gen_random_uuid(), gen_random_uuid(), 'g', id, 'closed', ?, ?, ?, now(), 'high', 2, 'level', 9, now(), 4, 4, 3, 3,
              jsonb_build_array(jsonb_build_object('key', ?)), '{}', ?
            from object where name = ?
            """)
        .params(
            SampleData.time(since),
            SampleData.time(since),
            SampleData.time(until),
            key,
            SampleData.time(until),
            machine)
        .update();
  }

  @Test
  void hoursOfTheWeekFollowTheClocksOfTheZone() {
    // Clocks in Berlin went back on 25 October 2026: 9 o'clock was 7 UTC and is 8 UTC since.
    Instant now = Instant.parse("2026-10-28T12:00:00Z");
    try (LearningWorld world = new LearningWorld()) {
      int set = world.machine("vm-1");
      world.cells(
          set,
          Instant.parse("2026-09-20T00:00:00Z"),
          now,
          "case when extract(hour from h at time zone 'Europe/Berlin') = 9 then 90 else 20 end + (extract(epoch from h)::bigint / 3600 * 7919 + s) % 11 / 10.0");
      String usage = "update learned_block set since = day";
      try (PeerlensServer server = world.server("peerlens.learning.zone=Europe/Berlin")) {
        learn(server, now);
        world.data.sql(usage);
        assertThat(stored(server, "vm-1", Instant.parse("2026-10-28T08:30:00Z"))[1])
            .isGreaterThan(85);
        assertThat(stored(server, "vm-1", Instant.parse("2026-10-28T07:30:00Z"))[1]).isLessThan(60);
      }
      world.data.sql("delete from learned_block");
      try (PeerlensServer server = world.server()) {
        learn(server, now);
        world.data.sql(usage);
        // By UTC most of the past says 7 o'clock.
        assertThat(stored(server, "vm-1", Instant.parse("2026-10-28T07:30:00Z"))[1])
            .isGreaterThan(85);
      }
    }
  }

  @Test
  void aRestartARepetitionAndTwoNodesGiveTheSameRows() throws Exception {
    try (LearningWorld world = new LearningWorld()) {
      int memory = world.data.group("VMWARE", KIND, "mem", List.of("usage_average", "swap"));
      for (int i = 0; i < 12; i++) {
        int set = world.machine("vm-" + i);
        world.usual(set, world.daysAgo(i < 9 ? 40 : 3), world.now);
        int object =
            world
                .data
                .jdbc()
                .sql("select object_id from metric_set where id = ?")
                .param(set)
                .query(Integer.class)
                .single();
        world.usual(world.data.set(object, memory, ""), world.daysAgo(30), world.now);
      }
      world.known();
      List<String> first;
      try (PeerlensServer server = world.server()) {
        learn(server, world.now);
        first = world.rows();
        assertThat(first).hasSize(4 * 24);
        learn(server, world.now);
        assertThat(world.rows()).isEqualTo(first);
      }
      // Killed after the first block.
      world.data.sql("delete from learned_block where id > (select min(id) from learned_block)");
      try (PeerlensServer one = world.server();
          PeerlensServer two = world.server()) {
        both(world, one, two);
        assertThat(world.rows()).isEqualTo(first);
        world.data.sql("delete from learned_block");
        world.known();
        both(world, one, two);
        assertThat(world.rows()).isEqualTo(first);
      }
    }
  }

  /** Both at once, and once more, for what one left to the other. */
  private static void both(LearningWorld world, PeerlensServer one, PeerlensServer two)
      throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<?>> runs = new ArrayList<>();
      for (PeerlensServer server : List.of(one, two)) {
        runs.add(threads.submit(() -> learn(server, world.now)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    }
    learn(one, world.now);
    learn(two, world.now);
  }

  @Test
  void partsAtOnceLearnWhatTheWholeDoes() throws Exception {
    try (LearningWorld world = new LearningWorld()) {
      for (int i = 0; i < 10; i++) {
        world.usual(world.machine("vm-" + i), world.daysAgo(i < 8 ? 40 : 3), world.now);
      }
      world.known();
      Instant at = soon();
      List<float[]> whole = new ArrayList<>();
      try (PeerlensServer server = world.server()) {
        learn(server, world.now);
        for (int i = 0; i < 10; i++) {
          whole.add(stored(server, "vm-" + i, at));
        }
      }
      world.data.sql("delete from learned_block");
      world.known();
      try (PeerlensServer one = world.server();
          PeerlensServer two = world.server();
          ExecutorService threads = Executors.newFixedThreadPool(3)) {
        List<Future<Learning.Result>> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          SetPart part = new SetPart(i, 3);
          Learning learning = learning(i == 0 ? one : two);
          runs.add(threads.submit(() -> learning.run(world.now, Progress.NONE, part)));
        }
        long series = 0;
        for (Future<Learning.Result> run : runs) {
          series += run.get().series();
        }
        assertThat(series).as("10 sets of 2 metrics, today and tomorrow").isEqualTo(40);
        assertThat(world.count("learned_block")).isEqualTo(6);
        for (int i = 0; i < 10; i++) {
          assertThat(stored(one, "vm-" + i, at)).as("vm-" + i).isEqualTo(whole.get(i));
        }
      }
    }
  }

  @Test
  void bandsAreForgottenAfterEightDays() {
    try (LearningWorld world = new LearningWorld()) {
      world.usual(world.machine("vm-1"), world.daysAgo(40), world.now);
      try (PeerlensServer server = world.server()) {
        for (int day = 0; day < 12; day++) {
          learn(server, world.now.plus(Duration.ofDays(day)));
        }
        // Eight days up to today, and tomorrow.
        assertThat(world.count("learned_block")).isEqualTo(Learning.KEPT_DAYS + 1);
        assertThat(world.count("learned_band")).isEqualTo((Learning.KEPT_DAYS + 1) * 24);
      }
    }
  }

  @Test
  void newSetsAndNewMetricsGetBandsOnTheSameDay() {
    try (LearningWorld world = new LearningWorld()) {
      int set = world.machine("vm-1");
      world.usual(set, world.daysAgo(40), world.now);
      try (PeerlensServer server = world.server()) {
        learn(server, world.now);
        world.usual(world.machine("vm-2"), world.daysAgo(40), world.now);
        world.data.sql("update metric_group set metrics = metrics || '{demand}'::text[]");
        world.data.sql(
            "update sample_1h set avg = avg || avg[2], min = min || min[2], max = max || max[2]");
        world.known();
        learn(server, world.now);
        assertThat(stored(server, "vm-2", soon())[1]).isBetween(50f, 75f);
        ObjectGraph objects = server.context().getBean(Frames.class).objects();
        LearnedRange demand =
            Objects.requireNonNull(
                server
                    .context()
                    .getBean(StoredBands.Factory.class)
                    .create()
                    .at(VM, "cpu|demand", objects, soon().toEpochMilli()));
        assertThat(demand.upper()).containsExactly(7, 7);
        // What is stored is not learned once more.
        assertThat(
                world
                    .data
                    .jdbc()
                    .sql("select sum(sets * width) from learned_block where day = ?")
                    .param(SampleData.time(world.daysAgo(0)))
                    .query(Integer.class)
                    .single())
            .isEqualTo(6);
      }
    }
  }

  @Test
  void storedBoundsArePastOnesAndThoseOfTheApi() {
    try (LearningWorld world = new LearningWorld()) {
      int net = world.data.group("VMWARE", KIND, "net", List.of("usage_average", "drops"));
      int object = 0;
      for (int i = 0; i < 3; i++) {
        int set = world.machine("vm-" + i);
        world.usual(set, world.daysAgo(40), world.now);
        object =
            world
                .data
                .jdbc()
                .sql("select object_id from metric_set where id = ?")
                .param(set)
                .query(Integer.class)
                .single();
      }
      int card = world.data.set(object, net, "4000");
      world.cells(
          card,
          world.daysAgo(40),
          world.now,
          "120 + (extract(epoch from h)::bigint / 3600 * 31) % 17");
      world.known();
      try (PeerlensServer server = world.server()) {
        PastBands past = server.context().getBean(PastBands.class);
        ObjectGraph objects = server.context().getBean(Frames.class).objects();
        Instant at = soon();
        Instances cards =
            new Instances(
                new int[] {0, 0, 0, 2},
                Column.of(1, 2),
                new String[] {"net:4000|usage_average", "net:4001|usage_average"});

        // Computed, since nothing is stored yet.
        LearnedBands computed =
            past.during(world.daysAgo(2), world.now.plus(Duration.ofDays(1)), one -> true);
        LearnedRange before =
            Objects.requireNonNull(computed.at(VM, CPU, objects, at.toEpochMilli()));
        LearnedRange cardsBefore =
            Objects.requireNonNull(computed.at(VM, cards, objects, at.toEpochMilli()));

        StoredBands bands = server.context().getBean(StoredBands.Factory.class).create();
        assertThat(bands.at(VM, CPU, objects, at.toEpochMilli())).isNull();
        learn(server, world.now);
        // A block that is stored now is used by ticks from a minute later on.
        assertThat(bands.at(VM, CPU, objects, Instant.now().toEpochMilli())).isNull();
        LearnedRange stored =
            Objects.requireNonNull(bands.at(VM, CPU, objects, at.toEpochMilli() + 1));
        LearnedRange cardsStored =
            Objects.requireNonNull(bands.at(VM, cards, objects, at.toEpochMilli() + 1));
        assertThat(stored.upper()).isEqualTo(before.upper()).doesNotContain(Float.NaN);
        assertThat(stored.lower()).isEqualTo(before.lower());
        assertThat(stored.spread()).isEqualTo(before.spread());
        assertThat(cardsStored.upper()).isEqualTo(cardsBefore.upper());
        assertThat(cardsStored.upper()[0]).isBetween(130f, 150f);
        assertThat(cardsStored.upper()[1]).isNaN();
        assertThat(bands.at(VM, "cpu|no_such", objects, at.toEpochMilli() + 1)).isNull();

        // Read again when they are stored, they are the same, and so they are in the API.
        LearnedRange again =
            Objects.requireNonNull(
                past.during(world.daysAgo(2), world.now.plus(Duration.ofDays(1)), one -> true)
                    .at(VM, CPU, objects, at.toEpochMilli()));
        assertThat(again.upper()).isEqualTo(stored.upper());
        JsonNode api =
            server
                .admin()
                .get(
                    "/objects/%s/bounds?key=cpu%%7Cusage_average&sensitivity=low&from=%d"
                        .formatted(SampleData.uuid(KIND, "vm-1"), at.toEpochMilli()))
                .json();
        int number = objects.name(VM, 1).equals("vm-1") ? 1 : -1;
        assertThat(api.get("upper").get(0).asDouble())
            .isCloseTo(stored.upper()[number] + 4.0 * stored.spread()[number], within(1e-4));

        // Another hour has other bounds, of the same metrics.
        LearnedRange next =
            Objects.requireNonNull(
                bands.at(VM, CPU, objects, at.toEpochMilli() + Duration.ofHours(5).toMillis()));
        assertThat(next.upper()).isNotEqualTo(stored.upper());
      }
    }
  }
}
