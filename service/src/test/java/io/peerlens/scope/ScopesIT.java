package io.peerlens.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.frame.Frames;
import io.peerlens.node.Role;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Two clusters with machines of several tiers. */
class ScopesIT {

  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int east = data.object("VMWARE", "ClusterComputeResource", "east");
    int west = data.object("VMWARE", "ClusterComputeResource", "west");
    int host = data.object("VMWARE", "HostSystem", "esx-1");
    relate(east, host);
    machine("web-1", host, "{\"tier\":\"web\",\"env\":\"prod\"}", "{\"os\":\"linux\"}");
    machine("web-2", west, "{\"tier\":\"web\",\"env\":\"lab\"}", "{\"os\":\"linux\"}");
    machine("db_1", host, "{\"tier\":\"db\",\"env\":\"prod\"}", "{\"os\":\"windows\"}");
    machine("dbx1", west, "{\"tier\":\"db\"}", "{}");
    data.sql("update inventory_version set version = version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API), "peerlens.scopes.age=1ms");
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql("delete from threshold");
    data.sql("delete from object_group");
  }

  private static void machine(String name, int parent, String tags, String properties) {
    int id = data.object("VMWARE", "VirtualMachine", name);
    relate(parent, id);
    data.jdbc()
        .sql("update object set tags = ?::jsonb, properties = ?::jsonb where id = ?")
        .params(tags, properties, id)
        .update();
  }

  private static void relate(int parent, int child) {
    data.jdbc().sql("insert into relation values (?, ?)").params(parent, child).update();
  }

  private static String uuid(String kind, String name) {
    return SampleData.uuid(kind, name).toString();
  }

