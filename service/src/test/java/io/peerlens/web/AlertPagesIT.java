package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.peerlens.role.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Alerts and thresholds in a real browser on the real service, whose evaluator opens and closes
 * them: seen live, acted upon with keys, tried before they are saved.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AlertPagesIT {

  /** Builds share the machine; a tick may come late. */
  private static final Duration EVALUATED = Duration.ofSeconds(90);

  private static final String ROWS = ".results tbody tr:not(.gap):not(.group):not(.closed)";

  private Chromium chromium;
  private PagesInstallation installation;
  private Visitor visitor;
  private Page page;
  private final List<String> made = new ArrayList<>();
  private boolean ticking;

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation =
        PagesInstallation.open(
            Set.of(Role.API, Role.EVALUATOR),
            "peerlens.evaluation.lag=1s",
            "peerlens.evaluation.shards=1",
            "peerlens.scopes.age=1ms");
  }

  @AfterAll
  void close() {
    if (installation != null) {
      installation.close();
      chromium.close();
    }
  }

  @BeforeEach
  void newVisitor() {
    visitor = Visitor.of(chromium, installation, 1440, ColorScheme.LIGHT);
    page = visitor.page();
    if (!ticking) {
      // With no rule at all the evaluator looks for new ones once a minute only.
      threshold("Never opens", "HostSystem", 1000, "warning");
      made.clear();
      ticking = true;
    }
  }

  /** Each test leaves nothing open, so that the next one sees only its own alerts. */
  @AfterEach
  void everythingIsClosed() {
    for (String id : made) {
      String etag = "\"" + json("/thresholds/" + id).get("version").asInt() + "\"";
      visitor.api("DELETE", "/thresholds/" + id, null, etag);
    }
    made.clear();
    Awaitility.await().atMost(EVALUATED).until(() -> openAlerts() == 0);
    visitor.close();
  }

  @Test
  void anAlertAppearsByItselfWhenItOpensAndLeavesWhenItCloses() {
    visitor.go("/alerts");
    assertThat(page.locator("main")).containsText("Nothing open");
    assertThat(page.locator("nav .n")).hasCount(0);
    String id = threshold("Hosts are busy", "HostSystem", 10, "critical");
    awaitOpen(2);
    assertThat(page.locator(ROWS)).hasCount(2);
    assertThat(page.locator(ROWS).first()).containsText("Hosts are busy");
    assertThat(page.locator("nav .n")).hasText("2");
    assertThat(page.locator("link[rel=icon]")).hasAttribute("href", Pattern.compile("open"));
    Locator detail = page.getByLabel("Alert", new Page.GetByLabelOptions().setExact(true));
    assertThat(detail.locator(".say b").first()).hasText(Pattern.compile("\\S"));
    assertThat(detail.locator("series-chart [role=img]"))
        .hasAttribute("aria-label", Pattern.compile("limit of critical 10"));
    assertThat(detail.getByLabel("History")).containsText("New:");
    page.mouse().move(5, 5);
    disable(id);
    awaitOpen(0);
    assertThat(page.locator(".group").filter(named("Closed in the last hour"))).isVisible();
    assertThat(page.locator("nav .n")).hasCount(0);
  }

  @Test
  void alertsBelowAnObjectThatHasOneAreFoldedUnderIt() {
    threshold("Hosts are busy", "HostSystem", 10, "critical");
    threshold("VMs are busy", "VirtualMachine", 10, "warning");
    awaitOpen(9);
    visitor.go("/alerts");
    Locator groups = page.locator(".group");
    assertThat(groups.first()).containsText("Hosts are busy on esx-a-0");
    assertThat(groups.first()).containsText("stands for");
    Locator more = page.getByText(Pattern.compile("\\d more")).first();
    int before = page.locator(ROWS).count();
    more.click();
    assertThat(page.locator(ROWS).nth(before)).isVisible();
    page.getByLabel("Group by").selectOption("definition");
    assertThat(groups.first()).containsText("Hosts are busy");
    assertThat(groups.nth(1)).containsText("7 alerts");
    page.reload();
    assertThat(groups.nth(1)).containsText("7 alerts");
  }

  @Test
  void theSelectedAreAcknowledgedAndTakenWithKeysAlone() {
    threshold("VMs are busy", "VirtualMachine", 10, "warning");
    awaitOpen(7);
    visitor.go("/alerts?by=none");
    assertThat(page.locator(ROWS)).hasCount(7);
    page.keyboard().press("x");
    assertThat(page.locator(".bulk")).containsText("1 selected");
    page.keyboard().press("j");
    page.keyboard().press("j");
    assertThat(page).hasURL(Pattern.compile("row="));
    page.keyboard().press("Shift+X");
    assertThat(page.locator(".bulk")).containsText("3 selected");
    page.keyboard().press("a");
    assertThat(page.locator(".notice")).containsText("3 alerts acknowledged");
    assertThat(page.locator(".bulk")).hasCount(0);
    assertThat(count("/alerts?controlState=acknowledged")).isEqualTo(3);
    page.getByText("Undo", new Page.GetByTextOptions().setExact(true)).click();
    Awaitility.await().until(() -> count("/alerts?controlState=acknowledged") == 0);
    page.keyboard().press("i");
    Awaitility.await().until(() -> count("/alerts?owner=nobody") == 6);
    page.keyboard().press("z");
    page.getByRole(AriaRole.DIALOG).getByText("1 hour").click();
    // The pointer keeps the row in its place, struck through.
    assertThat(page.locator("tr.gone")).hasCount(1);
    page.mouse().move(5, 5);
    assertThat(page.locator(ROWS)).hasCount(6);
    page.getByLabel("Which alerts").getByText("Suspended").click();
    assertThat(page.locator(ROWS)).hasCount(1);
  }

  @Test
  void rowsKeepTheirPlacesWhileSomeAreSelected() {
    threshold("VMs are busy", "VirtualMachine", 10, "warning");
    awaitOpen(7);
    visitor.go("/alerts?by=none");
    assertThat(page.locator(ROWS)).hasCount(7);
    page.keyboard().press("x");
    assertThat(page.locator(".bulk")).containsText("1 selected");
    String first = page.locator(ROWS).first().locator("td.strong").innerText();
    threshold("Hosts are busy", "HostSystem", 10, "critical");
    awaitOpen(9);
    assertThat(page.locator(".foot-line")).containsText("2 new since you began");
    assertThat(page.locator(ROWS)).hasCount(7);
    assertThat(page.locator(ROWS).first().locator("td.strong")).hasText(first);
    page.getByText("Show now").click();
    assertThat(page.locator(ROWS)).hasCount(9);
    assertThat(page.locator(ROWS).first()).containsText("Hosts are busy");
  }

  @Test
  void theFilterIsInTheAddressAndSeveritiesAreSwitches() {
    threshold("Hosts are busy", "HostSystem", 10, "critical");
    threshold("VMs are busy", "VirtualMachine", 10, "warning");
    awaitOpen(9);
    visitor.go("/alerts?by=none");
    page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Severities"))
        .getByText("critical")
        .click();
    assertThat(page).hasURL(Pattern.compile("severity:critical"));
    assertThat(page.locator(ROWS)).hasCount(2);
    page.keyboard().press("/");
    page.keyboard().type(" esx-a-01");
    assertThat(page.locator(ROWS)).hasCount(1);
    page.keyboard().type("zz");
    assertThat(page.locator("main")).containsText("Nothing matches. Drop a part of the filter");
    page.locator(".empty .link").last().click();
    assertThat(page.locator(ROWS)).hasCount(2);
  }

  @Test
  void anAlertHasAnAddressOfItsOwnWithNotes() {
    threshold("Hosts are busy", "HostSystem", 10, "critical");
    awaitOpen(2);
    visitor.go("/alerts?by=none");
    assertThat(page.locator(ROWS)).hasCount(2);
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/alerts/[0-9a-f-]{36}"));
    assertThat(page.locator("h1")).containsText("Hosts are busy on esx-a-0");
    page.keyboard().press("n");
    page.keyboard().type("Two VMs moved away");
    page.keyboard().press("Enter");
    assertThat(page.getByLabel("Notes")).containsText("Two VMs moved away");
    assertThat(page.locator(".steps")).containsText("Look at it.");
    page.keyboard().press("Escape");
    page.keyboard().press("Control+k");
    page.keyboard().type("A-" + json("/alerts?limit=1").get("items").get(0).get("number").asInt());
    assertThat(page.locator("#palette-list")).containsText("Hosts are busy on");
  }

  @Test
  void otherPagesSayWhatIsOpen() {
    threshold("Hosts are busy", "HostSystem", 10, "critical");
    awaitOpen(2);
    visitor.go("/");
    assertThat(page.locator("h1")).containsText("2 alerts are open");
    assertThat(page.getByLabel("Open alerts").locator("tbody tr")).hasCount(2);
    assertThat(page.locator(".rail .event")).not().hasCount(0);
    visitor.go("/explorer");
    assertThat(page.locator(".tree .findings").first()).containsText("2");
    page.getByLabel("Open alerts", new Page.GetByLabelOptions().setExact(true)).count();
    String host = json("/alerts?limit=1").get("items").get(0).get("object").get("id").asString();
    visitor.go("/objects/" + host);
    assertThat(page.locator(".badges a").first())
        .hasAttribute("title", Pattern.compile("critical: 1 on it"));
    assertThat(page.getByLabel("Alerts and changes").locator(".bar-of[aria-label$='open']"))
        .hasCount(1);
    assertThat(page.locator("section.critical series-chart .plot"))
        .hasAttribute("aria-label", Pattern.compile("limit of critical 10"));
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
    made.add(id);
    JsonNode stored = json("/thresholds/" + id);
    assertThat(stored.at("/condition/key").asString()).isEqualTo("cpu|usage_average");
    assertThat(stored.at("/condition/levels/0/bound/value").asDouble()).isEqualTo(35);
    assertThat(stored.at("/trigger/violations").asInt()).isEqualTo(1);
  }

  @Test
  void aScopeIsCountedAsItIsTyped() {
    String id = threshold("Scoped", "VirtualMachine", 99, "warning");
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
    String id = threshold("Contended", "VirtualMachine", 99, "warning");
    visitor.go("/thresholds/" + id);
    assertThat(page.locator("h1")).hasText("Contended");
    visitor.api(
        "PUT",
        "/thresholds/" + id,
        rule("Contended", "VirtualMachine", 98, "warning", true),
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
    threshold("Hosts are busy", "HostSystem", 99, "warning");
    threshold("VMs are busy", "VirtualMachine", 99, "warning");
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
    JsonNode stored = json("/alert-definitions/" + id);
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
    visitor.go("/settings/maintenance/new");
    page.locator("input[name=name]").fill("Patch night");
    page.getByText("Every week").click();
    page.getByText("Tue", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("Objects: add a condition").selectOption("groups");
    page.getByLabel("Group", exact())
        .selectOption(new com.microsoft.playwright.options.SelectOption().setLabel("Shop (8)"));
    assertThat(page.locator(".matched")).containsText("8 objects match");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/settings/maintenance/[0-9a-f-]{36}"));
    assertThat(page.locator(".tb")).containsText("next:");
    visitor.go("/settings");
    assertThat(page.getByLabel("Maintenance windows")).containsText("every Tue and Sat");
    assertThat(page.getByLabel("Maintenance windows")).containsText("in Shop");
  }

  @Test
  void nothingMovesWhileAlertsComeAndGo() {
    threshold("VMs are busy", "VirtualMachine", 10, "warning");
    awaitOpen(7);
    visitor.go("/alerts?by=none");
    assertThat(page.locator(ROWS)).hasCount(7);
    assertThat(page.getByLabel("History")).containsText("New:");
    page.locator(ROWS).nth(2).hover();
    page.evaluate(
        """
        globalThis.moved = [];
        new PerformanceObserver(list => list.getEntries().forEach(e => {
          for (const s of e.sources) if (s.previousRect.y !== s.currentRect.y && !s.node?.parentElement?.closest(".detail")) globalThis.moved.push(s.node?.textContent ?? "?");
        })).observe({ type: "layout-shift" });
        """);
    String id = threshold("Hosts are busy", "HostSystem", 10, "critical");
    awaitOpen(9);
    assertThat(page.locator("nav .n")).hasText("9");
    disable(id);
    awaitOpen(7);
    assertThat(page.locator("nav .n")).hasText("7");
    assertThat(page.locator(ROWS)).hasCount(7);
    assertThat((List<?>) page.evaluate("globalThis.moved")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1280, 1440, 1920})
  void everyPageOfAlertsFitsTheWindowAndNamesItsControls(int width) {
    String id = threshold("Hosts are busy", "HostSystem", 10, "critical");
    awaitOpen(2);
    String alert = json("/alerts?limit=1").get("items").get(0).get("id").asString();
    for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      try (Visitor other = Visitor.of(chromium, installation, width, theme)) {
        for (String path :
            List.of(
                "/alerts",
                "/alerts/" + alert,
                "/thresholds",
                "/thresholds?tab=definitions",
                "/thresholds/" + id,
                "/thresholds/new",
                "/thresholds/import",
                "/thresholds/definitions/new",
                "/settings",
                "/settings/maintenance/new",
                "/settings/groups/new")) {
          other.go(path);
          assertThat(other.page().locator("h1")).not().hasText("\u00a0");
          assertThat(other.page().evaluate("document.documentElement.scrollWidth"))
              .as("%s at %d", path, width)
              .isEqualTo(width);
          assertThat(other.page().evaluate(NAMELESS))
              .as("controls without a name on %s", path)
              .isEqualTo(0);
        }
      }
    }
  }

  private static final String NAMELESS =
      """
      [...document.querySelectorAll("a[href], button, input, select, textarea")].filter(e => e.offsetParent
        && !(e.innerText ?? "").trim() && !e.getAttribute("aria-label") && !e.title && !e.labels?.length && e.getAttribute("aria-hidden") !== "true").length
      """;

  /** Stores a threshold on the CPU usage of a kind that opens with the first sample above it. */
  private String threshold(String name, String kind, int limit, String severity) {
    String answer =
        visitor.api("POST", "/thresholds", rule(name, kind, limit, severity, true), null);
    String id = JsonMapper.shared().readTree(answer).get("id").asString();
    made.add(id);
    return id;
  }

  private void disable(String id) {
    JsonNode stored = json("/thresholds/" + id);
    visitor.api(
        "PUT",
        "/thresholds/" + id,
        rule(
            stored.get("name").asString(),
            stored.at("/objectKind/objectKind").asString(),
            stored.at("/condition/levels/0/bound/value").asInt(),
            stored.at("/condition/levels/0/severity").asString(),
            false),
        "\"" + stored.get("version").asInt() + "\"");
  }

  private static Map<String, Object> rule(
      String name, String kind, int limit, String severity, boolean enabled) {
    return Map.of(
        "name",
        name,
        // The silent VM is judged for a while only; without it the numbers are always the same.
        "scope",
        Map.of("exclude", List.of(Map.of("name", "shop-web-03"))),
        "enabled",
        enabled,
        "objectKind",
        Map.of("adapterKind", "VMWARE", "objectKind", kind),
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
                Map.of("severity", severity, "bound", Map.of("type", "number", "value", limit)))),
        "alert",
        Map.of("impact", "health", "recommendations", List.of("Look at it.")),
        "intervalSeconds",
        5);
  }

  private JsonNode json(String path) {
    return JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
  }

  private int count(String path) {
    return json(path).get("total").asInt();
  }

  private int openAlerts() {
    return count("/alerts?limit=1");
  }

  private void awaitOpen(int alerts) {
    Awaitility.await().atMost(EVALUATED).until(() -> openAlerts() == alerts);
  }

  private static Page.GetByLabelOptions exact() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  private static Locator.FilterOptions named(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }
}
