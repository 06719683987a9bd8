package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Clock;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.SelectOption;
import io.peerlens.node.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Outlier groups, their events and the wall in a real browser on the real service: eight web
 * servers do the same job, and shop-web-07 does far more of it since half an hour.
 */
@Order(2)
class OutlierPagesIT extends PagesTest {

  private static final Duration JUDGED = Duration.ofMinutes(4);

  /** Nine days of an orderly metric up to an hour ahead, so that each bucket to come has values. */
  private static final String SESSIONS =
      """
      update object set properties = properties || '{"config|version": "19"}' where name = 'shop-web-07';
      update object set properties = properties || '{"config|version": "21"}' where object_kind = 'VirtualMachine' and name <> 'shop-web-07';

      insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
      values (gen_random_uuid(), 'Telegraf', 'Host', 'rack-7', 'rack-7', now(), now());

      insert into metric_group (adapter_kind, object_kind, name, metrics, units)
      values ('VMWARE', 'VirtualMachine', 'web', array['sessions', 'errors'], array['', '']);

      insert into metric_set (object_id, group_id)
      select o.id, g.id from object o join metric_group g using (adapter_kind, object_kind) where g.name = 'web';

      insert into sample (time, set_id, values)
      select t, s.id, array[
        case when o.name = 'shop-web-07' and t > now() - interval '30 minutes' then 640 else 200 end
          + 20 * sin(extract(epoch from t) / 7000) + 4 * sin(extract(epoch from t) / 61 + s.id),
        5 + sin(extract(epoch from t) / 47 + s.id)]
      from metric_set s join object o on o.id = s.object_id join metric_group g on g.id = s.group_id,
        generate_series(date_trunc('minute', now() - interval '9 days'), now() + interval '60 minutes', interval '1 minute') t
      where g.name = 'web' and (t > now() - interval '3 hours' or extract(minute from t)::int % 5 = 0);
      """;

  private String group;
  private String event;
  private final List<String> made = new ArrayList<>();

  @Override
  PagesInstallation install() {
    return PagesInstallation.openWith(
        SESSIONS,
        Set.of(Role.API, Role.EVALUATOR),
        "peerlens.evaluation.lag=1s",
        "peerlens.evaluation.shards=1",
        "peerlens.scopes.age=1ms");
  }

  @Override
  void prepare(Visitor first) {
    group = store(first, "shop/web", "web|sessions", 1);
    store(first, "shop/errors", "web|errors", 6);
    Awaitility.await()
        .atMost(JUDGED)
        .until(() -> json(first, "/outlier-events?state=open").get("total").asInt() == 1);
    event = json(first, "/outlier-events?state=open").at("/items/0/id").asString();
  }

  @Override
  void tidy() {
    for (String id : made) {
      String etag = "\"" + json("/outlier-groups/" + id).get("version").asInt() + "\"";
      visitor.api("DELETE", "/outlier-groups/" + id, null, etag);
    }
    made.clear();
  }

  @Test
  void theListStartsWithTheGroupThatHasADeviantAndWorksWithKeysAlone() {
    visitor.go("/outliers");
    assertThat(page.locator(".tb")).containsText("1 deviant in 2 groups");
    assertThat(page.locator("nav .n.hot")).hasText("1");
    assertThat(page.locator(ROWS)).hasCount(2);
    assertThat(page.locator(ROWS).first()).containsText("shop/web");
    assertThat(page.locator(ROWS).first()).containsText("shop-web-07");
    assertThat(page.locator(ROWS).first().locator(".strip"))
        .hasAttribute("aria-label", Pattern.compile("median [12]\\d\\d.*out: shop-web-07 6\\d\\d"));
    assertThat(page.locator(ROWS).nth(1)).containsText("alike");
    page.keyboard().press("/");
    page.keyboard().type("errors");
    assertThat(page.locator(ROWS)).hasCount(1);
    page.keyboard().press("Escape");
    page.locator("#filter").fill("");
    page.locator("#filter").blur(); // and on at once, before what was typed has settled
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/outliers/" + group));
  }

