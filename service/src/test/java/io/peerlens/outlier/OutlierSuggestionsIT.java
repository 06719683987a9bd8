package io.peerlens.outlier;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.outlier.suggest.SuggestionService;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/** Three applications with rhythms of their own, without a tag that says so, and hosts. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OutlierSuggestionsIT {

  private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant BEGIN = END.minus(4, ChronoUnit.DAYS);

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    PeersWorld world = new PeersWorld(data);
    // What an application does in an hour is the same for its machines, and unlike other ones';
    // the odd ones have each a job of their own.
    for (String app : List.of("shop", "mail", "wiki")) {
      for (int i = 1; i <= 6; i++) {
        world.machine(
            "%s-%02d".formatted(app, i),
            "{'env': '%s'}".formatted(app.equals("wiki") ? "test" : "production"),
            BEGIN,
            END,
            work(app));
      }
    }
    for (int i = 1; i <= 12; i++) {
      String name = "odd%d".formatted(i * 7);
      world.machine(name, "{'env': 'production'}", BEGIN, END, work(name));
    }
    int cluster = data.object("VMWARE", "ClusterComputeResource", "east");
    int group = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    for (int i = 1; i <= 4; i++) {
      int host = data.object("VMWARE", "HostSystem", "esx-" + i);
      data.set(host, group, "");
      data.jdbc()
          .sql("insert into relation (parent_id, child_id) values (?, ?)")
          .params(cluster, host)
          .update();
    }
    world.ready();
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
  }

  private static PeersWorld.Load work(String job) {
    return (t, wave, random) -> {
      long hour = job.hashCode() * 31L + t.getEpochSecond() / 3600;
      double work = new SplittableRandom(hour).nextDouble();
      return new double[] {20 + 10 * wave + 30 * work + random.nextGaussian() * 2, 20, 400};
    };
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static List<JsonNode> suggested() {
    Answer answer = api.get("/outlier-groups/suggestions");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<JsonNode> all = new ArrayList<>();
    answer.json().path("items").forEach(all::add);
    return all;
  }

  private static List<String> names() {
    return suggested().stream().map(one -> one.path("group").path("name").asString()).toList();
  }

  private static JsonNode named(String name) {
    return suggested().stream()
        .filter(one -> one.path("group").path("name").asString().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not among " + names()));
  }

  private static void look() {
    data.sql("update outlier_suggestion_run set computed_at = computed_at - interval '2 hours'");
    server.context().getBean(SuggestionService.class).refresh();
  }

  @Test
  @Order(1)
  void thereAreNoSuggestionsBeforeTheFirstRun() {
    Answer answer = api.get("/outlier-groups/suggestions");
    assertThat(answer.json().path("computedAt").isNull()).isTrue();
    assertThat(answer.json().path("items").size()).isZero();
  }

  @Test
  @Order(2)
  void correlatedMachinesAreSuggested() {
    look();
    JsonNode shop = named("shop-*");
    assertThat(shop.path("kind").asString()).isEqualTo("correlated");
    assertThat(shop.path("members").asInt()).isEqualTo(6);
    assertThat(shop.path("correlation").asDouble()).isBetween(0.8, 1.0);
    assertThat(shop.path("reason").asString()).startsWith("6 VMs, CPU moves together (r 0.");
    assertThat(shop.path("group").path("scope").path("name").asString()).isEqualTo("shop-*");
    assertThat(shop.path("examples").path(0).path("name").asString()).isEqualTo("shop-01");
    assertThat(named("mail-*").path("members").asInt()).isEqualTo(6);
    assertThat(named("test").path("group").path("scope").path("tags").path(0).asString())
        .as("a tag says it better than names")
        .isEqualTo("env=test");
    assertThat(names()).noneMatch(name -> name.startsWith("odd"));
  }

  @Test
  @Order(3)
  void hostsOfAClusterAndValuesOfATagAreStarters() {
    assertThat(named("Hosts of east").path("reason").asString())
        .isEqualTo("4 hosts of the cluster east");
    JsonNode production = named("VMs with env=production");
    assertThat(production.path("kind").asString()).isEqualTo("starter");
    assertThat(production.path("members").asInt()).isEqualTo(24);
    assertThat(production.path("correlation").isNull()).isTrue();
    assertThat(names()).doesNotContain("VMs with env=test");
  }

  @Test
  @Order(4)
  void aSuggestionOpensInTheWizardAndDisappearsOnceItIsStored() {
    JsonNode shop = named("shop-*");
    Answer preview = api.post("/outlier-groups/preview", "{\"group\": " + shop.path("group") + "}");
    assertThat(preview.status()).as(preview.body()).isEqualTo(200);
    assertThat(preview.json().path("members").asInt()).isEqualTo(6);
    Answer stored = api.post("/outlier-groups", shop.path("group").toString());
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    assertThat(names()).doesNotContain("shop-*").contains("mail-*");
  }

  @Test
  @Order(5)
  void aDismissedSuggestionStaysHiddenWhenItIsFoundAgain() {
    String id = named("mail-*").path("id").asString();
    assertThat(api.post("/outlier-groups/suggestions/" + id + "/dismiss", "").status())
        .isEqualTo(204);
    assertThat(api.post("/outlier-groups/suggestions/" + id + "/dismiss", "").status())
        .isEqualTo(204);
    assertThat(names()).doesNotContain("mail-*");
    // It stays away with one member less, too.
    data.sql(
        "insert into object_liveness (object_id, last_seen) select id, now() - interval '3 days' from object where name = 'mail-06'");
    look();
    assertThat(names()).doesNotContain("mail-*").contains("Hosts of east");
    assertThat(suggested().stream().map(one -> one.path("members").asInt())).doesNotContain(5);
    assertThat(
            api.post("/outlier-groups/suggestions/" + new java.util.UUID(1, 2) + "/dismiss", "")
                .status())
        .isEqualTo(404);
  }

  @Test
  @Order(6)
  void suggestionsAreComputedOnceAnHour() {
    SuggestionService suggestions = server.context().getBean(SuggestionService.class);
    String before = api.get("/outlier-groups/suggestions").json().path("computedAt").asString();
    suggestions.refresh();
    assertThat(api.get("/outlier-groups/suggestions").json().path("computedAt").asString())
        .isEqualTo(before);
  }
}