  /** Single quotes are double ones. */
  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static List<String> match(String scope) {
    Answer answer = api.post("/scopes/match", json("{'scope': {" + scope + "}}"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> names = names(answer);
    assertThat(answer.json().path("total").asInt()).isEqualTo(names.size());
    return names;
  }

  private static List<String> names(Answer answer) {
    List<String> names = new ArrayList<>();
    answer.json().path("items").forEach(item -> names.add(item.path("name").asString()));
    return names;
  }

  private static String group(String name, String scope) {
    Answer answer = api.post("/groups", json("{'name': '" + name + "', 'scope': {" + scope + "}}"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().path("id").asString();
  }

  @Test
  void allConditionsMustHoldAndOneOfEachListSuffices() {
    assertThat(match(""))
        .containsExactly("db_1", "dbx1", "east", "esx-1", "web-1", "web-2", "west");
    assertThat(match("'tags': ['tier=web']")).containsExactly("web-1", "web-2");
    assertThat(match("'tags': ['tier=web', 'env=prod']")).containsExactly("web-1");
    assertThat(match("'tags': ['env']")).containsExactly("db_1", "web-1", "web-2");
    assertThat(match("'properties': ['os=linux']")).containsExactly("web-1", "web-2");
    assertThat(match("'name': 'DB_*'")).containsExactly("db_1");
    assertThat(match("'ancestors': ['%s']".formatted(uuid("ClusterComputeResource", "east"))))
        .containsExactly("db_1", "esx-1", "web-1");
    assertThat(
            match(
                "'objects': ['%s', '%s'], 'tags': ['tier=db']"
                    .formatted(uuid("VirtualMachine", "web-1"), uuid("VirtualMachine", "dbx1"))))
        .containsExactly("dbx1");
    assertThat(
            match(
                "'objectKinds': [{'adapterKind': 'VMWARE', 'objectKind': 'HostSystem'},"
                    + " {'adapterKind': 'VMWARE', 'objectKind': 'ClusterComputeResource'}]"))
        .containsExactly("east", "esx-1", "west");
  }

  @Test
  void exclusionsTakeObjectsOut() {
    assertThat(match("'name': '*1', 'exclude': [{'tags': ['env=prod']}, {'name': 'esx*'}]"))
        .containsExactly("dbx1");
    Answer answer = api.post("/scopes/match", json("{'scope': {'exclude': [{}]}}"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("scope.exclude[0]", "leave out every object");
  }

  @Test
  void groupsMayBeMadeOfGroups() {
    String web = group("Web", "'tags': ['tier=web']");
    String ours = group("Ours", "'groups': ['" + web + "'], 'exclude': [{'tags': ['env=lab']}]");
    assertThat(match("'groups': ['" + ours + "']")).containsExactly("web-1");
    assertThat(match("'name': 'web*', 'exclude': [{'groups': ['" + ours + "']}]"))
        .containsExactly("web-2");
    assertThat(match("'groups': ['" + UUID.randomUUID() + "']")).isEmpty();
    Answer members = api.get("/groups/" + web + "/members?limit=1");
    assertThat(names(members)).containsExactly("web-1");
    assertThat(
            names(
                api.get(
                    "/groups/"
                        + web
                        + "/members?limit=1&cursor="
                        + members.json().path("nextCursor").asString())))
        .containsExactly("web-2");

    Answer got = api.get("/groups/" + web);
    Answer circle =
        api.with("If-Match", got.header("ETag"))
            .put("/groups/" + web, json("{'name': 'Web', 'scope': {'groups': ['" + ours + "']}}"));
    assertThat(circle.status()).isEqualTo(400);
    assertThat(circle.body()).contains("leads back");
  }

  @Test
  void groupsAreChangedFromTheVersionThatWasSeen() {
    String id = group("Web", "'tags': ['tier=web']");
    String changed =
        json("{'name': 'The web', 'description': 'd', 'scope': {'tags': ['tier=web', 'env=lab']}}");
    assertThat(api.put("/groups/" + id, changed).status()).isEqualTo(428);
    Answer put = api.with("If-Match", "\"1\"").put("/groups/" + id, changed);
    assertThat(put.status()).as(put.body()).isEqualTo(200);
    assertThat(put.header("ETag")).isEqualTo("\"2\"");
    assertThat(put.json().path("memberCount").asInt()).isEqualTo(1);
    assertThat(api.with("If-Match", "\"1\"").put("/groups/" + id, changed).status()).isEqualTo(412);
    assertThat(api.post("/groups", changed).status()).as("the name is taken").isEqualTo(409);
    assertThat(names(api.get("/groups?q=web"))).containsExactly("The web");
    assertThat(names(api.get("/groups?q=nothing"))).isEmpty();
    assertThat(api.with("If-Match", "\"2\"").delete("/groups/" + id).status()).isEqualTo(204);
    assertThat(api.get("/groups/" + id).status()).isEqualTo(404);
  }

  @Test
  void aGroupThatIsUsedStays() {
    String id = group("Web", "'tags': ['tier=web']");
    group("All", "'groups': ['" + id + "']");
    Answer refused = api.with("If-Match", "\"1\"").delete("/groups/" + id);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body()).contains("used by All");
  }

  @Test
  void earlierVersionsOfAGroupAreKeptAndComeBack() {
    String id = group("Web", "'tags': ['tier=web']");
    String path = "/groups/" + id;
    String changed = json("{'name': 'The web', 'scope': {'tags': ['tier=web', 'env=lab']}}");
    assertThat(api.with("If-Match", "\"1\"").put(path, changed).status()).isEqualTo(200);
    Answer history = api.get(path + "/history?limit=1");
    assertThat(history.json().path("total").asInt()).isEqualTo(2);
    assertThat(history.json().path("items").path(0).path("action").asString()).isEqualTo("changed");
    assertThat(history.json().path("items").path(0).path("changes").toString())
        .contains("\"name\"", "The web", "scope.tags");
    Answer older =
        api.get(path + "/history?limit=1&cursor=" + history.json().path("nextCursor").asString());
    assertThat(older.json().path("items").path(0).path("definition").path("name").asString())
        .isEqualTo("Web");

    assertThat(api.post(path + "/history/1/restore", "").status())
        .as("it says which version it replaces")
        .isEqualTo(428);
    Answer restored = api.with("If-Match", "\"2\"").post(path + "/history/1/restore", "");
    assertThat(restored.status()).as(restored.body()).isEqualTo(200);
    assertThat(restored.header("ETag")).isEqualTo("\"3\"");
    assertThat(restored.json().path("memberCount").asInt()).isEqualTo(2);

    assertThat(api.with("If-Match", "\"3\"").delete(path).status()).isEqualTo(204);
    assertThat(api.get(path + "/history").json().path("total").asInt()).isEqualTo(4);
    assertThat(api.post(path + "/history/2/restore", "").status()).isEqualTo(200);
    assertThat(names(api.get("/groups"))).containsExactly("The web");
    assertThat(api.post(path + "/history/9/restore", "").status()).isEqualTo(404);
    assertThat(api.get("/groups/" + UUID.randomUUID() + "/history").status()).isEqualTo(404);
  }

  @Test
  void groupsArePaged() {
    for (String name : List.of("c", "A", "b")) {
      group(name, "");
    }
    List<String> names = new ArrayList<>();
    String cursor = "";
    do {
      Answer page = api.get("/groups?limit=2" + cursor);
      names.addAll(names(page));
      cursor = "&cursor=" + page.json().path("nextCursor").asString("");
    } while (cursor.length() > 8);
    assertThat(names).containsExactly("A", "b", "c");
  }

  @Test
  void flagsAreOneForEachObjectAndTheSameWhileNothingChanges() {
    Duration age = Duration.ofSeconds(1);
    SettableClock clock = new SettableClock(Instant.now());
    Scopes scopes = new Scopes(server.context().getBean(ScopeQueries.class), clock, age);
    ObjectGraph graph = server.context().getBean(Frames.class).objects();
    Scope web = ScopeReader.scope("scope", scope("{'tags': ['tier=web']}"));
    assertThat(scopes.flags(Scope.ALL, VM, graph)).isNull();
    boolean[] flags = scopes.flags(web, VM, graph);
    assertThat(members(flags, graph)).containsExactlyInAnyOrder("web-1", "web-2");
    assertThat(scopes.flags(web, VM, graph)).isSameAs(flags);
    clock.set(clock.instant().plus(age.multipliedBy(2))); // asked again, to the same answer
    assertThat(scopes.flags(web, VM, graph)).isSameAs(flags);
    assertThat(scopes.flags(web, new ObjectKind("VMWARE", "HostSystem"), graph))
        .containsOnly(false);
    assertThat(
            members(
                scopes.flags(
                    ScopeReader.scope("scope", scope("{'exclude': [{'name': 'web*'}]}")),
                    VM,
                    graph),
                graph))
        .containsExactlyInAnyOrder("db_1", "dbx1");
    assertThat(
            members(
                scopes.flags(
                    ScopeReader.scope(
                        "scope",
                        scope(
                            "{'objectKinds': [{'adapterKind': 'VMWARE', 'objectKind':"
                                + " 'HostSystem'}]}")),
                    VM,
                    graph),
                graph))
        .isEmpty();
  }

  private static io.peerlens.api.model.Scope scope(String text) {
    return JsonMapper.shared().readValue(json(text), io.peerlens.api.model.Scope.class);
  }

  private static List<String> members(boolean[] flags, ObjectGraph graph) {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < flags.length; i++) {
      if (flags[i]) {
        members.add(graph.name(VM, i));
      }
    }
    return members;
  }
}
