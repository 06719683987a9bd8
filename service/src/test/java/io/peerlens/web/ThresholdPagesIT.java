package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Thresholds, alert definitions, maintenance windows and groups in a real browser on the real
 * service: tried before they are saved.
 */
class ThresholdPagesIT extends PagesTest {

  /**
   * CPU usage of VMs was between 19 and 41 for 20 days, that of shop-web-08 is known for 3. Of
   * shop-web-02 it was unusual for half an hour.
   */
  private static final String LEARNED =
      """
      update level_state set rolled_until = '2100-01-01T00:00:00Z' where level = '1h';

      insert into sample_1h (time, set_id, samples, avg, min, max)
      select t, s.id, 60, array[30, 2], array[19 + extract(hour from t) / 12, 1], array[41 - extract(hour from t) / 12, 3]
      from metric_set s join object o on o.id = s.object_id join metric_group g on g.id = s.group_id,
        generate_series(date_trunc('hour', now()) - case o.name when 'shop-web-08' then 3 else 20 end * interval '1 day',
          now() - interval '4 hours', '1 hour') t
      where o.object_kind = 'VirtualMachine' and g.name = 'cpu';

      update sample s set values = array[80, s.values[2]]
      from metric_set m join object o on o.id = m.object_id join metric_group g on g.id = m.group_id
      where m.id = s.set_id and o.name = 'shop-web-02' and g.name = 'cpu'
        and s.time between now() - interval '90 minutes' and now() - interval '60 minutes';
      """;

  /** Of shop-web-02, by its id and that of its threshold. */
  private static final String ALERT =
      """
      with given as (select ?::uuid as id, ?::uuid as rule, now() - interval '85 minutes' as since),
      made as (
        insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since, opened_at,
          updated_at, canceled_at, cancel_reason, last_tick, openings, member_count, members, member_print, explanation,
          recommendations)
        select g.id, g.rule, 'threshold', 'Unusual', o.id, 'health', 2, 'canceled', g.since, g.since, g.since,
          g.since + interval '30 minutes', 'cleared', g.since, array[g.since], 1,
          jsonb_build_array(jsonb_build_object('threshold', g.rule, 'name', 'Unusual', 'object', o.id, 'instance', '',
            'key', 'cpu|usage_average', 'unit', '%', 'severity', 2, 'value', 72, 'operator', 'gt-usual', 'bound', 17, 'upper', 43,
            'since', g.since, 'unknown', false)), 0,
          '{"text": "It is so.", "strong": [], "moments": [], "key": "cpu|usage_average", "metricName": "CPU usage", "unit": "%", "operator": "gt-usual",
            "since": "2026-01-01T00:00:00Z", "violations": 1, "of": 1, "setting": {"name": "Unusual", "href": "/"}}', '{}'
        from given g, object o where o.name = 'shop-web-02' returning id, since)
      insert into alert_history (alert_id, at, event, severity, value, bound, upper)
      select id, since, 'opened', 2, 72, 17, 43 from made
      """;

  private PagesRules rules;

  @Override
  PagesInstallation install() {
    return PagesInstallation.openWith(LEARNED, Set.of(Role.API), "peerlens.scopes.age=1ms");
  }

  @BeforeEach
  void rulesOfTheVisitor() {
    rules = new PagesRules(visitor);
  }

  /** Each test sees only its own thresholds. */
  @Override
  void tidy() {
    rules.removeAll();
  }

