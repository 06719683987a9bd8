package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages in a real browser on the real service: what people do with them, key by key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(2)
class PagesIT {

  private static final int FIRST_VIEW = 150 * 1024;

  /** Pages that need nothing to be there. */
  static final List<String> PATHS =
      List.of(
          "/",
          "/explorer",
          "/compare",
          "/why-slow",
          "/alerts",
          "/outliers",
          "/outliers/new",
          "/reports",
          "/reports/new",
          "/top-talkers",
          "/top-talkers/flows",
          "/top-talkers/networks",
          "/top-talkers/reports",
          "/top-talkers/reports/new",
          "/wall",
          "/walls",
          "/walls/new",
          "/super-metrics",
          "/super-metrics/new",
          "/super-metrics/import",
          "/thresholds",
          "/thresholds/new",
          "/thresholds/import",
          "/thresholds/definitions/new",
          "/notifications",
          "/notifications/rules/new",
          "/notifications/templates/generic-json",
          "/notifications/templates/import",
          "/notifications/targets/new",
          "/notifications/relays/new",
          "/notifications/silences/new",
          "/sources",
          "/benchmark-runs",
          "/benchmark-runs/import",
          "/ingest",
          "/settings",
          "/settings/audit",
          "/settings/maintenance/new",
          "/settings/groups/new");

  private static final String HEADS = ".results th .name .cut";

