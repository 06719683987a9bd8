package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByLabelOptions;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Page.GetByTextOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.RequestOptions;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Ten jobs of an operations team, done as somebody new to the pages would do them, with the clicks
 * and seconds that each takes: docs/performance.md. They are done at a sample datacentre that runs
 * already, since half an hour or more:
 *
 * <pre>
 * PEERLENS_NOTIFY_EGRESS_ALLOW=127.0.0.1,localhost ./peerlens start --detach
 * mvn -Pproof -pl service -am verify -Dtest=NONE -Dit.test=TenJobsIT -Dfailsafe.failIfNoSpecifiedTests=false \
 *   -Dsurefire.failIfNoSpecifiedTests=false -Dpeerlens.jobs.url=http://localhost:8080 -Dpeerlens.jobs.token=...
 * </pre>
 */
@Tag("proof")
@Isolated("measures time")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.MethodName.class)
class TenJobsIT {

  private static final String URL = System.getProperty("peerlens.jobs.url", "");
  private static final String TOKEN = System.getProperty("peerlens.jobs.token", "");
  private static final JsonMapper JSON = new JsonMapper();
  private static final String MARK = Long.toString(System.currentTimeMillis() / 1000);

  private final List<String> table = Collections.synchronizedList(new ArrayList<>());
  private Chromium chromium;

  @BeforeAll
  void open() {
    assumeTrue(!URL.isEmpty(), "peerlens.jobs.url names no running sample");
    chromium = Chromium.startOrSkip();
  }

  @AfterAll
  void tell() {
    if (chromium != null) {
      chromium.close();
      System.out.println("| job | clicks | seconds |\n|---|--:|--:|");
      table.forEach(System.out::println);
    }
  }

  /** Somebody signed in, whose clicks are counted. */
  private final class Person implements AutoCloseable {

    final BrowserContext context;
    final Page page;
    private final String job;
    private int clicks;
    private long began;

    Person(String job, int width) {
      this.job = job;
      boolean phone = width < 600;
      context =
          chromium
              .browser()
              .newContext(
                  new NewContextOptions()
                      .setViewportSize(width, phone ? 844 : 900)
                      .setHasTouch(phone)
                      .setIsMobile(phone));
      context
          .request()
          .post(URL + "/api/v1/session", RequestOptions.create().setData(Map.of("token", TOKEN)));
      page = context.newPage();
    }

    /** Opens a page; the job begins when it is there. */
    Person at(String path) {
      page.navigate(URL + path);
      assertThat(page.locator("main h1").first()).hasText(Pattern.compile("\\S"));
      began = System.nanoTime();
      return this;
    }

    void click(Locator what) {
      clicks++;
      what.click();
    }

    void nav(String place) {
      click(page.locator("nav a").filter(with(place)));
    }

    /** What is seen without scrolling. */
    void sees(Locator what) {
      assertThat(what).isVisible();
      assertThat(what.boundingBox().y + what.boundingBox().height)
          .isLessThan(page.viewportSize().height);
    }

    void isDone() {
      table.add("| %s | %d | %.1f |".formatted(job, clicks, (System.nanoTime() - began) / 1e9));
    }

    Locator button(String words) {
      return page.locator("button").filter(with(words)).first();
    }

    @Override
    public void close() {
      context.close();
    }
  }

  private static Locator.FilterOptions with(String words) {
    return new Locator.FilterOptions().setHasText(words);
  }

  private static Locator.FilterOptions beginning(String words) {
    return new Locator.FilterOptions().setHasText(Pattern.compile("^\\s*" + words));
  }

  private static GetByLabelOptions exactly() {
    return new GetByLabelOptions().setExact(true);
  }

  private JsonNode api(Person person, String path) {
    APIResponse answer = person.context.request().get(URL + "/api/v1" + path);
    assertThat(answer.ok()).as(path).isTrue();
    return JSON.readTree(answer.text());
  }

  private String object(Person person, String name) {
    return api(person, "/objects?limit=1&q=" + name).at("/items/0/id").asString();
  }

  /** On the phone, from the alert of a machine to what causes it, and what moved there before. */
  @Test
  void aCauseIsFoundAtNight() {
    try (Person person = new Person("a: cause at 03:00, phone", 390)) {
      String alert = "";
      for (JsonNode one : api(person, "/alerts?limit=300&controlState=open").get("items")) {
        boolean ofMachine =
            one.at("/object/objectKind").asString().equals("VirtualMachine")
                && one.at("/definition/name").asString().contains("memory")
                && one.hasNonNull("incident");
        alert = ofMachine ? one.get("id").asString() : alert;
      }
      person.at("/alerts/" + alert);
      Locator cause = person.page.getByText("Likely cause:").first();
      person.sees(cause);
      person.click(person.page.locator("main a[href*='/incidents/']").first());
      Locator band = person.page.getByLabel("Likely cause");
      assertThat(band).containsText("moved there");
      person.isDone();
    }
  }

