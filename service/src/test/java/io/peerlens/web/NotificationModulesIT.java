package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pages of notifications with a {@link FakeApi}: each tab, the editors, keys, errors. Whatever
 * they send is held against the contract.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(2)
class NotificationModulesIT {

  private static final String ID = "6b0f1b60-7c1e-4c52-8f0e-1d3a000000";
  private static final String RULE = "/notification-rules/" + ID + "0b";
  private static final String TARGET = "/notification-targets/" + ID + "15";
  private static final String TEMPLATE = "/notification-templates/pagerduty-storage";
  private static final String ALERT = ID + "01";
  private static final Page.GetByLabelOptions EXACTLY = new Page.GetByLabelOptions().setExact(true);

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

  /** The window of the admin is the same in every test, without what was kept in it. */
  @BeforeEach
  void arrive() {
    take(usual);
  }

  private void take(Visitor next) {
    visitor = next;
    page = next.page();
    api = new FakeApi();
    api.serve(page);
  }

  /** A window of its own for the rest of the test. */
  private void visit(String token, int width, ColorScheme theme) {
    api.leave(page);
    take(Visitor.of(chromium, installation, token, width, theme));
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

  /**
   * A tab.
   *
   * @param first what the first of its rows says
   * @param none what it says when there is nothing
   */
  private record Tab(String name, int rows, String first, String words, String none) {}

  private static final List<Tab> TABS =
      List.of(
          new Tab("Targets", 4, "Network team", "14 failures in a row", "There is no target yet"),
          new Tab("Rules", 3, "Storage on call", "with team=storage", "There is no rule yet"),
          new Tab("Relays", 3, "vrops-east", "no secret relay-vrops", "There is no relay yet"),
          new Tab("Silences", 3, "Switch replacement", "row is 4", "Nothing is silenced"),
          new Tab("Delivery log", 7, "dropped, esx-a-05", "accepted", "Nothing was sent"),
          new Tab("Lookup tables", 2, "owners.csv", "team, mail", "There is no lookup table yet"),
          new Tab("Secrets", 5, "old-chat", "key k1 is missing", "There is no secret yet"));

  @Test
  void everyTabListsWhatThereIs() {
    visitor.go("/notifications");
    for (Tab tab : TABS) {
      button(tab.name()).click();
      assertThat(rows()).hasCount(tab.rows());
      assertThat(rows().first()).containsText(tab.first());
      assertThat(rows().first()).containsText(tab.words());
      page.keyboard().press("j");
      assertThat(rows().first()).hasClass(Pattern.compile("\\bsel\\b"));
      page.keyboard().press("/");
      page.keyboard().type("no-such-thing");
      assertThat(page.locator(".empty")).isVisible();
    }
  }

  @Test
  void aTabWithoutAnythingSaysWhatToDo() {
    api.empty();
    visitor.go("/notifications");
    for (Tab tab : TABS) {
      button(tab.name()).click();
      assertThat(page.locator("main")).containsText(tab.none());
    }
  }

  @Test
  void aTabThatCannotBeReadShowsThatAndIsReadAgainOnDemand() {
    String problem =
        """
        {"type": "about:blank", "title": "Unavailable", "status": 503, "code": "unavailable", "detail": "The database does not answer."}
        """;
    api.answer("GET /notification-rules", 503, problem);
    visitor.go("/notifications");
    assertThat(page.locator(".failure")).containsText("The database does not answer.");
    api.asUsual("GET /notification-rules");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Retry")).click();
    assertThat(rows()).hasCount(3);
    expected("503");
  }

  @Test
  void aRuleIsMovedWithAltAndArrowsAndTheMoveCanBeTakenBack() {
    visitor.go("/notifications");
    assertThat(rows()).hasCount(3);
    page.locator("[data-grip]").nth(1).focus();
    page.keyboard().press("Alt+ArrowUp");
    Awaitility.await()
        .pollInSameThread()
        .until(() -> pumped(api.bodies("PUT /notification-rules/" + ID + "0c").size()) == 1);
    JsonNode body = api.bodies("PUT /notification-rules/" + ID + "0c").getFirst();
    assertThat(body.get("order").asInt()).isBetween(0, 9);
    assertThat(body.get("name").asString()).isEqualTo("Network to the team");
    assertThat(body.at("/windows/active/0/from").asString()).isEqualTo("08:00");
    assertThat(page.locator(".notice")).containsText("tried as number 1");
  }

  @Test
  void aViewerSeesEverythingAndMayChangeNothing() {
    visit(viewer, 1280, ColorScheme.DARK);
    visitor.go("/notifications");
    assertThat(button("New rule C")).isDisabled();
    assertThat(page.locator("[data-grip]").first()).isDisabled();
    visitor.go("/notifications/targets/" + ID + "15");
    assertThat(page.locator("[name=name]")).isDisabled();
    assertThat(page.locator(".cols")).containsText("Needs the role admin");
    visitor.go("/notifications/templates/pagerduty-storage");
    assertThat(page.locator(".step")).hasCount(7);
    assertThat(page.locator(".drag").first()).isDisabled();
    assertThat(button("Publish 1.4.0 Ctrl S")).isDisabled();
  }

  @Test
  void aRuleIsPreviewedOnPastAlertsWhileItIsWrittenAndSaved() {
    visitor.go("/notifications/rules/" + ID + "0b");
    assertThat(page.locator(".simulator .say")).containsText("41 would have been sent, 7 held");
    button("Held 7").click();
    assertThat(page.locator(".trace")).hasCount(1);
    page.locator(".trace button").click();
    assertThat(page.locator(".checks")).containsText("pay-db-2 has team=storage");
    page.getByLabel("Least severity").selectOption("critical");
    Awaitility.await()
        .pollInSameThread()
        .until(
            () ->
                pumped(
                    api.bodies("POST /notification-rules/simulate").stream()
                        .anyMatch(
                            b ->
                                b.at("/rule/severities/atLeast").asString("").equals("critical"))));
    page.getByLabel("changes", new Page.GetByLabelOptions().setExact(true)).uncheck();
    page.getByLabel("Delay").fill("5m");
    page.getByLabel("Delay").press("Tab");
    page.getByLabel("Add a condition", new Page.GetByLabelOptions().setExact(true))
        .selectOption("impacts");
    page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Impacts"))
        .getByLabel("risk")
        .check();
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    JsonNode body = api.bodies("PUT " + RULE).getFirst();
    assertThat(body.get("events").toString()).isEqualTo("[\"NEW\",\"CANCEL\"]");
    assertThat(body.get("impacts").toString()).isEqualTo("[\"risk\"]");
    assertThat(body.get("delay").asString()).isEqualTo("5m");
    assertThat(body.get("when").asString()).isEqualTo("object.tags[\"env\"] != \"lab\"");
  }

  @Test
  void theEditorOfARuleOpensThoughItsTemplatesCannotBeRead() {
    api.answer(
        "GET /notification-templates",
        500,
        """
        {"type": "about:blank", "title": "Internal", "status": 500, "code": "internal", "detail": "The templates are away."}
        """);
    api.answer(
        "GET /notification-targets", 200, "{\"items\": [], \"nextCursor\": null, \"total\": 0}");
    visitor.go("/notifications/rules/" + ID + "0b");

    Locator pane = page.getByLabel("What and to whom");
    assertThat(pane).containsText("The templates are away.");
    assertThat(pane.getByText("Retry")).isVisible();
    assertThat(page.getByLabel("Condition in CEL")).isVisible();
    expected("500");
  }

  @Test
  void aWrongConditionIsShownWhereItIsWrong() {
    api.answer(
        "POST /notification-rules/simulate",
        400,
        """
        {"type": "about:blank", "title": "Invalid body", "status": 400, "code": "invalid-body", "detail": "rule.when is no condition",
         "errors": [{"field": "rule.when", "reason": "is no condition: mismatched input '<EOF>' (character 18, at \\"&&\\")"}]}
        """);
    visitor.go("/notifications/rules/" + ID + "0b");
    page.getByLabel("Condition in CEL").fill("alert.number > 1 &&");
    assertThat(CodeEditor.on(page).issue()).containsText("mismatched input");
    assertThat(CodeEditor.on(page).wrong()).hasText("&&");
    expected("400");
  }

  @Test
  void aConditionIsCompletedWithWhatItSeesOfARealAlert() {
    visitor.go("/notifications/rules/" + ID + "0b");
    Locator field = page.getByLabel("Condition in CEL");
    field.fill("");
    field.pressSequentially("object.ta");
    assertThat(CodeEditor.on(page).chosen()).containsText("object.tags");
    field.pressSequentially("gs.ti");
    assertThat(CodeEditor.on(page).chosen()).containsText("object.tags.tier");
    page.keyboard().press("Enter");
    assertThat(field).hasText("object.tags.tier");
  }

  @Test
  void textTypedIntoTwoFieldsWithinAFrameIsKept() {
    visitor.go("/notifications/targets/new?type=webhook");
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("Chat");
    page.evaluate(
        """
        () => {
          const type = (label, text) => {
            const field = document.querySelector(`[aria-label="${label}"]`);
            field.value = text;
            field.dispatchEvent(new Event("input", { bubbles: true }));
          };
          type("URL", "https://chat.example.org/in");
          type("Waits for", "7s");
          type("Waits for", "75s");
        }
        """);
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/notifications/targets/0000"));
    JsonNode webhook = api.bodies("POST /notification-targets").getFirst().path("webhook");
    assertThat(webhook.path("url").asString()).isEqualTo("https://chat.example.org/in");
    assertThat(webhook.path("timeout").asString()).isEqualTo("75s");
  }

  @Test
  void aSecretOfATargetGoesOutOnceAndStaysNowhereInTheBrowser() {
    visitor.go("/notifications/targets/new?type=webhook");
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("Chat");
    page.getByLabel("URL").fill("https://chat.example.org/hooks/T0K3N-IN-URL");
    page.getByLabel("By", new Page.GetByLabelOptions().setExact(true)).selectOption("bearer");
    page.locator("select[aria-label=Token]").selectOption("type a value\u2026");
    page.getByLabel("Token: value").fill("s3cr3t-value");
    page.locator("select[aria-label=Body]").selectOption("hmac");
    page.getByLabel("Secret: value").fill("another-s3cr3t");
    assertThat(page.evaluate("() => JSON.stringify(localStorage)").toString())
        .doesNotContain("s3cr3t")
        .doesNotContain("T0K3N");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/notifications/targets/0000"));
    JsonNode body = api.bodies("POST /notification-targets").getFirst();
    assertThat(body.at("/webhook/auth").toString())
        .isEqualTo("{\"type\":\"bearer\",\"token\":{\"value\":\"s3cr3t-value\"}}");
    assertThat(body.at("/webhook/signing/secrets/0/value").asString()).isEqualTo("another-s3cr3t");
    assertThat(body.has("email")).isFalse();
    assertThat(page.evaluate("() => JSON.stringify(localStorage)").toString())
        .doesNotContain("s3cr3t");
  }

  @ParameterizedTest
  @CsvSource({"16, E-mail, smtp.example.org", "17, SNMP, nms.example.org"})
  void targetsOfOtherTypesHaveTheirOwnFields(String end, String type, String server) {
    visitor.go("/notifications/targets/" + ID + end);
    assertThat(page.locator("main .ph").first()).containsText(type);
    assertThat(page.locator("input.field").nth(2)).hasValue(server);
    page.locator("input.field").nth(2).fill("other.example.org");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    JsonNode body = api.bodies("PUT /notification-targets/" + ID + end).getFirst();
    assertThat(body.at(end.equals("16") ? "/email/host" : "/snmp/host").asString())
        .isEqualTo("other.example.org");
    assertThat(body.toString())
        .contains(end.equals("16") ? "{\"secret\":\"smtp\"}" : "{\"secret\":\"snmp-priv\"}");
  }

  @Test
  void aRelayShowsItsSetupItsStateAndWhyItsAlertsWereSent() {
    visitor.go("/notifications/relays/" + ID + "52");
    assertThat(page.locator("[name=name]")).isDisabled();
    Locator told = page.getByLabel("For senders", EXACTLY);
    assertThat(told).containsText(installation.url() + "/relay/prometheus");
    assertThat(told.locator("pre")).containsText("Webhook Notification");
    told.getByText("Alertmanager", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(told.locator("pre"))
        .containsText("- url: " + installation.url() + "/relay/prometheus");
    assertThat(told.locator("pre")).containsText("credentials_file: ");
    Locator does = page.getByLabel("How it does", EXACTLY);
    assertThat(does).containsText("A sender at 10.20.0.7 sent with another token.");
    assertThat(does).containsText("4120; 310 said something new");
    Locator alerts = page.getByLabel("Alerts that came through", EXACTLY);
    assertThat(alerts.locator("tbody > tr")).hasCount(3);
    page.getByLabel("Why HostDown", EXACTLY).click();
    assertThat(alerts.locator(".traces .trace").first()).isVisible();
    assertThat(alerts).containsText("a1b2c3d4e5f60718");
    page.getByLabel("End DiskFull", EXACTLY).click();
    assertThat(page.locator(".notice")).containsText("DiskFull is over");
    page.getByLabel("Values that are critical").fill("P1, Page");
    page.getByLabel("Values that are critical").press("Tab");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    JsonNode body = api.bodies("PUT /notification-relays/" + ID + "52").getFirst();
    assertThat(body.at("/labels/severities").toString())
        .isEqualTo("{\"p1\":\"critical\",\"page\":\"critical\"}");
    assertThat(body.at("/auth").toString())
        .isEqualTo("{\"type\":\"bearer\",\"token\":{\"secret\":\"relay-prometheus\"}}");
    assertThat(body.at("/labels/object/0").asString()).isEqualTo("vm");
  }

  @Test
  void aNewRelayTakesItsSecretOnceAndKeepsItNowhereInTheBrowser() {
    visitor.go("/notifications/relays/new");
    page.locator("[name=name]").fill("vrops-west");
    page.getByLabel("User", EXACTLY).fill("vrops");
    page.locator("select[aria-label=Password]").selectOption("type a value\u2026");
    page.getByLabel("Password: value").fill("s3cr3t-value");
    Locator told = page.getByLabel("For senders", EXACTLY);
    assertThat(told).containsText("/relay/vrops-west");
    assertThat(told).not().containsText("s3cr3t");
    assertThat(page.evaluate("() => JSON.stringify(localStorage)").toString())
        .doesNotContain("s3cr3t");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/notifications/relays/0000"));
    assertThat(api.bodies("POST /notification-relays").getFirst().toString())
        .isEqualTo(
            "{\"name\":\"vrops-west\",\"enabled\":true,\"auth\":{\"type\":\"basic\",\"username\":\"vrops\",\"password\":{\"value\":\"s3cr3t-value\"}}}");
  }

  @Test
  void aTestShowsTheExactRequestAndAnswer() {
    visitor.go("/notifications?tab=targets");
    assertThat(rows()).hasCount(4);
    page.getByLabel("Test PagerDuty, storage").click();
    page.getByRole(AriaRole.DIALOG)
        .getByText("Cancel", new Locator.GetByTextOptions().setExact(true))
        .click();
    page.getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Send").setExact(true))
        .click();
    Locator exchange = page.locator(".exchange");
    assertThat(exchange).containsText("POST https://events.pagerduty.com/v2/enqueue");
    assertThat(exchange).containsText("Bearer secret pd-storage");
    assertThat(exchange).containsText("Event processed");
    assertThat(page.locator(".verdict")).containsText("202 delivered");
    assertThat(api.bodies("POST " + TARGET + "/test").getFirst().toString())
        .isEqualTo("{\"event\":\"CANCEL\"}");
    page.keyboard().press("Escape");
    assertThat(exchange).hasCount(0);
  }

  @Test
  void theEditorShowsWhatEachStepDoesAndMarksItsFieldsAndLines() {
    visitor.go("/notifications/templates/pagerduty-storage");
    assertThat(page.locator(".step")).hasCount(7);
    assertThat(page.locator(".step").nth(2).locator(".when"))
        .hasText("when object.tags.tier == \"1\"");
    assertThat(page.locator(".step").nth(6)).hasClass(Pattern.compile("idle"));
    assertThat(page.locator(".step").nth(6)).containsText("no effect here");
    assertThat(page.locator(".validity"))
        .containsText("Valid for New, Update and Cancel, 1 of 1 tests pass");
    assertThat(page.locator(".fields tr")).hasCount(6);
    assertThat(page.locator(".fields tr").nth(3)).containsText("[STO-12]");
    assertThat(page.locator(".fields .del").first()).hasText("[STO-12] ");
    assertThat(page.locator(".code-lines .changed").first()).containsText("summary");
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("j");
    assertThat(page.locator(".step.on .num")).hasText("3");
    assertThat(page.locator(".fields tr.sel")).containsText("severity");
    page.keyboard().press("3");
    assertThat(page.locator(".code-lines")).containsText("resolve");
    page.keyboard().press("]");
    assertThat(page).hasURL(Pattern.compile("alert=" + ALERT));
  }

  @Test
  void stepsAndYamlAreOneTextWhoseCommentsStay() {
    visitor.go("/notifications/templates/pagerduty-storage");
    assertThat(page.locator(".step")).hasCount(7);
    page.locator(".step").nth(6).locator(".drag").focus();
    page.keyboard().press("Alt+ArrowUp");
    page.locator(".step").nth(6).locator(".step-say").click();
    page.keyboard().press("v");
    Locator text = page.getByLabel("Template in YAML");
    CodeEditor.on(page).hasText(Pattern.compile("# Tier 1 is louder\\.\\n  - mapSeverity"));
    CodeEditor.on(page).hasText(Pattern.compile("- truncate: [\\s\\S]*- redact: "));
    text.press("Control+End");
    text.pressSequentially("# the end");
    button("Steps").click();
    page.locator(".step").nth(4).locator(".step-say").click();
    page.getByLabel("Set: To").fill("${alert.name}");
    page.getByLabel("Set: To").press("Tab");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Published");
    JsonNode body = api.bodies("PUT " + TEMPLATE).getFirst();
    assertThat(body.get("document").asString())
        .contains(
            "version: 1.4.0",
            "# Tier 1 is louder.",
            "# the end",
            "- set: {field: summary, value: \"${alert.name}\"}");
  }

  @Test
  void aStepIsAddedWithKeysAndItsFieldsAreCompleted() {
    visitor.go("/notifications/templates/pagerduty-storage");
    assertThat(page.locator(".validity")).containsText("Valid");
    page.keyboard().press("+");
    page.locator(".step-kinds").getByText("Append").click();
    assertThat(page.locator(".step")).hasCount(8);
    assertThat(page.locator(".step.on .num")).hasText("8");
    Locator field = page.getByLabel("Append: Field", EXACTLY);
    field.fill("object.na");
    assertThat(page.locator(".step-fields .suggest")).containsText("object.name");
    page.keyboard().press("ArrowDown");
    page.keyboard().press("Enter");
    assertThat(page.locator(".step.on .step-say")).containsText("object.name");
    page.getByLabel("Only when").fill("event == \"NEW\"");
    page.getByLabel("Only when").press("Tab");
    page.locator(".step.on").getByLabel("Cancel").uncheck();
    assertThat(page.locator(".step.on .when")).hasText("when event == \"NEW\"");
    assertThat(page.locator(".step.on .step-body")).containsText("on New, Update");
    button("YAML").click();
    CodeEditor.on(page)
        .hasText(Pattern.compile("- append: \\{field: object.name[\\s\\S]*on: \\[NEW, UPDATE\\]"));
  }

  @Test
  void mistakesAreShownAtTheirPlaceInTheTextAndAtTheirStep() {
    visitor.go("/notifications/templates/pagerduty-storage?view=yaml");
    assertThat(page.locator(".validity")).containsText("Valid");
    api.answer(
        "POST /notification-templates/preview",
        400,
        """
        {"type": "about:blank", "title": "Invalid body", "status": 400, "code": "invalid-body", "detail": "x",
         "errors": [{"field": "document.modify[6].truncate.max", "reason": "must be a number of characters, such as 1024"}]}
        """);
    CodeEditor editor = CodeEditor.on(page);
    editor.paste(editor.text().replace("max: 1024", "max: none"));
    assertThat(CodeEditor.on(page).issue()).containsText("must be a number of characters");
    assertThat(CodeEditor.on(page).wrong()).hasText("none");
    assertThat(page.locator(".validity")).containsText("1 mistake");
    button("Steps").click();
    assertThat(page.locator(".step").nth(6).locator("[role=alert]"))
        .containsText("must be a number");
    button("YAML").click();
    editor.paste("modify: [");
    assertThat(page.locator(".validity")).containsText("The YAML does not parse");
    assertThat(CodeEditor.on(page).wrong()).isVisible();
    assertThat(button("Publish 1.4.0 Ctrl S")).isDisabled();
    api.asUsual("POST /notification-templates/preview");
    button("Discard").click();
    CodeEditor.on(page).hasText(Pattern.compile("max: 1024"));
    assertThat(page.locator(".validity")).containsText("Valid");
    expected("400");
  }

  @Test
  void theTextIsCompletedWithWhatTheTemplateSeesOfTheAlert() {
    visitor.go("/notifications/templates/pagerduty-storage?view=yaml");
    assertThat(page.locator(".validity")).containsText("Valid");
    Locator text = page.getByLabel("Template in YAML");
    text.press("Control+End");
    text.pressSequentially("x: ${object.tags.ti");
    assertThat(CodeEditor.on(page).chosen()).containsText("object.tags.tier");
    assertThat(CodeEditor.on(page).chosen().locator(".cm-completionEnd")).hasText("1");
    page.keyboard().press("Enter");
    text.pressSequentially(" | dat");
    assertThat(CodeEditor.on(page).chosen()).containsText("a time in a format");
    page.keyboard().press("Escape");
    CodeEditor.on(page).hasText(Pattern.compile("x: \\$\\{object\\.tags\\.tier \\| dat$"));
  }

  @Test
  void aMailIsShownAsAMailWithoutScriptsAndLinks() {
    visitor.go("/notifications/templates/mail");
    var mail = page.frameLocator("iframe.mail");
    assertThat(mail.locator("h2")).hasText("Write latency above its band");
    assertThat(mail.locator("h2")).hasCSS("color", "rgb(125, 90, 0)");
    assertThat(mail.locator("a")).not().hasAttribute("href", Pattern.compile(".*"));
    assertThat(mail.locator("body")).containsText("[chart of write latency]");
    assertThat(page.evaluate("() => window.hacked ?? null")).isNull();
    assertThat(page.locator("iframe.mail")).hasAttribute("sandbox", "allow-same-origin");
    button("Text").click();
    assertThat(page.locator(".rendered-pane")).containsText("pay-db-2: 4.8 ms against 1.2 to 3.1");
    button("Headers").click();
    assertThat(page.locator(".rendered-pane")).containsText("X-Peerlens-Alert: A-20418");
  }

  @Test
  void aTrapIsShownAsItsVariables() {
    visitor.go("/notifications/templates/snmp-peerlens");
    assertThat(page.locator(".binds tbody tr")).hasCount(3);
    assertThat(page.locator(".binds tbody tr").nth(1)).containsText("20418");
  }

  @Test
  void aBuiltInTemplateIsReadOnlyAndCloned() {
    visitor.go("/notifications/templates/generic-json?view=yaml");
    assertThat(page.locator("h1 + .chip + .chip")).hasText("built in");
    assertThat(page.getByLabel("Template in YAML")).hasAttribute("aria-readonly", "true");
    button("Clone\u2026").click();
    page.getByRole(AriaRole.DIALOG).locator("input").fill("ours");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/templates/ours$"));
    assertThat(api.bodies("POST /notification-templates/generic-json/clone").getFirst().toString())
        .isEqualTo("{\"id\":\"ours\"}");
  }

  @Test
  void thePreviewIsKeptAsATestOfTheTemplate() {
    visitor.go("/notifications/templates/pagerduty-storage?side=tests");
    assertThat(page.locator(".test")).hasCount(1);
    button("Keep what is shown as a test").click();
    assertThat(page.locator(".test")).hasCount(2);
    assertThat(page.locator(".validity")).containsText("2 tests to run");
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Published");
    JsonNode test = api.bodies("PUT " + TEMPLATE).getFirst().at("/examples/1");
    assertThat(test.at("/name").asString()).isEqualTo("New of A-20417");
    assertThat(test.at("/context/object/name").asString()).isEqualTo("pay-db-2");
    assertThat(test.at("/expect/body/payload/severity").asString()).isEqualTo("error");
  }

  @Test
  void templatesOfVrealizeOperationsAreImportedAfterTheyWereSeen() {
    visitor.go("/notifications/templates/import");
    page.getByLabel("Export of payload templates")
        .setInputFiles(
            new FilePayload(
                "templates.json", "application/json", "{}".getBytes(StandardCharsets.UTF_8)));
    assertThat(page.locator("tbody tr")).hasCount(2);
    assertThat(page.locator("tbody tr").first()).containsText("The header Host is left out");
    assertThat(button("Import 1")).isEnabled();
  }

  @Test
  void aRuleFromAThresholdOrGroupComesFilledIn() {
    visitor.go(
        "/notifications/rules/new?definition=6b0f1b60-7c1e-4c52-8f0e-1d3a00000321&name=Web+tier");
    assertThat(page.locator("h1")).hasText("Web tier");
    assertThat(page.locator("main")).containsText("raised by");
  }

  @Test
  void aSilenceOfAnAlertComesFilledInAndSaysWhatItWouldCover() {
    visitor.go("/notifications/silences/new?alert=" + ALERT);
    assertThat(page.getByLabel("Matcher 1: path")).hasValue("alert.definitionId");
    assertThat(page.locator("main"))
        .containsText("rule is \u201c[STO-12] Write latency above its band\u201d");
    assertThat(page.getByText("Say why first")).isVisible();
    assertThat(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("in 2 h")))
        .hasAttribute("aria-pressed", "true");
    assertThat(page.locator("main")).containsText("It would cover 1 open alert of 2");
    JsonNode first = api.bodies("POST /silences/preview").getFirst();
    assertThat(first.at("/scope/objects/0").asString()).isNotEmpty();
    assertThat(first.at("/matchers/0/path").asString()).isEqualTo("alert.definitionId");
    page.getByLabel("Matcher 1: path").fill("object.name");
    page.getByLabel("Matcher 1: path").press("Enter");
    page.getByLabel("Matcher 1: how").selectOption("matches");
    page.getByLabel("Matcher 1: value").fill("(pay|esx)-.*");
    asked(
        "POST /silences/preview", body -> body.at("/matchers/0/value").asString("").endsWith("*"));
    api.answer(
        "POST /silences/preview",
        400,
        """
        {"type": "about:blank", "title": "Invalid body", "status": 400, "code": "invalid-body", "detail": "when is no condition",
         "errors": [{"field": "when", "reason": "is no condition: mismatched input '<EOF>' (character 7, at '')"}]}
        """);
    page.getByLabel("Condition in CEL").fill("alert.");
    assertThat(page.locator("section[aria-label='What it would cover now']"))
        .containsText("Condition: is no condition");
    assertThat(CodeEditor.on(page).issue()).containsText("mismatched input");
    api.asUsual("POST /silences/preview");
    page.getByLabel("Condition in CEL").fill("");
    assertThat(page.locator("main")).containsText("It would cover 1 open alert");
    page.getByLabel("Why").fill("CHG-20418");
    button("in 8 h").click();
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/silences/0000"));
    JsonNode body = api.bodies("POST /silences").getFirst();
    assertThat(body.get("matchers").toString())
        .isEqualTo(
            "[{\"path\":\"object.name\",\"operator\":\"matches\",\"value\":\"(pay|esx)-.*\"}]");
    assertThat(body.at("/scope/objects")).hasSize(1);
    assertThat(body.has("when")).isFalse();
    expected("400");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "This rule on | [\"matchers\",\"scope\"]",
        "Everything on | [\"scope\"]",
        "This alert alone | [\"alerts\"]",
      })
  void anAlertIsSilencedWithoutLeavingIt(String choice, String members) {
    visitor.go("/alerts/" + ALERT);
    page.getByText("Silence\u2026").first().click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.getByText(choice).click();
    button("2 hours").click();
    button("Being mended").click();
    asked("POST /silences/preview", body -> names(body).equals(members));
    assertThat(dialog)
        .containsText(
            Pattern.compile("Until .*\\s+nobody\\s+is\\s+notified\\s+of\\s+this\\s+alert"));
    dialog.locator("button.primary").click();
    assertThat(page.locator(".notice")).containsText("silenced until");
    assertThat(page).hasURL(Pattern.compile("/alerts/" + ALERT));
    ObjectNode body = (ObjectNode) api.bodies("POST /silences").getFirst();
    assertThat(body.remove("comment").asString()).isEqualTo("Being mended");
    assertThat(Instant.parse(body.remove("to").asString()))
        .isCloseTo(Instant.now().plus(2, ChronoUnit.HOURS), within(3, ChronoUnit.MINUTES));
    assertThat(names(body)).isEqualTo(members);
    expected("404");
  }

