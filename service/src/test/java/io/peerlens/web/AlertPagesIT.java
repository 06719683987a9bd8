package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.peerlens.web.PagesAlerts.HOSTS;
import static io.peerlens.web.PagesAlerts.VMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Alerts in a real browser on the real service, whose evaluator opened them: seen live and acted
 * upon with keys.
 */
@Order(2)
class AlertPagesIT extends PagesTest {

  private PagesAlerts alerts;
  private PagesRules rules;

  @Override
  PagesInstallation install() {
    return PagesInstallation.open(Set.of(Role.API), "peerlens.scopes.age=1ms");
  }

  @Override
  void prepare(Visitor first) {
    alerts = PagesAlerts.open(installation, new PagesRules(first));
    alerts.forget();
  }

  @BeforeEach
  void rulesOfTheVisitor() {
    rules = new PagesRules(visitor);
  }

  /** Each test sees only its own alerts. */
  @Override
  void tidy() {
    alerts.forget();
  }

  @Test
  void anAlertAppearsByItselfWhenItOpensAndLeavesWhenItCloses() {
    rules.enable(alerts.hostsRule(), false);
    rules.enable(alerts.vmsRule(), false);
    try (PeerlensServer ignored = installation.evaluator()) {
      anAlertComesAndGoes();
    } finally {
      rules.enable(alerts.vmsRule(), true);
      rules.enable(alerts.hostsRule(), true);
    }
  }

  private void anAlertComesAndGoes() {
    visitor.go("/alerts");
    assertThat(page.locator("main")).containsText("Nothing open");
    assertThat(page.locator("nav .n")).hasCount(0);
    rules.enable(alerts.hostsRule(), true);
    rules.awaitOpen(2);
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
    rules.enable(alerts.hostsRule(), false);
    rules.awaitOpen(0);
    assertThat(page.locator(".group").filter(named("Closed in the last hour"))).isVisible();
    assertThat(page.locator("nav .n")).hasCount(0);
  }

  @Test
  void alertsThatAnotherExplainsAreFoldedUnderIt() {
    alerts.put(HOSTS, VMS);
    alerts.about(VMS, "cpu|readiness_average");
    visitor.go("/alerts");
    Locator groups = page.locator(".group");
    assertThat(groups.first()).containsText(Pattern.compile("esx-a-0\\d is short of CPU"));
    assertThat(groups.first()).containsText(Pattern.compile("explains \\d alerts?: \\d on VMs"));
    Locator detail = page.getByLabel("Alert", exact());
    assertThat(detail.getByLabel("Around that time")).containsText("VMs are busy");
    assertThat(detail.locator(".say")).containsText("The threshold Hosts are busy sets this limit");
    assertThat(detail.locator(".say")).not().containsText("Open near it");
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
    alerts.put(VMS);
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
    assertThat(rules.count("/alerts?controlState=acknowledged")).isEqualTo(3);
    page.getByText("Undo", new Page.GetByTextOptions().setExact(true)).click();
    Awaitility.await().until(() -> rules.count("/alerts?controlState=acknowledged") == 0);
    page.keyboard().press("i");
    Awaitility.await().until(() -> rules.count("/alerts?owner=nobody") == 6);
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
    alerts.put(VMS);
    visitor.go("/alerts?by=none");
    assertThat(page.locator(ROWS)).hasCount(7);
    page.keyboard().press("x");
    assertThat(page.locator(".bulk")).containsText("1 selected");
    String first = page.locator(ROWS).first().locator("td.strong").innerText();
    alerts.put(HOSTS);
    assertThat(page.locator(".foot-line")).containsText("2 new since you began");
    assertThat(page.locator(ROWS)).hasCount(7);
    assertThat(page.locator(ROWS).first().locator("td.strong")).hasText(first);
    page.getByText("Show now").click();
    assertThat(page.locator(ROWS)).hasCount(9);
    assertThat(page.locator(ROWS).first()).containsText("Hosts are busy");
  }

  @Test
  void theFilterIsInTheAddressAndSeveritiesAreSwitches() {
    alerts.put(HOSTS, VMS);
    visitor.go("/alerts?by=none");
    page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Severities"))
        .getByTitle("Only critical")
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
    alerts.put(HOSTS);
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
    page.keyboard()
        .type("A-" + rules.json("/alerts?limit=1").get("items").get(0).get("number").asInt());
    assertThat(page.locator("#palette-list")).containsText("Hosts are busy on");
  }

  @Test
  void otherPagesShowOpenAlerts() {
    alerts.put(HOSTS);
    visitor.go("/");
    assertThat(page.locator("h1")).containsText("2 alerts are open");
    assertThat(page.getByLabel("Open alerts").locator("tbody tr")).hasCount(2);
    assertThat(page.locator(".rail .event")).not().hasCount(0);
    visitor.go("/explorer");
    assertThat(page.locator(".tree .findings").first()).containsText("2");
    page.getByLabel("Open alerts", new Page.GetByLabelOptions().setExact(true)).count();
    String host =
        rules.json("/alerts?limit=1").get("items").get(0).get("object").get("id").asString();
    visitor.go("/objects/" + host);
    assertThat(page.locator(".badges a").first())
        .hasAttribute("title", Pattern.compile("critical: 1 on it"));
    assertThat(page.getByLabel("Alerts and changes").locator(".bar-of[aria-label$='open']"))
        .hasCount(1);
    assertThat(page.locator("section.critical series-chart .plot"))
        .hasAttribute("aria-label", Pattern.compile("limit of critical 10"));
  }

