package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AlertTemplateTest {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final JsonNode CONTEXT =
      JSON.readTree(
          """
          {"n": 7, "on": true, "s": "Größe", "none": null, "empty": "", "time": 1795219505250,
           "o": {"a b": {"c": 1}}, "list": [{"v": "x"}, {"v": 2}], "event": "NEW"}
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "${n}                         ~ 7",
        "${on}                        ~ true",
        "${o}                         ~ {\"a b\":{\"c\":1}}",
        "${o[\"a b\"].c}              ~ 1",
        "${missing.deep}              ~ null",
        "${n.deeper}                  ~ null",
        "n is ${n}, ${none}${missing} ~ \"n is 7, \"",
        "${list} in text              ~ \"[{\\\"v\\\":\\\"x\\\"},{\\\"v\\\":2}] in text\"",
        "costs $5, $${n} {n}          ~ \"costs $5, ${n} {n}\"",
        "${s | upper}                 ~ \"GRÖSSE\"",
        "${s|lower|truncate: 3}       ~ \"gr…\"",
        "${s | truncate: 5}           ~ \"Größe\"",
        "${empty | default: a b}      ~ \"a b\"",
        "${n | default: x}            ~ 7",
        "${time | iso8601}            ~ \"2026-11-21T00:05:05.250Z\"",
        "${none | iso8601}            ~ null",
      })
  void valuesAreInsertedIntoTexts(String text, String wanted) {
    assertThat(render(JSON.writeValueAsString(text))).isEqualTo(wanted);
  }

  @Test
  void eachRepeatsForEveryElement() {
    assertThat(render("{$each: list, $as: i, $do: {$each: list, $as: j, $do: '${i.v}${j.v}'}}"))
        .isEqualTo("[[\"xx\",\"x2\"],[\"2x\",\"22\"]]");
    assertThat(render("{$each: missing, $as: i, $do: 1}")).isEqualTo("[]");
  }

  @Test
  void switchChoosesByValueAndLeavesThePlaceOutWithoutAMatch() {
    assertThat(render("{a: {$switch: event, NEW: 1, OLD: 2}, b: {$switch: event, OLD: 2}}"))
        .isEqualTo("{\"a\":1}");
    assertThat(render("[{$switch: event, OLD: 2, $default: '${n}'}, {$switch: missing, X: 1}]"))
        .isEqualTo("[7]");
  }

  @Test
  void placeholdersInValuesAreNotResolved() {
    AlertTemplate template = template("'${a} and ${a}'");

    assertThat(body(template, JSON.readTree("{\"a\": \"${a}\"}"))).isEqualTo("\"${a} and ${a}\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'${a b}'",
        "'${}'",
        "'${a'",
        "'${a | shout}'",
        "'${a | truncate}'",
        "'${a | truncate: 0}'",
        "'${a | upper: x}'",
        "'${a | default}'",
        "'${.a}'",
        "{$unless: a}",
        "{$each: a, $as: 'b c', $do: 1}",
        "{$each: a, $do: 1}",
        "{$each: a, $as: b, $do: 1, more: 1}",
        "{$switch: '', A: 1}",
      })
  void anInvalidTemplateIsRefusedWithThePlaceOfTheError(String mistake) {
    assertThatThrownBy(() -> template("{x: [1, " + mistake + "]}"))
        .isInstanceOf(TemplateException.class)
        .hasMessageStartingWith("/render/body/x/1");
  }

  @Test
  void templatesOfExcessiveDepthOrSizeAreRefused() {
    assertThatThrownBy(() -> template("[".repeat(40) + "]".repeat(40)))
        .hasMessageContaining("levels deep");
    JsonNode wide = JSON.valueToTree(Map.of("list", new int[200]));
    AlertTemplate template = template("{$each: list, $as: i, $do: {$each: list, $as: j, $do: x}}");
    assertThatThrownBy(() -> template.render(wide))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("more than 10000 values");
  }

  @Test
  void anUnsuitableValueIsNamed() {
    assertThatThrownBy(() -> render("'${s | iso8601}'"))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("${s}: a date needs milliseconds");
    assertThatThrownBy(() -> render("{$each: s, $as: i, $do: 1}"))
        .hasMessageContaining("neither an array nor an object");
    assertThatThrownBy(() -> render("{$switch: event, OLD: 1}"))
        .hasMessageContaining("nothing to send");
  }

  @Test
  void filesThatAreNoTemplatesAreRefused() {
    assertThatThrownBy(() -> AlertTemplate.parse("a: ["))
        .hasMessageStartingWith("not YAML in line");
    assertThatThrownBy(() -> AlertTemplate.parse("a: 1\na: 2"))
        .isInstanceOf(TemplateException.class);
    assertThatThrownBy(() -> AlertTemplate.parse("apiVersion: alert-templates/v9"))
        .hasMessageContaining("only 'alert-templates/v1' is known");
  }

  private static String render(String body) {
    return body(template(body), CONTEXT);
  }

  private static String body(AlertTemplate template, JsonNode context) {
    return ((Message.Http) template.render(context)).body();
  }

  private static AlertTemplate template(String body) {
    return AlertTemplate.parse(
        "apiVersion: alert-templates/v1\nid: x\nversion: 1.0.0\ndescription: x\nrender:\n  format: json\n  body: "
            + body
            + "\n");
  }
}
