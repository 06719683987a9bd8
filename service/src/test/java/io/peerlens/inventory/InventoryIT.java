package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** A small datacentre of adapter kind TEST on the shared server, asked through the API. */
class InventoryIT {

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final ApiClient API = SERVER.admin();
  private static final JdbcClient JDBC = SERVER.context().getBean(JdbcClient.class);

  @BeforeAll
  static void fill() {
    object("Datacenter", "Frankfurt", "{}", "{}", "1 min");
    object("ClusterComputeResource", "Cluster B", "{}", "{}", "1 min");
    object("HostSystem", "esx-11", "{}", "{}", "1 min");
    for (int i = 1; i <= 25; i++) {
      object(
          "VirtualMachine",
          "shop-web-%02d".formatted(i),
          "{\"guest\": \"rhel8_64Guest\", \"note\": \"a=b, \\\"quoted\\\"\"}",
          i % 2 == 0 ? "{\"tier\": \"web\", \"app\": \"shop\"}" : "{\"tier\": \"db\"}",
          i == 25 ? "20 min" : "14 min");
      relate("HostSystem", "esx-11", "VirtualMachine", "shop-web-%02d".formatted(i));
    }
    object("Datastore", "ds-1", "{}", "{}", "1 min");
    object("VirtualMachine", "50%_off", "{}", "{}", "1 min");
    object("VirtualMachine", "500_off", "{}", "{}", "1 min");
    object("Knot", "a", "{}", "{}", "1 min");
    object("Knot", "b", "{}", "{}", "1 min");
    relate("Datacenter", "Frankfurt", "ClusterComputeResource", "Cluster B");
    relate("ClusterComputeResource", "Cluster B", "HostSystem", "esx-11");
    relate("VirtualMachine", "shop-web-01", "Datastore", "ds-1");
    relate("VirtualMachine", "shop-web-02", "Datastore", "ds-1");
    relate("Datacenter", "Frankfurt", "Datastore", "ds-1");
    relate("Knot", "a", "Knot", "b");
    relate("Knot", "b", "Knot", "a");
    samples();
    changes();
    object("Sensor", "clock", "{}", "{}", "1 min");
    JDBC.sql("update object set adapter_kind = 'TEST-SENSOR' where object_kind = 'Sensor'")
        .update();
  }

  @Test
  void anObjectHasItsFactsAndItsPath() {
    JsonNode object = API.get("/objects/" + id("VirtualMachine", "shop-web-02")).json();
    assertThat(object.path("name").asString()).isEqualTo("shop-web-02");
    assertThat(object.path("externalId").asString()).isEqualTo("VirtualMachine/shop-web-02");
    assertThat(object.path("tags").path("app").asString()).isEqualTo("shop");
    assertThat(object.path("properties").path("note").asString()).isEqualTo("a=b, \"quoted\"");
    assertThat(object.path("state").asString()).isEqualTo("reporting");
    assertThat(texts(object.path("path"))).containsExactly("Frankfurt", "Cluster B", "esx-11");
  }

  @Test
  void aDatastoreLiesInItsDatacenterRatherThanInAMachine() {
    JsonNode object = API.get("/objects/" + id("Datastore", "ds-1")).json();
    assertThat(texts(object.path("path"))).containsExactly("Frankfurt");
  }

