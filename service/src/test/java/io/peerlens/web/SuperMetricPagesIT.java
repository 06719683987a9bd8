package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.JSHandle;
import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.ExportWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Super metrics in a real browser on the real service: written, checked, compared, imported. */
class SuperMetricPagesIT extends PagesTest {

  private static final String HOSTS =
      "avg(${adaptertype=VMWARE, objecttype=HostSystem, metric=cpu|usage_average, depth=1})";

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @Test
  void aFormulaIsWrittenWithCompletionPreviewedAndSavedWithKeys() {
    visitor.go("/super-metrics");
    assertThat(page.locator("h1")).hasText("Super metrics");
    visitor.go("/super-metrics/new");
    page.locator("input[name=name]").fill("Cluster host CPU");
    page.getByLabel("Add an object kind").selectOption("VMWARE ClusterComputeResource");
    page.keyboard().press("Escape");
    editor().field().click();
    type("av");
    assertThat(option("avg")).containsText("avg(");
    page.keyboard().press("Enter");
    editor().hasText("avg()");
    type("${adapterty");
    assertThat(option("adaptertype")).isVisible();
    page.keyboard().press("Enter");
    assertThat(option("VMWARE")).isVisible();
    page.keyboard().press("Tab");
    type("objectt");
    assertThat(option("objecttype")).isVisible();
    page.keyboard().press("Enter");
    assertThat(option("HostSystem")).isVisible();
    type("Host");
    assertThat(option("HostSystem")).containsText("2");
    page.keyboard().press("Tab");
    type("metr");
    assertThat(option("metric")).isVisible();
    page.keyboard().press("Enter");
    type("cpu|us");
    assertThat(option("cpu|usage_average")).containsText("2");
    page.keyboard().press("Enter");
    type("}");
    editor().hasText("avg(${adaptertype=VMWARE, objecttype=HostSystem, metric=cpu|usage_average})");
    assertThat(page.locator(".status-line")).containsText("Valid.");
    assertThat(page.getByLabel("Preview").locator("series-chart [role=img]"))
        .hasAttribute("aria-label", Pattern.compile("Cluster A.*last \\d"));
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/super-metrics/[0-9a-f-]{36}"));
    assertThat(page.locator("h1")).hasText("Cluster host CPU");
    assertThat(page.locator(".head-strip")).containsText("ClusterComputeResource, 1");
  }

  @Test
  void enterAndTabTakeFromTheListThatIsStillAskedFor() {
    visitor.go("/super-metrics/new");
    editor().field().click();
    for (String key : List.of("Enter", "Tab")) {
      page.keyboard().press("Control+a");
      type("a");
      assertThat(option("avg")).isVisible();
      page.keyboard().type("v");
      page.keyboard().press(key);
      editor().hasText("avg()");
      page.keyboard().type("1"); // the editor has the focus
      editor().hasText("avg(1)");
    }
  }

  @Test
  void valuesOfAPropertyAreListedWithCountsInsideWhere() {
    visitor.go("/super-metrics/" + visitor.superMetric("Hosts by version", HOSTS));
    editor().hasText(HOSTS);
    editor().caretAfter("depth=1");
    page.keyboard().type(", whe");
    assertThat(option("where")).isVisible();
    page.keyboard().press("Enter");
    page.keyboard().type("vers");
    assertThat(option("version")).containsText("property");
    page.keyboard().press("Enter");
    assertThat(option("equals").first()).isVisible();
    page.keyboard().press("Enter");
    assertThat(option("8.0.3")).containsText("2");
    page.keyboard().press("Enter");
    editor().hasText(HOSTS.replace("depth=1", "depth=1, where=\"version equals 8.0.3\""));
    page.keyboard().press("Control+z");
    editor().hasText(HOSTS.replace("depth=1", "depth=1, where=\"version equals \""));
  }

