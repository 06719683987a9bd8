package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pages about traffic on the API as it is, before the first flow. */
class TalkerPagesIT extends PagesTest {

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @Test
  void thePagesFitAndSayHowToConnectAnExporter() {
    visitor.go("/top-talkers");
    assertThat(page.locator(".connect")).containsText("No flow has come in yet.");
    visitor.go("/top-talkers/flows");
    assertThat(page.locator(".empty")).containsText("No flows in this range.");
    assertFits(
        List.of(
            "/top-talkers",
            "/top-talkers?by=metric",
            "/top-talkers/flows",
            "/top-talkers/networks",
            "/top-talkers/reports",
            "/top-talkers/reports/new"));
  }

  @Test
  void networksAreMarkedWhereTheyAreWrongStoredAndBroughtBack() {
    visitor.go("/top-talkers/networks");
    CodeEditor text = CodeEditor.on(page);
    text.hasText(Pattern.compile("this is an example"));
    text.paste("networks:\n  - name: lab\n    cidrs: [10.77.0.0/99]\n");
    assertThat(CodeEditor.on(page).wrong().first()).containsText("cidrs");
    text.paste("networks:\n  - name: lab\n    cidrs: [10.77.0.0/16]\n");
    assertThat(page.locator(".networks-list tbody tr")).hasText(Pattern.compile("lab"));
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("1 network in force");
    assertThat(json("/networks").at("/items/0/name").asString()).isEqualTo("lab");
    text.paste("name,cidrs\nlab,10.77.0.0/16\nshop,10.20.0.0/16\n");
    page.locator(".networks-editor .seg").getByText("CSV").click();
    assertThat(page.locator(".networks-list tbody tr")).hasCount(2);
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("2 networks in force");
    button(page, "History").click();
    button(page, "Restore version 1").click();
    assertThat(page.locator(".notice")).containsText("Version 1 is in force again");
    text.hasText(Pattern.compile("^networks:"));
  }

  @Test
  void aReportIsSavedListedAndDeleted() {
    visitor.go("/top-talkers/reports");
    assertThat(page.locator(".words")).containsText("No report is saved yet.");
    page.keyboard().press("c");
    page.locator("[name=name]").fill("Who fills the link");
    page.locator("[name=limited]").check();
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/top-talkers/reports/[0-9a-f-]{36}"));
    String id = page.url().replaceAll(".*/", "");
    assertThat(json("/talker-reports/" + id).get("shareAbove").asDouble()).isEqualTo(0.3);
    assertThat(page.getByLabel("What it showed")).containsText("never was due");
    visitor.go("/top-talkers/reports");
    assertThat(page.locator(ROWS)).containsText("above 30.0 %");
    visitor.api("DELETE", "/talker-reports/" + id, null, "\"1\"");
  }

  private JsonNode json(String path) {
    return JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
  }
}
