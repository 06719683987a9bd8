package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The audit log as admins see it, and what others see of it. */
class AuditPagesIT extends PagesTest {

  private String threshold = "";

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @Override
  void prepare(Visitor first) {
    String made =
        first.api(
            "POST",
            "/thresholds",
            Map.of(
                "name",
                "CPU of the shop",
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
                            "severity",
                            "warning",
                            "bound",
                            Map.of("type", "number", "value", 90))))),
            null);
    threshold = JsonMapper.shared().readTree(made).path("id").asString();
  }

  @Test
  void theLogIsFilteredAndAnEntryIsOpened() {
    visitor.go("/settings");
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Audit log").setExact(true))
        .click();
    assertThat(page).hasURL(Pattern.compile("/settings/audit"));
    Locator rows = page.locator(ROWS);
    assertThat(rows.filter(new Locator.FilterOptions().setHasText("CPU of the shop"))).hasCount(1);
    page.locator("#filter").fill("cpu of the");
    assertThat(rows).hasCount(1);
    assertThat(rows.first()).containsText("Create threshold");
    rows.first().locator("td").nth(1).click();
    Locator entry = page.getByLabel("Entry", new Page.GetByLabelOptions().setExact(true));
    assertThat(entry).containsText("createThreshold");
    assertThat(entry).containsText("127.0.0.1");
    page.locator("#filter").fill("no such thing");
    assertThat(page.locator(".empty")).containsText("No entry matches");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Drop the filters"))
        .click();
    assertThat(rows.first()).isVisible();
    page.getByLabel("Outcome").selectOption("unknown");
    assertThat(page.locator(".empty")).containsText("No entry matches");
    page.getByLabel("Outcome").selectOption("");
    com.microsoft.playwright.Download file =
        page.waitForDownload(
            () ->
                page.getByRole(
                        AriaRole.BUTTON, new Page.GetByRoleOptions().setName("CSV").setExact(true))
                    .click());
    assertThat(file.suggestedFilename()).isEqualTo("peerlens-audit.csv");
  }

  @Test
  void aDefinitionShowsItsEntriesAndAnObjectThatThereAreNone() {
    visitor.go("/thresholds/" + threshold + "?side=history");
    Locator pane = page.getByLabel("Who changed this");
    assertThat(pane).containsText("Create threshold");
    pane.getByRole(AriaRole.LINK).click();
    assertThat(page).hasURL(Pattern.compile("/settings/audit\\?.*object=" + threshold));
    assertThat(page.locator(ROWS)).hasCount(1);
    visitor.go("/explorer");
    page.locator(ROWS).first().locator("a").first().click();
    assertThat(page.getByLabel("Who changed this")).containsText("Nobody has");
  }

  /** These pages lay out their history themselves. */
  @Test
  void windowsNetworksAndTablesShowTheirPart() {
    String made =
        visitor.api(
            "POST",
            "/maintenance-windows",
            Map.of(
                "name",
                "Patch night",
                "scope",
                Map.of("name", "none-*"),
                "oneOff",
                Map.of("from", "2026-11-20T00:00:00Z", "to", "2026-11-20T01:00:00Z")),
            null);
    String id = JsonMapper.shared().readTree(made).path("id").asString();
    Locator pane = page.getByLabel("Who changed this");
    visitor.go("/settings/maintenance/" + id);
    assertThat(pane).containsText("Create maintenance window");

    visitor.go("/notifications?tab=lookups");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("New table")).click();
    page.getByLabel("CSV file")
        .setInputFiles(new FilePayload("r.csv", "text/csv", "alert,url\na,b\n".getBytes(UTF_8)));
    page.getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Store"))
        .click();
    assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
    visitor.go("/notifications?tab=lookups&row=r.csv&side=history");
    assertThat(pane).containsText("Change lookup table");

    visitor.go("/top-talkers/networks?side=history");
    assertThat(pane).containsText("Nobody has");
    for (int width : List.of(390, 1440)) {
      page.setViewportSize(width, 844);
      assertThat(pane).isVisible();
      page.evaluate(TWO_FRAMES);
      assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(width);
    }
  }

  @Test
  void aViewerSeesNoLinkToTheAuditLog() {
    try (Visitor operator = visitAs("operator")) {
      operator.go("/settings");
      assertThat(operator.page().locator("main.settings")).containsText("Retention");
      assertThat(
              operator
                  .page()
                  .getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Audit log")))
          .hasCount(0);
      operator.go("/thresholds/" + threshold + "?side=history");
      assertThat(operator.page().getByLabel("History")).containsText("Version 1");
      assertThat(operator.page().getByLabel("Who changed this")).hasCount(0);
      operator.go("/settings/audit");
      assertThat(operator.page().locator("main")).containsText("read with the role admin");
    }
  }

  @Test
  void theAuditLogFitsTheWindow() {
    assertFits(List.of("/settings/audit", "/settings/audit?since=all&q=create"));
    visitor.go("/settings/audit");
    for (ColorScheme theme : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
      for (int width : List.of(390, 1440)) {
        page.setViewportSize(width, 844);
        assertThat(page.locator(ROWS).first()).isVisible();
        page.evaluate(TWO_FRAMES);
        assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(width);
      }
    }
  }
}
