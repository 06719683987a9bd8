package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Walls that show dashboards in turn, and public links, in a real browser on the real service. */
class WallPagesIT extends PagesTest {

  private static final LocatorAssertions.ContainsTextOptions TURN =
      new LocatorAssertions.ContainsTextOptions().setTimeout(20_000);

  private static final LocatorAssertions.IsVisibleOptions SHOWN =
      new LocatorAssertions.IsVisibleOptions().setTimeout(20_000);

  private String hosts = "";

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @Override
  void prepare(Visitor first) {
    hosts = PagesDashboards.store(first, PagesDashboards.HOSTS);
    PagesDashboards.store(
        first,
        """
        {"name": "Words", "panels": {"note": {"type": "text", "title": "Note", "markdown": "Nothing else"}},
         "layout": [{"items": [{"panel": "note", "x": 1, "y": 1, "w": 12, "h": 4}]}]}
        """);
    first.api(
        "POST",
        "/playlists",
        Map.of(
            "name",
            "Both in turn",
            "items",
            List.of(
                Map.of("dashboard", hosts, "stay", "8s"),
                Map.of("dashboard", "Words", "stay", "8s"))),
        null);
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  // ---------------------------------------------------------------------------------------- walls

  @Test
  void aWallShowsItsDashboardsInTurnWithoutScrolling() {
    page.setViewportSize(1920, 1080);
    visitor.go("/wall/Both%20in%20turn");
    assertThat(page.locator(".wall-head")).containsText("Words", TURN);
    assertThat(page.locator(".wall-head")).containsText("Hosts and their VMs", TURN);
    assertThat(page.locator("[data-panel=hosts]")).containsText("CPU usage");
    assertThat(page.locator(".wall-foot")).containsText("1 of 2");
    assertThat(page.locator(".wall-foot")).containsText(Pattern.compile("Words\\s+in \\d s"));
    assertThat(page.evaluate("document.documentElement.scrollHeight")).isEqualTo(1080);
    assertThat((Boolean) page.evaluate(INSIDE)).as("all panels are on the screen").isTrue();
    assertThat(page.locator(".wall-head")).containsText("Words", TURN);
    assertThat(page.locator("[data-panel=note]")).containsText("Nothing else");
    assertThat(page.locator("[data-panel=hosts]")).hasCount(0);
    page.keyboard().press("Escape");
    assertThat(page.locator("h1")).hasText("Walls");
  }

  /** Whether the wall shows whose turn it is by the clock of the page. */
  private static final String RIGHT =
      """
      () => document.querySelector(".wall-head")?.textContent
        .includes(Date.now() % 16000 < 8000 ? "Hosts and their VMs" : "Words")
      """;

  private static final String NODES =
      """
      () => Date.now() % 16000 >= 8000 && document.querySelector("[data-panel=note]")
        && !document.querySelector("[data-panel=hosts]") && document.getElementsByTagName("*").length
      """;

  private int nodes() {
    return ((Number) page.waitForFunction(NODES).jsonValue()).intValue();
  }

  /**
   * What the service says of the age of its newest sample; those of the tests end with the past.
   */
  private void newestIs(int seconds) {
    page.route(
        "**/api/v1/summary",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        route
                            .fetch()
                            .text()
                            .replaceAll("(\"newestSampleAgeSeconds\":)[0-9.]+", "$1" + seconds))));
  }

  @Test
  void aWallIsRightForThirtyDaysAndGrowsNoHeavier() {
    newestIs(10);
    page.clock().install();
    visitor.go("/wall/Both%20in%20turn");
    page.waitForFunction(RIGHT);
    int before = 0;
    for (int hour = 1; hour <= 30 * 24; hour++) {
      page.clock().fastForward("01:00:00");
      if (hour % 24 == 0) {
        page.waitForFunction(RIGHT);
        assertThat(page.locator(".wall-foot")).containsText("of 2");
      }
      if (hour == 24) { // all of it is drawn by then
        before = nodes();
      }
    }
    assertThat(nodes()).isLessThanOrEqualTo(before + 20);
    assertThat(page.locator(".wall-lost")).hasCount(0);
  }

  @Test
  void aWallSaysHowOldWhatItShowsIs() {
    newestIs(10);
    page.clock().install();
    visitor.go("/wall/Both%20in%20turn");
    assertThat(page.locator("[data-panel=hosts] [data-row]").first()).isVisible(SHOWN);
    assertThat(page.locator(".wall-age")).containsText("old");
    assertThat(page.locator(".wall-lost")).hasCount(0);
    page.route("**/api/v1/**", route -> route.fulfill(new Route.FulfillOptions().setStatus(503)));
    page.clock().fastForward("05:00");
    assertThat(page.locator(".wall-lost")).containsText("No answer from the server; this is from");
    page.unrouteAll();
    newestIs(7 * 60);
    page.clock().fastForward("05:00");
    assertThat(page.locator(".wall-lost"))
        .containsText(
            Pattern.compile("No data for [78] min"),
            new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
    assertThat(page.locator(".wall-age")).containsText(Pattern.compile("data [78] min old"));
    page.unrouteAll();
  }

  private static final String INSIDE =
      """
      [...document.querySelectorAll(".wall .panel")].map(e => e.getBoundingClientRect())
        .every(b => b.left >= 0 && b.top >= 0 && b.right <= innerWidth + 1 && b.bottom <= innerHeight + 1 && b.height > 20)
      """;

  @Test
  void aScreenIsPairedAtItsPlaylistAndReadsWhatTheWallShows() {
    try (BrowserContext nobody = chromium.browser().newContext()) {
      Page wall = nobody.newPage();
      wall.navigate(installation.url() + "/wall/both%20in%20turn");
      assertThat(wall.locator(".pair-code")).hasText(Pattern.compile("\\w{4}-\\w{4}"));
      visitor.api(
          "POST",
          "/session/pairings/approve",
          Map.of("code", wall.locator(".pair-code").innerText(), "name", "Left wall"),
          null);
      assertThat(wall.locator(".wall-head")).containsText("Hosts and their VMs", TURN);
      assertThat(wall.locator("[data-panel=vms]")).containsText("VMs of");
      assertThat(wall.evaluate("fetch('/api/v1/objects').then(answer => answer.status)"))
          .isEqualTo(403);
    }
  }

  private Object turns(String expression) {
    return of("/app/pages/wall/turns.js", expression);
  }

  private Object of(String module, String expression) {
    return page.evaluate(
        "async () => { const m = await import('%s'); return JSON.stringify(%s); }"
            .formatted(module, expression));
  }

  /**
   * The panels of each part of a dashboard with these panels over its whole width, so high each.
   */
  private Object parts(String heights, String height) {
    return of(
        "/app/panels/wall-parts.js",
        """
        m.partsOf([{ items: %s.map((h, i, all) => ({ panel: String.fromCharCode(97 + i), x: 1, w: 12, h,
          y: 1 + all.slice(0, i).reduce((sum, one) => sum + one, 0) })) }], %s)
          .map(part => part.items.map(item => item.panel).join("") + part.rows)
        """
            .formatted(heights, height));
  }

  @Test
  void aDashboardIsCutIntoAsFewPartsAsCanBeRead() {
    visitor.go("/walls");
    assertThat(parts("[4, 4, 4]", "m.ROOM.height")).isEqualTo("[\"abc12\"]");
    // Sixths of a screen are too low; three and three are evener than five and one.
    assertThat(parts("[4, 4, 4, 4, 4, 4]", "m.ROOM.height")).isEqualTo("[\"abc12\",\"def12\"]");
    assertThat(parts("[4, 4, 4]", "m.HALF")).isEqualTo("[\"a4\",\"b4\",\"c4\"]");
    // What stands beside each other stays together, however much that is.
    assertThat(
            of(
                "/app/panels/wall-parts.js",
                """
                m.partsOf([{ items: [...Array(9)].map((_, i) => ({ panel: "p" + i, x: 1 + i, w: 1, y: 1, h: 4 })) },
                  { items: [{ panel: "last", x: 1, w: 12, y: 1, h: 4 }] }]).map(part => part.items.length)
                """))
        .isEqualTo("[9,1]");
    assertThat(of("/app/panels/wall-parts.js", "m.partsOf([])"))
        .isEqualTo("[{\"items\":[],\"rows\":0}]");
  }

  @Test
  void partsShareTheStayOfTheirDashboard() {
    visitor.go("/walls");
    assertThat(turns("[30, 20.001, 20, 10.001, 10, 0].map(left => m.partAt(3, 30, left))"))
        .isEqualTo("[0,0,1,1,2,2]");
    assertThat(turns("m.partAt(1, 30, 12)")).isEqualTo("0");
  }

  /** How many panels the wall has when it shows a part of its dashboard. */
  private int panelsOfPart(int part) {
    return ((Number)
            page.waitForFunction(
                    """
                    n => document.querySelector(".wall-head")?.textContent.includes(`part ${n} of 3`)
                      && document.querySelectorAll(".wall .panel").length
                    """,
                    part)
                .jsonValue())
        .intValue();
  }

  @Test
  void aDashboardOfSixteenPanelsIsShownInPartsThatTheEditorOfThePlaylistNames() {
    PagesDashboards.store(visitor, PagesDashboards.EVERY_KIND);
    Map<String, Object> playlist =
        Map.of(
            "name",
            "In parts",
            "items",
            List.of(Map.of("dashboard", "Every kind of panel", "stay", "9s")));
    String id = json(visitor.api("POST", "/playlists", playlist, null)).path("id").asString();
    visitor.go("/walls/" + id);
    assertThat(page.getByLabel("Dashboard 1", exact()))
        .containsText("shown in 3 parts of 3 s; give it 30 seconds to be read");
    page.setViewportSize(1920, 1080);
    visitor.go("/wall/In%20parts");
    assertThat(panelsOfPart(1)).isEqualTo(5);
    assertThat(panelsOfPart(2)).isEqualTo(4);
    assertThat(panelsOfPart(3)).isEqualTo(7);
    visitor.api("DELETE", "/playlists/" + id, null, "*");
  }

  @Test
  void turnsFollowTheClockAlone() {
    visitor.go("/walls");
    String screens = "[{ staySeconds: 5 }, { staySeconds: 10 }]";
    assertThat(turns("m.turnAt(%s, 4999)".formatted(screens)))
        .isEqualTo("{\"index\":0,\"left\":1}");
    assertThat(turns("m.turnAt(%s, 5000)".formatted(screens)))
        .isEqualTo("{\"index\":1,\"left\":10000}");
    assertThat(turns("m.turnAt(%s, 15000)".formatted(screens)))
        .isEqualTo("{\"index\":0,\"left\":5000}");
    assertThat(turns("m.turnAt([], 1)")).isEqualTo("null");
  }

  @Test
  void anAlertHasTheScreenForAMinuteAndThenHalfOfIt() {
    visitor.go("/walls");
    String alerts = "[{ id: 'worst' }, { id: 'new' }]";
    String seen = "new Map([['worst', 0], ['new', 50000]])";
    assertThat(turns("m.interruption(%s, %s, 109999)".formatted(alerts, seen)))
        .isEqualTo("{\"alert\":{\"id\":\"new\"},\"whole\":true,\"others\":1}");
    assertThat(turns("m.interruption(%s, %s, 110000)".formatted(alerts, seen)))
        .isEqualTo("{\"alert\":{\"id\":\"worst\"},\"whole\":false,\"others\":1}");
    assertThat(turns("m.interruption([], new Map(), 1)")).isEqualTo("null");
  }

  @Test
  void aWallIsDimAlsoOverMidnight() {
    visitor.go("/walls");
    String night = "{ from: '22:00', to: '06:00' }";
    for (String at : List.of("{ hour: 22, minute: 0 }", "{ hour: 5, minute: 59 }")) {
      assertThat(turns("m.isDim(%s, %s)".formatted(night, at))).as(at).isEqualTo("true");
    }
    for (String at : List.of("{ hour: 21, minute: 59 }", "{ hour: 6, minute: 0 }")) {
      assertThat(turns("m.isDim(%s, %s)".formatted(night, at))).as(at).isEqualTo("false");
    }
    assertThat(turns("m.isDim(null, { hour: 23, minute: 0 })")).isEqualTo("false");
  }

  @Test
  void anAlertTakesTheWallUntilSomebodyAcknowledgesIt() {
    visitor.api(
        "POST",
        "/playlists",
        Map.of(
            "name",
            "Interrupted",
            "interruptAt",
            "critical",
            "items",
            List.of(Map.of("dashboard", "Words"))),
        null);
    // What the service says of alerts, as it would of one that has just opened.
    page.route(
        Pattern.compile("/api/v1/alerts\\?.*"),
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        """
                        {"items": [{"id": "6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01", "number": 7, "severity": "critical", "controlState": "open",
                          "definition": {"id": "6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a02", "name": "Host is down", "source": "threshold"},
                          "object": {"id": "6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a03", "adapterKind": "VMWARE", "objectKind": "HostSystem", "name": "esx-07"},
                          "since": "%1$s", "openedAt": "%1$s", "key": "sys|up", "metricName": "Up", "instance": null, "unit": null, "value": 0, "operator": "lt", "bound": 1, "upper": null,
                          "members": [], "explanation": {"text": "It does not answer."}}], "nextCursor": null, "total": 1}
                        """
                            .formatted(Instant.now()))));
    long hour = Instant.now().toEpochMilli() / 3_600_000 * 3_600_000;
    page.route(
        "**/api/v1/series/query",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        """
                        {"level": "raw", "stepMillis": 3600000, "times": [%d, %d], "remarks": [],
                         "series": [{"objectId": "6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a03", "metric": "sys|up", "unit": null, "values": [1, 0]}]}
                        """
                            .formatted(hour - 3_600_000, hour))));
    visitor.go("/wall/Interrupted");
    assertThat(page.locator(".wall-alert.whole")).containsText("esx-07", TURN);
    assertThat(page.locator(".wall-alert")).containsText("It does not answer.");
    assertThat(page.locator(".wall-alert-figures")).containsText("below 1");
    assertThat(page.locator(".wall-alert group-chart")).isVisible();
    assertThat(page.locator(".wall .panel")).hasCount(0);
    page.unrouteAll();
  }

  @Test
  void aPlaylistThatIsNotThereIsSaid() {
    visitor.go("/wall/Nothing");
    assertThat(page.locator("div.wall")).containsText("There is no playlist \"Nothing\"");
  }

  @Test
  void aPlaylistIsMadeOnThePage() {
    visitor.go("/walls");
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("New")).click();
    page.getByLabel("Name, also in the address").fill("Made here");
    page.getByText("Add a dashboard").click();
    Locator first = page.getByLabel("Dashboard 1", exact());
    first.locator("select").first().selectOption(hosts);
    first.getByLabel("Seconds").fill("12");
    first.getByLabel("Once for each").selectOption("host");
    page.getByText("Dim at night").click();
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Save")).click();
    assertThat(page.locator(".notice")).containsText("Made here is saved");
    JsonNode stored =
        json(visitor.api("GET", "/playlists?name=Made%20here", null, null)).at("/items/0");
    assertThat(stored.at("/items/0/dashboard").asString()).isEqualTo(hosts);
    assertThat(stored.at("/items/0/stay").asString()).isEqualTo("12s");
    assertThat(stored.at("/items/0/repeat").asString()).isEqualTo("host");
    assertThat(stored.at("/dim/from").asString()).isEqualTo("22:00");
    visitor.api("DELETE", "/playlists/" + stored.path("id").asString(), null, "*");
  }

  // ---------------------------------------------------------------------------------------- links

  @Test
  void aLinkIsMadeReadByAnybodyAndRevoked() {
    visitor.go("/dashboards/" + hosts);
    page.getByLabel("Menu of Hosts and their VMs", new Page.GetByLabelOptions().setExact(true))
        .click();
    page.getByText("Public links").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.getByLabel("What it is for").fill("For a customer");
    dialog.getByLabel("host").check();
    dialog.getByText("Make a link").click();
    String address = dialog.locator(".secret code").innerText();
    assertThat(address).startsWith(installation.url() + "/link/" + hosts + "#plk_");

    try (BrowserContext nobody = chromium.browser().newContext()) {
      Page reader = nobody.newPage();
      StringBuilder asked = new StringBuilder();
      reader.onRequest(request -> asked.append(request.url()).append('\n'));
      reader.navigate(address);
      assertThat(reader.locator("h1")).hasText("Hosts and their VMs");
      assertThat(reader.locator("[data-panel=hosts] [data-row]")).not().hasCount(0);
      Locator second = reader.locator("[data-panel=hosts] [data-row]").nth(1);
      second.click();
      assertThat(reader.locator("[data-panel=vms] h2"))
          .containsText(second.innerText().split("\\s")[0]);
      assertThat(nobody.cookies()).isEmpty();
      assertThat(asked.toString()).doesNotContain(address.substring(address.indexOf("plk_")));
      assertThat(reader.url()).startsWith(installation.url() + "/link/");

      dialog.getByText("I have it").click();
      dialog.getByLabel("Revoke For a customer").click();
      assertThat(page.locator(".notice")).containsText("is revoked");
      reader.reload();
      assertThat(reader.locator("h1")).hasText("This link has ended");
      reader.navigate(installation.url() + "/link/" + hosts);
      assertThat(reader.locator("h1")).hasText("This link is not whole");
    }
  }
}
