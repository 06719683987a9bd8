package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Mouse;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Dashboards in a real browser on the real service: read, driven, edited and put together. */
class DashboardPagesIT extends PagesTest {

  private String hosts = "";

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @Override
  void prepare(Visitor first) {
    hosts = PagesDashboards.store(first, PagesDashboards.HOSTS);
  }

  private Locator panel(String name) {
    return page.locator("[data-panel=" + name + "]");
  }

  private String title(String panel) {
    return definition().at("/panels/" + panel + "/title").asString("");
  }

  private long version() {
    return PagesDashboards.read(visitor, hosts).path("version").asLong();
  }

  private JsonNode definition() {
    return PagesDashboards.read(visitor, hosts).path("definition");
  }

  @Test
  void theListLeadsToADashboardByKeysAndFindsItByItsKind() {
    visitor.go("/");
    page.keyboard().press("g");
    page.keyboard().press("d");
    assertThat(page.locator("h1")).hasText("Dashboards");
    Locator row = page.locator(ROWS).filter(named("Hosts and their VMs"));
    assertThat(row).containsText("Host");
    assertThat(row).containsText("shared");
    page.locator("#filter").fill("no such dashboard");
    assertThat(page.locator(".empty")).containsText("Nothing matches");
    page.locator("#filter").fill("hosts");
    row.getByRole(AriaRole.LINK).click();
    assertThat(page).hasURL(Pattern.compile("/dashboards/" + hosts));
    assertThat(page.locator("h1")).hasText("Hosts and their VMs");
  }