  @Test
  void anErrorIsMarkedAtItsPositionAndFixedWithAKey() {
    visitor.go("/super-metrics/" + visitor.superMetric("Misspelt", "agv([1, 2])"));
    assertThat(editor().issue()).containsText("unknown function");
    assertThat(editor().wrong()).hasText("agv");
    assertThat(page.locator(".status-line")).containsText("1 error");
    editor().field().focus();
    page.keyboard().press("Alt+Enter");
    editor().hasText("avg([1, 2])");
    assertThat(page.locator(".status-line")).containsText("Valid.");
    assertThat(editor().issue()).hasText("");
    assertThat(editor().wrong()).hasCount(0);
  }

  @Test
  void aMisspeltKeyIsCorrectedWithinItsEntry() {
    String id = visitor.superMetric("Misspelt key", HOSTS.replace("usage_average", "usage_averag"));
    visitor.go("/super-metrics/" + id);
    assertThat(page.locator(".status-line")).containsText("Use cpu|usage_average");
    editor().field().focus();
    page.keyboard().press("Alt+Enter");
    editor().hasText(HOSTS);
  }

  @Test
  void anEditIsComparedWithWhatIsSavedAndSurvivesAReload() {
    String id = visitor.superMetric("Compared", HOSTS);
    visitor.go("/super-metrics/" + id);
    Locator preview = page.getByLabel("Preview");
    assertThat(preview.locator("tbody tr")).containsText("Cluster A");
    assertThat(preview).containsText("as it is stored");
    editor().caretAfter(HOSTS);
    page.keyboard().type(" + 10");
    assertThat(preview.locator("tbody tr")).containsText("+10");
    assertThat(preview).containsText("saved formula dashed");
    assertThat(page.locator(".tb")).containsText("edited");
    page.reload();
    editor().hasText(HOSTS + " + 10");
    page.getByText("Discard").click();
    editor().hasText(HOSTS);
    page.getByText("Undo", new Page.GetByTextOptions().setExact(true)).click();
    editor().hasText(HOSTS + " + 10");
  }

  @Test
  void anEditSaysWhatTheRulesThatDependOnItWouldHaveDone() {
    String id = visitor.superMetric("Watched", HOSTS);
    visitor.api(
        "POST",
        "/thresholds",
        Map.of(
            "name",
            "Watched by a threshold",
            "objectKind",
            Map.of("adapterKind", "VMWARE", "objectKind", "ClusterComputeResource"),
            "condition",
            Map.of(
                "type",
                "metric",
                "key",
                "Super Metric|sm_" + id,
                "operator",
                "gt",
                "levels",
                List.of(
                    Map.of(
                        "severity", "warning", "bound", Map.of("type", "number", "value", 1000))))),
        null);
    visitor.go("/super-metrics/" + id);
    Locator depends = page.locator("table.depends");
    assertThat(depends).containsText("Watched by a threshold");
    assertThat(depends).containsText("judged each tick");
    assertThat(page.locator(".head-strip")).containsText("1 threshold");
    editor().caretAfter(HOSTS);
    page.keyboard().type(" + 5000");
    assertThat(depends).containsText("fires 1 time more");
    assertThat(depends).containsText("Cluster A, ");
    page.keyboard().type(" - 5000");
    assertThat(depends).containsText("no change, 1 object, never fires");
  }

  @Test
  void eachPartOfTheFormulaIsExplainedAndAClickMarksItInTheText() {
    String id = visitor.superMetric("Explained", "100 - " + HOSTS);
    visitor.go("/super-metrics/" + id);
    Locator tree = page.getByRole(AriaRole.TREE);
    assertThat(tree.getByRole(AriaRole.TREEITEM)).hasCount(2);
    assertThat(tree).containsText("avg of cpu|usage_average");
    assertThat(tree).containsText("2 Hosts, 1 level down");
    assertThat(page.locator(".matches tbody tr")).hasCount(2);
    assertThat(page.locator(".matches")).containsText("esx-a-01");
    assertThat(page.locator(".matches tbody tr").first())
        .containsText(Pattern.compile("\\d\\d:\\d\\d:\\d\\d, .+ old"));
    tree.getByText("cpu|usage_average").click();
    assertThat(page.locator(".cm-marked")).hasText(HOSTS);
    assertThat(page.locator(".skipped")).containsText("Nothing was skipped.");
    tree.getByText("cpu|usage_average").click();
    assertThat(page.locator(".cm-marked")).hasCount(0);
    editor().caretAfter("cpu|usage");
    page.keyboard().press("Alt+e");
    assertThat(page.locator(".cm-marked")).hasText(HOSTS);
    Locator moment = page.locator(".explain .chip");
    String newest = moment.innerText();
    page.locator(".preview .plot").first().hover();
    assertThat(moment).not().hasText(newest);
    assertThat(page.locator(".matches tbody tr")).hasCount(2);
  }

