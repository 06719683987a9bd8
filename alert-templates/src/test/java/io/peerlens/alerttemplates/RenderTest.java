package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Formats, filters, delivery, bounds, and what must not be possible. */
class RenderTest {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final JsonNode NEW = BuiltInTemplates.contexts().get("new");
  private static final JsonNode HOSTILE = BuiltInTemplates.contexts().get("hostile");

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "${object.metrics[\"cpu|usage_average\"] | round: 0} ~ 93",
        "${alert.health} ~ 3.0",
        "is ${alert.health} ~ \"is 3\"",
        "${alert.startTime | date: dd.MM.yyyy HH:mm in Europe/Berlin} ~ \"21.11.2026 01:05\"",
        "${alert.startTime | iso8601: Europe/Berlin} ~ \"2026-11-21T01:05:00+01:00\"",
        "${now | seconds} ~ 1795219505.25",
        "${alert.startTime | seconds} ~ 1795219500",
        "${object.superMetrics[\"Cluster headroom\"] | number: 0.00} ~ \"12.35\"",
        "${alert.number | number: #,##0} ~ \"20,418\"",
        "${alert.number | duration} ~ \"20 s\"",
        "${alert.recommendations | join: \"; \" | truncate: 20} ~ \"Compare its session…\"",
        "${alert.symptoms | pluck: value | json} ~ \"[92.5,92.5]\"",
        "${alert.symptoms[1].message} ~ \"the same in 5 of 5 intervals\"",
        "${alert.symptoms | first | pluck: metric} ~ \"cpu|usage_average\"",
        "${alert.recommendations | last | upper | truncate: 4} ~ \"LOO…\"",
        "${alert.recommendations | size} ~ 2",
        "${alert.recommendations | take: 1} ~ [\"Compare its sessions with those of its peers\"]",
        "${alert.owner | prefix: \"by \"}${object.name | suffix: \"!\"} ~ \"shop-web-03!\"",
        "${alert.number | string} ~ \"20418\"",
        "${ALERT_CRITICALITY}/${RESOURCE_NAME}/${HEALTH} ~ \"IMMEDIATE/shop-web-03/\"",
        "${criticality} ~ \"ALERT_CRITICALITY_LEVEL_IMMEDIATE\"",
        "${secret:pd-key} ~ \"\uE000pd-key\uE001\"",
      })
  void placeholdersAreReplacedByValues(String text, String wanted) {
    assertThat(json(JSON.writeValueAsString(text), NEW)).isEqualTo(wanted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE_TIME",
        "UPDATE_TIME",
        "ALERT_ID",
        "ALERT_STATUS",
        "ALERT_DEFINITION",
        "ALERT_DEFINITION_DESCRIPTION",
        "ALERT_RECOMMENDATIONS",
        "RESOURCE_NAME",
        "RESOURCE_KIND",
        "RESOURCE_ID",
        "ADAPTER_KIND",
        "RESOURCE_KIND_TYPE",
        "ALERT_IMPACT",
        "CONTROL_STATE",
        "ALERT_CRITICALITY",
        "ALERT_TYPE",
        "ALERT_SUBTYPE",
        "OBJECT_HEALTH_STATE",
        "OBJECT_RISK_STATE",
        "OBJECT_EFFICIENCY_STATE",
        "SYMPTOMS",
        "ADAPTER_INSTANCE",
        "LINK_TO_ALERT",
        "CANCEL_TIME",
        "alertId",
        "alertName",
        "status",
        "criticality",
        "type",
        "subType",
        "startDate",
        "updateDate",
        "cancelDate",
        "resourceId",
        "resourceName",
        "resourceKind",
        "adapterKind",
        "Health",
        "Risk",
        "Efficiency",
        "info"
      })
  void theVariablesOfVropsAreResolved(String name) {
    JsonNode cancel = BuiltInTemplates.contexts().get("cancel");

    assertThat(json("\"${" + name + "}\"", cancel)).isNotIn("null", "\"\"");
    assertThat(Aliases.variables().size()).isEqualTo(24);
  }

  @Test
  void ifSwitchAndEachAreRendered() {
    assertThat(
            json(
                """
                {a: {$if: 'event == "NEW"', x: 1}, b: {$if: 'event == "CANCEL"', x: 1},
                 c: {$if: 'object.tags.none == "x"', $then: 1, $else: 2},
                 d: {$each: object.tags, $as: t, $do: "${t.name}=${t.value}"},
                 e: {$json: {q: "${alert.number}"}}, $$schema: s,
                 f: {$each: alert.symptoms, $as: s, $do: {$if: s.value > 0 && s.bound != null, m: "${s.bound}"}},
                 g: {$text: "{{#alert.symptoms}}{{message}},{{/alert.symptoms}}", $max: 9}}
                """,
                NEW))
        .isEqualTo(
            "{\"a\":{\"x\":1},\"c\":2,\"d\":[\"app=shop\",\"owner=team-shop\",\"tier=web\"],"
                + "\"e\":\"{\\\"q\\\":20418}\",\"$schema\":\"s\",\"f\":[{\"m\":\"24 to 38\"}],"
                + "\"g\":\"cpu|usag…\"}");
  }

  @Test
  void valuesCannotBreakXml() {
    Message.Http message =
        http(
            """
            format: xml
            body:
              'a:alert':
                '@xmlns:a': urn:a
                '@name': '${alert.name}'
                '#text': ']]> ${alert.name}'
                tags: '${object.tags}'
                one: {$each: alert.recommendations, $as: r, $do: '${r}'}
                none: '${alert.none}'
            """,
            HOSTILE);

    assertThat(message.contentType()).isEqualTo("application/xml");
    var root = Receivers.xml(message.body()).getDocumentElement();
    assertThat(root.getAttribute("name")).contains("\r\n.\r\nBcc").contains("<!channel>");
    assertThat(root.getElementsByTagName("one").getLength()).isEqualTo(5);
    assertThat(root.getElementsByTagName("none").getLength()).isEqualTo(1);
    assertThat(root.getElementsByTagName("a.b_c").item(0).getTextContent()).isEqualTo("x");
    assertThat(message.body()).doesNotContain("<!DOCTYPE", "<!ENTITY");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{a: 1, b: 2} ~ one outermost element",
        "{a: [1, 2]} ~ one outermost element",
        "{'1a': 1} ~ no name of XML",
        "{a: {'b c': 1}} ~ no name of XML",
        "{a: {'!DOCTYPE': 1}} ~ no name of XML",
      })
  void treesThatAreNoXmlAreRefused(String body, String message) {
    assertThatThrownBy(() -> http("format: xml\nbody: " + body, NEW))
        .hasMessageStartingWith("/render/body")
        .hasMessageContaining(message);
  }

  @Test
  void markupInValuesIsEscaped() {
    ObjectNode context = (ObjectNode) NEW.deepCopy();
    String xxe = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><x>&e;</x>";
    ((ObjectNode) context.path("alert")).put("name", xxe);

    for (String format :
        List.of(
            "format: xml\nbody: {a: '${alert.name}'}",
            "format: text\nescape: xml\nbody: '<a>{{alert.name}}</a>'")) {
      var root = Receivers.xml(http(format, context).body()).getDocumentElement();
      assertThat(root.getTextContent()).isEqualTo(xxe);
    }
  }

  @Test
  void aTemplateNeedsTheMemberFieldsThatItNames() {
    Needs needs =
        template(
                "format: json\nbody: {$each: group.alerts, $as: a, $do: '${a.object.tags.owner}'}",
                "")
            .needs();
    Needs sections =
        template(
                "format: text\nbody: '{{#group.alerts}}{{object.tags.owner}}{{/group.alerts}}'", "")
            .needs();

    assertThat(needs.tags().names()).containsExactly("owner");
    assertThat(needs.tags().all()).isFalse();
    assertThat(needs.metrics().isEmpty()).isTrue();
    assertThat(sections).isEqualTo(needs);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{{#object}}{{name}}{{tags.owner}}{{/object}} ~ owner",
        "{{#object.tags}}{{owner}}{{/object.tags}} ~ owner",
        "{{#object.tags.owner}}x{{/object.tags.owner}} ~ owner",
        "{{#alert.symptoms}}{{object.tags.owner}}{{/alert.symptoms}} ~ owner",
        "{{#alert.symptoms}}${object.tags.owner}{{/alert.symptoms}} ~ owner",
        "{{alert.name}}{{#object}}{{kind}}{{/object}}{{^object}}none{{/object}} ~ ``",
      })
  void aTemplateNeedsTheFieldsThatItsSectionsName(String text, String tag) {
    Needs needs = template("format: text\nbody: '" + text + "'", "").needs();

    assertThat(needs.tags().all()).isFalse();
    assertThat(String.join(",", needs.tags().names())).isEqualTo(tag);
    assertThat(needs.metrics().isEmpty()).isTrue();
  }

  @Test
  void formsAreRendered() {
    assertThat(
            http(
                    """
                    format: form
                    body: {text: '${alert.info} & ü', tag: [a, '${event}'], no: '${alert.owner}', o: {x: 1}, k: '${secret:k}'}
                    """,
                    NEW)
                .body())
        .isEqualTo(
            "text=CPU%20use%20is%2092.5%20%25%2C%20peers%20are%20between%2024%20and%2038%20%25"
                + "%20%26%20%C3%BC&tag=a&tag=NEW&o=%7B%22x%22%3A1%7D&k=\uE000k\uE001");
  }

  @Test
  void textsWithSectionsAreRendered() {
    String text =
        http(
                """
                format: text
                body: |
                  {{alert.name}} (${alert.number}) {{nothing}}{{alert.nothing.deeper}}
                  {{#alert.symptoms}}
                  - {{message}} on {{objectName}}, {{event}}{{^-last}},{{/-last}}
                  {{/alert.symptoms}}
                  {{^alert.owner}}nobody{{/alert.owner}}{{#object}}{{name}}{{#tags}}/{{tier}}{{/tags}}{{/object}}
                  {{#alert.recommendations}}* {{.}}{{/alert.recommendations}}
                """,
                NEW)
            .body();

    assertThat(text)
        .isEqualTo(
            """
            CPU use differs from its peers (20418)\s
            - cpu|usage_average is 92.5 %, peers are between 24 and 38 % on shop-web-03, NEW,
            - the same in 5 of 5 intervals on shop-web-03, NEW
            nobodyshop-web-03/web
            * Compare its sessions with those of its peers* Look for a process that its peers do not run
            """);
  }

  @Test
  void aValueIsNeverReadAsATemplate() {
    String html = http("format: html\nbody: '<p>{{alert.name}} ${alert.name}</p>'", HOSTILE).body();

    assertThat(html)
        .contains("${alert.id} {{alert.id}} {{{x}}} &lt;b&gt;&amp;amp; &lt;!channel&gt;")
        .doesNotContain("<b>", "5f0e6a52");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{{>partial}} ~ not possible",
        "{{<parent}}{{/parent}} ~ not possible",
        "{{=<% %>=}} ~ not possible",
        "{{{alert.name}}} ~ as markup",
        "{{&alert.name}} ~ as markup",
        "{{#alert}} ~ no valid Mustache",
        "{{/alert}} ~ no valid Mustache",
        "${alert.name ~ is not closed",
      })
  void textTemplatesWithLogicAreRefused(String text, String message) {
    assertThatThrownBy(() -> http("format: html\nbody: '" + text + "'", NEW))
        .isInstanceOf(TemplateException.class)
        .hasMessageStartingWith("/render/body")
        .hasMessageContaining(message);
  }

  @Test
  void pathsReachMembersOfJsonOnly() {
    String text =
        http(
                "format: text\nbody: '[{{class.name}}{{alert.class}}{{alert.getClass}}{{object.tags.size}}{{event.bytes}}{{toString}}{{alert.symptoms.size}}]'",
                NEW)
            .body();

    assertThat(text).isEqualTo("[]");
  }

  @Test
  void valuesCannotAddMailHeaders() {
    Message.Mail mail =
        (Message.Mail)
            template(
                    "format: mail\nsubject: '${alert.name}'\nhtml: '<head><style>p{}</style></head><p>${alert.name}</p><p>a&amp;b</p>'",
                    "deliver: {headers: {X-Alert: '${alert.name}'}}")
                .render(HOSTILE);

    assertThat(mail.subject()).doesNotContain("\r", "\n", "\u2028").contains("Bcc: x@example.com");
    assertThat(mail.headers().getFirst().value()).doesNotContain("\r", "\n");
    assertThat(mail.text()).contains("<b>&amp; <!channel>").endsWith("a&b").doesNotContain("<p>");
    assertThat(mail.chart()).isFalse();
  }

  @Test
  void valuesCannotBreakHeadersAndPaths() {
    Message.Http message =
        (Message.Http)
            template(
                    "format: json\nbody: {}",
                    """
                    deliver:
                      method: {$switch: event, NEW: PUT, $default: PATCH}
                      path: '/a/${alert.name}/b?q=${object.kind}'
                      headers:
                        X-Name: '${alert.name}'
                        X-Key: 'Bearer ${secret:k}'
                        X-None: '${alert.none}'
                      success: [201, 3xx]
                      capture: {id: $.id}
                    """)
                .render(HOSTILE);

    assertThat(message.method()).isEqualTo("PUT");
    assertThat(message.path())
        .matches("/a/[A-Za-z0-9%*._~-]+/b\\?q=Virtual%20Machine%0D%0AX-Evil%3A%201");
    assertThat(message.headers())
        .extracting(Message.Header::name)
        .containsExactly("X-Name", "X-Key");
    assertThat(message.headers().getFirst().value()).matches("[ -~]+").contains("%F0%9F%94%A5");
    assertThat(message.headers().get(1).value()).isEqualTo("Bearer \uE000k\uE001");
    assertThat(message.success()).containsExactly("201", "3xx");
    assertThat(message.capture()).containsEntry("id", "$.id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{path: '/a/${alert.none}'} ~ /deliver/path ~ would lead to another path",
        "{path: '/a/${vars.dots}'} ~ /deliver/path ~ would lead to another path",
        "{path: 'https://evil.example/'} ~ /deliver/path ~ must start with /",
        "{path: '/a b'} ~ /deliver/path ~ blanks",
        "{method: CONNECT} ~ /deliver/method ~ not one of",
        "{method: '${event}'} ~ /deliver/method ~ not one of",
        "{headers: {Host: x}} ~ /deliver/headers/Host ~ not for templates",
        "{headers: {content-length: x}} ~ /deliver/headers/content-length ~ not for templates",
        "{headers: {Content-Type: x}} ~ /deliver/headers/Content-Type ~ render.contentType",
        "{headers: {'a b': x}} ~ /deliver/headers/a b ~ no name of a header",
        "{headers: {X-A: x, x-a: y}} ~ /deliver/headers/x-a ~ twice",
        "{success: [2]} ~ /deliver/success ~ no status",
        "{capture: {id: result.id}} ~ /deliver/capture/id ~ no place",
        "{headers: {X-A: '${secret:Nope!}'}} ~ /deliver/headers/X-A ~ no name of a secret",
      })
  void pathsThatLeadElsewhereAreRefused(String deliver, String place, String message) {
    ObjectNode context = (ObjectNode) NEW.deepCopy();
    context.putObject("vars").put("dots", "..");

    assertThatThrownBy(
            () -> template("format: json\nbody: {}", "deliver: " + deliver).render(context))
        .isInstanceOf(TemplateException.class)
        .hasMessageStartingWith(place)
        .hasMessageContaining(message);
  }

  @Test
  void aRuleMayNameASecretButNotAnAlert() {
    AlertTemplate template =
        template(
            "format: json\nbody: {k: '${secret:vars.key}'}",
            "vars: {key: {type: text, default: first}}");
    ObjectNode context = (ObjectNode) NEW.deepCopy();

    assertThat(((Message.Http) template.render(context)).body())
        .isEqualTo("{\"k\":\"\uE000first\uE001\"}");
    context.putObject("vars").put("key", "second");
    assertThat(((Message.Http) template.render(context)).body())
        .isEqualTo("{\"k\":\"\uE000second\uE001\"}");
    context.putObject("vars").put("key", "x\uE001 \uE000y");
    assertThatThrownBy(() -> template.render(context)).hasMessageContaining("no name of a secret");
    assertThatThrownBy(() -> template("format: json\nbody: '${secret:alert.name}x${secret:A}'", ""))
        .isInstanceOf(TemplateException.class);
    assertThat(template.needs().secrets()).containsExactly("first");
    assertThat(template.secretVars()).containsExactly("key");
    assertThat(template("format: json\nbody: '${secret:b} ${secret:a}'", "").needs().secrets())
        .containsExactly("a", "b");
  }

  @Test
  void trapsAreCutUntilTheyFitAndUnsuitableNumbersRefused() {
    AlertTemplate template =
        template(
            """
            format: snmp
            trap: 1.3.6.1.4.1.32473.1.0.1
            varBinds:
              - {oid: 1.3.6.1.4.1.32473.1.1.1.0, value: '${alert.info}', max: 900, keep: 1}
              - {oid: 1.3.6.1.4.1.32473.1.1.2.0, value: '${alert.info}', max: 900, keep: 2}
              - {oid: 1.3.6.1.4.1.32473.1.1.3.0, type: gauge, value: '${vars.n}'}
            """,
            "");
    ObjectNode context = (ObjectNode) HOSTILE.deepCopy();

    Message.Trap trap = (Message.Trap) template.render(context);
    assertThat(trap.varBinds().get(0).value().length()).isLessThan(200);
    assertThat(trap.varBinds().get(1).value().length()).isGreaterThan(400);
    assertThat(trap.varBinds().get(2).value()).isEqualTo("0");
    for (String number : List.of("1.5", "-1", "4294967296", "x")) {
      context.putObject("vars").put("n", number);
      assertThatThrownBy(() -> template.render(context))
          .hasMessageStartingWith("/render/varBinds/2/value");
    }
  }

  @Test
  void expansionBombsAreStopped() {
    ObjectNode context = JSON.createObjectNode();
    ArrayNode list = context.putArray("list");
    for (int i = 0; i < 300; i++) {
      list.add("0123456789".repeat(30));
    }
    ArrayNode numbers = context.putArray("numbers");
    for (int i = 0; i < 2000; i++) {
      numbers.add(i);
    }
    List<String> bombs =
        List.of(
            "format: json\nbody: {$each: list, $as: a, $do: {$each: list, $as: b, $do: x}}",
            "format: json\nbody: {$each: list, $as: a, $do: '${list}'}",
            "format: json\nbody: {$each: list, $as: a, $do: '${list | join: \",\"}'}",
            "format: text\nbody: '" + "{{#list}}".repeat(8) + "x" + "{{/list}}".repeat(8) + "'",
            "format: text\nbody: '" + "{{#list}}".repeat(8) + "{{/list}}".repeat(8) + "'",
            "format: text\nbody: '{{#list}}${list}{{/list}}'",
            "format: text\nbody: '{{#list}}{{list}}{{/list}}'",
            "format: json\nbody: {$each: list, $as: a, $do: {$json: '${list}'}}",
            "format: json\nbody: " + "{$json: {a: ".repeat(15) + "'\"'" + "}}".repeat(15),
            "format: json\nbody: '${list | json" + " | escape: json".repeat(19) + "}'",
            "format: json\nbody: {$each: numbers, $as: a, $do: '${numbers}'}",
            "format: xml\nbody: {a: {$each: list, $as: a, $do: '${list}'}}");
    long start = System.nanoTime();

    for (String bomb : bombs) {
      assertThatThrownBy(() -> template(bomb, "").render(context))
          .as(bomb)
          .isInstanceOf(TemplateException.class);
    }
    assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
  }

  @Test
  void stepsThatDoubleAValueAreStopped() {
    for (String doubling :
        List.of(
            "set: {field: a, value: '${a}${a}'}",
            "set: {field: a, value: ['${a}', '${a}']}",
            "compute: {to: a, cel: '[a, a]'}",
            "append: {field: a, text: '${a}'}",
            "regexReplace: {field: a, pattern: '.', with: '$0$0'}")) {
      AlertTemplate template =
          template(
              "format: json\nbody: {}",
              "modify:\n  - set: {field: a, value: x}\n" + ("  - " + doubling + "\n").repeat(60));

      Modified modified = template.modify(NEW, Lookups.NONE);

      assertThat(modified.steps().getLast().effect())
          .as(doubling)
          .isEqualTo(StepResult.Effect.FAILED);
      assertThat(modified.context().toString().length()).isLessThan(2_000_000);
    }
  }

  @Test
  void unusualTextsAreReadInBoundedTime() {
    long start = System.nanoTime();
    for (String odd :
        List.of(
            "{{".repeat(30_000),
            "{{#".repeat(20_000),
            "${".repeat(30_000),
            "<p".repeat(30_000),
            "&nbsp;".repeat(10_000))) {
      for (String format : List.of("text", "html")) {
        try {
          http("format: " + format + "\nbody: '" + odd + "'", NEW);
        } catch (TemplateException e) {
          assertThat(e.getMessage()).startsWith("/render/body");
        }
      }
      try {
        template("format: mail\nsubject: x\nhtml: '" + odd + "'", "").render(NEW);
      } catch (TemplateException e) {
        assertThat(e.getMessage()).startsWith("/render/html");
      }
    }
    assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
  }

  @Test
  void templatesThatAreTooLongOrTooDeepAreRefused() {
    assertThatThrownBy(() -> template("format: text\nbody: '" + "x".repeat(70_000) + "'", ""))
        .hasMessageContaining("64 KB");
    assertThatThrownBy(
            () ->
                template(
                    "format: text\nbody: '" + "{{#a}}".repeat(40) + "{{/a}}".repeat(40) + "'", ""))
        .hasMessageContaining("levels deep");
    String alias = "&a ".repeat(1);
    StringBuilder laughs =
        new StringBuilder("apiVersion: alert-templates/v1\na0: " + alias + "[x]\n");
    for (int i = 1; i < 12; i++) {
      laughs.append("a").append(i).append(": &b").append(i).append(" [");
      laughs.append(("*" + (i == 1 ? "a" : "b" + (i - 1)) + ", ").repeat(9)).append("x]\n");
    }
    assertThatThrownBy(() -> AlertTemplate.parse(laughs.toString()))
        .isInstanceOf(TemplateException.class);
  }

  static List<Long> seeds() {
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seed <= 40; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  /** Whatever an alert holds, every built-in template makes of it what its receiver takes. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anyAlertIsRenderedAsItsReceiverAcceptsIt(long seed) throws Exception {
    Random random = new Random(seed);
    JsonNode context = randomized(random, random.nextBoolean() ? NEW : HOSTILE, "");

    for (BuiltInTemplates.BuiltIn builtIn : BuiltInTemplates.all()) {
      String id = builtIn.template().id();
      Message message = Receivers.render(builtIn.template(), context);
      assertThat(Receivers.mistakes(id, context, message)).as(id).isEmpty();
      assertThat(Message.fromJson(JSON.readTree(message.toJson().toString()))).isEqualTo(message);
    }
  }

  /** The same alert with other texts; members that may be missing are missing at times. */
  private static JsonNode randomized(Random random, JsonNode node, String name) {
    List<String> kept =
        List.of(
            "event", "status", "criticality", "id", "startTime", "updateTime", "source", "kind");
    if (node.isObject()) {
      ObjectNode object = JSON.createObjectNode();
      for (var member : node.properties()) {
        boolean needed =
            List.of(
                    "event",
                    "alert",
                    "now",
                    "id",
                    "name",
                    "status",
                    "criticality",
                    "symptoms",
                    "recommendations",
                    "tags")
                .contains(member.getKey());
        if (needed || random.nextInt(6) > 0) {
          object.set(
              name.equals("tags") ? text(random) : member.getKey(),
              randomized(random, member.getValue(), member.getKey()));
        }
      }
      return object;
    }
    if (node.isArray()) {
      ArrayNode array = JSON.createArrayNode();
      node.forEach(e -> array.add(randomized(random, e, name)));
      return array;
    }
    if (node.isString() && !kept.contains(name)) {
      return JSON.valueToTree(text(random));
    }
    if (node.isFloatingPointNumber() && random.nextInt(4) == 0) {
      return JSON.valueToTree(random.nextBoolean() ? Double.NaN : random.nextGaussian() * 1e12);
    }
    return node;
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder("t");
    int length = random.nextInt(10) == 0 ? 10_000 : random.nextInt(200);
    String nasty =
        "\"'\\<>&${}[]|#\r\n\t\0\u0007\u0085\u2028\u2029\u202e\uE000\uE001\uE002\uFFFE%;:";
    while (text.length() < length) {
      switch (random.nextInt(6)) {
        case 0 -> text.append(nasty.charAt(random.nextInt(nasty.length())));
        case 1 -> text.appendCodePoint(0x1F300 + random.nextInt(0x300));
        case 2 -> text.append((char) random.nextInt(0x10000));
        case 3 ->
            text.append(
                List.of("${alert.id}", "{{x}}", "]]>", "<!--", "\r\n.\r\n", "<!channel>")
                    .get(random.nextInt(6)));
        default -> text.append((char) ('a' + random.nextInt(26)));
      }
    }
    return text.toString();
  }

  private static String json(String body, JsonNode context) {
    return http("format: json\nbody: " + body.stripTrailing().replace("\n", "\n  "), context)
        .body();
  }

  private static Message.Http http(String render, JsonNode context) {
    return (Message.Http) template(render, "").render(context);
  }

  private static AlertTemplate template(String render, String more) {
    return AlertTemplate.parse(
        "apiVersion: alert-templates/v1\nid: x\nversion: 1.0.0\ndescription: x\nrender:\n"
            + render.stripTrailing().indent(2)
            + more);
  }
}
