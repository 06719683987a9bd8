package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports in a real browser on the real service: made, run, sent, and read by those who may not.
 */
class ReportPagesIT extends PagesTest {

  private WebhookReceiver receiver;
  private String hosts = "";
  private String takes = "";
  private String refuses = "";

  @Override
  PagesInstallation install() {
    receiver = WebhookReceiver.start();
    receiver.at("/refuses", Reply.status(400));
    return PagesInstallation.open(
        Set.of(Role.API, Role.NOTIFIER),
        PeerlensServer.SECRETS_KEY,
        "peerlens.notify.egress.allow=127.0.0.1",
        "peerlens.notify.delivery.poll=100ms");
  }

  @AfterAll
  void stop() {
    receiver.close();
  }

  @Override
  void prepare(Visitor first) {
    hosts = PagesDashboards.store(first, PagesDashboards.HOSTS);
    takes = target(first, "Takes", "/takes");
    refuses = target(first, "Refuses", "/refuses");
  }

  private String target(Visitor first, String name, String path) {
    Map<String, Object> hook = Map.of("url", receiver.url(path));
    return id(
        first.api(
            "POST",
            "/notification-targets",
            Map.of("name", name, "type", "webhook", "webhook", hook),
            null));
  }

  private static String id(String answer) {
    return JsonMapper.shared().readTree(answer).path("id").asString("");
  }

  private JsonNode json(String path) {
    return JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
  }

  private String report(String name, String... targets) {
    return id(
        visitor.api(
            "POST",
            "/reports",
            Map.of("name", name, "dashboard", hosts, "targets", List.of(targets)),
            null));
  }

  private String stored() {
    assertThat(page).hasURL(Pattern.compile("/reports/[0-9a-f-]{36}"));
    return page.url().replaceAll(".*/reports/([0-9a-f-]{36}).*", "$1");
  }