  @Test
  void theGroupNamesTheMemberThatDiffersAndShowsAllMembers() {
    visitor.go("/outliers/" + group + "?range=3h");
    assertThat(page.getByLabel("Explanation")).containsText("shop-web-07");
    assertThat(page.getByLabel("Explanation").locator("b").first()).hasText("shop-web-07");
    Locator chart = page.locator("group-chart [role=img]");
    assertThat(chart).hasAttribute("aria-label", Pattern.compile("shop-web-07"));
    assertThat(inked(page.locator("group-chart"))).isGreaterThan(1000);
    Locator members = page.getByLabel("Members", exact()).locator("tbody tr:not(.gap)");
    assertThat(members).hasCount(8);
    assertThat(members.first()).containsText("shop-web-07");
    assertThat(members.first()).containsText("open since");
    assertThat(members.first().locator(".buckets"))
        .hasAttribute("aria-label", Pattern.compile("of the last 12 buckets over the limit"));
    assertThat(page.getByLabel("What sets shop-web-07 apart")).containsText("21 on all 7 peers");
    assertThat(page.getByLabel("Events", exact())).containsText("1 open");
    page.getByTitle("Show as table").click();
    assertThat(page.locator("group-chart thead")).containsText("shop-web-07");
  }

  @Test
  void anotherSensitivityIsLookedAtBeforeItIsKept() {
    visitor.go("/outliers/" + group + "?range=3h");
    Locator slider = page.getByLabel("Sensitivity", exact());
    assertThat(slider).hasAttribute("aria-valuetext", Pattern.compile("Medium, 4.5"));
    assertThat(page.locator("group-chart [role=img]")).hasCount(1);
    page.evaluate(
        "globalThis.before = document.querySelector('group-chart').spec.upper.findLast(v => v !== null)");
    slider.fill("8.5");
    assertThat(page.locator(".effect")).containsText("at High 3.5");
    assertThat(page.locator(".effect"))
        .containsText(Pattern.compile("(more|fewer|as many)\\s+events?\\s+in\\s+30\\s+days"));
    assertThat(
            (Boolean)
                page.evaluate(
                    "document.querySelector('group-chart').spec.upper.findLast(v => v !== null) < globalThis.before"))
        .isTrue();
    page.getByText("Back", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".effect")).hasCount(0);
    assertThat(json("/outlier-groups/" + group).get("sensitivity").asString()).isEqualTo("medium");
  }

  @Test
  void aMemberIsMarkedAsExpectedAndThatIsTakenBack() {
    String other =
        json("/outlier-groups/" + group + "/members?q=shop-web-02")
            .at("/items/0/object/id")
            .asString();
    visitor.go("/outliers/" + group + "?row=" + other);
    assertThat(page.locator("tr.sel")).containsText("shop-web-02");
    page.keyboard().press("e");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("shop-web-02 is expected to differ");
    dialog.getByLabel("Why").fill("patch window");
    dialog.getByLabel("Why").press("Enter");
    assertThat(page.locator(".notice")).containsText("expected to differ until");
    assertThat(page.getByLabel("Expected", exact())).containsText("shop-web-02");
    assertThat(page.getByLabel("Expected", exact())).containsText("patch window");
    page.getByText("Undo", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.getByLabel("Expected", exact())).hasCount(0);
  }

  @Test
  void anEventHasAnAddressOfItsOwnWithNotes() {
    visitor.go("/outliers/" + group);
    assertThat(page.getByLabel("Explanation")).containsText("shop-web-07");
    page.keyboard().press("n");
    page.getByRole(AriaRole.DIALOG).getByLabel("What you found or did").fill("Weight of the pool");
    page.getByText("Add the note").click();
    assertThat(page.locator(".notice")).containsText("Noted");
    assertThat(page.locator("group-chart")).hasCount(1);
    page.waitForCondition(() -> (Boolean) page.evaluate(FLAG_OF_THE_NOTE));
    visitor.go("/outliers/events/" + event);
    page.waitForCondition(() -> (Boolean) page.evaluate(FLAG_OF_THE_NOTE));
    assertThat(page.locator("h1")).hasText("shop-web-07 in shop/web");
    assertThat(page.getByLabel("History")).containsText("opened");
    assertThat(page.getByLabel("History")).containsText("Weight of the pool");
    assertThat(page.locator("group-chart [role=img]")).hasCount(1);
    page.keyboard().press("Control+k");
    page.keyboard().type("O-" + json("/outlier-events/" + event).at("/event/number").asInt());
    assertThat(page.locator("#palette-list")).containsText("shop-web-07 in shop/web");
  }

  /** A page of an event that began long ago asked anew with every redraw, 26 times a second. */
  @Test
  void thePageOfAnOldEventAsksOnce() {
    try (Visitor later = Visitor.of(chromium, installation, 1440, ColorScheme.LIGHT)) {
      List<String> asked = new ArrayList<>();
      later.page().onRequest(request -> asked.add(request.url()));
      later
          .page()
          .clock()
          .install(
              new Clock.InstallOptions()
                  .setTime(Instant.now().plus(Duration.ofHours(5)).toEpochMilli()));
      later.go("/outliers/events/" + event);
      assertThat(later.page().locator("group-chart [role=img]")).hasCount(1);
      asked.clear();
      later.page().waitForTimeout(3000);

      assertThat(asked.stream().filter(url -> url.contains("/results")).count()).isLessThan(2);
    }
  }

  private static final String FLAG_OF_THE_NOTE =
      "!!document.querySelector('group-chart')?.spec?.flags.some(f => f.note && f.text.includes('Weight of the pool'))";

  @Test
  void eventsAreArchivedWithAKeyAndBroughtBack() {
    visitor.go("/outliers?tab=events");
    assertThat(page.locator(ROWS)).hasCount(1);
    page.keyboard().press("j");
    page.keyboard().press("x");
    assertThat(page.locator(".bulk")).containsText("1 selected");
    page.keyboard().press("e");
    assertThat(page.locator(".notice")).containsText("1 event archived");
    assertThat(page.locator(ROWS)).hasCount(0);
    page.getByLabel("What is listed").getByText("Archive").click();
    assertThat(page.locator(ROWS)).hasCount(1);
    page.keyboard().press("j");
    page.keyboard().press("e");
    assertThat(page.locator(".notice")).containsText("back in the list");
    visitor.go("/outliers?tab=events");
    assertThat(page.locator(ROWS)).hasCount(1);
  }

  @Test
  void columnsOfGroupsAndOfEventsAreChosenAndMadeWider() {
    visitor.go("/outliers");
    Locator heads = page.locator(".results th .name");
    assertThat(heads).hasCount(9);
    button(page, "Columns").click();
    page.getByRole(AriaRole.CHECKBOX, checkbox("Judged")).uncheck();
    page.getByRole(AriaRole.CHECKBOX, checkbox("Sensitivity")).check();
    page.keyboard().press("Escape");
    assertThat(heads.last()).hasText("Sensitivity");
    assertThat(page.locator(ROWS).first()).containsText("Medium 4.5");
    Locator metric = page.locator("th[data-column=metric] .name");
    double before = page.locator("th[data-column=metric]").boundingBox().width;
    metric.focus();
    page.keyboard().press("Shift+ArrowRight");
    assertThat(page.locator("th[data-column=metric]"))
        .hasCSS("width", Math.round(before + 16) + "px");
    page.getByLabel("What is listed").getByText("Events").click();
    assertThat(heads.first()).containsText("Member");
    button(page, "Columns").click();
    page.getByRole(AriaRole.CHECKBOX, checkbox("Number")).check();
    page.keyboard().press("Escape");
    assertThat(page.locator(ROWS).first()).containsText(Pattern.compile("O-\\d+"));
    page.getByLabel("What is listed").getByText("Groups").click();
    assertThat(heads.last()).hasText("Sensitivity");
    page.reload();
    assertThat(heads.last()).hasText("Sensitivity");
    assertThat(page).hasURL(Pattern.compile("columns=name,metric,"));
  }

  private static Page.GetByRoleOptions checkbox(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  @Test
  void theScopeNarrowsGroupsToThoseWithMembersBelowIt() {
    String host = json("/objects?q=esx-a-01").at("/items/0/id").asString();
    visitor.go("/outliers?scope=" + host);
    assertThat(page.locator(ROWS)).hasCount(2);
    assertThat(page.getByLabel("Groups", exact()))
        .containsText("with members in esx-a-01 or below");
    String apart = json("/objects?q=rack-7").at("/items/0/id").asString();
    visitor.go("/outliers?scope=" + apart);
    assertThat(page.locator("main")).containsText("No group has members in rack-7");
    page.getByText("Show all groups").click();
    assertThat(page.locator(ROWS)).hasCount(2);
  }

  @Test
  void aGroupIsWrittenWithAPreviewAndSaved() {
    visitor.go("/outliers");
    assertThat(page.locator(ROWS)).hasCount(2);
    page.keyboard().press("c");
    assertThat(page.locator("h1")).hasText("New group");
    page.getByLabel("Object kind", exact())
        .selectOption(new SelectOption().setLabel("VMs (VMWARE, 8)"));
    page.getByLabel("Members: add a condition").selectOption("tags");
    page.getByLabel("with tag", exact()).fill("app=shop, tier=web");
    page.getByLabel("with tag", exact()).press("Tab");
    assertThat(page.locator("input[name=name]")).hasValue("shop/web");
    page.locator("input[name=name]").fill("web sessions");
    assertThat(page.getByLabel("Members", exact()).first()).containsText("8 match now");
    page.getByLabel("Add a metric").click();
    page.keyboard().type("sessions");
    page.getByRole(AriaRole.OPTION)
        .filter(named("web|sessions"))
        .getByRole(AriaRole.BUTTON)
        .click();
    Locator preview = page.getByLabel("Preview", exact());
    page.getByText("24 h", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(preview.locator("group-chart [role=img]"))
        .hasAttribute("aria-label", Pattern.compile("8 members over 1 day"));
    Locator sensitivity = page.getByLabel("Sensitivity", exact()).first();
    assertThat(sensitivity.locator("[role=status]")).containsText("At Medium:");
    Locator slider = sensitivity.getByRole(AriaRole.SLIDER);
    slider.fill("6");
    assertThat(sensitivity.locator("[role=status]")).containsText("At Low:");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/outliers/[0-9a-f-]{36}"));
    String id = page.url().replaceAll(".*/|\\?.*", "");
    made.add(id);
    JsonNode stored = json("/outlier-groups/" + id);
    assertThat(stored.get("sensitivity").asString()).isEqualTo("low");
    assertThat(stored.at("/metrics/0/key").asString()).isEqualTo("web|sessions");
    visitor.go("/outliers/" + id + "/edit");
    page.getByText("Delete\u2026").click();
    assertThat(page.locator(".notice")).containsText("events stay in the archive");
    page.getByText("Undo", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".notice")).isHidden();
  }

  @Test
  void aGroupThatATagPartsIsMadeOnceForEachOfItsValues() {
    page.route(
        Pattern.compile("/api/v1/outlier-groups/preview$"),
        route -> {
          APIResponse response = route.fetch();
          ObjectNode body = (ObjectNode) JsonMapper.shared().readTree(response.text());
          ((ArrayNode) body.path("warnings"))
              .add(
                  JsonMapper.shared()
                      .readTree(
                          """
                          {"code": "splits", "message": "The members fall into two bands.", "hint": null, "tag": "rack", "objects": [],
                           "parts": [{"value": "a", "members": 4}, {"value": "b", "members": 3}, {"value": "c", "members": 1}]}
                          """));
          route.fulfill(new Route.FulfillOptions().setResponse(response).setBody(body.toString()));
        });
    List<JsonNode> sent = new ArrayList<>();
    page.route(
        Pattern.compile("/api/v1/outlier-groups$"),
        route -> {
          sent.add(JsonMapper.shared().readTree(route.request().postData()));
          route.fulfill(
              new Route.FulfillOptions()
                  .setStatus(201)
                  .setContentType("application/json")
                  .setBody("{\"id\": \"%s\"}".formatted(UUID.randomUUID())));
        });
    visitor.go("/outliers/new");
    page.getByLabel("Object kind", exact())
        .selectOption(new SelectOption().setLabel("VMs (VMWARE, 8)"));
    page.getByLabel("Members: add a condition").selectOption("tags");
    page.getByLabel("with tag", exact()).fill("tier=web");
    page.getByLabel("with tag", exact()).press("Tab");
    page.locator("input[name=name]").fill("web");
    page.getByLabel("Add a metric").click();
    page.keyboard().type("sessions");
    page.getByRole(AriaRole.OPTION)
        .filter(named("web|sessions"))
        .getByRole(AriaRole.BUTTON)
        .click();
    page.getByText("Make 2 groups, one for each value of rack").click();
    assertThat(page.locator(".notice")).containsText("2 groups are made");
    assertThat(page).hasURL(Pattern.compile("/outliers$"));
    assertThat(sent).hasSize(2);
    assertThat(sent.get(0).path("name").asString()).isEqualTo("web a");
    assertThat(sent.get(0).at("/scope/tags").toString()).isEqualTo("[\"tier=web\",\"rack=a\"]");
    assertThat(sent.get(1).at("/scope/tags").toString()).isEqualTo("[\"tier=web\",\"rack=b\"]");
    assertThat(sent.get(1).at("/metrics/0/key").asString()).isEqualTo("web|sessions");
  }

  @Test
  void aGroupIsComparedInItsTrafficByDirectionTypeAndPorts() {
    page.route(
        Pattern.compile("/api/v1/flows/ports\\?"),
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        """
                        {"items": [{"service": "443/tcp", "port": 443, "protocol": 6, "name": "https", "bytes": 5368709120},
                                   {"service": "5432/tcp", "port": 5432, "protocol": 6, "bytes": 1048576}]}
                        """)));
    visitor.go("/outliers/new");
    page.getByLabel("Object kind", exact())
        .selectOption(new SelectOption().setLabel("VMs (VMWARE, 8)"));
    page.locator("input[name=name]").fill("web traffic");
    assertThat(page.getByLabel("Members", exact()).first()).containsText("8 match now");
    Locator compare = page.getByLabel("Compare", exact());
    page.waitForResponse(
        response -> response.url().contains("/flows/ports"),
        () -> compare.getByText("Flows", new Locator.GetByTextOptions().setExact(true)).click());
    Locator rows = compare.locator(".metric-row");
    assertThat(rows)
        .hasText(
            new Pattern[] {
              Pattern.compile("^\\s*Traffic received"), Pattern.compile("^\\s*Traffic sent")
            });
    compare.locator(".seg button").filter(named("Outgoing")).click();
    compare.locator(".seg button").filter(named("East-west")).click();
    assertThat(rows).hasText(new Pattern[] {Pattern.compile("^\\s*Traffic sent, east-west")});
    compare.getByLabel("Minimum deviation of").fill("5000");
    compare.getByLabel("Minimum deviation of").press("Tab");
    compare.locator("input[name=sessions]").check();
    Locator port = compare.locator(".port-field input");
    port.click();
    page.getByRole(AriaRole.OPTION).filter(named("5432/tcp")).getByRole(AriaRole.BUTTON).click();
    assertThat(rows.first()).hasText(Pattern.compile("^\\s*Traffic sent, east-west, 5432/tcp"));
    port.fill("https");
    port.press("Enter");
    assertThat(compare.locator(".flow-ports .chip")).hasCount(2);
    port.fill("70000/tcp");
    port.press("Enter");
    assertThat(compare).containsText("is no port");
    compare.getByLabel("Remove 5432/tcp").click();
    assertThat(rows.first()).hasText(Pattern.compile("^\\s*Traffic sent, east-west, 443/tcp"));
    assertThat(compare.getByLabel("Minimum deviation of").first()).hasValue("5000");
    assertThat(page.getByLabel("Preview", exact())).containsText("No member has values");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/outliers/[0-9a-f-]{36}"));
    String id = page.url().replaceAll(".*/|\\?.*", "");
    made.add(id);
    JsonNode stored = json("/outlier-groups/" + id);
    assertThat(stored.at("/metrics/0/key").asString())
        .isEqualTo("net:flow:eastWest:443/tcp|bytesTx_rate");
    assertThat(stored.at("/metrics/0/minDeviation").asDouble()).isEqualTo(5000);
    assertThat(stored.at("/metrics/1/key").asString())
        .isEqualTo("net:flow:eastWest:443/tcp|sessionsTx_summation");
    assertThat(stored.at("/metrics/1/flow/measure").asString()).isEqualTo("sessions");
    visitor.go("/outliers/" + id + "/edit");
    assertThat(compare.locator(".seg button").filter(named("East-west")))
        .hasAttribute("aria-pressed", "true");
    assertThat(compare.locator(".flow-ports .chip")).containsText("443/tcp");
    page.unroute(Pattern.compile("/api/v1/flows/ports\\?"));
  }

  @Test
  void aSaveThatComesSecondShowsBothVersions() {
    String id = store(visitor, "two hands", "web|errors", 6);
    made.add(id);
    visitor.go("/outliers/" + id + "/edit");
    assertThat(page.locator("input[name=name]")).hasValue("two hands");
    Map<String, Object> other = edit("two hands, theirs", "web|errors", 6);
    visitor.api("PUT", "/outlier-groups/" + id, other, "\"1\"");
    page.locator("input[name=name]").fill("two hands, mine");
    page.keyboard().press("Control+s");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("two hands, theirs");
    dialog.getByText("Save mine over it").click();
    assertThat(page.locator(".notice")).containsText("Saved");
  }

  @Test
  void theWallHasTheDeviantLargeAndTheRestAlike() {
    visitor.go("/outliers");
    assertThat(page.locator(ROWS)).hasCount(2);
    page.keyboard().press("w");
    assertThat(page.locator(".wall-head")).containsText("1 differs");
    assertThat(page.locator(".wall-tile")).containsText("shop-web-07");
    assertThat(page.locator(".wall-tile")).containsText(Pattern.compile("peers \\d+ to \\d+"));
    assertThat(page.locator(".wall-group")).containsText("shop/errors");
    assertThat(page.locator("nav")).hasCount(0);
    assertThat((Number) page.evaluate(SMALLEST_TEXT)).isEqualTo(16);
    page.keyboard().press("Escape");
    assertThat(page.locator("h1")).hasText("Outliers");
  }

  @Test
  void aScreenWithoutAKeyboardIsLetInByItsCode() {
    try (BrowserContext nobody = chromium.browser().newContext()) {
      Page wall = nobody.newPage();
      wall.navigate(installation.url() + "/wall");
      assertThat(wall.locator(".pair-code")).hasText(Pattern.compile("\\w{4}-\\w{4}"));
      visitor.go("/settings");
      button(page, "Pair a screen").click();
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog.getByLabel("Code on the screen").fill("2345-6789");
      dialog.getByLabel("Which screen it is").fill("Control room");
      dialog.getByText("Let it read").click();
      assertThat(dialog.getByRole(AriaRole.ALERT)).containsText("No screen shows this code");
      dialog.getByLabel("Code on the screen").fill(wall.locator(".pair-code").innerText());
      dialog.getByText("Let it read").click();
      assertThat(page.locator(".notice")).containsText("Control room may read");
      assertThat(page.getByLabel("Tokens", exact())).containsText("Control room");
      assertThat(wall.locator(".wall-head")).containsText("1 differs");
      assertThat((String) wall.evaluate("location.href")).isEqualTo(installation.url() + "/wall");
    }
    visitor.complaints().removeIf(c -> c.contains("404"));
  }

  private static final String SMALLEST_TEXT =
      """
      Math.min(...[...document.querySelectorAll(".wall *")].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize)))
      """;

  @Test
  void otherPagesShowTheMemberThatDiffers() {
    visitor.go("/");
    assertThat(page.locator("h1")).containsText("1 VM differs from its peers.");
    assertThat(page.getByLabel("Different from their peers")).containsText("shop-web-07");
    assertThat(page.getByLabel("Groups", exact())).containsText("shop/errors");
    assertThat(page.locator(".rail .event")).not().hasCount(0);
    page.keyboard().press("Control+k");
    page.keyboard().type("shop/err");
    assertThat(page.locator("#palette-list")).containsText("outlier group, 8 members");
    page.keyboard().press("Escape");
    String object = json("/outlier-events/" + event).at("/event/object/id").asString();
    visitor.go("/objects/" + object);
    assertThat(page.getByLabel("Relations")).containsText("differs, 1 of 8");
    assertThat(page.getByLabel("Lines drawn behind").getByText("With peers"))
        .hasAttribute("aria-pressed", "true");
  }

  @Test
  void aViewerChangesNothing() {
    try (Visitor viewer = visitAs("viewer")) {
      Page looked = viewer.page();
      viewer.go("/outliers");
      assertThat(button(looked, "New group")).isDisabled();
      looked.keyboard().press("c");
      assertThat(looked.locator(".notice")).hasText("Needs the role operator");
      viewer.go("/outliers/" + group);
      assertThat(button(looked, "Annotate")).isDisabled();
      assertThat(button(looked, "Mark as expected")).isDisabled();
      viewer.go("/outliers/" + group + "/edit");
      assertThat(button(looked, "Save")).isDisabled();
      assertThat(
              looked.locator(
                  ".wiz-form input:enabled, .wiz-form select:enabled, .wiz-form textarea:enabled"))
          .hasCount(0);
      viewer.go("/outliers/events/" + event);
      assertThat(button(looked, "Archive")).isDisabled();
    }
  }

  @Test
  void anErrorStaysInItsPaneAndIsTriedAgain() {
    Pattern results = Pattern.compile("/outlier-groups/[^/]+/results");
    page.route(
        results,
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setStatus(503)
                    .setContentType("application/problem+json")
                    .setBody(
                        "{\"type\":\"about:blank\",\"title\":\"Not available\",\"status\":503,\"code\":\"unavailable\",\"detail\":\"The database does not answer.\"}")));
    visitor.go("/outliers/" + group);
    assertThat(page.locator(".group-pane")).containsText("The database does not answer.");
    assertThat(page.getByLabel("Members", exact())).containsText("shop-web-07");
    page.unroute(results);
    page.locator(".group-pane").getByText("Retry").click();
    assertThat(page.locator("group-chart [role=img]")).hasCount(1);
    visitor.complaints().removeIf(c -> c.contains("503"));
  }

  @Test
  void everyPageOfOutliersFitsTheWindowAndNamesItsControls() {
    assertFits(
        List.of(
            "/outliers",
            "/outliers?tab=events",
            "/outliers?tab=archive",
            "/outliers/" + group,
            "/outliers/" + group + "/edit",
            "/outliers/new",
            "/outliers/events/" + event,
            "/",
            "/ui-kit"));
  }

  /** How many pixels of the lines of a chart are drawn. */
  private static int inked(Locator chart) {
    return ((Number)
            chart.evaluate(
                """
                e => { const c = e.querySelector("canvas"); return c.getContext("2d").getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v > 0).length; }
                """))
        .intValue();
  }

  private JsonNode json(String path) {
    return json(visitor, path);
  }

  private static JsonNode json(Visitor visitor, String path) {
    return JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
  }

  /** Stores a group of the web servers and gives its id. */
  private static String store(Visitor visitor, String name, String key, int violations) {
    String answer = visitor.api("POST", "/outlier-groups", edit(name, key, violations), null);
    return JsonMapper.shared().readTree(answer).get("id").asString();
  }

  private static Map<String, Object> edit(String name, String key, int violations) {
    return Map.of(
        "name",
        name,
        "objectKind",
        Map.of("adapterKind", "VMWARE", "objectKind", "VirtualMachine"),
        "scope",
        Map.of("tags", List.of("app=shop", "tier=web")),
        "metrics",
        List.of(Map.of("key", key, "minDeviation", 5)),
        "bucket",
        "1m",
        "evaluationDelay",
        "0s",
        "opens",
        Map.of("violations", violations, "of", violations),
        "alert",
        Map.of("severity", "immediate", "impact", "health", "recommendations", List.of()));
  }
}
