package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.AlertRow;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists are read page by page while the item that a cursor names is deleted, renamed or expires:
 * what stays as it is comes exactly once, whatever happens to the others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListCursorsIT {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int ITEMS = 9;
  private static final int PAGE = 2;
  private static final int ROUNDS = 3;

  private static final Set<String> KEEP_THEIR_NAMES =
      Set.of("/notification-relays", "/notification-templates");

  private final Random random = new Random(19);
  private SampleData data;
  private PeerlensServer server;
  private ApiClient api;

  @BeforeAll
  void start() {
    data = SampleData.create();
    server = PeerlensServer.start(data.database(), Set.of(Role.API), PeerlensServer.SECRETS_KEY);
    api = server.admin();
  }

  @AfterAll
  void stop() {
    server.close();
    data.close();
  }

  @TestFactory
  Stream<DynamicTest> definitions() {
    return ContractDefinitions.paths().stream()
        .filter(this::isPaged)
        .map(path -> DynamicTest.dynamicTest(path, () -> rounds(path)));
  }

  /** Lists without pages give all there is. */
  private boolean isPaged(String path) {
    return ((Collection<?>)
            ((java.util.Map<?, ?>) ContractDefinitions.contract().get(path).get("get"))
                .get("parameters"))
        .toString()
        .contains("parameters/Cursor");
  }

  private void rounds(String path) {
    for (int round = 0; round < ROUNDS; round++) {
      Set<String> untouched = new HashSet<>();
      for (int i = 0; i < ITEMS; i++) {
        untouched.add(create(path, "item-%d-%d".formatted(round, i)));
      }
      List<String> seen = new ArrayList<>();
      String cursor = null;
      do {
        JsonNode page = page(path, cursor);
        page.path("items").forEach(item -> seen.add(item.path("id").asString()));
        cursor = page.path("nextCursor").asString(null);
        String last = seen.getLast();
        if (cursor != null && untouched.remove(last)) {
          trouble(path, last);
        }
      } while (cursor != null);
      assertThat(seen).as("%s, round %d", path, round).containsAll(untouched);
      assertThat(seen.stream().filter(untouched::contains)).doesNotHaveDuplicates();
    }
  }

  private JsonNode page(String path, @Nullable String cursor) {
    String query = "limit=" + PAGE;
    if (cursor != null) {
      query += "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
    }
    Answer answer = api.get(path + (path.contains("?") ? "&" : "?") + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private String create(String path, String name) {
    String example = ContractDefinitions.example(path);
    if (example.contains(ContractDefinitions.OTHER)) {
      String other =
          switch (path) {
            case "/alert-definitions" -> "/thresholds";
            case "/reports" -> "/dashboards";
            default -> "/notification-targets";
          };
      // A report needs a dashboard that its owner reads.
      String found =
          path.equals("/reports")
              ? create(other, "for " + name)
              : api.get(other + "?limit=1").json().at("/items/0/id").asString("");
      example =
          example.replace(
              ContractDefinitions.OTHER, found.isEmpty() ? create(other, "other") : found);
    }
    ObjectNode body = (ObjectNode) JSON.readTree(example);
    body.remove("id");
    ObjectNode named = ContractDefinitions.named(body);
    if (named.has("name")) {
      named.put("name", name);
    }
    if (body.has("document")) {
      ((ObjectNode) body.get("document")).put("id", name);
    }
    Answer created = api.post(path, body.toString());
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json().path("id").asString();
  }

  /** The item is deleted, renamed before all or behind all, or expires. */
  private void trouble(String path, String id) {
    String address = path + "/" + id;
    Answer read = api.get(address);
    if (path.equals("/silences")) {
      assertThat(api.post(address + "/expire", "").status()).isLessThan(300);
    } else if (random.nextInt(3) == 0 || KEEP_THEIR_NAMES.contains(path)) {
      assertThat(api.with("If-Match", read.header("ETag")).delete(address).status())
          .as(address)
          .isEqualTo(204);
    } else {
      ObjectNode body = (ObjectNode) read.json().deepCopy();
      ContractDefinitions.named(body)
          .put("name", (random.nextBoolean() ? "aaa-" : "zzz-") + id.substring(0, 8));
      Answer renamed = api.with("If-Match", read.header("ETag")).put(address, body.toString());
      assertThat(renamed.status()).as(renamed.body()).isEqualTo(200);
    }
  }

  /** What the service itself stores; an administrator, or retention, deletes the row. */
  @Test
  void objectsAlertsAndChangesWhoseRowIsGone() {
    List<UUID> objects = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      data.object("CURSORS", "VirtualMachine", "vm-" + i);
      objects.add(SampleData.uuid("VirtualMachine", "vm-" + i));
    }
    List<UUID> alerts = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      alerts.add(
          AlertRow.of(UUID.randomUUID(), objects.get(i))
              .severity(1 + i % 4)
              .opened(Instant.parse("2026-11-20T10:00:00Z").plusSeconds(i / 2))
              .insert(data));
      api.post(
          "/changes",
          "{\"object\": \"%s\", \"time\": \"%s\", \"title\": \"Patch %d\", \"sort\": \"patch\"}"
              .formatted(objects.get(i), Instant.now().minusSeconds(60 + i / 2), i));
    }
    walk("/changes", "object_change", "id", ITEMS);
    walk("/alerts", "alert", "id", ITEMS);
    data.sql("delete from object_change");
    walk("/objects?adapterKind=CURSORS", "object", "uuid", ITEMS);
  }

  private void walk(String path, String table, String column, int items) {
    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      JsonNode page = page(path, cursor);
      page.path("items").forEach(item -> seen.add(item.path("id").asString()));
      cursor = page.path("nextCursor").asString(null);
      data.jdbc()
          .sql("delete from %s where %s::text = ?".formatted(table, column))
          .param(seen.getLast())
          .update();
    } while (cursor != null);
    assertThat(seen).as(path).hasSize(items).doesNotHaveDuplicates();
  }
}
