package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PageAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.peerlens.node.Role;
import io.peerlens.support.TestKafka;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pages of benchmark runs, from the empty one over an upload to curves and one run. */
@Timeout(400)
class BenchmarkRunPagesIT extends PagesTest {

  private static final double PATIENCE = 60_000;

  /** Outstanding IO, IOPS and p95 of a sweep that reads 201,000 IOPS at 1.5 ms. */
  private static final double[][] SWEEP = {
    {8, 52_200, 0.42},
    {16, 98_310, 0.52},
    {32, 151_020, 0.78},
    {48, 178_260, 1.02},
    {64, 192_140, 1.28},
    {96, 207_450, 1.86},
    {128, 211_300, 2.74}
  };

  private static final String MAPPING =
      """
      {"csvMapping": 1, "tool": "made", "time": {"column": "seconds", "format": "seconds"}, "runs": ["repeat", "depth"],
       "parameters": {"depth": "outstanding", "block": "block_size", "reads": "read_share", "random": "random_share"},
       "metrics": [{"column": "iops", "metric": "iops", "unit": "IO/s"}, {"column": "mean", "metric": "latency", "unit": "ms"},
         {"column": "p95", "metric": "latency_p95", "unit": "ms"}, {"column": "p99", "metric": "latency_p99", "unit": "ms"}]}
      """;

  private static final String CRITERIA =
      """
      {"name": "acceptance", "criteria": [
        {"figure": "iops", "at": {"latency": "p95", "limit": 1.5}, "operator": ">=", "limit": 180000, "unit": "IO/s"},
        {"figure": "latency_p99", "operator": "<=", "limit": 2, "unit": "ms"}]}
      """;

  @Override
  PagesInstallation install() {
    String topic = "benchmark-pages-" + UUID.randomUUID();
    TestKafka kafka = TestKafka.shared();
    kafka.createTopic(topic, 1);
    return PagesInstallation.open(
        Set.of(Role.API, Role.INGEST),
        "peerlens.ingest.bootstrap-servers=" + kafka.bootstrap(),
        "peerlens.ingest.topic=" + topic,
        "peerlens.ingest.group=" + topic,
        "peerlens.ingest.dead-letter-topic=" + topic + "-dead");
  }

  /** Runs of half an hour, the deepest of which falls to its end. */
  private static String csv(double[][] points, int repeats) {
    StringBuilder rows =
        new StringBuilder("repeat,depth,block,reads,random,seconds,iops,mean,p95,p99\n");
    for (int repeat = 0; repeat < repeats; repeat++) {
      for (double[] one : points) {
        for (int second = 30; second <= 1800; second += 30) {
          double rise = Math.min(1, 0.4 + second / 300.0 * 0.6);
          double fall = one[0] == 128 ? 1 - Math.max(0, second - 600) / 12_000.0 : 1;
          double ripple = 1 + 0.004 * Math.sin(second * 7.0 + repeat) + 0.008 * repeat;
          rows.append(
              String.format(
                  Locale.ROOT,
                  "%d,%.0f,4096,100,100,%d,%.0f,%.4f,%.4f,%.4f%n",
                  repeat,
                  one[0],
                  second,
                  one[1] * rise * fall * ripple,
                  one[2] * 0.7 * ripple,
                  one[2],
                  one[2] * 1.65));
        }
      }
    }
    return rows.toString();
  }

  private static FilePayload file(String name, String type, String text) {
    return new FilePayload(name, type, text.getBytes(StandardCharsets.UTF_8));
  }

