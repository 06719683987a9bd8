package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.RequestOptions;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every page, measured at the widths that people have, in both themes: nothing reaches over an
 * edge, no text is cut or lies on another, contrast and what is touched are large enough ({@code
 * pages/measure.js}), and axe finds nothing to complain of.
 */
class PageFitIT extends PagesTest {

  private static final String AXE =
      """
      async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
        .flatMap((v) => v.nodes.map((n) => ({ rule: v.id, where: String(n.target), what: n.html.slice(0, 160) })))
      """;

  private static final String MEASURE = script("/pages/measure.js");
  private static final String AXE_CORE = script("/axe.min.js");

  /** Rows of a ranking. */
  private static final int ROWS = 24;

  private List<String> paths = List.of();
  private List<String> dashboards = List.of();

  /**
   * Its heading is there, and nothing is on its way any more. What stands further down is read when
   * one comes to it.
   */
  private static final String READY =
      """
      () => {
        const waits = document.querySelector(".outlines, main [aria-busy=true]");
        waits?.scrollIntoView();
        if (waits || !document.querySelector("h1")?.textContent.trim()) return false;
        document.querySelector("main").scrollTop = 0;
        return true;
      }
      """;

  private static final Locator.WaitForOptions HIDDEN =
      new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN);
  private static final Locator.WaitForOptions ATTACHED =
      new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED);

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @Override
  void prepare(Visitor first) {
    PagesRules rules = new PagesRules(first);
    PagesAlerts alerts = PagesAlerts.open(installation, rules);
    alerts.forget();
    alerts.put(PagesAlerts.HOSTS, PagesAlerts.VMS);
    alerts.about(PagesAlerts.VMS, "cpu|readiness_average");
    String metric = first.superMetric("CPU of a cluster", "avg(${this, metric=cpu|usage_average})");
    JsonNode alert = items(first, "/alerts?limit=1").get(0);
    JsonNode incident = items(first, "/incidents").get(0);
    assertThat(incident).as("an incident").isNotNull();
    String every = "/dashboards/" + PagesDashboards.store(first, PagesDashboards.EVERY_KIND);
    List<String> shown = new ArrayList<>(List.of(every, every + "?edit=yes"));
    for (String pack : List.of("vsphere", "vsan", "network", "outliers", "ingest")) {
      first.api("POST", "/dashboards/packs/" + pack + "/install", null, null);
      shown.add(
          items(first, "/dashboards?limit=100&pack=" + pack)
              .valueStream()
              .map(dashboard -> "/dashboards/" + dashboard.path("id").asString())
              .findFirst()
              .orElseThrow());
    }
    shown.addAll(reports(first, every.replace("/dashboards/", "")));
    dashboards = shown;
    List<String> all = new ArrayList<>();
    all.addAll(
        List.of(
            "/",
            "/explorer",
            "/objects/" + alert.at("/object/id").asString(),
            "/compare",
            "/why-slow",
            "/dashboards",
            "/dashboards/new",
            "/dashboards/import",
            every,
            every + "?edit=yes",
            "/reports",
            "/reports/new",
            "/alerts",
            "/alerts/" + alert.path("id").asString(),
            "/incidents/" + incident.path("number").asLong(),
            "/outliers",
            "/outliers/new",
            "/top-talkers",
            "/top-talkers/flows",
            "/top-talkers/networks",
            "/top-talkers/reports",
            "/top-talkers/reports/new",
            "/right-sizing",
            "/right-sizing?row=6b0f1b60-7c1e-4c52-8f0e-1d3a00000004",
            "/right-sizing?tab=idle",
            "/right-sizing?tab=orphaned-disk",
            "/right-sizing?tab=clusters",
            "/benchmark-runs",
            "/load-profiles",
            "/load-profiles/new",
            "/super-metrics",
            "/super-metrics/import",
            "/super-metrics/" + metric));
    all.addAll(
        List.of(
            "/thresholds",
            "/thresholds/import",
            "/thresholds/new",
            "/thresholds/definitions/new",
            "/notifications",
            "/notifications?tab=templates",
            "/notifications?tab=targets",
            "/notifications?tab=silences",
            "/notifications?tab=deliveries",
            "/notifications/rules/new",
            "/notifications/templates/generic-json",
            "/notifications/targets/new",
            "/notifications/silences/new",
            "/notifications/relays/new",
            "/sources",
            "/sources?row=6b0f1b60-7c1e-4c52-8f0e-1d3a00000c03&side=history",
            "/sources?row=6b0f1b60-7c1e-4c52-8f0e-1d3a00000c01&edit=yes",
            "/sources?row=telegraf:tg-guest",
            "/sources?errors=week",
            "/sources?add=vcenter",
            "/benchmark-runs/import",
            "/ingest",
            "/settings",
            "/settings/audit",
            "/settings/maintenance/new",
            "/settings/groups/new",
            "/help",
            "/help/alerting"));
    paths = all;
  }

  /** The list of reports, one that is begun, and one with a run. */
  private static List<String> reports(Visitor first, String dashboard) {
    Map<String, Object> schedule =
        Map.of("days", List.of("mon", "thu"), "time", "07:00", "zone", "Europe/Berlin");
    Map<String, Object> report =
        Map.of(
            "name",
            "Every kind of panel, each Monday",
            "dashboard",
            dashboard,
            "each",
            "host",
            "schedule",
            schedule);
    JsonNode made = JsonMapper.shared().readTree(first.api("POST", "/reports", report, null));
    String id = made.path("id").asString();
    first.api("POST", "/reports/" + id + "/run", null, null);
    return List.of(
        "/reports", "/reports/new?dashboard=" + dashboard + "&name=Begun", "/reports/" + id);
  }

  /** What opens over a page: keys and help, the palette, the range, the scope, more and actions. */
  @ParameterizedTest
  @ValueSource(ints = {390, 1440})
  void everyLayerFitsAndIsReadable(int width) {
    boolean small = width < 900;
    List<String> found = new ArrayList<>();
    try (BrowserContext context = context(width)) {
      Page window = context.newPage();
      window.navigate(installation.url() + "/alerts");
      window.waitForFunction(READY);
      window.evaluate(MEASURE);
      window.evaluate(AXE_CORE);
      Map<String, String> layers = new LinkedHashMap<>();
      if (small) {
        layers.put("more", "nav.places button");
        layers.put("actions", "header.bar button[aria-haspopup=dialog]");
        layers.put("palette", "header.bar button[aria-label=Search]");
      } else {
        layers.put("keys and help", "header.bar button[aria-label='Keys and help']");
        layers.put("range", "#range");
        layers.put("scope", "#scope");
        layers.put("palette", "header.bar .find");
      }
      layers.forEach(
          (name, opener) -> {
            window.locator(opener).click();
            window.locator("[role=dialog]").waitFor();
            judge(window, "%s at %d".formatted(name, width), true, found);
            window.keyboard().press("Escape");
            window.locator("[role=dialog]").waitFor(HIDDEN);
          });
    }
    assertThat(found).isEmpty();
  }

  /** What becomes of a file, with what it leaves open. */
  @ParameterizedTest
  @ValueSource(ints = {390, 820, 1280, 1920})
  void theReportOfAnImportFitsAndIsReadable(int width) {
    List<String> found = new ArrayList<>();
    try (BrowserContext context = context(width)) {
      Page window = context.newPage();
      window.navigate(installation.url() + "/dashboards/import");
      window.locator("input[type=file]").first().waitFor(ATTACHED);
      window
          .locator("input[type=file]")
          .first()
          .setInputFiles(
              new FilePayload(
                  "Dashboards of the team.json",
                  "application/json",
                  PagesDashboards.EXPORT.getBytes(StandardCharsets.UTF_8)));
      window.locator(".import-tree [data-line]").first().waitFor();
      window.evaluate(MEASURE);
      window.evaluate(AXE_CORE);
      judge(window, "report at " + width, true, found);
    }
    assertThat(found).isEmpty();
  }

  /** A panel of every kind, read and edited, and a dashboard of each pack. */
  @ParameterizedTest
  @ValueSource(ints = {390, 1280, 1920, 3840})
  void everyDashboardFitsFromAPhoneToAWall(int width) {
    List<String> found = new ArrayList<>();
    try (BrowserContext context = context(width)) {
      Page window = context.newPage();
      for (String path : dashboards) {
        window.navigate(installation.url() + path);
        window.waitForLoadState();
        window.waitForFunction(READY);
        window.evaluate(MEASURE);
        window.evaluate(AXE_CORE);
        judge(window, "%s at %d".formatted(path, width), true, found);
      }
    }
    assertThat(found).isEmpty();
  }

  /** What is to be complained of on pages, on a phone and on a desk, in both themes. */
  static List<String> lookedAt(
      Chromium chromium, PagesInstallation installation, List<String> paths) {
    List<String> found = new ArrayList<>();
    for (int width : List.of(390, 1440)) {
      try (BrowserContext context = context(chromium, installation, width)) {
        Page window = context.newPage();
        for (String path : paths) {
          window.navigate(installation.url() + path);
          window.waitForLoadState();
          window.waitForFunction(READY);
          window.evaluate(MEASURE);
          window.evaluate(AXE_CORE);
          judge(window, "%s at %d".formatted(path, width), true, found);
        }
      }
    }
    return found;
  }

  private BrowserContext context(int width) {
    return context(chromium, installation, width);
  }

  private static BrowserContext context(
      Chromium chromium, PagesInstallation installation, int width) {
    boolean small = width < 900;
    BrowserContext context =
        chromium
            .browser()
            .newContext(
                new NewContextOptions()
                    .setViewportSize(width, small ? 844 : width > 1920 ? 2160 : 900)
                    .setHasTouch(small)
                    .setIsMobile(small)
                    // A theme that fades in has another contrast on the way.
                    .setReducedMotion(ReducedMotion.REDUCE)
                    .setColorScheme(ColorScheme.LIGHT));
    context
        .request()
        .post(
            installation.url() + "/api/v1/session",
            RequestOptions.create().setData(Map.of("token", installation.token())));
    return context;
  }

  /**
   * Answers for pages that would have next to nothing to show here, of traffic with a ranking that
   * is longer than a window; null for all other pages.
   */
  private static @Nullable FakeApi filled(String path) {
    if (path.startsWith("/notifications?") || path.equals("/notifications")) {
      return new FakeApi();
    }
    if (path.startsWith("/sources")) {
      return FakeApi.ofSources();
    }
    if (path.startsWith("/right-sizing")) {
      return FakeApi.ofRightSizing();
    }
    if (!path.startsWith("/top-talkers")) {
      return null;
    }
    FakeApi api = FakeApi.ofTraffic();
    ObjectNode ranking = (ObjectNode) api.usual("GET /top-talkers").deepCopy();
    ArrayNode items = (ArrayNode) ranking.path("items");
    int own = items.size();
    for (int i = 0; items.size() < ROWS; i++) {
      ObjectNode more = (ObjectNode) items.get(i % own).deepCopy();
      ObjectNode talker = (ObjectNode) more.path("talker");
      talker.put("key", talker.path("key").asString() + "-" + i);
      items.add(more);
    }
    api.answer("GET /top-talkers", 200, ranking.toString());
    return api;
  }

  private static JsonNode items(Visitor visitor, String path) {
    return JsonMapper.shared().readTree(visitor.api("GET", path, null, null)).path("items");
  }

  @ParameterizedTest
  @ValueSource(ints = {390, 1440})
  void everyPageFitsAndIsReadable(int width) {
    boolean small = width < 900;
    List<String> found = new ArrayList<>();
    try (BrowserContext context = context(width)) {
      Page window = context.newPage();
      for (String path : paths) {
        FakeApi filled = filled(path);
        if (filled != null) {
          filled.serve(window);
        }
        window.navigate(installation.url() + path);
        window.waitForLoadState();
        window.waitForFunction(READY);
        window.evaluate(MEASURE);
        window.evaluate(AXE_CORE);
        for (int wide : small ? List.of(390) : List.of(1440, 1024, 1920)) {
          if (!small) {
            window.setViewportSize(wide, 900);
          }
          judge(window, "%s at %d".formatted(path, wide), wide == width, found);
        }
        if (filled != null) {
          filled.leave(window);
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** Looks at a page in both themes, also with axe when wanted. */
  private static void judge(Page window, String where, boolean withAxe, List<String> found) {
    for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      window.emulateMedia(
          new Page.EmulateMediaOptions()
              .setColorScheme(theme)
              .setReducedMotion(ReducedMotion.REDUCE));
      window.evaluate(TWO_FRAMES);
      note(found, where + ", " + theme, window.evaluate("measure()"));
      if (withAxe) {
        note(found, where + ", " + theme, window.evaluate(AXE));
      }
    }
  }

  private static void note(List<String> found, String where, Object findings) {
    for (Object one : (List<?>) findings) {
      Map<?, ?> of = (Map<?, ?>) one;
      found.add(
          "%s: %s | %s | %s".formatted(where, of.get("rule"), of.get("where"), of.get("what")));
    }
  }

  private static String script(String name) {
    try (InputStream in = PageFitIT.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
