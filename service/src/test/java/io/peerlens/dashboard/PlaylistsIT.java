package io.peerlens.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.api.model.UserRole;
import io.peerlens.node.Role;
import io.peerlens.security.ApiTokens;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Playlists of dashboards, and what walls read of them. */
class PlaylistsIT {

  private static final UUID CLUSTER_B = SampleData.uuid("ClusterComputeResource", "cluster-b");

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient operator;
  private static ApiClient viewer;
  private static ApiClient screen;
  private static String dashboard;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int cpu = data.group("VMWARE", "ClusterComputeResource", "cpu", List.of("usage_average"));
    Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    SampleData.Samples rows = data.samples();
    for (String cluster : List.of("cluster-a", "cluster-b", "cluster-c")) {
      int set = data.set(data.object("VMWARE", "ClusterComputeResource", cluster), cpu, "");
      for (int minute = 0; minute < 30; minute++) {
        rows.add(now.minus(Duration.ofMinutes(minute)), set, cluster.charAt(8) - 'a' + 1);
      }
    }
    rows.flush();
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    operator = client("olaf", "operator");
    viewer = client("vera", "viewer");
    screen =
        new ApiClient(
            server.url(),
            server
                .context()
                .getBean(ApiTokens.class)
                .create("vera", UserRole.SCREEN, "test", Instant.now().plusSeconds(3600))
                .getSecret());
    dashboard = id(operator.post("/dashboards", dashboard("shared", "One cluster")));
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  @BeforeEach
  void empty() {
    for (String table : List.of("playlist", "playlist_history")) {
      data.jdbc().sql("delete from " + table).update();
    }
  }

