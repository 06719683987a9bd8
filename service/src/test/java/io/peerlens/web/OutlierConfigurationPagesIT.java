package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import io.peerlens.node.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Groups that compare the configuration of their members, in a real browser on the real service:
 * shop-web-07 is of an older version than the seven others.
 */
@Order(2)
class OutlierConfigurationPagesIT extends PagesTest {

  private static final Duration JUDGED = Duration.ofMinutes(4);

  private static final String PROPERTIES =
      """
      update object set properties = properties || jsonb_build_object('config|build',
        case name when 'shop-web-07' then '1900' else '2100' end, 'config|policy', 'round robin', 'config|address', name)
      where object_kind = 'VirtualMachine';
      """;

  private String group;
  private String event;
  private String meant;
  private final List<String> made = new ArrayList<>();

  @Override
  PagesInstallation install() {
    return PagesInstallation.openWith(
        PROPERTIES,
        Set.of(Role.API, Role.EVALUATOR),
        "peerlens.evaluation.lag=1s",
        "peerlens.evaluation.shards=1",
        "peerlens.scopes.age=1ms");
  }

  @Override
  void prepare(Visitor first) {
    group = store(first, "shop/web");
    meant = store(first, "shop/meant");
    Awaitility.await()
        .atMost(JUDGED)
        .until(() -> json(first, "/outlier-events?state=open").get("total").asInt() == 2);
    event = event(first, group);
  }

  @Override
  void tidy() {
    for (String id : made) {
      String etag = "\"" + json(visitor, "/outlier-groups/" + id).get("version").asInt() + "\"";
      visitor.api("DELETE", "/outlier-groups/" + id, null, etag);
    }
    made.clear();
  }

  private static String event(Visitor visitor, String group) {
    return json(visitor, "/outlier-events?group=" + group).at("/items/0/id").asString();
  }

  private static JsonNode json(Visitor visitor, String path) {
    return JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
  }

  private static String store(Visitor visitor, String name) {
    Map<String, Object> edit =
        Map.of(
            "name",
            name,
            "objectKind",
            Map.of("adapterKind", "VMWARE", "objectKind", "VirtualMachine"),
            "scope",
            Map.of("tags", List.of("app=shop", "tier=web")),
            "metrics",
            List.of(Map.of("key", "cpu|usage_average")),
            "bucket",
            "1m",
            "evaluationDelay",
            "0s",
            "properties",
            List.of(Map.of("pattern", "config|*")),
            "configuration",
            Map.of("lasts", "0s"));
    String answer = visitor.api("POST", "/outlier-groups", edit, null);
    return JsonMapper.shared().readTree(answer).get("id").asString();
  }

  @Test
  void anEventShowsItsPropertiesInThePlaceOfItsChart() {
    visitor.go("/outliers/events/" + event);
    assertThat(page.locator("h1")).hasText("shop-web-07 in shop/web");
    assertThat(page.getByLabel("Explanation"))
        .containsText("build is 1900 where all 7 of its peers have 2100");
    Locator row = page.getByLabel("Unlike its peers").locator("tbody tr");
    assertThat(row).hasCount(1);
    assertThat(row).containsText("Build");
    assertThat(row).containsText("1900");
    assertThat(row).containsText(Pattern.compile("2100\\s+7 of 7"));
    assertThat(page.locator("group-chart")).hasCount(0);
    assertThat(page.getByLabel("Chart")).hasCount(0);
    assertThat(page.getByLabel("History")).containsText("opened");
    assertThat(page.getByLabel("What sets shop-web-07 apart")).containsText("2100 on all");
  }

  @Test
  void listsNameThePropertyAndItsValues() {
    visitor.go("/outliers?tab=events&q=shop/web");
    Locator row = page.locator(ROWS);
    assertThat(row).hasCount(1);
    assertThat(row).containsText("Build");
    assertThat(row).containsText("1900");
    assertThat(row).containsText("2100");
    visitor.go("/outliers?q=shop/web");
    assertThat(page.locator(ROWS)).containsText("shop-web-07");
    assertThat(page.locator(ROWS)).containsText("1 property differs");
    visitor.go("/");
    Locator differs = page.locator(".differs").filter(named("shop/web"));
    assertThat(differs).containsText("shop-web-07");
    assertThat(differs).containsText("1900");
    assertThat(differs).not().containsText("score");
    visitor.go("/wall");
    assertThat(page.locator("main")).containsText("1900");
  }

