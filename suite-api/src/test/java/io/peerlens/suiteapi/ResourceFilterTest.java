package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.suiteapi.ResourceFilter.Condition;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ResourceFilterTest {

  private static ResourceFilter body(String json) {
    return ResourceFilter.of(Given.of(JsonMapper.shared().readTree(json), ""));
  }

  private static ResourceFilter query(String text) {
    return ResourceFilter.of(Given.of(new Query(text)));
  }

  @Test
  void kindsAndNamesCountInWhateverCase() {
    ResourceFilter filter = query("resourceKind=Hostsystem&resourceKind=VIRTUALMACHINE&name=Web");
    assertThat(filter.resourceKinds()).containsExactly("hostsystem", "virtualmachine");
    assertThat(filter.names()).containsExactly("web");
    ResourceFilter ofKind = filter.ofKind("VMware", "Datastore");
    assertThat(ofKind.adapterKinds()).containsExactly("vmware");
    assertThat(ofKind.resourceKinds()).containsExactly("datastore");
    assertThat(ofKind.names()).containsExactly("web");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\": null, \"adapterKind\": [], \"propertyConditions\": null, \"currentOnly\": true}",
        "{\"statConditions\": {\"conjunctionOperator\": \"OR\", \"conditions\": []}}"
      })
  void nothingFiltersNothing(String json) {
    assertThat(body(json).isEmpty()).isTrue();
    assertThat(body(json).isPlain()).isTrue();
  }

  @Test
  void boundsOfAValueAreTwoConditionsThatBothHold() {
    ResourceFilter filter =
        query(
            "statKey=cpu%7Cusage_average&statKeyLowerBound=10&statKeyUpperBound=20.5&statKeyInclusive=false");
    assertThat(Objects.requireNonNull(filter.stats()).any()).isFalse();
    assertThat(filter.stats().all())
        .isEqualTo(
            List.of(
                new Condition("cpu|usage_average", "GT", 10.0, null),
                new Condition("cpu|usage_average", "LT", 20.5, null)));
    assertThat(filter.isPlain()).isFalse();
    assertThat(Objects.requireNonNull(query("statKey=a%7Cb").stats()).all())
        .containsExactly(new Condition("a|b", "EXISTS", null, null));
  }

  @Test
  void conditionsOfABodyAreCombinedAsItSays() {
    ResourceFilter filter =
        body(
            """
            {"propertyConditions": {"conjunctionOperator": "or", "conditions": [
              {"key": "a", "operator": "not_contains", "stringValue": "x"}, {"key": "b", "doubleValue": "3"}]}}
            """);
    assertThat(Objects.requireNonNull(filter.properties()).any()).isTrue();
    assertThat(filter.properties().all())
        .isEqualTo(
            List.of(
                new Condition("a", "NOT_CONTAINS", null, "x"),
                new Condition("b", "EQ", 3.0, null)));
    UUID instance = UUID.randomUUID();
    assertThat(filter.ofAdapter(instance).adapterInstances()).containsExactly(instance);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"resourceState\": [\"SLEEPING\"]}",
        "{\"resourceHealth\": \"PINK\"}",
        "{\"regex\": [\"(\"]}",
        "{\"resourceId\": [\"7\"]}",
        "{\"statConditions\": {\"conditions\": [{\"operator\": \"EQ\"}]}}",
        "{\"statConditions\": {\"conditions\": [{\"key\": \"a\", \"operator\": \"REGEX\"}]}}",
        """
        {"propertyName": "c", "propertyConditions": {"conjunctionOperator": "OR",
          "conditions": [{"key": "a"}, {"key": "b"}]}}"""
      })
  void whatMakesNoSenseIsRefused(String json) {
    assertThatThrownBy(() -> body(json))
        .isInstanceOfSatisfying(SuiteException.class, e -> assertThat(e.status()).isEqualTo(400));
  }
}