  @Test
  void anUnknownObjectIsNotFound() {
    String nobody = new UUID(0, 1).toString();
    for (String path : List.of("", "/parents", "/children", "/ancestors", "/metrics", "/changes")) {
      Answer answer = API.get("/objects/" + nobody + path);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.json().path("detail").asString()).contains(nobody);
    }
    assertThat(API.get("/objects/tree?parent=" + nobody).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # newest sample's age, last gap, gap before, delay, state
          4 min,    20,     20,     5,     reporting
          6 min,    20,     20,     5,     silent
          6 min,    20,     300,    5,     reporting
          6 min,    300,    20,     5,     reporting
          16 min,   300,    300,    5,     silent
          16 min,   300,    300,    600,   reporting
          26 min,   300,    300,    600,   silent
          100 min,  300,    300,    100000, silent
          70 hours, 86400,  86400,  5,     reporting
          73 hours, 86400,  86400,  5,     silent
          14 min,   -,      -,      -,     reporting
          16 min,   -,      -,      -,     silent
          20 min,   600,    -,      5,     reporting
          """)
  void silenceGoesByTheObjectsOwnInterval(
      String age,
      @Nullable Integer gap,
      @Nullable Integer before,
      @Nullable Integer delay,
      String state) {
    JDBC.sql(
            """
            update object_liveness l
            set last_seen = now() - ?::interval, gap_s = ?::int, gap_before_s = ?::int, delay_s = ?::int
            from object o where o.id = l.object_id and o.uuid = ?
            """)
        .params(Arrays.asList(age, gap, before, delay, uuid("Sensor", "clock")))
        .update();
    String path = "/objects?objectKind=Sensor&silent=";
    assertThat(items(API.get(path + "true"))).hasSize(state.equals("silent") ? 1 : 0);
    assertThat(items(API.get(path + "false"))).hasSize(state.equals("silent") ? 0 : 1);
    assertThat(API.get("/objects/" + uuid("Sensor", "clock")).json().path("state").asString())
        .isEqualTo(state);
    JsonNode kind = API.get("/adapter-kinds/TEST-SENSOR/object-kinds").json().path("items").get(0);
    assertThat(kind.path(state).asInt()).isEqualTo(1);
  }

  @Test
  void filtersNarrowAndAllMustHold() {
    assertThat(names("objectKind=virtualmachine&limit=1000")).hasSize(27);
    assertThat(names("objectKind=VirtualMachine,HostSystem&limit=1000")).hasSize(28);
    assertThat(names("name=WEB-1")).hasSize(10).allMatch(name -> name.startsWith("shop-web-1"));
    assertThat(names("tag=tier%3Dweb")).hasSize(12);
    assertThat(names("tag=tier%3Dweb&tag=app%3Dshop")).hasSize(12);
    assertThat(names("tag=tier%3Ddb&tag=app")).isEmpty();
    assertThat(names("tag=tier")).hasSize(25);
    assertThat(names("property=guest%3Drhel8_64Guest&name=web-01")).containsExactly("shop-web-01");
    assertThat(names("q=RHEL8%20web-03")).containsExactly("shop-web-03");
    assertThat(names("q=tier%20shop-web-03")).containsExactly("shop-web-03");
    assertThat(names("q=%22quoted%22%20web-03")).containsExactly("shop-web-03");
    assertThat(names("silent=true")).containsExactly("shop-web-25");
    assertThat(names("silent=false&objectKind=VirtualMachine")).hasSize(26);
    assertThat(names("parent=" + id("HostSystem", "esx-11"))).hasSize(25);
    assertThat(names("ancestor=" + id("Datacenter", "Frankfurt"))).hasSize(28);
    assertThat(names("ancestor=" + id("Knot", "a"))).containsExactlyInAnyOrder("a", "b");
    assertThat(names("parent=" + new UUID(0, 1))).isEmpty();
  }

  @Test
  void aNameWithAStarIsAPatternOfTheWholeNameAsInScopes() {
    assertThat(names("name=SHOP-web-0*")).hasSize(9);
    assertThat(names("name=*-02")).containsExactly("shop-web-02");
    assertThat(names("name=web*")).isEmpty();
    assertThat(names("name=shop*b-0*3")).containsExactly("shop-web-03");
    assertThat(names("name=50%25_*")).containsExactly("50%_off");
    assertThat(names("name=50_*")).isEmpty();
    assertThat(names("name=shop-web-0%3F")).isEmpty();
    assertThat(names("name=*&objectKind=Knot")).containsExactly("a", "b");
    JsonNode found =
        API.post("/objects/query", "{\"name\": \"esx-*\", \"adapterKind\": [\"TEST\"]}").json();
    assertThat(found.path("total").asInt()).isEqualTo(1);
  }

  @Test
  void aPatternOfManyStarsCostsNoMoreThanAShortOne() {
    String stars = "*a".repeat(99) + "*";
    assertThat(names("name=" + stars)).isEmpty();
    String body = "{\"name\": \"" + stars + "\", \"objectKind\": [\"Long\"]}";
    JDBC.sql(
            """
            insert into object (uuid, adapter_kind, object_kind, external_id, name, properties, tags, attributes_time, first_seen)
            select gen_random_uuid(), 'TEST-LONG', 'Long', 'long-' || i, repeat('a', 98) || repeat('b', 400), '{}', '{}', now(), now()
            from generate_series(1, 200) i
            """)
        .update();
    long begin = System.nanoTime();
    assertThat(API.post("/objects/query", body).json().path("total").asInt()).isZero();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void aPageOfObjectsIsGivenAsCsv() {
    Answer csv =
        API.with("Accept", "text/csv")
            .get("/objects?adapterKind=TEST&name=shop-web-0*&limit=2&withPath=true");
    assertThat(csv.status()).isEqualTo(200);
    assertThat(csv.header("Content-Type")).startsWith("text/csv");
    String[] lines = csv.body().split("\r\n");
    assertThat(lines).hasSize(3);
    assertThat(lines[0])
        .isEqualTo(
            "id,name,adapterKind,objectKind,externalId,state,firstSeen,lastSeen,path,tags,properties,removedAt");
    assertThat(lines[2])
        .startsWith(
            id("VirtualMachine", "shop-web-02")
                + ",shop-web-02,TEST,VirtualMachine,VirtualMachine/shop-web-02,reporting,")
        .contains(",\"[\"\"Frankfurt\"\",\"\"Cluster B\"\",\"\"esx-11\"\"]\",")
        .contains("\"\"tier\"\":\"\"web\"\"")
        .contains("rhel8_64Guest");
    assertThat(
            API.with("Accept", "text/csv")
                .post("/objects/query", "{\"adapterKind\": [\"TEST\"], \"limit\": 3}")
                .body()
                .lines())
        .hasSize(4);
  }

  @Test
  void onlyTheStarIsAWildcard() {
    assertThat(names("name=50%25_")).containsExactly("50%_off");
    assertThat(names("q=50%25_")).containsExactly("50%_off");
    assertThat(names("name=_web")).isEmpty();
  }

  @Test
  void aQueryInTheBodyKnowsIdsAndCommas() {
    String body =
        """
        {"ids": ["%s", "%s", "%s"], "sort": "-name", "limit": 2, "withPath": true}
        """
            .formatted(
                id("VirtualMachine", "shop-web-01"),
                id("VirtualMachine", "shop-web-02"),
                new UUID(0, 1));
    JsonNode page = API.post("/objects/query", body).json();
    assertThat(page.path("total").asInt()).isEqualTo(2);
    assertThat(page.path("nextCursor").isNull()).isTrue();
    assertThat(page.path("items").path(0).path("name").asString()).isEqualTo("shop-web-02");
    assertThat(texts(page.path("items").path(0).path("path"))).hasSize(3);
    String property = "{\"property\": [\"note=a=b, \\\"quoted\\\"\"]}";
    assertThat(API.post("/objects/query", property).json().path("total").asInt()).isEqualTo(25);
  }

  @Test
  void pagesNeitherRepeatNorMissObjectsWhileOthersComeAndGo() {
    for (String sort :
        List.of(
            "name",
            "-name",
            "objectKind",
            "-objectKind",
            "firstSeen",
            "-firstSeen",
            "lastSeen",
            "-lastSeen")) {
      List<String> whole = names("limit=1000&sort=" + sort);
      List<String> paged = new ArrayList<>();
      String cursor = null;
      do {
        JsonNode page = list("limit=7&sort=" + sort + (cursor == null ? "" : "&cursor=" + cursor));
        assertThat(page.path("total").asInt()).isEqualTo(whole.size());
        page.path("items").forEach(item -> paged.add(item.path("name").asString()));
        cursor = page.path("nextCursor").isNull() ? null : page.path("nextCursor").asString();
      } while (cursor != null);
      assertThat(paged).as(sort).isEqualTo(whole);
    }
    JsonNode first = list("objectKind=VirtualMachine&limit=5");
    object("VirtualMachine", "a-new-one", "{}", "{}", "1 min");
    JsonNode second =
        list("objectKind=VirtualMachine&limit=5&cursor=" + first.path("nextCursor").asString());
    JDBC.sql("delete from object where name = 'a-new-one'").update();
    assertThat(second.path("items").path(0).path("name").asString()).isEqualTo("shop-web-04");
  }

  @Test
  void aCursorOfOtherFiltersOrADamagedOneIsRefused() {
    String cursor = list("limit=3").path("nextCursor").asString();
    for (String wrong :
        List.of(
            "limit=3&name=web&cursor=" + cursor,
            "limit=3&sort=-name&cursor=" + cursor,
            "cursor=" + cursor.substring(1),
            "cursor=AAAA")) {
      Answer answer = API.get("/objects?" + wrong + "&adapterKind=TEST");
      assertThat(answer.status()).as(wrong).isEqualTo(400);
      assertThat(answer.json().path("code").asString()).isEqualTo("invalid-cursor");
    }
    assertThat(API.get("/objects?cursor=%00").json().path("code").asString())
        .isEqualTo("invalid-parameter");
  }

  @Test
  void relationsGoUpAndDown() {
    String host = id("HostSystem", "esx-11");
    assertThat(items(API.get("/objects/" + host + "/parents"))).containsExactly("Cluster B");
    assertThat(items(API.get("/objects/" + host + "/children?limit=1000"))).hasSize(25);
    assertThat(items(API.get("/objects/" + host + "/children?objectKind=Datastore"))).isEmpty();
    JsonNode ancestors =
        API.get("/objects/" + id("Datastore", "ds-1") + "/ancestors").json().path("items");
    List<String> found = new ArrayList<>();
    ancestors.forEach(
        a ->
            found.add(a.path("distance").asInt() + " " + a.path("object").path("name").asString()));
    assertThat(found)
        .containsExactly(
            "1 Frankfurt", "1 shop-web-01", "1 shop-web-02", "2 esx-11", "3 Cluster B");
    JsonNode knot = API.get("/objects/" + id("Knot", "a") + "/ancestors").json().path("items");
    assertThat(knot.size()).isEqualTo(1);
    assertThat(texts(API.get("/objects/" + id("Knot", "a")).json().path("path")))
        .containsExactly("b");
  }

  @Test
  void theTreeOpensLevelByLevel() {
    JsonNode roots = API.get("/objects/tree?limit=1000").json();
    List<String> names = new ArrayList<>();
    roots.path("items").forEach(n -> names.add(n.path("name").asString()));
    assertThat(names).contains("Frankfurt", "50%_off").doesNotContain("esx-11", "a");
    JsonNode level =
        API.get("/objects/tree?parent=" + id("Datacenter", "Frankfurt")).json().path("items");
    assertThat(level.size()).isEqualTo(2);
    assertThat(level.path(0).path("name").asString()).isEqualTo("Cluster B");
    assertThat(level.path(0).path("childCount").asInt()).isEqualTo(1);
    assertThat(level.path(1).path("objectKind").asString()).isEqualTo("Datastore");
    String host = "/objects/tree?limit=20&parent=" + id("HostSystem", "esx-11");
    JsonNode first = API.get(host).json();
    assertThat(first.path("total").asInt()).isEqualTo(25);
    JsonNode second = API.get(host + "&cursor=" + first.path("nextCursor").asString()).json();
    assertThat(second.path("items").size()).isEqualTo(5);
    assertThat(second.path("nextCursor").isNull()).isTrue();
  }

  @Test
  void metricsAreThoseTheObjectReported() {
    String path = "/objects/" + id("VirtualMachine", "shop-web-01") + "/metrics";
    JsonNode items = API.get(path).json().path("items");
    assertThat(keys(items))
        .containsExactly("cpu|usage_average", "net|usage_average", "net:vmnic0|usage_average");
    assertThat(items.path(0).path("unit").asString()).isEqualTo("%");
    assertThat(items.path(0).path("instance").isNull()).isTrue();
    assertThat(items.path(2).path("instance").asString()).isEqualTo("vmnic0");
    assertThat(items.path(2).path("unit").isNull()).isTrue();
    assertThat(items.path(0).has("newestValue")).isFalse();

    JsonNode newest = API.get(path + "?newest=true&group=cpu").json().path("items");
    assertThat(newest.size()).isEqualTo(1);
    assertThat(newest.path(0).path("newestValue").asDouble()).isEqualTo(71.5);
    assertThat(
            keys(
                API.get("/objects/" + id("VirtualMachine", "shop-web-02") + "/metrics")
                    .json()
                    .path("items")))
        .containsExactly("cpu|demand", "cpu|usage_average");
  }

  @Test
  void kindsAreCounted() {
    JsonNode kinds = API.get("/adapter-kinds/TEST/object-kinds").json().path("items");
    JsonNode machines =
        kinds
            .valueStream()
            .filter(k -> k.path("objectKind").asString().equals("VirtualMachine"))
            .findFirst()
            .orElseThrow();
    assertThat(machines.path("objects").asInt()).isEqualTo(27);
    assertThat(machines.path("reporting").asInt()).isEqualTo(26);
    assertThat(machines.path("silent").asInt()).isEqualTo(1);
    assertThat(machines.path("newestSampleAt").asString()).isNotEmpty();
    assertThat(API.get("/adapter-kinds").body()).contains("\"TEST\"");
    assertThat(API.get("/adapter-kinds/NONE/object-kinds").status()).isEqualTo(404);
    assertThat(API.get("/adapter-kinds/TEST/object-kinds/None/metrics").status()).isEqualTo(404);
  }

  @Test
  void metricsOfAKindSayWhetherTheyHaveInstances() {
    JsonNode items =
        API.get("/adapter-kinds/TEST/object-kinds/VirtualMachine/metrics").json().path("items");
    List<String> found = new ArrayList<>();
    items.forEach(
        m ->
            found.add(
                m.path("key").asString()
                    + (m.path("instanced").asBoolean() ? " instanced" : "")
                    + (m.path("aggregated").asBoolean() ? " aggregated" : "")));
    assertThat(found)
        .containsExactly(
            "cpu|demand aggregated",
            "cpu|usage_average aggregated",
            "net|usage_average instanced aggregated");
  }

  @Test
  void changesComeNewestFirst() {
    String machine = id("VirtualMachine", "shop-web-01");
    JsonNode page = API.get("/objects/" + machine + "/changes?limit=2").json();
    assertThat(page.path("total").asInt()).isEqualTo(3);
    assertThat(page.path("items").path(0).path("kind").asString()).isEqualTo("placement");
    assertThat(page.path("items").path(0).path("before").asString()).isEqualTo("esx-07");
    assertThat(page.path("items").path(0).path("object").path("name").asString())
        .isEqualTo("shop-web-01");
    String host = id("HostSystem", page.path("items").path(0).path("after").asString());
    assertThat(
            API.get("/objects/" + host + "/changes")
                .json()
                .path("items")
                .valueStream()
                .map(
                    change ->
                        change.path("kind").asString()
                            + " "
                            + change.path("object").path("name").asString()))
        .contains("placement shop-web-01");
    assertThat(API.get("/changes?object=" + host + "&kind=placement").json().path("total").asInt())
        .isZero();
    String cursor = page.path("nextCursor").asString();
    JsonNode rest = API.get("/objects/" + machine + "/changes?limit=2&cursor=" + cursor).json();
    assertThat(rest.path("items").size()).isEqualTo(1);
    assertThat(rest.path("items").path(0).path("kind").asString()).isEqualTo("new-object");
    assertThat(
            API.get("/changes?kind=tag,placement&object=" + machine).json().path("total").asInt())
        .isEqualTo(2);
    assertThat(
            API.get("/changes?object=" + machine + "&to=2001-01-01T00:00:00Z")
                .json()
                .path("total")
                .asInt())
        .isZero();
    Answer wrong = API.get("/changes?from=2001-01-02T00:00:00Z&to=2001-01-01T00:00:00Z");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().path("errors").path(0).path("field").asString()).isEqualTo("from");
  }

  // -----------------------------------------------------------------------------------------------

  private static JsonNode list(String filter) {
    Answer answer = API.get("/objects?adapterKind=test&" + filter);
    assertThat(answer.status()).as(filter + answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static List<String> names(String filter) {
    List<String> names = new ArrayList<>();
    list(filter).path("items").forEach(item -> names.add(item.path("name").asString()));
    return names;
  }

  private static List<String> items(Answer answer) {
    List<String> names = new ArrayList<>();
    answer.json().path("items").forEach(item -> names.add(item.path("name").asString()));
    return names;
  }

  private static List<String> keys(JsonNode items) {
    List<String> keys = new ArrayList<>();
    items.forEach(item -> keys.add(item.path("key").asString()));
    return keys;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(item -> texts.add(item.asString()));
    return texts;
  }

  private static UUID uuid(String kind, String name) {
    return UUID.nameUUIDFromBytes((kind + "/" + name).getBytes(StandardCharsets.UTF_8));
  }

  private static String id(String kind, String name) {
    return URLEncoder.encode(uuid(kind, name).toString(), StandardCharsets.UTF_8);
  }

  private static void object(
      String kind, String name, String properties, String tags, String seenAgo) {
    JDBC.sql(
            """
            with o as (
              insert into object (uuid, adapter_kind, object_kind, external_id, name, properties, tags,
                                  attributes_time, first_seen)
              values (?, 'TEST', ?, ?, ?, ?::jsonb, ?::jsonb, now(), now()) returning id)
            insert into object_liveness (object_id, last_seen) select id, now() - ?::interval from o
            """)
        .params(uuid(kind, name), kind, kind + "/" + name, name, properties, tags, seenAgo)
        .update();
  }

  private static void relate(String parentKind, String parent, String kind, String child) {
    JDBC.sql(
            """
            insert into relation (parent_id, child_id)
            select p.id, c.id from object p, object c where p.uuid = ? and c.uuid = ?
            """)
        .params(uuid(parentKind, parent), uuid(kind, child))
        .update();
  }

  private static void samples() {
    group("cpu", "{usage_average,demand}", "{%,MHz}");
    group("net", "{usage_average}", "{null}");
    sample("shop-web-01", "cpu", "", "2 min", "{70}");
    sample("shop-web-01", "cpu", "", "1 min", "{71.5}");
    sample("shop-web-01", "net", "", "1 min", "{3}");
    sample("shop-web-01", "net", "vmnic0", "1 min", "{3}");
    // Its newest row has one value, an older one the other.
    sample("shop-web-02", "cpu", "", "5 min", "{null,900}");
    sample("shop-web-02", "cpu", "", "1 min", "{12}");
  }

  private static void group(String name, String metrics, String units) {
    JDBC.sql(
            """
            insert into metric_group (adapter_kind, object_kind, name, metrics, units)
            values ('TEST', 'VirtualMachine', ?, ?::text[], ?::text[])
            """)
        .params(name, metrics, units)
        .update();
  }

  private static void sample(
      String machine, String group, String instance, String ago, String values) {
    JDBC.sql(
            """
            insert into metric_set (object_id, group_id, instance)
            select o.id, g.id, ? from object o, metric_group g
            where o.uuid = ? and g.name = ? and g.adapter_kind = 'TEST'
            on conflict do nothing
            """)
        .params(instance, uuid("VirtualMachine", machine), group)
        .update();
    JDBC.sql(
            """
            insert into sample (time, set_id, values)
            select now() - ?::interval, s.id, ?::float8[]
            from metric_set s join object o on o.id = s.object_id join metric_group g on g.id = s.group_id
            where o.uuid = ? and g.name = ? and s.instance = ?
            """)
        .params(ago, values, uuid("VirtualMachine", machine), group, instance)
        .update();
  }

  private static void changes() {
    String insert =
        """
        insert into object_change (time, object_id, kind, key, old_value, new_value)
        select now() - ?::interval, id, ?, nullif(?, ''), nullif(?, ''), ? from object where uuid = ?
        """;
    UUID machine = uuid("VirtualMachine", "shop-web-01");
    JDBC.sql(insert).params("3 min", "new", "", "", "shop-web-01", machine).update();
    JDBC.sql(insert).params("2 min", "tag", "tier", "web", "db", machine).update();
    JDBC.sql(insert)
        .params("2 min", "placement", "HostSystem", "esx-07", "esx-11", machine)
        .update();
  }
}