  @Test
  void aSaveThatComesSecondShowsBothVersionsAndLosesNothing() {
    String id = visitor.superMetric("Contended", HOSTS);
    visitor.go("/super-metrics/" + id);
    editor().hasText(HOSTS);
    visitor.api("PUT", "/super-metrics/" + id, edit("Contended", HOSTS + " * 2"), "\"1\"");
    editor().caretAfter(HOSTS);
    page.keyboard().type(" * 3");
    page.keyboard().press("Control+s");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("* 2");
    assertThat(dialog).containsText("* 3");
    dialog.getByText("Save mine over it").click();
    assertThat(page.locator(".notice")).containsText("Saved");
    assertThat(page.locator(".tb")).not().containsText("edited");
    page.reload();
    editor().hasText(HOSTS + " * 3");
  }

  @Test
  void anEarlierVersionIsShownLineByLineAndRestored() {
    String id = visitor.superMetric("Restored", HOSTS);
    visitor.api("PUT", "/super-metrics/" + id, edit("Restored", HOSTS + " * 2"), "\"1\"");
    visitor.go("/super-metrics/" + id + "?side=history");
    Locator history = page.getByLabel("History");
    assertThat(history.locator(".diff .removed")).containsText(HOSTS);
    assertThat(history.locator(".diff .added")).containsText("* 2");
    page.getByLabel("Restore version 1").click();
    editor().hasText(HOSTS);
    assertThat(history).containsText("Version 3");
  }

