package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import io.peerlens.ingest.flow.FlowMetric;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The modules of the pages of outliers one by one, in the browser that runs them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("measures how long drawing takes")
class OutlierModulesIT {

  private Chromium chromium;
  private PagesInstallation installation;
  private Page page;

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation = PagesInstallation.shared();
    page = chromium.browser().newContext(new NewContextOptions().setTimezoneId("UTC")).newPage();
    String url = installation.url() + "/";
    Visitor.sources(page, url, () -> page.navigate(url));
  }

  @AfterAll
  void close() {
    if (installation != null) {
      chromium.close();
    }
  }

  /** Steps are scores in tenths; a minus before one is below the peers, a dot is no score. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 50 50 10 50 10 | both | 1-open 50",
        "50 50 10 10 50 10 | both | ",
        "50 50 50 10 10 10 10 10 10 10 | both | 0-8 50",
        "50 50 50 10 10 10 10 10 40 10 10 10 10 10 10 | both | 0-14 50",
        "-50 -60 -50 10 10 | both | 0-open -60",
        "-50 -60 -50 10 10 | high | ",
        "-50 -60 -50 10 10 | low | 0-open -60",
        "50 50 . . 50 10 . 10 10 10 . 10 10 | both | 0-12 50",
        "50 50 50 10 10 10 10 10 10 50 50 50 | both | 0-8 50, 9-open 50",
      })
  void scoresAreCutAsTheEvaluationCutsThem(String scores, String side, String expected) {
    List<Object> steps =
        Arrays.stream(scores.split(" "))
            .map(s -> s.equals(".") ? (Object) "none" : Double.valueOf(s))
            .toList();
    Object found =
        page.evaluate(
            """
            async a => {
              const { episodes } = await import("/app/chart/cut.js");
              const scores = a.steps.map(s => s === "none" ? null : s / 10);
              return episodes(scores, { opensAt: 4.5, closesBelow: 2.7, violations: 3, of: 4, closesAfter: 6, side: a.side })
                .map(e => `${e.from}-${e.to ?? "open"} ${e.peak * 10}`).join(", ");
            }
            """,
            Map.of("steps", steps, "side", side));
    assertThat(found).isEqualTo(expected == null ? "" : expected);
  }

  /** The same keys as the service makes of the same options. */
  @ParameterizedTest
  @CsvSource({
    "rate, both, all, '', 'net:flow|bytesRx_rate net:flow|bytesTx_rate'",
    "sessions, incoming, north-south, 443/tcp, net:flow:northSouth:443/tcp|sessionsRx_summation",
    "bytes, outgoing, all, 8443/tcp 53 icmp 53/udp 53/tcp, net:flow:icmp+53+53/tcp+53/udp+8443/tcp|bytesTx_summation",
  })
  void flowOptionsStandForKeysAndAreReadBackFromThem(
      String measure, String direction, String type, String ports, String keys) {
    Object found =
        page.evaluate(
            """
            async a => {
              const { optionsOf, servicePort, withOptions } = await import("/app/pages/outliers/flows.js");
              const options = { measures: [a.measure], direction: a.direction, type: a.type, ports: a.ports.split(" ").filter(Boolean).map(p => servicePort(p)) };
              const made = withOptions([{ key: "cpu|usage_average" }], options);
              const again = withOptions(made.toReversed(), optionsOf(made));
              return [made.slice(1), again.slice(1)].map(list => list.map(m => m.key).join(" ")).concat(made[0].key);
            }
            """,
            Map.of("measure", measure, "direction", direction, "type", type, "ports", ports));
    assertThat(found).isEqualTo(List.of(keys, keys, "cpu|usage_average"));
    for (String key : keys.split(" ")) {
      assertThat(FlowMetric.parse(key)).isNotNull();
    }
  }

  /** Also when it is typed faster than the options come. */
  @ParameterizedTest
  @CsvSource({"https, 443/tcp", "HTTPS, 443/tcp", "443, 443", "icmp, icmp", "70000/tcp,"})
  void aPortIsFoundByTheNameItIsSeenUnder(String typed, @Nullable String port) {
    Object found =
        page.evaluate(
            """
            async typed => {
              const { servicePort } = await import("/app/pages/outliers/flows.js");
              return servicePort(typed, [{ service: "53/udp", name: null }, { service: "443/tcp", name: "https" }]);
            }
            """,
            typed);
    assertThat(found).isEqualTo(port);
  }

  @Test
  void theAcceptedRangeOfAnotherSensitivityKeepsItsMiddle() {
    Object found =
        page.evaluate(
            """
            async () => {
              const { bandAt } = await import("/app/chart/group-layout.js");
              const metric = { centre: [100, null, 0], lower: [50, null, -5], upper: [200, null, 10] };
              const wide = bandAt(metric, 2, false);
              const log = bandAt(metric, 0.5, true);
              return [wide.lower, wide.upper, log.lower.map(v => v === null ? null : Math.round(v * 100) / 100), log.upper.map(v => v === null ? null : Math.round(v * 100) / 100), bandAt(metric, 1, true).upper === metric.upper];
            }
            """);
    assertThat(found)
        .isEqualTo(
            List.of(
                Arrays.asList(0, null, -10),
                Arrays.asList(300, null, 20),
                Arrays.asList(70.71, null, -2.5),
                Arrays.asList(141.42, null, 5),
                true));
  }

  @ParameterizedTest
  @CsvSource({
    "60, 430, 4, '60 100 200 400'",
    "0.4, 12, 5, '0.5 1 2 5 10'",
    "3, 40000, 5, '10 100 1000 10000'",
    "1, 1000000000, 5, '1 100 10000 1000000 100000000'",
  })
  void aLogarithmicAxisHasFewRoundNumbers(double low, double high, int most, String ticks) {
    Object found =
        page.evaluate(
            """
            async a => (await import("/app/chart/group-layout.js")).logTicks(a.low, a.high, a.most).join(" ")
            """,
            Map.of("low", low, "high", high, "most", most));
    assertThat(found).isEqualTo(ticks);
  }

  @Test
  void aStripPutsEachMemberWhereItsValueIsAndEndsAtTheExtremes() {
    Object found =
        page.evaluate(
            """
            async () => {
              const { render } = await import("/app/core/html.js");
              const { strip } = await import("/app/parts/peers.js");
              const drawn = (of, count) => {
                const box = document.createElement("div");
                render(strip({ ...of, count }, { width: 114, height: 20 }), box);
                const lines = [...box.querySelectorAll("line")].slice(1).map(l => Number(l.getAttribute("x1")));
                return [lines, [...box.querySelectorAll("rect")].map(r => [r.getAttribute("x"), r.getAttribute("width")].map(Number)), box.querySelectorAll("path").length];
              };
              const ten = { ticks: [0, 25, 50, 100], centre: 50, lower: 0, upper: 75, deviants: [{ value: 100 }] };
              const split = { ticks: [0, 10, 90, 100], centre: 50, lower: 0, upper: 100, bands: [{ lower: 0, upper: 10 }, { lower: 90, upper: 100 }] };
              const many = { ticks: Array.from({ length: 60 }, (_, i) => i), centre: 30, lower: 0, upper: 59 };
              return [drawn(ten), drawn(split), drawn(many, 400)[0].length, drawn(many, 400)[2], drawn({}).at(2)];
            }
            """);
    assertThat(found)
        .isEqualTo(
            List.of(
                // Three ticks and the median; the deviant is a diamond.
                List.of(List.of(7, 32, 57, 57), List.of(List.of(7, 75)), 1),
                // Two blocks and no median.
                List.of(List.of(7, 17, 97, 107), List.of(List.of(3, 18), List.of(93, 18)), 0),
                // Of many the outline is drawn, and the median.
                1,
                1,
                0));
  }

  @Test
  void valuesOfResultsAreFoundAgainOnTheGridOfACoarserOrFinerChart() {
    Object found =
        page.evaluate(
            """
            async () => {
              const { onGrid } = await import("/app/pages/objects/peers.js");
              return onGrid({ times: [0, 300, 600], stepMillis: 300 }, [1, null, 3], [-100, 0, 150, 299, 300, 600, 899, 900]);
            }
            """);
    assertThat(found).isEqualTo(Arrays.asList(null, 1, 1, 1, null, 3, 3, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"tags\":[\"app=shop\",\"tier=web\"]} | shop/web",
        "{\"name\":\"kiosk-*\"} | kiosk",
        "{\"ancestors\":[\"x\"]} | VMs",
        "{} | ''",
      })
  void aGroupIsNamedAfterItsScope(String scope, String name) {
    Object found =
        page.evaluate(
            """
            async scope => (await import("/app/pages/outliers/definition-words.js")).proposedName(JSON.parse(scope), { objectKind: "VirtualMachine" })
            """,
            scope);
    assertThat(found).isEqualTo(name);
  }

  @Test
  void rangesAreWrittenInOneUnitAndPrecision() {
    Object found =
        page.evaluate(
            """
            async () => {
              const { rangeText, farText } = await import("/app/pages/outliers/words.js");
              const net = { key: "net|transmitted_average", unit: "KBps" };
              const percent = { key: "cpu|usage_average", unit: "%" };
              return [rangeText(10731, 15991, net), rangeText(0.6, 2.64, percent), rangeText(62, 80.4, percent), rangeText(null, 1, percent), rangeText(0.6, 2.6, percent, false),
                farText({ value: 412, centre: 104, factor: 3.96 }, net), farText({ value: 97.1, centre: 71, factor: 1.37 }, percent), farText({ value: null }, net)];
            }
            """);
    assertThat(found)
        .isEqualTo(
            List.of(
                "88 to 131 Mbit/s",
                "0.6 to 2.64 %",
                "62 to 80.4 %",
                "-",
                "0.6 to 2.6",
                "4.0 \u00d7",
                "+26.1 pts",
                "no data"));
  }

  /**
   * Two hundred members at five hundred moments are drawn in a few milliseconds, so that dragging a
   * sensitivity redraws at once. The bound is wider, since builds share machines; the figure is
   * printed.
   */
  @Test
  void aGroupOfTwoHundredIsRedrawnWhileItsSensitivityIsDragged() {
    List<?> millis =
        (List<?>)
            page.evaluate(
                """
                async () => {
                  await import("/app/chart/group-chart.js");
                  const { bandAt } = await import("/app/chart/group-layout.js");
                  const { episodes } = await import("/app/chart/cut.js");
                  const times = Array.from({ length: 500 }, (_, i) => i * 300000);
                  const wave = seed => times.map((_, i) => 100 + seed % 13 + 20 * Math.sin(i / 40) + 3 * Math.sin(i * 1.3 + seed));
                  const members = Array.from({ length: 200 }, (_, n) => ({ id: `${n}`, name: `vm-${n}`, values: wave(n), scores: times.map((_, i) => 1.5 * Math.sin(i / 9 + n) + (n === 7 && i > 300 ? 5 : 0)) }));
                  const metric = { centre: wave(6), lower: wave(6).map(v => v - 20), upper: wave(6).map(v => v + 20) };
                  const chart = document.createElement("group-chart");
                  chart.style.cssText = "position:fixed;inset:0;width:900px;height:400px";
                  document.body.append(chart);
                  const took = [];
                  for (let i = 0; i < 31; i++) {
                    await new Promise(requestAnimationFrame);
                    const began = performance.now();
                    const opensAt = 3.5 + i / 20;
                    const cut = members.map(m => episodes(m.scores, { opensAt, closesBelow: opensAt * 0.6, violations: 3, of: 4, closesAfter: 6 }));
                    chart.spec = { unit: "%", log: false, from: 0, to: times.at(-1), times, stepMillis: 300000, ...metric, ...bandAt(metric, opensAt / 4.5, false), judged: times.map(() => 200),
                      members: members.map((m, n) => ({ ...m, token: cut[n].length ? "--deviant-1" : null })), events: [], flags: [], opensAt, closesBelow: opensAt * 0.6, words: "a group" };
                    for (const canvas of chart.querySelectorAll("canvas")) canvas.getContext("2d").getImageData(0, 0, 1, 1);
                    took.push(performance.now() - began);
                  }
                  chart.remove();
                  took.sort((a, b) => a - b);
                  return [took[0], took[15]].map(n => Math.round(n * 10) / 10 + 0.01);
                }
                """);
    double median = ((Number) millis.get(1)).doubleValue();
    System.out.printf(
        "Group chart of 200 members x 500 buckets, cut and drawn: median %.1f ms, least %.1f ms%n",
        median, ((Number) millis.get(0)).doubleValue());
    assertThat(median).isPositive().isLessThan(150);
  }
}