  private static byte[] bytes(Download download) {
    try (InputStream in = download.createReadStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void isPdf(Download download) {
    assertThat(new String(bytes(download), 0, 5, StandardCharsets.ISO_8859_1)).isEqualTo("%PDF-");
  }

  private Locator runs() {
    return page.locator(".report-runs");
  }

  @Test
  void aDashboardBecomesAReportByKeysWithWhatIsChosenOnIt() {
    visitor.go("/dashboards/" + hosts);
    assertThat(page).hasURL(Pattern.compile("range=3h"));
    assertThat(page.locator("[data-panel=hosts] tbody tr")).hasCount(2);
    page.locator("h1").click();
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page.locator("#variable-host")).containsText("esx-a-02");
    page.getByLabel("Menu of Hosts and their VMs").focus();
    page.keyboard().press("Enter");
    assertThat(button(page, "Send as a report")).isFocused();
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/reports/new(\\?(range=3h)?)?$"));
    assertThat(page.locator("h1")).hasText("Hosts and their VMs");
    assertThat(page.getByLabel("Dashboard or view", exact())).hasValue("Hosts and their VMs");
    assertThat(page.locator("#variable-host")).containsText("esx-a-02");
    page.locator("[name=schedule]").focus();
    page.keyboard().press("Space");
    assertThat(page.locator(".next"))
        .containsText(Pattern.compile("Next \\w{3} \\d+ \\w{3} 07:00, "));
    page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Targets"))
        .getByLabel("Takes")
        .focus();
    page.keyboard().press("Space");
    page.keyboard().press("Control+s");
    JsonNode report = json("/reports/" + stored());
    assertThat(report.path("dashboard").asString("")).isEqualTo(hosts);
    assertThat(report.at("/variables/host").asString("")).hasSize(36);
    assertThat(report.at("/schedule/time").asString("")).isEqualTo("07:00");
    assertThat(report.at("/targets/0").asString("")).isEqualTo(takes);
    assertThat(report.path("time").isMissingNode() || report.path("time").isNull()).isTrue();
    assertThat(runs()).containsText("It did not run yet. The first time is");
  }

  @Test
  void aReportIsFoundBySearchingHasAPartForEachHostAndIsSeenBeforeItIsStored() {
    visitor.go("/reports");
    page.keyboard().press("c");
    assertThat(page.locator("h1")).hasText("New report");
    page.locator("[name=name]").fill("Each host");
    page.getByLabel("Dashboard or view", exact()).focus();
    page.keyboard().type("hosts vms");
    assertThat(page.getByRole(AriaRole.OPTION).filter(named("Hosts and their VMs"))).isVisible();
    page.keyboard().press("ArrowDown");
    page.keyboard().press("Enter");
    page.locator("#each").selectOption("host");
    assertThat(page.locator("main")).containsText("2 now: esx-a-01 and esx-a-02");
    assertThat(page.locator("#variable-host")).hasCount(0);
    page.getByRole(
            AriaRole.GROUP, new Page.GetByRoleOptions().setName("Of what time").setExact(true))
        .getByText("The last")
        .click();
    page.getByLabel("How long").fill("2h");
    isPdf(page.waitForDownload(() -> button(page, "Preview").click()));
    assertThat(page.locator(".notice")).containsText("PDF");
    page.keyboard().press("Control+s");
    String id = stored();
    assertThat(json("/reports/" + id).path("each").asString("")).isEqualTo("host");
    assertThat(json("/reports/" + id).at("/time/last").asString("")).isEqualTo("2h");
    assertThat(json("/reports/" + id + "/runs").path("items")).isEmpty();
    button(page, "Run now").click();
    assertThat(runs().locator(".run-head")).containsText("8 panels, 2 parts");
    assertThat(runs().getByLabel("Part")).containsText("esx-a-01");
    runs().getByLabel("Part").selectOption("2");
    assertThat(runs().locator(".shown-head")).containsText("esx-a-02");
  }

  @Test
  void aRunShowsItsPicturesAndFilesAndWhatBecameOfEachMessage() {
    String id = report("Sent to two", takes, refuses);
    visitor.go("/reports/" + id);
    button(page, "Run and send to 2 targets").click();
    Locator messages = runs().locator(".messages li");
    assertThat(messages).hasCount(2);
    assertThat(messages.filter(named("Takes"))).containsText("delivered");
    assertThat(messages.filter(named("Refuses"))).containsText(Pattern.compile("dead: .*400"));
    assertThat(messages.filter(named("Refuses")).getByText("Mend the target"))
        .hasAttribute("href", Pattern.compile("/notifications/targets/" + refuses));
    assertThat(receiver.received()).anyMatch(one -> one.text().contains("Sent to two"));
    isPdf(page.waitForDownload(() -> runs().getByLabel("All of it as PDF").click()));
    Download csv = page.waitForDownload(() -> runs().getByLabel("Hosts as CSV").click());
    assertThat(new String(bytes(csv), StandardCharsets.UTF_8)).contains("esx-a-01");
    assertThat(runs().locator(".run-head")).containsText("did not reach Refuses");
    Locator picture = runs().locator("img").first();
    picture.scrollIntoViewIfNeeded();
    page.waitForFunction("() => document.querySelector('.report-runs img').naturalWidth > 400");
    visitor.go("/reports");
    assertThat(page.locator(ROWS).filter(named("Sent to two")))
        .containsText("dashboard Hosts and their VMs");
    assertThat(page.locator(ROWS).filter(named("Sent to two")))
        .containsText("did not reach Refuses");
    page.locator("#filter").fill("no such report");
    assertThat(page.locator(".empty")).containsText("Nothing matches");
  }

  @Test
  void whatMakesNoSenseIsMarkedWhereItStands() {
    String id = report("Wrong");
    visitor.go("/reports/" + id);
    page.getByRole(
            AriaRole.GROUP, new Page.GetByRoleOptions().setName("Of what time").setExact(true))
        .getByText("The last")
        .click();
    page.getByLabel("How long").fill("soon");
    assertThat(page.getByLabel("How long")).hasAttribute("aria-invalid", "true");
    assertThat(button(page, "Run now")).isDisabled();
    page.keyboard().press("Control+s");
    assertThat(page.locator("main [role=alert]").first()).isVisible();
    visitor.complaints().removeIf(c -> c.contains("400"));
    button(page, "Discard").click();
    assertThat(button(page, "Run now")).isEnabled();
    button(page, "History").click();
    assertThat(page.getByLabel("History", exact())).containsText("Version 1");
  }

  @Test
  void aViewerReadsReportsAndTheirRunsAndChangesNothing() {
    String id = report("For all", takes);
    visitor.api("POST", "/reports/" + id + "/run", null, null);
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/reports");
      assertThat(button(viewer.page(), "New report")).isDisabled();
      viewer.page().locator(ROWS).filter(named("For all")).getByRole(AriaRole.LINK).click();
      assertThat(viewer.page().locator("[name=name]")).isDisabled();
      assertThat(viewer.page().locator(".shown-panel")).hasCount(4);
      for (String name : List.of("Run now", "Run and send", "Delete", "Save")) {
        assertThat(button(viewer.page(), name)).isDisabled();
      }
      isPdf(viewer.page().waitForDownload(() -> button(viewer.page(), "Preview").click()));
    }
  }

  @Test
  void aReportIsDeletedInTenSecondsUnlessThatIsUndone() {
    String id = report("Not for long");
    visitor.go("/reports/" + id);
    button(page, "Delete").click();
    assertThat(page.locator(".notice")).containsText("Not for long is deleted in 10 s");
    button(page, "Undo").click();
    assertThat(page.locator(ROWS).filter(named("Not for long"))).isVisible();
    assertThat(json("/reports/" + id).path("version").asLong()).isEqualTo(1);
  }
}