  @Test
  void policiesAreSetWithRules() {
    String id = visitor.superMetric("Ruled", HOSTS);
    visitor.go("/super-metrics/" + id + "?side=details");
    page.getByText("Only objects with a tag").click();
    Locator tag = page.getByLabel("with tag", new Page.GetByLabelOptions().setExact(true));
    tag.fill("env=test");
    tag.press("Tab");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    assertThat(visitor.api("GET", "/super-metrics/" + id, null, null)).contains("env=test");
    page.locator("input[name=enabled]").uncheck();
    page.locator("input[name=name]").fill("Ruled by nobody");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".chip.accent")).hasCount(0);
    assertThat(page.locator(".tb")).containsText("disabled");
    assertThat(page.locator("h1")).hasText("Ruled by nobody");
    assertThat(visitor.api("GET", "/super-metrics/" + id, null, null))
        .contains("Ruled by nobody")
        .contains("\"state\":\"disabled\"");
  }

  @Test
  void historyIsComputedByAJobWhoseProgressIsShown() {
    visitor.go("/super-metrics/" + visitor.superMetric("Back-filled", HOSTS));
    page.getByText("Backfill\u2026").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.getByText("1 day", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(dialog).containsText("1440 ticks of 60 s");
    dialog.getByText("Compute", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(dialog.getByRole(AriaRole.PROGRESSBAR)).isVisible();
    assertThat(visitor.api("GET", "/jobs", null, null)).contains("Back-filled");
  }

  @Test
  void theListIsFilteredAndTheSelectedAreSwitchedOffAndBackOn() {
    visitor.superMetric("Listed one", HOSTS);
    visitor.superMetric("Listed two", HOSTS);
    visitor.superMetric("Listed broken", "agv(1)");
    visitor.go("/super-metrics");
    assertThat(page.locator("h1")).hasText("Super metrics");
    page.keyboard().press("/");
    page.keyboard().type("Listed");
    assertThat(page).hasURL(Pattern.compile("q=Listed"));
    Locator rows = page.locator(".results tbody tr:not(.gap)");
    assertThat(rows).hasCount(3);
    assertThat(rows.first()).containsText("invalid");
    page.keyboard().press("Escape");
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("x");
    page.keyboard().press("j");
    page.keyboard().press("x");
    assertThat(page.locator(".ph")).containsText("2 selected");
    Download download = page.waitForDownload(() -> page.getByText("Export JSON").click());
    assertThat(text(download)).contains("Listed one", "Listed two");
    page.getByText("Disable", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".notice")).containsText("2 super metrics disabled");
    assertThat(rows.nth(1)).containsText("disabled");
    page.getByText("Undo", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".notice")).containsText("enabled");
    page.keyboard().press("Escape");
    page.getByText("None", new Page.GetByTextOptions().setExact(true)).waitFor(hidden());
    visitor.go("/super-metrics?q=Listed state:invalid");
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("Listed broken");
  }

  @Test
  void aDeletedSuperMetricIsFoundByItsStateAndRestored() {
    String id = visitor.superMetric("Deleted and wanted", HOSTS);
    visitor.api("DELETE", "/super-metrics/" + id, null, "\"1\"");
    visitor.go("/super-metrics?q=Deleted and wanted");
    assertThat(page.locator(".empty")).containsText("Nothing matches");
    page.locator(".states").getByText("deleted").click();
    Locator rows = page.locator(".results tbody tr:not(.gap)");
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("deleted, by");
    assertThat(rows.getByRole(AriaRole.CHECKBOX)).isDisabled();
    page.getByLabel("Restore Deleted and wanted").click();
    assertThat(page.locator(".notice")).containsText("Deleted and wanted is restored");
    visitor.go("/super-metrics?q=Deleted and wanted");
    assertThat(rows).hasCount(1);
    assertThat(visitor.api("GET", "/super-metrics/" + id, null, null)).contains("Deleted and");
  }

  @Test
  void aFileIsImportedRowByRowAfterALookAtIt() {
    String stored = visitor.superMetric("Imported and stored", HOSTS);
    String file =
        """
        {"5d1a3a52-7c3e-4b0e-9a57-000000000001": {"resourceKinds": [{"resourceKindKey": "VirtualMachine", "adapterKindKey": "VMWARE"}],
          "modificationTime": 1600000000000, "name": "Imported new", "formula": "avg(${this, metric=cpu|usage_average})", "unitId": "percent"},
        "5d1a3a52-7c3e-4b0e-9a57-000000000002": {"resourceKinds": [], "name": "Imported broken", "formula": "agv(1)"},
        "5d1a3a52-7c3e-4b0e-9a57-000000000003": {"resourceKinds": [], "name": "Imported not wanted", "formula": "1 + 1"},
        "%s": {"resourceKinds": [{"resourceKindKey": "ClusterComputeResource", "adapterKindKey": "VMWARE"}],
          "name": "Imported and stored", "formula": "1 + 2", "unitId": "percent"}}
        """
            .formatted(stored);
    visitor.go("/super-metrics/import");
    page.getByLabel("Files to import")
        .setInputFiles(
            new FilePayload(
                "export.json", "application/json", file.getBytes(StandardCharsets.UTF_8)));
    Locator rows = page.locator(".rows tbody tr:not(.inside)");
    assertThat(rows).hasCount(4);
    assertThat(row("Imported new")).containsText("new");
    assertThat(row("Imported broken")).containsText("invalid");
    assertThat(row("Imported and stored")).containsText("changed");
    page.getByLabel("Show what is in Imported broken").click();
    assertThat(page.locator(".caret")).containsText("^^^");
    page.getByLabel("Show what is in Imported and stored").click();
    assertThat(page.locator(".diff .added")).containsText("1 + 2");
    choose("Imported and stored", "overwrite");
    choose("Imported not wanted", "leave");
    assertThat(page.locator(".import-foot"))
        .containsText("2 to create, 1 to overwrite, 1 to leave");
    assertThat(visitor.api("GET", "/super-metrics?q=Imported", null, null))
        .doesNotContain("Imported new");
    page.getByText("Import 3").click();
    assertThat(page.locator(".import-foot"))
        .containsText("2 created, 1 overwritten, 1 left as they were");
    page.getByText("To the list").click();
    visitor.go("/super-metrics?q=Imported");
    assertThat(page.locator(".results tbody tr:not(.gap)")).hasCount(3);
    assertThat(visitor.api("GET", "/super-metrics/" + stored, null, null)).contains("\"1 + 2\"");
  }

  @Test
  void superMetricsWithoutDataHereAreLeftOutTogether() {
    String file =
        """
        {"5d1a3a52-7c3e-4b0e-9a57-000000000021": {"resourceKinds": [{"resourceKindKey": "VirtualMachine", "adapterKindKey": "VMWARE"}],
          "name": "Idle one", "formula": "avg(${this, metric=never|reported_one})"},
        "5d1a3a52-7c3e-4b0e-9a57-000000000022": {"resourceKinds": [{"resourceKindKey": "VirtualMachine", "adapterKindKey": "VMWARE"}],
          "name": "Idle two", "formula": "avg(${this, metric=never|reported_two})"}}
        """;
    visitor.go("/super-metrics/import");
    page.getByLabel("Files to import")
        .setInputFiles(
            new FilePayload(
                "idle.json", "application/json", file.getBytes(StandardCharsets.UTF_8)));
    Locator foot = page.locator(".import-foot");
    assertThat(foot).containsText("2 to create");
    assertThat(foot).containsText("2 without data here: computed once there is some");
    foot.getByText("Leave them out").click();
    assertThat(foot).containsText("2 to leave");
    assertThat(page.locator(".import-foot button.primary")).isDisabled();
    foot.getByText("Create them too").click();
    assertThat(foot).containsText("2 to create");
  }

  @Test
  void aZipIsDroppedOnThePage() {
    byte[] zip =
        ExportWriter.zip(
            List.of(
                new SuperMetric(
                    UUID.fromString("5d1a3a52-7c3e-4b0e-9a57-000000000009"),
                    List.of(new ResourceKind("VMWARE", "VirtualMachine")),
                    1_600_000_000_000L,
                    "Dropped",
                    "1 + 1",
                    "",
                    "",
                    null,
                    Map.of())),
            ExportWriter.NO_INSTALLATION);
    visitor.go("/super-metrics/import");
    JSHandle dragged =
        page.evaluateHandle(
            """
            (base64) => {
              const dragged = new DataTransfer();
              const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
              dragged.items.add(new File([bytes], "content.zip", { type: "application/zip" }));
              return dragged;
            }
            """,
            Base64.getEncoder().encodeToString(zip));
    page.locator(".import-page").dispatchEvent("dragover", Map.of("dataTransfer", dragged));
    assertThat(page.locator(".drop-zone")).hasClass(Pattern.compile("over"));
    page.locator(".import-page").dispatchEvent("drop", Map.of("dataTransfer", dragged));
    assertThat(row("Dropped")).containsText("new");
    page.getByText("Import 1").click();
    assertThat(page.locator(".import-foot")).containsText("1 created");
    assertThat(visitor.api("GET", "/super-metrics?q=Dropped", null, null)).contains("\"1 + 1\"");
  }

  @Test
  void columnsOfTheListAreChosenMovedAndKept() {
    visitor.superMetric("With columns", HOSTS);
    visitor.go("/super-metrics?q=With columns");
    Locator heads = page.locator("thead tr > *");
    assertThat(heads.nth(2)).containsText("Assigned to");
    page.getByText("Columns", new Page.GetByTextOptions().setExact(true)).click();
    page.locator(".at-columns").getByText("Formula").click();
    page.locator(".at-columns")
        .getByText("Close", new Locator.GetByTextOptions().setExact(true))
        .click();
    assertThat(page.locator(".results tbody tr:not(.gap)")).containsText(HOSTS);
    assertThat(page.locator(".at-columns")).hasCount(0);
    heads.nth(2).locator(".name").press("Alt+ArrowRight");
    assertThat(heads.nth(2)).containsText("Pack");
    assertThat(heads.nth(3)).containsText("Assigned to");
    visitor.go("/super-metrics?q=With columns");
    assertThat(heads.nth(2)).containsText("Pack");
    assertThat(heads.last()).containsText("Formula");
  }

  @Test
  void aFileThatIsNoExportIsRefusedInWords() {
    visitor.go("/super-metrics/import");
    page.getByLabel("Files to import")
        .setInputFiles(
            new FilePayload("notes.txt", "text/plain", "hello".getBytes(StandardCharsets.UTF_8)));
    assertThat(page.getByRole(AriaRole.ALERT)).containsText(Pattern.compile("\\w+"));
    assertThat(page.getByText("Import", new Page.GetByTextOptions().setExact(true)).last())
        .isDisabled();
    visitor.complaints().removeIf(c -> c.contains("400"));
  }

  @Test
  void aPackIsInstalledAfterALookAtIt() {
    visitor.go("/super-metrics");
    page.getByText("Packs\u2026").first().click();
    page.getByLabel("Install vm-basics").click();
    assertThat(page.locator("h1")).hasText("Install vm-basics");
    Locator rows = page.locator(".rows tbody tr:not(.inside)");
    assertThat(rows.first()).containsText("new");
    page.locator(".import-foot .primary").click();
    assertThat(page.locator(".import-foot")).containsText("created");
    visitor.go("/super-metrics?q=pack:vm-basics");
    assertThat(page.locator(".results tbody tr:not(.gap)").first()).containsText("vm-basics");
  }

  @Test
  void anEmptyListOffersWaysToStart() {
    page.route(
        Pattern.compile("/api/v1/super-metrics\\?"),
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody("{\"items\":[],\"nextCursor\":null,\"total\":0}")));
    visitor.go("/super-metrics");
    assertThat(page.locator("main")).containsText("There is no super metric yet.");
    page.getByText("Write one").click();
    assertThat(page.locator("h1")).hasText("New super metric");
  }

  @Test
  void everyPageOfSuperMetricsFitsTheWindowAndNamesItsControls() {
    String id = visitor.superMetric("Fits", HOSTS);
    assertFits(
        List.of(
            "/super-metrics",
            "/super-metrics/import",
            "/super-metrics/new",
            "/super-metrics/" + id,
            "/super-metrics/" + id + "?side=details",
            "/super-metrics/" + id + "?side=history"));
  }

  private CodeEditor editor() {
    return CodeEditor.on(page);
  }

  /** As fast as people type; the list of completions follows each key. */
  private void type(String text) {
    page.keyboard().type(text, new Keyboard.TypeOptions().setDelay(60));
  }

  private Locator option(String label) {
    String exact = label.replaceAll("[.|$\\\\(){}]", "\\\\$0");
    return page.locator(
            ".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [role=option]")
        .filter(
            new Locator.FilterOptions()
                .setHas(
                    page.locator(
                        ".cm-completionLabel",
                        new Page.LocatorOptions()
                            .setHasText(Pattern.compile("^\\s*" + exact + "\\s*$")))));
  }

  private Locator row(String name) {
    return page.locator(".rows tbody tr").filter(new Locator.FilterOptions().setHasText(name));
  }

  private void choose(String name, String what) {
    page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("What to do with " + name))
        .getByText(what)
        .click();
  }

  private static Map<String, Object> edit(String name, String formula) {
    return Map.of(
        "name",
        name,
        "formula",
        formula,
        "unitId",
        "percent",
        "kinds",
        List.of(Map.of("adapterKind", "VMWARE", "objectKind", "ClusterComputeResource")));
  }

  private static Locator.WaitForOptions hidden() {
    return new Locator.WaitForOptions()
        .setState(com.microsoft.playwright.options.WaitForSelectorState.HIDDEN);
  }

  private static String text(Download download) {
    try {
      return Files.readString(download.path());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
