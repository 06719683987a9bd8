package io.peerlens.notify.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.SampleData;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContextsIT {

  private static final Instant SINCE = Instant.parse("2026-11-21T09:57:00Z");
  private static final Instant OPENED = Instant.parse("2026-11-21T10:00:00Z");
  private static final Instant OVER = Instant.parse("2026-11-21T10:15:00Z");

  private SampleData data;
  private Contexts contexts;
  private int vm;

  @BeforeAll
  void objects() {
    data = SampleData.create();
    contexts = new Contexts(new ContextQueries(data.jdbc()), () -> "");
    vm = data.object("VMWARE", "VirtualMachine", "web-03");
  }

  @AfterAll
  void close() {
    data.close();
  }

  private UUID alert(String operator, double value, double bound, String upper) {
    UUID id = UUID.randomUUID();
    data.jdbc()
        .sql(
            """
            insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since, opened_at,
              updated_at, last_tick, openings, member_count, members, explanation, recommendations, member_print)
            values (:id, gen_random_uuid(), 'outlier-group', 'lab/web', :object, 'health', 3, 'new', :since, :opened, :opened, :opened,
              array[:opened::timestamptz], 1, cast(:members as jsonb), '{"text": "web-03 is too busy."}', '{}', 0)
            """)
        .param("id", id)
        .param("object", vm)
        .param("since", SampleData.time(SINCE))
        .param("opened", SampleData.time(OPENED))
        .param(
            "members",
            """
            [{"threshold": "00000000-0000-0000-0000-000000000001", "name": "lab/web", "object": %d, "instance": "",
              "key": "cpu|usage_average", "unit": "%%", "severity": 3, "value": %s, "operator": "%s", "bound": %s,
              "upper": %s, "since": "2026-11-21T09:57:00Z", "unknown": false}]
            """
                .formatted(vm, value, operator, bound, upper))
        .update();
    step(id, "opened", OPENED);
    return id;
  }

  private void step(UUID alert, String event, Instant at) {
    data.jdbc()
        .sql(
            """
            insert into alert_history (alert_id, at, event, severity, value, bound, upper, explanation)
            select id, :at, :event, severity, (members -> 0 ->> 'value')::float8, (members -> 0 ->> 'bound')::float8,
              (members -> 0 ->> 'upper')::float8, 'web-03 is too busy.' from alert where id = :id
            """)
        .param("id", alert)
        .param("event", event)
        .param("at", SampleData.time(at))
        .update();
  }

  private JsonNode seen(UUID alert, String event) {
    return contexts
        .preview(alert, EventType.valueOf(event), Wanted.NOTHING, OVER)
        .orElseThrow()
        .path("alert");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "outside | 42.1 | 5.349 | 11.57 | 11.57 | is 42.1 %, limit 11.57 % (5.349 % to 11.57 % is"
            + " accepted)",
        "outside | 1.5  | 5.349 | 11.57 | 5.349 | is 1.5 %, limit 5.349 % (5.349 % to 11.57 % is"
            + " accepted)",
        "outside | 8    | 5.349 | 11.57 |       | is 8 %, 5.349 % to 11.57 % is accepted",
        "gt-usual | 42.1 | 5.349 | 11.57 | 11.57 | is 42.1 %, limit 11.57 % (5.349 % to 11.57 % is"
            + " usual)",
        "inside  | 8    | 5     | 10    |       | is 8 %, 5 % to 10 % is not accepted",
        "gt      | 92.5 | 80    | null  | 80    | is 92.5 %, limit 80 %"
      })
  void aSymptomNamesTheEndThatWasCrossed(
      String operator, double value, double bound, String upper, Double crossed, String words) {
    JsonNode alert = seen(alert(operator, value, bound, upper), "NEW");

    JsonNode symptom = alert.path("symptoms").path(0);
    assertThat(symptom.path("message").asString()).isEqualTo("lab/web: CPU usage " + words);
    assertThat(alert.path("info")).isEqualTo(symptom.path("message"));
    assertThat(symptom.path("bound").isNull() ? null : symptom.path("bound").asDouble())
        .isEqualTo(crossed);
    assertThat(symptom.path("upper").isNull()).isEqualTo(upper.equals("null"));
  }

  @Test
  void aPropertyOfAPeerIsCalledByItsNameAndHasNoLimit() {
    UUID id = alert("ne", 0, 0, "null");
    data.sql(
        """
        update alert set members = jsonb_set(members, '{0}', members -> 0 || '{"text": "VMW_PSP_FIXED", "value": null,
          "key": "config|storageDevice|multipathInfo|multipathPolicy", "unit": null, "bound": null}')
        """);
    data.sql("update alert_history set text = 'VMW_PSP_FIXED', value = null, bound = null");

    JsonNode symptom = seen(id, "NEW").path("symptoms").path(0);
    assertThat(symptom.path("message").asString())
        .isEqualTo("lab/web: Multipath policy is VMW_PSP_FIXED");
    assertThat(symptom.path("bound").isNull()).isTrue();
  }

  @Test
  void theFirstValueAndTheOpeningAreTwoMoments() {
    JsonNode alert = seen(alert("outside", 42.1, 5.349, "11.57"), "NEW");

    assertThat(alert.path("since").asLong()).isEqualTo(SINCE.toEpochMilli());
    assertThat(alert.path("startTime").asLong()).isEqualTo(OPENED.toEpochMilli());
    assertThat(alert.path("duration").isNull()).isTrue();
    assertThat(alert.path("explanation").asString()).isEqualTo("web-03 is too busy.");
  }

  @ParameterizedTest
  @CsvSource({
    ",, VIRTUALIZATION, PERFORMANCE",
    "Virtualization/Hypervisor, Availability, VIRTUALIZATION, AVAILABILITY",
    "hardware (OSI), CONFIGURATION, HARDWARE, CONFIGURATION",
    "Power plant, Steam, Power plant, Steam"
  })
  void theTypeIsThatOfTheRuleAndElseFollowsFromTheObject(
      String type, String subType, String seenType, String seenSubType) {
    UUID id = alert("outside", 42.1, 5.349, "11.57");
    data.jdbc()
        .sql("update alert set type = ?, sub_type = ? where id = ?")
        .params(Arrays.asList(type, subType, id))
        .update();

    JsonNode alert = seen(id, "NEW");

    assertThat(alert.path("type").asString()).isEqualTo(seenType);
    assertThat(alert.path("subType").asString()).isEqualTo(seenSubType);
  }

  @Test
  void aSubjectSaysThatItIsAnOutlier() {
    JsonNode alert = seen(alert("outside", 42.1, 5.349, "11.57"), "NEW");

    assertThat(alert.path("name").asString()).isEqualTo("lab/web");
    assertThat(alert.path("title").asString()).isEqualTo("Outlier in lab/web");
  }

  @Test
  void aCanceledAlertIsExplainedInThePastTense() {
    UUID id = alert("outside", 42.1, 5.349, "11.57");
    int set =
        data.set(vm, data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average")), "");
    data.sample(OVER.minusSeconds(20), set, 8.1);
    data.jdbc()
        .sql(
            "update alert set status = 'canceled', canceled_at = ?, cancel_reason = 'cleared' where"
                + " id = ?")
        .param(SampleData.time(OVER))
        .param(id)
        .update();
    step(id, "canceled", OVER);

    JsonNode alert = seen(id, "CANCEL");

    assertThat(alert.path("info").asString())
        .isEqualTo(
            "lab/web: CPU usage was 42.1 %, limit 11.57 % (5.349 % to 11.57 % is accepted), now 8.1"
                + " %");
    assertThat(alert.path("explanation").asString())
        .isEqualTo(
            "It is over after 18 min, from 09:57 UTC to 10:15 UTC. While it lasted: web-03 is too"
                + " busy.");
    assertThat(alert.path("cancelReason").asString()).isEqualTo("cleared");
    assertThat(alert.path("duration").asLong()).isEqualTo(18 * 60_000L);
    assertThat(alert.path("symptoms").path(0).path("lastValue").asDouble()).isEqualTo(8.1);
  }
}
