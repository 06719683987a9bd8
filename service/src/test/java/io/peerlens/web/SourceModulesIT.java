package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The page of sources with a {@link FakeApi}: states, errors, the pane that adds a vCenter, pausing
 * and removing. Whatever it sends is held against the contract.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SourceModulesIT {

  private static final String ID = "6b0f1b60-7c1e-4c52-8f0e-1d3a00000c0";
  private static final String EAST = ID + "1";
  private static final String LAB = ID + "3";
  private static final String OLD = ID + "4";
  private static final String PROBE = "POST /sources/probe";
  private static final String FINGERPRINT =
      "9C:41:7E:0B:52:D8:AF:16:63:2A:F4:8D:90:1C:E7:35:D4:08:BB:71:3F:A9:26:C0:5E:84:19:F2:67:DD:0A:93";
  private static final String ROWS = ".results tbody tr:not(.gap):not(.group)";

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
    api = FakeApi.ofSources();
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

  private Locator rows() {
    return page.locator(ROWS);
  }

  private Locator side() {
    return page.locator(".source-side");
  }

  private Locator button(String name) {
    return PagesTest.button(page, name);
  }

  private Locator label(String name) {
    return side().locator("label").filter(PagesTest.named(name)).locator("input").first();
  }

  // ------------------------------------------------------------------ the list

  @Test
  void sourcesAreListedByKindWorstFirstBelowASentenceThatNamesTheWorst() {
    visitor.go("/sources");
    assertThat(page.locator("h1"))
        .containsText("7 of 11 sources are fresh. vc-lab has refused the password since");
    assertThat(rows()).hasCount(12);
    assertThat(page.locator(".results tr.group"))
        .hasText(new String[] {"vCenter", "Telegraf, by collector", "JSON", "Flow exporters"});
    Locator lab = rows().first();
    assertThat(lab).containsText("vc-lab");
    assertThat(lab).containsText("stopped");
    assertThat(lab.getByRole(AriaRole.IMG)).hasAttribute("aria-label", "stopped");
    assertThat(rows().nth(3)).containsText("vc-east8.0.3, node-2");
    assertThat(rows().nth(3)).containsText("12,840");
    assertThat(rows().nth(3)).containsText("1.9 s / 20 s");
    assertThat(rows().nth(4)).containsText("Paused by m.okafor.");
    assertThat(rows().nth(4)).hasClass(Pattern.compile("quiet"));
    assertThat(rows().nth(5)).containsText("late");
  }

  @Test
  void aStopIsAStepOfTheSmallChart() {
    visitor.go("/sources");
    String path = rows().first().locator("svg.spark path").getAttribute("d");
    String[] points = path.substring(1).split("L");
    double before = height(points[points.length / 2]);
    double after = height(points[points.length - 1]);
    assertThat(before).as("near the top").isLessThan(6);
    assertThat(after).as("at the bottom, which is zero").isEqualTo(15);
    assertThat(rows().first().locator("td").last())
        .hasAttribute("title", Pattern.compile("^0 to 4\\d\\d a second in the last 6 hours$"));
  }

  private static double height(String point) {
    return Double.parseDouble(point.split(" ")[1]);
  }

  @Test
  void theListIsFilteredAndWalkedWithKeys() {
    visitor.go("/sources");
    assertThat(rows()).hasCount(12);
    page.keyboard().press("/");
    page.keyboard().type("kind:telegraf is:fresh");
    assertThat(rows()).hasCount(2);
    page.keyboard().press("Escape");
    page.keyboard().press("j");
    page.keyboard().press("j");
    assertThat(page.locator("tr.sel")).containsText("tg-east-02");
    assertThat(side()).containsText("It sends by itself");
    assertThat(page).hasURL(Pattern.compile("row=telegraf"));
    assertThat(page).hasURL(Pattern.compile("q=kind:telegraf"));
    page.keyboard().press("Escape");
    assertThat(side()).hasCount(0);
  }

  @Test
  void onAPhoneASourceStandsInThePlaceOfTheListAndBackLeadsToIt() {
    api.leave(page);
    take(Visitor.of(chromium, installation, 390, ColorScheme.DARK));
    visitor.go("/sources");
    rows().nth(3).locator("a").click();
    assertThat(side()).containsText("vc-east");
    assertThat(rows()).hasCount(0);
    assertThat(page.locator(".acts-bar")).containsText("Pause");
    page.getByLabel("Back", PagesTest.exact()).click();
    assertThat(rows()).hasCount(12);
  }

  // ------------------------------------------------------------------ one source

  @Test
  void aSourceShowsTheRoundsOfItsPartsItsErrorsAndHowItIsRead() {
    visitor.go("/sources?row=" + EAST);
    Locator rounds = side().locator("table.rounds tbody tr");
    assertThat(rounds).hasCount(2);
    assertThat(rounds.nth(1)).containsText("Performance");
    assertThat(rounds.nth(1)).containsText("1.9 s / 20 s");
    assertThat(side().locator(".source-error")).hasCount(2);
    assertThat(side().locator(".source-error").first()).containsText("12 times");
    assertThat(side().locator(".fingerprint")).containsText(FINGERPRINT.substring(48));
    assertThat(side()).not().containsText("Version 2");
    page.keyboard().press("h");
    assertThat(side().locator(".version")).hasCount(3);
    assertThat(side().locator(".version").nth(1)).containsText("Version 2");
  }

  @Test
  void zPausesASourceAndThatCanBeTakenBack() {
    visitor.go("/sources?row=" + EAST);
    assertThat(side()).containsText("vc-east");
    page.keyboard().press("z");
    assertThat(page.locator(".notice")).containsText("vc-east is paused");
    assertThat(page.locator(".notice").getByText("Undo")).isVisible();
    visitor.go("/sources?row=" + OLD);
    assertThat(side()).containsText("paused");
    page.keyboard().press("z");
    assertThat(page.locator(".notice")).containsText("vc-old is read again");
  }

  @Test
  void whatSendsByItselfIsPausedWhereItRuns() {
    visitor.go("/sources?row=telegraf:tg-guest");
    assertThat(side()).containsText("Set the clock where it runs");
    assertThat(side()).containsText("4 min behind");
    page.keyboard().press("z");
    assertThat(page.locator(".notice")).containsText("tg-guest sends by itself");
  }

  @Test
  void removingAsksAndSaysWhatStays() {
    visitor.go("/sources?row=" + EAST);
    button("Remove\u2026").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("Its 684 objects and all their values");
    assertThat(dialog).containsText("its password is deleted");
    dialog.getByText("Keep it").click();
    assertThat(dialog).hasCount(0);
    button("Remove\u2026").click();
    dialog.getByText("Remove it").click();
    assertThat(page.locator(".notice")).containsText("vc-east is deleted in 10 s");
    page.locator(".notice").getByText("Undo").click();
    assertThat(page.locator(".notice")).isHidden();
  }

  // ------------------------------------------------------------------ errors

  @Test
  void lastErrorsSayWhatHappenedWhatFollowsAndLeadToWhatIsToDo() {
    visitor.go("/sources");
    Locator errors = page.locator(".source-errors-pane .source-error");
    assertThat(errors.first()).containsText("vCenter refuses the account");
    assertThat(errors.first()).containsText("After two refusals it waits");
    assertThat(errors.first()).containsText("Enter the password of the account again");
    assertThat(errors.nth(1)).containsText("tg-west-01");
    errors.first().getByText("New password").click();
    assertThat(side()).containsText("Change vc-lab");
    assertThat(label("Password")).isFocused();
    assertThat(button("Save")).isDisabled();
    page.keyboard().press("Escape");
    page.keyboard().press("Escape");
    page.getByText("All 4 errors of the week").click();
    assertThat(side().locator(".source-error")).hasCount(4);
  }

  @Test
  void anotherPasswordIsTestedAndSentAloneAsASecret() {
    visitor.go("/sources?row=" + LAB);
    side().locator(".sec.first").getByText("New password").click();
    api.answer(PROBE, 200, api.usual("signed in").toString());
    label("Password").fill("correct horse");
    side().getByText("See what it shows now").click();
    assertThat(side()).containsText("Tested");
    JsonNode probe = api.bodies(PROBE).getLast();
    assertThat(probe.path("id").asString()).isEqualTo(LAB);
    assertThat(probe.path("password").asString()).isEqualTo("correct horse");
    assertThat(probe.at("/trust/sha256").asString()).isEqualTo(FINGERPRINT);
    api.answer("PUT /sources/" + LAB, 200, api.usual("GET /sources/" + LAB).toString());
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    JsonNode put = api.bodies("PUT /sources/" + LAB).getFirst();
    assertThat(put.at("/password/value").asString()).isEqualTo("correct horse");
    assertThat(put.at("/password/secret").isMissingNode()).isTrue();
    assertThat(put.path("name").asString()).isEqualTo("vc-lab");
  }

  // ------------------------------------------------------------------ adding

  @Test
  void readingStartsOnceAPersonHasConfirmedTheFingerprintAndTheAccountSignedIn() {
    visitor.go("/sources");
    page.keyboard().press("c");
    assertThat(side()).containsText("Add a vCenter");
    label("Address").fill("vc-west.corp.example");
    label("Address").press("Tab");
    assertThat(side().locator(".fingerprint")).containsText(FINGERPRINT.substring(0, 47));
    assertThat(side().locator(".fingerprint")).containsText(FINGERPRINT.substring(48));
    assertThat(side()).containsText("Is this your vCenter?");
    assertThat(label("Name")).hasAttribute("placeholder", "vc-west");
    Locator box = side().locator("input[name=compared]");
    assertThat(box).not().isChecked();
    label("Account").fill("peerlens@vsphere.local");
    label("Password").fill("correct horse");
    label("Password").press("Tab");
    Locator start = button("Start reading");
    assertThat(start).isDisabled();
    assertThat(side()).containsText("Compare the fingerprint, then tick the box");
    assertThat(api.bodies(PROBE)).hasSize(1).noneMatch(body -> body.has("password"));

    api.answer(PROBE, 200, api.usual("signed in").toString());
    box.check();
    assertThat(start).isEnabled();
    assertThat(api.bodies(PROBE).getLast().at("/trust/sha256").asString()).isEqualTo(FINGERPRINT);
    assertThat(side()).containsText("sees 2 clusters, 12 hosts, 112 VMs, 9 datastores");
    Locator rights = side().locator(".rights li");
    assertThat(rights).hasCount(6);
    assertThat(rights.nth(2)).containsText("Tags: readObjects have no vSphere tags.missing");
    assertThat(side()).containsText("About 1100 samples/s of 135 objects");
    side().getByText("Performance, 20 s").click();
    assertThat(side()).containsText("135 objects, without values of metrics");

    ObjectNode made = (ObjectNode) api.usual("GET /sources/" + ID + "5").deepCopy();
    api.answer("POST /sources", 201, made.toString());
    start.click();
    assertThat(page).hasURL(Pattern.compile("row=" + ID + "5"));
    JsonNode sent = api.bodies("POST /sources").getFirst();
    assertThat(sent.path("name").asString()).isEqualTo("vc-west");
    assertThat(sent.path("address").asString()).isEqualTo("https://vc-west.corp.example");
    assertThat(sent.at("/password/value").asString()).isEqualTo("correct horse");
    assertThat(sent.at("/trust/sha256").asString()).isEqualTo(FINGERPRINT);
    assertThat(sent.path("reads").toString()).isEqualTo("[\"configuration\",\"events\"]");
    assertThat((String) page.evaluate("JSON.stringify(localStorage)"))
        .as("what the browser keeps")
        .doesNotContain("correct horse");
  }

  @Test
  void anotherAddressTakesTheTickAway() {
    visitor.go("/sources?add=vcenter");
    label("Address").fill("vc-west.corp.example");
    label("Address").press("Tab");
    Locator box = side().locator("input[name=compared]");
    box.check();
    assertThat(box).isChecked();
    label("Address").fill("vc-north.corp.example");
    assertThat(box).hasCount(0);
    label("Address").press("Tab");
    assertThat(box).not().isChecked();
  }

  @Test
  void aCertificateThatAnAuthorityVouchesForNeedsNoTick() {
    for (String which : List.of(PROBE, "signed in")) {
      ObjectNode answer = (ObjectNode) api.usual(which).deepCopy();
      ((ObjectNode) answer.path("certificate"))
          .put("trustedByAuthorities", true)
          .put("selfSigned", false);
      answer.putNull("problem");
      api.answer(which, 200, answer.toString());
    }
    visitor.go("/sources?add=vcenter");
    label("Address").fill("vc-west.corp.example");
    label("Address").press("Tab");
    assertThat(side()).containsText("a known authority vouches for it");
    ObjectNode signedIn = (ObjectNode) api.usual("signed in").deepCopy();
    ((ObjectNode) signedIn.path("certificate")).put("trustedByAuthorities", true);
    api.answer(PROBE, 200, signedIn.toString());
    label("Account").fill("peerlens@vsphere.local");
    label("Password").fill("correct horse");
    label("Password").press("Tab");
    assertThat(button("Start reading")).isEnabled();
    assertThat(side().locator("input[name=compared]")).not().isChecked();
    assertThat(api.bodies(PROBE).getLast().has("trust")).isFalse();
  }

  @Test
  void wrongInputIsToldAtItsField() {
    visitor.go("/sources?add=vcenter");
    label("Address").fill("http://vc-west.corp.example");
    label("Address").press("Tab");
    assertThat(label("Address")).hasAttribute("aria-invalid", "true");
    assertThat(page.locator("#source-address-wrong")).containsText("over https only");
    assertThat(api.bodies(PROBE)).isEmpty();
    label("Address").fill("https://vc-west.corp.example/ui/");
    label("Address").press("Tab");
    assertThat(label("Address")).hasAttribute("aria-invalid", "false");
    label("Account").fill("peerlens@vsphere.local");
    label("Password").fill("wrong horse");
    ObjectNode refused = (ObjectNode) api.usual(PROBE).deepCopy();
    refused.set("problem", api.usual("GET /sources/errors?source=" + LAB).at("/items/0/problem"));
    api.answer(PROBE, 200, refused.toString());
    side().locator("input[name=compared]").check();
    assertThat(page.locator("#source-password-wrong")).containsText("refuses the account");
    assertThat(button("Start reading")).isDisabled();

    api.answer(PROBE, 200, api.usual("signed in").toString());
    label("Password").fill("correct horse");
    label("Password").press("Tab");
    assertThat(button("Start reading")).isEnabled();
    expected.add("409");
    api.answer(
        "POST /sources",
        409,
        """
        {"type": "about:blank", "title": "Conflict", "status": 409, "code": "conflict", "detail": "There is a source of this name.",
         "requestId": "r", "errors": [{"field": "name", "reason": "is taken"}]}
        """);
    button("Start reading").click();
    assertThat(page.locator("#source-name-wrong")).hasText("is taken");
    assertThat(label("Password")).hasValue("correct horse");
  }

  @Test
  void aVCenterThatDoesNotAnswerSaysWhatToDo() {
    ObjectNode none = (ObjectNode) api.usual(PROBE).deepCopy();
    none.putNull("certificate");
    ((ObjectNode) none.path("problem"))
        .put("code", "unreachable")
        .put("what", "There is no answer over TLS: connect timed out");
    api.answer(PROBE, 200, none.toString());
    visitor.go("/sources?add=vcenter");
    label("Address").fill("nowhere.example");
    label("Address").press("Tab");
    assertThat(side()).containsText("There is no answer over TLS");
    api.asUsual(PROBE);
    button("Look again").click();
    assertThat(side()).containsText("Is this your vCenter?");
  }

  @Test
  void authoritiesOfOnesOwnVouchInThePlaceOfAPerson() {
    visitor.go("/sources?add=vcenter");
    label("Address").fill("vc-west.corp.example");
    label("Address").press("Tab");
    label("Account").fill("peerlens@vsphere.local");
    label("Password").fill("correct horse");
    button("Use a CA").click();
    api.answer(PROBE, 200, api.usual("signed in").toString());
    Locator pem = side().locator("textarea");
    pem.fill("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----");
    pem.press("Tab");
    assertThat(button("Start reading")).isEnabled();
    assertThat(api.bodies(PROBE).getLast().at("/trust/authorities").asString())
        .startsWith("-----BEGIN");
    assertThat(side().locator("input[name=compared]")).hasCount(0);
  }

  // ------------------------------------------------------------------ roles, nothing there

  @Test
  void aViewerSeesNoButtonThatOthersUse() {
    api.leave(page);
    take(Visitor.of(chromium, installation, viewer, 1440, ColorScheme.DARK));
    visitor.go("/sources?row=" + LAB);
    assertThat(side()).containsText("vCenter refuses the account");
    assertThat(side().locator("table.rounds tbody tr").first()).isVisible();
    for (String name :
        List.of("Add a vCenter", "Pause", "Change", "Remove", "New password", "Test it")) {
      assertThat(page.locator("main").getByRole(AriaRole.BUTTON, named(name))).hasCount(0);
    }
    page.keyboard().press("c");
    page.keyboard().press("z");
    page.keyboard().press("e");
    assertThat(page).not().hasURL(Pattern.compile("add=|edit="));
    assertThat(page.locator(".notice")).isHidden();
  }

  private static Locator.GetByRoleOptions named(String name) {
    return new Locator.GetByRoleOptions().setName(name);
  }

  @Test
  void anInstallationWithoutSourcesOffersAVCenterFirst() {
    api.empty();
    ObjectNode none = (ObjectNode) api.usual("GET /sources/counts").deepCopy();
    for (String state :
        List.of("total", "starting", "fresh", "late", "behind", "stopped", "paused")) {
      none.put(state, 0);
    }
    none.putNull("worst");
    api.answer("GET /sources/counts", 200, none.toString());
    visitor.go("/sources");
    assertThat(page.locator("h1")).hasText("Nothing sends data yet.");
    Locator words = page.getByLabel("First steps");
    assertThat(words).containsText("Point it at a vCenter.");
    words.getByText("Add a vCenter").click();
    assertThat(label("Address")).isVisible();
  }
}
