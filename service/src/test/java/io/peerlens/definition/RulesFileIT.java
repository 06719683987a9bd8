package io.peerlens.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class RulesFileIT {

  private static final String GROUP = "11111111-1111-4111-8111-111111111111";
  private static final String CPU = "22222222-2222-4222-8222-222222222222";

  /** Single quotes are double ones. */
  private static final String FILE =
      """
      {
        'format': 'peerlens-rules', 'version': 1,
        'groups': [{'id': '11111111-1111-4111-8111-111111111111', 'name': 'Web', 'scope': {'tags': ['tier=web']}}],
        'thresholds': [{
          'id': '22222222-2222-4222-8222-222222222222', 'name': 'CPU',
          'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
          'scope': {'groups': ['11111111-1111-4111-8111-111111111111']},
          'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'gt',
            'levels': [{'severity': 'warning', 'bound': {'type': 'number', 'value': 90}}]}
        }]
      }
      """;

  private static PeerlensServer server;
  private static ApiClient api;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() {
    server = PeerlensServer.start(TestDatabase.migrated(), Set.of(Role.API));
    api = server.admin();
    jdbc = server.context().getBean(JdbcClient.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    jdbc.sql("delete from threshold").update();
    jdbc.sql("delete from object_group").update();
  }

  private static Answer upload(String file, String query) {
    return api.upload(
        "/rules/import" + query,
        "application/json",
        file.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode taken(String file, String query) {
    Answer answer = upload(file, query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** Each item as name:state:action. */
  private static List<String> items(JsonNode imported) {
    List<String> items = new ArrayList<>();
    imported
        .path("items")
        .forEach(
            item ->
                items.add(
                    item.path("name").asString()
                        + ":"
                        + item.path("state").asString()
                        + ":"
                        + item.path("action").asString()));
    return items;
  }

  @Test
  void aDryRunSaysWhatTheImportWillDo() {
    JsonNode dry = taken(FILE, "?dryRun=true");
    assertThat(items(dry)).containsExactly("Web:new:create", "CPU:new:create");
    assertThat(api.get("/thresholds").json().path("total").asInt()).isZero();
    JsonNode done = taken(FILE, "");
    assertThat(items(done)).isEqualTo(items(dry));
    assertThat(api.get("/thresholds/" + CPU).json().path("scope").path("groups").path(0).asString())
        .isEqualTo(GROUP);
    assertThat(items(taken(FILE, "?onConflict=overwrite")))
        .containsExactly("Web:same:skip", "CPU:same:skip");
  }

  /** Reading all for each item would come to a million rows, while no tick can be stored. */
  @Test
  void anImportReadsWhatIsStoredOnceAndNotForEachItem() {
    int items = 1_000;
    long before = rowsRead();
    StringBuilder file =
        new StringBuilder("{'format': 'peerlens-rules', 'version': 1, 'thresholds': [");
    for (int i = 0; i < items; i++) {
      file.append(i == 0 ? "" : ",")
          .append("{'name': 'T")
          .append(i)
          .append(
              "', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},"
                  + " 'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'gt',"
                  + " 'levels': [{'severity': 'warning', 'bound': {'type': 'number', 'value': 90}}]}}");
    }
    assertThat(taken(file.append("]}").toString(), "").path("created").asInt()).isEqualTo(items);
    // PostgreSQL counts what a transaction read and wrote together.
    await()
        .until(
            () ->
                jdbc.sql("select n_tup_ins from pg_stat_user_tables where relname = 'threshold'")
                        .query(Long.class)
                        .single()
                    >= items);
    assertThat(rowsRead() - before).isLessThan(50L * items);
  }

  private static long rowsRead() {
    return jdbc.sql(
            """
            select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables
            where relname = 'threshold'
            """)
        .query(Long.class)
        .single();
  }

  @Test
  void storedRulesAreKeptOrOverwrittenAsChosen() {
    taken(FILE, "");
    int version = api.get("/thresholds/" + CPU).json().path("version").asInt();
    String changed = FILE.replace("90", "80");
    JsonNode kept = taken(changed, "");
    assertThat(items(kept)).containsExactly("Web:same:skip", "CPU:changed:skip");
    assertThat(kept.path("items").path(1).path("changes").path(0).path("after").asString())
        .startsWith("80");
    assertThat(items(taken(changed, "?onConflict=overwrite")))
        .containsExactly("Web:same:skip", "CPU:changed:overwrite");
    Answer got = api.get("/thresholds/" + CPU);
    assertThat(got.json().path("version").asInt()).isEqualTo(version + 1);
    assertThat(
            got.json().path("condition").path("levels").path(0).path("bound").path("value").asInt())
        .isEqualTo(80);
  }

  @Test
  void aRuleStoredUnderAnotherIdKeepsItAndTheFileRefersToIt() {
    Answer stored =
        api.post("/groups", "{\"name\": \"Web\", \"scope\": {\"tags\": [\"tier=www\"]}}");
    String id = stored.json().path("id").asString();
    JsonNode done = taken(FILE, "?onConflict=overwrite");
    assertThat(items(done)).containsExactly("Web:changed:overwrite", "CPU:new:create");
    assertThat(done.path("items").path(0).path("id").asString()).isEqualTo(id);
    assertThat(api.get("/thresholds/" + CPU).json().path("scope").path("groups").path(0).asString())
        .isEqualTo(id);
    assertThat(api.get("/groups").json().path("total").asInt()).isEqualTo(1);
  }

  @Test
  void anIdAndANameOfTwoRulesAreAConflict() {
    taken(FILE, "");
    taken(FILE.replace("22222222", "33333333").replace("'CPU'", "'Other'"), "");
    assertThat(items(taken(FILE.replace("'CPU'", "'Other'"), "?onConflict=overwrite")))
        .containsExactly("Web:same:skip", "Other:conflict:skip");
  }

  @Test
  void anItemThatMakesNoSenseIsLeftOutAndSaysWhy() {
    JsonNode done = taken(FILE.replace("'gt'", "'contains'"), "");
    assertThat(items(done)).containsExactly("Web:new:create", "CPU:invalid:skip");
    assertThat(done.path("items").path(1).path("errors").path(0).path("field").asString())
        .isEqualTo("thresholds[0].condition.operator");
    done = taken(FILE.replace("'name': 'CPU',", "'name': 'CPU', 'colour': 'red',"), "?dryRun=true");
    assertThat(done.path("items").path(1).path("reason").asString())
        .contains("thresholds[0].colour", "is unknown");
    done = taken(FILE.replace("'name': 'CPU',", ""), "?dryRun=true");
    assertThat(items(done)).containsExactly("Web:same:skip", ":invalid:skip");
    done = taken(FILE.replace("'warning'", "'alarming'"), "?dryRun=true");
    assertThat(done.path("items").path(1).path("errors").path(0).path("field").asString())
        .isEqualTo("thresholds[0].condition.levels[0].severity");
  }

  @Test
  void aFileWithoutRulesIsRefused() {
    assertThat(upload("{'format': 'other'}", "").body()).contains("It is no file of rules");
    assertThat(upload("{'format': 'peerlens-rules', 'version': 2}", "").body())
        .contains("It is of version 2");
    assertThat(upload("{'format'", "").body()).contains("It is no JSON: line 1");
    Answer unknown = upload("{'format': 'peerlens-rules', 'version': 1, 'rules': []}", "");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.body()).contains("groups, thresholds");
  }

  @Test
  void anExportHoldsWhatItsRulesReferToAndImportsAsTheSame() {
    taken(FILE, "");
    taken(FILE.replace("22222222", "33333333").replace("'CPU'", "'Other'"), "");
    Answer one = api.get("/rules/export?id=" + CPU);
    assertThat(one.status()).as(one.body()).isEqualTo(200);
    assertThat(one.json().path("groups").size()).isEqualTo(1);
    assertThat(one.json().path("thresholds").size()).isEqualTo(1);
    Answer all = api.get("/rules/export");
    assertThat(all.json().path("thresholds").size()).isEqualTo(2);
    empty();
    taken(all.body(), "");
    assertThat(api.get("/rules/export").body()).isEqualTo(all.body());
    assertThat(items(taken(all.body(), "?onConflict=overwrite")))
        .allMatch(item -> item.endsWith(":same:skip"));
    assertThat(api.get("/rules/export?id=" + GROUP.replace('1', '9')).status()).isEqualTo(404);
  }

  @Test
  void packsAreInstalledWithTheirName() {
    Answer packs = api.get("/rules/packs");
    assertThat(packs.status()).as(packs.body()).isEqualTo(200);
    assertThat(packs.json().path("items").size()).isPositive();
    for (JsonNode pack : packs.json().path("items")) {
      String name = pack.path("name").asString();
      assertThat(pack.path("summary").asString()).as(name).isNotEmpty();
      assertThat(pack.path("installed").asInt()).isZero();
      Answer installed = api.post("/rules/packs/" + name + "/install", "");
      assertThat(installed.status()).as(installed.body()).isEqualTo(200);
      assertThat(installed.json().path("created").asInt())
          .as("%s: %s", name, installed.body())
          .isEqualTo(pack.path("rules").size());
    }
    assertThat(api.get("/thresholds?pack=vm-basics&limit=1000").json().path("total").asInt())
        .isGreaterThanOrEqualTo(2);
    for (JsonNode pack : api.get("/rules/packs").json().path("items")) {
      assertThat(pack.path("installed").asInt()).isEqualTo(pack.path("rules").size());
      pack.path("rules")
          .forEach(rule -> assertThat(rule.path("installed").asString()).isEqualTo("installed"));
    }
    assertThat(api.get("/rules/export?pack=vm-basics").json().path("thresholds").size())
        .isGreaterThanOrEqualTo(2);
    assertThat(api.post("/rules/packs/none/install", "").status()).isEqualTo(404);
  }
}