  /** What a silence is about, by the names of its members. */
  private static String names(JsonNode body) {
    ObjectNode about = (ObjectNode) body.deepCopy();
    about.remove("limit");
    return about.propertyNames().stream()
        .sorted()
        .map(n -> "\"" + n + "\"")
        .toList()
        .toString()
        .replace(" ", "");
  }

  @Test
  void severalAlertsAreSilencedAtOnceWithTheKeyboard() {
    visitor.go("/alerts?by=none");
    assertThat(page.locator("main tbody tr[aria-selected]")).hasCount(2);
    page.keyboard().press("x");
    page.keyboard().press("j");
    page.keyboard().press("x");
    assertThat(page.locator(".bulk")).containsText("2 selected");
    page.keyboard().press("m");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog)
        .containsText(
            Pattern.compile("nobody\\s+is\\s+notified\\s+of\\s+1\\s+alert;\\s+1\\s+is\\s+over\\."));
    assertThat(dialog.locator("button.primary")).isDisabled();
    page.keyboard().type("CHG-20418");
    assertThat(dialog.locator("button.primary")).containsText("Silence until");
    page.keyboard().press("Enter");
    assertThat(page.locator(".notice")).containsText("2 alerts silenced until");
    assertThat(dialog).hasCount(0);
    assertThat(page.locator(".bulk")).hasCount(0);
    JsonNode body = api.bodies("POST /silences").getFirst();
    assertThat(body.get("alerts")).hasSize(2);
    assertThat(body.get("comment").asString()).isEqualTo("CHG-20418");
    assertThat(body.has("to")).isTrue();
    expected("404");
  }

  @Test
  void anEarlierVersionOfASilenceAndOfATableComesBack() {
    visitor.go("/notifications/silences/" + ID + "3d");
    assertThat(page.locator("main")).containsText("It covers 1 open alert of 2");
    page.keyboard().press("h");
    assertThat(page.locator(".version")).hasCount(2);
    page.getByLabel("Restore version 1").click();
    assertThat(page.locator(".notice")).containsText("Version 1 is in force again");
    assertThat(api.bodies("POST /silences/" + ID + "3d/history/1/restore")).hasSize(1);
    visitor.go("/notifications?tab=lookups&row=runbooks.csv");
    assertThat(page.locator(".lookup-rows tbody tr")).hasCount(2);
    page.keyboard().press("h");
    assertThat(page.locator(".version").first()).containsText("56 57");
    assertThat(page.locator(".diff .added").first())
        .containsText("Latency,https://wiki.example.org/run/latency");
    page.getByLabel("Restore version 2").click();
    assertThat(page.locator(".notice")).containsText("Version 2 of runbooks.csv is in force again");
    assertThat(api.bodies("POST /lookups/runbooks.csv/history/2/restore")).hasSize(1);
  }

  @Test
  void theLogIsAskedForATemplateAndForWordsOfTheFilter() {
    visitor.go("/notifications?tab=deliveries");
    assertThat(rows()).hasCount(7);
    assertThat(rows().nth(1)).containsText("429");
    assertThat(rows().nth(3)).containsText("30 s");
    page.getByLabel("As", new Page.GetByLabelOptions().setExact(true))
        .selectOption("pagerduty-storage");
    page.getByLabel("Filter").fill("error:429 event:update");
    Awaitility.await()
        .pollInSameThread()
        .until(
            () ->
                pumped(
                    api.queries("GET /deliveries").stream()
                        .anyMatch(
                            query ->
                                query.contains("template=pagerduty-storage")
                                    && query.contains("error=429")
                                    && query.contains("event=UPDATE"))));
    assertThat(rows()).hasCount(7);
  }

  @Test
  void columnsAreChosenMovedAndMadeWiderInEveryList() {
    List<List<String>> choices =
        List.of(
            List.of("Templates", "Version", "Rules"),
            List.of("Rules", "Then", "Changed by"),
            List.of("Targets", "Type", "Last failure"),
            List.of("Silences", "From", "Changed by"),
            List.of("Delivery log", "Attempts", "Template version"));
    Locator names = page.locator("thead th .name .cut");
    Map<String, List<String>> chosen = new LinkedHashMap<>();
    visitor.go("/notifications");
    for (List<String> one : choices) {
      button(one.getFirst()).click();
      assertThat(names.getByText(one.get(1), new Locator.GetByTextOptions().setExact(true)))
          .isVisible();
      List<String> now = new ArrayList<>(names.allInnerTexts());
      button("Columns").click();
      Locator list = page.locator(".at-columns");
      list.getByText(one.get(1), new Locator.GetByTextOptions().setExact(true)).click();
      assertThat(names).hasCount(now.size() - 1); // the list has moved, too
      list.getByText(one.get(2), new Locator.GetByTextOptions().setExact(true)).click();
      page.keyboard().press("Escape");
      assertThat(list).hasCount(0);
      now.remove(one.get(1));
      now.add(one.get(2));
      assertThat(names).hasText(now.toArray(String[]::new));
      page.locator("thead th .name").nth(1).focus();
      page.keyboard().press("Alt+ArrowRight");
      now.add(2, now.remove(1));
      assertThat(names).hasText(now.toArray(String[]::new));
      chosen.put(one.getFirst(), now);
    }
    Locator third = page.locator("thead th .name").nth(2);
    third.focus();
    String width = "() => document.activeElement.closest('th').offsetWidth";
    int before = ((Number) page.evaluate(width)).intValue();
    third.press("Shift+ArrowRight");
    assertThat(page.locator("colgroup col").nth(3))
        .hasAttribute("style", Pattern.compile("width: ?" + (before + 16) + "px"));
    visitor.go("/notifications");
    chosen.forEach(
        (tab, now) -> {
          button(tab).click();
          assertThat(names).hasText(now.toArray(String[]::new));
        });
  }

  @Test
  void aSilenceIsEndedFromTheList() {
    visitor.go("/notifications?tab=silences");
    assertThat(rows().first()).isVisible();
    page.keyboard().press("j");
    page.keyboard().press("e");
    assertThat(page.locator(".notice")).containsText("still open are sent now");
    assertThat(api.bodies("POST /silences/" + ID + "3d/expire")).hasSize(1);
  }

  @Test
  void aDeliveryShowsEveryAttemptAndIsTriedNowOrDropped() {
    visitor.go("/notifications?tab=deliveries");
    assertThat(rows()).hasCount(7);
    assertThat(page.locator(".ph").first()).containsText("1 dead");
    page.keyboard().press("j");
    page.keyboard().press("j");
    Locator detail = page.locator("section[aria-label=Delivery]");
    assertThat(detail).containsText("429 Too Many Requests, again at");
    assertThat(detail.locator(".attempt")).hasCount(2);
    assertThat(detail).containsText("Retry-After: 120");
    assertThat(detail).containsText("slow down");
    detail.getByText("Drop", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".notice")).containsText("1 delivery dropped");
    assertThat(api.bodies("POST /deliveries/" + ID + "2a/drop")).hasSize(1);
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("r");
    assertThat(page.locator(".notice")).containsText("1 delivery sent again");
    assertThat(api.bodies("POST /deliveries/" + ID + "2c/replay")).hasSize(1);
  }

  @Test
  void aRangeIsCountedBeforeItIsSentAgain() {
    visitor.go("/notifications?tab=deliveries&target=" + ID + "16");
    button("Replay a range\u2026").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog.locator("[role=status]")).containsText("2 deliveries would be sent again");
    dialog.getByRole(AriaRole.CHECKBOX, new Locator.GetByRoleOptions().setName("dropped")).check();
    Awaitility.await()
        .pollInSameThread()
        .until(() -> pumped(api.bodies("POST /deliveries/replay").size()) >= 2);
    dialog.getByText("Send 2 again").click();
    assertThat(dialog).hasCount(0);
    List<JsonNode> asked = api.bodies("POST /deliveries/replay");
    assertThat(asked.getLast().get("dryRun").asBoolean()).isFalse();
    assertThat(asked.getLast().get("state").toString()).isEqualTo("[\"dead\",\"dropped\"]");
    assertThat(asked.getLast().get("target").asString()).isEqualTo(ID + "16");
    assertThat(asked.stream().limit(asked.size() - 1)).allMatch(b -> b.get("dryRun").asBoolean());
  }

  @Test
  void anAlertShowsWhoWasNotifiedAndWhyOthersWereNot() {
    visitor.go("/alerts/" + ALERT);
    Locator section = page.locator(".notified");
    assertThat(section).containsText("PagerDuty, storage");
    assertThat(section).containsText("held back: muted until 18:00");
    assertThat(section.locator(".told.quiet")).containsText("its type is APPLICATION, not NETWORK");
    assertThat(section.locator(".trace")).hasCount(4);
    section.locator(".trace button").first().click();
    assertThat(section.locator(".checks")).containsText("warning is warning or worse");
    page.keyboard().press("m");
    page.getByText("By other conditions").click();
    assertThat(page).hasURL(Pattern.compile("/notifications/silences/new\\?alert=" + ALERT));
    assertThat(page.getByLabel("Matcher 1: path")).hasValue("alert.definitionId");
    visitor.complaints().removeIf(c -> c.contains("404"));
  }

  @Test
  void aLookupTableIsSeenBeforeItIsStored() {
    visitor.go("/notifications?tab=lookups&row=runbooks.csv");
    assertThat(page.locator(".lookup-rows tbody tr")).hasCount(2);
    button("Replace\u2026").click();
    page.getByLabel("CSV file")
        .setInputFiles(
            new FilePayload(
                "r.csv", "text/csv", "alert,url\na,b\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("2 rows, 120 B");
  }

  @Test
  void aSecretIsReplacedAndAllAreEncryptedAgain() {
    visitor.go("/notifications?tab=secrets");
    assertThat(page.getByLabel("Delete smtp")).isDisabled();
    page.getByLabel("Replace smtp").click();
    page.getByRole(AriaRole.DIALOG).locator("textarea").fill("new-passw0rd");
    page.getByRole(AriaRole.DIALOG).getByText("Store").click();
    assertThat(page.locator(".notice")).containsText("smtp is stored");
    assertThat(api.bodies("PUT /secrets/smtp").getFirst().get("value").asString())
        .isEqualTo("new-passw0rd");
    button("Encrypt anew").click();
    assertThat(page.locator(".notice")).containsText("no key opens old-chat");
  }

  /** Nothing is wider than the window, and nothing is written over something else's edge. */
  @ParameterizedTest
  @CsvSource({"1280, DARK", "1920, LIGHT"})
  void pagesFitTheWindow(int width, ColorScheme theme) {
    visit(installation.token(), width, theme);
    visitor.go("/notifications");
    for (String address :
        List.of(
            "?tab=rules",
            "?tab=templates",
            "?tab=targets",
            "?tab=relays",
            "?tab=silences",
            "?tab=deliveries",
            "?tab=deliveries&row=" + ID + "2a",
            "?tab=secrets",
            "/templates/pagerduty-storage",
            "/rules/" + ID + "0b",
            "/targets/" + ID + "15",
            "/relays/" + ID + "52")) {
      goOn("/notifications" + address);
      assertThat(page.locator("main .pane").first()).isVisible();
      Object wide =
          page.evaluate(
              """
              () => [...document.querySelectorAll("main, main > .tb, main .ph")].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => `${e.className || e.tagName} ${e.scrollWidth} in ${e.clientWidth}`)
              """);
      assertThat(wide).as("%s at %d", address, width).isEqualTo(List.of());
    }
  }

  @Test
  void aVersionIsPublishedUnderItsOwnNumberIfThatIsNewer() {
    visitor.goToSources("/notifications?tab=secrets");
    for (List<String> one :
        List.of(
            List.of("1.3.0", "1.3.0", "1.4.0"),
            List.of("1.3.0", "1.3.1", "1.3.1"),
            List.of("1.3.0", "2.0.0", "2.0.0"),
            List.of("1.3.0", "1.2.9", "1.4.0"))) {
      assertThat(run("pages/notifications/template.js", "m.nextVersion(a[0], a[1])", one))
          .as("%s", one)
          .isEqualTo(one.get(2));
    }
  }

  @Test
  void textsDifferByWordsAndBodiesByLines() {
    visitor.goToSources("/notifications?tab=secrets");
    assertThat(
            run(
                "pages/notifications/diff.js",
                "m.differing(a[0], a[1])",
                List.of("[STO-12] Write latency", "Write latency")))
        .isEqualTo(List.of("", "[STO-12] ", "", "Write latency"));
    assertThat(
            run(
                "pages/notifications/diff.js",
                "m.differing(a[0], a[1])",
                List.of("login token=9f3a71 at", "login token=\u2022\u2022\u2022 at")))
        .isEqualTo(List.of("login token=", "9f3a71", "\u2022\u2022\u2022", " at"));
    assertThat(
            run(
                "pages/notifications/rendered.js",
                "[...m.changedLines(a[0].split(' '), a[1].split(' '))]",
                List.of("a b c d e", "a x b c y e")))
        .isEqualTo(List.of(1, 4));
  }

  @Test
  void reorderingChangesAsFewRulesAsPossible() {
    visitor.goToSources("/notifications?tab=secrets");
    assertThat(reordered("10 20 30", 2, 0)).isEqualTo("4");
    assertThat(reordered("10 20 30", 0, 2)).isEqualTo("40");
    assertThat(reordered("0 1 2", 2, 0)).isEqualTo("10 20 30");
  }

  /** Orders that are stored when the rule at a place moves to another. */
  private Object reordered(String orders, int from, int to) {
    return run(
        "pages/notifications/rules.js",
        """
        (list => { const moved = list[a.from]; return m.reordered(list.toSpliced(a.from, 1).toSpliced(a.to, 0, moved), moved).map(([, o]) => o).join(" "); })(a.orders.split(" ").map((o, id) => ({ id, order: Number(o) })))
        """,
        Map.of("orders", orders, "from", from, "to", to));
  }

  /** Waits until a page has sent such a body. */
  private void asked(String call, Predicate<JsonNode> body) {
    Awaitility.await()
        .pollInSameThread()
        .until(() -> pumped(api.bodies(call).stream().anyMatch(body)));
  }

  /** Goes to another page as a link does: what is loaded stays. */
  private void goOn(String address) {
    page.evaluate(
        """
        address => {
          const link = document.body.appendChild(Object.assign(document.createElement("a"), { href: address }));
          link.click();
          link.remove();
        }
        """,
        address);
  }

  private Object run(String module, String expression, Object argument) {
    return page.evaluate(
        "async a => { const m = await import('/app/" + module + "'); return " + expression + "; }",
        argument);
  }

  /** Lets the browser go on while something is waited for. */
  private <T> T pumped(T value) {
    page.waitForTimeout(50);
    return value;
  }

  /** Answers of this status are part of the test, also those that come when it is over. */
  private void expected(String status) {
    expected.add(status);
  }

  private Locator rows() {
    return page.locator("main tbody tr:not(.gap)");
  }

  private Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }
}
