package io.peerlens.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Public links to dashboards: what they show, and that they show nothing else. */
class DashboardLinksIT {

  private static final UUID CLUSTER_A = SampleData.uuid("ClusterComputeResource", "cluster-a");
  private static final UUID CLUSTER_B = SampleData.uuid("ClusterComputeResource", "cluster-b");

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient operator;
  private static ApiClient ann;
  private static String dashboard;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int cpu = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    SampleData.Samples rows = data.samples();
    for (String cluster : List.of("cluster-a", "cluster-b")) {
      int parent = data.object("VMWARE", "ClusterComputeResource", cluster);
      for (int h = 1; h <= 2; h++) {
        int host = data.object("VMWARE", "HostSystem", "esx-%s-%d".formatted(cluster.charAt(8), h));
        data.jdbc()
            .sql("insert into relation (parent_id, child_id) values (?, ?)")
            .params(parent, host)
            .update();
        int set = data.set(host, cpu, "");
        for (int minute = 0; minute < 60; minute++) {
          rows.add(now.minus(Duration.ofMinutes(minute)), set, 10 * h);
        }
      }
    }
    rows.flush();
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    operator = client("olaf", "operator");
    ann = client("ann", "viewer");
    dashboard = id(operator.post("/dashboards", body("shared", "Hosts of a cluster")));
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static ApiClient client(String name, String role) {
    Answer token =
        server.admin().post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role));
    assertThat(token.status()).as(token.body()).isEqualTo(201);
    return new ApiClient(server.url(), token.json().path("secret").asString());
  }

  private static String body(String visibility, String name) {
    return """
    {'visibility': '%s', 'definition': {'name': '%s', 'time': {'last': '1h'},
     'variables': [
       {'name': 'cluster', 'type': 'object', 'kind': 'VMWARE/ClusterComputeResource', 'default': {'first': {}}},
       {'name': 'word', 'type': 'text', 'default': 'all'}],
     'panels': {
       'hosts': {'type': 'table', 'kind': 'VMWARE/HostSystem', 'subject': '$cluster', 'columns': [
         {'name': 'host', 'attribute': 'name'},
         {'name': 'cpu', 'metric': {'any': ['cpu|usage_average']}, 'transform': 'avg', 'unit': '%%'}]},
       'note': {'type': 'text', 'markdown': 'About $word'}},
     'layout': [{'items': [{'panel': 'hosts', 'x': 1, 'y': 1, 'w': 6, 'h': 6}, {'panel': 'note', 'x': 7, 'y': 1, 'w': 6, 'h': 2}]}]}}
    """
        .formatted(visibility, name)
        .replace('\'', '"');
  }

  private static String id(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().path("id").asString();
  }

  private static JsonNode link(String of, String more) {
    Answer made =
        operator.post(
            "/dashboards/" + of + "/links",
            "{'name': 'a link'%s}".formatted(more).replace('\'', '"'));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    return made.json();
  }

  private static ApiClient reader(JsonNode link) {
    return new ApiClient(server.url(), link.path("secret").asString());
  }

  private static Answer ask(ApiClient by, String of, String panel, String query) {
    return by.post("/dashboards/%s/panels/%s/query".formatted(of, panel), query.replace('\'', '"'));
  }

  private static List<String> hosts(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .path("rows")
        .valueStream()
        .map(row -> row.path("object").path("name").asString())
        .toList();
  }

  // ------------------------------------------------------------------------------------- reading

  @Test
  void aLinkShowsItsDashboardAsItsDefaultsSay() {
    JsonNode made = link(dashboard, "");
    String secret = made.path("secret").asString();
    assertThat(secret).startsWith("plk_");
    assertThat(made.path("path").asString()).isEqualTo("/link/" + dashboard + "#" + secret);

    ApiClient anybody = reader(made);
    Answer read = anybody.get("/dashboards/" + dashboard);
    assertThat(read.status()).as(read.body()).isEqualTo(200);
    JsonNode json = read.json();
    assertThat(json.at("/definition/name").asString()).isEqualTo("Hosts of a cluster");
    assertThat(json.at("/link/name").asString()).isEqualTo("a link");
    assertThat(json.at("/link/values/0/label").asString()).isEqualTo("cluster-a");
    assertThat(json.at("/link/values/0/free").asBoolean()).isFalse();
    assertThat(read.body()).doesNotContain("olaf", secret);
    assertThat(operator.get("/dashboards/" + dashboard).json().has("link")).isFalse();

    assertThat(hosts(ask(anybody, dashboard, "hosts", "{}")))
        .containsExactlyInAnyOrder("esx-a-1", "esx-a-2");
    assertThat(ask(anybody, dashboard, "note", "{}").json().path("markdown").asString())
        .isEqualTo("About all");
    assertThat(ask(anybody, dashboard, "other", "{}").status()).isEqualTo(404);
  }

  @Test
  void aLinkFixesVariablesAndLetsOthersBeChosen() {
    JsonNode made =
        link(
            dashboard,
            ", 'variables': {'cluster': '%s'}, 'free': [{'name': 'word', 'choices': ['all', 'some']}]"
                .formatted(CLUSTER_B));
    ApiClient anybody = reader(made);
    assertThat(hosts(ask(anybody, dashboard, "hosts", "{}")))
        .containsExactlyInAnyOrder("esx-b-1", "esx-b-2");
    Answer chosen = ask(anybody, dashboard, "note", "{'variables': {'word': 'some'}}");
    assertThat(chosen.json().path("markdown").asString()).isEqualTo("About some");
    JsonNode values = anybody.get("/dashboards/" + dashboard).json().at("/link/values");
    assertThat(values.at("/0/label").asString()).isEqualTo("cluster-b");
    assertThat(values.at("/1/choices/1/value").asString()).isEqualTo("some");

    for (String refused :
        List.of(
            "{'variables': {'cluster': '%s'}}".formatted(CLUSTER_A),
            "{'variables': {'word': 'else'}}",
            "{'time': {'last': '30d'}}")) {
      Answer answer = ask(anybody, dashboard, "hosts", refused);
      assertThat(answer.status()).as(refused).isEqualTo(403);
      assertThat(answer.json().at("/errors/0/field").asString()).isNotBlank();
    }
  }

  @Test
  void choicesThatAreObjectsHaveTheirNames() {
    JsonNode made =
        link(
            dashboard,
            ", 'free': [{'name': 'cluster', 'choices': ['%s', '%s']}]"
                .formatted(CLUSTER_A, CLUSTER_B));
    JsonNode cluster =
        reader(made).get("/dashboards/" + dashboard).json().at("/link/values/0/choices");
    assertThat(cluster.valueStream().map(one -> one.path("label").asString()))
        .containsExactly("cluster-a", "cluster-b");
    assertThat(
            hosts(
                ask(
                    reader(made),
                    dashboard,
                    "hosts",
                    "{'variables': {'cluster': '%s'}}".formatted(CLUSTER_B))))
        .containsExactlyInAnyOrder("esx-b-1", "esx-b-2");
  }

  @Test
  void thereIsNoLinkToAPrivateDashboard() {
    ApiClient olga = client("olga", "operator");
    String own = id(olga.post("/dashboards", body("private", "Of Olga")));
    String annas = id(ann.post("/dashboards", body("private", "Of Ann")));
    Answer refused = olga.post("/dashboards/" + own + "/links", "{\"name\":\"ann\"}");
    assertThat(refused.status()).as(refused.body()).isEqualTo(409);
    assertThat(refused.json().path("hint").asString()).isEqualTo("Share it first.");
    assertThat(operator.post("/dashboards/" + annas + "/links", "{\"name\":\"x\"}").status())
        .isEqualTo(404);
    // The link has the name of a person; that gives it nothing.
    JsonNode made =
        operator.post("/dashboards/" + dashboard + "/links", "{\"name\":\"ann\"}").json();
    assertThat(reader(made).get("/dashboards/" + dashboard).status()).isEqualTo(200);
    assertThat(reader(made).get("/dashboards/" + annas).status()).isEqualTo(403);
    assertThat(ask(reader(made), annas, "hosts", "{}").status()).isEqualTo(403);
  }

  @Test
  void aLinkShowsNothingThatAnImportHasKept() {
    String kept =
        body("shared", "Kept")
            .replace("\"time\":", "\"x-origin\": {\"by\": \"maria\"}, \"time\":")
            .replace("{\"type\": \"text\",", "{\"type\": \"text\", \"x-id\": \"maria\",");
    String id = id(operator.post("/dashboards", kept));
    assertThat(operator.get("/dashboards/" + id).body()).contains("maria");
    assertThat(reader(link(id, "")).get("/dashboards/" + id).body())
        .contains("About $word")
        .doesNotContain("maria");
  }

  // ------------------------------------------------------------------------------------- choosing

  /** A dashboard with a variable of each type that readers may be let choose. */
  private static String choosing() {
    return id(
        operator.post(
            "/dashboards",
            """
            {'visibility': 'shared', 'definition': {'name': 'Choosing %s', 'time': {'last': '1h'},
             'variables': [
               {'name': 'cluster', 'type': 'object', 'kind': 'VMWARE/ClusterComputeResource', 'default': {'first': {}}},
               {'name': 'place', 'type': 'object', 'kind': 'VMWARE/ClusterComputeResource', 'scope': {'name': '*-a'}},
               {'name': 'some', 'type': 'objects', 'kind': 'VMWARE/HostSystem'},
               {'name': 'team', 'type': 'group'},
               {'name': 'least', 'type': 'number', 'default': 15},
               {'name': 'key', 'type': 'metric', 'default': 'cpu|usage_average'},
               {'name': 'size', 'type': 'text', 'choices': ['small', 'large']},
               {'name': 'part', 'type': 'slice'}],
             'panels': {
               'spread': {'type': 'distribution', 'kind': 'VMWARE/HostSystem', 'sets': {'part': 'slice'}, 'columns': [
                 {'name': 'cpu', 'metric': {'any': ['cpu|usage_average']}, 'transform': 'avg'}]},
               'hosts': {'type': 'table', 'kind': 'VMWARE/HostSystem', 'subject': '$cluster',
                 'select': {'slices': ['$part']}, 'columns': [
                 {'name': 'host', 'attribute': 'name'},
                 {'name': 'value', 'metric': {'any': ['$key']}, 'transform': 'avg'}]},
               'placed': {'type': 'table', 'kind': 'VMWARE/HostSystem', 'subject': '$place', 'columns': [
                 {'name': 'host', 'attribute': 'name'}]},
               'few': {'type': 'table', 'kind': 'VMWARE/HostSystem', 'subject': '$some', 'columns': [
                 {'name': 'host', 'attribute': 'name'}]},
               'busy': {'type': 'table', 'kind': 'VMWARE/HostSystem',
                 'select': {'where': [[{'metric': {'any': ['cpu|usage_average']}, 'op': '>=', 'value': '$least'}]]},
                 'columns': [{'name': 'host', 'attribute': 'name'}]}},
             'layout': [{'items': [{'panel': 'hosts', 'x': 1, 'y': 1, 'w': 6, 'h': 6}, {'panel': 'spread', 'x': 7, 'y': 1, 'w': 6, 'h': 6},
               {'panel': 'placed', 'x': 1, 'y': 7, 'w': 4, 'h': 6}, {'panel': 'few', 'x': 5, 'y': 7, 'w': 4, 'h': 6}, {'panel': 'busy', 'x': 9, 'y': 7, 'w': 4, 'h': 6}]}]}}
            """
                .formatted(UUID.randomUUID())
                .replace('\'', '"')));
  }

  private static String values(String name, String value) {
    return JsonMapper.shared().writeValueAsString(Map.of("variables", Map.of(name, value)));
  }

  private static Answer choose(
      ApiClient by, String of, String panel, String variable, String value) {
    return by.post("/dashboards/%s/panels/%s/query".formatted(of, panel), values(variable, value));
  }

  @Test
  void whatCanBeAnyTextIsNotFreeWithoutChoices() {
    String of = choosing();
    for (String variable : List.of("key", "team")) {
      String wanted = "{\"name\": \"x\", \"free\": [{\"name\": \"%s\"%s}]}";
      Answer refused =
          operator.post("/dashboards/" + of + "/links", wanted.formatted(variable, ""));
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("free[0].choices");
      assertThat(
              operator
                  .post(
                      "/dashboards/" + of + "/links",
                      wanted.formatted(variable, ", \"choices\": [\"mem|usage_average\"]"))
                  .status())
          .isEqualTo(201);
    }
  }

  @Test
  void aFreeObjectIsOneThatItsVariableIsAbout() {
    String of = choosing();
    ApiClient anybody =
        reader(link(of, ", 'free': [{'name': 'cluster'}, {'name': 'place'}, {'name': 'some'}]"));
    String host = SampleData.uuid("HostSystem", "esx-b-1").toString();
    String other = SampleData.uuid("HostSystem", "esx-a-2").toString();
    assertThat(hosts(choose(anybody, of, "hosts", "cluster", CLUSTER_B.toString())))
        .containsExactlyInAnyOrder("esx-b-1", "esx-b-2");
    assertThat(hosts(choose(anybody, of, "placed", "place", CLUSTER_A.toString())))
        .containsExactlyInAnyOrder("esx-a-1", "esx-a-2");
    assertThat(hosts(choose(anybody, of, "few", "some", host + "," + other)))
        .containsExactlyInAnyOrder("esx-b-1", "esx-a-2");
    List<List<String>> refused =
        List.of(
            List.of("cluster", host),
            List.of("cluster", CLUSTER_A + "," + CLUSTER_B),
            List.of("cluster", "cluster-b"),
            List.of("cluster", new UUID(0, 5).toString()),
            List.of("cluster", ""),
            List.of("place", CLUSTER_B.toString()),
            List.of("some", CLUSTER_A.toString()),
            List.of("some", host + ",x"));
    for (List<String> one : refused) {
      Answer answer = choose(anybody, of, "hosts", one.getFirst(), one.getLast());
      assertThat(answer.status()).as("%s: %s", one, answer.body()).isEqualTo(403);
      assertThat(answer.json().at("/errors/0/field").asString())
          .isEqualTo("variables." + one.getFirst());
    }
  }

  @Test
  void aFreeSliceIsOneOfAPanelThatSetsIt() {
    String of = choosing();
    ApiClient anybody = reader(link(of, ", 'free': [{'name': 'part'}]"));
    JsonNode buckets = ask(anybody, of, "spread", "{}").json().path("buckets");
    JsonNode bucket =
        buckets
            .valueStream()
            .filter(one -> one.path("count").asInt() > 0)
            .findFirst()
            .orElseThrow();
    String slice = bucket.path("slice").asString();
    assertThat(hosts(choose(anybody, of, "hosts", "part", slice))).isNotEmpty();
    List<String> refused =
        List.of(
            "[{'property': 'config|password', 'op': 'startsWith', 'value': 'a'}]",
            "[{'attribute': 'name', 'op': 'contains', 'value': 'esx'}]",
            "[{'metric': {'any': ['mem|usage_average']}, 'transform': 'avg', 'op': '>', 'value': 1}]");
    for (String one : refused) {
      Answer answer = choose(anybody, of, "hosts", "part", one.replace('\'', '"'));
      assertThat(answer.status()).as("%s: %s", one, answer.body()).isEqualTo(403);
    }
    assertThat(choose(anybody, of, "hosts", "part", "nonsense").status()).isEqualTo(400);
    String begin = slice.substring(0, slice.length() - 1);
    assertThat(choose(anybody, of, "hosts", "part", begin + ", " + slice.substring(1)).status())
        .isEqualTo(200);
    String name = "{\"attribute\": \"name\", \"op\": \"=\", \"value\": \"x\"}";
    assertThat(choose(anybody, of, "hosts", "part", begin + ", " + name + "]").status())
        .isEqualTo(403);
  }

  @Test
  void aFreeNumberIsANumberAndAChoiceOfTheDashboardIsOne() {
    String of = choosing();
    ApiClient anybody = reader(link(of, ", 'free': [{'name': 'least'}, {'name': 'size'}]"));
    assertThat(hosts(choose(anybody, of, "busy", "least", "15")))
        .containsExactlyInAnyOrder("esx-a-2", "esx-b-2");
    assertThat(hosts(choose(anybody, of, "busy", "least", "5"))).hasSize(4);
    assertThat(choose(anybody, of, "busy", "least", "$cluster").status()).isEqualTo(403);
    assertThat(choose(anybody, of, "busy", "size", "large").status()).isEqualTo(200);
    assertThat(choose(anybody, of, "busy", "size", "huge").status()).isEqualTo(403);
  }

  @Test
  void aVariableThatIsAnyTextSinceTheLinkWasMadeIsNotChosen() {
    String of = choosing();
    ApiClient anybody = reader(link(of, ", 'free': [{'name': 'size'}]"));
    JsonNode stored = operator.get("/dashboards/" + of).json();
    Answer changed =
        operator
            .with("If-Match", "*")
            .put(
                "/dashboards/" + of,
                JsonMapper.shared()
                    .writeValueAsString(
                        Map.of(
                            "visibility",
                            "shared",
                            "definition",
                            JsonMapper.shared()
                                .readTree(
                                    stored
                                        .path("definition")
                                        .toString()
                                        .replace(",\"choices\":[\"small\",\"large\"]", "")))));
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(changed.body()).doesNotContain("small");
    assertThat(choose(anybody, of, "hosts", "size", "large").status()).isEqualTo(403);
  }

  // ------------------------------------------------------------------------------------- its end

  @Test
  void aLinkEndsWhenItIsRevokedWhereverThatIs() {
    JsonNode here = link(dashboard, "");
    JsonNode there = link(dashboard, "");
    String idHere = here.at("/link/id").asString();
    String idThere = there.at("/link/id").asString();
    assertThat(operator.get("/dashboards/" + dashboard + "/links").body())
        .contains(idHere, idThere)
        .doesNotContain(here.path("secret").asString(), there.path("secret").asString());
    assertThat(server.admin().get("/tokens").body()).contains(idHere, idThere);

    String other = id(operator.post("/dashboards", body("shared", "Another")));
    assertThat(operator.delete("/dashboards/" + other + "/links/" + idHere).status())
        .isEqualTo(404);
    assertThat(operator.delete("/dashboards/" + dashboard + "/links/" + idHere).status())
        .isEqualTo(204);
    assertThat(server.admin().delete("/tokens/" + idThere).status()).isEqualTo(204);
    for (JsonNode link : List.of(here, there)) {
      assertThat(reader(link).get("/dashboards/" + dashboard).status()).isEqualTo(401);
      assertThat(ask(reader(link), dashboard, "hosts", "{}").status()).isEqualTo(401);
    }
    assertThat(operator.get("/dashboards/" + dashboard + "/links").body())
        .doesNotContain(idHere, idThere);
  }

  @Test
  void aLinkEndsForGoodWhenItsDashboardIsMadePrivateOrDeleted() {
    String of = id(operator.post("/dashboards", body("shared", "Hidden and gone")));
    JsonNode made = link(of, "");
    assertThat(reader(made).get("/dashboards/" + of).status()).isEqualTo(200);
    for (String visibility : List.of("private", "shared")) {
      Answer changed =
          operator
              .with("If-Match", "*")
              .put("/dashboards/" + of, body(visibility, "Hidden and gone"));
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      assertThat(reader(made).get("/dashboards/" + of).status()).as(visibility).isIn(401, 404);
      assertThat(ask(reader(made), of, "hosts", "{}").status()).as(visibility).isIn(401, 404);
    }

    JsonNode again = link(of, "");
    assertThat(hosts(ask(reader(again), of, "hosts", "{}"))).isNotEmpty();
    assertThat(operator.with("If-Match", "*").delete("/dashboards/" + of).status()).isEqualTo(204);
    assertThat(ask(reader(again), of, "hosts", "{}").status()).isIn(401, 404);
    assertThat(operator.post("/dashboards/" + of + "/history/3/restore", "").status())
        .isEqualTo(200);
    assertThat(operator.get("/dashboards/" + of).status()).isEqualTo(200);
    assertThat(ask(reader(again), of, "hosts", "{}").status()).isIn(401, 404);
    assertThat(operator.get("/dashboards/" + of + "/links").json().path("items")).isEmpty();
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> assertThat(reader(again).get("/dashboards/" + of).status()).isEqualTo(401));
  }

  @Test
  void aLinkEndsWithTheLastTokenOfItsMaker() {
    Answer token = server.admin().post("/tokens", "{\"name\":\"otto\",\"role\":\"operator\"}");
    ApiClient otto = new ApiClient(server.url(), token.json().path("secret").asString());
    String id = token.json().at("/token/id").asString();
    JsonNode made =
        otto.post("/dashboards/" + dashboard + "/links", "{\"name\":\"by otto\"}").json();
    assertThat(reader(made).get("/dashboards/" + dashboard).status()).isEqualTo(200);

    // A new token in the place of the old one is the same maker; one that only reads is not.
    Answer rotated = server.admin().post("/tokens/" + id + "/rotate?overlap=0s", "");
    assertThat(rotated.status()).as(rotated.body()).isIn(200, 201);
    assertThat(reader(made).get("/dashboards/" + dashboard).status()).isEqualTo(200);
    client("otto", "viewer");
    String newer = rotated.json().at("/token/id").asString();
    assertThat(server.admin().delete("/tokens/" + newer).status()).isEqualTo(204);
    assertThat(reader(made).get("/dashboards/" + dashboard).status()).isEqualTo(401);
    assertThat(ask(reader(made), dashboard, "hosts", "{}").status()).isEqualTo(401);
    assertThat(operator.get("/dashboards/" + dashboard + "/links").body())
        .doesNotContain("by otto");
  }

  @Test
  void aLinkEndsByItself() {
    JsonNode made = link(dashboard, ", 'expiresAt': '%s'".formatted(Instant.now().plusSeconds(60)));
    assertThat(reader(made).get("/dashboards/" + dashboard).status()).isEqualTo(200);
    data.jdbc()
        .sql("update api_token set expires_at = now() - interval '1 s' where id = ?::uuid")
        .params(made.at("/link/id").asString())
        .update();
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> assertThat(reader(made).get("/dashboards/" + dashboard).status()).isEqualTo(401));
  }

  @Test
  void wrongWishesAreNamed() {
    for (String wrong :
        List.of(
            "{'name': ' '}",
            "{'name': 'x', 'expiresAt': '2020-01-01T00:00:00Z'}",
            "{'name': 'x', 'expiresAt': '2199-01-01T00:00:00Z'}",
            "{'name': 'x', 'variables': {'host': 'y'}}",
            "{'name': 'x', 'free': [{'name': 'host'}]}",
            "{'name': 'x', 'free': [{'name': 'word'}, {'name': 'word'}]}",
            "{'name': 'x', 'variables': {'word': 'a'}, 'free': [{'name': 'word', 'choices': ['b']}]}")) {
      Answer answer =
          operator.post("/dashboards/" + dashboard + "/links", wrong.replace('\'', '"'));
      assertThat(answer.status()).as(wrong).isEqualTo(400);
      assertThat(answer.json().at("/errors/0/field").asString()).as(wrong).isNotBlank();
    }
    assertThat(ann.post("/dashboards/" + dashboard + "/links", "{\"name\":\"x\"}").status())
        .isEqualTo(403);
  }

  // ------------------------------------------------------------------------------------- secrecy

  @Test
  void theSecretStandsNowhere() {
    JsonNode made = link(dashboard, "");
    String secret = made.path("secret").asString();
    reader(made).get("/dashboards/" + dashboard);
    reader(made).get("/tokens");
    reader(made).post("/tokens", "{}");
    JsonNode audit = server.admin().get("/audit?kind=dashboards&limit=100").json();
    assertThat(audit.toString()).contains("createDashboardLink").doesNotContain(secret);
    for (String table : List.of("api_token", "dashboard_link", "audit_entry", "audit_open")) {
      assertThat(
              data.jdbc()
                  .sql("select count(*) from %s t where t::text like ?".formatted(table))
                  .params("%" + secret.substring(8) + "%")
                  .query(Long.class)
                  .single())
          .as(table)
          .isZero();
    }
  }

  @Test
  void thePageOfALinkTellsNobodyOfIt() {
    Answer page = server.anonymous().get("//link/" + dashboard);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(server.anonymous().get("//wall").header("Referrer-Policy")).isEqualTo("same-origin");
  }

  @Test
  void readersOfALinkAreSlowedDown() {
    try (PeerlensServer own =
        PeerlensServer.start(
            data.database(), Set.of(Role.API), "peerlens.load.requests-per-second=50")) {
      JsonNode made = link(dashboard, "");
      ApiClient anybody = new ApiClient(own.url(), made.path("secret").asString());
      boolean refused = false;
      for (int i = 0; i < 400 && !refused; i++) {
        refused = anybody.get("/dashboards/" + dashboard).status() == 429;
      }
      assertThat(refused).isTrue();
    }
  }
}
