package io.peerlens.alerttemplates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.alerttemplates.StepResult.Effect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What each step does, says and reports. */
class StepsTest {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Lookups LOOKUPS =
      Lookups.of(
          Map.of(
              "runbooks.csv",
              LookupTable.parse(
                  "definition,url,team\nother,x,y\noutlier-cpu,\"wiki/run,cpu\",team-a\n")));

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "set: {field: summary, value: '${alert.criticality}: ${alert.name}'} ~ summary ~ \"IMMEDIATE: CPU use differs from its peers\"",
        "set: {field: a.b.c, value: [1, '${alert.number}']} ~ a.b.c ~ [1,20418]",
        "default: {field: alert.owner, value: nobody} ~ alert.owner ~ \"nobody\"",
        "add: {to: owner, from: 'object.tags.owner'} ~ owner ~ \"team-shop\"",
        "add: {to: owner, from: [object.tags.none, object.ancestors.ClusterComputeResource.tags.owner]} ~ owner ~ \"team-compute\"",
        "add: {to: headroom, from: 'object.superMetrics[\"Cluster headroom\"]', format: '%.1f %%'} ~ headroom ~ \"12.3 %\"",
        "add: {to: n, from: 'object.metrics[\"cpu|usage_average\"]', format: '%03d'} ~ n ~ \"093\"",
        "add: {to: n, from: 'object.metrics[\"cpu|usage_average\"]'} ~ n ~ 92.5",
        "add: {to: x, from: object.tags.none, default: unassigned} ~ x ~ \"unassigned\"",
        "lookup: {table: runbooks.csv, key: alert.definitionId, set: {runbook: url}} ~ runbook ~ \"wiki/run,cpu\"",
        "lookup: {table: runbooks.csv, key: alert.id, set: {runbook: url}, default: none} ~ runbook ~ \"none\"",
        "lookup: {table: runbooks.csv, key: missing, column: team, set: {a: url, b: team}, default: {b: z}} ~ b ~ \"z\"",
        "mapSeverity: {to: pd, map: {IMMEDIATE: error}} ~ pd ~ \"error\"",
        "mapSeverity: {to: pd, map: {CRITICAL: 1}, default: 3} ~ pd ~ 3",
        "mapSeverity: {from: object.tags.tier, to: alert.criticality, map: {web: LOW}} ~ alert.criticality ~ \"LOW\"",
        "rename: {from: object.name, to: host} ~ host ~ \"shop-web-03\"",
        "regexReplace: {field: alert.name, pattern: '^(?P<first>\\w+) use', with: '${first}-use'} ~ alert.name ~ \"CPU-use differs from its peers\"",
        "regexReplace: {field: object.tags, pattern: 'shop', with: ''} ~ object.tags.owner ~ \"team-\"",
        "append: {field: alert.name, text: ' on ${object.name}'} ~ alert.name ~ \"CPU use differs from its peers on shop-web-03\"",
        "prefix: {field: alert.name, text: '[${object.tags.tier}] '} ~ alert.name ~ \"[web] CPU use differs from its peers\"",
        "date: {field: alert.startTime, format: dd.MM.yyyy HH:mm z, zone: Europe/Berlin} ~ alert.startTime ~ \"21.11.2026 01:05 CET\"",
        "date: {field: alert.startTime, to: gmt, format: 'yyyy-MM-dd HH:mm:ss'} ~ gmt ~ \"2026-11-21 00:05:00\"",
        "date: {field: alert.startTime, to: s, format: seconds} ~ s ~ 1795219500",
        "truncate: {field: alert.name, max: 8} ~ alert.name ~ \"CPU use…\"",
        "truncate: {field: alert.name, max: 7, ellipsis: false} ~ alert.name ~ \"CPU use\"",
        "redact: {fields: alert.info, patterns: ['[0-9.]+ %']} ~ alert.info ~ \"CPU use is •••, peers are between 24 and •••\"",
        "redact: {fields: [alert.info], patterns: ['is ([0-9.]+) %'], with: X} ~ alert.info ~ \"CPU use is X %, peers are between 24 and 38 %\"",
        "redact: {fields: [object.tags]} ~ object.tags ~ {\"app\":\"•••\",\"owner\":\"•••\",\"tier\":\"•••\"}",
        "dedupKey: {parts: [alert.definitionId, object.name]} ~ dedupKey ~ \"outlier-cpu:shop-web-03\"",
        "compute: {to: hot, cel: 'object.metrics[\"cpu|usage_average\"] > 90'} ~ hot ~ true",
        "compute: {to: n, cel: 'size(alert.symptoms) * 2'} ~ n ~ 4",
        "compute: {to: n, cel: 'alert.none + 1', default: 0} ~ n ~ 0",
        "set: {field: x, value: '${RESOURCE_NAME}/${alertName}'} ~ x ~ \"shop-web-03/CPU use differs from its peers\"",
      })
  void changesTheAlert(String step, String path, String wanted) {
    Modified modified = modify("- " + step, "new");

    assertThat(modified.failure()).isNull();
    StepResult result = modified.steps().getFirst();
    assertThat(result.effect()).as(String.valueOf(result.error())).isEqualTo(Effect.CHANGED);
    assertThat(Path.parse("", path).below(modified.context().path(path.split("[.]")[0])).toString())
        .isEqualTo(wanted);
    assertThat(result.changes()).isNotEmpty();
    assertThat(result.words()).matches("[A-Z].{4,}");
  }

  @Test
  void stepsRunInOrderAndReportTheirEffect() {
    Modified modified =
        modify(
            """
            - add: {to: owner, from: object.tags.owner, default: unassigned}
            - lookup: {table: runbooks.csv, key: alert.definitionId, set: {runbook: url}}
            - set: {field: alert.criticality, value: CRITICAL}
              when: owner == "team-shop" && runbook.startsWith("wiki")
            - set: {field: x, value: 1}
              on: [CANCEL]
            - truncate: {field: alert.name, max: 1024}
            - remove: [alert.info, alert.none]
            - set: {field: y, value: 1}
              when: object.tags.nothing == "x"
            - add: {to: z, from: object.tags.nothing}
            - set: {field: q, value: 1}
              enabled: false
            """,
            "new");

    List<StepResult> steps = modified.steps();
    assertThat(steps)
        .extracting(StepResult::effect)
        .containsExactly(
            Effect.CHANGED,
            Effect.CHANGED,
            Effect.CHANGED,
            Effect.SKIPPED,
            Effect.NONE,
            Effect.CHANGED,
            Effect.SKIPPED,
            Effect.FAILED,
            Effect.SKIPPED);
    assertThat(steps.get(0).words()).isEqualTo("Add owner from tag owner, else \"unassigned\"");
    assertThat(steps.get(0).changes().getFirst().note()).isEqualTo("tag of shop-web-03");
    assertThat(steps.get(1).words())
        .isEqualTo("Look up runbooks.csv by alert.definitionId, set runbook");
    assertThat(steps.get(1).changes().getFirst().note()).isEqualTo("runbooks.csv, row 3");
    assertThat(steps.get(2).changes().getFirst())
        .isEqualTo(
            new StepResult.Change(
                "alert.criticality",
                JSON.valueToTree("IMMEDIATE"),
                JSON.valueToTree("CRITICAL"),
                null));
    assertThat(steps.get(3).error()).isEqualTo("it runs on CANCEL only");
    assertThat(steps.get(4).words()).isEqualTo("Truncate alert.name to 1,024 characters");
    assertThat(steps.get(5).changes()).hasSize(1);
    assertThat(steps.get(5).changes().getFirst().after()).isNull();
    assertThat(steps.get(6).error()).contains("cannot be told").contains("nothing");
    assertThat(steps.get(7).error())
        .isEqualTo("object.tags.nothing has no value here, and the step has no default");
    assertThat(steps.get(8).error()).isEqualTo("it is switched off");
  }

  @Test
  void nothingIsSentAfterADrop() {
    Modified modified =
        modify(
            """
            - drop: objects of the laboratory
              when: object.name.startsWith("shop")
            - set: {field: x, value: 1}
            """,
            "new");

    assertThat(modified.dropped()).isTrue();
    assertThat(modified.steps()).hasSize(1);
    assertThat(modified.steps().getFirst().words())
        .isEqualTo("Send nothing: objects of the laboratory");
    assertThat(modify("- drop: x\n  on: [UPDATE]", "new").dropped()).isFalse();
  }

  @Test
  void aFailingStepThatMustNotFailStopsTheTemplate() {
    Modified modified =
        modify(
            """
            - add: {to: owner, from: object.tags.nobody}
              onError: fail
            - set: {field: x, value: 1}
            """,
            "new");

    assertThat(modified.failure())
        .isEqualTo(
            "step 1 (Add owner from tag nobody): object.tags.nobody has no value here, and the step"
                + " has no default");
    assertThat(modified.steps()).hasSize(1);
  }

  @Test
  void aFailingStepUsesItsDefault() {
    Modified modified =
        modify(
            """
            - lookup: {table: none.csv, key: alert.id, set: {a: x}, default: unknown}
            - date: {field: alert.name, to: b, default: never}
              onError: default
            - mapSeverity: {to: c, map: {X: Y}, default: info}
              onError: fail
            """,
            "new");

    assertThat(modified.failure()).isNull();
    assertThat(modified.context().path("a").stringValue()).isEqualTo("unknown");
    assertThat(modified.steps().get(0).error()).isEqualTo("there is no lookup table none.csv");
    assertThat(modified.context().path("b").stringValue()).isEqualTo("never");
    assertThat(modified.context().path("c").stringValue()).isEqualTo("info");
  }

  @Test
  void errorsInATableAreNamed() {
    StepResult result =
        modify("- lookup: {table: runbooks.csv, key: alert.id, set: {a: nope}}", "new")
            .steps()
            .getFirst();

    assertThat(result.error())
        .isEqualTo("runbooks.csv has no column nope; it has definition, url, team");
    assertThat(
            modify("- lookup: {table: runbooks.csv, key: alert.number, set: {a: url}}", "new")
                .steps()
                .getFirst()
                .error())
        .isEqualTo("runbooks.csv has no row whose definition is '20418'");
  }

  @Test
  void aLongKeyIsReplacedByItsHash() {
    String key =
        modify("- dedupKey: {parts: [alert.info], max: 64}", "hostile")
            .context()
            .path("dedupKey")
            .stringValue();

    assertThat(key).matches("[0-9a-f]{64}");
    assertThat(modify("- dedupKey: {parts: [alert.none]}", "new").steps().getFirst().error())
        .contains("all alerts would share one key");
  }

  @Test
  void theInputStaysUnchanged() {
    JsonNode context = BuiltInTemplates.contexts().get("hostile");
    JsonNode before = context.deepCopy();

    template("- remove: alert\n- set: {field: x.y, value: 1}").modify(context, Lookups.NONE);

    assertThat(context).isEqualTo(before);
  }

  @Test
  void aFieldBelowATextCannotBeSet() {
    assertThat(modify("- set: {field: alert.name.x, value: 1}", "new").steps().getFirst().error())
        .isEqualTo("alert.name.x cannot be set: it is inside no object");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "set: {field: 'a b', value: 1} ~ /modify/0/set/field ~ no path",
        "set: {field: event, value: 1} ~ /modify/0/set/field ~ stays so",
        "set: {field: a, value: '${secret:x}'} ~ /modify/0/set/value ~ secrets may stand only",
        "set: {field: a} ~ /modify/0/set ~ needs value",
        "shout: {field: a} ~ /modify/0 ~ step 'shout' is unknown",
        "regexReplace: {field: a, pattern: '('} ~ /modify/0/regexReplace/pattern ~ no pattern of RE2",
        "regexReplace: {field: a, pattern: '(?=a)'} ~ /modify/0/regexReplace/pattern ~ look-around",
        "regexReplace: {field: a, pattern: '((a{100}){100}){100}'} ~ /modify/0/regexReplace/pattern ~ repeats too much",
        "regexReplace: {field: a, pattern: 'a', with: '$1'} ~ /modify/0/regexReplace/with ~ no group",
        "redact: {fields: [a], patterns: ['a', '[']} ~ /modify/0/redact/patterns/1 ~ no pattern of RE2",
        "date: {field: a, zone: Mars/Olympus} ~ /modify/0/date/zone ~ no time zone",
        "date: {field: a, format: 'bogus'} ~ /modify/0/date/format ~ no format of dates",
        "add: {to: a, from: b, format: '%s'} ~ /modify/0/add/format ~ no format of one number",
        "add: {to: a, from: b, format: '%1000d'} ~ /modify/0/add/format ~ no format of one number",
        "add: {to: a, from: b, format: '%-d'} ~ /modify/0/add/format ~ does not fit",
        "lookup: {table: ../../etc/passwd, key: a, set: {b: c}} ~ /modify/0/lookup/table ~ no name of a table",
        "remove: [] ~ /modify/0/remove ~ must list",
        "drop: [x] ~ /modify/0/drop ~ a reason",
        "compute: {to: a, cel: 'nope + 1'} ~ /modify/0/compute/cel ~ undeclared reference to 'nope'",
        "truncate: {field: a, max: many} ~ /modify/0/truncate/max ~ number of characters",
      })
  void anInvalidStepIsRefusedWithThePlaceOfTheError(String step, String place, String message) {
    assertThatThrownBy(() -> template("- " + step))
        .isInstanceOf(TemplateException.class)
        .hasMessageStartingWith(place)
        .hasMessageContaining(message);
  }

  @Test
  void allErrorsAreNamedAtOnce() {
    assertThatThrownBy(
            () ->
                template(
                    """
                    - set: {field: 'a b', value: 1}
                    - remove: x
                      when: 'alert.name =='
                    - truncate: {field: b, max: 3, colour: red}
                      onError: default
                    """))
        .isInstanceOfSatisfying(
            TemplateException.class,
            e ->
                assertThat(e.mistakes())
                    .extracting(TemplateException.Mistake::place)
                    .containsExactly(
                        "/modify/0/set/field",
                        "/modify/1/when",
                        "/modify/2/truncate/colour",
                        "/modify/2/onError"));
  }

  private static Modified modify(String steps, String context) {
    return template(steps).modify(BuiltInTemplates.contexts().get(context), LOOKUPS);
  }

  private static AlertTemplate template(String steps) {
    return AlertTemplate.parse(
        "apiVersion: alert-templates/v1\nid: x\nversion: 1.0.0\ndescription: x\nmodify:\n"
            + steps.stripTrailing().indent(2)
            + "render: {format: json, body: {}}\n");
  }
}
