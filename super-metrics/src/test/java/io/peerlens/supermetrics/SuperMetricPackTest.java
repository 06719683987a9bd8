package io.peerlens.supermetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SuperMetricPackTest {

  private static final String ID = "3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01";

  @Test
  void readsEveryFieldOfTheNewestLayout() {
    SuperMetricPack pack =
        parse(
            """
            {"3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01": {
               "resourceKinds": [{"resourceKindKey": "HostSystem", "adapterKindKey": "VMWARE"}],
               "modificationTime": 1795219200000, "name": "Half", "formula": "${this,\\n metric=a|b} / 2 ",
               "description": "half of it", "unitId": "gb", "modifiedBy": "", "later": [1]}}
            """);

    assertThat(pack.superMetrics())
        .containsExactly(
            new SuperMetric(
                UUID.fromString(ID),
                "Half",
                "${this,\n metric=a|b} / 2 ",
                "half of it",
                "gb",
                List.of(new ResourceKind("VMWARE", "HostSystem")),
                Instant.parse("2026-11-21T00:00:00Z")));
    assertThat(pack.superMetrics().getFirst().metricKey()).isEqualTo("Super Metric|sm_" + ID);
  }

  @Test
  void readsAFileOfBefore8Point1WithoutDescriptionUnitAndAuthor() {
    SuperMetric old =
        parse("{\"" + ID + "\":{\"resourceKinds\":[],\"name\":\"n\",\"formula\":\"1\"}}")
            .superMetrics()
            .getFirst();

    assertThat(old.description()).isEmpty();
    assertThat(old.unit()).isEmpty();
    assertThat(old.modified()).isNull();
    assertThat(old.resourceKinds()).isEmpty();
  }

  @Test
  void takesTheUnitNoneAndTheTimeZeroAsNothing() {
    SuperMetric it =
        parse(
                "{\""
                    + ID
                    + "\":{\"resourceKinds\":[],\"name\":\"n\",\"formula\":\"1\",\"unitId\":\"none\",\"modificationTime\":0}}")
            .superMetrics()
            .getFirst();

    assertThat(it.unit()).isEmpty();
    assertThat(it.modified()).isNull();
  }

  @Test
  void namesEveryMistakeWithItsPlace() {
    assertThatThrownBy(
            () ->
                parse(
                    """
                    {"1-2-3-4-5": {"resourceKinds": [], "name": "n", "formula": "1"},
                     "3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01":
                       {"resourceKinds": [{"resourceKindKey": "HostSystem"}], "name": " ", "formula": 1,
                        "modificationTime": "yesterday"}}
                    """))
        .isInstanceOf(PackException.class)
        .hasMessageContainingAll(
            "test.json: 1-2-3-4-5: the member's name must be a uuid",
            "test.json: " + ID + ": name must be",
            ID + ": formula must be",
            ID + ": each of resourceKinds must have",
            ID + ": modificationTime must be");
  }

  @Test
  void saysLineAndColumnOfBrokenJson() {
    assertThatThrownBy(() -> parse("{\n  \"a\": }"))
        .isInstanceOf(PackException.class)
        .hasMessageStartingWith("test.json: not JSON, line 2, column");
  }

  @Test
  void refusesAnIdThatIsThereTwice() {
    String one = "\"" + ID + "\":{\"resourceKinds\":[],\"name\":\"n\",\"formula\":\"1\"}";

    assertThatThrownBy(() -> parse("{" + one + "," + one + "}"))
        .isInstanceOf(PackException.class)
        .hasMessageContaining(ID);
  }

  @Test
  void refusesAListOfSuperMetrics() {
    assertThatThrownBy(() -> parse("[]"))
        .isInstanceOf(PackException.class)
        .hasMessageContaining("must hold one object");
  }

  private static SuperMetricPack parse(String json) {
    return SuperMetricPack.parse("test.json", json.getBytes(StandardCharsets.UTF_8));
  }
}
