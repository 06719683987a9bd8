package io.peerlens.notify.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.SilenceEdit;
import io.peerlens.definition.Definitions;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SilenceTest {

  private static final UUID OBJECT = UUID.fromString("0c2e6c1e-58a3-5a75-8a3e-51f0c5a0d2b9");

  private static final JsonNode CONTEXT =
      JsonMapper.shared()
          .readTree(
              """
              {"event": "NEW", "alert": {"criticality": "WARNING", "number": 7},
               "object": {"id": "0c2e6c1e-58a3-5a75-8a3e-51f0c5a0d2b9", "tags": {"env": "lab", "app name": "shop"}}}
              """);

  private static Silence silence(String more) {
    return SilenceReader.read(
        new UUID(0, 1),
        "",
        Definitions.of(
            JsonMapper.shared()
                .readTree(
                    "{\"comment\": \"x\", \"from\": \"2026-11-21T10:00:00Z\", \"to\":"
                        + " \"2026-11-21T12:00:00Z\", "
                        + more.replace('\'', '"')
                        + "}"),
            SilenceEdit.class));
  }

  private static boolean covers(String more) {
    return silence(more).covers(CONTEXT, (scope, object) -> object.equals(OBJECT));
  }

  @ParameterizedTest
  @CsvSource({
    "object.tags.env, equals, lab, true",
    "object.tags.env, equals, la, false",
    "object.tags.env, not-equals, lab, false",
    "object.tags.env, matches, l.b, true",
    "object.tags.env, matches, l, false",
    "object.tags.env, not-matches, l, true",
    "object.tags.none, equals, '', true",
    "object.tags.none, not-equals, lab, true",
    "alert.number, equals, 7, true",
    "object.tags, equals, '', true"
  })
  void matchersCompareWholeValues(String path, String operator, String value, boolean covers) {
    assertThat(
            covers(
                "'matchers': [{'path': '%s', 'operator': '%s', 'value': '%s'}]"
                    .formatted(path, operator, value)))
        .isEqualTo(covers);
  }

  @Test
  void allThatIsGivenMustHold() {
    String lab = "'matchers': [{'path': 'object.tags.env', 'operator': 'equals', 'value': 'lab'}]";
    assertThat(covers(lab + ", 'when': 'alert.criticality == \\\"WARNING\\\"'")).isTrue();
    assertThat(covers(lab + ", 'when': 'alert.criticality == \\\"CRITICAL\\\"'")).isFalse();
    assertThat(covers(lab + ", 'scope': {'tags': ['env=lab']}")).isTrue();
    assertThat(silence("'scope': {'tags': ['env=lab']}").covers(CONTEXT, (scope, object) -> false))
        .isFalse();
  }

  @Test
  void aSilenceOfSomeAlertsIsAboutNoOther() {
    JsonNode context =
        JsonMapper.shared()
            .readTree("{\"alert\": {\"id\": \"00000000-0000-0000-0000-00000000000a\"}}");
    Silence these =
        silence(
            "'alerts': ['00000000-0000-0000-0000-00000000000A',"
                + " '00000000-0000-0000-0000-00000000000b']");
    Silence others = silence("'alerts': ['00000000-0000-0000-0000-00000000000c']");
    Silence never = silence("'alerts': ['00000000-0000-0000-0000-00000000000a'], 'when': 'false'");
    assertThat(these.covers(context, (scope, object) -> false)).isTrue();
    assertThat(others.covers(context, (scope, object) -> false)).isFalse();
    assertThat(never.covers(context, (scope, object) -> false)).isFalse();
  }

  @Test
  void anAlertWithoutAnObjectIsInNoScope() {
    JsonNode context = JsonMapper.shared().readTree("{\"object\": null}");
    assertThat(silence("'scope': {'tags': ['env=lab']}").covers(context, (scope, object) -> true))
        .isFalse();
  }

  @Test
  void aSilenceIsActiveFromItsStartToItsEnd() {
    Silence silence = silence("'when': 'true'");
    assertThat(silence.isActive(Instant.parse("2026-11-21T09:59:59.999Z"))).isFalse();
    assertThat(silence.isActive(Instant.parse("2026-11-21T10:00:00Z"))).isTrue();
    assertThat(silence.isActive(Instant.parse("2026-11-21T11:59:59.999Z"))).isTrue();
    assertThat(silence.isActive(Instant.parse("2026-11-21T12:00:00Z"))).isFalse();
  }
}
