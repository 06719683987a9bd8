package io.peerlens.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.flow.network.NetworksFile;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** The named networks by the API. */
class NetworksIT {

  private static final String YAML = "application/yaml";
  private static final String CSV = "text/csv";
  private static final String TWO =
      """
      # ours
      networks:
        - name: Web
          cidrs: [10.61.2.0/24, "fd00:61:2::/64"]
          internal: true
          vlan: 20
          site: Graz
          description: Web servers
        - {name: Partner, cidrs: [203.0.113.0/24]}
      """;

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final ApiClient API = SERVER.admin();
  private static final JdbcClient JDBC = SERVER.context().getBean(JdbcClient.class);

  @BeforeEach
  void nothingIsDefined() {
    JDBC.sql("delete from flow_networks_version").update();
  }

  private static Answer put(String ifMatch, String type, String text) {
    return API.with("If-Match", ifMatch)
        .sendFile("PUT", "/networks", type, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Answer preview(String type, String text) {
    return API.upload("/networks/preview", type, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void anExampleThatCanBeStoredIsGivenUntilSomethingIsDefined() {
    Answer nothing = API.get("/networks");
    assertThat(nothing.header("ETag")).isEqualTo("\"0\"");
    assertThat(nothing.json().path("items")).isEmpty();
    assertThat(nothing.json().has("changedAt")).isFalse();
    assertThat(nothing.json().path("internalRanges").valueStream().map(JsonNode::asString))
        .contains("10.0.0.0/8", "fc00::/7");

    Answer example = API.get("/networks/content");
    assertThat(example.header("Content-Type")).startsWith(YAML);
    assertThat(NetworksFile.parse(example.body(), NetworksFile.Format.YAML)).hasSize(3);
    assertThat(put("", YAML, example.body()).status()).isEqualTo(200);
  }

  @Test
  void aDefinitionIsStoredReadAndGivenBackAsItWasWritten() {
    Answer stored = put("", YAML, TWO);
    assertThat(stored.status()).isEqualTo(200);
    JsonNode web = stored.json().path("items").path(0);
    assertThat(web.path("name").asString()).isEqualTo("Web");
    assertThat(web.path("cidrs").valueStream().map(JsonNode::asString))
        .containsExactly("10.61.2.0/24", "fd00:61:2::/64");
    assertThat(web.path("internal").asBoolean()).isTrue();
    assertThat(web.path("vlan").asInt()).isEqualTo(20);
    assertThat(stored.json().path("items").path(1).path("internal").isNull()).isTrue();
    assertThat(stored.json().path("changedBy").asString()).isEqualTo("admin");
    Answer content = API.get("/networks/content");
    assertThat(content.body()).isEqualTo(TWO);
    assertThat(content.header("ETag")).isEqualTo(stored.header("ETag"));

    String csv = "name;cidrs;site\nWien;10.61.3.0/24 10.61.4.0/24;Wien\n";
    Answer other = put(stored.header("ETag"), CSV, csv);
    assertThat(other.json().path("format").asString()).isEqualTo("csv");
    assertThat(API.get("/networks/content").header("Content-Type")).startsWith(CSV);
    assertThat(API.get("/networks/content").body()).isEqualTo(csv);
    assertThat(
            JDBC.sql("select name from flow_network where name in ('Web', 'Partner', 'Wien')")
                .query(String.class)
                .list())
        .containsExactlyInAnyOrder("Web", "Partner", "Wien");
  }

  @Test
  void aChangeNeedsTheVersionItWasMadeFrom() {
    Answer first = put("", YAML, TWO);
    assertThat(put("", YAML, TWO).status()).isEqualTo(428);
    assertThat(put(first.header("ETag"), YAML, TWO.replace("Web", "Front")).status())
        .isEqualTo(200);
    Answer late = put(first.header("ETag"), YAML, TWO);
    assertThat(late.status()).isEqualTo(412);
    assertThat(late.json().path("detail").asString()).contains("admin");
    assertThat(API.get("/networks").json().path("items").path(0).path("name").asString())
        .isEqualTo("Front");
  }

  @Test
  void everyErrorIsNamedWithItsLineAndNothingIsStored() {
    String text =
        """
        networks:
          - name: Web
            cidrs: [10.61.2.0/33]
            vlan: 5000
          - name: Web
            cidrs: [10.61.2.0/24]
        """;
    Answer refused = put("", YAML, text);
    assertThat(refused.status()).isEqualTo(400);
    JsonNode problem = refused.json();
    assertThat(problem.path("code").asString()).isEqualTo("invalid-body");
    assertThat(problem.path("detail").asString()).startsWith("Line 3: ");
    assertThat(problem.path("errors").valueStream().map(e -> e.path("field").asString()))
        .containsExactly("line 3", "line 4", "line 5");
    assertThat(API.get("/networks").header("ETag")).isEqualTo("\"0\"");

    JsonNode preview = preview(YAML, text).json();
    assertThat(preview.path("mistakes").valueStream().map(e -> e.path("line").asInt()))
        .containsExactly(3, 4, 5);
    assertThat(preview.path("items")).isEmpty();

    byte[] latin = "name,cidrs\nB\u00fcro,10.61.2.0/24\n".getBytes(StandardCharsets.ISO_8859_1);
    Answer noUtf8 = API.sendFile("PUT", "/networks", CSV, latin);
    assertThat(noUtf8.status()).isEqualTo(400);
    assertThat(noUtf8.json().path("detail").asString()).contains("UTF-8");
    assertThat(put("", "application/json", "{}").status()).isEqualTo(415);
  }

  @Test
  void previewCountsTheAddressesOfTheLastDayThatChange() {
    int vm = object("VMWARE", "VirtualMachine", "networks-it-vm");
    int nobody = object("Peerlens", "IpAddress", "10.61.2.9");
    seen("10.61.2.7", vm, "0 hours");
    seen("10.61.2.9", nobody, "23 hours");
    seen("203.0.113.5", vm, "1 hour"); // of ours, hence internal unless a network says otherwise
    seen("10.61.2.8", vm, "25 hours");

    JsonNode web = preview(YAML, TWO).json();
    assertThat(web.path("renamed").asInt()).isEqualTo(3);
    assertThat(web.path("internalBefore").asInt()).isEqualTo(3);
    assertThat(web.path("internalAfter").asInt()).isEqualTo(3);

    assertThat(put("", YAML, TWO).status()).isEqualTo(200);
    JsonNode other =
        preview(CSV, "name,cidrs,internal\nWeb,10.61.2.0/24,\nPartner,203.0.113.0/24,false\n")
            .json();
    assertThat(other.path("renamed").asInt()).isZero();
    assertThat(other.path("internalAfter").asInt()).isEqualTo(2);
    assertThat(API.get("/networks").json().path("format").asString()).isEqualTo("yaml");
  }

  @Test
  void earlierDefinitionsAreListedWithWhatChangedAndComeBack() {
    Answer first = put("", YAML, TWO);
    Answer second = put(first.header("ETag"), YAML, TWO.replace("vlan: 20", "vlan: 21"));
    JsonNode page = API.get("/networks/history?limit=1").json();
    assertThat(page.path("total").asInt()).isEqualTo(2);
    JsonNode newest = page.path("items").path(0);
    assertThat(newest.path("by").asString()).isEqualTo("admin");
    assertThat(newest.path("networks").asInt()).isEqualTo(2);
    JsonNode change = newest.path("changes").path(0);
    assertThat(change.path("field").asString()).isEqualTo("text");
    assertThat(change.path("lines").valueStream().map(line -> line.path("text").asString().strip()))
        .contains("vlan: 20", "vlan: 21")
        .doesNotContain("description: Web servers");
    String next = page.path("nextCursor").asString();
    JsonNode last = API.get("/networks/history?limit=1&cursor=" + next).json();
    assertThat(last.path("nextCursor").isNull()).isTrue();
    assertThat(last.path("items").path(0).path("changes")).isEmpty();

    long version = last.path("items").path(0).path("version").asLong();
    String restore = "/networks/history/" + version + "/restore";
    assertThat(API.post(restore, "").status()).isEqualTo(428);
    Answer restored = API.with("If-Match", second.header("ETag")).post(restore, "");
    assertThat(restored.status()).isEqualTo(200);
    assertThat(restored.json().path("items").path(0).path("vlan").asInt()).isEqualTo(20);
    assertThat(restored.header("ETag")).isNotEqualTo(first.header("ETag"));
    assertThat(
            API.with("If-Match", restored.header("ETag"))
                .post("/networks/history/999999/restore", "")
                .status())
        .isEqualTo(404);
  }

  private static int object(String adapter, String kind, String name) {
    return JDBC.sql(
            """
            insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
            values (gen_random_uuid(), ?, ?, ?, ?, now(), now())
            returning id
            """)
        .params(List.of(adapter, kind, name, name))
        .query(Integer.class)
        .single();
  }

  private static void seen(String address, int object, String ago) {
    JDBC.sql(
            """
            insert into endpoint (address, object_id, internal, first_seen, last_seen)
            values (?::inet, ?, true, now() - interval '2 days', now() - ?::interval)
            """)
        .params(address, object, ago)
        .update();
  }
}