  @Test
  void aRowDrivesTheOtherPanelsAndTheAddressHoldsWhatIsChosen() {
    visitor.go("/dashboards/" + hosts);
    assertThat(page).hasURL(Pattern.compile("range=3h"));
    assertThat(panel("hosts").locator("tbody tr")).hasCount(2);
    assertThat(panel("vms")).hasAttribute("aria-label", "VMs of esx-a-01");
    assertThat(panel("vms").locator(".bar-row")).hasCount(4);
    assertThat(panel("line")).containsText("Choose");
    assertThat(panel("note").locator(".md b")).hasText("One");
    assertThat(panel("note")).containsText("<b>Not markup</b>");
    page.locator("h1").click();
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("v\\.host=[0-9a-f-]{36}"));
    assertThat(panel("vms")).hasAttribute("aria-label", "VMs of esx-a-02");
    assertThat(page.locator("#variable-host")).containsText("esx-a-02");
    panel("vms").locator(".bar-row").first().click();
    assertThat(page).hasURL(Pattern.compile("v\\.vm=[0-9a-f-]{36}"));
    assertThat(panel("line").locator("series-chart .plot"))
        .hasAttribute("aria-label", Pattern.compile("shop-web-0\\d in %.*last"));
    page.reload();
    assertThat(panel("vms")).hasAttribute("aria-label", "VMs of esx-a-02");
    page.locator("#variable-host").click();
    page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.TEXTBOX).fill("a-01");
    page.getByRole(AriaRole.DIALOG).getByText("esx-a-01").click();
    assertThat(panel("vms")).hasAttribute("aria-label", "VMs of esx-a-01");
  }

  @Test
  void aPanelIsSortedExplainedAndOpenedAsAPage() {
    visitor.go("/dashboards/" + hosts);
    Locator head = panel("hosts").locator("th").filter(named("Host")).getByRole(AriaRole.BUTTON);
    head.click();
    assertThat(page).hasURL(Pattern.compile("sort\\.hosts=-name"));
    assertThat(panel("hosts").locator("tbody tr").first()).containsText("esx-a-02");
    panel("hosts").getByLabel("Menu of Hosts").click();
    button(page, "Explain").click();
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("cpu|usage_average");
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("2 match, 2 report");
    page.keyboard().press("Escape");
    panel("hosts").getByLabel("Menu of Hosts").click();
    button(page, "Open as a page").click();
    assertThat(page.locator(".panel")).hasCount(1);
    page.keyboard().press("Escape");
    assertThat(page.locator(".panel")).hasCount(4);
  }

  @Test
  void panelsAreMovedByKeysAndTheMouseAndStepsAreTakenBackAfterAReload() {
    visitor.go("/dashboards/" + hosts);
    page.keyboard().press("e");
    assertThat(page.locator(".ed-pane")).isVisible();
    panel("hosts").locator(".cover").click();
    page.keyboard().press("Shift+ArrowRight");
    assertThat(page.locator(".unseen[role=status]"))
        .hasText("Hosts: column 1 of 12, row 1, 7 wide, 4 high");
    assertThat(panel("vms")).hasAttribute("style", Pattern.compile("--y: ?5"));
    Locator dots = panel("note").locator(".grip-dots");
    dots.scrollIntoViewIfNeeded();
    BoundingBox box = Objects.requireNonNull(dots.boundingBox());
    page.mouse().move(box.x + 4, box.y + 12);
    page.mouse().down();
    page.mouse().move(box.x + 4, box.y + 12 + 54 * 2, new Mouse.MoveOptions().setSteps(4));
    page.mouse().up();
    assertThat(page.locator(".unseen[role=status]")).hasText(Pattern.compile("^About: .*row 11"));
    visitor.go("/dashboards/" + hosts + "?edit=yes");
    page.keyboard().press("Control+z");
    page.keyboard().press("Control+z");
    assertThat(panel("vms")).hasAttribute("style", Pattern.compile("--y: ?1"));
    button(page, "Discard").click();
    assertThat(page.locator(".tb")).containsText("nothing changed yet");
  }

  @Test
  void aPanelIsAddedWithAMetricThatIsSearchedAndCounted() {
    String id =
        PagesDashboards.store(
            visitor, PagesDashboards.HOSTS.replace("Hosts and their VMs", "For adding"));
    visitor.go("/dashboards/" + id + "?edit=yes");
    assertThat(panel("hosts").locator("tbody tr")).hasCount(2);
    page.keyboard().press("a");
    page.getByRole(AriaRole.DIALOG).getByText("Scores").click();
    assertThat(page.locator(".panel.chosen")).containsText("Nothing to show yet");
    page.getByLabel("Kind", exact()).selectOption("VMWARE/VirtualMachine");
    assertThat(page.locator(".counted")).containsText("8 VMs match");
    page.locator("#add-column").fill("mem");
    Locator hit = page.locator(".hits li").filter(named("mem|usage_average"));
    assertThat(hit).containsText("of 8");
    hit.getByRole(AriaRole.BUTTON).click();
    assertThat(page.locator(".panel.chosen .score").first()).isVisible();
    page.locator("h1").click();
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    assertThat(
            PagesDashboards.read(visitor, id)
                .at("/definition/panels/scoreboard/columns/0/metric/any/0")
                .asString(""))
        .isEqualTo("mem|usage_average");
  }

  @Test
  void aSaveThatComesSecondIsPutTogetherAndAsksOnlyAboutWhatBothChanged() {
    String before = title("note");
    visitor.go("/dashboards/" + hosts + "?edit=yes");
    panel("note").locator(".cover").click();
    page.locator("#panel-title").fill("Mine");
    PagesDashboards.retitle(visitor, hosts, "vms", "VMs below $host");
    page.locator("h1").click();
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved together");
    assertThat(List.of(title("note"), title("vms"))).isEqualTo(List.of("Mine", "VMs below $host"));
    panel("note").locator(".cover").click();
    page.locator("#panel-title").fill("Mine again");
    PagesDashboards.retitle(visitor, hosts, "note", "Theirs");
    page.locator("h1").click();
    page.keyboard().press("Control+s");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog.locator(".both-changed")).hasCount(1);
    assertThat(dialog).containsText("title: Mine again");
    dialog.getByText("Theirs", exactText()).click();
    long stored = version();
    dialog.getByRole(AriaRole.BUTTON).filter(named("Save")).click();
    assertThat(dialog).hasCount(0);
    // The notice of the save before may still stand there.
    await().untilAsserted(() -> assertThat(version()).isGreaterThan(stored));
    assertThat(title("note")).isEqualTo("Theirs");
    PagesDashboards.retitle(visitor, hosts, "note", before);
    PagesDashboards.retitle(visitor, hosts, "vms", "VMs of $host");
  }

  @Test
  void aViewerWhoChangesASharedDashboardGetsACopy() {
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/dashboards/" + hosts + "?edit=yes");
      assertThat(viewer.page().locator(".tb")).containsText("Editing your copy");
      viewer.page().locator(".ed-pane input").first().fill("My hosts");
      viewer.page().locator("h1").click();
      viewer.page().keyboard().press("Control+s");
      assertThat(viewer.page().locator("h1")).hasText("My hosts");
      assertThat(viewer.page()).not().hasURL(Pattern.compile(hosts));
      assertThat(viewer.page().locator(".tb")).containsText("private");
    }
    assertThat(definition().path("name").asString("")).isEqualTo("Hosts and their VMs");
  }

  @Test
  void anObjectLeadsToTheDashboardsForItsKindAndTheseShowIt() {
    visitor.go("/explorer?q=esx-a-02");
    page.locator(ROWS).filter(named("esx-a-02")).getByRole(AriaRole.LINK).first().click();
    assertThat(page.locator("h1")).hasText("esx-a-02");
    page.getByLabel("Dashboards", exact()).getByText("Hosts and their VMs").click();
    assertThat(page).hasURL(Pattern.compile("v\\.host=[0-9a-f-]{36}"));
    assertThat(panel("vms")).hasAttribute("aria-label", "VMs of esx-a-02");
  }

  private static Locator.GetByTextOptions exactText() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  private void useAsOverview(String name) {
    page.getByLabel("Menu of " + name, exact()).click();
    button(page, "Use as overview").click();
  }

  @Test
  void aDashboardTakesThePlaceOfTheOverviewUntilTheUsualOneIsWanted() {
    visitor.go("/dashboards/" + hosts);
    useAsOverview("Hosts and their VMs");
    assertThat(page.locator(".notice")).containsText("Overview shows Hosts and their VMs");
    assertThat(page).hasURL(Pattern.compile("/dashboards/" + hosts));
    visitor.go("/");
    assertThat(page.locator("h1")).hasText("Hosts and their VMs");
    assertThat(page).hasURL(installation.url() + "/?range=3h");
    assertThat(page.locator("nav [aria-current=page]")).containsText("Overview");
    panel("hosts").locator("tbody tr").nth(1).click();
    assertThat(panel("vms")).hasAttribute("aria-label", "VMs of esx-a-02");
    assertThat(page).hasURL(Pattern.compile("/\\?range=3h&v\\.host=[0-9a-f-]{36}$"));
    page.keyboard().press("Escape");
    assertThat(page).hasURL(Pattern.compile("/\\?range=3h&v\\.host="));
    page.keyboard().press("g");
    page.keyboard().press("u");
    assertThat(page).hasURL(Pattern.compile("/outliers"));
    page.keyboard().press("g");
    page.keyboard().press("o");
    assertThat(page.locator("h1")).hasText("Hosts and their VMs");
    page.getByLabel("Menu of Hosts and their VMs", exact()).click();
    button(page, "Show the usual overview").click();
    assertThat(page.getByLabel("What is watched")).isVisible();
    button(page, "Undo").click();
    assertThat(panel("vms")).isVisible();
    page.getByLabel("Menu of Hosts and their VMs", exact()).click();
    button(page, "Show the usual overview").click();
    assertThat(page.getByLabel("What is watched")).isVisible();
    page.reload();
    assertThat(page.getByLabel("What is watched")).isVisible();
    assertThat(panel("vms")).hasCount(0);
  }

  @Test
  void anOverviewThatIsADashboardIsSharedAndEditedAsThatDashboard() {
    visitor.go("/dashboards/" + hosts);
    useAsOverview("Hosts and their VMs");
    visitor.go("/");
    panel("hosts").locator("tbody tr").nth(1).click();
    assertThat(page).hasURL(Pattern.compile("v\\.host="));
    page.evaluate("navigator.clipboard.writeText = async (text) => void (window.copied = text)");
    button(page, "Share").click();
    assertThat(page.locator(".notice")).containsText("Link copied");
    assertThat(String.valueOf(page.evaluate("window.copied")))
        .matches(
            Pattern.quote(installation.url() + "/dashboards/" + hosts)
                + "\\?range=3h&v\\.host=[0-9a-f-]{36}");
    panel("note").getByLabel("Menu of About").click();
    page.getByRole(AriaRole.DIALOG).getByText("Edit", exactText()).click();
    assertThat(page).hasURL(Pattern.compile("/dashboards/" + hosts + "\\?.*v\\.host=.*edit=yes"));
    assertThat(page.locator("#panel-title")).hasValue("About");
    page.goBack();
    assertThat(page).hasURL(Pattern.compile("/\\?range=3h&v\\.host=[0-9a-f-]{36}$"));
    assertThat(page.locator(".ed-pane")).hasCount(0);
    assertThat(panel("vms")).hasAttribute("aria-label", "VMs of esx-a-02");
  }

  @Test
  void anOverviewThatIsGoneGivesWayToTheUsualOneWhichSaysSo() {
    String id =
        PagesDashboards.store(
            visitor, PagesDashboards.HOSTS.replace("Hosts and their VMs", "Short-lived"));
    visitor.go("/dashboards/" + id);
    useAsOverview("Short-lived");
    String version = PagesDashboards.read(visitor, id).path("version").asString("");
    visitor.api("DELETE", "/dashboards/" + id, null, "\"" + version + "\"");
    visitor.go("/");
    Locator line = page.locator("main [role=note]").filter(named("Short-lived"));
    assertThat(line).containsText("is gone, or only its owner may see it");
    assertThat(page.getByLabel("What is watched")).isVisible();
    assertThat(page).hasURL(installation.url() + "/");
    assertThat(line.getByRole(AriaRole.LINK)).hasAttribute("href", "/dashboards");
    page.reload();
    line.getByRole(AriaRole.BUTTON).click();
    assertThat(line).hasCount(0);
    page.reload();
    assertThat(page.getByLabel("What is watched")).isVisible();
    assertThat(line).hasCount(0);
    visitor.complaints().removeIf(c -> c.contains("404"));
  }

  /** Texts on the wall that would be under 24 px on a screen of 1080 lines, with their size. */
  private static final String SMALL =
      """
      [...document.querySelectorAll(".wall-stage *")].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())
        && e.getClientRects().length && parseFloat(getComputedStyle(e).fontSize) < 12)
        .map(e => `${e.textContent.trim().slice(0, 40)} in ${e.closest("[data-panel]")?.dataset.panel}: ${getComputedStyle(e).fontSize}`)
      """;

  @Test
  void theWallSwitchDrawsTheDashboardAsAWallDoes() {
    visitor.go("/dashboards/" + hosts + "?edit=yes");
    assertThat(panel("hosts").locator("tbody tr")).hasCount(2);
    assertThat(page.locator(".ed-pane")).containsText("Wall, 3 m: all can be read");
    page.keyboard().press("w");
    assertThat(page.locator(".canvas")).containsText("All of it can be read on a wall.");
    assertThat(page.locator(".ed-pane")).hasCount(0);
    assertThat(page.locator(".panel.marked")).hasCount(0);
    assertThat(panel("vms").locator(".bar-row")).hasCount(4);
    assertThat((List<?>) page.evaluate(SMALL)).isEmpty();
    BoundingBox stage = Objects.requireNonNull(page.locator(".wall-stage").boundingBox());
    BoundingBox room = Objects.requireNonNull(page.locator(".wall-room").boundingBox());
    assertThat(stage.width / stage.height).isCloseTo(16 / 9.0, Offset.offset(0.01));
    assertThat(stage.width).isLessThanOrEqualTo(room.width + 1);
    BoundingBox last = Objects.requireNonNull(panel("note").boundingBox());
    assertThat(last.y + last.height).isLessThan(stage.y + stage.height);
    assertThat(last.x + last.width).isLessThan(stage.x + stage.width);
    page.keyboard().press("Escape");
    assertThat(page.locator(".ed-pane")).isVisible();
    assertThat(page.locator(".wall-stage")).hasCount(0);
  }

  @Test
  void whatCannotBeReadOnAWallIsSaidAndMarkedAndNoTextThereIsTooSmall() {
    String id =
        PagesDashboards.store(
            visitor,
            PagesDashboards.EVERY_KIND
                .replace("Every kind of panel", "Crowded")
                .replace(
                    "\"alerts\", \"x\": 4, \"y\": 10, \"w\": 3",
                    "\"alerts\", \"x\": 4, \"y\": 10, \"w\": 1"));
    visitor.go("/dashboards/" + id + "?edit=yes");
    assertThat(panel("table").locator("tbody tr").first()).isVisible();
    Locator line = page.locator(".ed-pane .foot-line").filter(named("Wall, 3 m"));
    assertThat(line).containsText(Pattern.compile("[1-9]\\d? panels? cannot be read"));
    line.getByRole(AriaRole.BUTTON).click();
    Locator found = page.getByLabel("What cannot be read on a wall");
    assertThat(found).containsText("Alerts: too small to be read");
    Locator parts = page.getByLabel("Parts on a wall");
    assertThat(parts).containsText("A wall shows it in 3 parts");
    assertThat(page.locator(".wall-stage .panel")).hasCount(5);
    assertThat(panel("alerts")).hasCount(0);
    for (int part = 1; part <= 3; part++) {
      parts.getByLabel("Part " + part, new Locator.GetByLabelOptions().setExact(true)).click();
      assertThat(page.locator(".wall-stage-head")).containsText(part + " of 3");
      assertThat((List<?>) page.evaluate(SMALL)).as("part %d", part).isEmpty();
    }
    assertThat(panel("alerts")).hasClass(Pattern.compile("\\bmarked\\b"));
  }

  @Test
  void escLeavesTheEditorAlsoAfterTheDialogOfVariables() {
    visitor.go("/dashboards/" + hosts + "?edit=yes");
    button(page, "Change variables").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.getByLabel("Name of a new variable").fill("cluster");
    page.keyboard().press("Escape");
    assertThat(dialog).hasCount(0);
    assertThat(page.locator(".ed-pane")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator(".ed-pane")).hasCount(0);
    assertThat(page.locator("h1")).hasText("Hosts and their VMs");
    visitor.go("/dashboards/" + hosts + "?edit=yes");
    button(page, "Change variables").click();
    dialog.getByLabel("Name of a new variable").click();
    page.keyboard().press("Escape");
    page.keyboard().press("Escape");
    assertThat(page.locator(".ed-pane")).hasCount(0);
  }

  @Test
  void aConditionThatLeavesNothingIsDroppedWhileOneReads() {
    String id =
        PagesDashboards.store(
            visitor,
            """
            { "name": "Too much asked", "time": { "last": "3h" },
              "panels": { "busy": { "type": "table", "title": "Busy hosts", "kind": "VMWARE/HostSystem",
                "select": { "where": [[{ "metric": { "any": ["cpu|usage_average"] }, "op": ">", "value": 1000 }]] },
                "columns": [{ "name": "name", "title": "Host", "attribute": "name" }] } },
              "layout": [{ "items": [{ "panel": "busy", "x": 1, "y": 1, "w": 6, "h": 5 }] }] }
            """);
    visitor.go("/dashboards/" + id);
    assertThat(panel("busy")).containsText("No object matches");
    panel("busy").getByText("Drop this condition").click();
    assertThat(panel("busy").locator("tbody tr")).hasCount(2);
    assertThat(panel("busy").locator(".note")).containsText("without cpu|usage_average");
    assertThat(PagesDashboards.read(visitor, id).at("/definition/panels/busy/select/where"))
        .hasSize(1);
    panel("busy").getByLabel("Menu of Busy hosts").click();
    button(page, "Take the condition back").click();
    assertThat(panel("busy")).containsText("No object matches");
  }

  @Test
  void titlesNamesAndFiguresOfPanelsHaveTheirRoomAndStandOnce() {
    String id = PagesDashboards.store(visitor, PagesDashboards.EVERY_KIND);
    visitor.go("/dashboards/" + id);
    assertThat(panel("chart").locator("series-chart .plot")).hasCount(1);
    assertThat(panel("chart").locator("series-chart header")).not().containsText("CPU usage");
    assertThat(panel("table").locator(".spark-cell").first()).isVisible();
    assertThat(panel("nothing").getByText("Add a vCenter")).isVisible();
    panel("bars").scrollIntoViewIfNeeded();
    assertThat(panel("bars").locator(".bar-row").first()).isVisible();
    assertThat(
            (List<?>)
                page.evaluate(
                    "[...document.querySelectorAll('[data-panel=bars] .bar-name, [data-panel=table] td:has(.spark-cell)')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent.trim())"))
        .as("what is cut")
        .isEmpty();
  }

  @Test
  void onAPhoneATableHasItsFirstThreeColumnsAndLeadsToTheOthers() {
    String column =
        "{ \"name\": \"c%1$d\", \"title\": \"Column %1$d\", \"metric\": { \"any\": [\"cpu|usage_average\"] }, \"unit\": \"%%\" }";
    String id =
        PagesDashboards.store(
            visitor,
            """
            { "name": "Many columns", "time": { "last": "3h" },
              "panels": { "all": { "type": "table", "title": "Hosts", "kind": "VMWARE/HostSystem",
                "columns": [{ "name": "name", "title": "Host", "attribute": "name" }, %s, %s, %s, %s] } },
              "layout": [{ "items": [{ "panel": "all", "x": 1, "y": 1, "w": 12, "h": 5 }] }] }
            """
                .formatted(
                    column.formatted(1),
                    column.formatted(2),
                    column.formatted(3),
                    column.formatted(4)));
    page.setViewportSize(390, 844);
    visitor.go("/dashboards/" + id);
    assertThat(panel("all").locator("th")).hasCount(3);
    assertThat(panel("all").locator(".foot-line")).containsText("first 3 of 5 columns");
    assertThat(page.evaluate("document.querySelector('.panel-scroll').scrollWidth <= innerWidth"))
        .isEqualTo(true);
    panel("all").getByText("Show more").click();
    assertThat(panel("all").locator("th")).hasCount(5);
  }

  @Test
  void onAPhonePanelsStandBelowEachOtherAsTheyAreRead() {
    page.setViewportSize(390, 844);
    visitor.go("/dashboards/" + hosts);
    assertThat(panel("vms").locator(".bar-row").first()).isVisible();
    List<?> tops =
        (List<?>)
            page.evaluate(
                "[...document.querySelectorAll('.panel')].map(e => ({ name: e.dataset.panel, left: Math.round(e.getBoundingClientRect().left) }))");
    assertThat(tops)
        .isEqualTo(
            List.of(
                Map.of("name", "hosts", "left", 0),
                Map.of("name", "vms", "left", 0),
                Map.of("name", "line", "left", 0),
                Map.of("name", "note", "left", 0)));
  }

  @Test
  void findingsAreDrawnFromTheirAnswersAndNothingElseIsAskedFor() {
    List<String> asked = new ArrayList<>();
    page.onRequest(request -> asked.add(request.url()));
    visitor.go("/dashboards/" + PagesDashboards.store(visitor, PagesDashboards.FINDINGS));
    assertThat(panel("outliers")).containsText("Nothing compares these objects");
    assertThat(panel("talkers")).containsText("No flow was ever reported");
    assertThat(panel("capacity")).containsText("mem|usage_average");
    Locator change = panel("impact").locator("li");
    assertThat(change).hasCount(1);
    assertThat(change).containsText("shop-web-02");
    change.getByRole(AriaRole.LINK).click();
    assertThat(page).hasURL(Pattern.compile("/compare\\?.*change=\\d+"));
    assertThat(asked).anyMatch(url -> url.endsWith("/panels/query"));
    assertThat(asked)
        .filteredOn(url -> !url.contains("/compare"))
        .noneMatch(
            url ->
                url.matches(
                    ".*/api/v1/(outlier-events|top-talkers|objects/.*/(changes|forecasts)).*"));
  }

  @Test
  void thePagesFitInBothThemes() {
    assertFits(
        List.of(
            "/dashboards",
            "/dashboards/" + hosts,
            "/dashboards/" + hosts + "?edit=yes",
            "/dashboards/new"));
  }
}