  @Test
  void nothingMovesWhileAlertsComeAndGo() {
    alerts.put(VMS);
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
    alerts.put(HOSTS);
    assertThat(page.locator("nav .n")).hasText("9");
    alerts.cancel(HOSTS);
    assertThat(page.locator("nav .n")).hasText("7");
    assertThat(page.locator(ROWS)).hasCount(7);
    assertThat((List<?>) page.evaluate("globalThis.moved")).isEmpty();
  }

  @Test
  void keysTypedBeforeTheRowsAreThereWaitForThem() {
    alerts.put(HOSTS);
    visitor.go("/");
    assertThat(page.locator("h1")).containsText("2 alerts are open");
    List<Route> held = new ArrayList<>();
    page.route(Pattern.compile("/api/v1/alerts\\?limit=1000"), held::add);
    for (String key : List.of("g", "a", "j", "x", "Enter")) {
      page.keyboard().press(key);
    }
    assertThat(page.locator("h1")).hasText("Alerts");
    page.waitForCondition(() -> !held.isEmpty());
    assertThat(page).hasURL(Pattern.compile("/alerts$"));
    page.unroute(Pattern.compile("/api/v1/alerts\\?limit=1000"));
    held.forEach(Route::resume);
    assertThat(page).hasURL(Pattern.compile("/alerts/[0-9a-f-]{36}"));
    assertThat(page.locator("h1")).containsText("Hosts are busy on esx-a-0");
    page.keyboard().press("Escape");
    assertThat(page.locator("h1")).hasText("Alerts");
    assertThat(page).hasURL(Pattern.compile("row="));
  }

  /**
   * What closed lately may be read before what is open, and keys act on what is open all the same.
   */
  @Test
  void aKeyActsOnTheOpenAlertHoweverEarlyClosedOnesAreLoaded() {
    alerts.put(HOSTS, VMS);
    alerts.cancel(VMS);
    Pattern list = Pattern.compile("/api/v1/alerts\\?limit=1000");
    Pattern paths = Pattern.compile("/api/v1/objects/query");
    List<Route> lists = new ArrayList<>();
    page.route(list, lists::add);
    page.route(paths, route -> {});
    page.waitForResponse(
        response -> response.url().contains("state=canceled"), () -> visitor.go("/alerts?by=none"));
    page.evaluate(TWO_FRAMES);
    page.unroute(list);
    lists.forEach(Route::resume);
    assertThat(page.locator(ROWS)).hasCount(2);
    page.keyboard().press("x");
    assertThat(page.locator(".bulk")).containsText("1 selected");
    assertThat(page.locator(ROWS + ".sel")).hasCount(1);
  }

  @Test
  void aViewerSeesWhichRoleMayAct() {
    alerts.put(HOSTS);
    String alert = rules.json("/alerts?limit=1").get("items").get(0).get("id").asString();
    try (Visitor viewer = visitAs("viewer")) {
      for (String path : List.of("/alerts?by=none", "/alerts/" + alert)) {
        viewer.go(path);
        Locator take = viewer.page().getByRole(AriaRole.BUTTON, buttonNamed("Take I")).first();
        assertThat(take).isDisabled();
        assertThat(take).hasAttribute("title", "Needs the role operator");
        assertThat(viewer.page().getByLabel("Note", exact())).isDisabled();
        viewer.page().keyboard().press("a");
        assertThat(viewer.page().locator(".notice")).hasText("Needs the role operator");
      }
      viewer.go("/alerts?by=none");
      assertThat(viewer.page().locator(ROWS)).hasCount(2);
      viewer.page().keyboard().press("x");
      assertThat(viewer.page().locator(".bulk")).containsText("1 selected");
      assertThat(viewer.page().locator(".bulk button.ctl:enabled")).hasCount(0);
    }
    assertThat(rules.count("/alerts?controlState=acknowledged")).isZero();
  }

  @Test
  void anActionOfAnEndedSessionIsDoneAfterSigningIn() {
    alerts.put(HOSTS);
    visitor.go("/alerts?by=none");
    assertThat(page.locator(ROWS)).hasCount(2);
    visitor.context().clearCookies();
    page.keyboard().press("a");
    visitor.signInAgain();
    assertThat(page.locator(".notice")).containsText("acknowledged");
    assertThat(page.locator(ROWS)).hasCount(2);
    assertThat(rules.count("/alerts?controlState=acknowledged")).isEqualTo(1);
  }

  @Test
  void everyPageOfAlertsFitsTheWindowAndNamesItsControls() {
    alerts.put(HOSTS);
    String alert = rules.json("/alerts?limit=1").get("items").get(0).get("id").asString();
    assertFits(
        List.of(
            "/alerts",
            "/alerts/" + alert,
            "/thresholds",
            "/thresholds?tab=definitions",
            "/thresholds/" + alerts.hostsRule(),
            "/thresholds/new",
            "/thresholds/import",
            "/thresholds/definitions/new",
            "/settings",
            "/settings/maintenance/new",
            "/settings/groups/new"));
  }

  private static Page.GetByRoleOptions buttonNamed(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }
}