  @Test
  void aThresholdIsWrittenAsASentenceTriedAndSaved() {
    visitor.go("/thresholds/new");
    page.locator("input[name=name]").fill("VM works hard");
    page.getByLabel("Object kind", exact())
        .selectOption(
            new com.microsoft.playwright.options.SelectOption().setLabel("VM (VMWARE, 8)"));
    Locator key = page.getByLabel("Key", exact());
    key.click();
    page.keyboard().type("cpu usage");
    page.getByRole(AriaRole.OPTION)
        .filter(named("cpu|usage_average"))
        .getByRole(AriaRole.BUTTON)
        .click();
    page.getByLabel("warning: limit", exact()).fill("35");
    page.getByLabel("warning: limit", exact()).press("Tab");
    Locator whatIf = page.getByLabel("What it would have done", exact());
    page.getByText("1 day", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(whatIf.locator(".what-said")).containsText(Pattern.compile("\\d+ alerts in 1 day"));
    assertThat(whatIf.locator("series-chart")).not().hasCount(0);
    assertThat(whatIf.locator(".lane-row")).not().hasCount(0);
    Locator slider = whatIf.getByRole(AriaRole.SLIDER);
    String before = whatIf.locator(".what-said b").first().innerText();
    slider.fill("99");
    assertThat(page.getByLabel("warning: limit", exact())).hasValue("99");
    assertThat(whatIf.locator(".what-said")).containsText("Nothing");
    slider.fill("35");
    assertThat(whatIf.locator(".what-said b").first()).hasText(before);
    page.getByLabel("Samples over the limit").fill("1");
    page.getByLabel("Samples over the limit").press("Tab");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/thresholds/[0-9a-f-]{36}"));
    String id = page.url().replaceAll(".*/", "");
    rules.remember(id);
    JsonNode stored = rules.json("/thresholds/" + id);
    assertThat(stored.at("/condition/key").asString()).isEqualTo("cpu|usage_average");
    assertThat(stored.at("/condition/levels/0/bound/value").asDouble()).isEqualTo(35);
    assertThat(stored.at("/trigger/violations").asInt()).isEqualTo(1);
  }

  @Test
  void aPreviewSaysWhatWasComputedForIt() {
    page.route(
        Pattern.compile("/api/v1/thresholds/preview$"),
        route -> {
          APIResponse response = route.fetch();
          ObjectNode body = (ObjectNode) JsonMapper.shared().readTree(response.text());
          body.put("computedUntil", "2026-11-20T14:05:00Z");
          route.fulfill(new Route.FulfillOptions().setResponse(response).setBody(body.toString()));
        });
    visitor.go("/thresholds/new");
    page.getByLabel("Object kind", exact())
        .selectOption(
            new com.microsoft.playwright.options.SelectOption().setLabel("VM (VMWARE, 8)"));
    page.getByLabel("Key", exact()).click();
    page.keyboard().type("cpu usage");
    page.getByRole(AriaRole.OPTION)
        .filter(named("cpu|usage_average"))
        .getByRole(AriaRole.BUTTON)
        .click();
    page.getByLabel("warning: limit", exact()).fill("35");
    page.getByLabel("warning: limit", exact()).press("Tab");
    assertThat(page.getByLabel("What it would have done", exact()))
        .containsText(
            Pattern.compile(
                "Nothing of this super metric is stored before 20 Nov \\d\\d:05: until then its values are computed\\s+from the formula"));
  }

  @Test
  void aThresholdIsComparedWithTheUsualRange() {
    visitor.go("/thresholds/new");
    page.locator("input[name=name]").fill("VM works unusually hard");
    page.getByLabel("Object kind", exact())
        .selectOption(
            new com.microsoft.playwright.options.SelectOption().setLabel("VM (VMWARE, 8)"));
    Locator key = page.getByLabel("Key", exact());
    key.click();
    page.keyboard().type("cpu usage");
    page.getByRole(AriaRole.OPTION)
        .filter(named("cpu|usage_average"))
        .getByRole(AriaRole.BUTTON)
        .click();
    page.getByLabel("Operator", exact()).selectOption("gt-usual");
    page.getByLabel("Samples over the limit").fill("1");
    page.getByLabel("Samples over the limit").press("Tab");
    page.getByText("1 day", new Page.GetByTextOptions().setExact(true)).click();
    Locator whatIf = page.getByLabel("What it would have done", exact());
    assertThat(whatIf.locator(".what-said")).containsText("1 alert in 1 day");
    assertThat(whatIf.locator("series-chart")).hasCount(1);
    assertThat(whatIf.locator("series-chart")).containsText("usual");
    assertThat(whatIf.getByLabel("Learning", inside())).containsText("1 object is not judged yet");
    assertThat(whatIf.getByLabel("Learning", inside()))
        .containsText(Pattern.compile("shop-web-08\\s*learning, day [123] of 7"));

    Locator slider = whatIf.getByRole(AriaRole.SLIDER);
    slider.fill("45");
    assertThat(page.getByLabel("warning: least deviation", exact())).hasValue("45");
    assertThat(whatIf.locator(".what-said")).containsText("Nothing");
    slider.fill("6");
    assertThat(whatIf.locator(".what-said")).containsText("1 alert in 1 day");
    whatIf.getByLabel("Sensitivity of all levels").getByText("High").click();
    assertThat(page.getByLabel("warning: sensitivity", exact())).hasValue("high");
    page.getByLabel("warning: where it clears", exact()).selectOption("usual");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/thresholds/[0-9a-f-]{36}"));
    String id = page.url().replaceAll(".*/", "");
    rules.remember(id);
    JsonNode level = rules.json("/thresholds/" + id).at("/condition/levels/0");
    assertThat(level.at("/bound/type").asString()).isEqualTo("learned");
    assertThat(level.at("/bound/sensitivity").asString()).isEqualTo("high");
    assertThat(level.at("/bound/minimumDeviation").asDouble()).isEqualTo(6);
    assertThat(level.at("/clear/sensitivity").asString()).isEqualTo("high");
    visitor.go("/thresholds");
    assertThat(page.locator(ROWS).filter(named("VM works unusually hard")))
        .containsText("above the usual: high by 6 % warning");
    assertFits(List.of("/thresholds/" + id));
  }

  @Test
  void anAlertOfALearnedThresholdShowsTheBand() throws SQLException {
    String rule =
        JsonMapper.shared()
            .readTree(
                visitor.api(
                    "POST",
                    "/thresholds",
                    Map.of(
                        "name",
                        "Unusual",
                        "objectKind",
                        Map.of("adapterKind", "VMWARE", "objectKind", "VirtualMachine"),
                        "condition",
                        Map.of(
                            "type",
                            "metric",
                            "key",
                            "cpu|usage_average",
                            "operator",
                            "gt",
                            "levels",
                            List.of(
                                Map.of(
                                    "severity", "warning", "bound", Map.of("type", "learned"))))),
                    null))
            .get("id")
            .asString();
    rules.remember(rule);
    String alert = UUID.randomUUID().toString();
    try (Connection connection = installation.connect();
        PreparedStatement insert = connection.prepareStatement(ALERT)) {
      insert.setString(1, alert);
      insert.setString(2, rule);
      insert.execute();
    }
    visitor.go("/alerts/" + alert);
    assertThat(page.locator("series-chart")).containsText(Pattern.compile("usual [\\d.]+"));
    assertThat(page.getByLabel("History", exact()))
        .containsText("72 %, above the usual 17 % to 43 %");
  }

  private static Locator.GetByLabelOptions inside() {
    return new Locator.GetByLabelOptions().setExact(true);
  }

  @Test
  void aScopeIsCountedAsItIsTyped() {
    String id = rules.threshold("Scoped", "VirtualMachine", 99, "warning");
    visitor.go("/thresholds/" + id);
    Locator scope = page.getByLabel("Scope", exact()).first();
    assertThat(scope).containsText("7 objects match");
    page.getByLabel("Scope: add a condition").first().selectOption("name");
    assertThat(page.getByLabel("named", exact())).hasCount(2);
    page.getByLabel("named", exact()).first().fill("shop-web-0[12]");
    assertThat(scope).containsText("0 objects match");
    page.getByLabel("named", exact()).first().fill("*web-01");
    assertThat(scope).containsText("1 object matches");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    visitor.go("/thresholds");
    assertThat(page.locator(ROWS).filter(named("Scoped"))).containsText("named *web-01");
  }

  @Test
  void aThresholdSavedSecondShowsBothVersionsAndEarlierOnesComeBack() {
    String id = rules.threshold("Contended", "VirtualMachine", 99, "warning");
    visitor.go("/thresholds/" + id);
    assertThat(page.locator("h1")).hasText("Contended");
    visitor.api(
        "PUT",
        "/thresholds/" + id,
        PagesRules.rule("Contended", "VirtualMachine", 98, "warning", true),
        "\"1\"");
    page.getByLabel("warning: limit", exact()).fill("97");
    page.getByLabel("warning: limit", exact()).press("Tab");
    page.keyboard().press("Control+s");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("above 98");
    assertThat(dialog).containsText("above 97");
    dialog.getByText("Save mine over it").click();
    assertThat(page.locator(".notice")).containsText("Saved");
    page.getByText("History", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("Restore version 2").click();
    assertThat(page.getByLabel("warning: limit", exact())).hasValue("98");
  }

  @Test
  void thresholdsAreCombinedIntoAnAlertDefinition() {
    rules.threshold("Hosts are busy", "HostSystem", 99, "warning");
    rules.threshold("VMs are busy", "VirtualMachine", 99, "warning");
    visitor.go("/thresholds/definitions/new");
    page.locator("input[name=name]").fill("Both busy");
    page.getByLabel("Object kind", exact())
        .selectOption(
            new com.microsoft.playwright.options.SelectOption().setLabel("Host (VMWARE, 2)"));
    Locator tree = page.getByRole(AriaRole.TREE);
    tree.getByLabel("Threshold", new Locator.GetByLabelOptions().setExact(true))
        .selectOption(
            new com.microsoft.playwright.options.SelectOption().setLabel("Hosts are busy (Host)"));
    tree.getByText("Add a threshold").click();
    tree.getByLabel("Threshold", new Locator.GetByLabelOptions().setExact(true))
        .nth(1)
        .selectOption(
            new com.microsoft.playwright.options.SelectOption().setLabel("VMs are busy (VM)"));
    tree.getByLabel("Where VMs are busy is looked for").selectOption("child");
    tree.getByLabel("Of how many").selectOption("count");
    assertThat(page.locator(".in-words"))
        .containsText("Hosts are busy and VMs are busy on at least 3 children");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/thresholds/definitions/[0-9a-f-]{36}"));
    String id = page.url().replaceAll(".*/", "");
    JsonNode stored = rules.json("/alert-definitions/" + id);
    assertThat(stored.at("/condition/conditions/1/on").asString()).isEqualTo("child");
    assertThat(stored.at("/condition/conditions/1/population/value").asInt()).isEqualTo(3);
    visitor.go("/thresholds?tab=definitions");
    assertThat(page.locator(ROWS)).containsText("Both busy");
    visitor.api("DELETE", "/alert-definitions/" + id, null, "\"1\"");
  }

  @Test
  void maintenanceIsPlannedForAGroup() {
    visitor.go("/settings/groups/new");
    page.locator("input[name=name]").fill("Shop");
    page.getByLabel("Members: add a condition").selectOption("tags");
    page.getByLabel("with tag", exact()).fill("app=shop");
    page.getByLabel("with tag", exact()).press("Tab");
    assertThat(page.locator(".matched")).containsText("8 objects match");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/settings/groups/[0-9a-f-]{36}"));
    page.locator("input[name=name]").fill("Shops");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    page.locator("h1").click();
    page.keyboard().press("h");
    assertThat(page.getByLabel("History", exact())).containsText("changed by admin");
    page.getByLabel("Restore version 1").click();
    assertThat(page.locator("h1")).hasText("Shop");
    visitor.go("/settings/maintenance/new");
    page.locator("input[name=name]").fill("Patch night");
    page.getByText("Every week").click();
    page.getByText("Tue", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("Objects: add a condition").selectOption("groups");
    page.getByLabel("Group", exact())
        .selectOption(new com.microsoft.playwright.options.SelectOption().setLabel("Shop (8)"));
    assertThat(page.locator(".matched")).containsText("8 objects match");
    Locator next = page.locator(".tb [role=status]");
    assertThat(next).containsText("next, once saved:");
    String proposed = next.innerText().replaceAll(".*: |, in .*", "");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/settings/maintenance/[0-9a-f-]{36}"));
    assertThat(next).containsText("next: " + proposed);
    visitor.go("/settings");
    assertThat(page.getByLabel("Maintenance windows")).containsText("every Tue and Sat");
    assertThat(page.getByLabel("Maintenance windows")).containsText("in Shop");
  }

  @Test
  void aViewerChangesNothing() {
    String threshold = rules.threshold("Contended", "VirtualMachine", 99, "warning");
    try (Visitor viewer = visitAs("viewer")) {
      Page looked = viewer.page();
      for (String path :
          List.of(
              "/thresholds/" + threshold,
              "/thresholds/definitions/new",
              "/settings/maintenance/new",
              "/settings/groups/new")) {
        viewer.go(path);
        Locator save =
            looked.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Save"));
        assertThat(save).isDisabled();
        assertThat(save).hasAttribute("title", "Needs the role operator");
        assertThat(looked.locator("main input:enabled, main select:enabled, main textarea:enabled"))
            .hasCount(0);
      }
      viewer.go("/thresholds");
      Locator create =
          looked.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("New"));
      assertThat(create).isDisabled();
      assertThat(looked.locator(ROWS).filter(named("Contended"))).isVisible();
      looked.keyboard().press("c");
      assertThat(looked.locator(".notice")).hasText("Needs the role operator");
      looked.keyboard().press("j");
      looked.keyboard().press("x");
      assertThat(looked.locator(".bulk")).containsText("1 selected");
      assertThat(looked.locator(".bulk button.ctl:enabled")).hasCount(0);
      viewer.go("/settings");
      for (String words : List.of("Plan one", "Make one")) {
        assertThat(looked.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(words)))
            .isDisabled();
      }
    }
  }

  @Test
  void typedTextIsSavedAfterSigningInAgain() {
    String id = rules.threshold("Contended", "VirtualMachine", 99, "warning");
    visitor.go("/thresholds/" + id);
    assertThat(page.locator("h1")).hasText("Contended");
    // Nothing but the save is to be what finds the session ended.
    page.waitForRequestFinished(
        new Page.WaitForRequestFinishedOptions()
            .setPredicate(
                asked ->
                    asked.url().endsWith("/thresholds/preview") && asked.postData().contains("97")),
        () -> {
          page.getByLabel("warning: limit", exact()).fill("97");
          page.getByLabel("warning: limit", exact()).press("Tab");
        });
    visitor.context().clearCookies();
    page.keyboard().press("Control+s");
    visitor.signInAgain();
    assertThat(page.locator(".notice")).containsText("Saved");
    assertThat(rules.json("/thresholds/" + id).at("/condition/levels/0/bound/value").asInt())
        .isEqualTo(97);
  }
}
