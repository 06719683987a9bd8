package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
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
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pages about traffic with a {@link FakeApi}: ranking, what is behind a row, flows, networks,
 * reports. Whatever they send is held against the contract.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TalkerModulesIT {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String WEB_07 = "6b0f1b60-7c1e-4c52-8f0e-1d3a00000704";
  private static final String REPORT = "6b0f1b60-7c1e-4c52-8f0e-1d3a00000a01";
  private static final Page.GetByLabelOptions EXACTLY = new Page.GetByLabelOptions().setExact(true);
  private static final String RANKED = ".ranking .results tbody:not(.below) tr:not(.gap)";

  private Chromium chromium;
  private PagesInstallation installation;
  private String viewer;
  private final Set<String> expected = new HashSet<>();
  private FakeApi api;
  private Visitor usual;
  private Visitor visitor;
  private Page page;

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation = PagesInstallation.shared();
    usual = Visitor.of(chromium, installation, 1440, ColorScheme.LIGHT);
    viewer = usual.token("viewer");
  }

  @AfterAll
  void close() {
    if (installation != null) {
      usual.close();
      chromium.close();
    }
  }

  @BeforeEach
  void arrive() {
    take(usual);
  }

  private void take(Visitor next) {
    visitor = next;
    page = next.page();
    api = FakeApi.ofTraffic();
    api.serve(page);
  }

  @AfterEach
  void nothingWasComplainedAbout() {
    page.evaluate("() => location.origin !== 'null' && localStorage.clear()");
    page.navigate("about:blank");
    api.leave(page);
    List<String> complaints =
        visitor.complaints().stream()
            .filter(c -> !c.contains("ERR_NETWORK_CHANGED"))
            .filter(complaint -> expected.stream().noneMatch(complaint::contains))
            .toList();
    visitor.complaints().clear();
    expected.clear();
    if (visitor != usual) {
      visitor.close();
    }
    assertThat(api.complaints()).as("what the API was asked").isEmpty();
    assertThat(complaints).as("errors on the console").isEmpty();
  }

  // ------------------------------------------------------------------ the ranking

  @Test
  void theRankingShowsSharesAndChangesWhatIsNotListedAndHowFarItCanBeTrusted() {
    visitor.go("/top-talkers");
    assertThat(rows()).hasCount(8);
    assertThat(rows().first()).containsText("nas-02");
    assertThat(rows().first()).containsText("905 GiB");
    assertThat(rows().first()).containsText("18.9 %");
    assertThat(rows().nth(4)).containsText("+66 %");
    assertThat(rows().nth(4)).containsText("+67 %");
    assertThat(rows().nth(7)).containsText("new");
    assertThat(page.locator("tbody.below tr").first()).containsText("283 others");
    assertThat(page.locator("tbody.below tr").nth(1)).containsText("no VM");
    assertThat(page.locator(".talk-chart h2")).hasText("4.7 TiB sent");
    assertThat(page.locator(".ranking .foot-line"))
        .containsText("31.0 % more was seen by several exporters and counts once");
    assertThat(page.locator(".ranking .foot-line"))
        .containsText("values may be too small by 1.9 GiB at most");
    assertThat(page.locator("stack-chart .plot"))
        .hasAttribute("aria-label", Pattern.compile("backup-01: last .*others"));
    assertThat(page.locator(".stack-labels button")).hasCount(6);
  }

  @Test
  void aRowShowsWhatIsBehindItAndOpensOneLevelDown() {
    visitor.go("/top-talkers");
    assertThat(rows()).hasCount(8);
    rows().nth(4).locator("td").nth(2).click();
    Locator behind = page.getByLabel("web-07", EXACTLY);
    assertThat(behind).containsText("web-07 sent 441 GiB, 9.2 % of all.");
    assertThat(behind).containsText("In the 6 h before it was 266 GiB.");
    assertThat(behind).containsText("57.2 % of it went to db-02.");
    assertThat(behind.locator("button.behind-line")).hasCount(4);
    assertThat(behind.locator("button.behind-line").first()).containsText("db-02");
    assertThat(behind.locator("button.behind-line").first()).containsText("+640 %");
    assertThat(behind.locator("button.behind-line").nth(2)).containsText("Internet");
    assertThat(behind).containsText("4 others");
    behind
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Ports").setExact(true))
        .click();
    assertThat(behind).containsText("https (443/tcp)");
    behind
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Flows").setExact(true))
        .click();
    assertThat(behind).containsText("redis 6379/tcp");
    assertThat(page).hasURL(Pattern.compile("row=414.*list=flows|list=flows.*row=414"));
    behind.getByText("Only this").click();
    assertThat(page).hasURL(Pattern.compile("by=pair"));
    assertThat(page.locator(".narrow .chip").first()).containsText("of web-07");
    assertThat(rows().first()).containsText("to db-02");
    assertAsked("/top-talkers", "by=pair", "scope=" + WEB_07, "direction=sent");
    page.keyboard().press("Backspace");
    assertThat(page.locator(".narrow .chip")).hasCount(0);
    assertThat(rows().first()).containsText("nas-02");
  }

  @Test
  void everySettingIsInTheAddressAndTheQuery() {
    visitor.go("/top-talkers");
    assertThat(rows()).hasCount(8);
    button("Network").click();
    assertThat(rows().first()).containsText("production");
    page.getByLabel("Measure", EXACTLY).selectOption("sessions");
    button("Received").click();
    page.getByLabel("Traffic", EXACTLY).selectOption("east-west");
    page.getByLabel("How many", EXACTLY).selectOption("100");
    assertAsked(
        "/top-talkers",
        "by=network",
        "measure=sessions",
        "direction=received",
        "trafficType=east-west",
        "limit=100");
    assertThat(page)
        .hasURL(Pattern.compile("by=network.*measure=sessions.*direction=received.*traffic=east"));
    page.reload();
    assertThat(page.getByLabel("Measure", EXACTLY)).hasValue("sessions");
    assertThat(page.locator(".narrow .chip")).hasText(Pattern.compile("East-West"));
    page.getByLabel("Drop East-West").click();
    assertThat(page.locator(".narrow .chip")).hasCount(0);
  }

  @Test
  void servicesAreChosenFromThoseThatWereSeenOrTyped() {
    visitor.go("/top-talkers");
    assertThat(rows()).hasCount(8);
    page.keyboard().press("b");
    Locator services = page.getByRole(AriaRole.DIALOG);
    assertThat(services.getByRole(AriaRole.CHECKBOX, named("https 443/tcp"))).isVisible();
    services.getByRole(AriaRole.CHECKBOX, named("https 443/tcp")).first().click();
    Locator field = services.getByLabel("Service", new Locator.GetByLabelOptions().setExact(true));
    field.fill("8443/TCP");
    field.press("Enter");
    field.fill("four hundred");
    field.press("Enter");
    assertThat(services.getByRole(AriaRole.ALERT)).containsText("such as 443/tcp or 53");
    page.keyboard().press("Escape");
    assertThat(page.locator(".narrow .chip")).hasText(new String[] {"443/tcp", "8443/tcp"});
    assertAsked("/top-talkers", "ports=443/tcp,8443/tcp");
  }

  @Test
  void pairsAreShownAsAMatrixOrBandsAndACellNarrows() {
    visitor.go("/top-talkers");
    Locator who = page.getByLabel("Who talks to whom", EXACTLY);
    assertThat(who.getByLabel("web to db: 252 GiB")).hasText("252");
    assertThat(who.locator("tbody tr")).hasCount(1);
    who.getByLabel("Put together by").selectOption("network");
    assertThat(who.getByLabel("production to Internet: 53.1 GiB")).isVisible();
    who.getByLabel("Put together by").selectOption("object");
    assertThat(who.getByLabel("web-07 to 10.20.9.4: 43.8 GiB")).isVisible();
    who.getByText("Sankey").click();
    assertThat(who.locator(".ribbon")).hasCount(4);
    who.getByText("Matrix").click();
    who.getByLabel("web-07 to 10.20.9.4: 43.8 GiB").click();
    assertAsked("/top-talkers", "by=vm", "scope=end-804", "peerScope=end-900", "direction=sent");
    assertThat(page.locator(".narrow .chip").nth(1)).containsText("with 10.20.9.4");
  }

  @Test
  void aLayerOfTheChartIsKeptAlone() {
    visitor.go("/top-talkers");
    assertThat(page.locator(".stack-labels button")).hasCount(6);
    page.locator(".stack-labels button", new Page.LocatorOptions().setHasText("search-d4")).click();
    assertThat(page.locator(".narrow .chip")).containsText("of search-d4");
    page.goBack();
    assertThat(page.locator(".narrow .chip")).hasCount(0);
    assertThat(page.locator(".stack-labels button")).hasCount(6);
    // In the plot a click means the layer below it.
    Locator plot = page.locator("stack-chart .plot");
    plot.click(
        new Locator.ClickOptions()
            .setPosition(120, plot.boundingBox().height - 24 - plot.boundingBox().height * 0.3));
    assertThat(page).not().hasURL(Pattern.compile("pin="));
  }

  @Test
  void aThousandTalkersAreDrawnAsFarAsTheyAreInSight() {
    ObjectNode answer = (ObjectNode) api.usual("GET /top-talkers").deepCopy();
    ArrayNode items = answer.putArray("items");
    for (int i = 0; i < 1000; i++) {
      ObjectNode item = (ObjectNode) api.usual("GET /top-talkers").at("/items/0").deepCopy();
      item.put("rank", i + 1).put("value", 1e12 / (i + 1)).put("share", 1d / (i + 9));
      ((ObjectNode) item.get("talker")).put("key", "k" + i).put("name", "vm-" + i);
      items.add(item);
    }
    api.answer("GET /top-talkers", 200, answer.toString());
    visitor.goToSources("/top-talkers?limit=1000");
    assertThat(rows().first()).containsText("vm-0");
    assertThat((Integer) page.evaluate("s => document.querySelectorAll(s).length", RANKED))
        .isLessThan(80);
    page.evaluate("() => document.querySelector('.ranking .results').scrollTo(0, 900 * 28)");
    assertThat(page.locator(RANKED, new Page.LocatorOptions().setHasText("vm-905"))).isVisible();
    assertThat(page.locator("tbody.below tr").first()).isVisible();
    double millis =
        ((Number)
                page.evaluate(
                    """
                    async () => {
                      const { drawNow } = await import("/app/core/bus.js");
                      let fastest = Infinity; // other work on the machine only adds to it
                      for (let i = 0; i < 10; i++) {
                        const began = performance.now();
                        drawNow();
                        fastest = Math.min(fastest, performance.now() - began);
                      }
                      return fastest;
                    }
                    """))
            .doubleValue();
    assertThat(millis).as("milliseconds to draw the page").isLessThan(50);
  }

  @Test
  void anyMetricRanksObjectsToo() {
    visitor.go("/top-talkers");
    assertThat(rows()).hasCount(8);
    page.getByLabel("Measure", EXACTLY).selectOption("metric");
    assertThat(rows()).hasCount(4);
    assertThat(rows().first()).containsText("90 ms");
    assertThat(rows().first()).containsText("+12 %");
    assertThat(page.locator("tbody.below tr").first()).containsText("296 others");
    assertAsked("/series/top", "metric=cpu|usage_average", "objectKind=VirtualMachine");
    Locator metric = page.getByLabel("Metric", EXACTLY);
    metric.fill("ready");
    page.getByRole(AriaRole.OPTION, new Page.GetByRoleOptions().setName("CPU ready"))
        .getByRole(AriaRole.BUTTON)
        .click();
    page.getByLabel("Of the values in the range", EXACTLY).selectOption("max");
    assertAsked(
        "/series/top",
        "metric=cpu|readiness_average",
        "aggregation=max",
        "compare=before,week-ago");
    page.getByLabel("Measure", EXACTLY).selectOption("bytes");
    assertThat(rows()).hasCount(8);
  }

  @ParameterizedTest
  @CsvSource({"/top-talkers, nas-02", "/top-talkers/flows, 271000000000"})
  void theListIsSavedAsCsvOfTheApi(String path, String line) throws IOException {
    visitor.go(path);
    assertThat(rows().first()).isVisible();
    Download saved = page.waitForDownload(() -> button("CSV").click());
    assertThat(saved.suggestedFilename()).endsWith(".csv");
    assertThat(Files.readString(saved.path())).contains(line);
  }

  @Test
  void beforeTheFirstFlowItSaysHowToConnectAnExporter() {
    ObjectNode none = (ObjectNode) api.usual("GET /top-talkers").deepCopy();
    none.put("total", 0).put("unassigned", 0).putArray("items");
    ((ObjectNode) none.get("others")).put("talkers", 0).put("value", 0).put("share", 0);
    for (String by : List.of("", "?by=pair", "?by=port")) {
      api.answer("GET /top-talkers" + by, 200, none.toString());
    }
    visitor.go("/top-talkers");
    assertThat(page.locator(".connect")).containsText("No flow has come in yet.");
    assertThat(page.locator(".connect")).containsText("goflow2");
    visitor.go("/top-talkers?traffic=external");
    assertThat(page.locator(".ranking")).containsText("Nothing matches in this range.");
    button("Drop what narrows it").click();
    assertThat(page).hasURL(Pattern.compile("/top-talkers$"));
  }

  @Test
  void anErrorIsShownInThePaneThatFailed() {
    api.answer(
        "GET /top-talkers?by=pair",
        400,
        """
        {"type": "about:blank", "title": "Too expensive", "status": 400, "code": "too-expensive", "detail": "The filters need more reading than the server allows."}
        """);
    expected("400");
    visitor.go("/top-talkers");
    assertThat(rows()).hasCount(8);
    assertThat(page.getByLabel("Who talks to whom", EXACTLY))
        .containsText("more reading than the server allows");
  }

  // ------------------------------------------------------------------ flows

  @Test
  void flowsOfARangeThatTakesTooLongAreOfferedForTheLastHour() {
    api.answer(
        "GET /flows",
        400,
        """
        {"type": "about:blank", "title": "Too much to read", "status": 400, "code": "too-expensive", "detail": "Adding up the flows of 6 hours takes longer than one request may."}
        """);
    expected("400");
    visitor.go("/top-talkers/flows?range=6h");
    assertThat(page.locator(".ranking .failure")).containsText("flows of 6 hours");
    assertThat(button("Retry")).hasCount(0);
    button("Last hour").click();
    assertThat(page).hasURL(Pattern.compile("range=1h"));
    assertThat(button("Retry")).hasCount(1);
  }

  @Test
  void flowsAreListedNarrowedAndLeadToTheTalkersBehindThem() {
    visitor.go("/top-talkers/flows");
    assertThat(rows()).hasCount(5);
    assertThat(rows().first()).containsText("redis 6379/tcp");
    assertThat(rows().nth(2)).containsText("answers");
    assertThat(rows().nth(4)).containsText("312 folded flows");
    page.getByText("Drops", new Page.GetByTextOptions().setExact(true)).click();
    assertAsked("/flows", "sort=drops");
    rows().nth(1).getByText("sender").click();
    assertThat(page.locator(".narrow .chip")).containsText("of web-07");
    assertAsked("/flows", "scope=end-804", "direction=sent");
    page.keyboard().press("/");
    page.keyboard().type("10.20.9");
    assertAsked("/flows", "q=10.20.9");
    page.keyboard().press("Escape");
    page.keyboard().press("j");
    assertThat(rows().first()).hasClass(Pattern.compile("\\bsel\\b"));
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/top-talkers\\?.*of=end-804.*peer=end-803"));
    assertThat(page.locator(".narrow .chip").nth(1)).containsText("with db-02");
  }

  @Test
  void furtherFlowsComeAsTheyAreScrolledTo() {
    ObjectNode first = flows(0, 300, "more");
    api.answer("GET /flows", 200, first.toString());
    api.answer("GET /flows?cursor=more", 200, flows(200, 300, null).toString());
    visitor.go("/top-talkers/flows");
    assertThat(page.locator(".ranking h2")).hasText("300 flows");
    assertThat(rows().first()).containsText("vm-0 ");
    page.evaluate("() => document.querySelector('.results').scrollTo(0, 1e6)");
    assertThat(page.locator(RANKED, new Page.LocatorOptions().setHasText("vm-299"))).isVisible();
    assertAsked("/flows", "cursor=more");
  }

  private ObjectNode flows(int from, int total, String cursor) {
    ObjectNode answer = (ObjectNode) api.usual("GET /flows").deepCopy();
    ArrayNode items = answer.putArray("items");
    for (int i = from; i < Math.min(total, from + 200); i++) {
      ObjectNode flow = (ObjectNode) api.usual("GET /flows").at("/items/0").deepCopy();
      ((ObjectNode) flow.get("from")).put("key", "end-" + i).put("name", "vm-" + i + " ");
      items.add(flow);
    }
    return answer.put("nextCursor", cursor).put("total", total);
  }

  // ------------------------------------------------------------------ networks

  @Test
  void anErrorInTheNetworksIsMarkedWithItsLineAndNothingIsStored() {
    api.answer(
        "POST /networks/preview",
        200,
        """
        {"mistakes": [{"line": 4, "reason": "10.20.0.0/99 is no prefix: write 10.20.0.0/16"}], "items": [], "renamed": 0, "internalBefore": 0, "internalAfter": 0}
        """);
    visitor.go("/top-talkers/networks");
    Locator field = page.getByLabel("Networks", EXACTLY).locator("visible=true").first();
    CodeEditor.on(page).hasText(Pattern.compile("# Named"));
    CodeEditor.on(page).paste(text("10.20.0.0/99"));
    assertThat(CodeEditor.on(page).wrong().first()).isVisible();
    assertThat(CodeEditor.on(page).issue()).containsText("is no prefix");
    assertThat(page.locator(".networks-editor .ph")).containsText("1 mistake");
    assertThat(button("Save Ctrl S")).isDisabled();
    page.keyboard().press("Control+s");
    assertThat(api.texts("PUT /networks")).isEmpty();
    assertThat(field).isVisible();
  }

  @Test
  void theEffectOfNetworksIsShownBeforeTheyAreStored() {
    visitor.go("/top-talkers/networks");
    assertThat(page.locator(".networks-list tbody tr")).hasCount(2);
    CodeEditor.on(page).paste(text("10.20.0.0/15"));
    assertThat(page.locator(".networks-editor .ph"))
        .containsText("412 addresses of the last day get another network, 12 become external");
    // What was typed is there again after the page was left.
    page.reload();
    assertThat(page.locator(".chip.accent")).hasText("edited");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("2 networks in force");
    assertThat(api.texts("PUT /networks").getFirst()).contains("10.20.0.0/15");
    assertThat(page.locator(".chip.accent")).hasCount(0);
  }

  @Test
  void networksSavedSecondShowBothTexts() {
    visitor.go("/top-talkers/networks");
    assertThat(page.locator(".networks-list tbody tr")).hasCount(2);
    CodeEditor.on(page).paste(text("10.20.0.0/15"));
    assertThat(page.locator(".networks-editor .ph")).containsText("412 addresses");
    api.answer(
        "PUT /networks",
        412,
        """
        {"type": "about:blank", "title": "Changed meanwhile", "status": 412, "code": "precondition-failed", "detail": "Somebody stored version 4."}
        """);
    page.keyboard().press("Control+s");
    Locator both = page.getByRole(AriaRole.DIALOG);
    assertThat(both.locator("pre").first()).containsText("10.20.0.0/16");
    assertThat(both.locator("pre").nth(1)).containsText("10.20.0.0/15");
    api.asUsual("PUT /networks");
    button("Save mine over it").click();
    assertThat(page.locator(".notice")).containsText("2 networks in force");
    assertThat(api.texts("PUT /networks")).hasSize(2);
  }

  @Test
  void aFileIsPutIntoTheEditorAndTheSameNetworksAreWrittenInTheOtherFormat() {
    visitor.go("/top-talkers/networks");
    assertThat(page.locator(".networks-list tbody tr")).hasCount(2);
    page.locator(".networks-editor")
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("CSV").setExact(true))
        .click();
    CodeEditor.on(page)
        .hasText(
            """
            name,cidrs,internal,vlan,site,description
            production,10.20.0.0/16 fd00:1::/48,,101,east,servers
            dmz,10.9.0.0/24,true,,,
            """);
    page.getByLabel("Upload a file")
        .setInputFiles(
            new FilePayload(
                "n.csv",
                "text/csv",
                "name,cidrs\r\nlab,10.77.0.0/16\r\n".getBytes(StandardCharsets.UTF_8)));
    CodeEditor.on(page).hasText("name,cidrs\nlab,10.77.0.0/16\n");
    Awaitility.await()
        .pollInSameThread()
        .until(
            () ->
                pumped(
                    api.texts("POST /networks/preview")
                        .contains("name,cidrs\nlab,10.77.0.0/16\n")));
    button("Discard").click();
    CodeEditor.on(page).hasText(Pattern.compile("# Named"));
  }

  @Test
  void aViewerReadsNetworksAndReportsAndChangesNothing() {
    api.leave(page);
    take(Visitor.of(chromium, installation, viewer, 1280, ColorScheme.DARK));
    visitor.go("/top-talkers/networks");
    assertThat(CodeEditor.on(page).field()).not().isEditable();
    assertThat(button("Save Ctrl S")).isDisabled();
    visitor.go("/top-talkers/reports/" + REPORT);
    assertThat(page.locator("[name=name]")).isDisabled();
    visitor.go("/top-talkers");
    assertThat(button("Save report")).isDisabled();
  }

  // ------------------------------------------------------------------ reports

  @Test
  void theCurrentRankingIsSavedAsAReportWithScheduleAndLimit() {
    visitor.go("/top-talkers?measure=packets&direction=received&ports=443/tcp&tier=web&range=7d");
    assertThat(rows()).hasCount(8);
    button("Save report").click();
    assertThat(page.locator("[name=window]")).hasValue("7d");
    page.locator("[name=name]").fill("Web in the week");
    page.locator("[name=schedule]").check();
    button("Sat").click();
    button("Sun").click();
    page.getByLabel("Storage on call").or(page.locator(".target-checks input")).first().check();
    page.locator("[name=limited]").check();
    page.locator("[name=share]").fill("45");
    page.locator("[name=share]").press("Tab");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/top-talkers/reports/0000"));
    JsonNode body = api.bodies("POST /talker-reports").getFirst();
    assertThat(body.get("query"))
        .isEqualTo(
            JSON.readTree(
                """
                {"by": "vm", "measure": "packets", "direction": "received", "window": "7d", "limit": 20, "ports": ["443/tcp"], "tier": ["web"]}
                """));
    assertThat(body.at("/schedule/days").toString())
        .isEqualTo("[\"mon\",\"tue\",\"wed\",\"thu\",\"fri\"]");
    assertThat(body.get("targets").size()).isEqualTo(1);
    assertThat(body.get("shareAbove").asDouble()).isEqualTo(0.45);
  }

  @Test
  void reportsAreListedWithWhatTheyAskAndShowedWhenTheyWereDue() {
    visitor.go("/top-talkers/reports");
    assertThat(rows()).hasCount(2);
    assertThat(rows().first())
        .containsText("The 20 VMs with most volume sent in 7 days, 10000/tcp");
    assertThat(rows().first()).containsText("every Mon at 07:00, Europe/Berlin");
    assertThat(rows().first()).containsText("above 15.0 %");
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Backup traffic of the week");
    Locator showed = page.getByLabel("What it showed", EXACTLY);
    assertThat(showed.locator("li")).hasCount(2);
    assertThat(showed).containsText("nas-02 18.9 %, over the limit");
    assertThat(showed).containsText("sent to Storage on call");
    showed.locator(".run-head").nth(1).click();
    assertThat(showed).containsText("It was missed: nothing ran that answers reports");
    page.locator("[name=limit]").fill("50");
    page.locator("[name=limit]").press("Tab");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    assertThat(api.bodies("PUT /talker-reports/" + REPORT).getFirst().at("/query/limit").asInt())
        .isEqualTo(50);
    button("Delete").click();
    assertThat(page.locator(".notice")).containsText("is deleted in 10 s");
    button("Undo").click();
  }

  private static String text(String cidr) {
    return "# Named networks\nnetworks:\n  - name: production\n    cidrs: [%s]\n".formatted(cidr);
  }

  private void expected(String complaint) {
    expected.add(complaint);
  }

  private Locator rows() {
    return page.locator(RANKED);
  }

  private Locator button(String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name)).first();
  }

  private static Locator.GetByRoleOptions named(String name) {
    return new Locator.GetByRoleOptions().setName(name);
  }

  /** Waits until a call was made whose query has all these parts. */
  private void assertAsked(String path, String... parts) {
    Awaitility.await()
        .pollInSameThread()
        .untilAsserted(
            () -> {
              pumped(true);
              assertThat(api.queries("GET " + path))
                  .as("what %s was asked", path)
                  .anyMatch(query -> List.of(query.split("&", -1)).containsAll(List.of(parts)));
            });
  }

  /** Lets the browser tell what it did, which it does only while it is spoken to. */
  private boolean pumped(boolean done) {
    page.evaluate("() => new Promise(done => setTimeout(done, 10))");
    return done;
  }
}
