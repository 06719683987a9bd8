package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.JSHandle;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files of dashboards in a real browser on the real service: looked at, settled, imported. */
class DashboardImportPagesIT extends PagesTest {

  private static final String TEAM = "Hosts of the team";

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @Override
  void tidy() {
    for (JsonNode one : stored("")) {
      if (one.path("pack").isNull()) {
        visitor.api(
            "DELETE",
            "/dashboards/" + one.path("id").asString(),
            null,
            "\"" + one.path("version").asLong() + "\"");
      }
    }
  }

  private JsonNode stored(String words) {
    String query = words.isEmpty() ? "" : "&q=" + words.replace(" ", "%20");
    return JsonMapper.shared()
        .readTree(visitor.api("GET", "/dashboards?limit=100" + query, null, null))
        .path("items");
  }

  private void take(String name, String content) {
    page.locator("input[type=file]")
        .first()
        .setInputFiles(new FilePayload(name, "application/json", content.getBytes(UTF_8)));
  }

  /** A panel of the report. */
  private Locator panel(String title) {
    return page.locator("[data-line][aria-level='2']").filter(named(title));
  }

  private Locator pane(String label) {
    return page.getByLabel(label, exact());
  }

  @Test
  void theListLeadsToTheImportByAKey() {
    visitor.go("/dashboards");
    page.keyboard().press("i");
    assertThat(page.locator("h1")).hasText("Import dashboards");
    assertThat(page.locator(".drop-zone")).containsText("Drop export files here");
    page.keyboard().press("Escape");
    assertThat(page.locator("h1")).hasText("Dashboards");
  }

  @Test
  void aFileIsReadAtOnceWithTheOneFigureFirstAndNothingIsChanged() {
    visitor.go("/dashboards/import");
    take("team.json", PagesDashboards.EXPORT);
    assertThat(page.locator(".figure-line")).containsText(Pattern.compile("\\d+ %.*has data here"));
    assertThat(page.locator(".tb")).containsText("dry run");
    assertThat(page.locator(".tb")).containsText("1 dashboard, 3 panels");
    assertThat(page.locator(".outcome-bar"))
        .hasAttribute("aria-label", Pattern.compile("1 waits, 1 choose, 0 missing, 1 cannot"));
    assertThat(panel("CPU")).containsText("choose");
    assertThat(panel("Cost")).containsText("0 of 1");
    panel("Cost").click();
    assertThat(page.locator("[data-line][aria-level='3']").filter(named("cost|monthly")))
        .containsText("waits");
    assertThat(panel("Log lines")).containsText("cannot");
    assertThat(stored(TEAM)).isEmpty();
  }

  @Test
  void whatTheFileLeavesOpenIsSettledWithTheNearestProposalAndImportedSo() {
    visitor.go("/dashboards/import");
    take("team.json", PagesDashboards.EXPORT);
    Locator field = page.locator("#settle-0");
    assertThat(field).hasValue("esx-a-01");
    assertThat(pane("To settle")).containsText("nearest by name");
    page.getByLabel("Choose: CPU").click();
    assertThat(field).isFocused();
    field.selectOption("esx-a-02");
    assertThat(panel("CPU")).containsText("replaced");
    assertThat(panel("CPU")).containsText("esx-a-02 in place of esx-a-09");
    assertThat(pane("To settle")).containsText("your choice");
    assertThat(field).hasValue("esx-a-02");
    button(page, "Import all 1").click();
    assertThat(page.locator(".import-foot")).containsText("Imported: 1 created");
    page.getByText("Open it").click();
    assertThat(page.locator("h1")).hasText(TEAM);
    JsonNode panels =
        PagesDashboards.read(visitor, stored(TEAM).get(0).path("id").asString())
            .at("/definition/panels");
    assertThat(panels.at("/cpu/subject/name").asString("")).isEqualTo("esx-a-02");
  }

  @Test
  void whatNobodyTouchesIsImportedAsItIsProposed() {
    visitor.go("/dashboards/import");
    take("team.json", PagesDashboards.EXPORT);
    assertThat(page.locator("#settle-0")).hasValue("esx-a-01");
    page.getByText("Show what comes of it").click();
    assertThat(panel("CPU")).containsText("esx-a-01 in place of esx-a-09");
    page.locator("#settle-0").selectOption("ask");
    assertThat(panel("CPU")).containsText("becomes $host");
    button(page, "Import all 1").click();
    assertThat(page.locator(".import-foot")).containsText("Imported: 1 created");
    assertThat(
            PagesDashboards.read(visitor, stored(TEAM).get(0).path("id").asString())
                .at("/definition/panels/cpu/subject")
                .asString(""))
        .isEqualTo("$host");
  }