  private static LocatorAssertions.ContainsTextOptions patiently() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE);
  }

  private Locator pane(String name) {
    return page.getByLabel(name, exact());
  }

  /** Runs whose note or name holds a text. */
  private List<JsonNode> runs(String text) {
    JsonNode items =
        JsonMapper.shared()
            .readTree(
                visitor.api(
                    "GET", "/benchmark-runs?limit=100&q=" + text.replace(" ", "%20"), null, null))
            .path("items");
    return StreamSupport.stream(items.spliterator(), false).toList();
  }

  /** A run by its outstanding IO. */
  private String run(String outstanding) {
    return runs("sweep/").stream()
        .filter(run -> run.at("/parameters/outstanding").asString().equals(outstanding))
        .map(run -> Objects.requireNonNull(run.path("id").asString()))
        .findFirst()
        .orElseThrow();
  }

  /** The empty page says what to bring; then there is the sweep on Cluster A. */
  @Override
  void prepare(Visitor first) {
    first.go("/benchmark-runs");
    assertThat(first.page().locator("h1")).hasText("No benchmark run yet.");
    assertThat(first.page().locator("main")).containsText("./peerlens import-run FOLDER");
    String cluster =
        JsonMapper.shared()
            .readTree(first.api("GET", "/objects?objectKind=ClusterComputeResource", null, null))
            .at("/items/0/id")
            .asString();
    bring(first, zip(SWEEP, 2), "note=after%20the%20new%20firmware&object=" + cluster);
  }

  /** Imports runs of the last day and waits for them. */
  private static void bring(Visitor visitor, byte[] zip, String query) {
    String brought =
        visitor.api(
            "POST",
            "/benchmark-runs?fileName=sweep.zip&from="
                + Instant.now().minus(Duration.ofHours(20))
                + "&"
                + query,
            zip,
            null);
    String path =
        "/benchmark-imports/" + JsonMapper.shared().readTree(brought).path("id").asString();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> visitor.api("GET", path, null, null).contains("\"state\":\"done\""));
  }

  private static byte[] zip(double[][] points, int repeats) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> file :
          Map.of("sweep.csv", csv(points, repeats), "mapping.json", MAPPING).entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Test
  void filesAreBroughtAndTheirRunsShown() {
    visitor.go("/benchmark-runs/import");
    page.getByLabel("Result files to bring", exact())
        .setInputFiles(
            new FilePayload[] {
              file("own.csv", "text/csv", csv(new double[][] {{4, 900, 2}, {8, 1600, 3}}, 1)),
              file("mapping.json", "application/json", MAPPING),
              file("broken.json", "application/json", "{ \"fio version\" : \"fio-3.33\", ")
            });
    assertThat(pane("What is brought")).containsText("3 files");
    button(page, "Choose…").click();
    page.locator(".palette input").fill("esx-a-01");
    page.locator("#palette-list li").filter(named("esx-a-01")).first().click();
    assertThat(pane("What is brought")).containsText("esx-a-01");
    page.locator(".when-field").fill("yesterday 1:00");
    page.getByLabel("Note", exact()).fill("on one host");
    button(page, "Bring it").click();

    Locator result = pane("What became of it");
    assertThat(result).containsText("2 runs found.", patiently());
    assertThat(pane("What could not be read")).containsText("broken.json");
    result.getByText(Pattern.compile("Show the runs?")).click();
    assertThat(page)
        .hasURL(
            Pattern.compile("/benchmark-runs\\?import=.+"),
            new PageAssertions.HasURLOptions().setTimeout(PATIENCE));
    assertThat(page.locator("load-curve [role=link]")).hasCount(2);
    assertThat(page.locator(ROWS)).hasCount(2);
    assertThat(page.getByLabel("Tested", exact())).containsText("esx-a-01");
    assertThat(page.locator("h1")).containsText("carries");
    for (JsonNode run : runs("on one host")) {
      visitor.api("DELETE", "/benchmark-runs/" + run.path("id").asString(), null, null);
    }
  }

  @Test
  void aCurveIsReadAtALimitThatTheAddressKeeps() {
    visitor.go("/benchmark-runs?limit=1.5&nodes=6");
    Locator title = page.locator("h1");
    assertThat(title)
        .containsText(Pattern.compile("^Cluster A carries 20\\d,\\d00 IOPS at 1.5 ms"));
    assertThat(title).containsText("33,");
    assertThat(page.locator("load-curve path.read")).hasCount(1);
    assertThat(page.locator("load-curve")).containsText("between measured 1.28 and 1.86 ms");
    assertThat(page.locator("load-curve .dot.hollow")).hasCount(1);
    assertThat(page.locator("load-curve path.bars")).hasCount(7);
    assertThat(page.locator("load-curve > svg"))
        .hasAttribute("aria-label", Pattern.compile("outstanding IO 128: .* not steady"));

    // Beyond the last point nothing is read.
    page.getByLabel("Limit of the latency in milliseconds").fill("9");
    page.keyboard().press("Tab");
    assertThat(page).hasURL(Pattern.compile("limit=9"));
    assertThat(title).containsText("Cluster A carries at least 2");
    assertThat(page.locator("load-curve path.read")).hasCount(0);
    page.getByLabel("Limit of the latency in milliseconds").fill("0.1");
    page.keyboard().press("Tab");
    assertThat(title).containsText("Cluster A: 0.1 ms (p95) is not reached.");

    // Another latency, and the same as a table.
    button(page, "Mean").click();
    assertThat(page).hasURL(Pattern.compile("latency=mean"));
    assertThat(title).containsText("(mean)");
    button(page, "Show as table").click();
    assertThat(page.locator(".curve-table tbody tr")).hasCount(7);
    assertThat(page.locator(".curve-table tbody tr").last()).containsText("not steady");

    // A theoretical maximum is a dotted line with the share of it.
    visitor.go("/benchmark-runs?limit=1.5");
    button(page, "Nodes and maximum").click();
    Locator form = page.getByRole(AriaRole.DIALOG);
    form.locator("input[name=each]").fill("38000");
    form.locator("input[name=parts]").fill("6");
    form.locator("input[name=part]").fill("drives");
    button(page, "Show").press("Enter");
    page.locator("load-curve line.maximum")
        .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
    assertThat(page.locator("load-curve")).containsText("228,000 theoretical");
    assertThat(pane("Reading"))
        .containsText(Pattern.compile("8\\d % of the theoretical 228,000 IOPS"));
    assertThat(pane("Reading")).containsText("there is no load profile");
  }

  @Test
  void keysMarkRunsCompareThemAndOpenOne() {
    visitor.go("/benchmark-runs?limit=1.5&sort=-outstanding");
    assertThat(page.locator(ROWS)).hasCount(14);
    page.keyboard().press("j");
    page.keyboard().press("v");
    assertThat(page.locator(".notice")).containsText("Mark two runs first");
    page.keyboard().press("x");
    assertThat(page.locator("tr.sel .run-mark")).hasText("A");
    page.keyboard().press("j");
    page.keyboard().press("j");
    page.keyboard().press("v");
    assertThat(page).hasURL(Pattern.compile("b="));
    Locator comparison = pane("A against B");
    assertThat(comparison.locator(".verdict-line")).containsText("IOPS");
    assertThat(comparison).containsText("outstanding IO");
    assertThat(comparison.locator("elapsed-chart path.run")).hasCount(1);
    assertThat(comparison).containsText("is shown on Cluster A as a change");
    String verdict = comparison.locator(".verdict-line").innerText();
    button(page, "Swap").click();
    assertThat(comparison.locator(".verdict-line")).not().hasText(verdict);
    page.keyboard().press("Escape");
    assertThat(page.locator(".run-mark[aria-pressed=true]")).hasCount(0);
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/benchmark-runs/[0-9a-f-]{36}"));
    assertThat(page.locator("h1")).hasText("4K, all reads, random");
  }

  @Test
  void criteriaJudgeACurve() {
    visitor.go("/benchmark-runs?limit=1.5");
    // Those to begin with are understood.
    button(page, "Choose criteria").click();
    button(page, "Judge by these").click();
    assertThat(pane("Reading").locator(".criteria-met li")).hasCount(3);
    button(page, "Change").click();
    Locator text = page.getByLabel("Criteria as JSON");
    text.fill("{ this is none");
    button(page, "Judge by these").click();
    assertThat(page.locator(".layer [role=alert]")).containsText("This is no JSON");
    text.fill(CRITERIA.replace("\"<=\"", "\"~\""));
    button(page, "Judge by these").click();
    assertThat(page.locator(".layer .failure")).containsText("operator");
    text.fill(CRITERIA);
    button(page, "Judge by these").click();
    Locator outcomes = pane("Reading").locator(".criteria-met li");
    assertThat(outcomes).hasCount(2);
    assertThat(outcomes.nth(0)).hasClass("pass");
    assertThat(outcomes.nth(1)).hasClass("fail");
    assertThat(page).hasURL(Pattern.compile("criteria=acceptance"));
    page.reload();
    assertThat(outcomes).hasCount(2);
    // They are the same for everybody.
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/benchmark-runs?limit=1.5&criteria=acceptance");
      assertThat(viewer.page().locator(".criteria-met li")).hasCount(2);
      button(viewer.page(), "Change").click();
      assertThat(button(viewer.page(), "Remove")).isDisabled();
      assertThat(button(viewer.page(), "Judge by these")).isEnabled();
    }
    visitor.complaints().removeIf(complaint -> complaint.contains("400"));
    assertFits(List.of("/benchmark-runs?limit=1.5&criteria=acceptance"));
  }

  @Test
  void aRunShowsItsCourseAndWhatPeopleSayOfIt() {
    String id = run("64");
    visitor.go("/benchmark-runs/" + id);
    assertThat(pane("What it says")).containsText("Steady from");
    assertThat(pane("Over its time").locator("elapsed-chart .from")).hasCount(2);
    assertThat(pane("Totals")).containsText("p99");
    assertThat(pane("Parameters")).containsText("4K");
    assertThat(pane("Hosts meanwhile")).not().containsText("undefined");
    assertThat(pane("Where it is from").getByText("sweep.zip"))
        .hasAttribute("href", Pattern.compile("/api/v1/benchmark-imports/.+/file"));
    Locator said = pane("What people say");
    assertThat(said.locator("textarea")).hasValue("after the new firmware");
    said.locator("textarea").fill("before the move");
    said.locator("input[name=reference]").check();
    button(page, "Add a parameter").click();
    page.getByLabel("Name of parameter 1").fill("block_size");
    page.getByLabel("Value of parameter 1").fill("1");
    button(page, "Save").click();
    assertThat(said.locator("[role=alert]")).containsText("given by the tool");
    page.getByLabel("Name of parameter 1").fill("policy");
    page.getByLabel("Value of parameter 1").fill("RAID-1");
    button(page, "Save").click();
    assertThat(page.locator(".tb .chip")).hasText("reference");
    assertThat(pane("Parameters")).containsText("RAID-1");
    page.reload();
    assertThat(said.locator("textarea")).hasValue("before the move");

    // From its change on what was tested one comes to before and after.
    assertThat(pane("What it says").getByText("Compare before and after"))
        .hasAttribute("href", Pattern.compile("/compare\\?change=\\d+"));

    // Its object leads here, too.
    visitor.go("/objects/" + id);
    assertThat(page.getByText("Open the run"))
        .hasAttribute(
            "href",
            "/benchmark-runs/" + id,
            new LocatorAssertions.HasAttributeOptions().setTimeout(PATIENCE));

    // Who only looks cannot change it.
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/benchmark-runs/" + id);
      assertThat(button(viewer.page(), "Delete")).isDisabled();
      assertThat(viewer.page().getByLabel("What people say", exact()).locator("textarea"))
          .isDisabled();
      viewer.go("/benchmark-runs/import");
      assertThat(viewer.page().getByLabel("Result files to bring", exact())).isDisabled();
    }
    visitor.complaints().removeIf(complaint -> complaint.contains("400"));
  }

  @Test
  void thesePagesFitAndAreReadableOnAPhoneAndInTheDark() {
    String list = "/benchmark-runs?limit=1.5&a=" + run("64") + "&b=" + run("48");
    assertThat(
            PageFitIT.lookedAt(
                chromium,
                installation,
                List.of(list, "/benchmark-runs/" + run("48"), "/benchmark-runs/import")))
        .isEmpty();
  }

  @Test
  void aDeletedRunIsGoneAfterItsGrace() {
    bring(visitor, zip(new double[][] {{4, 900, 2}}, 1), "note=to%20go");
    String id = runs("to go").getFirst().path("id").asString();
    visitor.go("/benchmark-runs/" + id);
    button(page, "Delete").click();
    assertThat(page).hasURL(Pattern.compile("/benchmark-runs$"));
    assertThat(page.locator(".notice")).containsText("is deleted, with its object");
    button(page, "Undo").click();
    assertThat(page).hasURL(Pattern.compile(id));
    button(page, "Delete").click();
    assertThat(page.locator(".notice")).containsText("is deleted");
    page.waitForResponse(
        answer -> answer.request().method().equals("DELETE") && answer.url().contains(id),
        new Page.WaitForResponseOptions().setTimeout(PATIENCE),
        () -> {});
    assertThat(runs("to go")).isEmpty();
  }
}