  /** From a suggestion to a group, to a rule with a receiver of its own, to a message there. */
  @Test
  void bGroupIsMadeAndItsAlertsArrive() throws IOException {
    List<String> received = Collections.synchronizedList(new ArrayList<>());
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          received.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    receiver.start();
    try (Person person = new Person("b: group, rule, receiver, test", 1440)) {
      Page page = person.at("/").page;
      person.nav("Outliers");
      person.click(page.locator("main a").filter(with("Preview")).first());
      assertThat(page.getByLabel("Preview", exactly()).locator("group-chart [role=img]"))
          .isVisible();
      person.click(person.button("Save"));
      page.waitForURL(Pattern.compile("/outliers/[0-9a-f-]{36}"));
      person.click(page.locator("main a").filter(with("Notify")).first());
      person.click(
          page.locator("main a")
              .filter(
                  new Locator.FilterOptions().setHasText(Pattern.compile("Make one|New target")))
              .first());
      assertThat(page.locator("main h1")).hasText("New target");
      page.locator("input[name=name]").fill("night shift " + MARK);
      page.getByLabel("URL", exactly())
          .fill("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
      person.click(person.button("Save"));
      page.waitForURL(Pattern.compile("/rules/new"));
      assertThat(page.getByLabel("Targets", exactly()).locator("input:checked")).hasCount(1);
      person.click(person.button("Save"));
      page.waitForURL(Pattern.compile("/rules/[0-9a-f-]{36}"));
      person.click(page.locator("main a").filter(with("Notifications / Rules")));
      person.click(person.button("Targets"));
      person.click(page.locator("main a").filter(with("night shift " + MARK)));
      person.click(person.button("Test"));
      person.click(page.getByRole(AriaRole.DIALOG).locator("button.primary").first());
      await().untilAsserted(() -> assertThat(received).isNotEmpty());
      assertThat(page.getByRole(AriaRole.DIALOG)).containsText("200");
      person.isDone();
    } finally {
      receiver.stop(0);
    }
  }

  @Test
  void cFormulaIsWrittenAndWatched() {
    try (Person person = new Person("c: super metric and threshold", 1440)) {
      Page page = person.at("/super-metrics/new").page;
      person.click(page.locator("code-editor").first());
      page.keyboard()
          .type(
              "avg(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|readiness_average, depth=1})");
      page.keyboard().press("Escape");
      page.locator("input[name=name]").fill("Readiness of the VMs " + MARK);
      person.clicks++;
      Locator kind = page.locator("select[name=add-kind]");
      kind.selectOption(kind.locator("option").filter(with("HostSystem")).getAttribute("value"));
      person.click(person.button("Save"));
      page.waitForURL(Pattern.compile("/super-metrics/[0-9a-f-]{36}"));
      person.click(page.locator("main a").filter(with("New threshold")));
      page.getByLabel("warning: limit", exactly()).fill("5");
      page.getByLabel("warning: limit", exactly()).press("Tab");
      // Its formula has no values of the past yet: no verdict on them.
      assertThat(page.locator("main")).containsText(Pattern.compile("has values since|no values"));
      person.click(person.button("Save"));
      page.waitForURL(Pattern.compile("/thresholds/[0-9a-f-]{36}"));
      person.isDone();
    }
  }

  @Test
  void dFileIsImported() {
    try (Person person = new Person("d: import", 1440)) {
      Page page = person.at("/super-metrics").page;
      person.click(page.locator("main a").filter(beginning("Import")).first());
      person.clicks++; // the file, in the dialog of the browser
      String file =
          """
          {"4f1b7a52-0000-4000-8000-%012d": {"name": "Ready of VMs %s",
            "formula": "max(${adaptertype=VMWARE, objecttype=VirtualMachine, attribute=cpu|readiness_average, depth=1})",
            "description": "", "resourceKinds": [{"adapterKindKey": "VMWARE", "resourceKindKey": "HostSystem"}]}}
          """
              .formatted(Long.parseLong(MARK), MARK);
      page.locator("input[type=file]")
          .setInputFiles(
              new FilePayload(
                  "supermetrics.json", "application/json", file.getBytes(StandardCharsets.UTF_8)));
      person.click(person.button("Import 1"));
      assertThat(page.locator("main a").filter(with("Ready of VMs " + MARK))).isVisible();
      person.isDone();
    }
  }

  @Test
  void eTopTalkerOfTheLastHourAndItsPort() {
    try (Person person = new Person("e: top talker, last hour, its port", 1440)) {
      Page page = person.at("/").page;
      person.nav("Top talkers");
      assertThat(page.locator("main tbody a").first()).isVisible();
      person.click(page.locator("#range"));
      person.click(page.getByText("Last hour", new GetByTextOptions().setExact(true)));
      page.waitForURL(Pattern.compile("range=1h"));
      Locator first =
          page.locator("main tbody tr").filter(with("shop-web-04")).filter(beginning("1"));
      person.click(first.locator("td").nth(3));
      Locator detail = page.getByLabel("shop-web-04", exactly());
      person.click(detail.getByText("Ports"));
      assertThat(detail).containsText(Pattern.compile("https|443"));
      person.isDone();
    }
  }

  @Test
  void fAlertIsSilencedForTwoHours() {
    try (Person person = new Person("f: silence for 2 h", 1440)) {
      Page page = person.at("/alerts").page;
      person.click(page.locator("main button, main a").filter(with("Silence\u2026")).first());
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      person.click(dialog.getByText("2 hours"));
      dialog.locator("input[name=comment]").fill("known, ticket 4711");
      person.click(dialog.locator("button.primary"));
      assertThat(page.locator(".notice")).containsText("silenced until");
      person.isDone();
      person.at("/alerts?tab=silenced");
      page.locator("main a[href*='/alerts/']").first().click();
      assertThat(page.locator("main")).containsText("Silenced until");
    }
  }

  @Test
  void gMessageIsChangedForOneReceiver() {
    try (Person person = new Person("g: text and severity for one receiver", 1440)) {
      Page page = person.at("/notifications/templates/generic-json").page;
      person.click(person.button("Clone"));
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.locator("input").first().fill("night-" + MARK);
      person.click(dialog.locator("button.primary").first());
      page.waitForURL(Pattern.compile("/templates/night-" + MARK));
      person.click(page.getByText("Add step"));
      person.click(
          page.getByRole(
              AriaRole.BUTTON, new GetByRoleOptions().setName(Pattern.compile("^Map severity"))));
      assertThat(page.getByLabel("Map severity: To field")).isVisible();
      person.click(page.getByText("Add step"));
      person.click(
          page.getByRole(
              AriaRole.BUTTON, new GetByRoleOptions().setName(Pattern.compile("^Put before"))));
      page.getByLabel("Put before: Text").fill("[night] ");
      page.getByLabel("Put before: Text").press("Tab");
      assertThat(page.locator("main")).containsText("[night] ");
      person.click(person.button("Publish"));
      assertThat(person.button("Publish")).isDisabled();
      person.isDone();
    }
  }

  @Test
  void hChangeIsRecordedAndCompared() {
    try (Person person = new Person("h: record a change, before and after", 1440)) {
      Page page =
          person.at(
                  "/objects/"
                      + object(person, "shop-app-%02d".formatted(1 + Long.parseLong(MARK) % 30)))
              .page;
      page.keyboard().press("n");
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.getByLabel("What was changed").fill("memory limit " + MARK);
      dialog
          .getByLabel("When")
          .fill(
              LocalTime.now(ZoneOffset.UTC)
                  .minusHours(2)
                  .format(DateTimeFormatter.ofPattern("HH:mm")));
      person.click(dialog.getByText("Record", new Locator.GetByTextOptions().setExact(true)));
      assertThat(dialog).hasCount(0);
      person.click(page.getByLabel(Pattern.compile(MARK + ".*compare before and after")).first());
      person.click(dialog.locator("button").filter(with(MARK)).first());
      assertThat(page.locator("main"))
          .containsText(Pattern.compile("Cannot tell|No difference|differ|better|worse"));
      person.isDone();
    }
  }

  @Test
  void iScreenOnTheWallIsPaired() {
    try (Person person = new Person("i: a screen on the wall", 1440)) {
      Page page = person.at("/").page;
      try (BrowserContext other =
          chromium.browser().newContext(new NewContextOptions().setViewportSize(1920, 1080))) {
        Page screen = other.newPage();
        screen.navigate(URL + "/wall");
        assertThat(screen.locator("body")).containsText(Pattern.compile("[A-Z0-9]{4}-[A-Z0-9]{4}"));
        Matcher code =
            Pattern.compile("[A-Z0-9]{4}-[A-Z0-9]{4}").matcher(screen.locator("body").innerText());
        assertThat(code.find()).isTrue();
        person.nav("Settings");
        person.click(page.getByText("Pair a screen"));
        page.locator("input[name=code]").fill(code.group());
        person.click(page.getByText("Let it read"));
        assertThat(screen.locator(".wall-head")).containsText(Pattern.compile("incident|differ"));
        assertThat(screen.locator(".wall-tile").first()).isVisible();
        person.isDone();
      }
    }
  }

  @Test
  void jTwoMachinesAreComparedAndTheViewIsShared() {
    try (Person person = new Person("j: find, compare over 7 days, share", 1440)) {
      Page page = person.at("/").page;
      page.keyboard().press("Control+k");
      page.keyboard().type("shop-db-03");
      assertThat(page.getByRole(AriaRole.OPTION).first()).containsText("shop-db-03");
      page.keyboard().press("Enter");
      assertThat(page.locator("main h1")).hasText("shop-db-03");
      page.keyboard().press("v");
      page.keyboard().type("shop-db-01");
      assertThat(page.getByRole(AriaRole.OPTION).first()).containsText("shop-db-01");
      page.keyboard().press("Enter");
      page.waitForURL(Pattern.compile("vs="));
      person.click(page.locator("#range"));
      person.click(page.getByText("Last 7 days"));
      page.waitForURL(Pattern.compile("range=7d"));
      page.keyboard().press("y");
      assertThat(page.locator(".notice")).containsText("Link copied");
      person.isDone();
    }
  }
}