  private Chromium chromium;
  private PagesInstallation installation;
  private BrowserContext context;
  private Page page;
  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation = PagesInstallation.open();
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
    visit(1440, 900, ColorScheme.LIGHT);
  }

  /** Nothing that a test does may end in a script error or be refused by the content policy. */
  @AfterEach
  void nothingWasComplainedAbout() {
    page.navigate("about:blank");
    context.close();
    List<String> heard =
        complaints.stream().filter(c -> !c.contains("ERR_NETWORK_CHANGED")).toList();
    complaints.clear();
    assertThat(heard).as("errors on the console").isEmpty();
  }

  @Test
  void aWrongTokenIsRefusedInWordsAndARightOneOpensThePage() {
    page.navigate(installation.url() + "/");
    Locator token = page.getByLabel("API token");
    token.fill("plt_wrong");
    token.press("Enter");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText(Pattern.compile("\\S"));
    token.fill(installation.token());
    token.press("Enter");
    assertThat(page.locator("h1")).containsText(Pattern.compile("objects? reports?"));
  }

  @Test
  void timesAreShownInTheZoneThatIsChosen() {
    go("/settings");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("UTC").setExact(true))
        .click();
    go("/");
    assertThat(page.locator("#range")).containsText(" UTC");
    go("/settings");
    page.getByRole(AriaRole.BUTTON, named("Another")).click();
    Locator zone = page.locator("input[aria-label='Time zone']");
    zone.fill("Asia/Kolkata");
    zone.press("Tab");
    assertThat(page.locator("section[aria-label=Appearance]")).containsText("GMT+5:30");
    go("/");
    assertThat(page.locator("#range")).containsText("GMT+5:30");
    Matcher shown =
        Pattern.compile("(\\d\\d:\\d\\d) GMT").matcher(page.locator("#range").innerText());
    org.assertj.core.api.Assertions.assertThat(shown.find()).isTrue();
    LocalTime there = LocalTime.now(ZoneId.of("Asia/Kolkata"));
    long minutes = Duration.between(LocalTime.parse(shown.group(1)), there).toMinutes();
    org.assertj.core.api.Assertions.assertThat(Math.floorMod(minutes, 24 * 60L)).isLessThan(5);
    page.evaluate("localStorage.removeItem('peerlens.zone')");
  }

  @Test
  void helpIsAKeyAwayAndLeadsToTheDocumentationOfThePage() {
    go("/thresholds");
    page.keyboard().press("?");
    Locator link = page.getByRole(AriaRole.DIALOG).getByText("Thresholds and alerts");
    assertThat(link).isVisible();
    link.click();
    assertThat(page).hasURL(Pattern.compile("/help/alerting"));
    assertThat(page.locator(".help-doc h1")).hasText("Thresholds and alerts");
    page.getByLabel("Search the help").fill("hysteresis flapping");
    page.getByLabel("Search the help").fill("egress");
    assertThat(page.locator(".help-found a").first()).isVisible();
    page.locator(".help-found a").first().click();
    assertThat(page.locator(".help-doc h1")).isVisible();
    page.keyboard().press("Control+k");
    page.getByRole(AriaRole.COMBOBOX).fill("formula language");
    page.getByText("Help: The formula language").click();
    assertThat(page.locator(".help-doc h1")).hasText("The formula language");
  }

  /** A laptop that changes its network loses what it is loading. */
  @Test
  void aBrieflyLostConnectionIsRetried() {
    Set<String> lost = new HashSet<>();
    try (Visitor visitor = Visitor.of(chromium, installation, 1440, ColorScheme.LIGHT)) {
      // Before the first page: Chromium does not intercept at once what a page asks for that is
      // open.
      boolean[] away = {false};
      visitor
          .page()
          .route(
              Pattern.compile("/bundles/inventory-|/api/v1/objects/query"),
              route -> {
                if (away[0] && lost.add(route.request().url())) {
                  route.abort("connectionreset");
                } else {
                  route.resume();
                }
              });
      visitor.go("/");
      away[0] = true;
      visitor.page().keyboard().press("g");
      visitor.page().keyboard().press("e");
      assertThat(visitor.page().locator("h1")).hasText("Explorer");
      assertThat(visitor.page().locator(".results tbody tr:not(.gap)").first()).isVisible();
      visitor.complaints().removeIf(complaint -> complaint.contains("ERR_CONNECTION_RESET"));
    }
    assertThat(lost).as("lost once each").hasSize(2);
  }

  /** The bundles of its version are gone. */
  @Test
  void aWindowThatOutlivesAnUpdateReloads() {
    boolean[] updated = {false};
    go("/");
    page.route(
        Pattern.compile("/bundles/inventory-"),
        route -> {
          if (updated[0]) {
            route.resume();
          } else {
            route.fulfill(new Route.FulfillOptions().setStatus(404));
          }
        });
    page.route(
        installation.url() + "/",
        route -> {
          updated[0] = true;
          route.fulfill(
              new Route.FulfillOptions().setBody("<script src=\"/bundles/main-NEW.js\">"));
        });
    page.keyboard().press("g");
    page.keyboard().press("e");
    assertThat(page.locator("h1")).hasText("Explorer");
    assertThat(page.locator(".results tbody tr:not(.gap)").first()).isVisible();
    assertThat(updated[0]).isTrue();
    complaints.removeIf(complaint -> complaint.contains("404"));
  }

  @Test
  void overviewSaysHowManyReportAndNamesTheSilent() {
    go("/");
    assertThat(page.locator("h1")).containsText("silent");
    Locator silent = page.getByLabel("Silent objects");
    assertThat(silent).containsText("shop-web-03");
    assertThat(silent.getByRole(AriaRole.IMG)).hasCount(1);
    assertThat(page.getByLabel("What is watched")).containsText("VMs");
  }

  @Test
  void theExplorerIsUsedWithKeysAloneAndKeepsItsFilterInTheAddress() {
    go("/");
    page.keyboard().press("g");
    page.keyboard().press("e");
    assertThat(page.locator("h1")).hasText("Explorer");
    page.keyboard().press("/");
    page.keyboard().type("kind:VirtualMachine tag:tier=web name:shop-web-0");
    assertThat(page).hasURL(Pattern.compile("tier"));
    assertThat(page.locator(".results tbody tr:not(.gap)").first()).containsText("shop-web-01");
    page.keyboard().press("Escape");
    page.keyboard().press("j");
    page.keyboard().press("j");
    assertThat(page.locator("tr.sel")).containsText("shop-web-02");
    page.reload();
    assertThat(page.locator("tr.sel")).containsText("shop-web-02");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("shop-web-02");
  }

  @Test
  void columnsAreChosenMovedAndResizedAndTheLinkShowsThemToOthers() {
    go("/explorer?q=kind:VirtualMachine");
    Locator heads = page.locator(HEADS);
    assertThat(heads)
        .hasText(
            new String[] {
              "Name",
              "Kind",
              "In",
              "Tags",
              "CPU usage",
              "Memory usage",
              "Network sent",
              "Last sample"
            });
    page.getByRole(AriaRole.BUTTON, named("Columns")).click();
    page.getByRole(AriaRole.CHECKBOX, exactly("Tags")).uncheck();
    page.getByRole(AriaRole.CHECKBOX, named("First seen")).check();
    page.getByRole(AriaRole.CHECKBOX, named("guest")).check();
    page.keyboard().press("Escape");
    page.locator("th[data-column=lastSeen]").dragTo(page.locator("th[data-column=objectKind]"));
    assertThat(heads)
        .hasText(
            new String[] {
              "Name",
              "Last sample",
              "Kind",
              "In",
              "CPU usage",
              "Memory usage",
              "Network sent",
              "First seen",
              "guest"
            });
    Locator last = page.locator("th[data-column=lastSeen] .name");
    last.focus();
    page.keyboard().press("Alt+ArrowRight");
    String[] order = {
      "Name",
      "Kind",
      "Last sample",
      "In",
      "CPU usage",
      "Memory usage",
      "Network sent",
      "First seen",
      "guest"
    };
    assertThat(heads).hasText(order);
    assertThat(last).isFocused();
    assertThat(page.locator(".results tbody tr:not(.gap)").first())
        .containsText("debian13_64Guest");
    double before = page.locator("th[data-column=lastSeen]").boundingBox().width;
    page.keyboard().press("Shift+ArrowRight");
    assertThat(page.locator("th[data-column=lastSeen]"))
        .hasJSProperty("offsetWidth", Math.toIntExact(Math.round(before)) + 16);
    dragBy(page.locator("th[data-column=objectKind] .grip"), 60);
    assertThat(page.locator("th[data-column=objectKind]")).hasJSProperty("offsetWidth", 164);

    String link = page.url();
    go("/explorer?q=kind:VirtualMachine");
    assertThat(heads).hasText(order);
    assertThat(page).hasURL(link);
    assertThat(page.locator("th[data-column=objectKind]")).hasJSProperty("offsetWidth", 164);
    go("/explorer");
    assertThat(heads).hasText(new String[] {"Name", "Kind", "In", "Tags", "Last sample"});

    context.close();
    visit(1440, 900, ColorScheme.DARK);
    go(link.substring(installation.url().length()));
    assertThat(page.locator(HEADS)).hasText(order);
    page.getByRole(AriaRole.BUTTON, named("Columns")).click();
    page.getByRole(AriaRole.BUTTON, named("Reset")).click();
    assertThat(page.locator(HEADS))
        .hasText(
            new String[] {
              "Name",
              "Kind",
              "In",
              "Tags",
              "CPU usage",
              "Memory usage",
              "Network sent",
              "Last sample"
            });
    assertThat(page).not().hasURL(Pattern.compile("columns"));
  }

  @Test
  void theLineBetweenTreeAndListIsDraggedMovedWithKeysAndPutBack() {
    go("/explorer");
    Locator line = page.getByRole(AriaRole.SEPARATOR);
    Locator tree = page.getByRole(AriaRole.REGION, exactly("Tree"));
    assertThat(tree).hasJSProperty("offsetWidth", 280);
    dragBy(line, 100);
    assertThat(tree).hasJSProperty("offsetWidth", 380);
    line.focus();
    page.keyboard().press("ArrowLeft");
    assertThat(tree).hasJSProperty("offsetWidth", 364);
    assertThat(line).hasAttribute("aria-valuenow", "364");
    page.reload();
    assertThat(tree).hasJSProperty("offsetWidth", 364);
    dragBy(line, -2000);
    assertThat(tree).hasJSProperty("offsetWidth", 180);
    line.dblclick();
    assertThat(tree).hasJSProperty("offsetWidth", 280);
    page.reload();
    assertThat(tree).hasJSProperty("offsetWidth", 280);
  }

  @Test
  void thePaletteFindsPeopleSettingsTimesAndActionsEachByItsSign() {
    go("/");
    assertThat(page.locator("h1")).containsText("silent");
    Locator list = page.locator("#palette-list li");
    page.keyboard().press("Control+k");
    assertThat(page.locator(".palette input")).isFocused();
    page.keyboard().type("@");
    assertThat(list.first()).containsText("admin, you");
    page.keyboard().type("nobody of this name");
    assertThat(list).hasText("Nothing matches.");
    page.keyboard().press("Escape");
    page.keyboard().press("Control+k");
    assertThat(page.locator(".palette input")).hasValue("");
    page.keyboard().type(">the");
    assertThat(list.first()).containsText("Theme");
    assertThat(list.first()).containsText("D");
    page.locator(".palette input").fill(":yesterday 9-11");
    assertThat(list.first()).containsText("Range: yesterday 9-11");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("from=.*to="));
    page.keyboard().press("Control+k");
    page.keyboard().type("web");
    assertThat(list.first()).containsText("shop-web-01");
    page.locator(".palette input").fill("guards");
    assertThat(list.first()).containsText("Settings: Guards");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Settings");
    assertThat(page.locator("section[aria-label=Guards] input").first()).isFocused();
    page.keyboard().press("Escape");
    page.locator("h1").click();
    page.keyboard().press("Control+k");
    assertThat(list.first()).containsText("Settings: Guards");
  }

  @Test
  void aCrowdOfRowsKeepsThePageSmall() {
    page.route(
        "**/api/v1/objects/query",
        route -> {
          StringBuilder items = new StringBuilder();
          for (int i = 0; i < 1000; i++) {
            items
                .append(i == 0 ? "" : ",")
                .append(
                    """
                    {"id":"%08d-0000-5000-8000-000000000000","adapterKind":"VMWARE","objectKind":"VirtualMachine","externalId":"vm-%d","name":"vm-%d",
                    "properties":{},"tags":{},"firstSeen":"2026-11-20T00:00:00Z","lastSeen":"2026-11-20T01:00:00Z","state":"reporting"}"""
                        .formatted(i, i, i));
          }
          route.fulfill(
              new Route.FulfillOptions()
                  .setContentType("application/json")
                  .setBody("{\"items\":[" + items + "],\"nextCursor\":\"1\",\"total\":10000}"));
        });
    go("/explorer");
    assertThat(page.getByLabel("Results").locator("h2")).hasText("10,000 objects");
    page.locator(".results").evaluate("box => box.scrollTop = 20000");
    assertThat(page.locator(".results")).containsText("vm-720");
    assertThat(page.locator(".results tr").count()).isLessThan(120);
  }

  @Test
  void anObjectPageDrawsItsMetricsAndSaysThemInWords() {
    goToObject("shop-web-01", "?range=1h");
    Locator charts = page.locator("series-chart");
    assertThat(charts.first().locator("[role=img]"))
        .hasAttribute("aria-label", Pattern.compile("CPU usage in %.*last \\d"));
    assertThat(inked(charts.first())).as("pixels that are drawn").isGreaterThan(500);
    assertThat(page.getByLabel("Properties")).containsText("tier web");
    assertThat(page.getByLabel("Relations")).containsText("esx-a-0");
    charts.first().hover();
    charts.first().getByTitle("Show as table").click();
    assertThat(charts.first().locator("tbody tr").first()).containsText(Pattern.compile("\\d"));
  }

  @Test
  void aSilentObjectSaysSinceWhen() {
    goToObject("shop-web-03", "?range=3h");
    assertThat(page.locator("main")).containsText("silent for");
    assertThat(page.locator("series-chart header").first()).containsText("last ");
  }

  @Test
  void draggingZoomsThePageADoubleClickLeadsBackAndAClickPinsTheCursor() {
    goToObject("shop-web-01", "?range=1h");
    Locator plot = page.locator("series-chart .plot").first();
    assertThat(plot).hasAttribute("aria-label", Pattern.compile("last"));
    BoundingBox box = plot.boundingBox();
    double y = box.y + box.height / 2;
    page.mouse().move(box.x + 100, y);
    page.mouse().down();
    page.mouse().move(box.x + 190, y);
    page.mouse().up();
    assertThat(page).hasURL(Pattern.compile("from=.*to="));
    page.mouse().dblclick(box.x + 100, y);
    assertThat(page).hasURL(Pattern.compile("range=1h"));
    page.mouse().click(box.x + 120, y);
    assertThat(page).hasURL(Pattern.compile("pin="));
    assertThat(page.locator(".live")).containsText("Pinned at");
    page.keyboard().press("Escape");
    assertThat(page).not().hasURL(Pattern.compile("pin="));
  }

  @Test
  void aCopiedLinkShowsTheSameViewToOthers() {
    goToObject("shop-web-01", "?range=1h");
    assertThat(page.locator("series-chart").first()).isVisible();
    page.keyboard().press("v");
    page.keyboard().type("shop-web-02");
    assertThat(page.locator(".palette li").first()).containsText("shop-web-02");
    page.keyboard().press("Enter");
    assertThat(page.getByLabel("Compared objects")).containsText("shop-web-02");
    BoundingBox box = page.locator("series-chart .plot").first().boundingBox();
    page.mouse().click(box.x + 120, box.y + 40);
    assertThat(page).hasURL(Pattern.compile("pin="));
    page.keyboard().press("y");
    assertThat(page.locator(".notice")).containsText("Link copied");
    String link = (String) page.evaluate("navigator.clipboard.readText()");
    Page other = context.newPage();
    other.navigate(link);
    assertThat(other.getByLabel("Compared objects")).containsText("shop-web-02");
    assertThat(other.locator(".live")).containsText("Pinned at");
    assertThat(other.locator("series-chart")).hasCount(page.locator("series-chart").count());
    assertThat(other.locator("series-chart header b").allInnerTexts())
        .isEqualTo(page.locator("series-chart header b").allInnerTexts());
  }

  @Test
  void anEndedSessionAsksOverThePageAndLosesNothing() {
    go("/settings");
    page.getByLabel("Name, who or what uses it").fill("half typed");
    context.clearCookies();
    page.getByRole(AriaRole.BUTTON, named("Create token")).click();
    assertThat(page.getByText("Your session has ended")).isVisible();
    page.getByLabel("API token").fill(installation.token());
    page.keyboard().press("Enter");
    assertThat(page.locator(".secret")).containsText("half typed");
    assertThat(page.locator(".secret code")).hasText(Pattern.compile("\\S{20,}"));
  }

  @Test
  void revokingATokenCanBeTakenBack() {
    go("/settings");
    page.getByLabel("Name, who or what uses it").fill("for a while");
    page.getByRole(AriaRole.BUTTON, named("Create token")).click();
    page.getByText("I have it").click();
    page.getByLabel("Revoke for a while").click();
    assertThat(page.locator("tr s")).hasText("for a while");
    page.getByText("Undo", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("tr s")).hasCount(0);
  }

  @Test
  void tokensAreDistinguishedAndReplaced() {
    go("/settings");
    page.getByLabel("Name, who or what uses it").fill("to be replaced");
    page.getByRole(AriaRole.BUTTON, named("Create token")).click();
    String first = page.locator(".secret code").innerText();
    assertThat(page.locator("tr").filter(containing("to be replaced")))
        .containsText(first.substring(0, 8));
    page.getByLabel("Replace to be replaced").click();
    assertThat(page.locator(".secret code")).not().hasText(first);
    assertThat(page.locator("tr").filter(containing("to be replaced"))).hasCount(2);
    assertThat(page.locator("tr").filter(containing("you"))).containsText("never");
  }

  @Test
  void aSessionElsewhereIsEnded() {
    try (Visitor elsewhere = Visitor.of(chromium, installation, 1440, ColorScheme.LIGHT)) {
      elsewhere.go("/");
      go("/settings");
      Locator ends = page.getByLabel(Pattern.compile("^End the session of admin at 127"));
      assertThat(ends.first()).isVisible();
      Locator all = page.getByText(Pattern.compile("^\\s*All \\d+\\s*$"));
      if (all.isVisible()) {
        all.click();
        assertThat(page.getByText("The newest", new Page.GetByTextOptions().setExact(true)))
            .isVisible();
      }
      assertThat(page.locator("tr").filter(containing("this one"))).containsText("Chrome");
      int before = ends.count();
      ends.first().click();
      assertThat(ends).hasCount(before - 1);
    }
  }

  private static Locator.FilterOptions containing(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  void aSaveThatComesSecondShowsBothVersions() {
    go("/settings");
    Locator raw = page.locator("input[name=raw]");
    assertThat(raw).not().hasValue("");
    page.evaluate(
        """
        async () => {
          const { csrfToken } = await (await fetch("/api/v1/session")).json();
          const read = await fetch("/api/v1/settings/retention");
          const settings = { ...(await read.json()), raw: "21d", rollup5m: "90d", rollup1h: "730d" };
          const saved = await fetch("/api/v1/settings/retention", { method: "PUT", body: JSON.stringify(settings),
            headers: { "Content-Type": "application/json", "X-CSRF-Token": csrfToken, "If-Match": read.headers.get("ETag") } });
          if (!saved.ok) throw new Error(await saved.text());
        }
        """);
    raw.fill("20d");
    page.locator("form:has(input[name=raw])").getByText("Save").click();
    assertThat(page.locator(".versions")).containsText("21d");
    assertThat(page.locator(".versions")).containsText("20d");
    page.getByText("Save mine over it").click();
    assertThat(page.locator(".notice")).containsText("Retention saved");
  }

  @Test
  void anErrorStaysInItsPaneAndIsTriedAgain() {
    page.route(
        "**/api/v1/timeline*",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(503)
                    .setContentType("application/problem+json")
                    .setBody(
                        "{\"type\":\"about:blank\",\"title\":\"Not available\",\"status\":503,\"code\":\"unavailable\",\"detail\":\"The database does not answer.\"}")));
    go("/");
    Locator changed = page.getByLabel("What changed");
    assertThat(changed).containsText("The database does not answer.");
    assertThat(page.getByLabel("What is watched")).containsText("VMs");
    page.unroute("**/api/v1/timeline*");
    changed.getByText("Retry").click();
    assertThat(changed).not().containsText("does not answer");
    complaints.removeIf(c -> c.contains("503"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1280, 1440, 1920})
  void everyPageFitsTheWindowAndNamesItsControls(int width) {
    for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      context.close();
      visit(width, 900, theme);
      for (String path : List.of("/", "/explorer", "/ingest", "/settings", "/alerts", "/ui-kit")) {
        go(path);
        assertThat(page.locator("h1")).not().hasText("\u00a0");
        assertThat(page.evaluate("document.documentElement.scrollWidth"))
            .as("%s at %d", path, width)
            .isEqualTo(width);
        assertThat(page.evaluate(NAMELESS)).as("controls without a name on %s", path).isEqualTo(0);
      }
    }
  }

  private static final String NAMELESS =
      """
      [...document.querySelectorAll("a[href], button, input, select, textarea")].filter(e => e.offsetParent
        && !(e.innerText ?? "").trim() && !e.getAttribute("aria-label") && !e.title && !e.labels?.length && e.getAttribute("aria-hidden") !== "true").length
      """;

  @Test
  void theFirstViewIsSmallAndUsesNoOtherHost() {
    List<String> elsewhere = new ArrayList<>();
    page.onRequest(
        (Request r) -> {
          if (!r.url().startsWith(installation.url())) elsewhere.add(r.url());
        });
    go("/");
    assertThat(page.locator("h1")).containsText(Pattern.compile("\\S"));
    Object bytes =
        page.evaluate(
            """
            performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
              .filter(e => !e.name.includes("/api/") && !e.name.includes("/fonts/")).reduce((n, e) => n + e.encodedBodySize, 0)
            """);
    assertThat(((Number) bytes).longValue()).isBetween(10_000L, (long) FIRST_VIEW);
    assertThat(elsewhere).isEmpty();
  }

  /** Files and answers that a page is made of when it is opened first; the times are printed. */
  @Test
  void everyPageArrivesWithFewRequestsAndAsksNothingTwice() {
    List<String> paths = new ArrayList<>(PATHS);
    go("/explorer");
    String object = page.locator(".results a[href*='/objects/']").first().getAttribute("href");
    paths.add(object.replaceAll("\\?.*", ""));
    List<String> asked = new ArrayList<>();
    Set<Request> open = new HashSet<>();
    page.onRequest(
        r -> {
          boolean api = r.url().contains("/api/");
          if (r.url().contains("/fonts/")) {
            return; // of machines without these; kept for a month, and no text waits for them
          }
          String body = api && r.postData() != null ? " " + r.postData() : "";
          asked.add(r.method() + " " + r.url().replace(installation.url(), "") + body);
          if (api && !r.url().endsWith("/alerts/events")) {
            open.add(r);
          }
        });
    page.onRequestFinished(open::remove);
    page.onRequestFailed(open::remove);
    List<String> wrong = new ArrayList<>();
    for (String path : paths) {
      String found = "";
      // An alert that opens meanwhile has the page ask anew; it does not do so each time.
      for (int attempt = 1; attempt <= 3 && (attempt == 1 || !found.isEmpty()); attempt++) {
        page.navigate("about:blank");
        asked.clear();
        open.clear();
        long began = System.nanoTime();
        go(path);
        for (int quiet = 0; quiet < 4; quiet = open.isEmpty() ? quiet + 1 : 0) {
          page.waitForTimeout(100);
        }
        long millis = (System.nanoTime() - began) / 1_000_000 - 400;
        Set<String> twice = new HashSet<>(asked);
        List<String> again = new ArrayList<>(asked);
        twice.forEach(again::remove);
        System.out.printf("%-42s %3d requests, %5d ms%n", path, asked.size(), millis);
        int most = path.startsWith("/objects/") ? 31 : 18; // and two fonts on machines without them
        found =
            asked.size() > most || !again.isEmpty()
                ? path + ": " + asked.size() + " " + asked + ", twice: " + again
                : "";
      }
      if (!found.isEmpty()) {
        wrong.add(found);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aPageThatIsLeftAloneChangesOnlyItsClocks() {
    AtomicInteger totals = new AtomicInteger();
    // An age of more than a minute changes once a minute alone.
    page.route(
        Pattern.compile("/api/v1/summary$"),
        route -> {
          APIResponse answer = route.fetch();
          route.fulfill(
              new Route.FulfillOptions()
                  .setResponse(answer)
                  .setBody(
                      answer
                          .text()
                          .replaceFirst(
                              "\"newestSampleAgeSeconds\":[0-9.]+",
                              "\"newestSampleAgeSeconds\":20")));
          totals.incrementAndGet();
        });
    page.clock().install();
    go("/");
    page.clock().runFor(5_000);
    assertThat(page.getByLabel("What is watched")).containsText("VMs");
    assertThat(page.locator(".busiest").first()).containsText("ranked");
    // The clock goes on by itself until it is held. The totals, read every ten seconds, are read
    // once more first.
    page.clock().pauseAt(((Number) page.evaluate("Date.now() + 100")).longValue());
    int before = totals.get();
    for (int second = 0; second < 11 && totals.get() == before; second++) {
      page.clock().runFor(1_000);
      page.waitForTimeout(100);
    }
    assertThat(totals.get()).isGreaterThan(before);
    page.waitForTimeout(500);
    page.clock().runFor(500);
    page.evaluate(
        """
        globalThis.changes = [];
        globalThis.draws = 0;
        const frame = globalThis.requestAnimationFrame;
        globalThis.requestAnimationFrame = (draw) => (globalThis.draws++, frame(draw));
        new MutationObserver((list) => list.forEach((m) => globalThis.changes.push(m.type === "characterData" ? m.target.data : m.target.outerHTML)))
          .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
        """);
    for (int second = 0; second < 7; second++) {
      page.clock().runFor(1_000);
    }
    page.waitForTimeout(200);
    List<?> changes = (List<?>) page.evaluate("globalThis.changes");
    assertThat(changes)
        .isNotEmpty()
        .allSatisfy(text -> assertThat((String) text).matches(".*\\d (s|min|h|d)( old| ago)?"));
    assertThat(page.evaluate("globalThis.draws")).isEqualTo(0);
  }

  @Test
  void tenLiveTicksChangeValuesInTheirPlace() {
    page.clock().install();
    go("/");
    page.clock().runFor(5_000);
    assertThat(page.getByLabel("What is watched")).containsText("VMs");
    assertThat(page.locator(".overview series-chart")).hasCount(3);
    assertThat(page.locator(".busiest").first()).containsText("ranked");
    // A right-aligned figure may grow to its left; nothing may move up, down or far.
    page.evaluate(
        """
        globalThis.shifted = 0;
        globalThis.moved = [];
        new PerformanceObserver(list => list.getEntries().forEach(e => {
          globalThis.shifted += e.value;
          for (const s of e.sources) if (s.previousRect.y !== s.currentRect.y) globalThis.moved.push(s.node?.textContent ?? "?");
        })).observe({ type: "layout-shift" });
        """);
    for (int tick = 0; tick < 10; tick++) {
      page.clock().runFor(60_000);
    }
    page.waitForTimeout(300);
    assertThat((List<?>) page.evaluate("globalThis.moved")).isEmpty();
    assertThat(((Number) page.evaluate("globalThis.shifted")).doubleValue()).isLessThan(0.001);
  }

  private void visit(int width, int height, ColorScheme theme) {
    context =
        chromium
            .browser()
            .newContext(
                new NewContextOptions()
                    .setViewportSize(width, height)
                    .setColorScheme(theme)
                    .setPermissions(List.of("clipboard-read", "clipboard-write")));
    page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        (ConsoleMessage m) -> {
          // Asking who is signed in before a sign-in, and again after it ended, is no fault.
          boolean expected = m.text().contains("401") || m.text().contains("412");
          if (m.type().equals("error") && !expected && !m.location().contains("/fonts/")) {
            complaints.add(m.text() + " " + m.location());
          }
        });
  }

  /**
   * Opens an address, signed in. A window signs in once: a second session would give what the page
   * before is still asking a cookie that its CSRF token does not belong to.
   */
  private void go(String address) {
    if (context.cookies().isEmpty()) {
      context
          .request()
          .post(
              installation.url() + "/api/v1/session",
              RequestOptions.create().setData(Map.of("token", installation.token())));
    }
    page.navigate(installation.url() + address);
    // Chromium drops what it is loading when the machine gets or loses a network, as by a
    // container.
    if (complaints.removeIf(c -> c.contains("ERR_NETWORK_CHANGED"))) {
      page.navigate(installation.url() + address);
    }
    assertThat(page.locator("main")).isVisible();
  }

  private void goToObject(String name, String query) {
    go("/explorer?q=" + name);
    page.locator(".results").getByText(name, new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("h1")).hasText(name);
    page.navigate(page.url().replaceAll("\\?.*", "") + query);
    assertThat(page.locator("series-chart").first()).isVisible();
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  private static Page.GetByRoleOptions exactly(String name) {
    return named(name).setExact(true);
  }

  private void dragBy(Locator handle, double x) {
    BoundingBox box = handle.boundingBox();
    double startX = box.x + box.width / 2;
    double y = box.y + Math.min(box.height / 2, 13);
    page.mouse().move(startX, y);
    page.mouse().down();
    page.mouse().move(startX + x / 2, y);
    page.mouse().move(startX + x, y);
    page.mouse().up();
  }

  private static long inked(Locator chart) {
    return ((Number)
            chart
                .locator("canvas")
                .first()
                .evaluate(
                    """
                    canvas => { const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
                      let n = 0; for (let i = 3; i < data.length; i += 4) if (data[i] > 40) n++; return n; }
                    """))
        .longValue();
  }
}