  private static ApiClient client(String name, String role) {
    Answer token =
        server.admin().post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role));
    assertThat(token.status()).as(token.body()).isEqualTo(201);
    return new ApiClient(server.url(), token.json().path("secret").asString());
  }

  private static String dashboard(String visibility, String name) {
    return quoted(
        """
        {'visibility': '%s', 'definition': {'name': '%s', 'time': {'last': '1h'},
         'variables': [
           {'name': 'cluster', 'type': 'object', 'kind': 'VMWARE/ClusterComputeResource',
            'default': {'first': {'by': 'cpu|usage_average'}}},
           {'name': 'size', 'type': 'text', 'choices': ['small', 'large'], 'default': 'small'}],
         'panels': {'cpu': {'type': 'scoreboard', 'subject': '$cluster', 'columns': [
             {'name': 'cpu', 'metric': {'any': ['cpu|usage_average']}, 'transform': 'avg'}]}},
         'layout': [{'items': [{'panel': 'cpu', 'x': 1, 'y': 1, 'w': 6, 'h': 6}]}]}}
        """
            .formatted(visibility, name));
  }

  /** A dashboard of twelve panels that ask for different things. */
  private static String twelvePanels() {
    StringJoiner panels = new StringJoiner(", ");
    StringJoiner places = new StringJoiner(", ");
    for (int i = 1; i <= 12; i++) {
      panels.add(
          """
          'cpu%d': {'type': 'scoreboard', 'title': 'CPU %d', 'subject': '$cluster', 'columns': [
            {'name': 'cpu', 'metric': {'any': ['cpu|usage_average']}, 'transform': 'avg'}]}
          """
              .formatted(i, i));
      places.add(
          "{'panel': 'cpu%d', 'x': 1, 'y': %d, 'w': 6, 'h': 3}".formatted(i, 1 + 3 * (i - 1)));
    }
    return quoted(
        """
        {'visibility': 'shared', 'definition': {'name': 'Twelve panels', 'time': {'last': '1h'},
         'variables': [{'name': 'cluster', 'type': 'object', 'kind': 'VMWARE/ClusterComputeResource'}],
         'panels': {%s}, 'layout': [{'items': [%s]}]}}
        """
            .formatted(panels, places));
  }

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }

  private static String id(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().path("id").asString();
  }

  private static String playlist(String name, String items) {
    return quoted("{'name': '%s', 'items': [%s]}".formatted(name, items));
  }

  private static JsonNode screens(ApiClient by, String id) {
    Answer answer = by.get("/playlists/" + id + "/screens");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static List<String> titles(JsonNode screens) {
    return screens.path("screens").valueStream().map(one -> one.path("title").asString()).toList();
  }

  // ----------------------------------------------------------------------------------------- life

  @Test
  void aPlaylistIsStoredChangedDeletedAndBroughtBack() {
    Answer made =
        operator.post(
            "/playlists",
            quoted(
                """
                {'name': 'Control room', 'description': 'Left wall', 'interruptAt': 'critical', 'dim': {'from': '22:00', 'to': '06:00'},
                 'items': [{'dashboard': 'One cluster', 'stay': '20s'}]}
                """));
    String id = id(made);
    assertThat(made.header("ETag")).isEqualTo("\"1\"");
    assertThat(made.json().at("/dim/from").asString()).isEqualTo("22:00");
    Answer changed =
        operator
            .with("If-Match", "\"1\"")
            .put("/playlists/" + id, made.body().replace("Left wall", "Right wall"));
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(changed.json().path("description").asString()).isEqualTo("Right wall");
    assertThat(viewer.get("/playlists?name=control%20ROOM").json().path("total").asInt())
        .isEqualTo(1);
    assertThat(viewer.get("/playlists?q=right").json().path("total").asInt()).isEqualTo(1);
    assertThat(operator.with("If-Match", "*").delete("/playlists/" + id).status()).isEqualTo(204);
    assertThat(viewer.get("/playlists/" + id).status()).isEqualTo(404);
    assertThat(operator.post("/playlists/" + id + "/history/1/restore", "").status())
        .isEqualTo(200);
    JsonNode history = viewer.get("/playlists/" + id + "/history").json().path("items");
    assertThat(history.valueStream().map(one -> one.path("action").asString()))
        .containsExactly("restored", "deleted", "changed", "created");
  }

  @Test
  void playlistsAreWrittenByOperatorsAndReadByAll() {
    String body = playlist("One", "{'dashboard': 'One cluster'}");
    assertThat(viewer.post("/playlists", body).status()).isEqualTo(403);
    assertThat(screen.post("/playlists", body).status()).isEqualTo(403);
    String id = id(operator.post("/playlists", body));
    for (ApiClient reader : List.of(viewer, screen)) {
      assertThat(reader.get("/playlists").json().path("total").asInt()).isEqualTo(1);
      assertThat(reader.get("/playlists/" + id).status()).isEqualTo(200);
    }
    assertThat(screen.get("/playlists/" + id + "/history").status()).isEqualTo(403);
  }

  @Test
  void whatAWallCannotShowIsNamedWithItsPlace() {
    operator.post("/dashboards", dashboard("private", "Private"));
    Answer made =
        operator.post(
            "/playlists",
            playlist(
                "Wanting",
                "{'dashboard': 'One cluster'}, {'dashboard': 'None'}, {'dashboard': 'Private'}"));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(
            made.json().path("issues").valueStream().map(issue -> issue.path("field").asString()))
        .containsExactly("items[1].dashboard", "items[2].dashboard");
    for (List<String> wrong :
        List.of(
            List.of(
                "{'dashboard': 'One cluster'}, {'dashboard': 'One cluster', 'variables': {'x': 'y'}}",
                "items[1].variables.x"),
            List.of("{'dashboard': 'One cluster', 'repeat': 'x'}", "items[0].repeat"),
            List.of("{'dashboard': 'One cluster', 'stay': '2h'}", "items[0].stay"))) {
      Answer answer = operator.post("/playlists", playlist("Wrong", wrong.getFirst()));
      assertThat(answer.status()).as(answer.body()).isEqualTo(400);
      assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(wrong.getLast());
    }
  }

  // -------------------------------------------------------------------------------------- screens

  @Test
  void aScreenHasTheValuesOfItsVariables() {
    String id =
        id(
            operator.post(
                "/playlists",
                playlist(
                    "Two",
                    "{'dashboard': '%s', 'stay': '12s'}, {'dashboard': 'One cluster', 'variables': {'cluster': '%s', 'size': 'large'}}"
                        .formatted(dashboard, CLUSTER_B))));
    JsonNode screens = screens(screen, id);
    assertThat(titles(screens)).containsExactly("One cluster", "One cluster");
    assertThat(screens.at("/screens/0/staySeconds").asInt()).isEqualTo(12);
    assertThat(screens.at("/screens/1/staySeconds").asInt()).isEqualTo(30);
    // The one with the highest value is the default.
    assertThat(screens.at("/screens/0/values/0/label").asString()).isEqualTo("cluster-c");
    assertThat(screens.at("/screens/0/values/1/value").asString()).isEqualTo("small");
    assertThat(screens.at("/screens/1/values/0/value").asString()).isEqualTo(CLUSTER_B.toString());
    assertThat(screens.at("/screens/1/values/0/label").asString()).isEqualTo("cluster-b");
    assertThat(screens.at("/screens/1/values/1/value").asString()).isEqualTo("large");
  }

  @Test
  void aDashboardIsRepeatedOverAVariable() {
    String id =
        id(
            operator.post(
                "/playlists",
                playlist(
                    "Each",
                    "{'dashboard': 'One cluster', 'repeat': 'cluster'}, {'dashboard': 'One cluster', 'repeat': 'size'}")));
    assertThat(titles(screens(screen, id)))
        .containsExactly(
            "One cluster: cluster-a",
            "One cluster: cluster-b",
            "One cluster: cluster-c",
            "One cluster: small",
            "One cluster: large");
  }

  @Test
  void aDashboardThatBecamePrivateIsLeftOutAndNamed() {
    String other = id(operator.post("/dashboards", dashboard("shared", "Other")));
    String id =
        id(
            operator.post(
                "/playlists",
                playlist("Both", "{'dashboard': 'One cluster'}, {'dashboard': 'Other'}")));
    long before = screens(screen, id).path("version").asLong();
    Answer hidden =
        operator.with("If-Match", "*").put("/dashboards/" + other, dashboard("private", "Other"));
    assertThat(hidden.status()).as(hidden.body()).isEqualTo(200);
    JsonNode screens = screens(screen, id);
    assertThat(titles(screens)).containsExactly("One cluster");
    assertThat(screens.at("/issues/0/field").asString()).isEqualTo("items[1].dashboard");
    assertThat(screens.path("version").asLong()).isGreaterThan(before);
    assertThat(screen.get("/dashboards/" + other).status()).isEqualTo(404);
    assertThat(operator.with("If-Match", "*").delete("/dashboards/" + other).status())
        .isEqualTo(204);
  }

  @Test
  void aScreenSeesNothingPrivateWhateverItIsCalled() {
    // The screen is called as the viewer is.
    String own = id(viewer.post("/dashboards", dashboard("private", "Of Vera")));
    assertThat(viewer.get("/dashboards/" + own).status()).isEqualTo(200);
    assertThat(screen.get("/dashboards/" + own).status()).isEqualTo(404);
    assertThat(screen.post("/dashboards/" + own + "/panels/cpu/query", "{}").status())
        .isEqualTo(404);
  }

  /** Twenty screens, each with a token of its own. */
  private static List<ApiClient> twentyScreens() {
    ApiTokens tokens = server.context().getBean(ApiTokens.class);
    List<ApiClient> screens = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      screens.add(
          new ApiClient(
              server.url(),
              tokens
                  .create("wall " + i, UserRole.SCREEN, "test", Instant.now().plusSeconds(3600))
                  .getSecret()));
    }
    return screens;
  }

  /** What a screen asks of the panels of a dashboard, once all screens are there. */
  private static List<JsonNode> panels(
      ApiClient screen, String of, List<String> panels, String query, CyclicBarrier all)
      throws Exception {
    all.await(1, TimeUnit.MINUTES);
    List<JsonNode> answers = new ArrayList<>();
    for (String panel : panels) {
      Answer answer = screen.post("/dashboards/" + of + "/panels/" + panel + "/query", query);
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      answers.add(answer.json());
    }
    return answers;
  }

  @Test
  void twentyWallsCostOneEvaluationOfEachPanel() throws Exception {
    List<String> panels = IntStream.rangeClosed(1, 12).mapToObj(i -> "cpu" + i).toList();
    String id = id(operator.post("/dashboards", twelvePanels()));
    double computed = count("computed");
    double shared = count("shared");
    String query = quoted("{'variables': {'cluster': '%s'}, 'maxAge': '30s'}".formatted(CLUSTER_B));
    CyclicBarrier all = new CyclicBarrier(20);
    List<Callable<List<JsonNode>>> asks = new ArrayList<>();
    for (ApiClient one : twentyScreens()) {
      asks.add(() -> panels(one, id, panels, query, all));
    }
    List<List<JsonNode>> answers = new ArrayList<>();
    try (ExecutorService walls = Executors.newFixedThreadPool(20)) {
      for (Future<List<JsonNode>> one : walls.invokeAll(asks)) {
        answers.add(one.get());
      }
    }
    assertThat(count("computed") - computed).isEqualTo(12);
    assertThat(count("shared") - shared).isEqualTo(20 * 12);
    // The window of an answer moves with the clock, in milliseconds: all have that of the first.
    for (int i = 0; i < 12; i++) {
      int number = i;
      assertThat(answers.stream().map(one -> one.get(number).path("to").asLong()).distinct())
          .as("panel %d", i)
          .hasSize(1);
    }
    assertThat(answers.getFirst().getFirst().at("/rows/0/object/name").asString())
        .isEqualTo("cluster-b");

    // A person who asks for what is true now is answered anew.
    viewer.post(
        "/dashboards/" + id + "/panels/cpu1/query",
        quoted("{'variables': {'cluster': '%s'}}".formatted(CLUSTER_B)));
    assertThat(count("computed") - computed).isEqualTo(13);
  }

  @Test
  void twentyReadersOfTwoLinksCostOneEvaluation() {
    List<ApiClient> readers = new ArrayList<>();
    for (int link = 0; link < 2; link++) {
      Answer made = operator.post("/dashboards/" + dashboard + "/links", "{\"name\":\"x\"}");
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      readers.add(new ApiClient(server.url(), made.json().path("secret").asString()));
    }
    String path = "/dashboards/" + dashboard + "/panels/cpu/query";
    double before = count("computed");
    assertThat(readers.getFirst().post(path, "{}").status()).isEqualTo(200);
    double after = count("computed");
    assertThat(after).isGreaterThan(before);
    for (int i = 0; i < 20; i++) {
      assertThat(readers.get(i % 2).post(path, "{}").status()).isEqualTo(200);
    }
    assertThat(count("computed")).isEqualTo(after);
  }

  private static double count(String what) {
    return server
        .context()
        .getBean(MeterRegistry.class)
        .get("peerlens.panels." + what)
        .functionCounter()
        .count();
  }
}
