package io.peerlens.evaluation;

import static io.peerlens.evaluation.OutlierWorld.AS_USUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.job.Progress;
import io.peerlens.support.ApiClient;
import io.peerlens.support.SampleData;
import io.peerlens.talker.FlowRollUpStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/**
 * From flows to metrics, and from these to a super metric, a threshold and an outlier group, step
 * by step: web servers that serve two ports, of which web-03 sends far more on one of them.
 */
@TestMethodOrder(OrderAnnotation.class)
class FlowsIT {

  private static final Instant BEGIN =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(6));
  private static final int MEMBERS = 5;
  private static final int PAST = 26 * 12; // buckets
  private static final String KIND =
      "{\"adapterKind\": \"VMWARE\", \"objectKind\": \"VirtualMachine\"}";
  private static final String SENT = "net:flow|bytesTx_rate";
  private static final String SENT_BY_PORT = "net:flow:northSouth:80/tcp+443/tcp|bytesTx_rate";
  private static final String WEB_03 = SampleData.uuid("VirtualMachine", "web-03").toString();

  /** Requests to two ports and their answers, and a little traffic among themselves. */
  private static final String FLOWS =
      """
      insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets, proto,
                             to_service, egress)
      select t, bytes, bytes / 1000, 0, 1, case when answer then vm.id else far.id end,
             case when answer then far.id else vm.id end, port, 40, case when answer then 0 else 40 end, 0, 6, not answer, false
      from generate_series(?::timestamptz, ?::timestamptz - interval '1 second', interval '5 minutes') t,
           (select e.id, o.name from endpoint e join object o on o.id = e.object_id) vm,
           (select id from endpoint where object_id is null) far,
           (values (80, false, 1), (80, true, 5), (443, false, 4), (443, true, 60), (22, true, 20)) as f(port, answer, size),
           lateral (select (size * 1e6 * (1 + 0.3 * sin(extract(epoch from t) / 7000))
                            * (1 + 0.05 * sin(extract(epoch from t) / 61 + vm.id * 7 + port))
                            * case when vm.name = 'web-03' and port = 443 and t >= ?::timestamptz then 8 else 1 end)::bigint
                    as bytes) b
      """;

  private static OutlierWorld world;
  private static ApiClient api;
  private static Instant trouble = Instant.MAX;

  @BeforeAll
  static void start() {
    world = new OutlierWorld(BEGIN, MEMBERS, 1);
    api = world.api;
    world.data.sql("insert into endpoint (internal, first_seen) values (false, now())");
    world.data.sql(
        """
        insert into endpoint (address, object_id, internal, first_seen)
        select ('10.1.0.' || id % 250)::inet, id, true, now() from object where object_kind = 'VirtualMachine'
        """);
    flows(BEGIN.minus(OutlierWorld.BUCKET.multipliedBy(PAST)), BEGIN);
    rollUp(BEGIN.plusSeconds(60));
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  private static void flows(Instant from, Instant to) {
    Instant since = trouble.equals(Instant.MAX) ? Instant.now().plusSeconds(86_400) : trouble;
    world
        .data
        .jdbc()
        .sql(FLOWS)
        .params(SampleData.time(from), SampleData.time(to), SampleData.time(since))
        .update();
  }

  private static void rollUp(Instant now) {
    world.server.context().getBean(FlowRollUpStore.class).run(now, Progress.NONE);
  }

  /** A bucket passes, and everybody sees it. */
  private static void tick() {
    Instant bucket = world.bucket();
    world.pass(-1, AS_USUAL);
    flows(bucket, world.bucket());
    rollUp(world.bucket().plusSeconds(60));
    world.evaluate();
  }

  private static String create(String path, String body) {
    ApiClient.Answer made = api.post(path, body);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().get("id").asString();
  }

  private static String group(String name, String metric) {
    return "{\"name\": \"%s\", \"objectKind\": %s, \"scope\": {\"tags\": [\"tier=web\"]}, \"metrics\": [%s]}"
        .formatted(name, KIND, metric);
  }

  private static final String TWO_PORTS =
      """
      {"flow": {"measure": "rate", "direction": "outgoing", "trafficType": "north-south",
                "ports": ["443/tcp", "00080/tcp"]}, "minDeviation": 1000}
      """;

  private static double latest(String key) {
    JsonNode answer =
        api.post(
                "/series/latest",
                "{\"objects\": [\"%s\"], \"metrics\": [\"%s\"], \"maxAge\": \"1d\"}"
                    .formatted(WEB_03, key))
            .json();
    JsonNode value = answer.findValue("value");
    return value == null ? Double.NaN : value.asDouble();
  }

  @Test
  @Order(1)
  void flowsAreOrdinaryMetrics() {
    String metrics = api.get("/objects/" + WEB_03 + "/metrics").body();
    assertThat(metrics)
        .contains(
            SENT, "net:flow:eastWest|bytesRx_rate", "net:flow:northSouth|sessionsRx_summation")
        .doesNotContain(SENT_BY_PORT);
    // Sent by all ports of the last bucket but one: 85 MB by 5 minutes, give or take.
    assertThat(latest(SENT)).isBetween(85e6 / 300 * 0.6, 85e6 / 300 * 1.4);
    assertThat(latest("net:flow|sessionsRx_summation")).isEqualTo(80);
    assertThat(latest("net:flow:eastWest|bytesRx_rate")).isZero();
  }

  @Test
  @Order(2)
  void aPreviewOfPortsUsesTheStoredFlows() {
    ApiClient.Answer answer =
        api.post(
            "/outlier-groups/preview",
            "{\"group\": %s, \"from\": \"%s\", \"to\": \"%s\"}"
                .formatted(group("Ports", TWO_PORTS), BEGIN.minusSeconds(7200), BEGIN));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode preview = answer.json();
    assertThat(preview.get("members").asInt()).isEqualTo(MEMBERS);
    assertThat(preview.get("issues")).isEmpty();
    JsonNode metric = preview.at("/results/metrics/0");
    assertThat(metric.get("key").asString()).isEqualTo(SENT_BY_PORT);
    assertThat(metric.get("unit").asString()).isEqualTo("B/s");
    List<Double> centre =
        metric
            .get("centre")
            .valueStream()
            .filter(v -> !v.isNull())
            .map(JsonNode::asDouble)
            .toList();
    assertThat(centre)
        .hasSizeGreaterThan(20)
        .allSatisfy(v -> assertThat(v).isBetween(65e6 / 300 * 0.6, 65e6 / 300 * 1.4));
  }

  @Test
  @Order(3)
  void flowMetricsWorkInSuperMetricsThresholdsAndGroups() {
    String superMetric =
        create(
            "/super-metrics",
            """
            {"name": "Sent, bits", "formula": "${this, metric=net:flow|bytesTx_rate} * 8", "interval": "1m",
             "kinds": [%s]}
            """
                .formatted(KIND));
    create(
        "/thresholds",
        """
        {"name": "Sends much", "objectKind": %s, "interval": "1m", "alert": {"impact": "health"},
         "condition": {"type": "metric", "key": "net:flow|bytesTx_rate", "operator": "gt",
           "levels": [{"severity": "warning", "bound": {"type": "number", "value": 1000000}}]}}
        """
            .formatted(KIND));
    String group = create("/outlier-groups", group("shop/web ports", TWO_PORTS));
    JsonNode stored = api.get("/outlier-groups/" + group).json();
    assertThat(stored.at("/metrics/0/key").asString()).isEqualTo(SENT_BY_PORT);
    assertThat(stored.at("/metrics/0/flow/direction").asString()).isEqualTo("outgoing");
    assertThat(stored.at("/metrics/0/flow/ports/1").asString()).isEqualTo("443/tcp");
    assertThat(stored.at("/metrics/0/minDeviation").asDouble()).isEqualTo(1000);

    for (int i = 0; i < 4; i++) {
      tick();
    }
    assertThat(world.events("")).isEmpty();
    assertThat(api.get("/outlier-groups/" + group).json().at("/now/state").asString())
        .isEqualTo("alike");
    assertThat(latest(SENT_BY_PORT)).isBetween(65e6 / 300 * 0.6, 65e6 / 300 * 1.4);

    trouble = world.bucket();
    int buckets = 0;
    while (world.events("").isEmpty() && buckets < 6) {
      tick();
      buckets++;
    }
    List<JsonNode> events = world.events("state=open");
    assertThat(events).hasSize(1);
    JsonNode event = events.getFirst();
    assertThat(event.at("/object/name").asString()).isEqualTo("web-03");
    assertThat(Instant.parse(event.get("since").asString())).isEqualTo(trouble);
    assertThat(event.at("/explanation/text").asString())
        .startsWith("web-03: Traffic sent (north-south, 80/tcp, 443/tcp) is ")
        .contains("Mbit/s");
    assertThat(latest("Super Metric|sm_" + superMetric)).isCloseTo(latest(SENT) * 8, within(1.0));
    List<JsonNode> alerts = world.alerts("");
    assertThat(alerts).hasSize(1); // that of the threshold; the group raises none
    assertThat(alerts.getFirst().at("/object/name").asString()).isEqualTo("web-03");
    assertThat(alerts.getFirst().at("/definition/name").asString()).isEqualTo("Sends much");
  }

  @Test
  @Order(4)
  void invalidFlowOptionsAreRefused() {
    refused(
        "{\"flow\": {\"measure\": \"rate\", \"ports\": [\"web\"]}}", "metrics[0].flow.ports[0]");
    refused(
        "{\"key\": \"cpu|usage_average\", \"flow\": {\"measure\": \"rate\"}}", "metrics[0].flow");
    refused("{\"minDeviation\": 3}", "metrics[0].key");
    refused(
        "{\"flow\": {\"measure\": \"rate\"}}, {\"flow\": {\"measure\": \"bytes\"}}, {\"flow\": {\"measure\": \"drops\"}}",
        "metrics");
    refused(
        "{\"flow\": {\"measure\": \"rate\"}}, {\"key\": \"net:flow|bytesTx_rate\"}",
        "metrics[1].key");
    ApiClient.Answer fine =
        api.post(
            "/outlier-groups",
            group("Fine", "{\"flow\": {\"measure\": \"rate\"}}")
                .replaceFirst("\\{", "{\"bucket\": \"1m\", "));
    assertThat(fine.status()).isEqualTo(400);
    assertThat(fine.body()).contains("\"bucket\"", "flows are counted by 5 minutes");
  }

  private static void refused(String metrics, String field) {
    ApiClient.Answer answer = api.post("/outlier-groups", group("Refused", metrics));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
  }
}
