package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class MessageTest {

  private static final JsonMapper JSON = JsonMapper.shared();

  @Test
  void aMessageSurvivesStoringAndReading() {
    List<Message> messages =
        List.of(
            new Message.Http(
                "PATCH",
                "/a?b=c",
                List.of(new Message.Header("X-A", "1")),
                "application/json",
                "{\"k\":\"" + SecretMarks.mark("pd-key") + "\"}",
                List.of("201", "2xx"),
                Map.of("id", "$.id")),
            new Message.Http("POST", "", List.of(), "text/plain", ""),
            new Message.Mail("s", "t", null, List.of(), false),
            new Message.Mail("s", "t", "<p>", List.of(), true)
                .with(new Message.Picture("iVBORw0=", "CPU of a")),
            new Message.Mail("s", "t", "<p>", List.of(), true)
                .with(new Message.Picture(null, "no time")),
            new Message.Mail("s", "t", "<p>", List.of(), false)
                .with(List.of(new Message.TextFile("a.csv", "text/csv", "ü,1\r\n"))),
            new Message.Mail("s", "t", "<img src=\"cid:p\">", List.of(), false)
                .carrying(
                    List.of(
                        new Message.Attachment("a.png", "image/png", "AAEC", "p"),
                        new Message.Attachment("a.pdf", "application/pdf", "AAEC", null))),
            new Message.Mail("s", "t\u2028", "<p>", List.of(new Message.Header("A", "b")), true),
            new Message.Trap(
                "1.3.6.1",
                List.of(
                    new Message.VarBind("1.3", Message.SyntaxType.OCTET_STRING, "ü\n"),
                    new Message.VarBind("1.4", Message.SyntaxType.TIME_TICKS, "1"))));

    for (Message message : messages) {
      assertThat(Message.fromJson(JSON.readTree(message.toJson().toString()))).isEqualTo(message);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"channel\": \"pigeon\"}",
        "{\"channel\": \"http\"}",
        "{\"channel\": \"trap\", \"trapOid\": \"1.3\", \"varBinds\": [{\"oid\": \"1.3\", \"type\": \"x\", \"value\": \"\"}]}",
      })
  void invalidMessagesAreRefused(String json) {
    assertThatThrownBy(() -> Message.fromJson(JSON.readTree(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no message");
  }

  @Test
  void theSuccessStatusesAreThoseOfTheTemplate() {
    Message.Http any = new Message.Http("POST", "", List.of(), "a/b", "");
    Message.Http some =
        new Message.Http("POST", "", List.of(), "a/b", "", List.of("201", "3xx"), Map.of());

    assertThat(any.succeeded(204)).isTrue();
    assertThat(any.succeeded(301)).isFalse();
    assertThat(some.succeeded(200)).isFalse();
    assertThat(some.succeeded(201)).isTrue();
    assertThat(some.succeeded(302)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, JSON",
    "application/cloudevents+json; charset=utf-8, JSON",
    "text/xml, XML",
    "application/soap+xml, XML",
    "application/x-www-form-urlencoded, FORM",
    "text/plain; charset=utf-8, NONE",
  })
  void secretsAreEscapedForTheirBody(String contentType, SecretMarks.Escape escape) {
    assertThat(new Message.Http("POST", "", List.of(), contentType, "").escape()).isEqualTo(escape);
  }

  @Test
  void secretsAreMarkedShownAsNamesAndResolved() {
    String text = "a " + SecretMarks.mark("pd-key") + " b " + SecretMarks.mark("x") + "\uE000";

    assertThat(SecretMarks.names(text)).containsExactly("pd-key", "x");
    assertThat(SecretMarks.show(text)).isEqualTo("a secret pd-key b secret x");
    assertThat(SecretMarks.resolve(text, SecretMarks.Escape.JSON, n -> n + "\"\n$1"))
        .isEqualTo("a pd-key\\\"\\n$1 b x\\\"\\n$1\uE000");
    assertThat(SecretMarks.resolve(SecretMarks.mark("x"), SecretMarks.Escape.XML, n -> "<&\""))
        .isEqualTo("&lt;&amp;&quot;");
    assertThat(SecretMarks.resolve(SecretMarks.mark("x"), SecretMarks.Escape.FORM, n -> "a b&ü"))
        .isEqualTo("a%20b%26%C3%BC");
    assertThat(SecretMarks.resolve(SecretMarks.mark("x"), SecretMarks.Escape.NONE, n -> "a\r\nb"))
        .isEqualTo("a  b");
  }

  @Test
  void valuesAreCapturedFromAnswers() {
    Map<String, String> capture =
        Map.of("id", "$.result.sys_id", "n", "/items/1/n~1o", "no", "$.nothing", "o", "$.result");

    assertThat(
            Capture.read(
                capture,
                "{\"result\":{\"sys_id\":\"9d\"},\"items\":[{},{\"n/o\":7}],\"nothing\":null}"))
        .containsOnly(Map.entry("id", "9d"), Map.entry("n", "7"));
    assertThat(Capture.read(Map.of("a", "$[0][\"b c\"]"), "[{\"b c\": true}]"))
        .containsOnly(Map.entry("a", "true"));
    assertThat(Capture.read(capture, "<html>")).isEmpty();
    assertThat(Capture.read(capture, "")).isEmpty();
    assertThat(Capture.read(Map.of("a", "$.a"), "{\"a\": \"" + "x".repeat(1001) + "\"}")).isEmpty();
  }

  @Test
  void lookupTablesAreRead() {
    LookupTable table =
        LookupTable.parse("\uFEFFname, owner\r\nvm-1,\"a \"\"b\"\", c\"\r\n\r\nvm-2,\nvm-1,late\n");

    assertThat(table.columns()).containsExactly("name", "owner");
    assertThat(table.rows()).hasSize(3);
    assertThat(table.find("name", "vm-1").number()).isEqualTo(2);
    assertThat(table.value(table.find("name", "vm-1"), "owner")).isEqualTo("a \"b\", c");
    assertThat(table.find("name", "vm-2").values()).containsExactly("vm-2", "");
    assertThat(table.find("name", "vm-3")).isNull();
    assertThat(table.find("nope", "vm-1")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "`` ~ row 1 is missing",
        "a,a ~ row 1 must give each column a name of its own",
        "a,b|1 ~ row 2 has 1 values, but there are 2 columns",
        "a,b|1,\"2 ~ row 2 has a quote that is never closed",
        "a,b|\"1\"x,2 ~ row 2 has text behind a closing quote",
      })
  void aWrongRowOfATableIsNamed(String csv, String message) {
    String text = csv == null ? "" : csv.replace('|', '\n');

    assertThatThrownBy(() -> LookupTable.parse(text)).hasMessageStartingWith(message);
  }
}