  @Test
  void aGroupShowsWhoDiffersAndOnRequestAllThatIsCompared() {
    visitor.go("/outliers/" + group);
    Locator pane = page.getByLabel("Configuration", exact());
    assertThat(pane).containsText("1 differs, 1 alike, 1 no value prevails");
    assertThat(pane.locator("tbody tr")).hasCount(1);
    assertThat(pane.locator("tbody tr")).containsText(Pattern.compile("Build\\s+2100\\s+7 of 8"));
    assertThat(pane.locator("tbody tr")).containsText(Pattern.compile("shop-web-07\\s+1900"));
    button(page, "All 3").click();
    assertThat(pane.locator("tbody tr")).hasCount(3);
    assertThat(pane).containsText("round robin");
    pane.getByText("shop-web-07").click();
    assertThat(page).hasURL(Pattern.compile("/outliers/events/" + event));
  }

  @Test
  void aGroupIsWrittenWithPatternsAndSaysWhatTheyWouldFind() {
    visitor.go("/outliers/new");
    page.getByLabel("Object kind", exact())
        .selectOption(new SelectOption().setLabel("VMs (VMWARE, 8)"));
    page.locator("input[name=name]").fill("all VMs");
    page.getByLabel("Add a metric").fill("cpu|usage_average");
    page.getByLabel("Add a metric").press("Enter");
    Locator field = page.getByLabel("Configuration", exact());
    page.getByLabel("Add a property or a pattern").fill("config|*");
    page.getByLabel("Add a property or a pattern").press("Enter");
    assertThat(field.getByRole(AriaRole.STATUS))
        .containsText("Now: 1 differs, 1 alike, 1 no value prevails.");
    assertThat(field).containsText("shop-web-07: build 1900, not 2100");
    page.getByLabel("Accepted values of config|*, one a line").fill("1900\n1800");
    page.getByLabel("Accepted values of config|*, one a line").press("Tab");
    assertThat(field.getByRole(AriaRole.STATUS)).containsText("Now: 2 alike, 1 no value prevails.");
    page.getByLabel("How long a difference must last").fill("2h");
    page.getByLabel("How long a difference must last").press("Tab");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(Pattern.compile("/outliers/[0-9a-f-]{36}"));
    String id = page.url().replaceAll(".*/|\\?.*", "");
    made.add(id);
    JsonNode stored = json(visitor, "/outlier-groups/" + id);
    assertThat(stored.at("/properties/0/pattern").asString()).isEqualTo("config|*");
    assertThat(stored.at("/properties/0/accept/1").asString()).isEqualTo("1800");
    assertThat(stored.at("/configuration/lasts").asString()).isEqualTo("2h");
    assertThat(stored.at("/configuration/majority").asDouble()).isEqualTo(0.8);

    visitor.go("/outliers/" + id + "/edit");
    page.getByLabel("Remove config|*").click();
    page.keyboard().press("Control+s");
    assertThat(page.locator(".notice")).containsText("Saved");
    assertThat(json(visitor, "/outlier-groups/" + id).has("properties")).isFalse();
  }

  @Test
  void aValueIsAcceptedOnThePageOfItsEventWhichThenCloses() {
    String own = event(visitor, meant);
    visitor.go("/outliers/events/" + own);
    button(page, "1900 is meant for Build").click();
    assertThat(page.locator(".notice")).containsText("1900 is accepted in shop/meant");
    assertThat(json(visitor, "/outlier-groups/" + meant).at("/properties/0/accept/0").asString())
        .isEqualTo("1900");
    Awaitility.await()
        .atMost(JUDGED)
        .until(
            () ->
                json(visitor, "/outlier-events/" + own)
                    .at("/event/closeReason")
                    .asString("")
                    .equals("expected"));
    visitor.go("/outliers/events/" + own);
    assertThat(page.getByLabel("Unlike its peers")).containsText("1900");
    assertThat(page.getByText("This value is meant")).hasCount(0);
  }

  @Test
  void aViewerReadsAndAcceptsNothing() {
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/outliers/events/" + event);
      Page seen = viewer.page();
      assertThat(seen.getByLabel("Unlike its peers")).containsText("1900");
      assertThat(button(seen, "1900 is meant for Build")).isDisabled();
    }
  }

  @Test
  void everyPageOfConfigurationFitsTheWindowAndNamesItsControls() {
    assertFits(
        List.of(
            "/outliers/events/" + event,
            "/outliers/" + group,
            "/outliers/" + group + "/edit",
            "/outliers?tab=events"));
  }
}