  @Test
  void rowsAreWalkedOpenedAndFilteredByKeys() {
    visitor.go("/dashboards/import");
    take("team.json", PagesDashboards.EXPORT);
    Locator first = page.locator("[data-line]").first();
    assertThat(first).hasAttribute("aria-expanded", "true");
    page.locator("h1").click();
    page.keyboard().press("j");
    assertThat(first).isFocused();
    page.keyboard().press("Enter");
    assertThat(first).hasAttribute("aria-expanded", "false");
    assertThat(page.locator("[data-line]")).hasCount(1);
    page.keyboard().press("ArrowRight");
    assertThat(first).hasAttribute("aria-expanded", "true");
    page.keyboard().press("j");
    assertThat(page.locator("[data-line]").nth(1)).isFocused();
    page.keyboard().press("k");
    assertThat(first).isFocused();
    page.getByText("Waits 1").click();
    assertThat(panel("CPU")).hasCount(0);
    assertThat(panel("Cost")).hasCount(1);
    page.getByText("Needs you 1").click();
    assertThat(panel("CPU")).hasCount(1);
    assertThat(panel("Log lines")).hasCount(0);
  }

  @Test
  void aSecondImportShowsWhatChangedAndReplacesItWhenAsked() {
    visitor.go("/dashboards/import");
    take("hosts.json", PagesDashboards.FILE);
    page.getByLabel("Who sees new dashboards and views").getByText("shared").click();
    button(page, "Import all 1").click();
    assertThat(page.locator(".import-foot")).containsText("1 created");
    button(page, "Import more").click();
    take("hosts.json", PagesDashboards.FILE);
    assertThat(pane("Stored already")).containsText("1 the same");
    assertThat(page.locator(".tb .primary")).isDisabled();
    take("hosts.json", PagesDashboards.FILE.replace("\"About\"", "\"About it\""));
    assertThat(pane("Stored already")).containsText("1 item is here already and differs: 1 change");
    pane("Stored already").getByText("Diff", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".inside")).containsText("The panel note has another title.");
    page.getByText("take the file's").click();
    button(page, "Import all 1").click();
    assertThat(page.locator(".import-foot")).containsText("1 overwritten");
    JsonNode now =
        PagesDashboards.read(visitor, stored("from a file").get(0).path("id").asString());
    assertThat(now.at("/definition/panels/note/title").asString("")).isEqualTo("About it");
    assertThat(now.path("visibility").asString("")).isEqualTo("shared");
  }

  @Test
  void theReportIsSavedAsCsv() throws IOException {
    visitor.go("/dashboards/import");
    take("team.json", PagesDashboards.EXPORT);
    assertThat(panel("CPU")).hasCount(1);
    Download download = page.waitForDownload(() -> button(page, "CSV").click());
    String csv = Files.readString(download.path());
    assertThat(csv).startsWith("File,Dashboard or view,Panel,Column,State");
    assertThat(csv).contains("team.json," + TEAM + ",Log lines,,cannot");
  }

  @Test
  void severalFilesHaveOneReportAndOneThatIsNoneIsRefusedInWords() {
    visitor.go("/dashboards/import");
    page.locator("input[type=file]")
        .first()
        .setInputFiles(
            new FilePayload[] {
              new FilePayload(
                  "team.json", "application/json", PagesDashboards.EXPORT.getBytes(UTF_8)),
              new FilePayload(
                  "hosts.json", "application/json", PagesDashboards.FILE.getBytes(UTF_8)),
              new FilePayload("notes.txt", "text/plain", "hello".getBytes(UTF_8)),
              new FilePayload("nothing.zip", "application/zip", new byte[0])
            });
    assertThat(page.locator("[data-line][aria-level='1']")).hasCount(2);
    Locator files = pane("Files");
    assertThat(files.getByRole(AriaRole.ALERT)).hasCount(2);
    assertThat(files).containsText("The file is empty");
    page.getByLabel("Remove notes.txt").click();
    assertThat(files.getByRole(AriaRole.ALERT)).hasCount(1);
    page.getByLabel("Remove nothing.zip").click();
    button(page, "Import all 2").click();
    assertThat(page.locator(".import-foot")).containsText("Imported: 2 created");
    visitor.complaints().removeIf(c -> c.contains("400"));
  }

  @Test
  void aFileIsDroppedOnThePage() {
    visitor.go("/dashboards/import");
    JSHandle dragged =
        page.evaluateHandle(
            """
            (text) => {
              const dragged = new DataTransfer();
              dragged.items.add(new File([text], "team.json", { type: "application/json" }));
              return dragged;
            }
            """,
            PagesDashboards.EXPORT);
    page.locator(".import-page").dispatchEvent("dragover", Map.of("dataTransfer", dragged));
    assertThat(page.locator(".drop-zone")).hasClass(Pattern.compile("over"));
    page.locator(".import-page").dispatchEvent("drop", Map.of("dataTransfer", dragged));
    assertThat(panel("CPU")).containsText("choose");
  }

  @Test
  void whoMayNotImportIsToldWhoMay() {
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/dashboards/import");
      assertThat(viewer.page().locator(".drop-zone")).containsText("Needs the role operator");
      assertThat(viewer.page().locator("input[type=file]").first()).isDisabled();
    }
  }
}
